package merge

import (
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// marked returns the spans of a text whose PHI stands as [TYPE:surface].
func markedSpans(t *testing.T, s string) (string, []phi.Span) {
	t.Helper()
	var b strings.Builder
	var spans []phi.Span
	for {
		before, rest, ok := strings.Cut(s, "[")
		b.WriteString(before)
		if !ok {
			return b.String(), spans
		}
		name, rest, _ := strings.Cut(rest, ":")
		surface, rest, _ := strings.Cut(rest, "]")
		typ, err := phi.ParseType(name)
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, span(b.Len(), b.Len()+len(surface), typ, phi.Network, .9))
		b.WriteString(surface)
		s = rest
	}
}

func describe(text string, found []phi.Found) string {
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start] + "[" + f.Type.String() + ":" + text[f.Start:f.End] + "]")
		at = f.End
	}
	return b.String() + text[at:]
}

// A title, a degree, a label or a head word is noted, and changes no type, so
// that a name that the network half believes is looked for in other notes.
func TestCues(t *testing.T) {
	for in, want := range map[string]bool{
		"Dr. [DOCTOR:Okonkwo] called": true, "Dr. [PATIENT:Okonkwo] called": true, "A. [DOCTOR:Okonkwo], MD": true,
		"Surgeon: Mr [DOCTOR:Okonkwo]": true, "Mr [DOCTOR:Okonkwo]": false, "Mr [PATIENT:Okonkwo]": true, "her daughter [PATIENT:Okonkwo]": true,
		"w/ PT [DOCTOR:Okonkwo]": false, "signed by [DOCTOR:Okonkwo]": true, "Attending: [DOCTOR:Okonkwo]": true,
		"then [DOCTOR:Okonkwo] called": false,
		"Fax: [PHONE:555-0143]":        true, "Tel [PHONE:555-0144]": true, "Tel 5 [PHONE:555-0144]": false, "[PHONE:555-0143]": false,
		"at [HOSPITAL:Nooksack Middle School]": true, "at [HOSPITAL:Nooksack Medical Center]": true, "at [HOSPITAL:Nooksack House]": false,
		"at [ORGANIZATION:School Clinic]": false,
	} {
		text, spans := markedSpans(t, in)
		found := Combine(text, token.Tokenize(nil, text), slices.Clone(spans), Options{})
		if found[0].Cue != want || found[0].Type != spans[0].Type {
			t.Errorf("%s: %v %v, want cue %v", in, found[0].Type, found[0].Cue, want)
		}
		if !strings.Contains(in, "Okonkwo") {
			continue
		}
		var e lexicon.Evidence
		f := found[0]
		f.Surface = "Okonkwo"
		e.AddSpan(f)
		if s := e.Surfaces(); s[0].Sweep != want {
			t.Errorf("%s: swept for: %v, want %v", in, s[0].Sweep, want)
		}
	}
}

