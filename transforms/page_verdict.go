package transforms

import (
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Verdict is what a page says first.
type Verdict struct {
	Class string // good, mind or stop: how it looks
	Text  string
	Why   string
}

// Verdict says in two sentences where the release stands.
func (p *Page) Verdict() Verdict {
	g := p.Report.Gate
	switch {
	case p.Manifest.Trial != "":
		return Verdict{"stop", "A trial run, and no release.", p.Manifest.Trial}
	case g != nil && !g.Passed:
		return Verdict{"stop", "Refused by the gate.", "Nothing was published."}
	case g == nil:
		return Verdict{"mind", "Published; no thresholds were set.",
			"The job's own checks passed. Nobody has said what a release of this institution has to keep to: see --gate."}
	case len(p.LookAt()) > 0:
		return Verdict{"mind", fmt.Sprintf("Published; %s passed.", checks(len(g.Checks))), "Look at the points below before you sign."}
	}
	return Verdict{"good", fmt.Sprintf("Published; %s passed.", checks(len(g.Checks))), "Nothing stands out."}
}

func checks(n int) string {
	if n == 1 {
		return "the one check of the gate"
	}
	return fmt.Sprintf("all %d checks of the gate", n)
}

// LookAt returns what whoever signs should look at first, a sentence or two each.
func (p *Page) LookAt() (all []string) {
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	r, c := &p.Report, p.Manifest.Configuration
	switch {
	case !p.Private || p.Estimate != nil:
	case p.Reviewed:
		add("What is left is not on this page, though notes were reviewed. Run palimpsest estimate --json FILE, and name FILE by --estimate.")
	default:
		add("Nobody has measured what is left. Review a sample (palimpsest review) and estimate; invented notes say little about yours.")
	}
	if e := p.Estimate; e != nil && e.Reviewer == nil {
		add("The estimate does not know what its reviewers overlook: no note was first shown without marks.")
	}
	if r.Quarantined > 0 {
		add("%s of %s rows are in quarantine and not released (%s).", thousands(r.Quarantined), thousands(r.RowsIn), reasons(r.Reasons))
	}
	switch t := r.KnownIdentifiers; {
	case t == nil:
		add("No known identifiers were given. A table of patients' names and numbers finds what taggers miss (--identifiers).")
	case r.RowsOut > r.KnownPatients:
		add("%s of %s notes are of patients whom the known identifiers do not name.", thousands(r.RowsOut-r.KnownPatients), thousands(r.RowsOut))
	}
	if r.WithoutID > 0 {
		add("%s notes have no patient id; each is treated as its own patient, so names found in one are not looked for in the others.",
			thousands(r.WithoutID))
	}
	if kept := p.kept(); len(kept) > 0 {
		add("Released as they are, and looked at by the job alone: %s.", strings.Join(kept, ", "))
	}
	if c.KeepIDs {
		add("Document and patient ids are released as they are (--ids=keep).")
	}
	for _, w := range r.RowOrder.Warnings() {
		add("%s.", strings.ToUpper(w[:1])+w[1:])
	}
	if r.DatesDiffer > 0 {
		add("%s dates in texts equal a date column of their row in the input and no longer do.", thousands(r.DatesDiffer))
	}
	if r.LatePast > 0 {
		add("%s dates that were past in their note are released as of after the extract's end, which tells that they moved forwards.",
			thousands(r.LatePast))
	}
	if r.ImplausibleDates > 0 {
		add("%s notes have a date that cannot be theirs; they were read without one.", thousands(r.ImplausibleDates))
	}
	if n := c.Dates.Offsets(); n > 0 && n < 50 && c.Columns.DateOffset == "" && c.Policy.DateColumns == surrogate.Shift {
		add("Dates move by one of only %d numbers of days; whoever tries them all undoes it.", n)
	}
	if r.AllowKept > 0 {
		add("The site's allow list left %s spans as they are that would have been replaced.", thousands(r.AllowKept))
	}
	if a := p.Attack; a != nil {
		if a.Unnamed {
			add("The attack's file is of an earlier version and does not say which release it is of. Run palimpsest attack --json again.")
		}
		for _, e := range a.Evidence {
			if e.Exactly > 0 && strings.HasPrefix(e.Kind, "all") {
				add("An attack with what outsiders may know narrows the shift of %d of %d patients down to one.", e.Exactly, a.Patients)
			}
		}
	}
	for _, x := range p.Changes() {
		if x.Clear && x.Percent() >= 25 {
			add("%s: %.1f per 1,000 tokens, in the former release %.1f.", strings.ToUpper(x.What[:1])+x.What[1:], x.After, x.Before)
		}
	}
	if len(p.Places) > 0 {
		add("The gate's audit found %s places within its limits; they are listed at the end.", thousands(p.Found))
	}
	return all
}

// kept lists the columns that are released as they are and hold words or numbers.
func (p *Page) kept() (all []string) {
	for _, c := range p.Report.Columns {
		if c.Role == string(table.RoleKeep) && !strings.Contains(c.Type, "BOOLEAN") {
			all = append(all, c.Path)
		}
	}
	return all
}
