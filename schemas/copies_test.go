package schemas

import (
	"reflect"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestCopyBatch(t *testing.T) {
	b := &CopyBatch{Shard: 3, Part: 2, Texts: []CopyText{
		{"p1", "n1", "text", "", 7, []audit.Passage{{Hash: 1 << 63, Start: 4, End: 40}, {Hash: 2, Start: 9, End: 44, Covered: 6, Begins: 2,
			Types: []phi.Type{phi.Doctor}}}},
		{"", "n2", "sections", "2", 0, []audit.Passage{}},
	}}
	raw := b.Encode()
	got, err := DecodeCopyBatch(raw)
	if err != nil || !reflect.DeepEqual(got, b) {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range raw {
		if _, err := DecodeCopyBatch(raw[:i]); err == nil && i > 0 {
			t.Errorf("%d bytes of %d are a batch", i, len(raw))
		}
	}
}