// What holds no letter or digit is no PHI, whoever found it; beside one it is
// part of what is.
func TestSpansHaveALetterOrDigit(t *testing.T) {
	for in, want := range map[string]string{
		"[DATE:Friday][DATE:,] [DATE:September] [DATE:27]": "[DATE:Friday], [DATE:September 27]",
		"[DOCTOR:--] signed [PATIENT:…]":                   "-- signed …",
		"[CITY:Ñ] [AGE:٣] [ROOM:½]":                        "[CITY:Ñ] [AGE:٣] [ROOM:½]",
		"on [DATE:, 3/4]":                                  "on [DATE:, 3/4]",
	} {
		text, spans := markedSpans(t, in)
		if got := describe(text, Combine(text, token.Tokenize(nil, text), spans, Options{})); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	text := "seen (--), then"
	overlapping := []phi.Span{span(5, 10, phi.Date, phi.Network, .9), span(6, 15, phi.Date, phi.Rules, .9)}
	if got := Combine(text, token.Tokenize(nil, text), overlapping, Options{}); len(got) != 1 || got[0].Start != 5 || got[0].End != 15 {
		t.Errorf("what overlaps a span with letters is cut: %v", got)
	}
}

// randomSpans returns spans of a text of the given length.
func randomSpans(r *rand.Rand, length int) []phi.Span {
	var in []phi.Span
	for range r.Intn(9) {
		start := r.Intn(length)
		end := start + r.Intn(length-start)
		in = append(in, span(start, end, phi.Type(1+r.Intn(phi.NumTypes-1)), phi.Tagger(r.Intn(phi.NumTaggers)), float32(r.Intn(100)+1)/100))
	}
	return in
}

// In every mode spans come out disjoint and in order, whatever the order of
// the input; Priority leaves each accepted span whole and drops only what
// overlaps one; Vote takes stretches that Union takes, whole or not at all.
func TestModes(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	const length = 40
	for range 3000 {
		in := randomSpans(r, length)
		union := merge(append([]phi.Span(nil), in...), Union, defaults, nil)
		for _, mode := range []Mode{Union, Priority, Vote} {
			shuffled := append([]phi.Span(nil), in...)
			r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			got := merge(append([]phi.Span(nil), in...), mode, defaults, nil)
			if again := merge(shuffled, mode, defaults, nil); len(got)+len(again) > 0 && !reflect.DeepEqual(got, again) {
				t.Fatalf("%s: order matters: %v and %v", mode, got, again)
			}
			at := 0
			for _, s := range got {
				if s.Start < at || s.End <= s.Start {
					t.Fatalf("%s: not disjoint and in order: %v", mode, got)
				}
				at = s.End
				if mode == Vote && !contains(union, s) || mode == Priority && !contains(in, s) {
					t.Fatalf("%s: %v is of its own making", mode, s)
				}
			}
			if mode != Priority {
				continue
			}
			for _, s := range in {
				free := s.End > s.Start
				for _, x := range got {
					free = free && (s.End <= x.Start || x.End <= s.Start)
				}
				if free {
					t.Fatalf("priority: %v overlaps nothing and was dropped", s)
				}
			}
		}
	}
}

func contains(spans []phi.Span, s phi.Span) bool {
	for _, x := range spans {
		if x == s {
			return true
		}
	}
	return false
}

// What is combined keeps every letter and digit of the spans, keeps spans apart
// and does not depend on the order of the input.
func TestCombineKeepsEveryByte(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	text := "Dr. J. Smith-Jones, MD saw Rose O'Brien's son (McDonald) on 4/12. Fax 555-0143 Mc"
	tokens := token.Tokenize(nil, text)
	for range 3000 {
		in := randomSpans(r, len(text))
		merged := Merge(append([]phi.Span(nil), in...))
		var covered [100]bool
		for _, s := range merged {
			for i := s.Start; i < s.End; i++ {
				covered[i] = s.Type != phi.Date || !dates.Idle(text[s.Start:s.End])
			}
		}
		o := Options{}
		got := Combine(text, tokens, append([]phi.Span(nil), in...), o)
		r.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		if again := Combine(text, tokens, in, o); !reflect.DeepEqual(got, again) {
			t.Fatalf("order matters: %v and %v", got, again)
		}
		at := 0
		for _, f := range got {
			if f.Start < at || f.End <= f.Start {
				t.Fatalf("not disjoint and in order: %v", got)
			}
			at = f.End
			for i := f.Start; i < f.End; i++ {
				covered[i] = false
			}
		}
		for i, left := range covered {
			if left && unicode.In(rune(text[i]), unicode.Letter, unicode.Number) {
				t.Fatalf("byte %d (%q) survives: %v of %v", i, text[i], got, merged)
			}
		}
	}
}

// One surface has one type: by a cue in the note, by count in the note, by the
// rest of the patient's notes, by known identifiers; and a cue of its own wins.
func TestReconcile(t *testing.T) {
	m := func(typ phi.Type, text string, cue bool) phi.Found {
		return phi.Found{Span: span(0, len(text), typ, phi.Network, .9), Cue: cue, Surface: text}
	}
	docs := [][]phi.Found{
		{m(phi.Doctor, "Priya Okonkwo", true), m(phi.Patient, "Okonkwo", false), m(phi.Patient, "Hale", true), m(phi.Doctor, "Hale", true)},
		{m(phi.Hospital, "Tamarack House", false), m(phi.Organization, "Tamarack House", false), m(phi.Organization, "TAMARACK HOUSE", false)},
		{m(phi.Patient, "Dr Okonkwo", false), m(phi.Hospital, "Tamarack House", false), m(phi.Doctor, "Vesta", false),
			m(phi.Phone, "555-0143", false)},
		{m(phi.Fax, "(555) 0143", true), m(phi.Date, "May", false), m(phi.City, "Leith", false), m(phi.State, "Leith", false)},
	}
	want := "DOCTOR DOCTOR PATIENT DOCTOR|ORGANIZATION ORGANIZATION ORGANIZATION|DOCTOR ORGANIZATION PATIENT FAX|FAX DATE CITY STATE"
	roles := NewRoles([]string{"Vesta Keenatla", "Ada Hale"}, []string{"Bo Hale"})
	run := func(docs [][]phi.Found) string {
		Reconcile(docs, roles, nil)
		var notes []string
		for _, d := range docs {
			var types []string
			for _, x := range d {
				types = append(types, x.Type.String())
			}
			notes = append(notes, strings.Join(types, " "))
		}
		return strings.Join(notes, "|")
	}
	fresh := func() [][]phi.Found {
		out := make([][]phi.Found, len(docs))
		for i := range docs {
			out[i] = append([]phi.Found(nil), docs[i]...)
		}
		return out
	}
	if got := run(fresh()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The order of notes does not matter.
	r := rand.New(rand.NewSource(5))
	for range 50 {
		order := r.Perm(len(docs))
		shuffled, back := make([][]phi.Found, len(docs)), make([]string, len(docs))
		for to, from := range order {
			shuffled[to] = fresh()[from]
		}
		for to, types := range strings.Split(run(shuffled), "|") {
			back[order[to]] = types
		}
		if got := strings.Join(back, "|"); got != want {
			t.Fatalf("order %v gives %s", order, got)
		}
	}
}

// A known town within the longer name of an institution is part of that name.
func TestAKnownTownIsNoInstitution(t *testing.T) {
	const text = "senior at Irvington Tech, lives in Irvington"
	town := span(10, 19, phi.City, phi.Known, 1)
	other := span(35, 44, phi.City, phi.Known, 1)
	for by, want := range map[phi.Type]string{phi.Organization: "ORGANIZATION:Irvington Tech", phi.Hospital: "HOSPITAL:Irvington Tech",
		phi.City: "CITY:Irvington Tech"} {
		got := Combine(text, token.Tokenize(nil, text), []phi.Span{town, other, span(10, 24, by, phi.Network, .6)}, Options{})
		if d := describe(text, got); d != "senior at ["+want+"], lives in [CITY:Irvington]" {
			t.Errorf("got %s", d)
		}
	}
}
