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
// --resume, and then be that of a run that was stopped: what a run writes anew it
// removes first, and nobody else's files may lie there.
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
	case len(entries) == 0 && o.resume:
		return nil, fmt.Errorf("--resume: there is no earlier run in %s", w.folder)
	case len(entries) > 0 && !w.resumable():
		return nil, fmt.Errorf("%s is not empty, and holds no run to go on from; name another folder with --work, or remove this one if you no "+
			"longer need it", w.folder)
	case len(entries) > 0 && !o.resume:
		return nil, fmt.Errorf("%s holds an earlier run; go on with --resume, or remove it to start anew", w.folder)
	}
	if err := storage.MakePrivate(w.folder); err != nil {
		return nil, err
	}
	return w, os.Chmod(w.folder, 0o700)
}

func (w *work) path(name string) string { return filepath.Join(w.folder, name) }

// resumable tells whether the folder is one of a run that got as far as a checkpoint.
func (w *work) resumable() bool {
	info, err := os.Lstat(w.path(recipeFile))
	return err == nil && info.Mode().IsRegular() && w.checkpoint()
}

// checkpoint tells whether training has left something to go on from.
func (w *work) checkpoint() bool {
	files, _ := filepath.Glob(w.path("training/seed-*.pt"))
	return len(files) > 0
}

// stopped is called where a run did not come to its end: what can be resumed
// stays.
func (w *work) stopped(stderr io.Writer) {
	if w.checkpoint() {
		fmt.Fprintf(stderr, "adapt: %s holds the notes and a checkpoint; go on with --resume, or remove it\n", w.folder)
		return
	}
	_ = w.done(stderr)
}

// done is called at the end. A folder that --work named is its owner's, whatever
// came of the run.
func (w *work) done(stderr io.Writer) error {
	if w.private == "" {
		fmt.Fprintf(stderr, "adapt: %s holds the notes: keep it as you keep them. Remove it, or name another, before you run this again\n",
			w.folder)
		return nil
	}
	return w.remove()
}

// remove removes what the run wrote, and the folders that it named itself.
func (w *work) remove() error {
	if err := os.RemoveAll(w.folder); err != nil {
		return err
	}
	_ = os.Remove(w.private) // stays where something else lies in it
	return nil
}
