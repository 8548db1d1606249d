package tokenize

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		name          string
		text          string
		spans         []span
		forms, labels []string
		widened       int
		dropped       int
	}{
		{
			name:  "single and long spans, offsets after a two-byte letter",
			text:  "Zoë Lund, 4/12",
			spans: []span{{0, 8, "PATIENT"}, {10, 14, "DATE"}},
			forms: []string{"Zoë", "Lund", ",", "4", "/", "12"}, labels: []string{"B-PATIENT", "E-PATIENT", "O", "B-DATE", "I-DATE", "E-DATE"},
		},
		{
			name:  "neighbours of one type stay two spans",
			text:  "Ann Bo",
			spans: []span{{0, 3, "PATIENT"}, {4, 6, "PATIENT"}},
			forms: []string{"Ann", "Bo"}, labels: []string{"S-PATIENT", "S-PATIENT"},
		},
		{
			name:  "an edge inside a token widens",
			text:  "seen march-ing",
			spans: []span{{5, 8, "DATE"}},
			forms: []string{"seen", "march", "-", "ing"}, labels: []string{"O", "S-DATE", "O", "O"}, widened: 1,
		},
		{
			name:  "an earlier span keeps its tokens",
			text:  "ab cd",
			spans: []span{{0, 5, "CITY"}, {3, 5, "STATE"}},
			forms: []string{"ab", "cd"}, labels: []string{"B-CITY", "E-CITY"}, dropped: 1,
		},
		{
			name:  "line ends",
			text:  "a\nb\n \nc",
			forms: []string{"a", "\n", "b", "\n\n", "c"}, labels: []string{"O", "O", "O", "O", "O"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s stats
			ws, err := cut(document{ID: "x", Text: test.text, Spans: test.spans}, token.Tokenize(nil, test.text), ways(128, 0)["place"][0], &s)
			if err != nil {
				t.Fatal(err)
			}
			if len(ws) != 1 || !slices.Equal(ws[0].Forms, test.forms) || !slices.Equal(ws[0].Labels, test.labels) {
				t.Errorf("got %+v", ws)
			}
			if s.widened != test.widened || s.dropped != test.dropped {
				t.Errorf("got %+v", s)
			}
		})
	}
}

// The forms must be the text at the written code points.
func TestOffsets(t *testing.T) {
	text := strings.Repeat("Señora Ñuñez, 62 anni; è qui. 3°C\n", 20)
	runes := []rune(text)
	var s stats
	ws, err := cut(document{Text: text}, token.Tokenize(nil, text), ways(16, 0)["place"][0], &s)
	if err != nil {
		t.Fatal(err)
	}
	if len(ws) < 10 {
		t.Fatalf("%d windows", len(ws))
	}
	for _, w := range ws {
		if len(w.Forms) > 16 {
			t.Errorf("window of %d tokens", len(w.Forms))
		}
		for i, f := range w.Forms {
			if got := string(runes[w.Start[i]:w.End[i]]); got != f {
				t.Errorf("token %q is at %q", f, got)
			}
		}
	}
}

func TestWindowCutsSpan(t *testing.T) {
	var s stats
	ws, err := cut(document{Text: "a b c", Spans: []span{{0, 5, "STREET"}}}, token.Tokenize(nil, "a b c"), ways(2, 0)["place"][0], &s)
	if err != nil {
		t.Fatal(err)
	}
	if len(ws) != 2 || !slices.Equal(ws[0].Labels, []string{"B-STREET", "E-STREET"}) || !slices.Equal(ws[1].Labels, []string{"S-STREET"}) {
		t.Errorf("got %+v", ws)
	}
}

func TestRun(t *testing.T) {
	in := `{"id":"a","text":"on 3/4","spans":[{"start":3,"end":6,"type":"DATE"}]}` + "\n" + `{"id":"b","text":""}` + "\n"
	var out bytes.Buffer
	s, err := run(strings.NewReader(in), &out, 128, ways(128, 0)["place"], "")
	if err != nil {
		t.Fatal(err)
	}
	if s.documents != 2 || s.windows != 1 || s.tokens != 4 || s.spans != 1 {
		t.Errorf("got %+v", s)
	}
	var w window
	if err := json.Unmarshal(out.Bytes(), &w); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.Class, []int{0, 5, 6, 5}) || !slices.Equal(w.Space, []int{1, 1, 0, 0}) {
		t.Errorf("got %+v", w)
	}
}

// Texts cut in mixed ways take turns, and content is cut as the job cuts it.
func TestWays(t *testing.T) {
	text := strings.Repeat("She was seen in clinic today and had been well since the last visit. No pain, eats and sleeps. ", 12)
	line, err := json.Marshal(document{ID: "x", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	lengths := func(way string, texts int) []int {
		var out bytes.Buffer
		if _, err := run(strings.NewReader(strings.Repeat(string(line)+"\n", texts)), &out, 128, ways(128, 0)[way], ""); err != nil {
			t.Fatal(err)
		}
		var found []int
		for d := json.NewDecoder(&out); d.More(); {
			var w window
			if err := d.Decode(&w); err != nil {
				t.Fatal(err)
			}
			found = append(found, len(w.Forms))
		}
		return found
	}
	var job []int
	for _, w := range bilstmcrf.DefaultCutting(128).Windows(nil, text, token.Tokenize(nil, text)) {
		job = append(job, w.End-w.Start)
	}
	place, content, mixed := lengths("place", 1), lengths("content", 1), lengths("mixed", 3)
	if !slices.Equal(content, job) {
		t.Errorf("by content %v, the job %v", content, job)
	}
	both := slices.Concat(place, content)
	if len(mixed) <= len(both)+len(content) || !slices.Equal(mixed[:len(both)], both) {
		t.Errorf("mixed %v, want %v and then more and shorter ones", mixed, both)
	}
}

func TestRefused(t *testing.T) {
	for _, in := range []string{
		`{"text":"abc","spans":[{"start":0,"end":4,"type":"DATE"}]}`,
		`{"text":"abc","spans":[{"start":2,"end":2,"type":"DATE"}]}`,
		`{"text":"abc","spans":[{"start":0,"end":1,"type":"A B"}]}`,
		`{"text":`,
	} {
		if _, err := run(strings.NewReader(in), &bytes.Buffer{}, 128, ways(128, 0)["place"], ""); err == nil {
			t.Errorf("%s: no error", in)
		} else if strings.Contains(err.Error(), "abc") {
			t.Errorf("the error quotes text: %v", err)
		}
	}
}
