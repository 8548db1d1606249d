package surrogate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// night returns a planner that has seen some mentions.
func night(t testing.TB, id string, o Options, known []string, seen ...string) *Patient {
	p := NewPatient(keyring(t, "k"), id, o)
	p.Know(known)
	for _, s := range seen {
		p.Observe(phi.Patient, s)
	}
	return p
}

// TestTwoNights: what one night's notes name has the same surrogates on the
// next, whose notes name more or fewer people.
func TestTwoNights(t *testing.T) {
	known := []string{"Declan Francis Mulvaney", "Noreen Mulvaney"}
	first := []string{"Mr. Mulvaney", "Mulvaney", "Noreen", "Garrett Loomis", "D. Mulvaney"}
	second := append([]string{"Brendan Mulvaney", "Anjali Bhattarai", "Keisha", "Owen Blackwood", "Kelly Jones", "Mr. Kelly"}, first[:3]...)
	same, all := 0, 0
	for i := range 3000 {
		id := fmt.Sprint("p", i)
		a, b := night(t, id, Options{}, known, first...), night(t, id, Options{}, known, second...)
		if a.Offset("x") != b.Offset("y") {
			t.Fatal("the offset differs")
		}
		for _, s := range first {
			all++
			if replace(a, phi.Patient, s) == replace(b, phi.Doctor, s) {
				same++
			}
		}
	}
	// A surrogate changes only where a new name is that very surrogate, or wants it.
	if rate := float64(all-same) / float64(all); rate > 0.005 {
		t.Errorf("%d of %d surrogates differ between the nights", all-same, all)
	}
}

// TestSurnameFirst: a family name that stood alone on the first night, a given
// name that did, and a word that is both keep their surrogates when the full
// name comes to light on the second.
func TestSurnameFirst(t *testing.T) {
	for _, c := range [][2]string{{"Mr. Mulvaney", "Declan Mulvaney"}, {"Noreen", "Noreen Mulvaney"}, {"Kelly", "John Kelly"},
		{"Kelly", "Kelly Jones"}, {"Thomas", "Declan Thomas"}, {"Zqorb", "Zqorb Smith"}} {
		same := 0
		for i := range 50 {
			id := fmt.Sprint("p", i)
			word := strings.TrimPrefix(c[0], "Mr. ")
			a := replace(night(t, id, Options{}, nil, c[0]), phi.Patient, word)
			b := replace(night(t, id, Options{}, nil, c[0], c[1]), phi.Patient, word)
			if a == b {
				same++
			}
		}
		if same < 49 {
			t.Errorf("%s keeps its surrogate for %d of 50 patients once %s is known", c[0], same, c[1])
		}
	}
}

