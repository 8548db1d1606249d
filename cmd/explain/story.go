package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// story is one span of the result and all that led to it, or a span that came
// to nothing.
type story struct {
	Column  string `json:"text_column"`
	Start   int    `json:"start"` // code points, as in the findings
	End     int    `json:"end"`
	Surface string `json:"surface"`
	Type    string `json:"type,omitempty"` // empty for what was dropped
	Source  string `json:"source,omitempty"`
	Steps   []line `json:"steps"`
}

// line is one step of a story.
type line struct {
	Step    string  `json:"step"`
	Surface string  `json:"surface"`
	Was     string  `json:"was"`
	Is      string  `json:"is,omitempty"`
	Score   float32 `json:"score"`
	Why     string  `json:"why,omitempty"`
}

// tellText sorts the steps of one text by the span of the result that they
// touch. Steps that touch none become stories without a type.
func tellText(cfg transforms.Config, t deid.StudiedText, steps []deid.Event) []story {
	column := cfg.Columns.Text[t.Index]
	var out []story
	at := deid.NewCodePoints(t.Text)
	for _, s := range t.Spans {
		out = append(out, story{Column: column, Start: at.At(s.Start), End: at.At(s.End),
			Surface: t.Text[s.Start:s.End], Type: s.Type.String(), Source: s.Tagger.String()})
	}
	lost := map[phi.Span]int{}
	seen := map[deid.Event]bool{}
	for _, s := range steps {
		if s.Text != t.Index || seen[s] {
			continue
		}
		seen[s] = true
		l := line{Step: s.Step, Surface: t.Text[s.Before.Start:s.Before.End], Was: s.Before.Type.String(), Score: s.Before.Score, Why: s.Why}
		switch {
		case s.After.End == 0:
			l.Is = "dropped"
		case s.After != s.Before:
			l.Is = s.After.Type.String()
			if s.After.Start != s.Before.Start || s.After.End != s.Before.End {
				l.Is += fmt.Sprintf(" %q", t.Text[s.After.Start:s.After.End])
			}
		}
		found := false
		for k, x := range t.Spans {
			if s.Before.Start < x.End && x.Start < s.Before.End {
				out[k].Steps = append(out[k].Steps, l)
				found = true
			}
		}
		if !found {
			where := phi.Span{Start: s.Before.Start, End: s.Before.End}
			k, ok := lost[where]
			if !ok {
				k = len(out)
				lost[where] = k
				out = append(out, story{Column: column, Start: len([]rune(t.Text[:where.Start])), End: len([]rune(t.Text[:where.End])),
					Surface: t.Text[where.Start:where.End]})
			}
			out[k].Steps = append(out[k].Steps, l)
		}
	}
	return out
}

func writeJSON(w io.Writer, stories []story) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(stories)
}

func writeText(w io.Writer, stories []story) error {
	var b strings.Builder
	for _, s := range stories {
		verdict := s.Type + ", found by " + s.Source
		if s.Type == "" {
			verdict = "not replaced"
		}
		fmt.Fprintf(&b, "%s %d-%d %q: %s\n", s.Column, s.Start, s.End, s.Surface, verdict)
		for _, l := range s.Steps {
			fmt.Fprintf(&b, "    %-15s %s %q %.2f", l.Step, l.Was, l.Surface, l.Score)
			if l.Is != "" {
				fmt.Fprintf(&b, " -> %s", l.Is)
			}
			if l.Why != "" {
				fmt.Fprintf(&b, " (%s)", l.Why)
			}
			b.WriteByte('\n')
		}
	}
	if len(stories) == 0 {
		b.WriteString("Nothing was found in this note.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
