package adapt

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// work is the folder in which notes and checkpoints lie meanwhile. It is as
// sensitive as the notes.
type work struct {
	folder  string
	private string // the folder above it that goes with it; empty if --work named it
}

// openWork makes the folder, for its owner's eyes alone. It must be empty but for
// --resume.
func openWork(o *options) (*work, error) {
	w := &work{folder: o.work}
	if w.folder == "" {
		w.private = o.output + "-private"
		w.folder = filepath.Join(w.private, "adapt")
	}
	var err error
	if w.folder, err = filepath.Abs(w.folder); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(w.folder)
	switch {
	case err != nil && !os.IsNotExist(err):
		return nil, fmt.Errorf("--work: %w", err)
	case len(entries) > 0 && !o.resume:
		return nil, fmt.Errorf("%s holds an earlier run; go on with --resume, or remove it to start anew", w.folder)
	case len(entries) == 0 && o.resume:
		return nil, fmt.Errorf("--resume: there is no earlier run in %s", w.folder)
	}
	if err := storage.MakePrivate(w.folder); err != nil {
		return nil, err
	}
	return w, os.Chmod(w.folder, 0o700)
}

func (w *work) path(name string) string { return filepath.Join(w.folder, name) }

// stopped is called where a run did not come to its end: what can be resumed
// stays.
func (w *work) stopped(stderr io.Writer) {
	if files, _ := filepath.Glob(w.path("training/seed-*.pt")); len(files) > 0 {
		fmt.Fprintf(stderr, "adapt: %s holds the notes and a checkpoint; go on with --resume, or remove it\n", w.folder)
		return
	}
	_ = w.remove()
}

// done is called at the end.
func (w *work) done(stderr io.Writer) error {
	if w.private == "" {
		fmt.Fprintf(stderr, "adapt: %s holds the notes: keep it as you keep them\n", w.folder)
		return nil
	}
	return w.remove()
}

// remove removes what the run wrote, and the folders that it made.
func (w *work) remove() error {
	if err := os.RemoveAll(w.folder); err != nil {
		return err
	}
	if w.private != "" {
		_ = os.Remove(w.private) // stays where something else lies in it
	}
	return nil
}
