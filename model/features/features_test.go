package features

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

const note = "DISCHARGE SUMMARY\nPatient: José Álvarez  MRN: 0081234\n\nSeen by Dr. Ann Smith (smith saw her).\nTold x=1, 12/03/2021.\n"

func read(language, text string) *Extractor {
	x := New(language)
	x.Read(text, token.Tokenize(nil, text))
	return x
}

// at returns the features of the first token of that form.
func at(t *testing.T, x *Extractor, form string) []string {
	t.Helper()
	for i, tok := range x.tokens {
		if tok.Text(x.text) == form {
			return x.Names(nil, i)
		}
	}
	t.Fatalf("no token %q", form)
	return nil
}

// Training reads names, the job hashes: each name's hash is the one that is used.
func TestHashesAreThoseOfNames(t *testing.T) {
	for _, text := range []string{note, "a=b=c\x1f\x1e\xff\x00 =", strings.Repeat("x", 300) + " é", ""} {
		x := read("en", text)
		for i := range x.tokens {
			hashes, names := x.Hashes(nil, i), x.Names(nil, i)
			for k, n := range names {
				if Hash(n) != hashes[k] {
					t.Errorf("%q: the hash of its name is %x, of the feature %x", n, Hash(n), hashes[k])
				}
				if strings.ContainsAny(n, "\t\n") {
					t.Errorf("%q cannot stand in a line with tabs", n)
				}
			}
		}
	}
}

func TestFeatures(t *testing.T) {
	x := read("en", note)
	for form, want := range map[string][]string{
		"José": {"@w+0=jose", "l+0=given", "@lab=patient\x1f0", "@labs=patient\x1fXx", "@sec=discharge\x1esummary\x1f1",
			"@@w[-1,0]=:\x1fjose"},
		"0081234": {"@w+0=0000000", "sh+0=d7", "@lab=mrn\x1f0"},
		"Smith":   {"@w-2=.", "@left=dr", "~p2=sm", "~q3=ith", "lo=1\x1ffamily+occupation+common"},
		"saw":     {"@w-1=smith"},
		"12":      {"@w+0=12", "ch=dd/dd/dddd.\x1f0", "@w+2=03"},
	} {
		got := at(t, x, form)
		for _, f := range want {
			if !slices.Contains(got, f) {
				t.Errorf("%s has no %q: %q", form, f, got)
			}
		}
	}
	if got := at(t, x, "Ann"); !slices.Contains(got, "ti=1") {
		t.Errorf("Ann stands behind a title: %q", got)
	}
	// An affix does not tell the word, nor a number whose it is.
	for _, f := range append(at(t, x, "saw"), at(t, x, "0081234")...) {
		if strings.HasPrefix(f, "~p") || strings.Contains(f, "81234") {
			t.Errorf("%q tells too much", f)
		}
	}
}

// What a text's features are does not depend on the texts before it.
func TestExtractorForgets(t *testing.T) {
	x, y := read("en", note), New("en")
	for _, before := range []string{"Mr. José saw", "smith álvarez told dr", strings.ToUpper(note)} {
		y.Read(before, token.Tokenize(nil, before))
	}
	y.reset()
	y.Read("Mrs Told", token.Tokenize(nil, "Mrs Told"))
	y.Read(note, x.tokens)
	for i := range x.tokens {
		if a, b := x.Names(nil, i), y.Names(nil, i); !slices.Equal(a, b) {
			t.Errorf("token %d: %q, after other texts %q", i, a, b)
		}
	}
}

func TestTemplatesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, tm := range all {
		if seen[tm.name] || strings.Contains(tm.name, Equals) {
			t.Errorf("template %s", tm.name)
		}
		seen[tm.name] = true
	}
}

func BenchmarkHashes(b *testing.B) {
	x := New("en")
	text := strings.Repeat(note, 40)
	tokens := token.Tokenize(nil, text)
	var hashes []uint64
	for b.Loop() {
		x.Read(text, tokens)
		for i := range tokens {
			hashes = x.Hashes(hashes[:0], i)
		}
	}
	b.ReportMetric(float64(b.N*len(tokens))/b.Elapsed().Seconds(), "tokens/s")
}
