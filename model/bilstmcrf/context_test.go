package bilstmcrf

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// contextModel knows some characters.
func contextModel(t *testing.T, known string) *Model {
	t.Helper()
	m := &Model{}
	m.Tokenizer.MaxChars = [2]int{16, 8}
	lines := strings.Join(strings.Split(known, ""), "\n") + "\n"
	if err := m.readContext(func(name string) []byte {
		if name == contextCharactersFile {
			return []byte(lines)
		}
		return []byte("graph")
	}); err != nil {
		t.Fatal(err)
	}
	return m
}

// The language models read forms, one blank where blanks stand before a token, and a line
// end on either side. The same case is in training/tests/test_context.py.
func TestContextIsFormsAndSingleBlanks(t *testing.T) {
	m := contextModel(t, " Abé")
	forms := []string{"Ab", "é", "\n\n", strings.Repeat("x", 30) + "b"}
	w := &window{forms: forms, tokens: []token.Token{{Space: true}, {Space: true}, {}, {}}}
	chars, places := m.appendContext([]int32{7}, nil, w) // behind another window
	want := append([]int32{7, 1, 3, 4, 2, 5, 1, 1}, make([]int32, 23)...)
	if want = append(want, 4, 1); !reflect.DeepEqual(chars, want) {
		t.Errorf("characters are %v, want %v", chars, want)
	}
	if at := []contextPlace{{1, 2}, {4, 4}, {5, 6}, {7, 30}}; !reflect.DeepEqual(places, at) {
		t.Errorf("places are %v, want %v", places, at)
	}
}

// A token's place is that of its own characters, whatever their bytes, in each window of a
// text; wider gaps and what stands in other windows change nothing.
func TestContextAlignsWithTokens(t *testing.T) {
	text := "Dra. Íñigo Peñalver-Ünal (漢字) 🙂 vio a “Zoë”\r\n\r\nN.º 12.345 \u00a0 día 3\n" +
		strings.Repeat("a\u0301 b ", 3) + strings.Repeat("ñ", 60) + "\n"
	known := map[rune]bool{}
	for _, r := range text + " " {
		known[r] = r != '\n'
	}
	var all strings.Builder
	var index []rune // from 2
	for r, ok := range known {
		if ok {
			all.WriteRune(r)
			index = append(index, r)
		}
	}
	m := contextModel(t, all.String())
	m.Dimensions.Token = 1
	tokens := token.Tokenize(nil, text)
	for _, most := range []int{5, 9, 128} {
		seen := 0
		for _, cut := range token.Windows(nil, text, tokens, most) {
			w := &window{tokens: tokens[cut.Start:cut.End]}
			for _, tok := range w.tokens {
				w.forms = append(w.forms, m.form(text, tok))
			}
			chars, places := m.appendContext(nil, nil, w)
			if len(places) != len(w.tokens) {
				t.Fatalf("%d places of %d tokens", len(places), len(w.tokens))
			}
			for k, p := range places {
				var form []rune
				for _, c := range chars[p.first : p.last+1] {
					if c == lineEnd {
						form = append(form, '\n')
					} else {
						form = append(form, index[c-2])
					}
				}
				want := w.forms[k]
				if head, tail := m.cut(strings.ReplaceAll(want, "\x00", "")); utf8.RuneCountInString(want) > 24 {
					want = head + tail
				}
				if string(form) != want {
					t.Errorf("windows of %d: token %d reads %q, want %q", most, k, string(form), want)
				}
				seen++
			}
			wide := *w
			wide.tokens = append([]token.Token(nil), w.tokens...)
			for k := range wide.tokens { // the same window elsewhere
				wide.tokens[k].Start += 1000
				wide.tokens[k].End += 1000
			}
			if again, _ := m.appendContext(nil, nil, &wide); !reflect.DeepEqual(again, chars) {
				t.Errorf("windows of %d: another place in the text gives other characters", most)
			}
		}
		if seen != len(tokens) {
			t.Errorf("windows of %d: %d of %d tokens", most, seen, len(tokens))
		}
	}
}

// A model with language models that nothing runs is refused, not run without them.
func TestContextNeedsAnEncoder(t *testing.T) {
	m := &Model{}
	m.Dimensions.Context = 2
	if err := (&Tagger{model: m}).addContext(new(contextScratch), nil, nil, 1); err == nil {
		t.Error("no error")
	}
}
