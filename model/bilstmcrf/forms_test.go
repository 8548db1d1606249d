package bilstmcrf

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// noChars encodes every form alike.
type noChars struct{}

func (noChars) EncodeChars(vectors []float32, _, _ []int32, _ int) error {
	clear(vectors)
	return nil
}

// Forms that are cut to the same one have rows of their own classes, whichever comes first
// and beside which others.
func TestRowsOfCutForms(t *testing.T) {
	m := &Model{embedding: embedding{width: 1, wide: []float32{7}}}
	m.Tokenizer.MaxChars = [2]int{16, 8}
	m.Dimensions.Token, m.Dimensions.Char, m.Dimensions.Class, m.Dimensions.Space = 1, 1, token.NumClasses, 1
	marks := strings.Repeat("\u0301", 40)
	text := "A" + marks + marks + " A" + marks + "B" + marks
	tokens := token.Tokenize(nil, text)
	if len(tokens) != 2 || tokens[0].Class == tokens[1].Class {
		t.Fatalf("tokens are %v", tokens)
	}
	forms := []string{m.form(text, tokens[0]), m.form(text, tokens[1])}
	if forms[0] != forms[1] {
		t.Fatalf("forms are %q", forms)
	}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		for _, together := range []bool{true, false} {
			tagger := &Tagger{model: m, chars: noChars{}}
			in := &input[float32]{one: 1, fill: join}
			rows := make([][]float32, 2)
			var err error
			if together {
				rows, err = lookUp(tagger, in, forms, []token.Class{tokens[order[0]].Class, tokens[order[1]].Class})
			}
			for i := 0; i < 2 && !together && err == nil; i++ {
				var one [][]float32
				if one, err = lookUp(tagger, in, forms[:1], []token.Class{tokens[order[i]].Class}); err == nil {
					rows[i] = one[0]
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				if row[0] != 7 || row[2+int(tokens[order[i]].Class)] != 1 {
					t.Errorf("in the order %v, together %v, the row of class %v is %v", order, together, tokens[order[i]].Class, row)
				}
			}
		}
	}
}

// Dimensions whose products overflow are refused.
func TestDimensionsAreBounded(t *testing.T) {
	m := &Model{}
	m.LabelScheme, m.Tokenizer.WindowTokens, m.Tokenizer.MaxChars = "BIOES", 128, [2]int{16, 8}
	m.Dimensions.Token, m.Dimensions.Char, m.Dimensions.Class, m.Dimensions.Space = 100, 25, token.NumClasses, 1
	if err := m.checkDimensions(); err != nil {
		t.Fatal(err)
	}
	for _, dimension := range []*int{&m.Dimensions.Token, &m.Dimensions.Char, &m.Dimensions.Context} {
		before := *dimension
		*dimension = 1 << 62
		if err := m.checkDimensions(); err == nil || !strings.Contains(err.Error(), "at most 65536") {
			t.Errorf("%+v: %v", m.Dimensions, err)
		}
		*dimension = before
	}
}
