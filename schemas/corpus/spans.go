package corpus

import (
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
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

// spanColumns are the columns of spans. The first two tell whose a span is.
var spanColumns = []table.TextColumn{
	columnDocument:   {Name: "document_id", Required: true},
	columnTextColumn: {Name: "text_column"},
	columnStart:      {Name: "start", Required: true},
	columnEnd:        {Name: "end", Required: true},
	columnType:       {Name: "type", Required: true},
	columnSplit:      {Name: "split"},
	columnID:         {Name: "annotation_id"},
	columnCategory:   {Name: "category"},
	columnComment:    {Name: "comment"},
	columnSource:     {Name: "source"},
	columnScore:      {Name: "score", Floats: true},
}

// interner keeps one copy of each of the few strings that repeat.
type interner map[string]string

func (in interner) of(s string) string {
	if kept, ok := in[s]; ok {
		return kept
	}
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
			t, err := bindSpans(o, idsOnly)
			if err != nil {
				yield(spanRow{}, err)
				return
			}
			row := int64(-1)
			err = t.Each(r.ctx, func(values *table.TextRow) error {
				row++
				if of, ok := values.One(columnTextColumn); ok && of != r.o.TextColumn {
					skipped = true
					return nil
				}
				taken = true
				s := spanRow{file: o.name, row: row}
				if !s.fill(values, in, idsOnly) {
					return fmt.Errorf("%s: the document id, the type, the start or the end is null, or negative, or too large, or no number", s.where())
				}
				if !yield(s, nil) {
					return errStopped
				}
				return nil
			})
			if errors.Is(err, errStopped) {
				return
			}
			if err != nil {
				yield(spanRow{}, err)
				return
			}
		}
		if skipped && !taken {
			yield(spanRow{}, fmt.Errorf("%s: no row is of the text column %q; name the column whose annotations are wanted", r.spans[0].name,
				r.o.TextColumn))
		}
	}
}

// fill takes what a row says, and reports whether it can be used.
func (s *spanRow) fill(values *table.TextRow, in interner, idsOnly bool) bool {
	id, ok := values.One(columnDocument)
	if s.document = id; !ok || idsOnly {
		return ok
	}
	text := func(column int) string {
		v, _ := values.One(column)
		return in.of(v)
	}
	place := func(column int) int {
		v, _ := values.One(column)
		n, err := strconv.ParseInt(v, 10, 32)
		ok = ok && err == nil && n >= 0
		return int(n)
	}
	s.start, s.end = place(columnStart), place(columnEnd)
	score, _ := strconv.ParseFloat(text(columnScore), 32) // null is 0
	s.annotation = Annotation{
		Label: text(columnType), ID: text(columnID), Category: text(columnCategory), Comment: text(columnComment),
		Tagger: text(columnSource), Score: float32(score),
	}
	s.split = text(columnSplit)
	return ok && s.annotation.Label != ""
}

// bindSpans opens a table of spans and finds its columns.
func bindSpans(o object, idsOnly bool) (*table.Texts, error) {
	f, err := table.Open(o, o.Size(), o.name)
	if err != nil {
		return nil, err
	}
	if idsOnly {
		return f.Texts(spanColumns[:columnTextColumn+1]...)
	}
	return f.Texts(spanColumns...)
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
		f, err := table.Open(o, o.Size(), o.name)
		if err != nil {
			return false, err
		}
		ids, err := f.Texts(table.TextColumn{Name: r.o.DocumentIDColumn, Role: "document id", Required: true})
		if err != nil {
			return false, err
		}
		err = ids.Each(r.ctx, func(row *table.TextRow) (err error) {
			for id, _ := row.One(0); more && s.document == id; {
				if s, err, more = next(); err != nil {
					return err
				}
			}
			if !more {
				return errStopped
			}
			return nil
		})
		if errors.Is(err, errStopped) {
			return true, nil
		}
		if err != nil {
			return false, err
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
	return fmt.Errorf("%s is of a document that the notes do not have (%d such documents); findings belong to the notes that the job read, "+
		"with the ids that they had there", first.where(), documents)
}
