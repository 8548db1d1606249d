package canary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

const note = "Admitted with cough. Started on fluids and oxygen. He improved.\nPLAN\nHome in the morning. No new drugs.\n"

func planter(t *testing.T, language string, seed uint64) *Planter {
	t.Helper()
	p, err := NewPlanter(language, surrogate.Options{}.Resolved(), []byte("secret"), seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is planted stands where it is said to, the rest of the text is as it was, and
// the same seed plants the same.
func TestPlant(t *testing.T) {
	for _, language := range []string{"en", "es"} {
		p := planter(t, language, 1)
		count, values := map[phi.Type]int{}, map[string]bool{}
		for n := range 100 {
			text, planted := p.Plant(n, "doc", note)
			again, _ := planter(t, language, 1).Plant(n, "doc", note)
			if text != again || len(planted) != PerNote {
				t.Fatalf("%q\n%q: %d planted", text, again, len(planted))
			}
			rest, from := "", 0
			for _, x := range planted {
				before, after, _ := strings.Cut(x.Text, "{}")
				if !strings.HasSuffix(text[:x.Start], before) || !strings.HasPrefix(text[x.End:], after) {
					t.Errorf("%v: %q does not stand in %q", x.Type, text[x.Start:x.End], x.Text)
				}
				rest += text[from : x.Start-len(before)]
				from = x.End + len(after)
				count[x.Type]++
				values[text[x.Start:x.End]] = true
				if text[x.Start:x.End] == x.Form && x.Type == phi.Patient {
					t.Errorf("%q is no made-up value", x.Form)
				}
			}
			rest += text[from:]
			if strings.Join(strings.Fields(rest), " ") != strings.Join(strings.Fields(note), " ") {
				t.Errorf("the note became %q", rest)
			}
		}
		least, most := 1000, 0
		for _, n := range count {
			least, most = min(least, n), max(most, n)
		}
		if most > least+1 || len(values) < 150 {
			t.Errorf("%s: between %d and %d of a type, %d values", language, least, most, len(values))
		}
	}
	a, _ := planter(t, "en", 1).Plant(0, "doc", note)
	b, _ := planter(t, "en", 2).Plant(0, "doc", note)
	if a == b {
		t.Error("another seed plants the same")
	}
	if text, planted := planter(t, "en", 1).Plant(0, "empty", ""); len(planted) != PerNote || text == "" {
		t.Errorf("in an empty note: %q", text)
	}
}

// No type that a policy keeps is planted.
func TestPolicyOfPlanter(t *testing.T) {
	policy, err := surrogate.Preset("limited")
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlanter("en", policy, []byte("secret"), 1)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 30 {
		_, planted := p.Plant(n, "doc", note)
		for _, x := range planted {
			if policy.Of(x.Type) == surrogate.Keep {
				t.Fatalf("%v is kept", x.Type)
			}
		}
	}
	if _, err := NewPlanter("fr", policy, nil, 1); err == nil || !strings.Contains(err.Error(), `"fr"`) {
		t.Error(err)
	}
}

func TestLeft(t *testing.T) {
	const text = "D/w Dr. Whitcombe RN today"
	x := Planted{Start: 4, End: 20}
	for _, c := range []struct {
		start, end int
		outcome    surrogate.Outcome
		left       int
	}{{8, 17, surrogate.Replaced, 0}, {8, 12, surrogate.Replaced, 5}, {4, 7, surrogate.Replaced, 9}, {8, 17, surrogate.Kept, 9}} {
		r := []surrogate.Replacement{{Span: phi.Span{Start: c.start, End: c.end}, Outcome: c.outcome}}
		if left, all := Left(text, x, r); left != c.left || all != 9 {
			t.Errorf("%+v: %d of %d", c, left, all)
		}
	}
}

// Nothing that models were trained on holds a carrier.
func TestCarriersAreNotTrainedOn(t *testing.T) {
	var trained strings.Builder
	for _, pattern := range []string{"../training/text/*.txt", "../training/notes/*.txt", "../training/numbers/*.txt",
		"../training/confounders/*.txt", "../training/*.py"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			trained.Write(raw)
		}
	}
	for _, c := range append(Carriers("en"), Carriers("es")...) {
		for _, part := range strings.Split(c.Text, "{}") {
			if part = strings.TrimSpace(part); len(part) > 12 && strings.Contains(trained.String(), part) {
				t.Errorf("%q is among what models are trained on", part)
			}
		}
	}
}
