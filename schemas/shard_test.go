package schemas

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// A receipt crosses shuffles as a row, and a row of ours must have nothing that
// is missing: what stands behind it would be read in its place.
func TestReceiptsHaveNothingMissing(t *testing.T) {
	beam.RegisterType(reflect.TypeFor[Receipt]())
	encoder := beam.NewElementEncoder(reflect.TypeFor[Receipt]())
	missing := func(r Receipt) bool {
		var b bytes.Buffer
		if err := encoder.Encode(r, &b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()[1] != 0 // the length of the bits that say what is missing, behind the number of fields
	}
	if !missing(Receipt{}) {
		t.Error("Beam's coder marks a missing slice no longer: Filled can go")
	}
	if r := (Receipt{}).Filled(); missing(r) || r.Counts.Reasons == nil {
		t.Errorf("%+v", r)
	}
}
