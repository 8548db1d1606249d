package schemas

import (
	"encoding/json"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

// IdentifierBatch holds the known identifiers of one bucket of patients.
type IdentifierBatch struct {
	Patients []lexicon.Identifiers
}

// Encode packs the batch. Known identifiers are few beside spans, so they are JSON.
func (b *IdentifierBatch) Encode() ([]byte, error) {
	raw, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("identifier batch: %w", err)
	}
	return packer.EncodeAll(raw, nil), nil
}

// DecodeIdentifierBatch unpacks what Encode packed.
func DecodeIdentifierBatch(data []byte) (*IdentifierBatch, error) {
	raw, err := unpack(data)
	if err != nil {
		return nil, fmt.Errorf("identifier batch: %w", err)
	}
	b := &IdentifierBatch{}
	if err := json.Unmarshal(raw, b); err != nil {
		return nil, errDamaged // the JSON error could quote a name
	}
	return b, nil
}
