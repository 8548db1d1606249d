package surrogate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func siteListsOf(t *testing.T, text string) *Lists {
	t.Helper()
	l, err := ParseLists([]ListFile{{"site.txt", []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// numbered returns n made-up words that begin with a prefix.
func numbered(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, prefix+string(rune('a'+i/10))+string(rune('a'+i%10)))
	}
	return all
}

// TestListsReplace: what a site's lists replace is drawn from them alone, what
// they widen from both, and the program's own lists stay as they are.
func TestListsReplace(t *testing.T) {
	families, givens := numbered("Qu", 30), numbered("Zw", 30)
	l := siteListsOf(t, "mode: replace\nfamily: "+strings.Join(families, ", ")+"\ntowns MA: Xanford=019, Xanburg\ninstitutions: "+
		strings.Join(numbered("Vr", 30), ", ")+"\nmode: widen\ngiven f: "+strings.Join(givens, ", "))
	own := map[bool]int{}
	for i := range 200 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{Lists: l})
		out := strings.Fields(replace(p, phi.Patient, "Alice Tolliver"))
		if !slices.Contains(families, out[1]) {
			t.Errorf("Tolliver became %s", out[1])
		}
		own[slices.Contains(givens, out[0])]++
		p.Observe(phi.City, "Springfield, VT 05156")
		if state := replace(p, phi.State, "VT"); state == "MA" {
			if got := replace(p, phi.City, "Springfield"); got != "Xanford" && got != "Xanburg" {
				t.Errorf("a town of Massachusetts became %s", got)
			}
		}
		if got := replace(p, phi.Hospital, "Ridgecrest Hospital"); !strings.HasPrefix(got, "Vr") {
			t.Errorf("a hospital became %s", got)
		}
	}
	if own[true] == 0 || own[false] == 0 {
		t.Errorf("of 200 given names %d are the site's", own[true])
	}
	if slices.Contains(load().pools["family en"], families[0]) || l.Digest() == "" || (*Lists)(nil).Digest() != "" {
		t.Error("the program's lists changed, or a digest is missing")
	}
	other := siteListsOf(t, "family: Adlerstone")
	if other.Digest() == l.Digest() {
		t.Error("two lists have one digest")
	}
}

// TestListsErrors: errors tell file and line, and what to write.
func TestListsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"family: Adler\nnonsense":             "site.txt:2: write HEAD: ITEM",
		"# x\n\nkin: Adler":                   `site.txt:3: "kin" is no list`,
		"given: Adler":                        `site.txt:1: "given" is no list`,
		"given x: Adler":                      `site.txt:1: sex "x" is unknown`,
		"given f xx: Adler":                   `site.txt:1: origin "xx" is unknown`,
		"family: Adler, 12":                   "site.txt:1: 2. item",
		"family: Adler, bell":                 "site.txt:1: 2. item",
		"family: De Adler":                    "site.txt:1: a name of a person is one word",
		"family: Adler=019":                   "site.txt:1: 1. item: =",
		"mode: add":                           `site.txt:1: mode "add" is unknown`,
		"towns QQ: Foo":                       `site.txt:1: "QQ" is no state`,
		"towns MA: Foo=900":                   "site.txt:1: 900 is no ZIP prefix of MA",
		"towns uk QQ: Foo":                    `site.txt:1: "QQ" is no region of uk`,
		"towns fr 75: Foo":                    `site.txt:1: country "fr"`,
		"mode: replace\nfamily: Adler, Borne": `site.txt:2: "family en" has 2 entries`,
		"# nothing":                           "hold no names",
		"family:":                             "site.txt:1: 1. item",
	} {
		_, err := ParseLists([]ListFile{{"site.txt", []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestListsExample: the example is one that the program takes.
func TestListsExample(t *testing.T) {
	raw, err := os.ReadFile("../../examples/surrogate-lists.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseLists([]ListFile{{"surrogate-lists.txt", raw}}); err != nil {
		t.Error(err)
	}
}

// TestListsOfCanadianTowns: a town of a site's own list has no letter of postcodes, and
// the postcode begins with one of its province.
func TestListsOfCanadianTowns(t *testing.T) {
	l := siteListsOf(t, "mode: replace\ntowns ca BC: Xanford, Xanburg\ntowns ca ON: Vrede")
	for i := range 60 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{Lists: l})
		p.Observe(phi.City, "Guelph, ON N1H 2T3")
		code, province := replace(p, phi.ZIP, "N1H 2T3"), replace(p, phi.State, "ON")
		if len(code) != 7 || provinceOf(code[:1]) != province {
			t.Errorf("ON N1H 2T3 became %s %s", province, code)
		}
	}
}
