// Package tokenize cuts annotated texts into the windows that the network
// sees, with a label for each token. Training reads its output, so that
// training and job cut text with one and the same tokeniser.
//
// It reads one JSON object per line on standard input:
//
//	{"id": "n1", "text": "...", "spans": [{"start": 0, "end": 4, "type": "DATE"}]}
//
// and writes one per window on standard output:
//
//	{"id": "n1", "forms": [...], "class": [...], "space": [...], "start": [...], "end": [...], "labels": [...]}
//
// Offsets are Unicode code points of the text, end exclusive; labels are BIOES.
//
// With --features LANGUAGE it writes what the feature CRF and the token SVM see: a line
// for each token, its label and the names of its features with tabs between them, and
// an empty line behind each window. See package features.
package tokenize

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
)

var help = cli.Help{
	Command: "palimpsest tokenize",
	About: `
tokenize cuts annotated texts into the windows that a network sees, with a label
for each token. It is for training, which reads what it writes: JSON lines on
standard input, one for each text, give JSON lines on standard output, one for
each window.

  palimpsest tokenize < texts.jsonl > windows.jsonl`,
	Brief: []cli.Setting{
		{Flags: "--window_tokens N", Text: "most tokens in one window"},
		{Flags: "--least_tokens N", Text: "least tokens in one, where content decides"},
		{Flags: "--cut WAY", Text: "place, content, or mixed: both ways and finer"},
		{Flags: "--features LANGUAGE", Text: "write features in place of tokens"},
	},
}

// Main runs the command and returns its exit status.
func Main(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("tokenize", flag.ContinueOnError)
	window := flags.Int("window_tokens", 128, "most tokens in one window, at least 2")
	least := flags.Int("least_tokens", 0, "least tokens in one window, with --cut content or mixed;\n"+
		"0 for an eighth of window_tokens")
	way := flags.String("cut", "place", "where windows end: place (whole lines, as many as fit), content (where the job cuts), or mixed:\n"+
		"texts by place, by content and by content more finely, in turns, for a network that is to read windows of any length")
	language := flags.String("features", "", "write features in place of tokens; the language of the notes, such as en")
	return help.Main(flags, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		cuts, ok := ways(*window, *least)[*way]
		if !ok {
			return fault.Mark(fault.Refused, fmt.Errorf("--cut is %q, want place, content or mixed", *way))
		}
		stats, err := run(stdin, stdout, *window, cuts, *language)
		if err != nil {
			return fault.Mark(fault.Refused, err)
		}
		fmt.Fprintln(stderr, "tokenize:", stats)
		return nil
	})
}

// document is one line of input.
type document struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Spans []span `json:"spans"`
}

// span is one annotation; Start and End are code points, End is exclusive.
type span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Type  string `json:"type"`
}

// window is one line of output: parallel lists, one entry per token.
type window struct {
	ID     string   `json:"id"`
	Forms  []string `json:"forms"`
	Class  []int    `json:"class"` // token.Class as numbers
	Space  []int    `json:"space"` // 1 where a blank comes before
	Start  []int    `json:"start"` // code points
	End    []int    `json:"end"`   // code points, exclusive
	Labels []string `json:"labels"`
}

// label is what a type may look like; the types are the corpus's own.
var label = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// stats counts what was read, written and bent.
type stats struct {
	documents, windows, tokens, spans int
	widened                           int // spans whose edges lay inside a token
	dropped                           int // spans whose tokens another span already has
}

func (s stats) String() string {
	return fmt.Sprintf("%d documents, %d windows, %d tokens, %d spans; %d spans widened to token boundaries, %d dropped because another "+
		"span has their tokens",
		s.documents, s.windows, s.tokens, s.spans, s.widened, s.dropped)
}

// cutter appends windows of a text to dst.
type cutter func(dst []token.Window, text string, tokens []token.Token) []token.Window

// ways returns the ways to cut windows of at most max tokens, by name; texts take turns
// where there are several. least is of windows that content cuts; 0 for what suits max.
func ways(max, least int) map[string][]cutter {
	place := func(dst []token.Window, text string, tokens []token.Token) []token.Window {
		return token.Windows(dst, text, tokens, max)
	}
	content := bilstmcrf.DefaultCutting(max).AtLeast(least)
	fine := content
	fine.Inner = fine.Least
	return map[string][]cutter{
		"place":   {place},
		"content": {content.Windows},
		"mixed":   {place, content.Windows, fine.Windows},
	}
}

