package gate

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/estimate"
)

// CanariesFile is what palimpsest canaries writes: how many planted made-up
// identifiers the job found. It holds no text.
type CanariesFile struct {
	FormatVersion int              `json:"format_version"`
	Configuration string           `json:"configuration_digest"` // of the releases that it holds for
	Settings      string           `json:"settings_digest"`
	Seed          uint64           `json:"seed"`
	Notes         int              `json:"notes"`               // copies with planted identifiers
	Failed        int              `json:"failed"`              // copies that the job would hold back; they are counted nowhere else
	NotPlain      int              `json:"not_plain,omitempty"` // notes in HTML, RTF and so on that nothing was planted in
	All           CanariesByType   `json:"all"`
	ByType        []CanariesByType `json:"by_type"` // in order of type
	Missed        []MissedCanary   `json:"missed"`
}

// CanariesByType says how many planted identifiers of a type were found.
type CanariesByType struct {
	Type    string            `json:"type,omitempty"`
	Planted int               `json:"planted"`
	Found   int               `json:"found"` // no letter or digit of them is left
	Partly  int               `json:"partly"`
	Share   estimate.Interval `json:"share"` // Clopper and Pearson, 95 %
}

// MissedCanary says where one was planted that was left, or a part of it.
type MissedCanary struct {
	Document string `json:"document_id"`
	Type     string `json:"type"`
	Carrier  string `json:"carrier"` // the form that it stood in, without it
	Partly   bool   `json:"partly"`
}

// ReadCanaries reads what palimpsest canaries has written, and refuses what is of another job.
func ReadCanaries(raw []byte, of Settings) (*CanariesFile, error) {
	c := &CanariesFile{}
	if err := json.Unmarshal(raw, c); err != nil || c.FormatVersion != 1 || c.All.Planted == 0 {
		return nil, errors.New("it is nothing that palimpsest canaries has written")
	}
	if !of.same(c.Configuration, c.Settings) {
		return nil, fmt.Errorf("%w; run palimpsest canaries again", errOther)
	}
	return c, nil
}

// Judge returns the check of canaries.
func (t *Canaries) Judge(c *CanariesFile) Check {
	low := 100 * c.All.Share.Low
	return Check{KindCanaries, "canaries found, by the lower end of the interval", "%", low, *t.Found, low >= *t.Found}
}
