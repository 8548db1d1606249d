package deid

import (
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
)

// Study holds the notes of some patients and what each tagger found in them,
// so that the steps behind the taggers can be run again with other settings, or
// watched. They are the job's own. It keeps texts in memory: it is for measuring
// and for explaining, not for whole tables.
type Study struct {
	detector *Detector
	settings Settings
	notes    []Note
	texts    [][]string
	tagged   []Tagged
	known    map[string][]lexicon.Identifiers // by patient
	matcher  Matcher
}

// NewStudy runs the detector's taggers over the texts of some notes, as Detect
// takes them. known are the identifiers of their patients.
func NewStudy(d *Detector, notes []Note, texts [][]string, known map[string][]lexicon.Identifiers) (*Study, error) {
	s := &Study{detector: d, settings: d.Settings, notes: notes, texts: texts, known: known, matcher: d.newMatcher()}
	var err error
	s.tagged, err = d.Tag(s.notes, texts)
	return s, err
}

// Altered returns a study of the same notes with other texts: those that change
// makes of each.
func (s *Study) Altered(change func(text string) string) (*Study, error) {
	notes, texts := slices.Clone(s.notes), make([][]string, len(s.texts))
	for i := range notes {
		notes[i].Failure, notes[i].Spans = "", nil
		for _, t := range s.texts[i] {
			texts[i] = append(texts[i], change(t))
		}
	}
	return NewStudy(s.detector, notes, texts, s.known)
}

// WithRules returns a study of the same notes in which another matcher than the
// detector's found what rules find. The network is not run again.
func (s *Study) WithRules(m Matcher) *Study {
	other := *s
	other.matcher, other.tagged = m, slices.Clone(s.tagged)
	for i := range other.tagged {
		t := &other.tagged[i]
		t.Rules = m.Tag(nil, t.Input.Text, t.Input.Tokens)
	}
	return &other
}

// Tagged returns the texts of the study and what each tagger found in them,
// which the caller must not change.
func (s *Study) Tagged() []Tagged { return s.tagged }

// Setting says what a run of a study does.
type Setting struct {
	Steps []string   // as in Settings
	Known bool       // use known identifiers and the list of staff
	Mode  merge.Mode // "" for union

	// What follows is for measuring what each part brings; see docs/families.md.
	Merge      func(*merge.Options) // changes how spans are merged; nil for not at all
	ExactNames bool                 // do not look for known names with one letter wrong
	NoDays     bool                 // as if nobody knew when the notes were written
	NoNetwork  bool                 // leave out what the network found
	NoOdds     bool                 // do not ask it how likely two numbers are a date
	// Pairs hears of each two numbers that may be a date what they are judged by; nil for nobody.
	Pairs func(document string, text int, at pairs.Group, f pairs.Features)
}

// StudiedText is one text of a study and its spans, disjoint and in order.
type StudiedText struct {
	Document string
	Index    int // among the note's texts
	Text     string
	Spans    []phi.Span
}

