package deid

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// A table's columns that are released as they are may hold what the texts have
// lost: a name in a title, a record number beside its pseudonym. What follows
// looks at their values, each by itself, and says whether, never what.

// Knows reports whether something that is known beforehand of the patient
// stands in a value. What was only found in notes does not count: it may be wrong.
func (p *Patient) Knows(value string) bool {
	for _, s := range p.beforehand().Sweep(nil, value, token.Tokenize(nil, value)) {
		if s.Tagger == phi.Known {
			return true
		}
	}
	return false
}

// beforehand returns the lexicon of what is known beforehand alone.
func (p *Patient) beforehand() *lexicon.Lexicon {
	p.mu.Lock()
	defer p.mu.Unlock() // a panic, which costs the row, must not hold up the patient's others
	if p.known == nil {
		p.known = lexicon.NewLexicon(slices.DeleteFunc(slices.Clone(p.plan.Observed), func(s lexicon.Surface) bool {
			return s.Tagger != phi.Known
		}))
	}
	return p.known
}

// Numbers reports whether the rules find a contact, or a number that a label or
// a check digit tells, in a value.
func (d *Detector) Numbers(value string) (found bool) {
	m := d.matcher()
	if m == nil {
		return false
	}
	ok := spared("rules", value, func() {
		for _, s := range m.Tag(nil, value, token.Tokenize(nil, value)) {
			switch s.Type.Category() {
			case "CONTACT": // an extension of three digits alone is a code's last part as often
				letters, digits := lettersAndDigits(value[s.Start:s.End])
				found = found || letters >= fewest || digits >= fewest
			case "ID":
				_, digits := lettersAndDigits(value[s.Start:s.End])
				found = found || s.Score >= policy.Labelled && digits >= fewest
			}
		}
	})
	if ok {
		d.release(m)
	}
	return found || !ok
}

// Names counts the values in which the taggers find the name of a person.
func (d *Detector) Names(values []string) (int, error) {
	notes, texts := make([]Note, len(values)), make([][]string, len(values))
	for i, v := range values {
		texts[i] = []string{v}
	}
	if _, err := d.Detect(notes, texts); err != nil {
		return 0, err
	}
	named := 0
	for i, n := range notes {
		if n.Failure != "" || slices.ContainsFunc(n.Spans, namesSomebody) && wordy(values[i]) {
			named++
		}
	}
	return named, nil
}

// fewest is how many letters or digits a number has at least that tells anything
// by itself.
const fewest = 5

func lettersAndDigits(s string) (letters, digits int) {
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return letters, digits
}

// namesSomebody leaves out what the network all but rules out: a value of a table
// is a word or two, without the text around that it learned to go by.
func namesSomebody(f phi.Found) bool {
	return f.Type.Category() == "NAME" && f.Score >= policy.LoneName && !f.Tagger.Aside()
}

// wordy tells whether a value has as many letters as the shortest names do, and
// so is no code such as "x12".
func wordy(value string) bool {
	letters, _ := lettersAndDigits(value)
	return letters >= 2
}

// CompactDay reports whether a value reads as a date written as yyyymmdd, of the
// years that patients live in.
func CompactDay(value string) bool {
	if len(value) != 8 {
		return false
	}
	t, err := time.Parse("20060102", value)
	return err == nil && t.Year() >= 1900 && t.Year() < 2100
}

// Day reports whether a value is a date in one of the usual forms, with or without a
// time of day.
func Day(value string) bool {
	s := strings.TrimSpace(value)
	if len(s) < len("1/2/2006") || len(s) > longestDay || CompactDay(s) {
		return CompactDay(s)
	}
	for _, layout := range []string{"2006-01-02", "2006/01/02", "01/02/2006", "1/2/2006", "02/01/2006", "2/1/2006", "02.01.2006",
		"02-Jan-2006", "Jan 2, 2006"} {
		head, _, _ := strings.Cut(s, "T")
		if strings.Count(layout, " ") == 0 {
			head, _, _ = strings.Cut(head, " ")
		}
		if _, err := time.Parse(layout, head); err == nil {
			return true
		}
	}
	return false
}

// longestDay is longer than any date with its time of day and zone.
const longestDay = 64
