package check

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/language"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/view"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// report prints what was found out, one heading after the other.
type report struct {
	out io.Writer
	p   *pipeline.Preparation
	cfg transforms.Config

	begun bool                // something was printed
	dates *transforms.Outcome // of the whole sample, by rules alone
	tried *transforms.Sample  // notes that all taggers have looked at
	found *transforms.Outcome // of these
	kept  []string            // why the job would publish nothing for columns that are kept
}

// write prints all that there is.
func (r *report) write(o Options) {
	r.input()
	r.keyAndModel()
	r.known()
	if s := r.p.Sample; s != nil && len(s.Notes) > 0 {
		r.language()
		r.form()
		r.days()
		r.orders()
	}
	if r.found != nil {
		r.taggers()
	}
	if r.p.Inputs != nil && r.p.Inputs.Rows > 0 && r.p.Sample != nil && len(r.p.Sample.Notes) > 0 {
		r.estimate()
	}
	if o.Show && r.found != nil {
		fmt.Fprintln(r.out, "\nWhat follows holds original text of notes, protected health information included. Surrogates may still change "+
			"with a patient's other notes.")
		showNotes(r.out, r.found.Notes)
	}
}

// head begins a part of the report.
func (r *report) head(title string) {
	if r.begun {
		fmt.Fprintln(r.out)
	}
	r.begun = true
	fmt.Fprintln(r.out, title)
}

// line prints one line of a part.
func (r *report) line(format string, args ...any) {
	fmt.Fprintf(r.out, "  %s\n", fmt.Sprintf(format, args...))
}

func (r *report) input() {
	defer r.tables()
	in := r.p.Inputs
	if in == nil {
		return
	}
	r.head("Input")
	r.line("%s, %s, %s", pipeline.Count(in.All, "note"), pipeline.Count(int64(in.Files), "file"), size(in.Bytes))
	if r.cfg.Limit > 0 {
		r.line("trial run: only the first %s would be processed, and the output is no release", pipeline.Count(in.Rows, "note"))
	}
	if r.p.Columns != nil {
		r.head("Columns")
		fmt.Fprintln(r.out, pipeline.DescribeColumns(r.p.Columns, r.cfg))
	}
}

// tables says what becomes of the tables without texts.
func (r *report) tables() {
	for _, t := range r.p.Tables {
		if t.Inputs == nil {
			continue
		}
		r.head("Table " + t.Name)
		r.line("%s, %s, %s", pipeline.Count(t.Inputs.All, "row"), pipeline.Count(int64(t.Inputs.Files), "file"), size(t.Inputs.Bytes))
		if r.cfg.Limit > 0 {
			r.line("trial run: only the first %s would be processed", pipeline.Count(t.Inputs.Rows, "row"))
		}
		if r.cfg.What.Tables[t.Number-1].Unreleased {
			r.line("read for its patients' dates, and not released")
			continue
		}
		if t.Columns != nil {
			fmt.Fprintln(r.out, pipeline.DescribeColumns(t.Columns, r.cfg.OfTable(t.Number)))
		}
	}
}

func (r *report) keyAndModel() {
	if r.cfg.KeyID != "" {
		r.head("Key")
		r.line("%s, which has the id %s", transforms.PrintableKey(r.cfg.Key), r.cfg.KeyID)
	}
	if t := r.p.Taggers; t.Model.Name != "" {
		r.head("Model")
		r.line("%s, version %s, for notes in %s", t.Model.Name, t.Model.Version, language.Name(t.Language))
		for _, m := range t.More {
			r.line("what %s, version %s, finds besides is added to it", m.Name, m.Version)
		}
		if t.On != "" {
			r.line("runs on %s", t.On)
		}
	}
}

