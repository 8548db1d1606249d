package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSurrogateLists: a site's lists are what names are drawn from, the manifest
// has their digest, and a mistake in one stops the job before any work, telling
// file and line.
func TestSurrogateLists(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "lists")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for a := 'a'; a <= 'z'; a++ {
		names = append(names, "Qw"+string(a)+"lune")
	}
	write("names.txt", "mode: replace\nfamily: "+strings.Join(names, ", ")+"\neither: "+strings.Join(names, ", "))
	write("towns.txt", "towns MA: Xanburg")
	type note struct {
		ID   string `parquet:"note_id"`
		Text string `parquet:"text"`
	}
	o := testOptions(dir, writeParquet(t, dir, "notes.parquet", []note{{"n1", "Seen by Dr. Tolliver today.\n"}}))
	o.PatientIDColumn, o.SurrogateLists = "", folder
	cfg, _, _ := run(t, o, nil)
	if cfg.ListsDigest == "" {
		t.Error("the configuration has no digest of the lists")
	}
	manifest, err := os.ReadFile(filepath.Join(cfg.Output, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(manifest), `"surrogate_lists_sha256": "`+cfg.ListsDigest) || strings.Contains(string(manifest), folder) {
		t.Errorf("the manifest has not the lists' digest, or has their place")
	}
	for _, n := range readParquet[note](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		if !strings.Contains(n.Text, "Qw") {
			t.Errorf("the name is from another list: %q", n.Text)
		}
	}
	write("towns.txt", "towns MA: Xanburg\ntowns: Foo\n")
	o.Output, o.Private = filepath.Join(dir, "again"), filepath.Join(dir, "again-private")
	c, err := NewConfig(o)
	if err == nil {
		_, _, err = Prepare(context.Background(), c)
	}
	if err == nil || !strings.Contains(err.Error(), "towns.txt:2: ") {
		t.Errorf("a mistake in a list: %v", err)
	}
}
