package storage

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"slices"
	"strings"
	"testing"
)

// All systems must give the same answers about the same files.
func TestGlobAndList(t *testing.T) {
	stores, put := systems(t)
	for _, name := range []string{
		"in/a.parquet", "in/b.parquet", "in/c.txt", "in/.hidden.parquet", "in/d[1].parquet", "in/d1.parquet",
		"in/2024/01/a.parquet", "in/2024/02/a.parquet", "in/2025/01/a.parquet", "in/2025/b.parquet",
		"in/2025/_temporary/0/gone.parquet", "in/.staging/gone.parquet",
		"in.parquet/part-0.parquet", "in.parquet/_SUCCESS", "inner/x.parquet",
	} {
		put(name)
	}
	stores["gs://notes"].(*emulator).put("in/", nil) // as consoles make
	top := []string{"in/.hidden.parquet", "in/a.parquet", "in/b.parquet", "in/d1.parquet", "in/d[1].parquet"}
	sub := []string{"in/2024/01/a.parquet", "in/2024/02/a.parquet", "in/2025/01/a.parquet", "in/2025/b.parquet"}
	table := append(slices.Clone(sub), top...)
	slices.Sort(table)
	rest := []string{"in/.staging/gone.parquet", "in/2025/_temporary/0/gone.parquet", "in/c.txt"}
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{"in/a.parquet", []string{"in/a.parquet"}},
		{"in", table},
		{"in/", table},
		{"in/*.parquet", top},
		{"in/[ab].parquet", []string{"in/a.parquet", "in/b.parquet"}},
		{"in/?.*", []string{"in/a.parquet", "in/b.parquet", "in/c.txt"}},
		{"in/d[1].parquet", []string{"in/d[1].parquet"}}, // the exact name wins
		{`in/d\[1].parquet`, []string{"in/d[1].parquet"}},
		{"in/*/*/a.parquet", []string{"in/2024/01/a.parquet", "in/2024/02/a.parquet", "in/2025/01/a.parquet"}},
		{"in/**/a.parquet", []string{"in/2024/01/a.parquet", "in/2024/02/a.parquet", "in/2025/01/a.parquet", "in/a.parquet"}},
		{"in/**/**/0*/**/a.parquet", []string{"in/2024/01/a.parquet", "in/2024/02/a.parquet", "in/2025/01/a.parquet"}},
		{"in/2024", sub[:2]},
		{"in/20*/**", append([]string{rest[1]}, sub...)},
		{"in/**", append(slices.Clone(rest), table...)},
		{"**/x.parquet", []string{"inner/x.parquet"}},
		{"in.parquet", []string{"in.parquet/part-0.parquet"}},
		{"*.parquet", nil}, // a directory, and wildcards match files
		{"i*", nil},
		{"none/*.parquet", nil},
		{"none", nil},
		{"in/a.parquet/*", nil},
	} {
		for name, s := range stores {
			infos, err := s.Glob(context.Background(), name+"/"+c.pattern)
			if err != nil {
				t.Errorf("Glob(%s): %v", c.pattern, err)
				continue
			}
			slices.Sort(c.want)
			if got := names(t, s, name, infos); !slices.Equal(got, c.want) {
				t.Errorf("Glob(%s) in %s = %q, want %q", c.pattern, name, got, c.want)
			}
		}
	}
	for _, c := range []struct {
		dir  string
		want []string
	}{
		{"in/2024", sub[:2]},
		{"in/2024/", sub[:2]},
		{"in.parquet", []string{"in.parquet/_SUCCESS", "in.parquet/part-0.parquet"}},
		{"none", nil},
		{"in/202", nil},
	} {
		for name, s := range stores {
			infos, err := s.List(context.Background(), name+"/"+c.dir)
			if err != nil {
				t.Errorf("List(%s): %v", c.dir, err)
				continue
			}
			if got := names(t, s, name, infos); !slices.Equal(got, c.want) {
				t.Errorf("List(%s) in %s = %q, want %q", c.dir, name, got, c.want)
			}
		}
	}
}

