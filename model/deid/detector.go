package deid

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/view"
)

// Network is a trained tagger, such as *bilstmcrf.Tagger or a tagger.Union. It returns
// the spans of each text, in order, and is safe for concurrent use.
type Network interface {
	Tag(texts []tagger.Text) ([][]phi.Span, error)
}

// Matcher is the rule tagger of one goroutine, such as *rules.Matcher. It
// appends the spans of a text to dst.
type Matcher interface {
	Tag(dst []phi.Span, text string, tokens []token.Token) []phi.Span
}

// Detector runs the taggers. Its fields are set before the first call and not
// changed afterwards; then it is safe for concurrent use.
type Detector struct {
	Settings Settings
	Network  Network          // nil for none
	Rules    func() Matcher   // makes a matcher; nil for no rules
	Staff    *lexicon.Lexicon // of those who work at the institution; nil for none

	mu       sync.Mutex
	matchers []Matcher // that nobody uses; each has learnt what a sync.Pool would drop
}

// Tagged is one text of a note and what each tagger found in it.
type Tagged struct {
	Note, Text            int         // indices of the note, and of the text within it
	Input                 tagger.Text // of a text that is not plain, its view
	Code                  int         // from here on Input is what machines read
	Network, Rules, Staff []phi.Span
}

// Detect fills in Spans and Hash of the notes from their texts: texts[i] are
// those of notes[i], "" where there is none. A note that cannot be processed
// gets a Failure instead. An error means that the taggers themselves are
// broken. It returns how many tokens it read.
func (d *Detector) Detect(notes []Note, texts [][]string) (tokens int, err error) {
	tagged, err := d.Tag(notes, texts)
	if err != nil {
		return 0, err
	}
	d.Settings.merge(notes, tagged, Setting{}, nil)
	for _, t := range tagged {
		tokens += len(t.Input.Tokens)
	}
	return tokens, nil
}

// Tag runs every tagger over the texts of the notes that have no Failure, and
// returns what each found.
func (d *Detector) Tag(notes []Note, texts [][]string) ([]Tagged, error) {
	m := d.matcher()
	defer func() { d.release(m) }()
	var all []Tagged
	for i := range notes {
		n := &notes[i]
		if n.Failure == "" {
			n.Failure = d.unfit(texts[i])
		}
		if n.Failure != "" {
			continue
		}
		n.Hash = HashTexts(texts[i])
		read, failure := d.read(m, i, texts[i])
		if n.Failure = failure; failure == ReasonTaggerFailed {
			m = d.newMatcher() // the old one may be broken
		}
		if failure != "" {
			continue
		}
		all = append(all, read...)
	}
	inputs := make([]tagger.Text, len(all))
	for k := range all {
		inputs[k] = all[k].Input
	}
	found, err := d.runNetwork(inputs)
	if err != nil {
		// Some text breaks the network: find out which, alone.
		if found, err = d.tagApart(inputs, all, notes, err); err != nil {
			return nil, err
		}
	}
	for k := range all {
		all[k].Network = found[k]
	}
	return all, nil
}

// merge brings together what the taggers found in each text and puts it into
// the notes' Spans. Of set, Steps and Known are done with before. trace, where it
// is not nil, hears what became of each span.
func (s Settings) merge(notes []Note, tagged []Tagged, set Setting, trace func(Event)) {
	options := merge.Options{Mode: set.Mode, Guard: s.Has(StepGuards)}
	if set.Merge != nil {
		set.Merge(&options)
	}
	for k := range tagged {
		t := &tagged[k]
		n := &notes[t.Note]
		if n.Failure != "" {
			continue
		}
		ok := spared("merge", t.Input.Text, func() {
			options.Trace = tell(trace, n.Document, t.Text)
			network, doubts, odds := findings(t.outsideCode())
			raw := withoutRuledOut(slices.Concat(t.Rules, t.Staff, network), odds, options.Trace)
			found := merge.Combine(t.Input.Text, t.Input.Tokens, raw, options)
			for _, x := range s.doubts(t.Input.Text, t.Input.Tokens, doubts, options.Trace) {
				found = append(found, phi.Found{Span: x})
			}
			for _, f := range found {
				f.Text = t.Text
				f.Allowed = s.Allow.Allows(t.Input.Text, t.Input.Tokens, f.Span)
				// A copy: a part of the text would keep the whole of it in memory.
				f.Surface = strings.Clone(t.Input.Text[f.Start:f.End])
				n.Spans = append(n.Spans, f)
			}
			for _, x := range odds {
				n.Spans = append(n.Spans, phi.Found{Span: x, Text: t.Text})
			}
		})
		if !ok {
			n.Failure, n.Spans = ReasonTaggerFailed, nil
		}
	}
	for i := range notes {
		sortFound(notes[i].Spans)
	}
}

