package surrogate

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func policyOf(t *testing.T, text string) Policy {
	t.Helper()
	p, err := ParsePolicy("p.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// preset returns a policy that comes with the program.
func preset(t *testing.T, name string) Policy {
	t.Helper()
	p, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every preset is read, is complete, and knows its own name; the three modes of
// HIPAA are among them, and one of them is meant where no policy is named.
func TestPresets(t *testing.T) {
	for _, name := range Presets() {
		p, err := Preset(name)
		if err != nil || p.Check() != nil || p.Name() != name || len(p.Actions) != phi.NumTypes-1 {
			t.Errorf("%s: %v, %v, called %q, with %d types", name, err, p.Check(), p.Name(), len(p.Actions))
		}
	}
	for _, r := range []string{"surrogate-shift", "safe-harbor", "limited"} {
		if got := (Options{Policy: preset(t, r)}).Resolved().Name(); got != r {
			t.Errorf("%s is the preset %q", r, got)
		}
	}
	if got := (Options{}).Resolved().Name(); got != "surrogate-shift" {
		t.Errorf("without a policy it is the preset %q", got)
	}
	if p := preset(t, "limited").All(Tag); p.Of(phi.State) != Tag || p.DateColumns != Keep {
		t.Errorf("tags in a limited data set are %+v", p)
	}
	if _, err := Preset("limted"); err == nil || !strings.Contains(err.Error(), "research-professions") {
		t.Error(err)
	}
}

// A type's own line goes before its category's, whatever their order, and the
// resolved form survives its way to the workers.
func TestParsePolicy(t *testing.T) {
	p := policyOf(t, "types:\n  CITY: keep\n  location: tag\n  NAME: numbered_tag\n  DATE: mask\n")
	for typ, want := range map[phi.Type]Action{phi.City: Keep, phi.State: Tag, phi.Patient: NumberedTag, phi.Date: Mask, phi.Age: Generalise,
		phi.Phone: Surrogate} {
		if got := p.Of(typ); got != want {
			t.Errorf("%s: %s, want %s", typ, got, want)
		}
	}
	if p.DateColumns != Shift || p.Known != Surrogate || p.Name() != "" {
		t.Errorf("%+v", p)
	}
	raw, err := json.Marshal(p)
	var q Policy
	if err == nil {
		err = json.Unmarshal(raw, &q)
	}
	if err != nil || !reflect.DeepEqual(p, q) {
		t.Errorf("%v: %+v became %+v", err, p, q)
	}
}

func TestParsePolicyErrors(t *testing.T) {
	near := func(name string, names []string) string {
		for _, n := range names {
			if strings.HasPrefix(n, name[:3]) {
				return n
			}
		}
		return ""
	}
	for text, want := range map[string]string{
		"types:\n  PATENT: tag\n":    "p.yaml:2: there is no type \"PATENT\"; did you mean PATIENT?",
		"types:\n  CITY: surogate\n": "p.yaml:2: there is no action \"surogate\"; did you mean surrogate?",
		"types:\n  CITY: xyz\n": "p.yaml:2: there is no action \"xyz\"; there are generalise, keep, mask, " +
			"numbered_tag, shift, surrogate, tag",
		"typ:\n  CITY: keep\n":                            "p.yaml:1: there is no key \"typ\"; did you mean types?",
		"default: keep\n":                                 "p.yaml:1: default: keep: write surrogate",
		"types:\n  CITY: shift\n":                         "p.yaml:2: CITY cannot be shifted; only DATE can",
		"types:\n  LOCATION: generalise\n":                "cannot be generalised",
		"types:\n  CITY: keep\n  city: tag\n":             "p.yaml:3: CITY stands twice",
		"types:\n  DATE: keep\ndate_columns: shift\n":     "a date that is left beside one that moves tells by how much",
		"types:\n  DATE: tag\ndate_columns: tag\n":        "date_columns \"tag\": write shift, generalise or keep",
		"types:\n  CITY: tag\nkeep_known: [CITY]\n":       "keep_known: CITY is not a type that is kept",
		"types:\n  CITY: keep\nknown_identifiers: keep\n": "known_identifiers \"keep\"",
		"types: [CITY]\n":                                 "p.yaml:1: types: want a line",
		"- a\n":                                           "want `types:`",
		"":                                                "want `types:`",
	} {
		if _, err := ParsePolicy("p.yaml", []byte(text), near); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// samples holds a mention of each type.
var samples = map[phi.Type]string{
	phi.Patient: "Ngozi Okonkwo", phi.Doctor: "Dr. Halloran", phi.Username: "nokonkwo2", phi.Profession: "bus driver", phi.Room: "W4-12",
	phi.Department: "Larch Ward", phi.Hospital: "Kearny General Hospital", phi.Organization: "Pecan Growers", phi.Street: "12 Elm Street",
	phi.City: "Boston", phi.State: "Ohio", phi.Country: "Kenya", phi.ZIP: "02115", phi.LocationOther: "Mount Tabor", phi.Age: "94",
	phi.Date: "3/14/2014", phi.Phone: "(360) 555-0119", phi.Fax: "360-555-0118", phi.Email: "dot@example.org", phi.URL: "www.kearny.org/dot",
	phi.IPAddress: "10.2.3.4", phi.SSN: "923-45-6789", phi.MedicalRecord: "00481-2237", phi.HealthPlan: "HP 778812", phi.Account: "AC-55123",
	phi.License: "L-88123", phi.Vehicle: "KTR 118", phi.Device: "SN 77A12", phi.BioID: "BIO-1123", phi.IDNum: "77182-A",
	phi.Other: "Blue Comet 7",
}

// For every type and action that it can have: what is kept stays to the byte,
// what is known gives way, and nothing else stays. Twice the same comes out.
func TestEveryTypeAndAction(t *testing.T) {
	keys := keyring(t, "k")
	for _, typ := range phi.Types() {
		surface := samples[typ]
		if surface == "" {
			t.Fatalf("no sample of %s", typ)
		}
		for _, a := range Actions() {
			text := "types:\n  " + typ.String() + ": " + string(a) + "\n"
			p, err := ParsePolicy("p", []byte(text), nil)
			if err != nil {
				continue // TestParsePolicyErrors
			}
			pt := NewPatient(keys, "p1", Options{Policy: p})
			m := Mention{Type: typ, Surface: surface, Document: "d"}
			out, outcome := pt.Replace(m)
			if a == Keep && (out != surface || outcome != Kept) || a != Keep && (out == surface || out == "") {
				t.Errorf("%s: %s: %q becomes %q (%s)", typ, a, surface, out, outcome)
			}
			if a == Tag && out != "["+typ.String()+"]" || a == NumberedTag && (!strings.HasPrefix(out, "["+typ.String()+"-") ||
				len(out) != len(typ.String())+7) {
				t.Errorf("%s: %s: %q", typ, a, out)
			}
			if again, _ := NewPatient(keys, "p1", Options{Policy: p}).Replace(m); again != out {
				t.Errorf("%s: %s: %q, then %q", typ, a, out, again)
			}
			m.Known = true
			if out, _ := pt.Replace(m); out == surface {
				t.Errorf("%s: %s: a known identifier stays", typ, a)
			}
		}
	}
}

// A numbered tag names one person in all notes and forms, apart from others, and
// another patient's of the same name by another code.
func TestNumberedTags(t *testing.T) {
	policy := policyOf(t, "default: numbered_tag\n")
	keys := keyring(t, "k")
	open := func(id string, seen ...string) *Patient {
		p := NewPatient(keys, id, Options{Policy: policy})
		for _, s := range seen {
			p.Observe(phi.Patient, s)
		}
		return p
	}
	tag := func(p *Patient, typ phi.Type, s string) string {
		out, _ := p.Replace(Mention{Type: typ, Surface: s, Document: "d"})
		return out
	}
	p := open("p1", "Margaret Okonkwo", "Okonkwo, Margaret", "Theo Lindqvist", "Ada Lindqvist")
	one := tag(p, phi.Patient, "Margaret Okonkwo")
	for _, s := range []string{"Okonkwo, Margaret", "Mrs. Okonkwo", "OKONKWO", "M. Okonkwo", "Margaret", "Margaret Okonkwo's",
		"Peggy Okonkwo"} {
		if got := tag(p, phi.Patient, s); got != one {
			t.Errorf("%s is %s, want %s", s, got, one)
		}
	}
	theo, ada, either := tag(p, phi.Patient, "Theo"), tag(p, phi.Patient, "Ada Lindqvist"), tag(p, phi.Patient, "Lindqvist")
	if theo == ada || theo == either || ada == either || theo == one {
		t.Errorf("%s %s %s %s", one, theo, ada, either)
	}
	if tag(p, phi.Patient, "T. Lindqvist") != theo {
		t.Error("an initial tells which")
	}
	if other := tag(open("p2"), phi.Patient, "Margaret Okonkwo"); other == one {
		t.Error("two patients have one code")
	}
	if night := tag(open("p1"), phi.Patient, "Margaret Okonkwo"); night != one {
		t.Errorf("on a night that knows no other names %s, want %s", night, one)
	}
	if tag(p, phi.Phone, "(360) 555-0119") != tag(p, phi.Phone, "360.555.0119") || tag(p, phi.City, "BOSTON") != tag(p, phi.City, "Boston") {
		t.Error("one number or place has two codes")
	}
}
