package adapt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

const (
	pythonEnv  = "PALIMPSEST_TRAINING_PYTHON"
	programEnv = "PALIMPSEST_PROGRAM" // tells the trainer the program that reads, cuts and scores for it
)

// trainer is the Python that trains.
type trainer struct {
	folder string // training/ of the sources
	python string
}

// findTrainer finds the trainer and a Python that can run it, or says what to
// install.
func findTrainer(ctx context.Context, o *options, m method) (*trainer, error) {
	t := &trainer{folder: o.trainer, python: o.python}
	if t.folder == "" {
		t.folder = lyingNear()
	}
	if _, err := os.Stat(filepath.Join(t.folder, "__main__.py")); t.folder == "" || err != nil {
		return nil, errors.New("the trainer is not there: it is the folder model/training of Palimpsest's sources, of this program's version; " +
			"name it with --trainer")
	}
	var err error
	if t.folder, err = filepath.Abs(t.folder); err != nil {
		return nil, err
	}
	if filepath.Base(t.folder) != "training" {
		return nil, fmt.Errorf("--trainer=%s: the folder must be called training, as in Palimpsest's sources", o.trainer)
	}
	if t.python == "" {
		t.python = os.Getenv(pythonEnv)
	}
	if made := filepath.Join(t.folder, "../../.cache/training/bin/python"); t.python == "" {
		t.python = "python3"
		if _, err := os.Stat(made); err == nil {
			t.python = made
		}
	}
	var said bytes.Buffer
	const recent = "import sys; assert sys.version_info >= (3, 11), 'Python 3.11 or later'; "
	check := exec.CommandContext(ctx, t.python, "-c", recent+"import "+m.modules)
	check.Stderr = &said
	if err := check.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		why := lines[len(lines)-1]
		if why == "" {
			why = err.Error()
		}
		return nil, fmt.Errorf("%s cannot train (%s). Training a %s needs Python 3.11 with %s:\n  python3 -m venv venv\n%s  venv/bin/pip "+
			"install -r %s\nand then --python venv/bin/python; make training-venv does the same", t.python, why, m.what, m.modules, m.before,
			filepath.Join(t.folder, m.requirements))
	}
	return t, nil
}

