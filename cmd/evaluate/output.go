package evaluate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/cmd/evaluate/report"
)

// output is a file that the user asked for.
type output struct {
	path   string
	remark string
	print  func(w io.Writer, r *report.Result, e *report.Errors) error
}

// outputs returns the files to write, or the first that must not be written.
func (o *options) outputs() ([]output, error) {
	var out []output
	seen := map[string]bool{}
	for _, f := range []struct {
		flag string
		output
	}{
		{"--json", output{path: o.json, print: func(w io.Writer, r *report.Result, _ *report.Errors) error { return report.WriteJSON(w, r) }}},
		{"--csv", output{path: o.csv, print: func(w io.Writer, r *report.Result, _ *report.Errors) error { return report.WriteCSV(w, r) }}},
		{"--html", output{path: o.html, remark: " (it quotes the notes: keep it as you keep them)", print: report.WritePage}},
	} {
		if f.path == "" {
			continue
		}
		if strings.Contains(f.path, "://") {
			return nil, fmt.Errorf("%s %s: only local files can be written", f.flag, f.path)
		}
		path, err := filepath.Abs(f.path)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", f.flag, f.path, err)
		}
		if seen[path] {
			return nil, fmt.Errorf("%s %s: another output has this name", f.flag, f.path)
		}
		seen[path] = true
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s %s: it is there and no file", f.flag, f.path)
		}
		if f.flag == "--html" {
			if dir, err := releasable(path); err != nil {
				return nil, fmt.Errorf("%s %s: %w", f.flag, f.path, err)
			} else if dir != "" {
				return nil, fmt.Errorf("%s %s: %s holds a job's manifest.json, so what lies there may be released; this page quotes the notes and "+
					"never may: write it elsewhere", f.flag, f.path, dir)
			}
		}
		out = append(out, f.output)
	}
	return out, nil
}

// releasable returns the folder at or above path that is a job's output, ""
// if there is none. Symbolic links are followed.
func releasable(path string) (string, error) {
	dir := filepath.Dir(path)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		dir = filepath.Dir(target) // the page would be written through the link
	} else if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", fmt.Errorf("the folder must exist: %w", err)
	}
	for {
		switch _, err := os.Lstat(filepath.Join(dir, "manifest.json")); {
		case err == nil:
			return dir, nil
		case !errors.Is(err, os.ErrNotExist):
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

// write writes the file for its owner's eyes alone. It is complete or not
// there: a file of that name is replaced at the end.
func (f *output) write(r *report.Result, e *report.Errors) (err error) {
	w, err := os.CreateTemp(filepath.Dir(f.path), ".evaluate-*") // of mode 0600
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	defer func() {
		if err != nil {
			_ = w.Close()
			_ = os.Remove(w.Name())
			err = fmt.Errorf("writing %s: %w", f.path, err)
		}
	}()
	if err := f.print(w, r, e); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.Rename(w.Name(), f.path)
}
