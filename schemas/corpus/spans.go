package corpus

import (
	"fmt"
	"iter"
)

// spanRow is a row of a table of gold spans or findings.
type spanRow struct {
	document   string
	start, end int // code points
	annotation Annotation
	split      string
	file       string
	row        int64
}

func (s *spanRow) where() string { return fmt.Sprintf("%s: row %d", s.file, s.row) }

// The columns of spans, and which there must be.
const (
	columnDocument = iota
	columnTextColumn
	columnStart
	columnEnd
	columnType
	columnSplit
	columnID
	columnCategory
	columnComment
	columnSource
	columnScore
)

var spanColumns = []struct {
	name     string
	required bool
	kinds    []kind
}{
	columnDocument:   {"document_id", true, []kind{stringKind, integerKind}},
	columnTextColumn: {"text_column", false, []kind{stringKind}},
	columnStart:      {"start", true, []kind{integerKind}},
	columnEnd:        {"end", true, []kind{integerKind}},
	columnType:       {"type", true, []kind{stringKind}},
	columnSplit:      {"split", false, []kind{stringKind}},
	columnID:         {"annotation_id", false, []kind{stringKind}},
	columnCategory:   {"category", false, []kind{stringKind}},
	columnComment:    {"comment", false, []kind{stringKind}},
	columnSource:     {"source", false, []kind{stringKind}},
	columnScore:      {"score", false, []kind{floatKind}},
}

// interner keeps one copy of each of the few strings that repeat.
type interner map[string]string

func (in interner) of(b []byte) string {
	if s, ok := in[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(in) < 1<<12 {
		in[s] = s
	}
	return s
}

// rowsOfSpans yields the spans of the configured text column. idsOnly leaves
// everything but the document's id unread.
func (r *parquetReader) rowsOfSpans(idsOnly bool) iter.Seq2[spanRow, error] {
	return func(yield func(spanRow, error) bool) {
		in := interner{}
		taken, skipped := false, false
		for _, o := range r.spans {
			t, columns, err := r.bindSpans(o, idsOnly)
			if err != nil {
				yield(spanRow{}, err)
				return
			}
			row := int64(-1)
			for values, err := range t.rows(columns) {
				row++
				if err == nil {
					err = r.ctx.Err()
				}
				if err != nil {
					yield(spanRow{}, err)
					return
				}
				if v := values[columnTextColumn]; !v.IsNull() && string(v.ByteArray()) != r.o.TextColumn {
					skipped = true
					continue
				}
				taken = true
				s := spanRow{file: o.name, row: row}
				var ok, ok2, ok3 bool
				s.document, ok = columns[columnDocument].text(values[columnDocument])
				ok2, ok3 = true, true
				if !idsOnly {
					s.start, ok2 = columns[columnStart].integer(values[columnStart])
					s.end, ok3 = columns[columnEnd].integer(values[columnEnd])
				}
				str := func(i int) string {
					if values[i].IsNull() {
						return ""
					}
					return in.of(values[i].ByteArray())
				}
				s.annotation = Annotation{
					Label: str(columnType), ID: str(columnID), Category: str(columnCategory), Comment: str(columnComment),
					Tagger: str(columnSource), Score: columns[columnScore].float(values[columnScore]),
				}
				s.split = str(columnSplit)
				if !ok || !ok2 || !ok3 || !idsOnly && s.annotation.Label == "" {
					yield(s, fmt.Errorf("%s: the document id, the type, the start or the end is null, or negative, or too large", s.where()))
					return
				}
				if !yield(s, nil) {
					return
				}
			}
		}
		if skipped && !taken {
			yield(spanRow{}, fmt.Errorf("%s: no row is of the text column %q; name the column whose annotations are wanted", r.spans[0].name, r.o.TextColumn))
		}
	}
}

// bindSpans opens a table of spans and finds its columns.
func (r *parquetReader) bindSpans(o object, idsOnly bool) (*tableFile, []tableColumn, error) {
	t, err := openTable(o.name, o, o.Size())
	if err != nil {
		return nil, nil, err
	}
	columns := make([]tableColumn, len(spanColumns))
	for i, c := range spanColumns {
		if columns[i], err = t.column(c.name, c.required, c.kinds...); err != nil {
			return nil, nil, err
		}
		if idsOnly && i > columnTextColumn {
			columns[i].index = -1
		}
	}
	return t, columns, nil
}

// prepareSpans finds out whether the spans stand in the order of the notes, and
// sorts them in memory if they do not.
func (r *parquetReader) prepareSpans() error {
	if len(r.spans) == 0 {
		return nil
	}
	inOrder, err := r.inOrder()
	if err != nil {
		return err
	}
	if !inOrder {
		r.sorted = newSortedSpans()
		for s, err := range r.rowsOfSpans(false) {
			if err != nil {
				return err
			}
			r.sorted.add(&s)
		}
		return nil
	}
	next, stop := iter.Pull2(r.rowsOfSpans(false))
	r.stop = stop
	r.next = func() (spanRow, bool) {
		s, err, ok := next()
		if err != nil {
			r.nextErr = err
			return s, false
		}
		return s, ok
	}
	return nil
}

// inOrder tells whether walking the notes once meets the documents of all
// spans, each in one run. It reads ids alone.
func (r *parquetReader) inOrder() (bool, error) {
	next, stop := iter.Pull2(r.rowsOfSpans(true))
	defer stop()
	s, err, more := next()
	if err != nil {
		return false, err
	}
	for _, o := range r.notes {
		t, err := openTable(o.name, o, o.Size())
		if err != nil {
			return false, err
		}
		c, err := t.column(r.o.DocumentIDColumn, true, stringKind, integerKind)
		if err != nil {
			return false, err
		}
		for values, err := range t.rows([]tableColumn{c}) {
			if err == nil {
				err = r.ctx.Err()
			}
			if err != nil {
				return false, err
			}
			for id, _ := c.text(values[0]); more && s.document == id; {
				if s, err, more = next(); err != nil {
					return false, err
				}
			}
			if !more {
				return true, nil
			}
		}
	}
	return !more, nil
}

// spansOf takes the spans of the note that is next.
func (r *parquetReader) spansOf(id string) ([]spanRow, error) {
	if r.sorted != nil {
		return r.sorted.take(id), nil
	}
	if r.next == nil {
		return nil, nil
	}
	var spans []spanRow
	for {
		if r.ahead == nil {
			s, ok := r.next()
			if !ok {
				return spans, r.nextErr
			}
			r.ahead = &s
		}
		if r.ahead.document != id {
			return spans, nil
		}
		spans, r.ahead = append(spans, *r.ahead), nil
	}
}

// leftOver tells of spans whose document is not among the notes.
func (r *parquetReader) leftOver() error {
	first, documents := r.ahead, 1
	if r.sorted != nil {
		first, documents = r.sorted.first()
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("%s is of a document that the notes do not have (%d such documents); findings belong to the notes that the job read, with the ids that they had there", first.where(), documents)
}
