package veto

import (
	"os"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// guarded returns whether Guard leaves a span of the network's alone, which is
// what stands in brackets.
func guarded(t *testing.T, marked string, typ phi.Type, others ...phi.Tagger) (dropped bool) {
	t.Helper()
	start, end := strings.Index(marked, "["), strings.Index(marked, "]")-1
	if start < 0 || end < start {
		t.Fatalf("%q has no brackets", marked)
	}
	text := strings.NewReplacer("[", "", "]", "").Replace(marked)
	spans := []phi.Span{{Start: start, End: end, Type: typ, Tagger: phi.Network}}
	for _, o := range others {
		spans = append(spans, phi.Span{Start: start, End: end, Type: typ, Tagger: o})
	}
	for _, s := range Guard(text, token.Tokenize(nil, text), spans, 0, nil, nil) {
		if s.Tagger == phi.Network {
			return false
		}
	}
	return true
}

// TestEponyms: names of diseases, signs and scales stay where nothing says that
// they are somebody's, and people of these names are found where it does.
func TestEponyms(t *testing.T) {
	for _, c := range []struct {
		text string
		typ  phi.Type
		want bool // dropped
	}{
		{"EMG: [Guillain-Barre], AIDP pattern.", phi.Doctor, true},
		{"[Ehlers-Danlos, Beighton] 7/9.", phi.Patient, true},
		{"[Deauville 2] on interim PET.", phi.Hospital, true},
		{"[Wegener]'s, now called GPA.", phi.Patient, true},
		{"Has [Parkinson's], on levodopa.", phi.Patient, true},
		{"[Todd]'s paresis resolved by morning.", phi.Patient, true},
		{"Positive [Hadfield] sign.", phi.Patient, true},
		{"[Romberg] was negative.", phi.Patient, true},
		{"[Kayser-Fleischer] rings.", phi.Doctor, true},
		{"[Asherman]'s lysed at hysteroscopy.", phi.Patient, true},
		{"[Prader-Willi] confirmed by methylation.", phi.Patient, true},

		{"[Norton] 14/20 on admission", phi.Patient, true},
		{"[Vancouver] classification B2", phi.City, true},

		{"[Norton] 12/18 on admission", phi.Patient, false},
		{"from [Vancouver] with family", phi.City, false},
		{"Dr. [Parkinson], who was on call.", phi.Doctor, false},
		{"Mr. [Hodgkin] has a cough.", phi.Patient, false},
		{"Patient: [Hodgkin]", phi.Patient, false},
		{"[Hodgkin] reports less pain.", phi.Patient, false},
		{"[Osler] was admitted on Monday.", phi.Patient, false},
		{"seen with Anna [Hodgkin] at home", phi.Patient, false},
		{"[Anna Hodgkin] at home", phi.Patient, false},
		{"[Parkinson] came alone.", phi.Patient, false},
		{"[Parkinson]'s wife drove.", phi.Patient, false},
		{"[Maria]'s fracture is healing.", phi.Patient, false},
		{"[Ignacio] score today was 5.", phi.Patient, false},
		{"[Kendra Drayton] syndrome workup", phi.Patient, false},
		{"Signed by [Graves]", phi.Doctor, false},
	} {
		if got := guarded(t, c.text, c.typ); got != c.want {
			t.Errorf("%q: dropped %v, want %v", c.text, got, c.want)
		}
		if guarded(t, c.text, c.typ, phi.Known) {
			t.Errorf("%q: a known identifier was dropped", c.text)
		}
	}
}

// TestDrugs: drugs are no names, jobs or days; names that people bear are no drugs.
func TestDrugs(t *testing.T) {
	for _, c := range []struct {
		text string
		typ  phi.Type
		want bool
	}{
		{"[Marinol] did not help; Zofran did.", phi.Patient, true},
		{"She stopped [Tenormin] last month.", phi.Date, true},
		{"started [elexacaftor, tezacaftor] and ivacaftor", phi.Profession, true},
		{"[F508del/G551D], started", phi.IDNum, true},
		{"[Allegra] came with her mother.", phi.Patient, false},
		{"[Camila] was seen.", phi.Patient, false},
		{"Ms. [Keppra] was seen.", phi.Patient, false},
	} {
		if got := guarded(t, c.text, c.typ); got != c.want {
			t.Errorf("%q: dropped %v, want %v", c.text, got, c.want)
		}
	}
}

// TestNobodysNames: what is medicine wherever it stands alone is no name of the
// lists that surrogates are drawn from.
func TestNobodysNames(t *testing.T) {
	for _, file := range []string{"given.txt", "family.txt", "either.txt"} {
		raw, err := os.ReadFile("../surrogate/lists/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			_, list, ok := strings.Cut(line, ": ")
			if !ok || line[0] == '#' {
				continue
			}
			for _, n := range strings.Fields(list) {
				recognised := strings.HasPrefix(n, "~") // and not drawn
				if w := names.Fold(strings.TrimPrefix(n, "~")); eponyms.alone[w] && !recognised || derived[w] {
					t.Errorf("%s: %q is a name", file, w)
				}
			}
		}
	}
}

// derived are the drugs that nobody has looked through by hand.
var derived = func() map[string]bool {
	var b strings.Builder
	for line := range strings.Lines(drugNames) {
		if line[0] != '#' {
			b.WriteString(line)
		}
	}
	return names.Set(b.String())
}()