func (r *report) known() {
	if t := r.cfg.KnownIdentifiers; t != nil {
		r.head("Known identifiers")
		r.line("%s of %s", r.cfg.Identifiers, pipeline.Count(t.Patients, "patient"))
		w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(w, "\tvalues\tlooked for\ttoo short or too plain\t\n")
		for _, kind := range slices.Sorted(maps.Keys(t.Values)) {
			n := t.Values[kind]
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t\n", kind, humanize.Comma(n.All), humanize.Comma(n.All-n.Ignored), humanize.Comma(n.Ignored))
		}
		_ = w.Flush()
		r.join()
	}
	if n := r.p.Taggers.Links.Len(); n > 0 {
		r.head("Linked patients")
		r.line("%s linked to another, in %s", pipeline.Count(int64(n), "patient id"), r.cfg.PatientLinks)
	}
	if r.p.Taggers.Staff > 0 {
		r.head("Staff")
		r.line("%s, looked for in all notes", pipeline.Count(int64(r.p.Taggers.Staff), "person"))
	}
}

// join says how the known identifiers meet the notes.
func (r *report) join() {
	j := r.p.Join
	if j == nil || j.Rows == 0 {
		return
	}
	of := "of " + pipeline.Count(j.Rows, "note")
	if j.Rows < r.p.Inputs.Rows {
		of = "of a sample of " + pipeline.Count(j.Rows, "note")
	}
	r.line("%s, %s (%s) are of a patient whom they name, %s of one whom they do not, %s have no patient id", of, humanize.Comma(j.Named),
		percent(j.Named, j.Rows), humanize.Comma(j.Rows-j.Named-j.Without), humanize.Comma(j.Without))
	r.line("of the patients of these notes, %s are named and %s are not", humanize.Comma(int64(j.PatientsNamed)),
		humanize.Comma(int64(j.PatientsUnnamed)))
}

func (r *report) language() {
	r.head("Language")
	p := r.p
	switch {
	case p.Language != "" && len(p.Languages) == 1:
		r.line("%s, as far as %s tell", language.Name(p.Language), pipeline.Count(int64(len(p.Sample.Notes)), "sampled note"))
	case p.Language != "":
		r.line("%s, mostly: of the words of %s, %s", language.Name(p.Language), pipeline.Count(int64(len(p.Sample.Notes)), "sampled note"),
			pipeline.Shares(p.Languages))
	default:
		r.line("cannot be told from %s of %s", pipeline.Count(int64(p.Words), "word"), pipeline.Count(int64(len(p.Sample.Notes)), "sampled note"))
	}
	if p.Language != "" && language.Known(p.Taggers.Language) && p.Language != p.Taggers.Language {
		r.line("warning: the model is for %s, and would miss most of what identifies a patient", language.Name(p.Taggers.Language))
	}
}

