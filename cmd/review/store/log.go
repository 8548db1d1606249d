package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/review"
)

// line is one decision as it is kept: who, when, of which note, and what.
type line struct {
	At       time.Time `json:"at"`
	Reviewer string    `json:"reviewer"`
	Note     string    `json:"note"`
	review.Event
}

// Log is one reviewer's decisions, to which more are added. It is the only one
// that adds to them while it is open.
type Log struct {
	States []*review.State // of each note of the sample

	r           *Review
	name        string
	adjudicates bool
	file        *os.File
	size        int64 // of what is whole
}

// Append opens the log of a reviewer, or of an adjudicator, who then is none of
// the reviewers. One that another process adds to is fault.Locked. What a killed
// process left of a line is cut off.
func (r *Review) Append(name string, adjudicates bool) (*Log, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	kind := reviewer
	if adjudicates {
		kind = adjudicator
	}
	unlock, err := r.lock() // until this log is locked: of three who begin at once, one is told that there is no seat
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := r.seat(name, adjudicates); err != nil {
		return nil, fault.Mark(fault.Settings, err)
	}
	file := kind + name + logs
	f, err := os.OpenFile(filepath.Join(r.Folder, file), os.O_RDWR|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fault.Mark(fault.Locked, fmt.Errorf("%s has this review open already, in another process; use its page, or end it first",
			name))
	}
	states, size, err := r.read(file)
	if err == nil {
		err = f.Truncate(size)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Log{States: states, r: r, name: name, adjudicates: adjudicates, file: f, size: size}, nil
}

// seat fails if there is no place for one more reviewer or adjudicator.
func (r *Review) seat(name string, adjudicates bool) error {
	reviewers, err := r.names(reviewer)
	if err != nil {
		return err
	}
	judges, err := r.names(adjudicator)
	switch {
	case err != nil:
		return err
	case adjudicates && slices.Contains(reviewers, name), !adjudicates && slices.Contains(judges, name):
		return errors.New("--adjudicate: who decides between two reviewers is none of them; give another --reviewer")
	case adjudicates && len(reviewers) < 2:
		return ErrNoTwo
	case adjudicates && len(judges) > 0 && !slices.Contains(judges, name):
		return fmt.Errorf("--adjudicate: %s does so already", judges[0])
	case !adjudicates && len(reviewers) > 1 && !slices.Contains(reviewers, name):
		return fmt.Errorf("--reviewer: %s and %s review this sample already; another can --adjudicate", reviewers[0], reviewers[1])
	}
	return nil
}

// Add does an event to a note, by index, and writes it down before it returns.
// An event that the note refuses is not written.
func (l *Log) Add(note int, e review.Event, complete func(*review.State) error) error {
	n := &l.r.Sample.Notes[note]
	raw, err := json.Marshal(line{time.Now().UTC(), l.name, n.Document, e})
	if err != nil {
		return err
	}
	if err := l.States[note].Apply(n, l.r.Released[note], e, complete); err != nil {
		return &Refusal{err}
	}
	raw = append(raw, '\n')
	if _, err = l.file.Write(raw); err == nil {
		err = l.file.Sync()
	}
	if err != nil { // nothing is held to be decided that is not on the disk
		err = fmt.Errorf("the decision could not be written down: %w", err)
		err = errors.Join(err, l.file.Truncate(l.size))
		if states, _, again := l.r.read(filepath.Base(l.file.Name())); again == nil {
			l.States = states
		}
		return err
	}
	l.size += int64(len(raw))
	return nil
}

// Refusal is an event that a note refuses, in words for the reviewer.
type Refusal struct{ error }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.error }

// Close ends the adding.
func (l *Log) Close() error { return l.file.Close() }

// read returns what a log says of each note, and its length in bytes without a
// line that is not whole.
func (r *Review) read(file string) (states []*review.State, size int64, err error) {
	raw, err := os.ReadFile(filepath.Join(r.Folder, file))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	adjudicates := bytes.HasPrefix([]byte(file), []byte(adjudicator))
	for i := range r.Sample.Notes {
		states = append(states, review.NewState(&r.Sample.Notes[i], adjudicates))
	}
	raw = raw[:bytes.LastIndexByte(raw, '\n')+1]
	d := json.NewDecoder(bytes.NewReader(raw))
	for number := 1; ; number++ {
		var l line
		err := d.Decode(&l)
		if err == io.EOF {
			return states, int64(len(raw)), nil
		}
		if err != nil {
			err = errors.New("it is no decision that this program has written; restore the file from a copy, or take that line out")
		}
		i, ok := r.index[l.Note]
		if err == nil && !ok {
			err = errors.New("it is about a note that is not in the sample")
		}
		if err == nil {
			err = states[i].Apply(&r.Sample.Notes[i], r.Released[i], l.Event, nil)
		}
		if err != nil {
			return nil, 0, fault.Mark(fault.Refused, fmt.Errorf("%s: line %d: %w", filepath.Join(r.Folder, file), number, err))
		}
	}
}

// Refuse returns a Refusal.
func Refuse(why string) error { return &Refusal{errors.New(why)} }