// TestAnotherKey: nothing is the same.
func TestAnotherKey(t *testing.T) {
	same := 0
	for i := range 200 {
		id := fmt.Sprint("p", i)
		if replace(patient(t, "k", id, Options{}), phi.Patient, "John Smith") == replace(patient(t, "j", id, Options{}), phi.Patient,
			"John Smith") {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d of 200 full names are the same under another key", same)
	}
}

// TestOnePersonOneSurrogate: whatever type a tagger took a name for.
func TestOnePersonOneSurrogate(t *testing.T) {
	for i := range 20 {
		p := patient(t, "k", fmt.Sprint(i), Options{})
		if a, b := replace(p, phi.Doctor, "Owen Blackwood"), replace(p, phi.Patient, "Owen Blackwood"); a != b {
			t.Fatalf("as a doctor %s, as a patient %s", a, b)
		}
	}
}

// TestNoTwoShareASurrogate: the words of many names get as many surrogates, in
// any order, and none is or holds a known name.
func TestNoTwoShareASurrogate(t *testing.T) {
	l := load()
	names := append([]string{}, l.pools["family de"][:120]...) // a third of their pool
	names = append(names, "Qwerx", "Asdfy", "Zxcvb", "Uiopt")
	for i := range 3 {
		id := fmt.Sprint(i)
		p, q := NewPatient(keyring(t, "k"), id, Options{}), NewPatient(keyring(t, "k"), id, Options{})
		for j := range names {
			p.Observe(phi.Doctor, "Dr. "+names[j])
			q.Observe(phi.Doctor, "Dr. "+names[len(names)-1-j])
		}
		owner := map[string]string{}
		for j := range names {
			n := names[len(names)-1-j]
			out := replace(p, phi.Doctor, n)
			if other := replace(q, phi.Doctor, n); other != out {
				t.Fatalf("%s becomes %s or %s by the order of arrival", n, out, other)
			}
			if owner[out] != "" {
				t.Errorf("%s and %s both become %s", n, owner[out], out)
			}
			owner[out] = n
			for _, k := range names {
				if strings.Contains(fold(out), fold(k)) && len(fold(k)) > 2 {
					t.Errorf("%s becomes %s, which holds %s", n, out, k)
				}
			}
		}
	}
}

// TestSharedDoctors: a doctor is one person in all patients' notes, whoever
// else these name, unless the surrogate is a name of the patient's.
func TestSharedDoctors(t *testing.T) {
	o := Options{SharedDoctors: true}
	got := map[string]int{}
	for i := range 100 {
		p := NewPatient(keyring(t, "k"), fmt.Sprint("p", i), o)
		p.Know([]string{"Owen Hart", fmt.Sprint("Ann ", load().names[i])})
		p.Observe(phi.Patient, "Owen Hart")
		p.Observe(phi.Doctor, "Anjali Bhattarai")
		got[replace(p, phi.Doctor, "Dr. Bhattarai")]++
	}
	if len(got) != 1 {
		t.Errorf("a doctor has the surrogates %v", got)
	}
	// Who is also known as a patient or relative keeps to the patient.
	shared := map[string]bool{}
	for i := range 5 {
		p := NewPatient(keyring(t, "k"), fmt.Sprint("p", i), o)
		p.Observe(phi.Doctor, "Dr. Mulvaney")
		p.Observe(phi.Patient, "Noreen Mulvaney")
		shared[replace(p, phi.Doctor, "Mulvaney")] = true
	}
	if len(shared) < 4 {
		t.Errorf("a relative's name has %d surrogates over 5 patients", len(shared))
	}
}

// TestHandles: user names and addresses agree with the names in them.
func TestHandles(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	full := strings.Fields(strings.ToLower(replace(p, phi.Patient, "John Smith")))
	for in, want := range map[string]string{"jsmith": full[0][:1] + full[1], "john.smith": full[0] + "." + full[1], "smithj": full[1] +
		full[0][:1], "johnsmith": full[0] + full[1]} {
		if got := replace(p, phi.Username, in); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
		if got := replace(p, phi.Email, in+"@clinic.org"); !strings.HasPrefix(got, want+"@") {
			t.Errorf("%s@ became %s, want %s@", in, got, want)
		}
	}
	if got := replace(p, phi.Username, "jsmith04"); !strings.HasPrefix(got, full[0][:1]+full[1]) || len(got) != len(full[1])+3 {
		t.Errorf("jsmith04 became %s", got)
	}
	if got, as := replace(p, phi.Doctor, "jsmith04"), replace(p, phi.Username, "jsmith04"); got != as {
		t.Errorf("jsmith04, taken for a name, became %s and not %s", got, as)
	}
}

// TestEmoji: symbols of several code points beside a name come out whole, and
// masks keep no accent of a letter.
func TestEmoji(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	masks := patient(t, "k", "p1", Options{Policy: preset(t, "surrogate-shift").All(Mask)})
	family := replace(p, phi.Patient, "Smith")
	for _, e := range []string{"\U0001F469\u200d\u2695\ufe0f", "\U0001F468\u200d\U0001F469\u200d\U0001F467", "\U0001F44D\U0001F3FD",
		"\u2764\ufe0f"} {
		for in, want := range map[string]string{e + "Smith": e + family, "Smith" + e: family + e, "Smith " + e: family + " " + e} {
			if got := replace(p, phi.Patient, in); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
			want = strings.Replace(in, "Smith", "Xxxxx", 1)
			if got := replace(masks, phi.Patient, in); got != want {
				t.Errorf("%q was masked as %q, want %q", in, got, want)
			}
		}
	}
	for in, want := range map[string]string{"Jose\u0301": "Xxxx", "José": "Xxxx", "Å": "X", "A\u030a": "X", "1\ufe0f\u20e3": "0",
		"ن\u200cم": "xx"} {
		if got := replace(masks, phi.Patient, in); got != want {
			t.Errorf("%q was masked as %q, want %q", in, got, want)
		}
	}
}

// TestTwoNightsElsewhere: the same in Spanish, and of places and institutions in
// any country: what the first night's notes tell stays as it was when the second
// brings more.
func TestTwoNightsElsewhere(t *testing.T) {
	type mention struct {
		typ  phi.Type
		text string
	}
	for language, nights := range map[string][2][]mention{
		"es": {{{phi.Patient, "Carrascosa Villalba"}, {phi.Doctor, "Covadonga Somoano Prieto"}, {phi.City, "Madrid"}, {phi.City, "28035"},
			{phi.Street, "Calle Mayor, 3"},
			{phi.Hospital, "Hospital San Braulio"}, {phi.Phone, "913368000"}, {phi.Country, "España"}},
			{{phi.Doctor, "Íñigo Arrizabalaga Tena"}, {phi.City, "Zaragoza"}, {phi.City, "50009"},
				{phi.Hospital, "Complejo Hospitalario de Navarra"}}},
		"en": {{{phi.Patient, "Niamh Scallan"}, {phi.City, "Enniscorthy"}, {phi.ZIP, "Y21 X2R5"}, {phi.Hospital, "Raithmuir Hospital"},
			{phi.Phone, "053 923 4455"},
			{phi.Doctor, "Dr. Ottoline Brannigan"}},
			{{phi.Doctor, "Colm Tuohy MICGP"}, {phi.City, "Gorey"}, {phi.Hospital, "Castlebar Regional Hosp"}, {phi.Phone, "091 544 321"}}},
	} {
		same, all := 0, 0
		for i := range 300 {
			a, b := patient(t, "k", fmt.Sprint("p", i), Options{Language: language}), patient(t, "k", fmt.Sprint("p", i),
				Options{Language: language})
			for _, m := range nights[0] {
				a.Observe(m.typ, m.text)
			}
			for _, m := range append(nights[1], nights[0]...) {
				b.Observe(m.typ, m.text)
			}
			for _, m := range nights[0] {
				all++
				if replace(a, m.typ, m.text) == replace(b, m.typ, m.text) {
					same++
				}
			}
		}
		if rate := float64(all-same) / float64(all); rate > 0.01 {
			t.Errorf("%s: %d of %d surrogates differ between the nights", language, all-same, all)
		}
	}
}
