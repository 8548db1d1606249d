package deid

import (
	"os"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func allowOf(t *testing.T, text string) *Allow {
	t.Helper()
	a, err := ParseAllow("a.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// bracketed returns the text without its [[ ]], and the span between them.
func bracketed(text string, typ phi.Type) (string, phi.Span) {
	start := strings.Index(text, "[[")
	end := strings.Index(text, "]]") - 2
	return strings.NewReplacer("[[", "", "]]", "").Replace(text), phi.Span{Start: start, End: end, Type: typ}
}

// Terms are whole words in any case and spacing; a span is allowed where it lies
// within one, is of its types, and stands in its context.
func TestAllows(t *testing.T) {
	a := allowOf(t, `allow:
  - term: Rose Room Clinic
    types: [HOSPITAL, organization]
  - term: Brandt-Kearny index
    case: exact
  - term: Élan
  - expression: '[A-Z]{2}-?[0-9]{3}'
    types: [ID]
    before: '(?i:assay|panel) '
  - term: Kearny
    after: ' (?:scale|score)\b'
`)
	for text, want := range map[string]bool{
		"at [[Rose Room Clinic]] today":     true,
		"at [[ROSE ROOM CLINIC]], today":    true,
		"at the [[Rose]] Room\n  Clinic":    true, // part of the term
		"at [[Rose Room Clinic.]] Then":     true, // but for marks
		"at [[Rose Room]] only":             false,
		"at [[Rose Room Clinic at Kearny]]": false, // more than the term
		"at [[Primrose Room Clinic]]":       false,
		"at [[Rose Room Clinics]]":          false,
		"the [[Brandt]]-Kearny index":       true,
		"the [[brandt]]-kearny index":       false,
		"by [[élan]]":                       true,
		"assay [[RB-118]] was":              false, // a HOSPITAL here
		"[[Kearny]] scale 3":                true,
		"[[Kearny]] said\n scale":           false,
		"Dr. [[Rose]] came":                 false,
		"[[Rose Room Clinic]]":              true,
	} {
		note, span := bracketed(text, phi.Hospital)
		if got := a.Allows(note, token.Tokenize(nil, note), span); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	for text, want := range map[string]bool{
		"assay [[RB-118]] was": true, "Assay [[RB118]]": true, "[[RB-118]] was": false, "assay\n[[RB-118]]": false, "assay [[RB-1189]]": false,
		"at [[Rose Room Clinic]]": false,
	} {
		note, span := bracketed(text, phi.IDNum)
		if got := a.Allows(note, token.Tokenize(nil, note), span); got != want {
			t.Errorf("as an id, %s: %v", text, got)
		}
	}
	if (*Allow)(nil).Allows("x", nil, phi.Span{End: 1, Type: phi.City}) {
		t.Error("no list allows something")
	}
}

func TestAllowErrors(t *testing.T) {
	near := func(name string, names []string) string {
		for _, n := range names {
			if n[0] == name[0] {
				return n
			}
		}
		return ""
	}
	for text, want := range map[string]string{
		"":                                    "a.yaml: it needs `allow:`",
		"allowed:\n  - term: x\n":             "it needs `allow:` with a list",
		"allow:\n  - term: x\n    typ: [A]\n": "a.yaml:2: there is no key \"typ\"; did you mean term?",
		"allow:\n  - term: x\n    types: [HOSPITL]\n":  "a.yaml:2: there is no type \"HOSPITL\"; did you mean HOSPITAL?",
		"allow:\n  - term: x\n    expression: y\n":     "a term or an expression, one of them",
		"allow:\n  - types: [CITY]\n":                  "a term or an expression, one of them",
		"allow:\n  - expression: '('\n":                "expression: error parsing regexp",
		"allow:\n  - expression: 'a*'\n":               "matches nothing at all",
		"allow:\n  - expression: a\n    case: exact\n": "write (?i)",
		"allow:\n  - term: x\n    case: capital\n":     "write ignore or exact",
		"allow:\n  - term: x\n    before: '['\n":       "before: error parsing regexp",
		"allow:\n  - term: '...'\n":                    "has a letter or digit",
		"allow:\n  - x\n":                              "want an entry",
	} {
		if _, err := ParseAllow("a.yaml", []byte(text), near); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	raw, err := os.ReadFile("../../examples/allow.yaml")
	if err == nil {
		_, err = ParseAllow("examples/allow.yaml", raw, nil)
	}
	if err != nil {
		t.Error(err)
	}
}

// What the list allows stays and is not looked for in other notes, but a known
// identifier of the patient is replaced there, too. Both are counted.
func TestAllowGivesWayToKnownIdentifiers(t *testing.T) {
	s := Settings{Steps: AllSteps(), Language: "en", DayOrder: UsualInModels}
	s.Allow = allowOf(t, "allow:\n  - term: Halloran Clinic\n  - term: Quackenbush\n")
	keys, err := surrogate.NewKeyring([]byte("a key of the tests: fifty bytes or so, never seen"), 0)
	if err != nil {
		t.Fatal(err)
	}
	const one, two = "Seen at Halloran Clinic by Dr. Quackenbush.", "Mr. Quackenbush and Mr. Halloran came to the Halloran Clinic."
	text := func(text string, n *Note, surfaces map[string]phi.Type) {
		tokens := token.Tokenize(nil, text)
		for surface, typ := range surfaces {
			i := strings.Index(text, surface)
			f := phi.Found{Span: phi.Span{Start: i, End: i + len(surface), Type: typ, Score: 1}, Surface: surface, Cue: true}
			f.Allowed = s.Allow.Allows(text, tokens, f.Span)
			n.Spans = append(n.Spans, f)
		}
		sortFound(n.Spans)
	}
	run := func(known ...lexicon.Identifiers) (out [2]string, sum Allowed) {
		notes := []*Note{{Document: "a", Patient: "p"}, {Document: "b", Patient: "p"}}
		text(one, notes[0], map[string]phi.Type{"Halloran Clinic": phi.Hospital, "Quackenbush": phi.Doctor})
		text(two, notes[1], nil)
		plan := Resolve(s, notes, known, nil)
		p := (&Rewriter{Settings: s, Keys: keys}).Open(&plan)
		for i, n := range notes {
			var spans []phi.Span
			for _, f := range n.Spans {
				spans = append(spans, f.Span)
			}
			r, err := p.Text([]string{one, two}[i], spans, n.Document, dates.Reference{})
			if err != nil {
				t.Fatal(err)
			}
			out[i] = r.Text
			sum.Kept, sum.GaveWay = sum.Kept+r.Allowed.Kept, sum.GaveWay+r.Allowed.GaveWay
		}
		return out, sum
	}
	if got, n := run(); got != [2]string{one, two} || n != (Allowed{Kept: 2}) {
		t.Errorf("without known identifiers: %q, %+v", got, n)
	}
	got, n := run(lexicon.Identifiers{PatientID: "p", Names: []string{"Ada Halloran"}})
	if strings.Contains(got[1], "Mr. Halloran") || strings.Contains(got[0]+got[1], "Halloran Clinic") ||
		!strings.Contains(got[0], "Quackenbush") {
		t.Errorf("known: %q", got)
	}
	if n.Kept != 1 || n.GaveWay != 2 {
		t.Errorf("known: %+v", n)
	}
}