// Run runs the steps behind the taggers, as a job with those settings does,
// and tells trace, where it is not nil, what becomes of each span.
func (s *Study) Run(set Setting, trace func(Event)) []StudiedText {
	settings := s.settings
	settings.Steps = set.Steps
	notes := slices.Clone(s.notes)
	for i := range notes {
		notes[i].Spans = nil
		if set.NoDays {
			notes[i].Day, notes[i].Dated = 0, false
		}
	}
	tagged := slices.Clone(s.tagged)
	for i := range tagged {
		t := &tagged[i]
		if !settings.Has(StepRules) {
			t.Rules = nil
		}
		if !set.Known {
			t.Staff = nil
		}
		if set.NoOdds || set.NoNetwork {
			t.Network = slices.DeleteFunc(slices.Clone(t.Network), func(x phi.Span) bool { return set.NoNetwork || x.Tagger == phi.Odds })
		}
		if notes[t.Note].Failure == "" {
			s.traceTaggers(t, tell(trace, notes[t.Note].Document, t.Text))
		}
	}
	settings.merge(notes, tagged, set, trace)
	patients := map[string][]*Note{}
	for i := range notes {
		patients[notes[i].Patient] = append(patients[notes[i].Patient], &notes[i])
	}
	of := map[string]*Patient{}
	for id, all := range patients {
		var known []lexicon.Identifiers
		if set.Known {
			known = s.known[id]
		}
		plan := Resolve(settings, all, known, trace)
		wanted := slices.DeleteFunc(plan.Observed, func(o lexicon.Surface) bool {
			return o.Tagger == phi.Known && !set.Known || o.Tagger == phi.Sweep && !settings.Has(StepSweep)
		})
		search := lexicon.NewLexicon(wanted)
		if set.ExactNames {
			search.WithoutNear()
		}
		of[id] = &Patient{settings: settings, plan: &plan, lexicon: search}
	}
	var out []StudiedText
	for i := range tagged {
		t := &tagged[i]
		n := &notes[t.Note]
		if n.Failure != "" {
			continue
		}
		var spans []phi.Span
		for _, f := range n.Spans {
			if f.Text == t.Text {
				spans = append(spans, f.Span)
			}
		}
		p, hear := of[n.Patient], tell(trace, n.Document, t.Text)
		if set.Pairs != nil {
			p.watch = func(at pairs.Group, f pairs.Features) { set.Pairs(n.Document, t.Text, at, f) }
		}
		if hear != nil {
			for _, x := range p.lexicon.Sweep(nil, t.Input.Text, t.Input.Tokens) {
				hear(phi.Event{Step: x.Tagger.String(), Before: x, After: x, Why: sweptWhy(x)})
			}
		}
		x := StudiedText{Document: n.Document, Index: t.Text, Text: t.Input.Text}
		x.Spans = p.Sweep(t.Input.Text, t.Input.Tokens, spans, p.Reference(n), hear)
		out = append(out, x)
	}
	return out
}

func sweptWhy(s phi.Span) string {
	if s.Tagger == phi.Known {
		return "a known identifier of this patient, or an id of the table of notes itself"
	}
	return "found with confidence, or more than once, in the patient's notes"
}

// traceTaggers tells what each tagger found, and which rule.
func (s *Study) traceTaggers(t *Tagged, hear func(phi.Event)) {
	if hear == nil {
		return
	}
	finders := make([][]string, len(t.Network))
	if u, ok := s.detector.Network.(interface {
		Finders(tagger.Text, []phi.Span) ([][]string, error)
	}); ok { // several models
		if names, err := u.Finders(t.Input, t.Network); err == nil { // it tagged this text before
			finders = names
		}
	}
	for i, x := range t.Network {
		if x.Tagger == phi.Odds {
			continue
		}
		e := phi.Event{Step: "network", Before: x, After: x}
		if len(finders[i]) > 0 {
			e.Why = "found by " + strings.Join(finders[i], " and ")
		}
		hear(e)
	}
	if m, ok := s.matcher.(*rules.Matcher); ok && len(t.Rules) > 0 {
		for _, x := range m.Matches(t.Input.Text, t.Input.Tokens) {
			hear(phi.Event{Step: "rules", Before: x.Span, After: x.Span, Why: "rule " + x.Rule})
		}
	}
	for _, x := range t.Staff {
		hear(phi.Event{Step: "known", Before: x, After: x, Why: "the list of staff"})
	}
}

// Document returns the document that a text of Tagged is of.
func (s *Study) Document(t Tagged) string { return s.notes[t.Note].Document }

// Failure returns why a document of the study is not processed, "" where it is.
func (s *Study) Failure(document string) string {
	for _, n := range s.notes {
		if n.Document == document {
			return n.Failure
		}
	}
	return ""
}

// WithNetwork returns a study of the same notes that another network has read. Rules
// are not run again.
func (s *Study) WithNetwork(n Network) (*Study, error) {
	other := *s
	other.tagged = slices.Clone(s.tagged)
	inputs := make([]tagger.Text, len(other.tagged))
	for i := range other.tagged {
		inputs[i] = other.tagged[i].Input
	}
	found, err := n.Tag(inputs)
	if err != nil {
		return nil, err
	}
	for i := range other.tagged {
		other.tagged[i].Network = found[i]
	}
	return &other, nil
}
