package windowlstm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// vocabulary has the unknown forms of all classes and a few words.
var vocabulary = func() (lines []string) {
	for c := range token.NumClasses {
		lines = append(lines, fmt.Sprintf("<unk%d>", c))
	}
	return append(lines, lineForm, paragraphForm, "Dr", "Ann", "000", "b")
}()

// directory makes a model directory in memory, of labels O, B-DOCTOR, I-DOCTOR,
// B-DATE, I-DATE. A form's vector is its line number.
func directory(length, stride int, change func(files map[string][]byte, d map[string]any)) func(string) ([]byte, error) {
	var table []byte
	for i := range vocabulary {
		table = binary.LittleEndian.AppendUint32(table, math.Float32bits(float32(i)))
	}
	files := map[string][]byte{GraphFile: []byte("graph"), vocabularyFile: []byte(strings.Join(vocabulary, "\n") + "\n"), embeddingFile: table}
	d := map[string]any{"format_version": 1, "kind": Kind, "name": "test", "language": "en",
		"labels":     []string{"O", "B-DOCTOR", "I-DOCTOR", "B-DATE", "I-DATE"},
		"window":     map[string]int{"length": length, "stride": stride},
		"dimensions": map[string]int{"token": 1}}
	if change != nil {
		change(files, d)
	}
	digests := map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		digests[name] = hex.EncodeToString(sum[:])
	}
	d["files"] = digests
	raw, err := json.Marshal(d)
	return func(name string) ([]byte, error) {
		if name == tagger.DescriptionFile {
			return raw, err
		}
		if data, ok := files[name]; ok {
			return data, nil
		}
		return nil, errors.New("no such file")
	}
}

func load(read func(string) ([]byte, error)) (*Model, error) {
	d, err := tagger.ReadDirectory(read)
	if err != nil {
		return nil, err
	}
	return Load(d)
}

// labels are those of directory, by number.
const (
	o = iota
	bDoctor
	iDoctor
	bDate
	iDate
)

// Merging follows the paper's three rules.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name   string
		starts []int
		in     [][]int // labels by window
		want   string  // label of each token, and the window that it is from
	}{
		{"one window", []int{0}, [][]int{{o, bDate, iDate}}, "0/0 3/0 4/0"},
		{"the same everywhere", []int{0, 1}, [][]int{{o, bDate, iDate}, {bDate, iDate, o}}, "0/0 3/0 4/0 0/1"},
		{"PHI before what is none", []int{0, 1}, [][]int{{o, o, iDate}, {bDate, o, bDoctor}}, "0/0 3/1 4/0 1/1"},
		{"of two types that of the place further on", []int{0, 1}, [][]int{{o, bDoctor, iDoctor}, {bDate, iDate, bDate}},
			"0/0 1/0 2/0 3/1"},
		{"none may come between", []int{0, 1, 2}, [][]int{{o, o, o}, {o, bDoctor, o}, {bDate, o, o}}, "0/0 0/1 1/1 0/2 0/2"},
	} {
		tokens := c.starts[len(c.starts)-1] + 3
		var got []string
		merged := make([]choice, tokens)
		for w, start := range c.starts {
			merge(merged[start:start+3], func(k int) choice { return choice{c.in[w][k], float32(w)} })
		}
		for _, x := range merged {
			got = append(got, fmt.Sprintf("%d/%g", x.label, x.score))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %s, want %s", c.name, g, c.want)
		}
	}
}

// Windows cover a text, overlap as they should, and end with it.
func TestStarts(t *testing.T) {
	for _, c := range []struct {
		length, stride, tokens int
		want                   string
	}{
		{15, 5, 0, "[]"}, {15, 5, 1, "[0]"}, {15, 5, 15, "[0]"}, {15, 5, 16, "[0 1]"}, {15, 5, 21, "[0 5 6]"},
		{15, 5, 25, "[0 5 10]"}, {4, 4, 12, "[0 4 8]"}, {4, 4, 13, "[0 4 8 9]"}, {3, 1, 6, "[0 1 2 3]"},
	} {
		m := &Model{}
		m.Window.Length, m.Window.Stride = c.length, c.stride
		starts := m.starts(c.tokens)
		if got := fmt.Sprint(starts); got != c.want {
			t.Errorf("%d tokens, windows of %d, one every %d: %s, want %s", c.tokens, c.length, c.stride, got, c.want)
		}
	}
}

