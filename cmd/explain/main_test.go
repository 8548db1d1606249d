package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/pipeline"
)

// The whole way, with the shipped model: a note of the examples and a text.
func TestExplain(t *testing.T) {
	t.Chdir("../..")
	o := pipeline.DefaultOptions()
	o.Config, o.ExecutionProvider = "examples/config.yaml", "cpu"
	ctx := context.Background()
	cfg, err := prepare(ctx, &o, flag.NewFlagSet("explain", flag.ContinueOnError))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "note.txt")
	text := "Seen by Dr. Ambrose Hale.\nFax: (505) 555-0143\nHale agreed, Dr. Hale too.\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, warn bytes.Buffer
	if err := explain(ctx, &out, &warn, cfg, "", file, true); err != nil {
		t.Fatal(err)
	}
	var stories []story
	if err := json.Unmarshal(out.Bytes(), &stories); err != nil {
		t.Fatal(err)
	}
	fax := false
	for _, s := range stories {
		for _, l := range s.Steps {
			fax = fax || s.Type == "FAX" && l.Step == "rules" && strings.HasPrefix(l.Why, "rule fax")
		}
	}
	if !fax || !strings.Contains(warn.String(), "original text") {
		t.Errorf("no rule is named, or no warning given: %s%s", out.String(), warn.String())
	}

	out.Reset()
	if err := explain(ctx, &out, &warn, cfg, "1000101", "", false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "census") || !strings.Contains(out.String(), "found by") {
		t.Errorf("a note of the examples: %s", out.String())
	}
	for _, bad := range [][2]string{{"", ""}, {"no such note", ""}, {"x", "y"}} {
		if err := explain(ctx, &out, &warn, cfg, bad[0], bad[1], false); err == nil {
			t.Errorf("document %q and file %q were accepted", bad[0], bad[1])
		}
	}
}
