package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

var (
	wordForm   = regexp.MustCompile(`[\p{L}\p{M}]+(?:['\x{2019}][\p{L}\p{M}]+)*`)
	postcodeUK = regexp.MustCompile(`\b[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}\b|\+44|\+353|\bEircode\b`)
	american   = regexp.MustCompile(`\b[A-Z]{2} [0-9]{5}\b`)
	phoneUS    = regexp.MustCompile(`^\D{0,2}([2-9][0-9]{2})\D{0,2}[0-9]{3}\D?[0-9]{4}$`)
	nhsNumber  = regexp.MustCompile(`^[0-9]{3}[ -][0-9]{3}[ -][0-9]{4}$`)
	fiction    = regexp.MustCompile(`555\D{0,2}01[0-9]{2}`)
	occupation = regexp.MustCompile(`(er|or|ist|ian|man|men|hand|smith|wright|nurse|clerk|student|aide|mate|captain|sergeant)s?$`)
	ofWhat     = regexp.MustCompile(` (?:of|for|to) .*$`) // director of nursing
	mailboxes  = names.Set(`admin info reception office contact enquiries frontdesk appointments billing records scheduling referrals
		helpdesk`)
	hospitalWord = names.Set("hospital hospitals infirmary clinic hospice medical sanatorium")
)

// countKinds returns the figures of names, institutions, places and professions.
func (c *corpus) countKinds(name string, l *lists, say func(what string, n *note, g mark, after string)) figures {
	var surnames, sexes, titles, mailbox, runs, employers, kinds, isles, nhs, jobs tally
	heads, areas := map[string]map[string]bool{}, map[string]map[string]bool{}
	british := map[string]bool{}
	for i := range c.notes {
		n := &c.notes[i]
		if text := string(n.before); american.MatchString(text) {
			british[n.patient] = false
		} else if _, told := british[n.patient]; !told && postcodeUK.MatchString(text) {
			british[n.patient] = true
		}
	}
	adder := func(n *note, g mark, after string) func(t *tally, what string, hit bool) {
		return func(t *tally, what string, hit bool) {
			if t.add(hit); hit {
				say(what, n, g, after)
			}
		}
	}
	for i := range c.notes {
		n := &c.notes[i]
		for _, f := range n.found {
			g := mark{int(f.Start), int(f.End), f.Type}
			before, after := string(n.before[f.Start:f.End]), string(n.after[f.OutputStart:f.OutputEnd])
			add := adder(n, g, after)
			old, now := wordForm.FindAllString(before, -1), wordForm.FindAllString(after, -1)
			switch f.Type {
			case "PATIENT", "DOCTOR":
				if len(old) != len(now) || strings.ContainsAny(before, "0123456789") {
					continue // a scanner's words are not those that people read
				}
				first := 0
				for first < len(old) && names.Titles[plain(old[first])] {
					first++
				}
				for j, w := range old {
					if low := plain(w); j < first && len(old) > 1 || j > 1 && j == len(old)-1 && len(low) > 1 && names.IsDegree(low) &&
						w == strings.ToUpper(w) {
						add(&titles, "title", w != now[j])
					}
				}
				if len(old)-first < 2 || strings.Contains(before, ",") || len(old[first]) < 2 || len(old[first+1]) < 2 && len(old) == 2 {
					continue
				}
				a, b := plain(old[first]), plain(now[first])
				if at := strings.Index(before, old[first]) + len(old[first]); strings.HasPrefix(before[at:], "-") {
					continue // a double family name
				}
				familyFirst := l.family[a] && l.given[a] == "" // as it was: "WIECZOREK Boguslaw"
				add(&surnames, "surname first", l.family[b] && l.given[b] == "" && !familyFirst)
				if x, y := l.given[a], l.given[b]; x != "" && y != "" && x[0] != 'u' && y[0] != 'u' {
					add(&sexes, "sex", x[0] != y[0])
				}
			case "EMAIL":
				for _, w := range wordForm.FindAllString(strings.SplitN(before, "@", 2)[0], -1) {
					if mailboxes[plain(w)] {
						add(&mailbox, "mailbox", !strings.Contains(strings.SplitN(after, "@", 2)[0], w))
					}
				}
			case "HOSPITAL", "ORGANIZATION", "DEPARTMENT":
				add(&runs, "two heads", l.heads(old, now) > 1)
			case "PROFESSION":
				job := ofWhat.ReplaceAllString(before, "")
				if !l.jobs[lastWord(job)] && !occupation.MatchString(plain(job)) {
					add(&jobs, "no occupation", l.drawn[strings.TrimSuffix(plain(after), "s")])
				}
			}
		}
		for _, g := range n.gold {
			surface := string(n.before[g.start:g.end])
			_, after, lead, tail, by := n.released(g.start, g.end)
			if len(by) == 0 || lead != "" || tail != "" {
				continue
			}
			add := adder(n, g, after)
			old, now := wordForm.FindAllString(surface, -1), wordForm.FindAllString(after, -1)
			switch g.typ {
			case "HOSPITAL", "ORGANIZATION":
				if g.typ == "ORGANIZATION" {
					add(&employers, "employer a hospital", anyOf(now, hospitalWord) && !anyOf(old, hospitalWord))
				}
				add(&kinds, "institution of another kind", l.otherKind(old, now, after))
				if len(old) > 0 && len(now) > 0 && len(old[0]) > 3 && !l.generic[plain(old[0])] {
					key := n.patient + " " + plain(old[0])
					enter(heads, key, plain(now[0]))
					if len(heads[key]) > 1 {
						say("two heads of one", n, g, after)
					}
				}
			case "CITY":
				if british[n.patient] && len(now) > 0 {
					add(&isles, "left the isles", l.usCity[plain(after)] && !l.isles[plain(after)])
				}
			case "PHONE", "FAX":
				if x, y := phoneUS.FindStringSubmatch(surface), phoneUS.FindStringSubmatch(after); x != nil && y != nil {
					key := n.patient + " " + x[1]
					enter(areas, key, y[1])
					if len(areas[key]) > 1 {
						say("two area codes", n, g, after)
					}
				}
			case "MEDICALRECORD", "IDNUM", "ACCOUNT", "HEALTHPLAN":
				if digits := number(surface); nhsNumber.MatchString(surface) && nhsDigit(digits) {
					add(&nhs, "national number", fiction.MatchString(after) || nhsDigit(number(after)))
				}
			}
		}
	}
	several := func(m map[string]map[string]bool) (t tally) {
		for _, k := range sorted(m) {
			t.add(len(m[k]) > 1)
		}
		return t
	}
	headed, coded := several(heads), several(areas)
	return figures{
		{name, "full names whose surrogate begins with a family name", surnames.n, surnames.of},
		{name, "given names of known sex that got one of the other", sexes.n, sexes.of},
		{name, "titles, ranks and degrees within names that were replaced", titles.n, titles.of},
		{name, "words such as info in addresses that were replaced", mailbox.n, mailbox.of},
		{name, "institutions with two invented names in one mention", runs.n, runs.of},
		{name, "institutions of a patient that became two", headed.n, headed.of},
		{name, "employers and the like that became hospitals", employers.n, employers.of},
		{name, "institutions that became a town, a person or a street", kinds.n, kinds.of},
		{name, "towns of British and Irish patients that became American", isles.n, isles.of},
		{name, "area codes of a patient that became two", coded.n, coded.of},
		{name, "NHS numbers that became a phone or another valid one", nhs.n, nhs.of},
		{name, "phrases that are no occupation and became one", jobs.n, jobs.of},
	}
}

