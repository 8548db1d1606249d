package veto

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

var (
	fractionForm = regexp.MustCompile(`^(\d{1,3})/(\d{1,3})(?:[-+]\d)?$`)
	tripleForm   = regexp.MustCompile(`^\d{1,2}/\d{1,2}/\d{1,2}$`)
	weeksForm    = regexp.MustCompile(`^(\d{2}) (?:and )?[0-6]/7$`)
	namedForm    = regexp.MustCompile(`^([A-Za-z]+)-?\d{1,2} \d{1,3}/(\d{1,3})$`) // GAD-7 15/21
)

var (
	fractionUnits = names.Set("inch inches gauge tablet tablets tab tabs pill pills cup cups tsp tbsp teaspoon strength")
	counted       = names.Set(`nodes cores bottles bands quadrants items criteria symptoms questions answers inattentive hyperactive impulsive
		correct recall points words animals`)
	nodes  = names.Set("nodes") // "Nodes: level VI 5/9, left II-IV 2/14"
	wholes = names.Set("the a an her his their total normal all")
	allDay = names.Set("supervision care coverage monitoring support assistance availability available access nursing call")
	motor  = names.Set(`strength power motor flexion extension abduction adduction dorsiflexion plantarflexion inversion eversion
		grip deltoid deltoids biceps triceps quadriceps quads hamstrings iliopsoas tibialis ehl reflexes pulses`)
	murmurs = names.Set("murmur systolic diastolic holosystolic pansystolic sem ejection crescendo")
	acuity  = names.Set("va acuity vision unaided aided pinhole ph snellen uncorrected bcva ucva od os ou")
	snellen = map[int]bool{15: true, 16: true, 20: true, 25: true, 30: true, 32: true, 40: true, 50: true, 60: true, 63: true, 70: true,
		80: true, 100: true, 125: true, 150: true, 200: true, 250: true, 300: true, 320: true, 400: true, 600: true, 800: true}
	metric = map[int]bool{4: true, 5: true, 6: true, 9: true, 12: true, 15: true, 18: true, 24: true, 30: true, 36: true, 48: true,
		60: true}
	matches     = map[int]bool{6: true, 8: true, 10: true, 12: true}
	matched     = names.Set("hla donor donors murd mmurd mud msd haplo allele alleles match matched matching unrelated sibling types")
	frequencies = names.Set("od bd tds qds qid tid bid daily nocte stat prn om on mane weekly hrly hourly po iv im doses")
	durations   = names.Set("ago history hx duration old")
	mixes       = names.Set(`humalog novolog novolin humulin mixtard ryzodeg percocet norco vicodin lortab sinemet advair symbicort dulera
		augmentin bactrim diovan hyzaar benicar exforge lotrel ziac seroflo fostair tiotropium hydrocodone oxycodone carbidopa`)
)

// outOf holds scores and what they are out of; 0 stands for anything.
var outOf = scoreTable(`phq 27, phq 6, gad 21, epds 30, edinburgh 30, mmse 30, moca 30, moca 22, slums 30, gcs 15, coma 15, apgar 0,
	apgars 0,
	apgar 10, centor 4, centor 5, mcisaac 5, aldrete 10, epworth 24, ess 24, stop-bang 8, stopbang 8, bang 8, norton 20, braden 23,
	waterlow 0, flacc 10, nips 7, cries 10, katz 6, lawton 8, barthel 20, barthel 100, gds 15, gds 30, audit 40, cage 4, dast 10, dast 20,
	alvarado 10, bishop 13, ballard 50, bpp 8, bpp 10, silverman 10, westley 17, wells 0, curb 5, qsofa 3, sofa 24, perc 8, heart 10, timi 7,
	chads 6, vasc 9, nihss 42, mrs 6, rass 0, tinetti 28, berg 56, tug 0, morse 125, pain 10, vas 10, nrs 10, murmur 6, strength 5, power 5,
	mrc 5, asa 5, bipap 0, cpap 0, ipap 0, epap 0, er 8, pr 8, allred 8, eadl 0, visa 100, oxford 48, koos 100, womac 96, hads 21, ham 0,
	madrs 60, bprs 0, ymrs 60, cssrs 0, moca-b 30, clock 4, cdt 10, cdt 5, aims 28, aims 40, aims 42,
	niv 0, beighton 9, 4at 12, cfs 9, news 20, meld 40,
	silverman 10`)

