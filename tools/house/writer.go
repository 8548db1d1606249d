package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// writer fills the house's templates for one patient.
type writer struct {
	*house
	patient
	random  *rand.Rand
	late    bool // after the change of staff
	born    time.Time
	mrn     string
	address string // number and street
	town    [2]string
	code    string // postcode
	nhs     string
	phone   string // of the next of kin
	surgery [2]string
	ward    ward
	bed     int

	// Of one note.
	at     time.Time
	author member
	cons   member
	drawn  map[string]string
	used   map[string]bool // phrases
}

func newWriter(h *house, p patient, random *rand.Rand, late bool) *writer {
	w := &writer{house: h, patient: p, random: random, late: late}
	w.born = time.Date(1932+random.IntN(70), time.Month(1+random.IntN(12)), 1+random.IntN(28), 0, 0, 0, 0, time.UTC)
	w.mrn = fmt.Sprintf("SK/%02d/%05d", 8+random.IntN(16), random.IntN(100000))
	w.address = fmt.Sprintf("%d %s", 1+random.IntN(60), pick(random, h.streets))
	w.town = pick(random, h.towns)
	w.code = fmt.Sprintf("%s %d%s", w.town[1], 1+random.IntN(9), letters(random, 2))
	w.nhs = fmt.Sprintf("999 %03d %04d", random.IntN(1000), random.IntN(10000))
	w.phone = fmt.Sprintf("01632 960%03d", 200+random.IntN(800))
	if random.IntN(2) == 0 {
		w.phone = fmt.Sprintf("07700 900%03d", random.IntN(1000))
	}
	w.surgery = pick(random, h.surgeries)
	w.ward = pick(random, h.wards)
	w.bed = 1 + random.IntN(24)
	return w
}

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

func letters(random *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ABDEFGHJLNPQRSTUWXYZ"[random.IntN(20)]
	}
	return string(b)
}

// member draws one of the staff of a kind, the first of them most often.
func (w *writer) member(kind string) member {
	var there []member
	for _, m := range w.staff {
		if m.kind == kind && (m.when == "" || m.when == "b" == w.late) {
			there = append(there, m)
		}
	}
	total := 0.0
	for i := range there {
		total += 1 / float64(i+1)
	}
	x := w.random.Float64() * total
	for i := range there {
		if x -= 1 / float64(i+1); x < 0 {
			return there[i]
		}
	}
	return there[len(there)-1]
}

var hole = regexp.MustCompile(`\{[^{}]+\}`)

// note writes one note. Holes of phrases are filled as those of templates.
func (w *writer) note(t template, day time.Time) (string, error) {
	w.at = day.Add(time.Duration(w.random.IntN(11*60)) * time.Minute)
	w.author, w.cons = w.member(t.author), w.member("consultant")
	if t.author == "consultant" {
		w.cons = w.author
	}
	w.drawn, w.used = map[string]string{}, map[string]bool{}
	var wrong error
	fill := func(text string) string {
		return hole.ReplaceAllStringFunc(text, func(h string) string {
			name := h[1 : len(h)-1]
			if strings.HasPrefix(name, "@") {
				return w.phrase(name)
			}
			value, err := w.value(name)
			if err != nil {
				wrong = fmt.Errorf("template %s: %w", t.name, err)
			}
			return value
		})
	}
	text := fill(fill(t.text))
	return text, wrong
}

// phrase draws a phrase that the note does not have yet. Of each three, one is
// written in both halves of the year, one in the first alone, one in the second.
func (w *writer) phrase(section string) string {
	var there []string
	for i, p := range w.phrases[section] {
		if (i%3 == 0 || i%3 == 2 == w.late) && !w.used[p] {
			there = append(there, p)
		}
	}
	if len(there) == 0 {
		return ""
	}
	p := pick(w.random, there)
	w.used[p] = true
	return p
}

func mark(kind, text string) string { return "[[" + kind + ":" + text + "]]" }

// article leaves a leading article outside of a mark.
func article(kind, text string) string {
	if rest, ok := strings.CutPrefix(text, "the "); ok {
		return "the " + mark(kind, rest)
	}
	return mark(kind, text)
}

func first(name string) string { return strings.SplitN(name, " ", 2)[0] }

func last(name string) string {
	_, after, _ := strings.Cut(name, " ")
	return after
}

var days = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

// once draws a value that stays the same within the note.
func (w *writer) once(name string, draw func() string) string {
	if w.drawn[name] == "" {
		w.drawn[name] = draw()
	}
	return w.drawn[name]
}

// shifted reads names such as date-3 or datedot+1.
func (w *writer) shifted(name string) (base string, at time.Time) {
	for _, base := range []string{"datedot", "date"} {
		rest, ok := strings.CutPrefix(name, base)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(rest); rest == "" || err == nil {
			return base, w.at.AddDate(0, 0, n)
		}
	}
	return "", w.at
}
