package main

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		before, after string
		all           bool
		want          string
	}{
		{"a\nMr Smith\nb\nc\nd", "a\nMr Rao\nb\nc\nd", false, "  ...\n- Mr Smith\n+ Mr Rao\n  ...\n"},
		{"a\nMr Smith", "a\nMr Rao", true, "  a\n- Mr Smith\n+ Mr Rao\n"},
		{"one\ntwo", "one two", false, "- one\ntwo\n+ one two\n"},
	} {
		var b strings.Builder
		diff(&b, c.before, c.after, c.all)
		if b.String() != c.want {
			t.Errorf("diff(%q, %q) = %q, want %q", c.before, c.after, b.String(), c.want)
		}
	}
}

func TestShowRefusesTablesThatDoNotMatch(t *testing.T) {
	const notes = "../../examples/notes.parquet"
	columns := table.Columns{DocumentID: "note_id", Text: []string{"text"}}
	var b strings.Builder
	if err := show(&b, notes, notes, columns, 2, false); err != nil || strings.Count(b.String(), "=== note") != 2 {
		t.Errorf("%v\n%s", err, b.String())
	}
	if err := show(&b, notes, "../../examples/none*.parquet", columns, 2, false); err == nil {
		t.Error("a missing output was shown")
	}
	if err := show(&b, notes, "../../examples/census.parquet", columns, 2, false); err == nil {
		t.Error("a table without notes was shown")
	}
}
