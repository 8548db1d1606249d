package corpus

// sortedSpans holds the spans of a table by document, packed: each string that
// repeats, as nearly all do, is kept once.
type sortedSpans struct {
	documents map[string][]packedSpan // in the order of the table
	strings   []string
	numbers   map[string]uint32 // the inverse of strings
}

// packedSpan is a spanRow of 48 bytes.
type packedSpan struct {
	row        int64
	start, end int32 // which fit: see spanRow.fill
	score      float32

	id, label, category, tagger, comment, split, file uint32
}

func newSortedSpans() *sortedSpans {
	return &sortedSpans{documents: map[string][]packedSpan{}, numbers: map[string]uint32{}}
}

func (s *sortedSpans) number(text string) uint32 {
	n, ok := s.numbers[text]
	if !ok {
		n = uint32(len(s.strings))
		s.strings, s.numbers[text] = append(s.strings, text), n
	}
	return n
}

func (s *sortedSpans) add(r *spanRow) {
	a := &r.annotation
	s.documents[r.document] = append(s.documents[r.document], packedSpan{
		row: r.row, start: int32(r.start), end: int32(r.end), score: a.Score,
		id: s.number(a.ID), label: s.number(a.Label), category: s.number(a.Category), tagger: s.number(a.Tagger),
		comment: s.number(a.Comment), split: s.number(r.split), file: s.number(r.file),
	})
}

// unpack is the inverse of what add packs.
func (s *sortedSpans) unpack(document string, p *packedSpan) spanRow {
	return spanRow{
		document: document, start: int(p.start), end: int(p.end), row: p.row,
		annotation: Annotation{
			ID: s.strings[p.id], Label: s.strings[p.label], Category: s.strings[p.category],
			Tagger: s.strings[p.tagger], Score: p.score, Comment: s.strings[p.comment],
		},
		split: s.strings[p.split], file: s.strings[p.file],
	}
}

// take returns a document's spans and forgets them.
func (s *sortedSpans) take(document string) []spanRow {
	packed := s.documents[document]
	delete(s.documents, document)
	spans := make([]spanRow, len(packed))
	for i := range packed {
		spans[i] = s.unpack(document, &packed[i])
	}
	return spans
}

// first returns the first span of the table that is still here, nil for none,
// and the number of documents that are.
func (s *sortedSpans) first() (*spanRow, int) {
	var first *spanRow
	for document, packed := range s.documents {
		r := s.unpack(document, &packed[0])
		if first == nil || r.file < first.file || r.file == first.file && r.row < first.row {
			first = &r
		}
	}
	return first, len(s.documents)
}
