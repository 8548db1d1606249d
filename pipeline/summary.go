package pipeline

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// manyNotes is more notes than one person has in a lifetime of care, nearly: the
// largest that was tried as a real patient has 50,000.
const manyNotes = 20_000

// writeSummary writes the closing table.
func writeSummary(out io.Writer, cfg transforms.Config, r transforms.Report, took time.Duration) {
	if e, ok := out.(*Events); ok {
		e.summary(cfg, r)
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, format string, args ...any) {
		fmt.Fprintf(w, "  %s\t%s\n", name, fmt.Sprintf(format, grouped(args)...))
	}
	fmt.Fprintln(w)
	for _, said := range Warnings(cfg, r) {
		row("warning", "%s", said)
	}
	if cfg.Limit > 0 {
		row("trial run", "of the first notes: no release, with %s in place of %s", transforms.TrialFile, transforms.SuccessFile)
	}
	if len(cfg.Inputs) > 0 {
		row("notes in", "%d", r.RowsIn)
		row("released", "%d  in %s", r.RowsOut, cfg.Output)
		row("rows", "%s", r.RowOrder)
		row("quarantined", "%d%s", r.Quarantined, counts(r.Reasons))
	}
	if n := r.Nights; n != nil {
		row("passed over", "%d as released before, %d withdrawn; %d were not tagged again", r.Unchanged, r.Withdrawn, r.Reused)
		row("release", "%d added, %d replaced, %d removed; it has %d notes now", n.Added, n.Replaced, n.Removed, n.Released)
	}
	for _, t := range r.Tables {
		row("table "+t.Name, "%d rows in, %d released  in %s/%s", t.RowsIn, t.RowsOut, cfg.Output, t.Name)
		row("  rows", "%s", t.Order())
		row("  quarantined", "%d%s", t.Quarantined, counts(t.Reasons))
		for _, name := range byCount(t.Dates) {
			row("  dates, "+name, "%d", t.Dates[name])
		}
	}
	if r.WithoutID > 0 {
		row("without a patient id", "%d, each treated as its own patient", r.WithoutID)
	}
	if cfg.PatientLinks != "" {
		linked := r.Linked
		for _, t := range r.Tables {
			linked += t.Linked
		}
		row("linked patients", "%d released rows are of one", linked)
		if linked == 0 {
			row("warning", "no released row is of a patient in --patient_links: are ids written alike there?")
		}
	}
	if t := r.KnownIdentifiers; t != nil {
		row("known identifiers", "of %d patients; %d notes are of one of them", t.Patients, r.KnownPatients)
		for _, name := range slices.Sorted(maps.Keys(t.Values)) {
			n := t.Values[name]
			row("  "+name, "%d values, %d of them too short to look for; found %d times", n.All, n.Ignored, r.KnownFound[name])
		}
	}
	if len(cfg.Inputs) > 0 {
		row("spans found", "%d%s", r.Spans, counts(r.SpansByTagger))
	}
	for _, name := range byCount(r.SpansByType) {
		done := map[string]int64{}
		for _, x := range r.ByAction() {
			if x.Type == name {
				done[x.Action] = x.Spans
			}
		}
		row("  "+name, "%d%s", r.SpansByType[name], counts(done))
	}
	if r.LineGaps > 0 {
		row("with missing lines", "%d, whose line numbers have gaps: look whether the extract has left lines out", r.LineGaps)
	}
	if r.AllowKept+r.AllowGaveWay > 0 {
		row("allow list", "%d spans stay; %d more were replaced, as they hold a known identifier of the patient", r.AllowKept, r.AllowGaveWay)
	}
	if r.Masked > 0 {
		row("masked", "%d spans that no surrogate fits", r.Masked)
	}
	for _, name := range byCount(r.Dates) {
		row("date columns, "+name, "%d", r.Dates[name])
	}
	if r.ImplausibleDates > 0 {
		row("implausible note dates", "%d; these notes were read without a date of their own", r.ImplausibleDates)
	}
	if n := r.OrdersDecided + r.OrdersUndecided; n > 0 {
		row("day and month", "%d dates such as 3/4/2014; --day_order decided %d of them, as nothing else told the order",
			n, r.OrdersUndecided)
	}
	if r.LatePast+r.LateFuture > 0 {
		row("after the extract", "%d dates are released as of after its end; %d of them were past in their note, "+
			"which tells that they moved forwards", r.LatePast+r.LateFuture, r.LatePast)
	}
	if r.MetadataDropped > 0 {
		row("metadata left out", "%d keys, named in %s/%s; --keep_metadata releases those that it names", r.MetadataDropped, cfg.Private,
			transforms.InputsFile)
	}
	seconds := took.Seconds()
	row("time", "%.1f s", seconds)
	if len(cfg.Inputs) > 0 {
		row("speed", "%.0f notes/s, %.0f tokens/s", float64(r.RowsIn)/seconds, float64(r.Tokens)/seconds)
	}
	if p := transforms.ProcessProgress(); p.Windows.Load() > 0 { // where the workers are this process
		row("windows reused", "%d of %d, which the network had read before", p.Reused.Load(), p.Windows.Load())
	}
	if n := transforms.ProcessProgress().Shuffled.Load(); n > 0 { // where the workers are this process
		row("shuffled", "%d bytes", n)
	}
	row("report", "%s/%s", cfg.Output, transforms.ReportPage)
	row("private", "%s  (as sensitive as the input)", cfg.Private)
	w.Flush()
}

