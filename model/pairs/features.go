package pairs

import (
	"math"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// sure is the lead in nats from which a pair counts as a date for others, and unlikely the one
// below which it counts as none.
const (
	sure     = 2.5
	unlikely = -1
)

// most bounds leads, in nats.
const most = 8

// lead returns the network's odds of a pair, in nats; where it tells none, what others found.
func (o Opinion) lead() float64 {
	switch {
	case o.Told:
		c := min(max(float64(o.Chance), 1e-6), 1-1e-6)
		return min(max(math.Log(c/(1-c)), -most), most)
	case o.By == Network:
		return sure
	}
	return 0
}

// Features returns what pair k of a note is judged by.
func (j *Judge) Features(k int) Features {
	g, o, lead := j.note.Pairs[k], j.note.Opinions[k], j.leads[k]
	var f Features
	f[atBias] = 1
	if o.Told {
		f[atAbove], f[atBelow], f[atFarBelow] = max(lead, 0)/4, min(lead, 0)/4, min(lead+4, 0)/4
	}
	f.set(atUntold, !o.Told)
	f.set(atRules, o.By == Rules)
	f.set(atNetwork, o.By == Network && !o.Told)
	days, ordered := j.note.days(g)
	j.nearNote(&f, days)
	j.nearDates(&f, k, days)
	f.set(atOrder, !ordered && len(days) > 0)
	f.set(atNoDay, len(days) == 0)
	f.set(atClear, len(days) > 0 && (g.A > 12 || g.B > 12))
	f.set(atFraction, g.Separator == '/' && g.A < g.B)
	f.set(atWhole, g.A == g.B)
	surface := j.note.surface(k)
	f.set(atZeroA, surface[0] == '0')
	f.set(atZeroB, surface[strings.IndexByte(surface, g.Separator)+1] == '0')
	f.set(atDash, g.Separator == '-')
	f.set(atRange, g.Separator == '-' && g.A < g.B)
	if i := slices.Index(seconds[:], g.B); i >= 0 {
		f[atSecond+i] = 1
	}
	j.among(&f, k)
	j.note.around(&f, g)
	return f
}

func (f *Features) set(at int, b bool) {
	if b {
		f[at] = 1
	}
}

// bin sets the feature of how near a day lies.
func (f *Features) bin(at, distance int) {
	i := 0
	for i < len(near) && distance > near[i] {
		i++
	}
	f[at+i] = 1
}

// days returns the months and days that a pair names in the order that is known of the note or,
// where none is or it names none in that order, in either; ordered tells which.
func (n *Note) days(g Group) (days [][2]int, ordered bool) {
	of := func(month, day int) {
		if dates.Valid(2000, month, day) {
			days = append(days, [2]int{month, day})
		}
	}
	switch n.Ref.DayFirst {
	case dates.Yes:
		of(g.B, g.A)
	case dates.No:
		of(g.A, g.B)
	}
	if len(days) > 0 {
		return days, true
	}
	of(g.A, g.B)
	if g.A != g.B {
		of(g.B, g.A)
	}
	return days, n.Ref.DayFirst == dates.Unknown
}

func (n *Note) surface(k int) string { return n.Text[n.Pairs[k].Start:n.Pairs[k].End] }

// eachYear calls see with the days that months and days name in the years about another day.
func eachYear(days [][2]int, about int, see func(day int)) {
	year, _, _ := dates.CivilFromDays(about)
	for y := year - 1; y <= year+1; y++ {
		for _, d := range days {
			if dates.Valid(y, d[0], d[1]) {
				see(dates.DaysFromCivil(y, d[0], d[1]))
			}
		}
	}
}

// apart returns by how many days the nearest of some days of any year lies after another day.
func apart(days [][2]int, day int) (after int, ok bool) {
	eachYear(days, day, func(d int) {
		if !ok || abs(d-day) < abs(after) {
			after, ok = d-day, true
		}
	})
	return after, ok
}

func (j *Judge) nearNote(f *Features, days [][2]int) {
	if !j.note.Ref.HasNoteDay {
		f[atNoNote] = 1
		return
	}
	if after, ok := apart(days, j.note.Ref.NoteDay); ok {
		f.bin(atNote, abs(after))
		f.set(atLater, after > near[0])
	}
}

// nearDates sets how near a pair's day lies to the text's other dates, and whether it lies
// between those of the sure pairs around it.
func (j *Judge) nearDates(f *Features, k int, days [][2]int) {
	nearest, found := 0, false
	surface := j.note.surface(k)
	see := func(day int) {
		if d, ok := j.nearest(day, surface); ok && (!found || d < nearest) {
			nearest, found = d, true
		}
	}
	for _, about := range j.years() {
		eachYear(days, about, see)
	}
	if !found {
		f[atNoDates] = 1
		return
	}
	f.bin(atDates, nearest)
	before, behind := j.before[k], j.behind[k]
	if before < 0 || behind < 0 {
		return
	}
	from, to := j.dayOf[before], j.dayOf[behind]
	if len(from) == 0 || len(to) == 0 || from[0] > to[0] || to[0]-from[0] > near[len(near)-2] {
		return
	}
	if after, ok := apart(days, from[0]); ok && after >= 0 && from[0]+after <= to[0] {
		f[atBetween] = 1
	}
}

// among sets what is thought of a text's other pairs.
func (j *Judge) among(f *Features, k int) {
	g := j.note.Pairs[k]
	alike := math.Inf(-1)
	for _, i := range [2]int{k - 1, k + 1} {
		if i >= 0 && i < len(j.leads) && j.note.alike(g, j.note.Pairs[i]) {
			alike = max(alike, j.leads[i])
		}
	}
	if !math.IsInf(alike, 0) {
		f[atAlike] = min(max(alike, -6), 6) / 4
	}
	surface, own := j.note.surface(k), j.leads[k]
	f.set(atSame, j.sureOf[surface] > count(own >= sure))
	f[atScale] = float64(min(j.unlikelyOf[g.B]-count(own < unlikely), 3)) / 3
	f[atMean] = j.mean / 4
	f.set(atElsewhere, j.note.Elsewhere != nil && j.note.Elsewhere(surface))
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// widest is how long in bytes the text between two pairs of a line may be.
const widest = 60

// alike reports whether two pairs of a line stand alike in clauses beside each other: both begin
// theirs ("10/11 chest, 10/12 eyes yellow") or both end it ("first set 5/4; hepatitis B 4/4.").
func (n *Note) alike(a, b Group) bool {
	if a.Start > b.Start {
		a, b = b, a
	}
	between := n.Text[a.End:b.Start]
	if len(between) > widest || strings.ContainsAny(between, "\n\r") {
		return false
	}
	// Semicolons part clauses that have commas: "HepB 2/9; Pediarix, HIB 3/10."
	if c := strings.Count(between, ";"); c > 1 || c == 0 && strings.Count(between, ",") != 1 || strings.Contains(between, ". ") {
		return false
	}
	opens := func(g Group) bool {
		before := strings.TrimRight(n.Text[:g.Start], " ")
		return before == "" || strings.IndexByte(",;:\n\r", before[len(before)-1]) >= 0
	}
	closes := func(g Group) bool { return clauseEnds(n.Text[g.End:]) }
	return opens(a) && opens(b) && !closes(b) || closes(a) && closes(b) && !opens(b)
}

// around sets what stands directly before and behind a pair.
func (n *Note) around(f *Features, g Group) {
	before, rest := strings.TrimRight(n.Text[:g.Start], " \t"), n.Text[g.End:]
	last := byte('\n')
	if before != "" {
		last = before[len(before)-1]
	}
	spaced := len(before) < g.Start
	f.set(atStart, last == '\n' || last == '\r')
	f.set(atSentence, spaced && (last == '.' || last == ';'))
	f.set(atComma, spaced && last == ',')
	f.set(atBracket, !spaced && last == '(')
	f.set(atEvent, event(before))
	f.set(atLabel, spaced && last == ':')
	f.set(atSum, last == '=' || last == '>')
	f.set(atNumber, spaced && isDigit(before, len(before)-1))
	f.set(atEnds, clauseEnds(rest))
	f.set(atColon, strings.HasPrefix(rest, ":"))
	f.set(atOpen, strings.HasPrefix(rest, "-"))
	behind := strings.TrimLeft(rest, " ")
	f.set(atEquals, strings.HasPrefix(behind, "="))
	f.set(atDigits, len(behind) < len(rest) && isDigit(behind, 0))
	f.set(atUnit, n.unit(g, behind))
	f.set(atColumn, last == '|' || len(before)+1 < g.Start && last != '\n' && last != '\r' || strings.HasPrefix(behind, "|") ||
		strings.HasPrefix(rest, "\t") || len(behind)+1 < len(rest))
}

// unit reports whether a pair counts what follows: "12-2 weeks".
func (n *Note) unit(g Group, behind string) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(behind[:min(len(behind), 20)], " -"), " ")
	next = strings.TrimRight(next, ".,;:)\n\r")
	if next == "" || !isLetter(next[0]) {
		return false
	}
	_, err := dates.Parse(n.Text[g.Start:g.End]+" "+next, n.Ref)
	return err == dates.ErrRelative
}

// clauseEnds reports whether a text begins with the end of a clause or a line.
func clauseEnds(rest string) bool {
	if rest == "" || strings.IndexByte(",;)\n\r", rest[0]) >= 0 {
		return true
	}
	return rest[0] == '.' && (len(rest) == 1 || strings.IndexByte(" \n\r", rest[1]) >= 0)
}

func abs(n int) int { return max(n, -n) }