func run(in io.Reader, out io.Writer, max int, cuts []cutter, language string) (stats, error) {
	var s stats
	if max < 2 {
		return s, fmt.Errorf("window_tokens is %d, want at least 2", max)
	}
	decoder := json.NewDecoder(bufio.NewReader(in))
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	var extractor *features.Extractor
	if language != "" {
		extractor = features.New(language)
	}
	for {
		var d document
		err := decoder.Decode(&d)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, fmt.Errorf("document %d: %w", s.documents+1, err)
		}
		tokens := token.Tokenize(nil, d.Text)
		windows, err := cut(d, tokens, cuts[s.documents%len(cuts)], &s)
		if err != nil {
			return s, fmt.Errorf("document %d: %w", s.documents+1, err)
		}
		s.documents++
		if extractor != nil {
			extractor.Read(d.Text, tokens)
			if err := writeFeatures(buffered, extractor, windows); err != nil {
				return s, err
			}
			continue
		}
		for _, w := range windows {
			if err := encoder.Encode(w); err != nil {
				return s, err
			}
		}
	}
	return s, buffered.Flush()
}

// writeFeatures writes the windows of the text that x has read.
func writeFeatures(out *bufio.Writer, x *features.Extractor, windows []window) error {
	var names []string
	i := 0
	for _, w := range windows {
		for _, label := range w.Labels {
			names = x.Names(names[:0], i)
			i++
			out.WriteString(label)
			for _, n := range names {
				out.WriteByte('\t')
				out.WriteString(n)
			}
			out.WriteByte('\n')
		}
		if err := out.WriteByte('\n'); err != nil { // which tells of earlier ones, too
			return err
		}
	}
	return nil
}

// cut returns the windows of one document. Errors name positions, never text.
func cut(d document, tokens []token.Token, by cutter, s *stats) ([]window, error) {
	starts, ends := codePoints(d.Text, tokens)
	types := make([]string, len(tokens)) // of the span that has the token
	first := make([]bool, len(tokens))   // the token begins its span
	length := utf8.RuneCountInString(d.Text)
	for i, sp := range d.Spans {
		if sp.Start < 0 || sp.End > length || sp.Start >= sp.End {
			return nil, fmt.Errorf("span %d is %d to %d, want a stretch of the text's %d code points", i, sp.Start, sp.End, length)
		}
		if !label.MatchString(sp.Type) {
			return nil, fmt.Errorf("span %d: its type is no label: write letters, digits, _ and - only", i)
		}
		s.spans++
		if !mark(types, first, starts, ends, sp, s) {
			s.dropped++
		}
	}
	var windows []window
	for _, w := range by(nil, d.Text, tokens) {
		n := w.End - w.Start
		o := window{
			ID: d.ID, Forms: make([]string, n), Class: make([]int, n), Space: make([]int, n),
			Start: starts[w.Start:w.End], End: ends[w.Start:w.End],
			Labels: bioes(types[w.Start:w.End], first[w.Start:w.End]),
		}
		for i, t := range tokens[w.Start:w.End] {
			o.Forms[i] = form(d.Text, t)
			o.Class[i] = int(t.Class)
			if t.Space {
				o.Space[i] = 1
			}
		}
		windows = append(windows, o)
		s.windows++
		s.tokens += n
	}
	return windows, nil
}

// mark gives the tokens that sp touches to it, but for those that an earlier
// span has; it reports whether any was left.
func mark(types []string, first []bool, starts, ends []int, sp span, s *stats) bool {
	from, to := -1, -1
	for i := range starts {
		if ends[i] > sp.Start && starts[i] < sp.End && types[i] == "" {
			if from < 0 {
				from = i
			}
			to = i
			types[i] = sp.Type
		}
	}
	if from < 0 {
		return false
	}
	first[from] = true
	if starts[from] != sp.Start || ends[to] != sp.End {
		s.widened++
	}
	return true
}

// bioes labels one window; a span that the window cuts is labelled as if it
// ended there, so that every window's labels are a legal sequence.
func bioes(types []string, first []bool) []string {
	labels := make([]string, len(types))
	for i, t := range types {
		if t == "" {
			labels[i] = "O"
			continue
		}
		begins := i == 0 || first[i] || types[i-1] != t
		ends := i+1 == len(types) || first[i+1] || types[i+1] != t
		switch {
		case begins && ends:
			labels[i] = "S-" + t
		case begins:
			labels[i] = "B-" + t
		case ends:
			labels[i] = "E-" + t
		default:
			labels[i] = "I-" + t
		}
	}
	return labels
}

// form returns a token's form as package bilstmcrf keys it: line ends are one
// line feed, or two where a blank line lies between.
func form(text string, t token.Token) string {
	s := t.Text(text)
	if t.Class != token.Newline {
		return s
	}
	feeds := 0
	for i := range len(s) {
		if s[i] == '\n' {
			feeds++
		}
	}
	if feeds > 1 {
		return "\n\n"
	}
	return "\n"
}

// codePoints returns the tokens' offsets in code points.
func codePoints(text string, tokens []token.Token) (starts, ends []int) {
	starts, ends = make([]int, len(tokens)), make([]int, len(tokens))
	at, runes := 0, 0
	advance := func(to int) int {
		runes += utf8.RuneCountInString(text[at:to])
		at = to
		return runes
	}
	for i, t := range tokens {
		starts[i] = advance(int(t.Start))
		ends[i] = advance(int(t.End))
	}
	return starts, ends
}
