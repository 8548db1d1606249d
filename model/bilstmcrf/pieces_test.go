package bilstmcrf

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// toldPieces reads what BERT's own tokeniser makes of forms in many scripts; a test of training
// reads the same file.
func toldPieces(t testing.TB) (known []string, forms [][2]any) {
	t.Helper()
	raw, err := os.ReadFile("testdata/pieces.json")
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Pieces []string
		Forms  [][2]any
	}
	if err := json.Unmarshal(raw, &told); err != nil {
		t.Fatal(err)
	}
	return told.Pieces, told.Forms
}

func newPieces(t testing.TB, known []string, places int) *pieces {
	t.Helper()
	p, err := readPieces([]byte(strings.Join(known, "\n")+"\n"), places)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPiecesAreBERTs(t *testing.T) {
	known, forms := toldPieces(t)
	p := newPieces(t, known, 512)
	m := &Model{}
	m.Tokenizer.MaxChars = [2]int{16, 8}
	for _, f := range forms {
		text := f[0].(string)
		form := text
		if strings.Trim(text, "\n") != "" { // of line ends the model has forms of its own
			form = m.form(text, token.Token{End: int32(len(text))})
		}
		var got []any
		for _, id := range p.append(nil, form, most) {
			got = append(got, known[id])
		}
		if !reflect.DeepEqual(got, f[1]) {
			t.Errorf("%q is cut into %q, want %q", text, got, f[1])
		}
	}
	if len(forms) < 80 {
		t.Errorf("%d forms show little", len(forms))
	}
}

// The same cases are in training/tests/test_encoder.py.
func TestPiecesOfAWindow(t *testing.T) {
	known := strings.Fields("[PAD] [UNK] [CLS] [SEP] [MASK] a n ##n seen ##x 4 ##1 ##2 - . elan")
	type told struct {
		piece         string
		class, before int32
	}
	read := func(p *pieces, w *window) (got []told, places []contextPlace) {
		numbers, places := p.appendWindow([]int32{7}, []contextPlace{{9, 9}}, w) // behind another window
		for _, n := range numbers[1:] {
			got = append(got, told{known[n>>6], n >> 2 & 15, n & 3})
		}
		return got, places[1:]
	}
	w := &window{forms: []string{"Ann", "\n", "seenx", "ζ", "Élan-."},
		tokens: []token.Token{{Class: 1, Space: true}, {Class: 7}, {}, {Space: true}, {Class: 1}}}
	few := &window{forms: w.forms[:4], tokens: w.tokens[:4]}
	got, places := read(newPieces(t, known, 10), few)
	want := []told{{"[CLS]", 0, 3}, {"a", 2, 2}, {"##n", 2, 3}, {"##n", 2, 3}, {"[UNK]", 8, 0}, {"seen", 1, 0}, {"##x", 1, 3},
		{"[UNK]", 1, 1}, {"[SEP]", 0, 3}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("pieces are %v, want %v", got, want)
	}
	if at := []contextPlace{{1, 3}, {4, 4}, {5, 6}, {7, 7}}; !reflect.DeepEqual(places, at) {
		t.Errorf("places are %v, want %v", places, at)
	}
	// More pieces than places: each form by its first piece.
	got, places = read(newPieces(t, known, 10), w)
	var names []string
	for _, p := range got[1 : len(got)-1] {
		names = append(names, p.piece)
	}
	if want := []string{"a", "[UNK]", "seen", "[UNK]", "elan"}; !reflect.DeepEqual(names, want) {
		t.Errorf("first pieces are %q, want %q", names, want)
	}
	if at := []contextPlace{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}; !reflect.DeepEqual(places, at) {
		t.Errorf("places are %v, want %v", places, at)
	}
}

func TestPiecesNeedBERTsVocabulary(t *testing.T) {
	for _, lacks := range []string{"[CLS]", "[SEP]", "[UNK]"} {
		known := strings.ReplaceAll("[CLS]\n[SEP]\n[UNK]\na\n", lacks, "x")
		if _, err := readPieces([]byte(known), 16); err == nil || !strings.Contains(err.Error(), lacks) {
			t.Errorf("without %s: %v", lacks, err)
		}
	}
}

// Whatever a form holds, it has between one and so many pieces, all of the vocabulary, and of
// what is small and plain no letter is lost.
func FuzzPieces(f *testing.F) {
	known, forms := toldPieces(f)
	for _, form := range forms {
		f.Add(form[0].(string), 8)
	}
	p := newPieces(f, known, 512)
	f.Fuzz(func(t *testing.T, form string, limit int) {
		limit = max(1, min(limit, most))
		got := p.append(nil, form, limit)
		if len(got) < 1 || len(got) > limit {
			t.Fatalf("%d pieces of %q, want 1 to %d", len(got), form, limit)
		}
		for _, id := range got {
			if id < 0 || int(id) >= len(known) {
				t.Fatalf("%q has piece %d", form, id)
			}
		}
	})
}