// heads counts the runs of words of an institution that are new and say nothing
// of what it is. The B of 7B is none, and what stands at the end for a town that
// stood there is that town's, which may be invented too.
func (l *lists) heads(old, now []string) int {
	stood := map[string]bool{}
	for _, w := range old {
		stood[plain(w)] = true
	}
	invented := func(w string) bool {
		f := plain(w)
		return !stood[f] && !l.generic[f] && !l.usCity[f] && !l.isles[f] && len(f) > 1
	}
	if n := len(old); n > 1 {
		if f := plain(old[n-1]); l.usCity[f] || l.isles[f] || l.farCity[f] {
			for k := len(now); k > 1 && invented(now[k-1]); k-- {
				now = now[:k-1]
			}
		}
	}
	count, within := 0, false
	for _, w := range now {
		if invented(w) && !within {
			count++
		}
		within = invented(w)
	}
	return count
}

// otherKind reports whether what stands for an institution is a town, a person
// or a street.
func (l *lists) otherKind(old, now []string, after string) bool {
	if len(now) == 0 || slices.Equal(old, now) {
		return false
	}
	for _, w := range now {
		if f := plain(w); l.generic[f] {
			return false
		}
	}
	if l.usCity[plain(after)] {
		return true
	}
	for _, w := range now {
		if f := plain(w); l.given[f] == "" && !l.family[f] {
			return false
		}
	}
	return true
}

func anyOf(words []string, set map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return set[plain(w)] })
}

func enter(m map[string]map[string]bool, key, value string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][value] = true
}

func number(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// nhsDigit reports whether ten digits end in the check digit of NHS numbers.
func nhsDigit(s string) bool {
	if len(s) != 10 {
		return false
	}
	sum := 0
	for i := range 9 {
		sum += (10 - i) * int(s[i]-'0')
	}
	return (11-sum%11)%11 == int(s[9]-'0')
}