func (r *report) form() {
	r.head("Form of the text")
	notes := int64(len(r.p.Sample.Notes))
	forms := formsOf(r.p.Sample.Texts)
	for _, f := range allForms {
		if n := forms[f]; n > 0 {
			then := becomes[f]
			if r.cfg.TextFormat != view.Auto && then != "" && f != windows && f != invalid {
				then = "read as " + string(r.cfg.TextFormat) + ", by --text_format"
			}
			if then != "" {
				then = ": " + then
			}
			r.line("%s of %s %s%s", humanize.Comma(n), pipeline.Count(notes, "sampled note"), f, then)
		}
	}
	if len(forms) == 0 {
		r.line("plain, in %s", pipeline.Count(notes, "sampled note"))
	} else if r.cfg.TextFormat == view.Plain {
		r.line("warning: all text is read as plain, marks and all: what is split by marks, or encoded, may be missed")
	}
	r.lines()
	if r.dates == nil {
		return
	}
	reasons := map[string]int64{}
	for _, n := range r.dates.Notes {
		if n.Failure != "" && n.Failure != deid.ReasonAuditFailed { // the audit is for what all taggers have found
			reasons[n.Failure]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		r.line("%s of %s would go to quarantine: %s", humanize.Comma(reasons[reason]), pipeline.Count(notes, "sampled note"), reason)
	}
}

// lines says how notes lie over rows, where they do.
func (r *report) lines() {
	l := r.p.Sample.Lines
	if l.Notes == 0 {
		return
	}
	r.line("%s lie over %s; in %s the number of a line is missing", pipeline.Count(int64(l.Notes), "sampled note"),
		pipeline.Count(int64(l.Rows), "row"), humanize.Comma(int64(l.Gaps)))
	if l.Within > 0 && r.cfg.Columns.LineSeparator == "" {
		r.line("of %s between two lines %s have a letter or digit on both sides: if these are the ends of words or lines, and not cuts within",
			pipeline.Count(int64(l.Cuts), "place"), humanize.Comma(int64(l.Within)))
		r.line("words, choose --line_separator=space or newline, or names are run together with what follows")
	}
}

// fewDays is how many days of a batch are too few to hide an offset behind.
const fewDays = 30

func (r *report) days() {
	days := r.p.Inputs.Days
	for _, n := range r.p.Sample.Notes {
		if n.Dated {
			days.Add(n.Day)
		}
	}
	n := days.Count()
	if n == 0 {
		return
	}
	r.head("Days of the notes")
	r.line("they span %s", pipeline.Count(int64(n), "day"))
	if n < fewDays && r.cfg.Policy.DateColumns == surrogate.Shift && r.cfg.DateScope != surrogate.PerDocument {
		r.line("warning: whoever knows about when this batch was written, such as from the night of its release, can tell each")
		r.line("patient's offset from the dates of the notes, and with it every true date. Choose: dates cut to years")
		r.line("(--hipaa_mode=safe-harbor), batches of a month and more, use within the institution under an agreement, or")
		r.line("another offset for each note (--date_shift_scope=document).")
	}
}

// Of evidence on the order of day and month, so much proposes one.
const (
	orderNotes = 3   // notes with evidence
	orderShare = 0.9 // that agree
)

func (r *report) orders() {
	if r.dates == nil {
		return
	}
	o := r.dates.Orders
	all := o.DayFirst + o.MonthFirst + o.Undecided
	if all == 0 {
		return
	}
	usual := usualOrder(r.cfg)
	r.head("Day and month")
	r.line("%s as 3/4/2014 can be read in two ways: in %s of them the patient's notes tell that the day comes first, in %s the month;",
		pipeline.Count(all, "sampled date"), humanize.Comma(o.DayFirst), humanize.Comma(o.MonthFirst))
	r.line("in %s nothing does, and they are read with the %s first", humanize.Comma(o.Undecided), firstIn[usual])
	if o.Undecided == 0 {
		return
	}
	first, notes := deid.DayFirst, o.NotesDayFirst
	if o.NotesMonthFirst > notes {
		first, notes = deid.MonthFirst, o.NotesMonthFirst
	}
	of := o.NotesDayFirst + o.NotesMonthFirst
	switch {
	case notes < orderNotes || float64(notes) < orderShare*float64(of):
		r.line("%d sampled notes have evidence of the one order and %d of the other, too few or too mixed to propose one: say by --day_order",
			notes, of-notes)
		r.line("what is usual where the notes were written")
	case first == usual:
		r.line("%d of the %d notes with evidence agree with that", notes, of)
	default:
		r.line("%d of the %d notes with evidence say otherwise: consider --day_order=%s", notes, of, first)
	}
}

// firstIn says what stands first in an order.
var firstIn = map[string]string{deid.DayFirst: "day", deid.MonthFirst: "month"}

// usualOrder is how a date is read that nothing tells the order of.
func usualOrder(cfg transforms.Config) string {
	switch {
	case cfg.DayOrder != deid.UsualInModels:
		return cfg.DayOrder
	case cfg.Language == "en":
		return deid.MonthFirst
	}
	return deid.DayFirst
}

func (r *report) taggers() {
	f := r.found
	var all, failed int64
	for _, n := range f.ByType {
		all += n
	}
	r.head("What is found")
	parts := byCount(f.ByType)
	r.line("in %s, %s (%s); what is missed, only annotated notes tell (palimpsest evaluate)", pipeline.Count(int64(len(f.Notes)), "note"),
		pipeline.Count(all, "span"), strings.Join(byCount(f.ByTagger), ", "))
	line := parts[:0:0]
	for i, p := range parts {
		if line = append(line, p); len(line) == 6 || i == len(parts)-1 {
			r.line("%s", strings.Join(line, ", "))
			line = line[:0]
		}
	}
	for _, n := range f.Notes {
		if n.Failure != "" {
			failed++
		}
	}
	if failed > 0 {
		r.line("%s of these would go to quarantine", pipeline.Count(failed, "note"))
	}
}
