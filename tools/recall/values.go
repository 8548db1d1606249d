package main

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// measured matches blood pressures, visual acuities, doses and laboratory values
// with units: what nobody may change.
var measured = regexp.MustCompile(`(?i)\bBP:? ?\d{2,3}/\d{2,3}\b|\b20/\d{2,3}\b|\b\d+(?:\.\d+)? ?(?:mg|mcg|ml|mmhg|mmol|mmol/l|g/dl|` +
	`mg/dl|units|kg|cm|mm|bpm)\b|\b\d+(?:\.\d+)? ?%`)

// replacedValues counts the measured values of all notes of a job that a finding
// with a letter or digit of theirs replaced.
func replacedValues(ctx context.Context, notes string, cfg transforms.Config) (int, error) {
	texts := map[string]string{}
	err := table.WithFile(ctx, notes, func(f *table.File) error {
		columns, err := f.Texts(table.TextColumn{Name: cfg.Columns.DocumentID, Required: true},
			table.TextColumn{Name: cfg.Columns.Text[0], Required: true})
		if err != nil {
			return err
		}
		return columns.Each(ctx, func(r *table.TextRow) error {
			if len(r.Values[0]) > 0 && len(r.Values[1]) > 0 {
				texts[r.Values[0][0]] = r.Values[1][0]
			}
			return nil
		})
	})
	if err != nil {
		return 0, err
	}
	found := map[string][]table.Finding{}
	if _, err := table.ReadFindings(ctx, storage.Join(cfg.Private, transforms.FindingsFolder), func(x table.Finding) error {
		found[x.DocumentID] = append(found[x.DocumentID], x)
		return nil
	}); err != nil {
		return 0, err
	}
	n := 0
	for id, text := range texts {
		for _, m := range measured.FindAllStringIndex(text, -1) {
			if m[0] > 0 && strings.ContainsRune("/-.", rune(text[m[0]-1])) || m[1] < len(text) && strings.ContainsRune("/-", rune(text[m[1]])) {
				continue // part of a date or an id
			}
			start := int64(utf8.RuneCountInString(text[:m[0]]))
			end := start + int64(utf8.RuneCountInString(text[m[0]:m[1]]))
			for _, f := range found[id] {
				if f.Start < end && f.End > start {
					n++
					break
				}
			}
		}
	}
	return n, nil
}
