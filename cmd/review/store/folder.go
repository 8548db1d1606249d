package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/review"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// The files of a folder of reviews.
const (
	below       = "review" // below the private part
	sampleFile  = "sample.json"
	reviewer    = "reviewer."
	adjudicator = "adjudicator."
	logs        = ".jsonl"
)

// SamplePath is where the sample lies below a private part, unless --reviews names
// another folder.
const SamplePath = below + "/" + sampleFile

// Review is a sample with the released text of its notes.
type Review struct {
	Job      *Job
	Folder   string
	Sample   *Sample
	Released [][]rune
	index    map[string]int // of notes by document
}

// ErrNoTwo says that there is nothing to decide between.
var ErrNoTwo = errors.New("--adjudicate: there are no two reviewers yet whose decisions could differ")

// ErrNoSample says that nothing was drawn yet.
var ErrNoSample = errors.New("there is no sample yet: palimpsest review draws one")

// Open returns the review in a folder. Where there is none yet and one is wanted,
// it draws the sample; else it fails with ErrNoSample. A sample of other wishes
// or of a release of other settings is refused.
func Open(ctx context.Context, j *Job, folder string, wanted *Wanted) (*Review, error) {
	if err := storage.CheckPrivate(folder); err != nil {
		return nil, fault.Mark(fault.Settings, err)
	}
	s, err := readSample(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if wanted == nil {
			return nil, fault.Mark(fault.Settings, fmt.Errorf("%s: %w", folder, ErrNoSample))
		}
		if s, err = j.draw(ctx, *wanted); err == nil {
			s, err = writeSample(folder, s)
		}
	}
	if err != nil {
		return nil, err
	}
	switch {
	case wanted != nil && s.Wanted != *wanted:
		return nil, fault.Mark(fault.Settings, fmt.Errorf("%s holds a sample of --notes %d --seed %d --stratify %q; give these, "+
			"or name another folder by --reviews", folder, s.Wanted.Notes, s.Wanted.Seed, s.Wanted.Stratify))
	case s.Digest != j.Digest():
		return nil, fault.Mark(fault.Refused, fmt.Errorf("the sample in %s was drawn from a release of another model, version, policy or other "+
			"settings (configuration_digest %.12s…) than %s (%.12s…), and says nothing of it; review a sample of this one, in another folder "+
			"named by --reviews", folder, s.Digest, j.Output, j.Digest()))
	case s.TextColumn != j.TextColumn:
		return nil, fault.Mark(fault.Settings, fmt.Errorf("the sample in %s is of the text column %q", folder, s.TextColumn))
	}
	r := &Review{Job: j, Folder: folder, Sample: s, index: map[string]int{}}
	for i, n := range s.Notes {
		r.index[n.Document] = i
	}
	r.Released, err = j.texts(ctx, s, false)
	return r, err
}

// Originals reads the notes as they were, and checks that they, the findings and
// what was released belong together.
func (r *Review) Originals(ctx context.Context) ([][]rune, error) {
	if len(r.Job.Inputs) == 0 {
		return nil, fault.Mark(fault.Settings, errors.New("--input is missing: name the job's input, or give its settings by --config"))
	}
	originals, err := r.Job.texts(ctx, r.Sample, true)
	if err != nil {
		return originals, err
	}
	return originals, fault.Mark(fault.Refused, r.Sample.join(originals, r.Released))
}

func readSample(folder string) (*Sample, error) {
	name := filepath.Join(folder, sampleFile)
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s := &Sample{}
	if err := json.Unmarshal(raw, s); err != nil || s.FormatVersion != 1 {
		return nil, fault.Mark(fault.Refused, fmt.Errorf("%s is not a sample of this program", name))
	}
	return s, nil
}

// writeSample writes a sample whole, or not at all if somebody else has done so
// in the meantime: then it returns that one.
func writeSample(folder string, s *Sample) (*Sample, error) {
	raw, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return nil, err
	}
	if err := storage.MakePrivate(folder); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(folder, "sample-*.tmp") // of mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(raw, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), filepath.Join(folder, sampleFile)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return readSample(folder)
}

