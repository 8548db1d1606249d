package surrogate

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

var known = []string{"John Albert Smith", "Marisol Ibarra-Quintana", "Noreen Smith", "Owen T. Blackwood"}

func patient(t testing.TB, key, id string, o Options) *Patient {
	p := NewPatient(keyring(t, key), id, o)
	p.Know(known)
	return p
}

func replace(p *Patient, t phi.Type, s string) string {
	out, _ := p.Replace(Mention{Type: t, Surface: s})
	return out
}

// TestNames checks all forms of one name against the surrogate of the full one.
func TestNames(t *testing.T) {
	for i := range 40 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		full := strings.Fields(replace(p, phi.Patient, "John Smith"))
		given, family := full[0], full[1]
		if of := load().givenOf[fold(given)]; of != "m en" && of != "u en" {
			t.Errorf("John became %s, whom the lists do not know as a man's English name", given)
		}
		for in, want := range map[string]string{
			"Mr Smith": "Mr " + family, "Smith J.": family + " " + given[:1] + ".", "JS": given[:1] + family[:1],
			"J.S.": given[:1] + "." + family[:1] + ".", "SMITH, JOHN": strings.ToUpper(family + ", " + given),
			"smith": strings.ToLower(family), "Smith's": family + "'s", "Dr. Smith, MD": "Dr. " + family + ", MD", "John": given,
			"JOHN":     strings.ToUpper(given),
			"J. Smith": given[:1] + ". " + family, "Smith, J": family + ", " + given[:1], "John\nSmith": given + "\n" + family,
		} {
			if got := replace(p, phi.Patient, in); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
		}
		if got := replace(p, phi.Patient, "Noreen Smith"); !strings.HasSuffix(got, " "+family) {
			t.Errorf("Noreen Smith became %q, who shares no family name with %q", got, family)
		}
		johnny := fold(replace(p, phi.Patient, "Johnny"))
		if c, _ := p.known().canonical(johnny); c != fold(given) && johnny != fold(given) && !contains(load().pet[johnny], fold(given)) {
			t.Errorf("Johnny became %s, no short form of %s", johnny, given)
		}
		hyphen := replace(p, phi.Patient, "Marisol Ibarra-Quintana")
		first, last, _ := strings.Cut(hyphen, " ")
		if got := replace(p, phi.Patient, "IBARRA-QUINTANA, MARISOL"); got != strings.ToUpper(last+", "+first) {
			t.Errorf("%q and %q are not one person", hyphen, got)
		}
		if got := replace(p, phi.Patient, "Mrs. Ibarra"); got != "Mrs. "+last[:strings.IndexByte(last, '-')] {
			t.Errorf("Mrs. Ibarra became %q beside %q", got, hyphen)
		}
		if got := replace(p, phi.Patient, "van der Berg"); !strings.HasPrefix(got, "van der ") || strings.Contains(got, "Berg") {
			t.Errorf("a particle name became %q", got)
		}
		if a, b := replace(p, phi.Patient, "José García"), replace(p, phi.Patient, "JOSE GARCIA"); !strings.EqualFold(unaccent(a), b) {
			t.Errorf("with and without accents: %q and %q", a, b)
		}
		if got := replace(p, phi.Doctor, "OTB"); len(got) != 3 || got[0] == 'O' || got[2] != replace(p, phi.Doctor, "Blackwood")[0] {
			t.Errorf("OTB became %q", got)
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// TestNoKnownName: no word of any surrogate is a name known of the patient.
func TestNoKnownName(t *testing.T) {
	l := load()
	for i := range 5 {
		p := NewPatient(keyring(t, "k"), fmt.Sprint(i), Options{})
		p.Know(l.names[:400])
		p.Know([]string{"Alderton", "Zoltan Alderbrook", "Park Lane", "Green Valley Baker"})
		for _, c := range []struct {
			typ phi.Type
			s   string
		}{{phi.Patient, "John Smith"}, {phi.Doctor, "Xq Zzyzx"}, {phi.Hospital, "Tidewell Hospital"}, {phi.Street, "12 Oak Street"},
			{phi.City, "Boston"}, {phi.Street, "3 Hill Lane"}, {phi.Organization, "Valley Park Clinic"}, {phi.Profession, "teacher"},
			{phi.Email, "x.green@baker.org"}} {
			for _, piece := range cut(replace(p, c.typ, c.s)) {
				if p.known().known[fold(piece.text)] {
					t.Errorf("%s %q: the surrogate holds a known name", c.typ, c.s)
				}
			}
		}
	}
}

// TestForms checks that the form of what is replaced is kept: letters stay
// letters (a), digits digits (0), the rest as written.
func TestForms(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for _, c := range []struct {
		typ     phi.Type
		in, out string
	}{
		{phi.MedicalRecord, "30-41-887", "00-00-000"}, {phi.MedicalRecord, "MRN 0081-22", "MRN 0000-00"}, {phi.IDNum, "S14-2231b", "A00-0000a"},
		{phi.ZIP, "87505-1234", "00000-0000"}, {phi.ZIP, "LS6 2AB", "AA0 0AA"}, {phi.ZIP, "K1A 0B1", "A0A 0A0"}, {phi.ZIP, "2000", "0000"},
		{phi.Room, "412B", "000A"}, {phi.Device, "SN: 44-XY", "SN: 00-AA"},
		{phi.Street, "PO Box 123", "PO Box 000"}, {phi.Hospital, "Ward 7B", "Ward 0A"}, {phi.Hospital, "MGH", "AAA"},
		{phi.State, "NJ", "AA"}, {phi.State, "nj", "aa"}, {phi.State, "N.J.", "A.A."},
	} {
		got := replace(p, c.typ, c.in)
		if shape(got, c.out) != c.out || got == c.in {
			t.Errorf("%s %q became %q, not of the form %q", c.typ, c.in, got, c.out)
		}
	}
	for _, c := range []struct {
		typ            phi.Type
		in             string
		prefix, suffix string
	}{
		{phi.Phone, "(201) 555-0138", "(", "-01"}, {phi.Phone, "555-0138", "555-01", ""}, {phi.Phone, "+44 1632 960983", "+44 1632 960", ""},
		{phi.Phone, "01632 960983", "01632 960", ""}, {phi.Fax, "07700 900123", "07700 900", ""},
		{phi.Phone, "+61 491 570 156", "+61 491 57", ""},
		{phi.Phone, "pager 4410", "pager ", ""}, {phi.Phone, "x4410", "x", ""}, {phi.SSN, "123-45-6789", "9", ""},
		{phi.SSN, "SSN 123456789", "SSN 9", ""},
		{phi.IPAddress, "10.0.0.1:80", "", ":80"}, {phi.IPAddress, "fe80::1", "2001:db8::", ""},
		{phi.URL, "https://www.tidewell.org/a", "https://www.", ".example."},
		{phi.Email, "J.Ibarra@clinic.org", "", ".example."}, {phi.Hospital, "Tidewell Memorial Hospital", "", " Memorial Hospital"},
		{phi.Hospital, "St. Mary's Hospital", "St. ", "'s Hospital"}, {phi.Organization, "Kearny High School", "", " High School"},
		{phi.Street, "62 Beechmere Avenue", "", " Avenue"}, {phi.Street, "12 42nd Street, Apt 4B", "", " Street, Apt "},
		{phi.Street, "Park Lane", "", " Lane"},
		{phi.City, "Hudson County", "", " County"}, {phi.Profession, "retired teacher", "retired ", ""},
		{phi.Department, "Ellery Breast Unit", "", " Breast Unit"},
	} {
		got := replace(p, c.typ, c.in)
		if !strings.HasPrefix(got, c.prefix) || !strings.Contains(got, c.suffix) || got == c.in {
			t.Errorf("%s %q became %q, want %q...%q", c.typ, c.in, got, c.prefix, c.suffix)
		}
	}
}

func shape(s, like string) string {
	m := strings.NewReplacer("X", "A", "x", "a").Replace(mask(s))
	for i := 0; i < len(m) && i < len(s) && i < len(like) && s[i] == like[i]; i++ {
		m = s[:i+1] + m[i+1:] // a kept label
	}
	return m
}

// TestSame lists mentions that are one thing and must stay one.
func TestSame(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for _, c := range []struct {
		typ, other phi.Type
		a, b       string
	}{
		{phi.MedicalRecord, phi.IDNum, "0081-22", "008122"}, {phi.MedicalRecord, phi.MedicalRecord, "ab-12", "MRN: AB12"},
		{phi.Phone, phi.Fax, "(201) 555-0138", "+1 201.555.0138"},
		{phi.Phone, phi.Phone, "x12", "ext 12"}, {phi.Phone, phi.Phone, "x12", "extn 12"},
		{phi.SSN, phi.SSN, "123-45-6789", "123456789"},
		{phi.Email, phi.Email, "M.Ibarra@Clinic.org", "m.ibarra@clinic.org"}, {phi.State, phi.State, "New Jersey", "new jersey"},
		{phi.Hospital, phi.Hospital, "Tidewell Hospital", "TIDEWELL HOSPITAL"}, {phi.City, phi.City, "Kearny", "KEARNY"},
	} {
		a, b := alnum(replace(p, c.typ, c.a)), alnum(replace(p, c.other, c.b))
		for _, prefix := range []string{"MRN", "EXTN", "EXT", "X", "1"} {
			a, b = strings.TrimPrefix(a, prefix), strings.TrimPrefix(b, prefix)
		}
		if a != b {
			t.Errorf("%s: %q and %q became %q and %q", c.typ, c.a, c.b, a, b)
		}
	}
	full, last := replace(p, phi.SSN, "123-45-6789"), replace(p, phi.SSN, "6789")
	if !strings.HasSuffix(full, last) {
		t.Errorf("the last four digits %s are not those of %s", last, full)
	}
	long, short := replace(p, phi.Phone, "201-555-0138"), replace(p, phi.Phone, "555-0138")
	if !strings.HasSuffix(long, short) {
		t.Errorf("%s is not %s with an area code", long, short)
	}
}

func TestAges(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for _, c := range []struct {
		in, want string
		outcome  Outcome
	}{
		{"67", "67", Kept}, {"89", "89", Kept}, {"three", "three", Kept}, {"60s", "60s", Kept}, {"100 weeks", "100 weeks", Kept},
		{"mid 80s", "mid 80s", Kept},
		{"eighty-nine", "eighty-nine", Kept}, {"18 months", "18 months", Kept}, {"2 years 11 months", "2 years 11 months", Kept},
		{"90", "90+", Replaced}, {"95F", "90+F", Replaced}, {"95-year-old", "90+-year-old", Replaced}, {"95yo", "90+yo", Replaced},
		{"103 y.o.", "90+ y.o.", Replaced},
		{"ninety-five", "ninety-plus", Replaced}, {"NINETY FIVE", "NINETY-PLUS", Replaced}, {"ninetyfive", "ninety-plus", Replaced},
		{"one hundred and two", "ninety-plus", Replaced},
		{"90s", "90+", Replaced}, {"in her 90s", "in her 90+", Replaced}, {"nineties", "90+", Replaced},
		{"nonagenarian", "person aged 90+", Replaced},
		{"94 1/2", "90+", Replaced},
		{"23 años", "23 años", Kept}, {"5 años y 7 meses", "5 años y 7 meses", Kept}, {"120 meses", "120 meses", Kept},
		{"setenta y dos años", "setenta y dos años", Kept},
		{"94 años", "90+ años", Replaced}, {"noventa y dos años", "xxxxxxx x xxx xxxx", Masked},
		{"ninty-five", "xxxxx-xxxx", Masked}, {"??", "??", Masked}, {"", "X", Masked},
	} {
		if got, o := p.Replace(Mention{Type: phi.Age, Surface: c.in}); got != c.want || o != c.outcome {
			t.Errorf("age %q became %q, %v; want %q, %v", c.in, got, o, c.want, c.outcome)
		}
	}
	if got, _ := patient(t, "k", "p", Options{AgeLimit: 79}).Replace(Mention{Type: phi.Age, Surface: "84"}); got != "80+" {
		t.Errorf("with limit 79, 84 became %q", got)
	}
}

func TestDates(t *testing.T) {
	p := patient(t, "k", "p1", Options{FixedOffset: 28})
	r := dates.Reference{NoteDay: dates.DaysFromCivil(2018, 3, 10), HasNoteDay: true}
	for _, c := range []struct {
		in, want string
		outcome  Outcome
	}{{"3/4/2018", "4/1/2018", Replaced}, {"Monday", "Monday", Kept}, {"2/31/2018", "0/00/0000", Masked},
		{"the 9th of Xyz", "xxx 0xx xx Xxx", Masked}} {
		if got, o := p.Replace(Mention{Type: phi.Date, Surface: c.in, Ref: r}); got != c.want || o != c.outcome {
			t.Errorf("%q became %q, %v; want %q, %v", c.in, got, o, c.want, c.outcome)
		}
	}
	if p.Offset("d") != 28 || patient(t, "k", "p1", Options{}).Offset("d") == patient(t, "j", "p1", Options{}).Offset("d") {
		t.Error("the offset must be the one supplied, else depend on the key")
	}
}

func TestModes(t *testing.T) {
	all := preset(t, "surrogate-shift")
	tag, masked := patient(t, "k", "p1", Options{Policy: all.All(Tag)}), patient(t, "k", "p1", Options{Policy: all.All(Mask)})
	if got, o := tag.Replace(Mention{Type: phi.Doctor, Surface: "Owen"}); got != "[DOCTOR]" || o != Replaced {
		t.Errorf("tag: %q, %v", got, o)
	}
	if got, o := masked.Replace(Mention{Type: phi.Patient, Surface: "O'Neil, Åsa 3/4"}); got != "X'Xxxx, Xxx 0/0" || o != Masked {
		t.Errorf("mask: %q, %v", got, o)
	}
	for _, o := range []Options{{Policy: all.All("hash")}, {Scope: "note"}, {AgeLimit: -1}, {Dates: DatePolicy{Policy: "month"}},
		{DateScope: Markov}, {MarkovChange: 2}, {Sentinels: "drop"}, {FixedOffset: 1 << 30}} {
		if o.Check() == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

// TestScopes: what is shared between patients and documents is what the
// options say.
func TestScopes(t *testing.T) {
	ask := func(o Options, key, id, doc string, typ phi.Type) string {
		out, _ := patient(t, key, id, o).Replace(Mention{Type: typ, Surface: "Hawthorne Quimby", Document: doc})
		return out
	}
	var none, shared, perDoc = Options{}, Options{SharedDoctors: true}, Options{Scope: PerDocument}
	if ask(none, "k", "p1", "d1", phi.Patient) != ask(none, "k", "p1", "d2", phi.Patient) {
		t.Error("a patient's name changes between documents")
	}
	if ask(perDoc, "k", "p1", "d1", phi.Patient) == ask(perDoc, "k", "p1", "d2", phi.Patient) {
		t.Error("scope document shares names between documents")
	}
	if ask(none, "k", "p1", "d", phi.Doctor) == ask(none, "k", "p2", "d", phi.Doctor) ||
		ask(none, "k", "p1", "d", phi.Patient) == ask(none, "k", "p2", "d", phi.Patient) {
		t.Error("patients share surrogates")
	}
	if ask(shared, "k", "p1", "d", phi.Doctor) != ask(shared, "k", "p2", "d", phi.Doctor) ||
		ask(shared, "k", "p1", "d", phi.Patient) == ask(shared, "k", "p2", "d", phi.Patient) {
		t.Error("with shared doctors, doctors and only they are shared")
	}
	if ask(none, "k", "p1", "d", phi.Patient) == ask(none, "j", "p1", "d", phi.Patient) {
		t.Error("another key gives the same surrogate")
	}
}

// surfaces are mentions of every type, for the properties below.
var surfaces = []string{"John Smith", "JS", "Smith's", "Marisol Ibarra-Quintana", "MGH", "St. Mary's Hospital", "General Hospital",
	"218 Cerrillos Bend", "12 42nd St",
	"Boston, MA", "NJ", "Nigeria", "UK", "07032", "412B", "crane operator", "0081-22", "123-45-6789", "(201) 555-0138 x12", "a@b.org",
	"http://a.b/c", "10.0.0.1",
	"fe80::1", "x", "X", "A", "0", "9", "é", "李明", "---", " ", "", "\xff\xfe", "l'", "'s", "Ünal", "ǅ", "٣٤", "Dr", "van", "of the", "Street",
	"ß", "İ"}

// TestReplaceOrder: the order and repetition of Observe and the order of
// Replace change nothing.
func TestReplaceOrder(t *testing.T) {
	k := keyring(t, "k")
	want := map[string]string{}
	for round := range 5 {
		r := rand.New(rand.NewSource(int64(round)))
		p := NewPatient(k, "p1", Options{})
		for _, i := range append(r.Perm(len(surfaces)), r.Perm(len(surfaces))...) {
			p.Observe(phi.Patient, surfaces[i])
		}
		for _, i := range r.Perm(len(surfaces) * phi.NumTypes) {
			typ, s := phi.Type(i%phi.NumTypes), surfaces[i/phi.NumTypes]
			out := replace(p, typ, s)
			id := typ.String() + "/" + s
			if round > 0 && want[id] != out {
				t.Fatalf("%s %q became %q, and %q in another order", typ, s, out, want[id])
			}
			want[id] = out
		}
	}
}

func check(t *testing.T, p *Patient, typ phi.Type, s string) {
	t.Helper()
	out, o := p.Replace(Mention{Type: typ, Surface: s})
	if out == "" {
		t.Fatalf("%s %q became nothing", typ, s)
	}
	if o == Replaced && out == s {
		t.Fatalf("%s %q was not replaced", typ, s)
	}
	if typ != phi.Date && typ != phi.Age && o != Replaced {
		t.Fatalf("%s %q: outcome %v", typ, s, o)
	}
}

func TestNeverTheOriginal(t *testing.T) {
	for i := range 50 {
		p := patient(t, "k", fmt.Sprint(i), Options{})
		for _, typ := range append(phi.Types(), phi.None) {
			for _, s := range surfaces {
				check(t, p, typ, s)
			}
			for _, list := range [][]string{p.lists.us.all, p.lists.places["country"], p.lists.places["place"], p.lists.places["street"],
				p.lists.pools["given f en"], p.lists.names} {
				check(t, p, typ, list[i%len(list)])
			}
		}
	}
}

func FuzzReplace(f *testing.F) {
	for i, s := range surfaces {
		f.Add(uint8(i), s, "Jane "+s)
		f.Add(uint8(phi.Hospital), s, "BC Clinic")
	}
	p := NewPatient(keyring(f, "k"), "p", Options{})
	f.Fuzz(func(t *testing.T, typ uint8, s, known string) {
		q := NewPatient(p.keys, "p", Options{SharedDoctors: typ > 200})
		q.Know([]string{known})
		of := phi.Type(int(typ) % phi.NumTypes)
		for _, o := range []phi.Type{phi.Doctor, phi.Hospital, of} {
			q.Observe(o, s)
			q.Observe(o, known)
		}
		check(t, q, of, s)
	})
}

// BenchmarkReplace replaces a patient's mentions, each new to the patient: what
// a note costs without the cache.
func BenchmarkReplace(b *testing.B) {
	k := keyring(b, "k")
	mentions := []Mention{{Type: phi.Patient, Surface: "John Smith"}, {Type: phi.Doctor, Surface: "Owen T. Blackwood"},
		{Type: phi.Date, Surface: "3/4/2018"},
		{Type: phi.Date, Surface: "March 4, 2018"}, {Type: phi.MedicalRecord, Surface: "0081-22"},
		{Type: phi.Hospital, Surface: "Tidewell Memorial Hospital"},
		{Type: phi.Phone, Surface: "(201) 555-0138"}, {Type: phi.Age, Surface: "67"}, {Type: phi.City, Surface: "Boston"},
		{Type: phi.Street, Surface: "218 Cerrillos Bend"}}
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			p := NewPatient(k, "p", Options{})
			p.Know(known)
			for _, m := range mentions {
				p.Replace(m)
			}
		}
		b.ReportMetric(float64(b.N*len(mentions))/b.Elapsed().Seconds(), "replacements/s")
	})
	b.Run("seen", func(b *testing.B) {
		p := patient(b, "k", "p", Options{})
		for b.Loop() {
			for _, m := range mentions {
				p.Replace(m)
			}
		}
		b.ReportMetric(float64(b.N*len(mentions))/b.Elapsed().Seconds(), "replacements/s")
	})
}

// Of what stands before "://" a scheme stays, and no letter of what is glued to it.
func TestURLsKeepAKnownSchemeOnly(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for in, want := range map[string]string{
		"http://portal.org/x": "http://", "HTTPS://portal.org/x": "HTTPS://", "ftp://portal.org": "ftp://", "sftp://portal.org": "sftp://",
		"Okonkwohttp://portal.org/x": "http://", "OkonkwoHttps://portal.org/x": "Https://", "Okonkwo://portal.org/x": "",
		"a@b.org http://portal.org": "http://",
	} {
		got := replace(p, phi.URL, in)
		scheme, _, ok := strings.Cut(got, "://")
		if ok {
			scheme += "://"
		} else {
			scheme = ""
		}
		if scheme != want || strings.Contains(strings.ToLower(got), "okonkwo") || strings.Contains(got, "portal") {
			t.Errorf("%q became %q, want one that begins with %q", in, got, want)
		}
	}
}

// The name of an institution or street keeps no word that is a name known of
// the patient, be it a word that tells what the thing is.
func TestNoKnownNameWithinOthers(t *testing.T) {
	for i := range 20 {
		p := NewPatient(keyring(t, "k"), fmt.Sprint("p", i), Options{})
		p.Know([]string{"Rosa Church-Hill", "Fiona Abernathy-Cruz", "Lane, Joy", "Park Hospital"})
		for _, c := range []struct {
			typ phi.Type
			in  string
		}{
			{phi.Organization, "Santa Cruz Pecan Growers"}, {phi.Organization, "Church Hill School"}, {phi.Hospital, "Hill Hospital"},
			{phi.Hospital, "Joy Clinic of Church Lane"}, {phi.Street, "12 Cruz Lane"}, {phi.Street, "Park Lane"},
			{phi.Department, "Rosa Church Ward 3"},
		} {
			got := replace(p, c.typ, c.in)
			for _, w := range strings.FieldsFunc(got, func(r rune) bool { return r == ' ' || r == '-' }) {
				switch w {
				case "Church", "Hill", "Cruz", "Lane", "Joy", "Park", "Rosa":
					t.Errorf("%v %q became %q", c.typ, c.in, got)
				}
			}
		}
	}
}

// No number that is known of the patient stands for another of theirs, though the
// telephone numbers that nobody has are few.
func TestNoSurrogateIsAnotherNumberOfThePatient(t *testing.T) {
	keys, err := NewKeyring([]byte(strings.Repeat("of numbers ", 4)), 0)
	if err != nil {
		t.Fatal(err)
	}
	first := NewPatient(keys, "p", Options{})
	const mine = "07700 900742"
	made, _ := first.Replace(Mention{Type: phi.Phone, Surface: mine})
	again := NewPatient(keys, "p", Options{})
	again.KnowNumber(phi.Phone, made)
	other, _ := again.Replace(Mention{Type: phi.Phone, Surface: mine})
	if other == made || !strings.HasPrefix(other, "07700 900") {
		t.Errorf("%s becomes %s, and where that is a number of the patient %s", mine, made, other)
	}
}
