package schemes

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestSchemes(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Schemes() {
		if seen[s.Name()] || s.Title() == "" {
			t.Errorf("scheme %q: twice, or without title", s.Name())
		}
		seen[s.Name()] = true
		if got, err := ParseScheme(strings.ToUpper(s.Name())); err != nil || got != s {
			t.Errorf("ParseScheme(%q): %v", s.Name(), err)
		}
		for _, l := range s.Labels() {
			if !phi.IsCategory(l.Category) {
				t.Errorf("%s: %s has category %q", s.Name(), l.Name, l.Category)
			}
			if l.Type != phi.None && l.Type.Category() != l.Category {
				t.Errorf("%s: %s is of %s but its type %s of %s", s.Name(), l.Name, l.Category, l.Type, l.Type.Category())
			}
			if l.NoPHI && l.Type != phi.None {
				t.Errorf("%s: %s is no PHI and yet %s", s.Name(), l.Name, l.Type)
			}
			if got, err := s.Find(strings.ToLower(l.Name)); err != nil || got != l {
				t.Errorf("%s: Find(%q) = %v, %v", s.Name(), l.Name, got, err)
			}
		}
		if _, err := s.Find("no such label"); err == nil {
			t.Errorf("%s finds a label that it does not have", s.Name())
		}
	}
	if _, err := ParseScheme("icd"); err == nil || !strings.Contains(err.Error(), "meddocan") {
		t.Errorf("an unknown scheme: %v; want an error that lists the schemes", err)
	}
}

// Types that a scheme has no label for.
func TestTypesWithoutLabel(t *testing.T) {
	for _, c := range []struct {
		scheme *Scheme
		want   string
	}{
		{I2B2, ""},
		{I2B2Categories, ""},
		{I2B2Of2006, "USERNAME PROFESSION EMAIL URL IPADDR OTHER"},
		{NGRID, "OTHER"},
		{HIPAA18, "DOCTOR USERNAME PROFESSION ROOM DEPARTMENT HOSPITAL STATE COUNTRY LOCATION-OTHER OTHER"},
		{NUT, ""},
		{DEDUCE, "PROFESSION ROOM DEPARTMENT COUNTRY OTHER"},
		{MEDDOCAN, ""},
	} {
		var none []string
		for _, typ := range phi.Types() {
			if l, ok := c.scheme.Of(typ); !ok {
				none = append(none, typ.String())
			} else if l.Category != typ.Category() && (c.scheme != MEDDOCAN || typ != phi.Username) && (c.scheme != HIPAA18 || typ != phi.Age) {
				t.Errorf("%s: %s becomes %s of %s", c.scheme.Name(), typ, l.Name, l.Category)
			}
		}
		if got := strings.Join(none, " "); got != c.want {
			t.Errorf("%s has no label for %q, want %q", c.scheme.Name(), got, c.want)
		}
	}
}

// From a scheme to i2b2 and back is the identity for labels that one type
// fits, but for those that share it with a commoner label.
func TestThereAndBack(t *testing.T) {
	shared := map[string]string{
		"CENTRO_SALUD": "HOSPITAL", "NUMERO_BENEF_PLAN_SALUD": "ID_ASEGURAMIENTO", "ID_CONTACTO_ASISTENCIAL": "OTRO_NUMERO_IDENTIF",
		"ID_EMPLEO_PERSONAL_SANITARIO": "OTRO_NUMERO_IDENTIF", "Care_Institute": "Organization_Company",
	}
	for _, s := range Schemes() {
		if s == MIMIC {
			continue
		}
		there, back := Between(s, I2B2), Between(I2B2, s)
		for _, l := range s.Labels() {
			category, label, keep, err := there.Map(l.Name)
			switch {
			case l.NoPHI:
				if keep || err != nil {
					t.Errorf("%s: %s is kept or unknown: %v", s.Name(), l.Name, err)
				}
				continue
			case l.Type == phi.None:
				if err == nil {
					t.Errorf("%s: %s becomes %s, though no single type fits it", s.Name(), l.Name, label)
				}
				continue
			case err != nil || !keep || label != l.Type.String() || category != l.Category:
				t.Errorf("%s: %s becomes %s %s, %v, %v", s.Name(), l.Name, category, label, keep, err)
				continue
			}
			want := l.Name
			if w, ok := shared[l.Name]; ok {
				want = w
			}
			if _, got, _, err := back.Map(label); err != nil || got != want {
				t.Errorf("%s: %s comes back as %q, %v; want %q", s.Name(), l.Name, got, err, want)
			}
		}
	}
}

