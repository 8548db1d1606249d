package transforms

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/lines"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Sample is some notes of the input, the same ones in every run.
type Sample struct {
	Notes []deid.Note
	Texts [][]string // of each note, "" for null
	Lines Lines

	known map[string][]lexicon.Identifiers // of its patients, once they were asked for
}

const (
	sampledGroups = 8       // row groups that a sample is taken from
	sampledRows   = 1024    // first rows of such a row group that are read
	sampledBytes  = 2 << 20 // of text in these
)

// place is a row group of a shard.
type place struct {
	shard schemas.Shard
	group int
}

// rows returns how many of the row group's rows the job processes.
func (p place) rows(f *table.File) int64 {
	g := f.RowGroups()[p.group]
	before := g.FirstRow - p.shard.FirstRow // rows of the shard
	return max(0, min(g.Rows, p.shard.Rows-before))
}

// spread returns up to n row groups at even distances.
func spread(shards []schemas.Shard, n int) (chosen []place) {
	var all []place
	for _, s := range shards {
		for g := range s.Groups {
			all = append(all, place{s, s.FirstGroup + g})
		}
	}
	n = min(n, len(all))
	for i := range n {
		chosen = append(chosen, all[(2*i+1)*len(all)/(2*n)])
	}
	return chosen
}

// errEnough ends the reading of a row group.
var errEnough = errors.New("enough")