// read cuts the texts of note i, or their views, into tokens and runs the rules and
// the list of staff over them, or says why it cannot.
func (d *Detector) read(m Matcher, i int, texts []string) (all []Tagged, failure string) {
	for k, text := range texts {
		if text == "" {
			continue
		}
		t := Tagged{Note: i, Text: k}
		ok := spared("view", text, func() {
			v, why := d.Settings.view(text)
			if failure = why; why == "" {
				t.Input.Text, t.Code = v.Text, v.Code
			}
		})
		if failure != "" {
			return nil, failure
		}
		text = t.Input.Text
		ok = ok && spared("tokens", text, func() { t.Input.Tokens = token.Tokenize(nil, text) })
		if ok && m != nil && d.Settings.Has(StepRules) {
			ok = spared("rules", text, func() { t.Rules = m.Tag(nil, text, t.Input.Tokens) })
		}
		if ok && d.Staff != nil {
			ok = spared("staff", text, func() { t.Staff = d.Staff.Sweep(nil, text, t.Input.Tokens) })
		}
		if !ok {
			return nil, ReasonTaggerFailed
		}
		all = append(all, t)
	}
	return all, ""
}

// matcher returns a matcher that nobody uses, until it is released.
func (d *Detector) matcher() Matcher {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := len(d.matchers) - 1
	if last < 0 {
		return d.newMatcher()
	}
	m := d.matchers[last]
	d.matchers = d.matchers[:last]
	return m
}

func (d *Detector) release(m Matcher) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.matchers = append(d.matchers, m)
}

func (d *Detector) newMatcher() Matcher {
	if d.Rules == nil {
		return nil
	}
	return d.Rules()
}

// errPanic says that a tagger panicked, and nothing of what it said.
var errPanic = errors.New("it panicked")

func (d *Detector) runNetwork(texts []tagger.Text) (found [][]phi.Span, err error) {
	if d.Network == nil {
		return make([][]phi.Span, len(texts)), nil
	}
	ok := spared("network", "", func() {
		for _, t := range texts {
			meet("network", t.Text)
		}
		found, err = d.Network.Tag(texts)
	})
	if !ok {
		return nil, errPanic
	}
	return found, err
}

// probe is a text that breaks no network.
const probe = "The patient was seen today."

// tagApart tags texts one by one and marks the notes of those that fail. If
// all fail, and a harmless text does too, the cause is not in the texts, and it
// returns it.
func (d *Detector) tagApart(texts []tagger.Text, of []Tagged, notes []Note, cause error) ([][]phi.Span, error) {
	all := make([][]phi.Span, len(texts))
	good := 0
	for k := range texts {
		found, err := d.runNetwork(texts[k : k+1])
		if err != nil {
			notes[of[k].Note].Failure = ReasonTaggerFailed
			continue
		}
		all[k] = found[0]
		good++
	}
	if good == 0 {
		// One note may have been alone. Ask the network about a harmless text.
		if _, err := d.runNetwork([]tagger.Text{{Text: probe, Tokens: token.Tokenize(nil, probe)}}); err != nil {
			return nil, fmt.Errorf("network: %w", cause)
		}
	}
	return all, nil
}

// unfit returns why a note cannot be processed, or "".
func (d *Detector) unfit(texts []string) string {
	for _, t := range texts {
		if d.Settings.MaxNoteBytes > 0 && len(t) > d.Settings.MaxNoteBytes {
			return ReasonTooLarge
		}
		if !utf8.ValidString(t) {
			return ReasonInvalidUTF8
		}
		if view.Wide(t) {
			return ReasonNotPlain
		}
	}
	return ""
}

// sortFound orders spans by text, then as phi.Sort does.
func sortFound(spans []phi.Found) {
	slices.SortFunc(spans, func(a, b phi.Found) int {
		return cmp.Or(a.Text-b.Text, a.Start-b.Start, b.End-a.End, int(a.Tagger)-int(b.Tagger), int(a.Type)-int(b.Type),
			strings.Compare(a.Surface, b.Surface))
	})
}