// A lakehouse's table holds files that are no longer part of it. It is refused by
// its folder, by a pattern and by a file in it, with the line that exports it; what
// lies beside it is not.
func TestGlobTableRefusesLakehouses(t *testing.T) {
	stores, put := systems(t)
	for _, name := range []string{
		"delta/dt=1/a.parquet", "delta/_delta_log/00000000000000000000.json",
		"iceberg/data/dt=1/a.parquet", "iceberg/metadata/v1.metadata.json",
		"hudi/dt=1/a.parquet", "hudi/.hoodie/hoodie.properties",
		"plain/dt=1/a.parquet", "plain/metadata/readme.json",
	} {
		put(name)
	}
	ctx := context.Background()
	for root, s := range stores {
		for _, c := range []struct{ table, folder, is, export string }{
			{"delta", "/dt=1/", "Delta Lake", `delta_scan('` + root + `/delta')`},
			{"iceberg", "/data/dt=1/", "Apache Iceberg", `iceberg_scan('` + root + `/iceberg')`},
			{"hudi", "/dt=1/", "Apache Hudi", `load("` + root + `/hudi")`},
		} {
			for _, named := range []string{"", "/**", "/**/*.parquet", c.folder + "?.parquet", c.folder + "a.parquet"} {
				_, err := globTable(ctx, s, root+"/"+c.table+named)
				if err == nil || !strings.Contains(err.Error(), c.is) || !strings.Contains(err.Error(), c.export) || !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("%s/%s%s: %v, want %s and %s", root, c.table, named, err, c.is, c.export)
				}
			}
		}
		if infos, err := globTable(ctx, s, root+"/plain"); err != nil || len(infos) != 1 {
			t.Errorf("%s/plain: %v, %v", root, infos, err)
		}
	}
}

// Files of several patterns are listed once each, in order of name; a pattern that
// means none is a slip.
func TestTableFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.parquet", "a.parquet", "c/d.parquet"} {
		if err := WriteFile(t.Context(), Join(dir, name), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	infos, err := TableFiles(t.Context(), dir+"/c", dir+"/b.parquet", dir)
	var names []string
	for _, i := range infos {
		names = append(names, strings.TrimPrefix(i.Name, dir))
	}
	if err != nil || !slices.Equal(names, []string{"/a.parquet", "/b.parquet", "/c/d.parquet"}) {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := TableFiles(t.Context(), dir, dir+"/none*"); err == nil || !strings.Contains(err.Error(), "no file matches "+dir+"/none*") {
		t.Errorf("a pattern without files: %v", err)
	}
}

// systems returns a local folder, a store of each kind that can be had here, and
// how to put the same file into all of them.
func systems(t *testing.T) (stores map[string]System, put func(name string)) {
	t.Helper()
	dir, e, s := t.TempDir(), newEmulator(t), startS3(t)
	stores = map[string]System{dir: local{}, "gs://notes": e}
	if s != nil {
		stores["s3://notes"] = s
	}
	return stores, func(name string) {
		for at, s := range stores {
			write(t, s, at+"/"+name, []byte(name))
		}
	}
}

// names checks infos against the opened files, and returns the names relative
// to dir.
func names(t *testing.T, s System, dir string, infos []Info) []string {
	t.Helper()
	var names []string
	for _, i := range infos {
		o := mustOpen(t, s, i.Name)
		rel := strings.TrimPrefix(i.Name, dir+"/")
		if o.Size() != i.Size || o.Fingerprint() != i.Fingerprint || string(readAll(t, o)) != rel {
			t.Errorf("%+v does not describe the file, of %d bytes and %s", i, o.Size(), o.Fingerprint())
		}
		names = append(names, rel)
	}
	return names
}

func TestGlobRelative(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "d/a.parquet", "x")
	put(t, "b.parquet", "x")
	if err := os.Symlink("d", "link"); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][]string{
		"*.parquet":      {"b.parquet"},
		"./*.parquet":    {"b.parquet"},
		".":              {"b.parquet", "d/a.parquet"},
		"**/*.parquet":   {"b.parquet", "d/a.parquet"}, // ** does not follow links
		"*/a.parquet":    {"d/a.parquet", "link/a.parquet"},
		"link":           {"link/a.parquet"},
		"./d//a.parquet": {"d/a.parquet"},
	} {
		infos, err := Glob(context.Background(), pattern)
		var got []string
		for _, i := range infos {
			got = append(got, i.Name)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Glob(%s) = %q, %v, want %q", pattern, got, err, want)
		}
	}
	// Nor does a folder elsewhere, or a disk that is not there, go missing in silence.
	other := filepath.Join(t.TempDir(), "2014")
	put(t, other+"/c.parquet", "x")
	put(t, "e/2015/d.parquet", "x")
	put(t, "f/g.parquet", "x")
	for link, target := range map[string]string{"e/2014": other, "f/2014": "nowhere", "f/.lock": "nowhere"} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{"e": "name its target", "e/**/*.parquet": "name its target", "f": "leads nowhere"} {
		if infos, err := Glob(context.Background(), pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Glob(%s) = %v, %v, want %q", pattern, infos, err, want)
		}
	}
	for _, pattern := range []string{"e/*/*.parquet", "e/2014"} {
		if infos, err := Glob(context.Background(), pattern); err != nil || len(infos) == 0 {
			t.Errorf("Glob(%s) = %v, %v", pattern, infos, err)
		}
	}
	if infos, err := List(context.Background(), "link"); err != nil || len(infos) != 1 || infos[0].Name != "link/a.parquet" {
		t.Errorf("List of a link = %v, %v", infos, err)
	}
}