// ReadSample reads about n notes from the first rows of some row groups that lie
// spread over the input.
func ReadSample(ctx context.Context, cfg Config, shards []schemas.Shard, n int) (*Sample, error) {
	places := spread(shards, sampledGroups)
	links, err := loadLinks(ctx, cfg)
	if err != nil {
		return nil, err
	}
	cfg.Columns.BatchRows, cfg.Columns.BatchBytes = sampledRows, sampledBytes
	parts := make([]Sample, len(places))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i, p := range places {
		g.Go(func() error {
			want := (n + len(places) - 1 - i) / len(places)
			return parts[i].read(ctx, cfg, p, want)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := &Sample{}
	for _, p := range parts {
		for i := range p.Notes {
			links.Apply(&p.Notes[i])
		}
		all.Notes, all.Texts = append(all.Notes, p.Notes...), append(all.Texts, p.Texts...)
		l, m := &all.Lines, p.Lines
		*l = Lines{l.Notes + m.Notes, l.Rows + m.Rows, l.Gaps + m.Gaps, l.Cuts + m.Cuts, l.Within + m.Within}
	}
	return all, nil
}

// read reads n notes that are spread over the first rows of a row group.
func (s *Sample) read(ctx context.Context, cfg Config, p place, n int) error {
	b, object, err := openShard(ctx, cfg, p.shard, false)
	if err != nil {
		return err
	}
	defer object.Close()
	perNote := 1
	if cfg.Columns.Line != "" {
		perNote = sampledLines
	}
	var first []table.Note
	err = b.ReadNotes(ctx, p.group, func(batch []table.Note) error {
		first = append(first, batch...)
		if len(first) >= n*perNote {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	first = first[:min(int64(len(first)), p.rows(b.File()))]
	if cfg.Columns.Line != "" {
		first = s.joined(cfg, b, first)
	}
	n = min(n, len(first))
	for i := range n {
		note := first[i*len(first)/n]
		s.Notes, s.Texts = append(s.Notes, cfg.identify(note, note.Row)), append(s.Texts, textsOf(note.Texts))
	}
	return nil
}

// sampledLines is how many rows are read for each note where notes lie over several.
const sampledLines = 20

// joined puts the lines of notes together, as far as they are among the first rows
// of a row group. The last note may go on behind these: it is left out.
func (s *Sample) joined(cfg Config, b *table.Binding, rows []table.Note) []table.Note {
	byID, order := map[string][]table.Note{}, []string(nil)
	for _, r := range rows {
		id := r.DocumentID.Text
		if byID[id] == nil {
			order = append(order, id)
		}
		byID[id] = append(byID[id], r)
	}
	if len(order) > 1 {
		order = order[:len(order)-1]
	}
	var notes []table.Note
	for _, id := range order {
		all := byID[id]
		slices.SortStableFunc(all, func(x, y table.Note) int {
			return cmp.Or(cmp.Compare(len(x.Line.Text), len(y.Line.Text)), strings.Compare(x.Line.Text, y.Line.Text))
		})
		whole, cut := b.Joined(all)
		notes = append(notes, whole)
		s.Lines.add(cut)
	}
	return notes
}

// Lines says how the notes of a sample lie over rows.
type Lines struct {
	Notes, Rows int // notes, and the rows that they are in
	Gaps        int // notes in which a number is missing
	Cuts        int // places between two lines
	Within      int // of these, those with a letter or digit on both sides
}

func (l *Lines) add(cut []*lines.Note) {
	for i, n := range cut {
		if i == 0 {
			l.Notes++
			l.Rows += n.Len()
		}
		if i == 0 && n.Gaps() > 0 {
			l.Gaps++
		}
		cuts, within := n.Within()
		l.Cuts, l.Within = l.Cuts+cuts, l.Within+within
	}
}

// Some returns n of the sample's notes, spread over it.
func (s *Sample) Some(n int) *Sample {
	some := &Sample{}
	n = min(n, len(s.Notes))
	for i := range n {
		k := i * len(s.Notes) / n
		some.Notes, some.Texts = append(some.Notes, s.Notes[k]), append(some.Texts, s.Texts[k])
	}
	some.known = s.known
	return some
}

// Bytes returns how much text the sample has.
func (s *Sample) Bytes() (n int64) {
	for _, texts := range s.Texts {
		for _, t := range texts {
			n += int64(len(t))
		}
	}
	return n
}

// Outcome is what the job makes of a sample, for want of a patient's other notes
// perhaps not to the letter.
type Outcome struct {
	Notes    []OutcomeNote
	ByType   map[phi.Type]int64
	ByTagger map[phi.Tagger]int64
	Tagging  time.Duration // of all of the notes, by one goroutine
	Orders   Orders
}

// OutcomeNote is one note of an Outcome.
type OutcomeNote struct {
	Document      string
	Failure       string   // reason code of a note that goes to quarantine
	Before, After []string // its texts; none after for one that failed
}

// Orders counts the dates whose numbers leave the order of day and month open,
// by how it was found, and the notes that have evidence of their own or of their
// patient's other notes.
type Orders struct {
	DayFirst, MonthFirst, Undecided int64
	NotesDayFirst, NotesMonthFirst  int
}

// Try does the job to a sample. Without the network it finds what rules find: the
// order of day and month needs no more.
func (s *Sample) Try(ctx context.Context, cfg Config, network bool) (*Outcome, error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if s.known == nil {
		mine := map[string]bool{}
		for _, n := range s.Notes {
			mine[n.Patient] = true
		}
		if s.known, err = knownOf(ctx, cfg, mine); err != nil {
			return nil, err
		}
	}
	detector := &deid.Detector{Settings: e.detector.Settings, Rules: e.detector.Rules, Staff: e.detector.Staff}
	notes := slices.Clone(s.Notes)
	if network {
		detector.Network = e.detector.Network
		if _, err := detector.Detect(slices.Clone(notes[:min(1, len(notes))]), s.Texts); err != nil { // what is made once is not the notes' time
			return nil, err
		}
	}
	out := &Outcome{ByType: map[phi.Type]int64{}, ByTagger: map[phi.Tagger]int64{}}
	began := time.Now()
	if _, err := detector.Detect(notes, s.Texts); err != nil {
		return nil, err
	}
	out.Tagging = time.Since(began)
	byPatient := map[string][]*deid.Note{}
	for i := range notes {
		byPatient[notes[i].Patient] = append(byPatient[notes[i].Patient], &notes[i])
	}
	patients := map[string]*deid.Patient{}
	for id, all := range byPatient {
		plan := deid.Resolve(detector.Settings, all, s.known[id], nil)
		patients[id] = e.rewriter.Open(&plan)
	}
	for i := range notes {
		out.add(&notes[i], s.Texts[i], patients[notes[i].Patient])
	}
	return out, nil
}

// add releases the texts of one note.
func (o *Outcome) add(n *deid.Note, texts []string, patient *deid.Patient) {
	note := OutcomeNote{Document: n.Document, Failure: n.Failure, Before: texts}
	if note.Failure != "" {
		o.Notes = append(o.Notes, note)
		return
	}
	switch n.Order {
	case dates.Yes:
		o.Orders.NotesDayFirst++
	case dates.No:
		o.Orders.NotesMonthFirst++
	}
	ref := patient.Reference(n)
	for k, text := range texts {
		if text == "" {
			note.After = append(note.After, "")
			continue
		}
		var spans []phi.Span
		for _, f := range n.Spans {
			if f.Text == k {
				spans = append(spans, f.Span)
			}
		}
		released, err := patient.Text(text, spans, n.Document, ref)
		if err != nil {
			note.Failure, note.After = deid.ReasonAuditFailed, nil
			break
		}
		note.After = append(note.After, released.Text)
		for _, x := range released.Made {
			o.ByType[x.Type]++
			o.ByTagger[x.Tagger]++
		}
		o.Orders.Undecided += released.Orders.Undecided
		if n.Order == dates.Yes {
			o.Orders.DayFirst += released.Orders.Decided
		} else {
			o.Orders.MonthFirst += released.Orders.Decided
		}
	}
	o.Notes = append(o.Notes, note)
}
