package deid

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// The orders of day and month in numeric dates that a configuration can say are
// usual. Evidence in a patient's notes goes before them.
const (
	DayFirst      = "day_first"
	MonthFirst    = "month_first"
	UsualInModels = "auto" // as the model's language has it
)

// DayOrders lists them.
func DayOrders() []string { return []string{UsualInModels, DayFirst, MonthFirst} }

// orders finds the order of day and month in each of a patient's notes, from
// the notes' dates, the days that they were written on, and the day of birth.
// Other patients' notes have no say: what a release holds beside a note must not
// change it.
func (p *Plan) orders(s Settings, notes []*Note) {
	own := make([]dates.Evidence, len(notes))
	var all dates.Evidence
	for i, n := range notes {
		k := dates.Known{Reference: p.reference(s, n), Born: p.Born, Birth: p.Birth}
		for _, surface := range datesOf(n.Spans) {
			own[i].Add(surface, k)
		}
		all.Join(own[i])
	}
	for i, n := range notes {
		n.Order = own[i].Order(all)
	}
}

// birthDay returns the day of birth, where the identifiers give one beyond doubt.
func birthDay(known []lexicon.Identifiers) (day int, ok bool) {
	for _, k := range known { // of several the first, whatever the order of the table
		one, ok1 := dates.ParseDays(k.BirthDate, dates.Reference{DayFirst: dates.Yes, Birth: true})
		other, ok2 := dates.ParseDays(k.BirthDate, dates.Reference{DayFirst: dates.No, Birth: true})
		if ok1 && ok2 && one == other && (!ok || one < day) {
			day, ok = one, true
		}
	}
	return day, ok
}

// sureNetwork and sureRule are the scores from which a pair of numbers without a year is
// evidence. Of pairs with a number over 12 that the network gave less, a fifth were
// scores on the notes set aside for choosing, of those that a weak rule alone found four
// fifths, of all others one in a hundred: 11/14 and 6/14 would tell that the month
// stands first.
const (
	sureNetwork = 0.05
	sureRule    = 0.8
)

// doubtful reports whether a date is two numbers that may be a score.
func doubtful(s phi.Found) bool {
	if strings.Count(s.Surface, "/")+strings.Count(s.Surface, "-")+strings.Count(s.Surface, ".") != 1 || len(s.Surface) > len("12/31") {
		return false
	}
	return s.Tagger == phi.Network && s.Score < sureNetwork || s.Tagger == phi.Rules && s.Score < sureRule
}

// datesOf returns the surfaces of dates that are evidence, each with the weekday beside
// it: "Wed" and "5/10" are two spans or one.
func datesOf(spans []phi.Found) []string {
	var all []string
	end, text := -1, -1 // of the last one
	for _, s := range spans {
		if s.Type != phi.Date {
			continue
		}
		if n := len(all); n > 0 && s.Text == text && s.Start >= end && s.Start <= end+2 && !strings.ContainsAny(all[n-1], "0123456789") {
			all[n-1] += " " + s.Surface
		} else if doubtful(s) {
			text = -1 // no weekday stands before what follows
			continue
		} else {
			all = append(all, s.Surface)
		}
		end, text = s.End, s.Text
	}
	return all
}

// reference returns how dates of a note are read, but for the order that its
// patient's notes tell.
func (p *Plan) reference(s Settings, n *Note) dates.Reference {
	ref := dates.InLanguage(s.Language)
	switch s.DayOrder {
	case DayFirst:
		ref.Usual = dates.Yes
	case MonthFirst:
		ref.Usual = dates.No
	}
	if n.Dated && p.Believes(n.Day) { // another says nothing
		ref.NoteDay, ref.HasNoteDay = n.Day, true
	}
	return ref
}

// Reference returns how the dates of a note are read that leave something open:
// by the day on which it was written, and in the order of day and month that
// Resolve found, or that is usual. Of the note it takes Dated, Day and Order.
func (p *Patient) Reference(n *Note) dates.Reference {
	ref := p.plan.reference(p.settings, n)
	ref.DayFirst = n.Order
	return ref
}
