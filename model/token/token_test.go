package token

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func forms(text string) string {
	var out []string
	for _, t := range Tokenize(nil, text) {
		form := t.Text(text)
		if t.Class == Newline {
			form = "<nl>"
		}
		out = append(out, form)
	}
	return strings.Join(out, "|")
}

func TestTokenize(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"   ", ""},
		{"Seen by Dr. Smith.", "Seen|by|Dr|.|Smith|."},
		{"MRN0081-22", "MRN|0081|-|22"},
		{"helpDr", "help|Dr"},
		{"MRNSmith", "MRN|Smith"},
		{"JSmith", "J|Smith"},
		{"PTs", "PTs"},
		{"McDonald", "Mc|Donald"},
		{"Smith4/12", "Smith|4|/|12"},
		{"Núñez-Müller", "Núñez|-|Müller"},
		{"NU\u0301N\u0303EZ", "NU\u0301N\u0303EZ"}, // combining marks stay with their letter
		{"a\r\n\r\n  b", "a|<nl>|b"},
		{"a \n b\n", "a|<nl>|b|<nl>"},
		{"北京市", "北京市"},
		{"x\xffy", "x|\xff|y"},
		{"67yo", "67|yo"},
		{"l'été", "l|'|été"},
	} {
		if got := forms(c.text); got != c.want {
			t.Errorf("Tokenize(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestClasses(t *testing.T) {
	for form, want := range map[string]Class{
		"ward": Lower, "Ward": Title, "WARD": Upper, "W": Initial, "PTs": Mixed,
		"12": Digits, ".": Symbol, "\n": Newline, "é": Lower, "Éva": Title, "王": Lower,
	} {
		tokens := Tokenize(nil, form)
		if len(tokens) != 1 || tokens[0].Class != want {
			t.Errorf("%q: tokens %v, want one of class %d", form, tokens, want)
		}
	}
}

func TestWindows(t *testing.T) {
	long := strings.Repeat("word ", 20)
	for _, c := range []struct {
		name, text string
		max        int
		want       []Window
	}{
		{"nothing", "", 8, nil},
		{"fits", "a b\nc", 8, []Window{{0, 4}}},
		{"whole lines", "a b c\nd e f\ng", 5, []Window{{0, 4}, {4, 9}}},
		{"a long line is cut at a blank", long, 8, []Window{{0, 7}, {7, 14}, {14, 20}}},
		{"or at a sentence end", "one two three four five. Six seven eight nine ten", 8, []Window{{0, 6}, {6, 11}}},
		{"or anywhere", "1-2-3-4-5-6-7", 6, []Window{{0, 6}, {6, 12}, {12, 13}}},
	} {
		got := Windows(nil, c.text, Tokenize(nil, c.text), c.max)
		if len(got) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: got %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

func TestSentenceEnd(t *testing.T) {
	for text, want := range map[string]bool{
		"was well. Then": true, "by Dr. Smith": false, "by J. Smith": false,
		"well? Yes": true, "took 5 mg. of": false, "at home. 3 days": true,
	} {
		tokens := Tokenize(nil, text)
		got := false
		for i := range tokens {
			got = got || SentenceEnd(text, tokens, i)
		}
		if got != want {
			t.Errorf("%q: sentence end %v, want %v", text, got, want)
		}
	}
}

// checkTokens checks what holds of every text: tokens are in order, between
// them are blanks only, joining gaps and tokens gives the text back, cuts are
// at code points, and windows cover all tokens without overlap.
func checkTokens(t *testing.T, text string) {
	t.Helper()
	tokens := Tokenize(nil, text)
	var b strings.Builder
	at := 0
	for _, k := range tokens {
		if int(k.Start) < at || k.End <= k.Start {
			t.Fatalf("%q: token %v out of order", text, k)
		}
		gap := text[at:k.Start]
		for _, r := range gap {
			if !unicode.IsSpace(r) {
				t.Fatalf("%q: gap %q holds more than blanks", text, gap)
			}
		}
		if gap != "" && !k.Space {
			t.Fatalf("%q: token %v follows a blank and does not say so", text, k)
		}
		form := k.Text(text)
		if utf8.ValidString(text) && !utf8.ValidString(form) {
			t.Fatalf("%q: token %q cuts a code point", text, form)
		}
		b.WriteString(gap)
		b.WriteString(form)
		at = int(k.End)
	}
	b.WriteString(text[at:])
	if b.String() != text {
		t.Fatalf("%q: gaps and tokens join to %q", text, b.String())
	}
	const max = 7
	next := 0
	for _, w := range Windows(nil, text, tokens, max) {
		if w.Start != next || w.End <= w.Start || w.End-w.Start > max {
			t.Fatalf("%q: window %v after token %d", text, w, next)
		}
		next = w.End
	}
	if next != len(tokens) {
		t.Fatalf("%q: windows end at token %d of %d", text, next, len(tokens))
	}
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"", "Dr. José Núñez, 4/12/2014\n\nMRN:00-1", "a\xff\xfe\r\n\t b", "\u2028x\u0301\u200d", "1.2.840.10008",
		"ΑΒΓαβγ ǅ"} {
		f.Add(s)
	}
	f.Fuzz(checkTokens)
}

func BenchmarkTokenize(b *testing.B) {
	text := strings.Repeat("Mr. Iannotti was seen on 12/24/2016 at 14:05 by Dr. Arruda for a 1.2 cm laceration.\n", 100)
	b.SetBytes(int64(len(text)))
	var tokens []Token
	for b.Loop() {
		tokens = Tokenize(tokens[:0], text)
	}
}