func TestMEDDOCANHas29Types(t *testing.T) {
	if n := len(MEDDOCAN.Labels()); n != 29 {
		t.Errorf("%d labels", n)
	}
	if n := len(HIPAA18.Labels()); n != 18 {
		t.Errorf("HIPAA: %d labels", n)
	}
	if n := len(NGRID.Labels()); n != 30 {
		t.Errorf("N-GRID: %d labels", n)
	}
	if n := len(NUT.Labels()); n != 16 {
		t.Errorf("NUT: %d labels", n)
	}
}

func TestMIMICBrackets(t *testing.T) {
	for label, want := range map[string]phi.Type{
		"[**Known lastname 3763**]": phi.Patient, "Known firstname": phi.Patient, "Last Name (NamePattern4) **]": phi.None,
		"[**Last Name (STitle) 12**]": phi.Patient, "[**Name10 (NameIs) 29**]": phi.Patient, "[**Doctor Last Name 5**]": phi.Doctor,
		"[**Hospital1 18**]": phi.Hospital, "[**Hospital Ward Name 23**]": phi.Department, "[**Location (un) 436**]": phi.LocationOther,
		"[**Telephone/Fax (1) 612**]": phi.Phone, "[**2137-1-4**]": phi.Date, "[**3-22**]": phi.Date, "[**5-/2137**]": phi.Date,
		"[**Month/Day (2) 7**]": phi.Date, "[**Year (4 digits) 2**]": phi.Date, "[**Month (only) 9**]": phi.Date,
		"[**Age over 90 **]": phi.Age, "[**Medical Record Number 99**]": phi.MedicalRecord, "[**Job Number 12**]": phi.IDNum,
		"[**MD Number(1) 3**]": phi.License, "[**State/Zipcode 8**]": phi.State, "[****]": phi.None, "[**Nonsense 4**]": phi.None,
	} {
		l, err := MIMIC.Find(label)
		if label == "Last Name (NamePattern4) **]" {
			want = phi.Patient // an opening bracket lost does no harm
		}
		if (err == nil) != (want != phi.None) || l.Type != want {
			t.Errorf("%s: %v, %v; want %v", label, l.Type, err, want)
		}
		_, to, keep, err := Between(MIMIC, I2B2).Map(label)
		if want != phi.None && (err != nil || !keep || to != want.String()) {
			t.Errorf("%s maps to %q, %v, %v", label, to, keep, err)
		}
	}
}

func TestHIPAASubsets(t *testing.T) {
	documented := "PATIENT ORGANIZATION STREET CITY ZIP AGE DATE PHONE FAX EMAIL SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE " +
		"DEVICE BIOID IDNUM"
	var got, script []string
	for _, typ := range phi.Types() {
		if typ.HIPAA() != phi.HIPAADocumented(typ.Category(), strings.ToLower(typ.String())) {
			t.Errorf("%s: HIPAA and HIPAADocumented disagree", typ)
		}
		if typ.HIPAA() {
			got = append(got, typ.String())
		}
		if phi.HIPAAScript(typ.Category(), typ.String()) {
			script = append(script, typ.String())
		}
	}
	if s := strings.Join(got, " "); s != documented {
		t.Errorf("documented: %s", s)
	}
	if s := strings.Join(script, " "); s != strings.TrimSuffix(documented, " IDNUM") {
		t.Errorf("script: %s", s)
	}
	for _, c := range []struct {
		category, label    string
		script, documented bool
	}{
		{"DATE", "anything", true, true}, {"AGE", "", true, true},
		{"CONTACT", "phone", false, true},       // the script respects case
		{"CONTACT", "PHONENUMBER", true, false}, // and matches a prefix
		{"LOCATION", "CITY-STATE", true, false},
		{"NAME", "CITY", false, false}, // a type of another category
		{"ID", "IDNUM ", true, false},  // a type that nobody writes
		{"PHI", "PATIENT", false, false},
	} {
		if got := phi.HIPAAScript(c.category, c.label); got != c.script {
			t.Errorf("script: %s/%s %v", c.category, c.label, got)
		}
		if got := phi.HIPAADocumented(c.category, c.label); got != c.documented {
			t.Errorf("documented: %s/%s %v", c.category, c.label, got)
		}
	}
	if phi.HIPAAName.Paragraph() != 'A' || phi.HIPAAOther.Paragraph() != 'R' || phi.NoIdentifier.Paragraph() != 0 {
		t.Error("paragraphs are not (A) to (R)")
	}
}

