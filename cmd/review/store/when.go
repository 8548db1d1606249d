package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// LastDecision returns the day (UTC, YYYY-MM-DD) on which somebody last said
// something of the sample; "" if nobody has. It stands in the decisions: no clock is
// asked.
func (r *Review) LastDecision() (string, error) {
	var last time.Time
	for _, kind := range []string{reviewer, adjudicator} {
		names, err := r.who(kind)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			raw, err := os.ReadFile(filepath.Join(r.Folder, kind+name+logs))
			if err != nil {
				return "", err
			}
			d := json.NewDecoder(bytes.NewReader(raw[:bytes.LastIndexByte(raw, '\n')+1]))
			for {
				var l line
				if err := d.Decode(&l); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					return "", err
				}
				if l.At.After(last) {
					last = l.At
				}
			}
		}
	}
	if last.IsZero() {
		return "", nil
	}
	return last.UTC().Format(time.DateOnly), nil
}