// lyingNear returns the trainer's folder beside the program, or in the repository
// that the program lies in or is run in; empty if there is none.
func lyingNear() string {
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	if wd, err := os.Getwd(); err == nil {
		dirs = append(dirs, wd)
	}
	for _, dir := range dirs {
		for ; ; dir = filepath.Dir(dir) {
			for _, name := range []string{"training", "model/training"} {
				if _, err := os.Stat(filepath.Join(dir, name, "__main__.py")); err == nil {
					return filepath.Join(dir, name)
				}
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return ""
}

// network continues training the network and returns the folder of what came of it, in
// the work folder.
func (t *trainer) network(ctx context.Context, o *options, w *work, j *judge, n *notes, stderr io.Writer) (string, error) {
	train := n.of(adapt.Train)
	parts := map[string][]corpus.Document{"train": train, "stop": n.of(adapt.Stop)}
	if err := t.write(ctx, w, parts, t.recipe(o, w, j, len(train))); err != nil {
		return "", err
	}
	args := []string{"-m", "training", "all", w.path(recipeFile), "--work", w.path("training")}
	if w.checkpoint() {
		args = append(args, "--resume")
	} else if err := os.RemoveAll(w.path("training")); err != nil {
		return "", err
	}
	return w.path("candidate"), t.run(ctx, args, stderr)
}

// write puts what the trainer reads into the work folder.
func (t *trainer) write(ctx context.Context, w *work, parts map[string][]corpus.Document, recipe string) error {
	for part, documents := range parts {
		if err := os.RemoveAll(w.path(part)); err != nil {
			return err
		}
		if err := writeNotes(ctx, w.path(part), documents); err != nil {
			return err
		}
	}
	if err := t.leaveOut(w); err != nil {
		return err
	}
	return os.WriteFile(w.path(recipeFile), []byte(recipe), 0o600)
}

// run runs the trainer and passes on how far it is.
func (t *trainer) run(ctx context.Context, args []string, stderr io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, t.python, args...)
	cmd.Dir = filepath.Dir(t.folder)
	cmd.Env = append(os.Environ(), programEnv+"="+program, "PYTHONDONTWRITEBYTECODE=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	lines, told := io.Pipe()
	cmd.Stderr = told
	done := make(chan string)
	go func() { done <- tell(lines, stderr) }()
	err = cmd.Run()
	told.Close()
	last := <-done
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() == int(fault.Settings):
		return fault.Mark(fault.Refused, errors.New(last))
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled():
		return fmt.Errorf("training was killed (%v): most often memory ran out", exit)
	}
	return fmt.Errorf("training failed: %s", last)
}

// shippedLanguage is that of the shipped notes, which have the types of its models.
const shippedLanguage = "en"

// shippedSplit says which patients of the shipped notes are not trained on.
const shippedSplit = "shipped.json"

// leaveOut keeps those shipped notes out of training that the shipped models were
// not trained on, either: they are for choosing. Of the part text, a model that
// is there already reads nothing.
func (t *trainer) leaveOut(w *work) error {
	data, err := os.ReadFile(filepath.Join(t.folder, "notes", "split.json"))
	if err != nil {
		return err
	}
	var split struct {
		Dev []string `json:"dev"`
	}
	if err := json.Unmarshal(data, &split); err != nil {
		return fmt.Errorf("the trainer's notes: %w", err)
	}
	if data, err = json.Marshal(map[string][]string{"text": split.Dev}); err != nil {
		return err
	}
	return os.WriteFile(w.path(shippedSplit), data, 0o600)
}

// recipeFile holds what the trainer is told, in the work folder.
const recipeFile = "recipe.toml"

// recipe is what the trainer is told. What it leaves out are the trainer's own
// defaults.
func (t *trainer) recipe(o *options, w *work, j *judge, train int) string {
	q := strconv.Quote // of paths and names: TOML's basic strings are written alike
	var b strings.Builder
	fmt.Fprintf(&b, "name = %s\noutput = %s\nstart = %s\nwithout = [\"world\"]\n", q(filepath.Base(o.output)), q(w.path("candidate")),
		q(j.baseDir))
	fmt.Fprintf(&b, "[notes.reviewed]\npath = %s\nformat = \"jsonl\"\n", q(w.path("train")))
	fmt.Fprintf(&b, "[notes.stop]\npath = %s\nformat = \"jsonl\"\npart = \"dev\"\n", q(w.path("stop")))
	if k := int(math.Round(o.mix * float64(train))); k > 0 && j.base.Language == shippedLanguage {
		fmt.Fprintf(&b, "[notes.shipped]\npath = %s\nformat = \"marked\"\nsplit = %s\nper_epoch = %d\n", q(filepath.Join(t.folder, "notes")),
			q(w.path(shippedSplit)), k)
	}
	fmt.Fprintf(&b, "[made]\nvariants = 0\n[training]\nepochs = %d\npatience = 4\nrate = %g\nseed = %d\ndropout = 0.35\nbatch_tokens = 1024\n",
		o.epochs, o.rate, o.seed)
	return b.String()
}

// tell passes on what the trainer says, and returns its last line.
func tell(lines io.Reader, stderr io.Writer) (last string) {
	s := bufio.NewScanner(lines)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		last = strings.TrimPrefix(s.Text(), "training: ")
		for _, news := range []string{"epoch ", "iteration ", "before: ", "stopped early", "going on after"} {
			if strings.HasPrefix(last, news) {
				fmt.Fprintln(stderr, "adapt:", last)
			}
		}
	}
	_, _ = io.Copy(io.Discard, lines)
	return last
}