// Warnings returns what whoever reads a job's report has to know first.
func Warnings(cfg transforms.Config, r transforms.Report) (all []string) {
	warn := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, grouped(args)...)) }
	for _, w := range r.RowOrder.Warnings() {
		warn("%s", w)
	}
	for _, t := range r.Tables {
		for _, w := range t.RowOrder.Warnings() {
			warn("table %s: %s", t.Name, w)
		}
	}
	if n := r.Reasons[transforms.ReasonDuplicateID]; n > 0 {
		warn("%d notes repeat a document id; the first of each was released", n)
	}
	if r.Fallbacks > 0 {
		warn("%d of %d shards were worked on by the CPU of machines that seem to have a GPU: --execution_provider=cuda says why it "+
			"cannot be used", r.Fallbacks, r.Shards)
	}
	if r.LargestID > manyNotes {
		warn("one patient id has %d notes: if it is a stand-in such as 0, their dates all move by one offset and what is known of "+
			"one is looked for in all; make it null and run again", r.LargestID)
	}
	if r.DatesDiffer > 0 {
		warn("%d dates in texts equal a date column of their row and no longer do: masked, being impossible or out of range, "+
			"or read with day and month in the other order; see --day_order", r.DatesDiffer)
	}
	if n := cfg.Dates.Offsets(); n < 50 && cfg.Columns.DateOffset == "" && cfg.Policy.DateColumns == surrogate.Shift {
		warn("only %d offsets are possible under this date shift policy and range; whoever tries them all undoes the shift of a "+
			"patient", n)
	}
	switch t := r.KnownIdentifiers; {
	case t == nil || r.RowsOut == 0:
	case r.KnownPatients == 0:
		warn("no released note is of a patient in --identifiers: are ids written alike in both tables?")
	case !foundAny(r):
		warn("no note holds any of its patient's known identifiers: do the columns of --identifiers hold what --identifier_columns " +
			"says?")
	}
	if n := r.Nights; n != nil {
		if of := n.Released; n.Differing+n.MayDiffer > 0 {
			warn("%d released notes read otherwise by what is known now (%.1f %%), and %d more may; %s lists them, and --reissue with the whole "+
				"table as input releases them again", n.Differing, 100*float64(n.Differing)/float64(max(of, 1)), n.MayDiffer,
				storage.Join(cfg.Private, transforms.ReissueFile))
		}
		for _, s := range n.Drift {
			warn("tonight is unlike the nights before it: %s", s)
		}
	}
	return all
}

// foundAny tells whether any known identifier was found.
func foundAny(r transforms.Report) bool {
	for kind := range r.KnownIdentifiers.Values {
		if r.KnownFound[kind] > 0 {
			return true
		}
	}
	return false
}

// byCount returns the keys of m, most frequent first.
func byCount(m map[string]int64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if m[keys[i]] != m[keys[j]] {
			return m[keys[i]] > m[keys[j]]
		}
		return keys[i] < keys[j]
	})
	return keys
}

// counts lists m behind a total.
func counts(m map[string]int64) string {
	text := ""
	for i, k := range byCount(m) {
		if i == 0 {
			text = " ("
		} else {
			text += ", "
		}
		text += k + " " + humanize.Comma(m[k])
	}
	if text != "" {
		text += ")"
	}
	return text
}
