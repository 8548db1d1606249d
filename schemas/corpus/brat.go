package corpus

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readBrat reads a folder of brat standoff pairs, NAME.txt with NAME.ann; see
// brat's description of the format. Other files, such as annotation.conf, are
// passed over. A text without annotations has an empty .ann file: a missing one
// is an error, as is one without its text.
func readBrat(ctx context.Context, path string, o ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		fail := func(err error) { yield(Document{}, err) }
		texts, err := list(ctx, path, ".txt")
		if err != nil {
			fail(err)
			return
		}
		anns := []file{}
		if len(texts) == 1 && texts[0].name == path { // a single text
			anns = append(anns, file{strings.TrimSuffix(path, ".txt") + ".ann", texts[0].base})
		} else if anns, err = listFolder(ctx, path, ".ann"); err != nil {
			fail(err)
			return
		}
		for len(texts) > 0 || len(anns) > 0 {
			switch {
			case len(texts) == 0 || len(anns) > 0 && anns[0].base < texts[0].base:
				fail(fmt.Errorf("%s: there is no .txt file of that name beside it", anns[0].name))
				return
			case len(anns) == 0 || texts[0].base < anns[0].base:
				fail(fmt.Errorf("%s: there is no .ann file of that name beside it; where there is nothing to annotate, it must be empty",
					texts[0].name))
				return
			}
			d, err := readPair(ctx, texts[0], anns[0], &o)
			if !yield(d, err) || err != nil {
				return
			}
			texts, anns = texts[1:], anns[1:]
		}
	}
}

func readPair(ctx context.Context, text, ann file, o *ReadOptions) (Document, error) {
	data, err := readFile(ctx, text.name)
	if err != nil {
		return Document{}, err
	}
	if !utf8.Valid(data) {
		return Document{}, fmt.Errorf("%s: %w", text.name, errNotUTF8)
	}
	d := Document{ID: text.base, Text: string(data), Source: text.name}
	if data, err = readFile(ctx, ann.name); err != nil {
		return Document{}, err
	}
	if err := parseAnn(&d, ann.name, string(data), o); err != nil {
		return Document{}, err
	}
	return d, nil
}

// parseAnn adds the annotations of an .ann file to a document.
func parseAnn(d *Document, name, ann string, o *ReadOptions) error {
	if !utf8.ValidString(ann) {
		return fmt.Errorf("%s: %w", name, errNotUTF8)
	}
	b := newBuilder(d, o)
	byID := map[string]int{}
	type note struct{ line, target, text string }
	var notes []note
	lines := strings.Split(strings.TrimPrefix(ann, "\ufeff"), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] != 'T' {
			if target, text, ok := annotatorNote(line); ok {
				notes = append(notes, note{line, target, text})
				continue
			}
			if !strings.ContainsRune("#REAMN*", rune(line[0])) {
				o.Warn(fmt.Sprintf("%s:%d: the line is of a kind that brat does not have; it is kept for brat and ignored otherwise", name, i+1))
			}
			d.Rest = append(d.Rest, line)
			continue
		}
		a, pieces, quoted, err := parseTextBound(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		where := func() string { return fmt.Sprintf("%s:%d: annotation %q", name, i+1, a.ID) }
		if err := b.add(a, pieces, quoted, where); err != nil {
			return err
		}
		if _, twice := byID[a.ID]; !twice {
			byID[a.ID] = len(d.Annotations) - 1
		}
	}
	for _, n := range notes {
		i, ok := byID[n.target]
		if !ok || d.Annotations[i].Comment != "" || n.text == "" {
			d.Rest = append(d.Rest, n.line)
			continue
		}
		d.Annotations[i].Comment = n.text
	}
	return nil
}

// parseTextBound reads a line "T1<tab>LABEL 0 5<tab>text", or with pieces
// "LABEL 0 5;8 11". A line may lack the text.
func parseTextBound(line string) (a Annotation, pieces [][2]int, quoted *string, err error) {
	fields := strings.SplitN(line, "\t", 3)
	a.ID = fields[0]
	if strings.Trim(a.ID[1:], "0123456789") != "" || a.ID == "T" {
		return a, nil, nil, fmt.Errorf("a text-bound annotation has no id of the form T1")
	}
	if len(fields) < 2 {
		return a, nil, nil, fmt.Errorf("annotation %q has no type and offsets after a tab", a.ID)
	}
	if len(fields) == 3 {
		quoted = &fields[2]
	}
	label, offsets, _ := strings.Cut(fields[1], " ")
	a.Label = label
	for _, piece := range strings.Split(offsets, ";") {
		from, to, _ := strings.Cut(piece, " ")
		start, ok := number(from)
		end, ok2 := number(to)
		if label == "" || !ok || !ok2 {
			return a, nil, nil, fmt.Errorf("annotation %q has no type and offsets of the form \"LABEL 0 5\" or \"LABEL 0 5;8 11\"", a.ID)
		}
		pieces = append(pieces, [2]int{start, end})
	}
	return a, pieces, quoted, nil
}

