package rules

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// siteTag tags a text with the rules of English and of the example site.
func siteTag(t *testing.T, m *Matcher, text string) string {
	t.Helper()
	var out []string
	for _, s := range m.Tag(nil, text, token.Tokenize(nil, text)) {
		out = append(out, s.Type.String()+":"+text[s.Start:s.End])
	}
	return strings.Join(out, " ")
}

// TestSiteExample: the documented example loads and does what it says.
func TestSiteExample(t *testing.T) {
	raw, err := os.ReadFile("../../examples/site-rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	site, err := ParseSite("site-rules.yaml", raw)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseSite("another.yaml", raw)
	if err != nil || site.Digest() != again.Digest() || len(site.Digest()) != 64 {
		t.Errorf("digests %s, %s: %v", site.Digest(), again.Digest(), err)
	}
	r, err := New("en", site)
	if err != nil {
		t.Fatal(err)
	}
	m := r.NewMatcher()
	for _, c := range []struct{ text, want string }{
		{"enrolled as LX19-KD204, moved to W2-B", "IDNUM:LX19-KD204 ROOM:W2-B"},
		{"seen at Harrow Lane with cough", "HOSPITAL:Harrow Lane"},
		{"HARROW  LANE\nclinic", "HOSPITAL:HARROW  LANE"},
		{"at the Harrow\n  Lane desk", "HOSPITAL:Harrow\n  Lane"},
		{"harrow lane", ""},
		{"Harrow Lanes, mHarrow lane, Harrow Lane2", ""},
		{"The Old Brewery", ""},
		{"at The Old Brewery Day Unit.", "HOSPITAL:The Old Brewery Day Unit"},
		{"Blue Lantern mutual; DOCKERS' BENEVOLENT FUND", "ORGANIZATION:Blue Lantern mutual ORGANIZATION:DOCKERS' BENEVOLENT FUND"},
		{"140117/K (courier), 40117/K (van)", "IDNUM:40117/K"},
		{"stent 3.5 x 28 mm", ""},
	} {
		if got := siteTag(t, m, c.text); got != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}

// TestSiteErrors: every mistake is named with file, line and rule.
func TestSiteErrors(t *testing.T) {
	rule := func(lines string) string { return "rules:\n  - name: a-rule\n" + lines }
	good := "    type: ROOM\n    match: ['[[A1]]']\n    never: ['b']\n"
	for _, c := range []struct{ name, yaml, want string }{
		{"no YAML", "rules: [", "site.yaml: yaml: line 1"},
		{"empty", "# nothing\n", "empty"},
		{"unknown section", "rule: []\n", `site.yaml:1: unknown key "rule"`},
		{"no list", "rules: 5\n", "site.yaml:1: `rules` wants a list"},
		{"unknown key", rule(good + "    pattern: 'A\\d'\n    wieght: 1\n"), `site.yaml:2: rule "a-rule": line 7: unknown key "wieght"`},
		{"unknown type", rule("    type: ROOMS\n    pattern: 'A\\d'\n"), `site.yaml:2: rule "a-rule": unknown type "ROOMS"`},
		{"bad name", "rules:\n  - name: A Rule\n", `site.yaml:2: rule "A Rule": name it`},
		{"syntax", rule(good + "    pattern: 'A(\\d'\n"), "pattern: error parsing regexp: missing closing )"},
		{"look-behind", rule(good + "    pattern: '(?<=x)A\\d'\n"), "error parsing regexp"},
		{"group", rule(good + "    pattern: 'A(\\d)'\n"), "groups are written (?:...)"},
		{"empty match", rule(good + "    pattern: '(?:A\\d)*'\n"), "may match the empty string"},
		{"no pattern", rule(good), "pattern is missing"},
		{"blank", rule(good + "    pattern: '\\s*A\\d'\n"), "begin with a blank"},
		{"blank before", rule(good + "    before: '.*ward '\n    pattern: 'A\\d'\n"), "begin with a blank"},
		{"explodes", rule(good + "    pattern: '[a-zA-Z0-9]*x[a-zA-Z0-9]{40}'\n"), "states"},
		{"no examples", rule("    type: ROOM\n    pattern: 'A\\d'\n"), "give examples"},
		{"example missed", rule("    type: ROOM\n    pattern: 'A\\d'\n    match: ['[[B1]]']\n    never: ['b']\n"),
			`example "[[B1]]": the rule finds [], not ["B1"]`},
		{"example unmarked", rule("    type: ROOM\n    pattern: 'A\\d'\n    match: ['A1']\n    never: ['b']\n"), "mark with [[ ]]"},
		{"counter-example found", rule("    type: ROOM\n    pattern: 'A\\d'\n    match: ['[[A1]]']\n    never: ['A2 scan']\n"),
			`must not match, but the rule finds "A2"`},
		{"score", rule(good + "    pattern: 'A\\d'\n    score: 7\n"), "score 7"},
		{"twice", rule(good+"    pattern: 'A\\d'\n") + "  - name: a-rule\n" + good + "    pattern: 'A\\d'\n",
			"site.yaml:7: rule \"a-rule\": line 2 has the same name"},
		{"list case", "lists:\n  - name: l\n    type: CITY\n    case: upper\n    phrases: [Rome]\n", `site.yaml:2: list "l": case "upper"`},
		{"list empty", "lists:\n  - name: l\n    type: CITY\n", "phrases are missing"},
		{"list blank phrase", "lists:\n  - name: l\n    type: CITY\n    phrases: [' ']\n", "write 1 to 16 words"},
		{"not a mapping", "rules:\n  - just text\n", "want keys and values"},
		{"wrong kind", rule(good + "    pattern: [a]\n"), "site.yaml:2"},
	} {
		_, err := ParseSite("site.yaml", []byte(c.yaml))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	site, err := ParseSite("s", []byte("rules:\n  - name: zip\n"+good+"    pattern: 'A\\d'\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New("en", site); err == nil || !strings.Contains(err.Error(), `"zip"`) {
		t.Errorf("a rule of the language's name: %v", err)
	}
}

// TestSiteKeepsOthers: a site's rules change nothing that they do not match.
func TestSiteKeepsOthers(t *testing.T) {
	site, err := ParseSite("s",
		[]byte("rules:\n  - name: odd\n    type: OTHER\n    pattern: 'ZQZ[0-9]{3}'\n    match: ['[[ZQZ123]]']\n    never: ['ZQZ']\n"+
			"lists:\n  - {name: l, type: OTHER, phrases: [zqzq zqzq]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := New("en", site)
	if err != nil {
		t.Fatal(err)
	}
	a, b := mustNew(t).NewMatcher(), r.NewMatcher()
	for _, n := range notes(t) {
		tokens := token.Tokenize(nil, n.text)
		if x, y := a.Tag(nil, n.text, tokens), b.Tag(nil, n.text, tokens); !slices.Equal(x, y) {
			t.Fatalf("%s: %v, with a site's rules %v", n.file, x, y)
		}
	}
}

// TestSiteAngles: what stands in angle brackets in a site's expression is itself and
// no macro of ours.
func TestSiteAngles(t *testing.T) {
	site, err := ParseSite("site.yaml", []byte("rules:\n- name: tagged-id\n  type: IDNUM\n  before: '<id>'\n  pattern: '\\d{6}'\n"+
		"  after: '</id>'\n  match: ['<id>[[482913]]</id>']\n  never: ['id 482913']\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := New("en", site)
	if err != nil {
		t.Fatal(err)
	}
	if got := siteTag(t, r.NewMatcher(), "sample <id>482913</id> read"); got != "IDNUM:482913" {
		t.Errorf("found %q", got)
	}
}

// TestListsAcrossThinBlanks: every kind of blank parts the words of a phrase.
func TestListsAcrossThinBlanks(t *testing.T) {
	site, err := ParseSite("site.yaml", []byte("lists:\n- name: wards\n  type: HOSPITAL\n  case: ignore\n  phrases: [Harrow Lane]\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := New("en", site)
	if err != nil {
		t.Fatal(err)
	}
	for _, blank := range []string{" ", "\u00a0", "\u2009", "\u202f", "\u2003"} {
		if got := siteTag(t, r.NewMatcher(), "at Harrow"+blank+"Lane now"); got != "HOSPITAL:Harrow"+blank+"Lane" {
			t.Errorf("with %q found %q", blank, got)
		}
	}
}

// TestWideColumns: a letterhead with wide columns, or padded with blanks, is read.
func TestWideColumns(t *testing.T) {
	m := mustNew(t).NewMatcher()
	for _, text := range []string{"COLUMBUS, OH" + strings.Repeat(" ", 40) + "PHONE 614-555-0133", "COLUMBUS, OH" + strings.Repeat(" ", 60),
		"COLUMBUS, IN " + strings.Repeat("\t", 60)} {
		siteTag(t, m, text) // a panic would put the note into quarantine
	}
}

// TestHostsBehindOddMarks: a host is found whatever stands before it.
func TestHostsBehindOddMarks(t *testing.T) {
	m := mustNew(t).NewMatcher()
	for _, text := range []string{"K 4.5\u00a0www.shandiin-silver.example", "ver.2–portal.huroncrest.example",
		"www.shandiin-silver.example—nothing",
		"Web:__www.shandiin-silver.example"} {
		if got := siteTag(t, m, text); !strings.Contains(got, "URL:") {
			t.Errorf("in %q found %q", text, got)
		}
	}
}
