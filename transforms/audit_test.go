package transforms

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

// Copies are compared over all batches of a patient's, those of one shard that were
// handed on one after the other among them, and a batch that was made twice counts
// once.
func TestAuditCopies(t *testing.T) {
	text := func(document string, row int64, patient string, covered uint8) schemas.CopyText {
		p := audit.Passage{Hash: 4, Start: 10, End: 60, Covered: covered, Begins: covered}
		if covered > 0 {
			p.Types = []phi.Type{phi.Doctor}
		}
		return schemas.CopyText{Patient: patient, Document: document, Column: "text", Row: row, Passages: []audit.Passage{p}}
	}
	batch := func(shard, part int, texts ...schemas.CopyText) []byte {
		b := schemas.CopyBatch{Shard: shard, Part: part, Texts: texts}
		return b.Encode()
	}
	batches := [][]byte{
		batch(0, 0, text("a", 3, "p1", 4)), batch(0, 1, text("b", 9, "p1", 0), text("c", 10, "p2", 0)), batch(7, 0, text("d", 1, "p1", 4)),
		batch(0, 1, text("b", 9, "p1", 0), text("c", 10, "p2", 0)),
	}
	for range 3 {
		got, err := auditCopies(5, batches)
		var places []copyPlace
		if err == nil {
			err = json.Unmarshal(got.Places, &places)
		}
		if err != nil || got.Bucket != 5 || got.Left != 1 || len(places) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
		if p := places[0]; p.Document != "b" || p.Row != 9 || p.Shard != 0 || p.Type != "DOCTOR" || p.Start != 10 || p.End != 60 {
			t.Errorf("%+v", p)
		}
		slices.Reverse(batches)
	}
	if _, err := auditCopies(0, [][]byte{{1, 2, 3}}); err == nil {
		t.Error("a damaged batch is read")
	}
}