func TestLineOfAForm(t *testing.T) {
	m, err := load(directory(4, 2, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		form  string
		class token.Class
		want  string
	}{
		{"Dr", token.Title, "Dr"}, {"412", token.Digits, "000"}, {"٤١٢", token.Digits, "000"}, {"dr", token.Lower, "<unk0>"},
		{"\n", token.Newline, lineForm}, {"\r\n", token.Newline, lineForm}, {"\n \n", token.Newline, paragraphForm},
		{strings.Repeat("b", 97), token.Lower, "<unk0>"}, {"Zaphod", token.Title, fmt.Sprintf("<unk%d>", token.Title)},
	} {
		if got := vocabulary[m.line(c.form, c.class)]; got != c.want {
			t.Errorf("%q is %s, want %s", c.form, got, c.want)
		}
	}
}

// said emits, for the form on line i of the vocabulary, what it is told, and counts its
// calls.
type said struct {
	labels [][]float32
	calls  *int
}

func (s said) Emit(emissions, x []float32, lengths []int32, steps int) error {
	n := len(lengths)
	*s.calls++
	for i, length := range lengths {
		if int(length) != steps {
			return fmt.Errorf("window %d has %d of %d tokens", i, length, steps)
		}
		for k := range steps {
			copy(emissions[(k*n+i)*5:(k*n+i+1)*5], s.labels[int(x[k*n+i])])
		}
	}
	return nil
}

func scores(of map[int]float32) []float32 {
	out := make([]float32, 5)
	for l, x := range of {
		out[l] = x
	}
	return out
}

func find(t *testing.T, text string, bias chain.Bias, e tagger.Emitter, change func(map[string][]byte, map[string]any)) string {
	t.Helper()
	m, err := load(directory(4, 2, change))
	if err != nil {
		t.Fatal(err)
	}
	found, err := NewTagger(m, e, bias).TagKinds([]tagger.Text{{Text: text, Tokens: token.Tokenize(nil, text)}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range found[0] {
		out = append(out, fmt.Sprintf("%s %s %s %.3f %s", f.Kind, f.Type, text[f.Start:f.End], f.Score, f.Tagger))
	}
	return strings.Join(out, "|")
}

func TestTag(t *testing.T) {
	emit := make([][]float32, len(vocabulary))
	for i := range emit {
		emit[i] = scores(map[int]float32{o: 9})
	}
	at := func(form string) int {
		for i, v := range vocabulary {
			if v == form {
				return i
			}
		}
		return 0
	}
	emit[at("Dr")] = scores(map[int]float32{o: 9})
	emit[at("Ann")] = scores(map[int]float32{bDoctor: 9})
	emit[at(fmt.Sprintf("<unk%d>", token.Title))] = scores(map[int]float32{iDoctor: 3})
	emit[at("000")] = scores(map[int]float32{o: 2, iDate: 1}) // an I- behind nothing
	calls := 0
	e := said{emit, &calls}
	const text = "Dr Ann Zaphod saw b b b b Ann Ann on 412 b"
	for _, c := range []struct {
		name   string
		text   string
		bias   chain.Bias
		change func(map[string][]byte, map[string]any)
		want   string
	}{
		{"spans", text, chain.Bias{}, nil,
			"DOCTOR DOCTOR Ann Zaphod 0.875 network|DOCTOR DOCTOR Ann 1.000 network|DOCTOR DOCTOR Ann 1.000 network"},
		{"recall", text, chain.Bias{Recall: 2}, nil, "DOCTOR DOCTOR Ann Zaphod 0.875 network|DOCTOR DOCTOR Ann 1.000 network|" +
			"DOCTOR DOCTOR Ann 1.000 network|DATE DATE 412 0.284 network"},
		{"doubt", text, chain.Bias{Doubt: 2}, nil, "DOCTOR DOCTOR Ann Zaphod 0.875 network|DOCTOR DOCTOR Ann 1.000 network|" +
			"DOCTOR DOCTOR Ann 1.000 network|DATE DATE 412 0.284 doubt"},
		{"a text shorter than a window", "Ann b", chain.Bias{}, nil, "DOCTOR DOCTOR Ann 1.000 network"},
		{"nothing", "", chain.Bias{}, nil, ""},
		{"a model's own types", text, chain.Bias{}, func(_ map[string][]byte, d map[string]any) {
			d["labels"] = []string{"O", "B-CLINICIAN", "I-CLINICIAN", "B-DAY", "I-DAY"}
			d["types"] = map[string]string{"CLINICIAN": "DOCTOR", "DAY": ""}
		}, "CLINICIAN DOCTOR Ann Zaphod 0.875 network|CLINICIAN DOCTOR Ann 1.000 network|CLINICIAN DOCTOR Ann 1.000 network"},
	} {
		if got := find(t, c.text, c.bias, e, c.change); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
	calls = 0
	find(t, strings.Repeat("b ", 10*positions), chain.Bias{}, e, nil)
	if want := 10 * positions / 2 * 4 / positions; calls < want || calls > want+1 {
		t.Errorf("%d runs of the graph, want %d or one more", calls, want)
	}
	emit[at("b")] = scores(map[int]float32{o: float32(math.NaN())})
	m, err := load(directory(4, 2, nil))
	if err != nil {
		t.Fatal(err)
	}
	b := tagger.Text{Text: "b", Tokens: token.Tokenize(nil, "b")}
	if _, err := NewTagger(m, e, chain.Bias{}).Tag([]tagger.Text{b}); !errors.Is(err, chain.ErrNotFinite) {
		t.Errorf("numbers that are not finite: %v", err)
	}
}

// Spans of a type that is no PHI for the job are left out of Tag.
func TestTypes(t *testing.T) {
	m, err := load(directory(4, 2, func(_ map[string][]byte, d map[string]any) { d["types"] = map[string]string{"DOCTOR": ""} }))
	if err != nil {
		t.Fatal(err)
	}
	emit := make([][]float32, len(vocabulary))
	for i := range emit {
		emit[i] = scores(map[int]float32{bDoctor: 1})
	}
	calls := 0
	text := tagger.Text{Text: "Ann", Tokens: token.Tokenize(nil, "Ann")}
	tags := NewTagger(m, said{emit, &calls}, chain.Bias{})
	kinds, err := tags.TagKinds([]tagger.Text{text})
	spans, err2 := tags.Tag([]tagger.Text{text})
	if err != nil || err2 != nil || len(kinds[0]) != 1 || kinds[0][0].Type != phi.None || len(spans[0]) != 0 {
		t.Errorf("%v, %v; %v, %v", kinds, spans, err, err2)
	}
}

func TestLoadRefuses(t *testing.T) {
	if _, err := load(directory(15, 5, nil)); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(files map[string][]byte, d map[string]any){
		"window.length is 1": func(_ map[string][]byte, d map[string]any) { d["window"] = map[string]int{"length": 1, "stride": 1} },
		"window.stride is 16": func(_ map[string][]byte, d map[string]any) {
			d["window"] = map[string]int{"length": 15, "stride": 16}
		},
		"dimensions.token is 0": func(_ map[string][]byte, d map[string]any) { d["dimensions"] = map[string]int{"token": 0} },
		"dimensions.token is 4611686018427387904": func(_ map[string][]byte, d map[string]any) {
			d["dimensions"] = map[string]int{"token": 1 << 62} // of which four times as many bytes are none
		},
		"want O and others": func(_ map[string][]byte, d map[string]any) { d["labels"] = []string{"B-DATE"} },
		"S-DATE":            func(_ map[string][]byte, d map[string]any) { d["labels"] = []string{"O", "S-DATE"} },
		"occurs twice":      func(_ map[string][]byte, d map[string]any) { d["labels"] = []string{"O", "B-DATE", "B-DATE"} },
		"SHOE":              func(_ map[string][]byte, d map[string]any) { d["labels"] = []string{"O", "B-SHOE"} },
		"vocabulary.txt":    func(f map[string][]byte, _ map[string]any) { f[vocabularyFile] = []byte("a\nb\n") },
		"56 bytes, want 60": func(f map[string][]byte, _ map[string]any) { f[vocabularyFile] = append(f[vocabularyFile], "c\n"...) },
		"not finite": func(f map[string][]byte, _ map[string]any) {
			binary.LittleEndian.PutUint32(f[embeddingFile], math.Float32bits(float32(math.Inf(1))))
		},
		"kind is": func(_ map[string][]byte, d map[string]any) { d["kind"] = "crf" },
	} {
		if _, err := load(directory(15, 5, change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one with %q", err, want)
		}
	}
}
