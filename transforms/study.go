package transforms

import (
	"context"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Study holds the notes of some patients and what each tagger found in them,
// so that the steps behind the taggers can be run again with other settings,
// or watched. It runs the job's own functions in one process, without Beam,
// and keeps texts in memory: it is for measuring and for explaining, not for
// whole tables.
type Study struct {
	engine *engine
	notes  []schemas.Note
	texts  []tagged // of the notes, in order
	census map[string][]table.Identifiers
}

// NewStudy reads the notes of the patients that want accepts, by patient id
// (for a note without one, schemas.OrphanPatient of its document id), and runs
// the taggers over them.
func NewStudy(ctx context.Context, cfg Config, want func(patient string) bool) (*Study, error) {
	notes, err := readWanted(ctx, cfg, want)
	if err != nil {
		return nil, err
	}
	return studyOf(ctx, cfg, notes)
}

// NewStudyOfText studies one text that is in no table, as a note of its own.
func NewStudyOfText(ctx context.Context, cfg Config, id, text string) (*Study, error) {
	n := table.Note{DocumentID: table.ID{Text: id}, PatientID: table.ID{Null: true}, Texts: []table.Text{{Value: text}}}
	return studyOf(ctx, cfg, []table.Note{n})
}

func studyOf(ctx context.Context, cfg Config, notes []table.Note) (*Study, error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s := &Study{engine: e, census: map[string][]table.Identifiers{}}
	if s.notes, s.texts, err = e.tagRaw(0, notes); err != nil {
		return nil, err
	}
	if cfg.Census == "" {
		return s, nil
	}
	infos, err := match(ctx, []string{cfg.Census})
	if err != nil {
		return nil, err
	}
	mine := map[string]bool{}
	for _, n := range s.notes {
		mine[n.Patient] = true
	}
	for _, info := range infos {
		err := readCensus(ctx, cfg, info.Name, func(id table.Identifiers) error {
			if mine[id.PatientID] {
				s.census[id.PatientID] = append(s.census[id.PatientID], id)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readWanted reads the notes of wanted patients; see hears of every note.
func readWanted(ctx context.Context, cfg Config, want func(string) bool, see ...func(table.Note, *schemas.Note)) ([]table.Note, error) {
	shards, err := ListShards(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var wanted []table.Note
	for _, shard := range shards {
		binding, object, err := openShard(ctx, cfg, shard)
		if err != nil {
			return nil, err
		}
		for group := shard.FirstGroup; group < shard.FirstGroup+shard.Groups && err == nil; group++ {
			err = binding.ReadNotes(ctx, group, func(notes []table.Note) error {
				for _, n := range notes {
					who := identify(n, 0)
					for _, f := range see {
						f(n, &who)
					}
					if want(who.Patient) {
						wanted = append(wanted, n)
					}
				}
				return nil
			})
		}
		object.Close()
		if err != nil {
			return nil, err
		}
	}
	return wanted, nil
}

// Setting says what a run of a study does.
type Setting struct {
	Steps  []string // as in Config
	Census bool
	Mode   ensemble.Mode // "" for union
}

// StudiedText is one text of a study and its spans, disjoint and in order.
type StudiedText struct {
	Document string
	Column   int
	Text     string
	Spans    []phi.Span
}

// Step is what happened to one span of one text.
type Step struct {
	Document string
	Column   int
	Step     string // tagger, merge, repair, correction, reconciliation, census, sweep
	Before   phi.Span
	After    phi.Span // the zero span where it was dropped or nothing came of it
	Why      string
}

// Run runs the steps behind the taggers, as a job with those settings does,
// and tells trace, where it is not nil, what becomes of each span.
func (s *Study) Run(set Setting, trace func(Step)) ([]StudiedText, error) {
	cfg := s.engine.cfg
	cfg.Steps = set.Steps
	options := cfg.tagging()
	options.Mode = set.Mode
	tell := func(t *tagged) func(ensemble.Event) {
		if trace == nil {
			return nil
		}
		return func(e ensemble.Event) {
			trace(Step{s.notes[t.note].Document, t.column, e.Step, e.Before, e.After, e.Why})
		}
	}
	batch := &schemas.SpanBatch{Notes: slices.Clone(s.notes)}
	for i := range batch.Notes {
		batch.Notes[i].Spans = nil
	}
	for i := range s.texts {
		t := &s.texts[i]
		n := &batch.Notes[t.note]
		if n.Failure != "" {
			continue
		}
		raw := slices.Clone(t.network)
		if cfg.has(StepRules) {
			raw = append(raw, t.rules...)
		}
		if set.Census {
			raw = append(raw, t.staff...)
		}
		if trace != nil {
			s.traceTaggers(t, cfg.has(StepRules), set.Census, trace)
		}
		options.Trace = tell(t)
		n.Spans = appendSpans(n.Spans, t.column, t.Text.Text, ensemble.Combine(t.Text.Text, t.Tokens, raw, options))
	}
	census := s.census
	if !set.Census {
		census = nil
	}
	if trace != nil && cfg.has(StepReconciliation) {
		s.traceReconcile(batch.Notes, census, trace)
	}
	plans, err := resolve(cfg, []*schemas.SpanBatch{batch}, census)
	if err != nil {
		return nil, err
	}
	lexicons := map[int64]*ensemble.Lexicon{}
	planned := map[int64][]schemas.Span{}
	for _, p := range plans {
		for _, patient := range p.Patients {
			l := ensemble.NewLexicon(lexiconOf(patient.Observed, set.Census, cfg.has(StepSweep)))
			for _, n := range patient.Notes {
				lexicons[n.Row], planned[n.Row] = l, n.Spans
			}
		}
	}
	var out []StudiedText
	for i := range s.texts {
		t := &s.texts[i]
		n := &s.notes[t.note]
		if n.Failure != "" {
			continue
		}
		var spans []phi.Span
		for _, p := range planned[n.Row] {
			if p.Column == t.column {
				spans = append(spans, p.Span)
			}
		}
		swept := lexicons[n.Row].Sweep(nil, t.Text.Text, t.Tokens)
		if trace != nil {
			for _, x := range swept {
				trace(Step{n.Document, t.column, x.Tagger.String(), x, x, sweptWhy(x)})
			}
		}
		options.Mode, options.Guard, options.Trace = ensemble.Union, false, tell(t)
		x := StudiedText{Document: n.Document, Column: t.column, Text: t.Text.Text}
		for _, f := range ensemble.Combine(t.Text.Text, t.Tokens, append(spans, swept...), options) {
			x.Spans = append(x.Spans, f.Span)
		}
		out = append(out, x)
	}
	return out, nil
}

func sweptWhy(s phi.Span) string {
	if s.Tagger == phi.Census {
		return "a value that the census, or the table of notes itself, has for this patient"
	}
	return "found with confidence, or more than once, in the patient's notes"
}

// lexiconOf returns the surfaces that a setting sweeps for.
func lexiconOf(observed []schemas.Surface, census, sweep bool) []ensemble.Surface {
	var out []ensemble.Surface
	for _, o := range observed {
		if o.Tagger == phi.Census && census || o.Tagger == phi.Sweep && sweep {
			out = append(out, ensemble.Surface{Type: o.Type, Text: o.Text, Sweep: o.Sweep, Tagger: o.Tagger})
		}
	}
	return out
}

// traceTaggers tells what each tagger found, and which rule.
func (s *Study) traceTaggers(t *tagged, rulesToo, staff bool, trace func(Step)) {
	doc := s.notes[t.note].Document
	for _, x := range t.network {
		trace(Step{doc, t.column, "network", x, x, ""})
	}
	if m, ok := s.engine.matchers.Get().(*rules.Matcher); ok && rulesToo {
		for _, x := range m.Matches(t.Text.Text, t.Tokens) {
			trace(Step{doc, t.column, "rules", x.Span, x.Span, "rule " + x.Rule})
		}
		s.engine.matchers.Put(matcher(m))
	}
	if staff {
		for _, x := range t.staff {
			trace(Step{doc, t.column, "census", x, x, "the list of staff"})
		}
	}
}

// traceReconcile tells what reconciliation changes, on a copy.
func (s *Study) traceReconcile(notes []schemas.Note, census map[string][]table.Identifiers, trace func(Step)) {
	byPatient := map[string][]*schemas.Note{}
	for i := range notes {
		n := notes[i]
		n.Spans = slices.Clone(n.Spans)
		byPatient[n.Patient] = append(byPatient[n.Patient], &n)
	}
	for _, patient := range sortedKeys(byPatient) {
		ns := byPatient[patient]
		reconcile(ns, census[patient], func(note int, e ensemble.Event) {
			column := 0
			for _, x := range ns[note].Spans {
				if x.Start == e.Before.Start && x.End == e.Before.End {
					column = x.Column
				}
			}
			trace(Step{ns[note].Document, column, e.Step, e.Before, e.After, e.Why})
		})
	}
}

// Failure returns why a document of the study is not processed, "" where it is.
func (s *Study) Failure(document string) string {
	for _, n := range s.notes {
		if n.Document == document {
			return n.Failure
		}
	}
	return ""
}