// The package's functions reach Cloud Storage through one client, made when
// the first gs:// name turns up.
func TestDispatch(t *testing.T) {
	newEmulator(t)
	forget := func() {
		shared.Lock()
		defer shared.Unlock()
		shared.client = nil
	}
	forget()
	t.Cleanup(forget)
	connecting, cancel := context.WithCancel(context.Background())
	a, err := For(connecting, "gs://notes/a")
	if err != nil {
		t.Fatal(err)
	}
	cancel() // must not end the client
	ctx := context.Background()
	if b, err := For(ctx, "gs://other/b"); err != nil || a != b {
		t.Errorf("a second client: %v, %v", b, err)
	}
	for _, dir := range []string{"gs://notes/job", t.TempDir()} {
		name, moved := Join(dir, "a.parquet"), Join(dir, "out", "b.parquet")
		if err := WriteFile(ctx, name, []byte("content")); err != nil {
			t.Fatal(err)
		}
		if err := Rename(ctx, name, moved); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFile(ctx, moved, 7); err != nil || string(got) != "content" {
			t.Errorf("read %q, %v", got, err)
		}
		if infos, err := Glob(ctx, Join(dir, "**", "*.parquet")); err != nil || len(infos) != 1 || infos[0].Name != moved {
			t.Errorf("Glob: %v, %v", infos, err)
		}
		if infos, err := List(ctx, dir); err != nil || len(infos) != 1 || !Inside(infos[0].Name, dir) {
			t.Errorf("List: %v, %v", infos, err)
		}
		if err := Remove(ctx, moved); err != nil {
			t.Error(err)
		}
		if err := RemoveAll(ctx, dir); err != nil {
			t.Error(err)
		}
		if infos, err := List(ctx, dir); err != nil || len(infos) != 0 {
			t.Errorf("after RemoveAll: %v, %v", infos, err)
		}
	}
}

func TestNoCredentials(t *testing.T) {
	t.Setenv("STORAGE_EMULATOR_HOST", "")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "none.json"))
	shared.Lock()
	shared.client = nil
	shared.Unlock()
	_, err := Open(context.Background(), "gs://notes/x")
	if err == nil || !strings.Contains(err.Error(), "gcloud auth application-default login") {
		t.Errorf("without credentials: %v", err)
	}
}