// usable are the names that a reviewer may have: they are parts of file names.
var usable = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)

// CheckName fails for a reviewer's name that is none.
func CheckName(name string) error {
	if name == "" {
		return fault.Mark(fault.Settings, errors.New("--reviewer is missing: give your name or initials, as decisions carry who made them"))
	}
	if !usable.MatchString(name) {
		return fault.Mark(fault.Settings, errors.New("--reviewer: write up to 32 letters, digits, hyphens and underscores"))
	}
	return nil
}

// lock keeps others from taking a seat until unlock: a folder has the lock itself.
func (r *Review) lock() (unlock func(), err error) {
	f, err := os.Open(r.Folder)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s cannot be locked: %w", r.Folder, err)
	}
	return func() { f.Close() }, nil
}

// who is names under the lock.
func (r *Review) who(kind string) ([]string, error) {
	unlock, err := r.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return r.names(kind)
}

// names returns who has a log of that kind, in order. The folder is locked. An empty
// log counts while somebody is at work on it: else a name that was mistyped once would
// be a reviewer for good.
func (r *Review) names(kind string) (names []string, err error) {
	files, err := os.ReadDir(r.Folder)
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.Name(), kind); ok {
			if name, ok = strings.CutSuffix(name, logs); ok && usable.MatchString(name) && r.taken(f.Name()) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names, err
}

// taken tells whether a log has decisions, or a process that adds to it. A log that
// cannot be looked at is taken.
func (r *Review) taken(log string) bool {
	f, err := os.Open(filepath.Join(r.Folder, log))
	if err != nil {
		return true
	}
	defer f.Close()
	info, err := f.Stat()
	return err != nil || info.Size() > 0 || syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}

// Reviewers returns what each reviewer has said of each note of the sample, in
// order of name, and what the adjudicator has, or nil.
func (r *Review) Reviewers() (names []string, said [][]*review.State, judged []*review.State, err error) {
	if names, err = r.who(reviewer); err != nil {
		return nil, nil, nil, err
	}
	if len(names) > 2 {
		return nil, nil, nil, fault.Mark(fault.Refused, fmt.Errorf("%s holds the decisions of %d reviewers; there may be two", r.Folder,
			len(names)))
	}
	for _, name := range names {
		states, _, err := r.read(reviewer + name + logs)
		if err != nil {
			return nil, nil, nil, err
		}
		said = append(said, states)
	}
	judges, err := r.who(adjudicator)
	if err == nil && len(judges) > 1 {
		err = fault.Mark(fault.Refused, fmt.Errorf("%s holds the decisions of %d adjudicators; there may be one", r.Folder, len(judges)))
	}
	if err == nil && len(judges) == 1 {
		judged, _, err = r.read(adjudicator + judges[0] + logs)
	}
	return names, said, judged, err
}

// Outcomes returns what the review of each note came to, for notes that were
// reviewed to the end; with the number of notes that two reviewers see otherwise
// and that nobody has decided about, and of those that are not reviewed.
func (r *Review) Outcomes() (outcomes []review.Outcome, disputed, open int, err error) {
	_, said, judged, err := r.Reviewers()
	if err != nil {
		return nil, 0, 0, err
	}
	for i := range r.Sample.Notes {
		var finished []*review.State
		for _, states := range said {
			if states[i].Finished {
				finished = append(finished, states[i])
			}
		}
		var judge *review.State
		if judged != nil {
			judge = judged[i]
		}
		if len(finished) == 0 {
			open++
			continue
		}
		o, ok := review.Settle(&r.Sample.Notes[i], r.Released[i], finished, judge)
		if !ok {
			disputed++
			continue
		}
		o.Keeps = r.Job.keeps
		outcomes = append(outcomes, o)
	}
	return outcomes, disputed, open, nil
}

// WantedOf returns the wishes that the sample in a folder was drawn by, or those
// given if there is none.
func WantedOf(folder string, otherwise Wanted) (*Wanted, error) {
	s, err := readSample(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &otherwise, nil
	case err != nil:
		return nil, err
	}
	return &s.Wanted, nil
}