func scoreTable(list string) map[string][]int {
	m := map[string][]int{}
	for _, item := range strings.Split(list, ",") {
		f := strings.Fields(item)
		n, err := strconv.Atoi(f[1])
		if err != nil {
			panic("veto: score without a number: " + item)
		}
		m[f[0]] = append(m[f[0]], n)
	}
	return m
}

// scoreWords may stand between a score's name and its value.
var scoreWords = names.Set("score scores scale total is was of index today now currently sum blind")

// behind returns the nearest word before the chunk that is neither a small
// number, as in "PHQ-9", nor a word like "score".
func (p *spot) behind() string {
	for k, w := range p.before {
		if k > 3 || !scoreWords[w] && !(len(w) <= 2 && w[0] >= '0' && w[0] <= '9') {
			return w
		}
	}
	return ""
}

// outOfIs reports whether a score of that name may be out of b.
func outOfIs(name string, b int) bool {
	for _, n := range outOf[name] {
		if n == 0 || n == b {
			return true
		}
	}
	return false
}

func isFraction(p *spot, _ phi.Type) bool {
	if tripleForm.MatchString(p.chunk) {
		return p.prev() == "apgar" || p.prev() == "apgars"
	}
	if m := weeksForm.FindStringSubmatch(p.chunk); m != nil {
		return gestation(m[1]) && !p.dated()
	}
	if m := namedForm.FindStringSubmatch(p.chunk); m != nil {
		n, _ := strconv.Atoi(m[2])
		return outOfIs(names.Fold(m[1]), n)
	}
	if gestation(p.chunk) && p.next() == "and" && at(p.after, 2) == "7" {
		return strings.HasPrefix(p.text[p.tokens[p.cj].End:], " and "+at(p.after, 1)+"/7") // "40 and 1/7"
	}
	m := fractionForm.FindStringSubmatch(p.chunk)
	if m == nil {
		return false
	}
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[2])
	switch {
	case p.dated() || b == 0:
		return false
	case a == 0, a > 12 && b > 12 && b != a+1 && b != 52 && !(a == 20 && b < 32):
		return true // no month, and no two years
	case a == 20 && snellen[b] && (b > 31 || len(m[1]) == 2 && b >= 20 || among(p.before, 4, acuity) || among(p.after, 4, acuity)):
		return true
	case a == 6 && metric[b] && (among(p.before, around, acuity) || among(p.after, around, acuity)):
		return true
	case a <= b && outOfIs(p.behind(), b), outOfIs(p.behind(), 0), mixes[p.prev()]:
		return true
	case a <= b && pattern.NodeStage(p.text, int(p.tokens[p.ci].Start)):
		return true
	case fractionUnits[p.next()]:
		return true
	case a <= b && (among(p.after, 3, counted) || among(p.before, 6, nodes)):
		return true
	case a < b && b <= 10 && p.next() == "of" && wholes[at(p.after, 1)]:
		return true
	case a <= 5 && b == 5 && (among(p.before, 4, motor) || among(p.after, 3, motor)):
		return true
	case a <= 6 && b == 6 && among(p.after, 3, murmurs):
		return true
	case a == 24 && b == 7 && allDay[p.next()]:
		return true
	case b == 52 && a <= 40 && p.prev() != "week":
		return true // weeks
	case a <= b && matches[b] && (among(p.before, 4, matched) || among(p.after, 3, matched)):
		return true // alleles of a donor
	case (b == 7 || b == 12) && frequencies[p.prev()]:
		return true
	case (b == 7 || b == 12 || b == 52) && (p.prev() == "x" || p.prev() == "tci" || durations[p.next()]):
		return true
	case a <= 6 && b == 7 && !p.column():
		return gestation(p.prev()) || p.prev() == "and" && gestation(at(p.before, 1))
	}
	return false
}

// column reports whether more than a blank stands before the chunk, as between the
// columns of a table: "Lipitor   40   3/7" is no gestation of 40 weeks.
func (p *spot) column() bool {
	before := p.text[:p.tokens[p.ci].Start]
	return strings.HasSuffix(before, "  ") || strings.HasSuffix(before, "\t")
}

// gestation reports whether a word is a number of weeks of a pregnancy.
func gestation(w string) bool {
	n, err := strconv.Atoi(w)
	return err == nil && 15 <= n && n <= 43
}
