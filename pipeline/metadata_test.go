package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// What is attached to an input (DataFrame.attrs, comments, keys of people's own)
// is released by name only, and the private part says what was left out.
func TestAttachedMetadataIsReleasedByNameOnly(t *testing.T) {
	o := testOptions(t.TempDir(), "../schemas/table/testdata/metadata/attached.parquet")
	o.KeepMetadata, o.DateColumns, o.AcceptColumns = []string{"site"}, []string{"seen"}, []string{"code"}
	cfg, report, log := run(t, o, nil)
	if report.MetadataKept["site"] != 1 || report.MetadataKept["pandas"] != 1 || report.MetadataDropped != 4 {
		t.Errorf("kept %v, dropped %d", report.MetadataKept, report.MetadataDropped)
	}
	if !strings.Contains(log, "4 keys, named in "+cfg.Private+"/inputs.json") {
		t.Errorf("the summary does not say so:\n%s", log)
	}
	inputs, err := os.ReadFile(filepath.Join(cfg.Private, transforms.InputsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"author", "comment", "pandas.attributes.source"} {
		if !strings.Contains(string(inputs), `"`+key+`"`) {
			t.Errorf("%s is not named in %s", key, inputs)
		}
	}
	err = filepath.WalkDir(cfg.Output, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), "Quackenbush") || strings.Contains(string(raw), `"author"`) {
			t.Errorf("%s has what was attached", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
