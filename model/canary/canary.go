// Package canary plants made-up identifiers in copies of notes, so that a site can
// count how many of them its job finds. They are what the job itself puts in place
// of real ones, in sentences and headers of clinical notes that nothing was trained on.
package canary

import (
	"crypto/sha256"
	_ "embed" // of the carriers
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

//go:embed carriers-en.txt
var english string

//go:embed carriers-es.txt
var spanish string

// Carrier is a line or a sentence with a place for an identifier.
type Carrier struct {
	Type  phi.Type
	Form  string // a value of the form that the made-up one takes
	Text  string // with {} where it stands
	Alone bool   // a line of its own
}

// Carriers returns those of a language, none for one that has none.
func Carriers(language string) (all []Carrier) {
	for _, line := range strings.Split(map[string]string{"en": english, "es": spanish}[language], "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.SplitN(line, " | ", 3)
		t, err := phi.ParseType(f[0])
		if err != nil || len(f) != 3 || strings.Count(f[2], "{}") != 1 {
			panic("canary: a carrier is written wrongly: " + line)
		}
		all = append(all, Carrier{t, f[1], f[2], !strings.HasSuffix(f[2], ".")})
	}
	return all
}

// Planted is one identifier in a text, from byte Start to End.
type Planted struct {
	Carrier
	Start, End int
}

// Planter plants by a seed, the same each time.
type Planter struct {
	carriers []Carrier // of types that are replaced, type after type
	keys     *surrogate.Keyring
	language string
	seed     uint64
}

// NewPlanter returns a planter of identifiers that the policy does not keep. secret
// decides them, with the seed.
func NewPlanter(language string, policy surrogate.Policy, secret []byte, seed uint64) (*Planter, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "canaries\x00%d\x00%s", seed, secret))
	keys, err := surrogate.NewKeyring(key[:], 0)
	if err != nil {
		return nil, err
	}
	p := &Planter{keys: keys, language: language, seed: seed}
	byType := map[phi.Type][]Carrier{}
	var types []phi.Type
	for _, c := range Carriers(language) {
		if policy.Of(c.Type) == surrogate.Keep {
			continue
		}
		if byType[c.Type] == nil {
			types = append(types, c.Type)
		}
		byType[c.Type] = append(byType[c.Type], c)
	}
	if len(types) == 0 {
		return nil, fmt.Errorf("there are no canaries for the language %q and this policy", language)
	}
	// Every type comes before any comes again, so that all are planted as often.
	for round := 0; len(p.carriers) < 2*len(types)*len(Carriers(language)); round++ {
		for _, t := range types {
			p.carriers = append(p.carriers, byType[t][round%len(byType[t])])
		}
	}
	return p, nil
}

// PerNote is how many identifiers are planted in a note.
const PerNote = 4

// Plant returns a text with made-up identifiers in it, the n-th of a sample. The text is
// a plain one: HTML and RTF have other places for lines.
func (p *Planter) Plant(n int, document, text string) (string, []Planted) {
	id := fmt.Sprintf("canary %d %s", n, document)
	patient := surrogate.NewPatient(p.keys, id, surrogate.Options{Language: p.language})
	var chosen []Carrier
	for k := range PerNote {
		chosen = append(chosen, p.carriers[(n*PerNote+k)%len(p.carriers)])
	}
	type insertion struct {
		at int
		c  Carrier
	}
	var all []insertion
	for k, c := range chosen {
		places := places(text, c.Alone)
		all = append(all, insertion{places[p.draw(document, n, k)%uint64(len(places))], c})
	}
	slices.SortStableFunc(all, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	var planted []Planted
	from := 0
	for _, x := range all {
		b.WriteString(text[from:x.at])
		from = x.at
		before, after, _ := strings.Cut(x.c.Text, "{}")
		value := p.value(patient, x.c)
		if value == "" {
			continue
		}
		switch {
		case x.c.Alone && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n"):
			b.WriteByte('\n')
		case !x.c.Alone && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") && !strings.HasSuffix(b.String(), " "):
			b.WriteByte(' ')
		}
		b.WriteString(before)
		planted = append(planted, Planted{x.c, b.Len(), b.Len() + len(value)})
		b.WriteString(value + after)
		if x.c.Alone {
			b.WriteByte('\n')
		} else if from < len(text) && text[from] != '\n' && text[from] != ' ' {
			b.WriteByte(' ')
		}
	}
	b.WriteString(text[from:])
	return b.String(), planted
}

// value makes an identifier up, of the carrier's form.
func (p *Planter) value(patient *surrogate.Patient, c Carrier) string {
	if c.Type == phi.Age { // a surrogate's would be 90+, which says nothing
		return c.Form
	}
	form, title := c.Form, ""
	for _, t := range []string{"Mrs. ", "Dr. "} { // titles stay, and are no identifiers
		if rest, ok := strings.CutPrefix(form, t); ok {
			form, title = rest, t
		}
	}
	value, outcome := patient.Replace(surrogate.Mention{Type: c.Type, Surface: form, Document: "canary", Ref: dates.InLanguage(p.language)})
	if outcome == surrogate.Masked || strings.HasPrefix(value, "[") {
		return title + form
	}
	return title + value
}

func (p *Planter) draw(document string, n, k int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00%d", p.seed, document, n, k))
	return binary.BigEndian.Uint64(sum[:])
}

// places returns where a carrier may be put in: at the beginning of lines, and for a
// sentence behind others.
func places(text string, alone bool) []int {
	all := []int{0}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n' && i+1 < len(text):
			all = append(all, i+1)
		case !alone && i+2 < len(text) && text[i] == '.' && text[i+1] == ' ' && text[i+2] >= 'A' && text[i+2] <= 'Z' && wordBefore(text, i):
			all = append(all, i+2)
		}
	}
	return all
}

// wordBefore reports whether a stop ends a sentence and no abbreviation.
func wordBefore(text string, i int) bool {
	n := 0
	for k := i - 1; k >= 0 && text[k] >= 'a' && text[k] <= 'z'; k-- {
		n++
	}
	return n >= 4
}

// Left returns how many letters and digits of a planted identifier, titles aside,
// are in no span that was replaced, and how many it has.
func Left(text string, x Planted, replaced []surrogate.Replacement) (left, all int) {
	start := x.Start
	for _, t := range []string{"Mrs. ", "Dr. "} {
		if strings.HasPrefix(text[start:x.End], t) {
			start += len(t)
		}
	}
	value := strings.TrimSuffix(strings.TrimSuffix(text[start:x.End], " RN"), ", MD")
	for i, r := range value {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf) {
			continue
		}
		all++
		at := start + i
		if !slices.ContainsFunc(replaced, func(p surrogate.Replacement) bool {
			return p.Start <= at && at < p.End && p.Outcome != surrogate.Kept
		}) {
			left++
		}
	}
	return left, all
}
