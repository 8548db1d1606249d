package transforms

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

// counting returns emit, with what goes through it counted as shuffled.
func counting(emit func(int, []byte)) func(int, []byte) {
	return func(key int, batch []byte) {
		progress.Shuffled.Add(int64(len(batch)))
		emit(key, batch)
	}
}

// inOrder returns the packed batches of a group, in the order of their bytes:
// runners hand them over in any order, and no result may depend on it.
func inOrder(group func(*[]byte) bool) [][]byte {
	var all [][]byte
	var data []byte
	for group(&data) {
		all = append(all, data)
	}
	slices.SortFunc(all, bytes.Compare)
	return all
}

// decoded returns the batches of a group, unpacked, in the order of their bytes.
func decoded[T any](group func(*[]byte) bool, decode func([]byte) (*T, error)) ([]*T, error) {
	var all []*T
	for _, data := range inOrder(group) {
		b, err := decode(data)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// emitAll packs batches and hands them over, in the order of their keys, counted as
// shuffled.
func emitAll[B interface{ Encode() []byte }](emit func(int, []byte), batches map[int]B) {
	for _, key := range sortedKeys(batches) {
		counting(emit)(key, batches[key].Encode())
	}
}

// ofBucket unpacks what is known of a bucket's patients: what was found in their notes,
// and their known identifiers by person. Of whom there is no note and whom nobody
// remembers, nothing is kept: a table of known identifiers may hold a hospital's
// patients of all years.
func ofBucket(spans, identifiers func(*[]byte) bool, remembered func(person string) bool) (
	[]*schemas.SpanBatch, map[string][]lexicon.Identifiers, error) {
	batches, err := decoded(spans, schemas.DecodeSpanBatch)
	if err != nil {
		return nil, nil, err
	}
	here := map[string]bool{}
	for _, b := range batches {
		for i := range b.Notes {
			here[b.Notes[i].Patient] = true
		}
	}
	known := map[string][]lexicon.Identifiers{}
	for _, data := range inOrder(identifiers) {
		b, err := schemas.DecodeIdentifierBatch(data)
		if err != nil {
			return nil, nil, err
		}
		for _, id := range b.Patients {
			if person := cmp.Or(id.Group, id.PatientID); here[person] || remembered != nil && remembered(person) {
				known[person] = append(known[person], id)
			}
		}
	}
	return batches, known, nil
}
