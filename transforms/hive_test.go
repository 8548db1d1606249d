package transforms_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
)

// A column that is in the names of folders alone is not lost in silence: the job is
// refused, unless the column is dropped by name, the folder was, or the files hold it.
func TestHivePartitions(t *testing.T) {
	type withDay struct {
		datedRow
		Day string `parquet:"dt"`
	}
	for _, c := range []struct {
		name, input string
		inFiles     bool
		drop        []string
		refused     string
	}{
		{"a folder", "notes", false, nil, `the column "dt" is in the names of folders alone`},
		{"a folder with a slash", "notes/", false, []string{"site"}, `the column "dt"`},
		{"all below", "notes/**/*.parquet", false, []string{"dt"}, `the column "site"`},
		{"any folder", "notes/dt=*/site=a/*.parquet", false, nil, "--drop_columns=dt"},
		{"dropped", "notes/**/*.parquet", false, []string{"dt", "site"}, ""},
		{"named", "notes/dt=2024-01-31/site=a/*.parquet", false, nil, ""},
		{"a file", "notes/dt=2024-01-31/site=a/a.parquet", false, nil, ""},
		{"in the files, too", "notes/dt=*/*/*.parquet", true, []string{"site"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			folder := filepath.Join(dir, "notes", "dt=2024-01-31", "site=a")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if c.inFiles {
				write(t, folder, "a.parquet", []withDay{{noteA, "2024-01-31"}})
			} else {
				write(t, folder, "a.parquet", []datedRow{noteA})
			}
			o := options(t, dir, dir+"/"+c.input)
			o.Model, o.DateColumns, o.DropColumns = "../onnx/models/en-clinical-fast", []string{"note_date"}, c.drop
			if c.inFiles {
				o.KeepColumns = []string{"dt"}
			}
			cfg, err := prepare(o)
			if c.refused == "" {
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(cfg.Columns.Drop, c.drop) {
					t.Errorf("dropped: %v", cfg.Columns.Drop)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.refused) || fault.Of(err) != fault.Refused {
				t.Errorf("it is not refused: %v", err)
			}
		})
	}
}
