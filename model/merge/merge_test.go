package merge

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func span(start, end int, t phi.Type, by phi.Tagger, score float32) phi.Span {
	return phi.Span{Start: start, End: end, Type: t, Tagger: by, Score: score}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name     string
		in, want []phi.Span
	}{
		{"none", nil, nil},
		{"empty span", []phi.Span{span(3, 3, phi.Date, phi.Rules, 1)}, nil},
		{"nested keeps the wide extent", // TiDE re-inserted the head of the outer span here
			[]phi.Span{span(8, 22, phi.Patient, phi.Network, .9), span(13, 16, phi.Patient, phi.Network, .8)},
			[]phi.Span{span(8, 22, phi.Patient, phi.Network, .9)}},
		{"touching stay two", // TiDE lost the second here
			[]phi.Span{span(4, 12, phi.MedicalRecord, phi.Rules, .97), span(12, 17, phi.Patient, phi.Network, .9)},
			[]phi.Span{span(4, 12, phi.MedicalRecord, phi.Rules, .97), span(12, 17, phi.Patient, phi.Network, .9)}},
		{"overlap is covered whole",
			[]phi.Span{span(0, 11, phi.Doctor, phi.Network, .7), span(5, 15, phi.Hospital, phi.Network, .9)},
			[]phi.Span{span(0, 15, phi.Doctor, phi.Network, .7)}},
		{"a sure pattern names the type",
			[]phi.Span{span(0, 20, phi.Username, phi.Network, .99), span(2, 20, phi.Email, phi.Rules, .98)},
			[]phi.Span{span(0, 20, phi.Email, phi.Rules, .98)}},
		{"chain of three",
			[]phi.Span{span(0, 4, phi.City, phi.Network, .5), span(3, 8, phi.State, phi.Network, .6), span(7, 9, phi.ZIP, phi.Network, .7)},
			[]phi.Span{span(0, 9, phi.State, phi.Network, .6)}},
	} {
		got := Merge(c.in)
		if len(got) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: span %d is %v, want %v", c.name, i, got[i], c.want[i])
			}
		}
	}
}

// No byte of any span survives, spans come out disjoint and sorted, no byte
// that no span had is taken, and the order of the input does not matter.
func TestMergeCoversEveryByte(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 5000 {
		const length = 40
		var in []phi.Span
		var covered [length]bool
		for range r.Intn(9) {
			start := r.Intn(length)
			end := start + r.Intn(length-start)
			in = append(in, span(start, end, phi.Type(1+r.Intn(phi.NumTypes-1)), phi.Tagger(r.Intn(phi.NumTaggers)), float32(r.Intn(100)+1)/100))
			for i := start; i < end; i++ {
				covered[i] = true
			}
		}
		shuffled := append([]phi.Span(nil), in...)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got, again := Merge(in), Merge(shuffled)
		if len(got) != len(again) {
			t.Fatalf("order matters: %v and %v", got, again)
		}
		at := 0
		for i, s := range got {
			if s != again[i] {
				t.Fatalf("order matters: %v and %v", got, again)
			}
			if s.Start < at || s.End <= s.Start {
				t.Fatalf("not disjoint and sorted: %v", got)
			}
			for k := at; k < s.Start; k++ {
				if covered[k] {
					t.Fatalf("byte %d survives: %v", k, got)
				}
			}
			for k := s.Start; k < s.End; k++ {
				if !covered[k] {
					t.Fatalf("byte %d was nobody's: %v", k, got)
				}
			}
			at = s.End
		}
		for k := at; k < length; k++ {
			if covered[k] {
				t.Fatalf("byte %d survives: %v", k, got)
			}
		}
	}
}

func sweep(l *lexicon.Lexicon, text string) []string {
	var found []string
	for _, s := range Merge(l.Sweep(nil, text, token.Tokenize(nil, text))) {
		found = append(found, s.Type.String()+":"+text[s.Start:s.End])
	}
	return found
}

func TestLexicon(t *testing.T) {
	var e lexicon.Evidence
	e.AddKnown(phi.Patient, "Rose Okonkwo-Hale")
	e.AddKnown(phi.Patient, "Fiona McDonald")
	e.AddKnown(phi.Patient, "LATOYA DESHAWN")
	e.AddKnown(phi.Patient, "José Núñez")
	e.AddKnown(phi.Patient, "Linh Ng")
	e.AddKnown(phi.MedicalRecord, "0081-22")
	e.AddKnown(phi.MedicalRecord, "A1B2C3D4E5F6G7")
	e.AddKnown(phi.Email, "j.r.smith-jones_85@dept.med.example.edu")
	e.AddKnown(phi.Phone, "(555) 123-4567")
	e.AddKnown(phi.SSN, "923-45-6789")
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Doctor, phi.Network, .99), Surface: "Priya Raghunathan"})
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Patient, phi.Network, .99), Surface: "Acute Abdomen"}) // a mistake of the network
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Patient, phi.Network, .40), Surface: "Vancomycin"})    // once, unsure: not swept
	e.AddSpan(phi.Found{Span: span(0, 0, phi.City, phi.Network, .99), Surface: "Boston"})
	e.AddSpan(phi.Found{Span: span(0, 0, phi.Phone, phi.Rules, .99), Surface: "250"})
	l := lexicon.NewLexicon(e.Surfaces())
	for _, c := range []struct{ text, want string }{
		{"seen with okonkwo-hale today", "PATIENT:okonkwo-hale"},
		{"OKONKWO-HALE, ROSE", "PATIENT:OKONKWO-HALE, ROSE"},
		{"Rose Okonkwo-Hale's leg", "PATIENT:Rose Okonkwo-Hale"},
		{"the rose rash rose up", ""},
		{"Rose up early. Rose colour. PT ROSE TO SIT", "PATIENT:ROSE"}, // PT is a title
		{"SHE ROSE TO SIT", ""},
		{"then Rose said", "PATIENT:Rose"},
		{"MCDONALD, mcdonald, Mcdonald, McDonald", "PATIENT:MCDONALD PATIENT:mcdonald PATIENT:Mcdonald PATIENT:McDonald"},
		{"MRNOkonkwo", "PATIENT:Okonkwo"},
		{"LaToya DeShawn", "PATIENT:LaToya DeShawn"},
		{"jose nunez; Jose\u0301 Nu\u0301n\u0303ez", "PATIENT:jose nunez PATIENT:Jose\u0301 Nu\u0301n\u0303ez"},
		{"Mr Ng came; Mr. Ng left; NG tube; ng/mL", "PATIENT:Ng PATIENT:Ng"},
		{"MRN0081-22x", "MEDICALRECORD:0081-22"},
		{"id A1B2C3D4E5F6G7", "MEDICALRECORD:A1B2C3D4E5F6G7"},
		{"to j.r.smith-jones_85@dept.med.example.edu now", "EMAIL:j.r.smith-jones_85@dept.med.example.edu"},
		{"555-123-4567, 5551234567, 555.123.4567, 923456789", "PHONE:555-123-4567 PHONE:5551234567 PHONE:555.123.4567 SSN:923456789"},
		{"cc Raghunathan, acute abdomen, 250 mg", "DOCTOR:Raghunathan"},
		{"on Vancomycin in Boston", ""},
	} {
		if got := strings.Join(sweep(l, c.text), " "); got != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}