// annotatorNote reads a line "#1<tab>AnnotatorNotes T1<tab>remark".
func annotatorNote(line string) (target, text string, ok bool) {
	fields := strings.SplitN(line, "\t", 3)
	if line[0] != '#' || len(fields) < 3 {
		return "", "", false
	}
	target, ok = strings.CutPrefix(fields[1], "AnnotatorNotes ")
	return target, fields[2], ok && strings.HasPrefix(target, "T")
}

type bratWriter struct {
	*folder
	o WriteOptions
}

func newBratWriter(f *folder, o WriteOptions) Writer { return bratWriter{f, o} }

func (w bratWriter) Write(d Document) error {
	if err := checkName(&d); err != nil {
		return err
	}
	if err := w.check(&d); err != nil {
		return err
	}
	ann, err := formatAnn(&d, w.o.Warn)
	if err != nil {
		return err
	}
	if err := w.write(d.ID+".txt", []byte(d.Text)); err != nil {
		return err
	}
	return w.write(d.ID+".ann", []byte(ann))
}

// formatAnn is the inverse of parseAnn, but for the order of lines: text-bound
// annotations, their notes, all else.
func formatAnn(d *Document, warn func(string)) (string, error) {
	var b strings.Builder
	at := NewOffsets(d.Text)
	ids := names(d.Annotations, "T", 1)
	known := make(map[string]bool, len(ids))
	renumbered := false
	for i, a := range d.Annotations {
		if a.Label == "" || strings.ContainsAny(a.Label, " \t\n\r") {
			return "", fmt.Errorf("%s: annotation %s has an empty type or one with blanks, which brat cannot hold; map it to another", d.Source,
				nameOf(a, i))
		}
		known[ids[i]] = true
		renumbered = renumbered || a.ID != ids[i]
		fragments := a.Fragments
		if fragments == nil {
			fragments = []Fragment{{a.Start, a.End}}
		}
		b.WriteString(ids[i] + "\t" + a.Label)
		for j, f := range fragments {
			start, _ := at.CodePoint(f.Start)
			end, _ := at.CodePoint(f.End)
			if j > 0 {
				b.WriteByte(';')
			} else {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(start) + " " + strconv.Itoa(end))
		}
		b.WriteString("\t" + lineEnds.Replace(surface(d.Text, &a)) + "\n")
	}
	number := 1
	for _, line := range d.Rest {
		id, _, _ := strings.Cut(line, "\t")
		if n, err := strconv.Atoi(strings.TrimPrefix(id, "#")); err == nil && n >= number && n < 1<<30 && line[0] == '#' {
			number = n + 1
		}
	}
	for i, a := range d.Annotations {
		if a.Comment != "" {
			fmt.Fprintf(&b, "#%d\tAnnotatorNotes %s\t%s\n", number, ids[i], lineEnds.Replace(a.Comment))
			number++
		}
	}
	for _, line := range d.Rest {
		if refersOnlyTo(line, known, renumbered) {
			b.WriteString(line + "\n")
		} else {
			warn(fmt.Sprintf("%s: a relation, event or note on an annotation that was left out or renumbered is left out", d.Source))
		}
	}
	return b.String(), nil
}

// lineEnds puts a text on one line.
var lineEnds = strings.NewReplacer("\n", " ", "\r", " ")

var textBoundID = regexp.MustCompile(`\bT[0-9]+\b`)

// refersOnlyTo tells whether the annotations that a line's second field names
// are there, under the ids that they had.
func refersOnlyTo(line string, known map[string]bool, renumbered bool) bool {
	fields := strings.SplitN(line, "\t", 3)
	if len(fields) < 2 {
		return true
	}
	for _, id := range textBoundID.FindAllString(fields[1], -1) {
		if renumbered || !known[id] {
			return false
		}
	}
	return true
}
