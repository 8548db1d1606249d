package transforms

import (
	"fmt"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

// Of a large table of known identifiers only some thousand rows are held at a time,
// each row reaches its bucket once, and a bucket keeps those of whom it has a note or
// remembers one.
func TestKnownIdentifiersAreHandedOverInParcels(t *testing.T) {
	const rows, buckets = 3*mostInAll/2 + 17, 40
	sent := map[int][][]byte{}
	largest := 0
	p := parcels{emit: func(bucket int, data []byte) { sent[bucket] = append(sent[bucket], data) }}
	for i := range rows {
		bucket := 0
		if i%3 == 0 {
			bucket = 1 + i%(buckets-1)
		}
		if err := p.add(bucket, lexicon.Identifiers{PatientID: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
		largest = max(largest, p.held)
	}
	if err := p.flush(); err != nil {
		t.Fatal(err)
	}
	if largest > mostInAll {
		t.Errorf("%d rows were held", largest)
	}
	seen := map[string]bool{}
	for _, batches := range sent {
		for _, data := range batches {
			b, err := schemas.DecodeIdentifierBatch(data)
			if err != nil || len(b.Patients) > mostOfBucket {
				t.Fatalf("%v, %d rows", err, len(b.Patients))
			}
			for _, id := range b.Patients {
				if seen[id.PatientID] {
					t.Errorf("row %s was handed over twice", id.PatientID)
				}
				seen[id.PatientID] = true
			}
		}
	}
	if len(seen) != rows {
		t.Errorf("%d of %d rows were handed over", len(seen), rows)
	}

	spans := schemas.SpanBatch{}
	spans.Notes = append(spans.Notes, deid.Note{Patient: "1"}, deid.Note{Patient: "100000"})
	_, known, err := ofBucket(group(spans.Encode()), group(sent[0]...), func(person string) bool { return person == "4" })
	if err != nil || len(known) != 3 || len(known["1"]) != 1 || len(known["4"]) != 1 || len(known["100000"]) != 1 {
		t.Errorf("%v, %v", known, err)
	}
}

// group returns the elements of one key as a runner hands them over.
func group(data ...[]byte) func(*[]byte) bool {
	return func(to *[]byte) bool {
		if len(data) == 0 {
			return false
		}
		*to, data = data[0], data[1:]
		return true
	}
}