func TestReadMapping(t *testing.T) {
	file := "# ours\nPERSON: PATIENT\nward: Department\nMISC: drop\nFECHAS: drop\n\"NO\": OTHER\n"
	m, err := ReadMapping("ours.yaml", []byte(file), I2B2, Between(MEDDOCAN, I2B2))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		label, category, to string
		keep                bool
	}{
		{"person", "NAME", "PATIENT", true}, {"WARD", "LOCATION", "DEPARTMENT", true}, {"MISC", "", "", false},
		{"NO", "OTHER", "OTHER", true},
		{"FECHAS", "", "", false},             // the file goes before the table
		{"CALLE", "LOCATION", "STREET", true}, // the table does the rest
		{"SEXO_SUJETO_ASISTENCIA", "", "", false},
	} {
		category, to, keep, err := m.Map(c.label)
		if err != nil || category != c.category || to != c.to || keep != c.keep {
			t.Errorf("%s becomes %q %q, %v, %v", c.label, category, to, keep, err)
		}
	}
	if _, _, _, err := m.Map("STRANGE"); err == nil || !strings.Contains(err.Error(), `"STRANGE"`) ||
		!strings.Contains(err.Error(), "ours.yaml") {
		t.Errorf("an unknown label: %v", err)
	}
	if m, err := ReadMapping("free.yaml", []byte("A: B"), nil, nil); err != nil {
		t.Error(err)
	} else if _, to, _, _ := m.Map("a"); to != "B" {
		t.Errorf("without a scheme A becomes %q", to)
	}
}

func TestReadMappingErrors(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"unknown target", "A: DATE\nPERSON: PATENT\n", `m.yaml, line 2: label "PERSON" becomes "PATENT", which the scheme i2b2 does not have`},
		{"twice", "A: DATE\nB: DATE\na: AGE\n", `m.yaml, line 3: label "a" was mapped in line 1 already`},
		{"a list", "A: [DATE, AGE]\n", `m.yaml, line 1: label "A": want one label or drop`},
		{"nothing", "A: DATE\nB:\n", `m.yaml, line 2: label "B": want one label or drop`},
		{"no table", "- A\n- B\n", "m.yaml, line 1: want lines of the form"},
		{"no YAML", "A: \"DATE\n", "m.yaml: "},
		{"all errors at once", "A: X\nB: Y\n", `line 2: label "B" becomes "Y"`},
	} {
		m, err := ReadMapping("m.yaml", []byte(c.file), I2B2, nil)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
	for _, file := range []string{"", "# nothing\n", "---\n"} {
		if _, err := ReadMapping("m.yaml", []byte(file), I2B2, nil); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

func FuzzReadMapping(f *testing.F) {
	f.Add([]byte("A: PATIENT\nB: drop\n"))
	f.Add([]byte("A: &x PATIENT\nB: *x\n"))
	f.Add([]byte("{A: {B: C}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadMapping("m.yaml", data, I2B2, nil)
		if err != nil {
			return
		}
		for _, l := range m.Labels() {
			category, to, keep, err := m.Map(l)
			if err != nil {
				t.Errorf("%q is listed and yet unknown", l)
			}
			if _, perr := phi.ParseType(to); keep && (perr != nil || !phi.IsCategory(category)) {
				t.Errorf("%q becomes %q of %q", l, to, category)
			}
		}
	})
}
