package table

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/roworder"
)

// Place says where a row goes, by its ids as they are released. Those that the table
// has no column of are null.
type Place struct {
	Document, Patient string // columns; empty for none
	Line              string // column of the numbers of lines; empty for none
	Of                func(patient, document ID) roworder.Key
}

// SchemaDigest returns the SHA-256 of the schema and of the settings by which it is
// read, in hex. Files of one digest hold rows of one form: dates that Spark wrote by
// the calendar of before 1582 say so in the footer alone.
func (f *File) SchemaDigest() string {
	h := sha256.New()
	for i := range f.elements {
		h.Write(appendValue(nil, &f.elements[i]))
	}
	var settings []string
	for _, kv := range f.meta.items(fmKeyValues) {
		if key := kv.str(kvKey); plainKeys[key] {
			settings = append(settings, fmt.Sprintf("%q=%q", key, kv.str(kvValue)))
		}
	}
	slices.Sort(settings)
	for _, s := range settings {
		h.Write([]byte(s))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// wholeRow is a row with all its columns.
type wholeRow struct {
	key    roworder.Key
	values [][]parquet.Value // by leaf, several only in lists
	bytes  int64             // about what it takes in memory
}

// rowScanner reads whole rows of a file in order.
type rowScanner struct {
	f     *File
	place Place

	doc, patient, line *node

	group   int
	left    int64 // rows of the group
	cursors []*cursor
}

func (f *File) scan(place Place) (*rowScanner, error) {
	s := &rowScanner{f: f, place: place, group: -1}
	var err error
	if place.Document != "" {
		if s.doc, err = f.idLeaf(place.Document); err != nil {
			return nil, err
		}
	}
	if place.Patient != "" {
		if s.patient, err = f.idLeaf(place.Patient); err != nil {
			return nil, err
		}
	}
	if place.Line != "" {
		s.line, err = f.idLeaf(place.Line)
	}
	return s, err
}

func (f *File) idLeaf(name string) (*node, error) {
	n, _ := f.root.find(name)
	if n == nil || n.leaf < 0 || n.maxRep > 0 {
		return nil, fmt.Errorf("%s: column %q is not there, or no id", f.name, name)
	}
	return n, nil
}

func (s *rowScanner) close() {
	for _, c := range s.cursors {
		c.close()
	}
	s.cursors = nil
}

// valueBytes is what a value takes in memory besides its bytes: itself, and the slice
// that it is in.
const valueBytes = 48

// next returns the next row, or io.EOF. Its values are its own.
func (s *rowScanner) next() (*wholeRow, error) {
	for s.left == 0 {
		s.close()
		if s.group++; s.group == len(s.f.groups) {
			return nil, io.EOF
		}
		s.left = s.f.infos[s.group].Rows
		for _, leaf := range s.f.leaves {
			c, err := newCursor(s.f, s.group, leaf)
			if err != nil {
				return nil, err
			}
			s.cursors = append(s.cursors, c)
		}
	}
	s.left--
	width := len(s.cursors)
	slab := make([]parquet.Value, width)
	r := &wholeRow{values: make([][]parquet.Value, width)}
	for i, c := range s.cursors {
		values, err := c.nextRow(slab[i : i : i+1])
		if err == io.EOF {
			err = s.f.errorAt(s.group, c.leaf, -1, io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, err
		}
		if c.leaf.maxRep == 0 {
			values[0] = detach(&values[0])
		}
		r.values[i] = values
		for j := range values {
			r.bytes += valueBytes + byteLength(&values[j])
		}
	}
	patient, document := ID{Null: true}, ID{Null: true}
	if s.patient != nil {
		patient = idOf(s.patient, &r.values[s.patient.leaf][0])
	}
	if s.doc != nil {
		document = idOf(s.doc, &r.values[s.doc.leaf][0])
	}
	r.key = s.place.Of(patient, document)
	if s.line != nil {
		r.key.Line, _ = lineNumber(idOf(s.line, &r.values[s.line.leaf][0]))
	}
	return r, nil
}

// Scatter reads all rows of a file and writes each to one of the files that
// their keys name: as Parquet of one row group, rows in the order of their keys,
// with the file's schema, codecs and metadata, and statistics of their own. It holds rows of about
// bytes in memory, so a large file is done in runs: create returns the writer for
// a run and file, and the number of rows is told to done once it is written. A
// file without rows becomes one without rows, in run 0 and file 0.
func (f *File) Scatter(ctx context.Context, place Place, bytes int64, create func(run, file int) (io.Writer, error),
	done func(rows int64) error) error {
	s, err := f.scan(place)
	if err != nil {
		return err
	}
	defer s.close()
	for run := 0; ; run++ {
		var rows []*wholeRow
		var held int64
		for held < bytes {
			r, err := s.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return err
			}
			rows, held = append(rows, r), held+r.bytes
		}
		if len(rows) == 0 && run > 0 {
			return nil
		}
		slices.SortStableFunc(rows, func(a, b *wholeRow) int { return a.key.Compare(b.key) })
		for {
			if err := ctx.Err(); err != nil {
				return err
			}
			file, n := 0, 0
			if len(rows) > 0 {
				file = rows[0].key.File
			}
			for n < len(rows) && rows[n].key.File == file {
				n++
			}
			to, err := create(run, file)
			if err != nil {
				return err
			}
			if err := f.write(to, rows[:n]); err != nil {
				return err
			}
			if err := done(int64(n)); err != nil {
				return err
			}
			if rows = rows[n:]; len(rows) == 0 {
				break
			}
		}
		if held < bytes {
			return nil
		}
	}
}

// write writes rows as a file like f.
func (f *File) write(to io.Writer, rows []*wholeRow) error {
	w := f.anew(to, f)
	for _, r := range rows {
		if err := w.row(r); err != nil {
			return err
		}
	}
	return w.close()
}

// regrouped writes rows, whole, as files like another.
type regrouped struct {
	out      *output
	like     *File
	group    int     // of like, by whose chunks the new ones are encoded; -1 for none
	from     []*File // that rows are of
	encoders []*encoder
	rows     int64 // of the row group that is open
	bytes    int64 // of its values
}

// anew returns a writer of files with the schema, codecs and metadata of f. Columns
// have dictionaries, and bounds, where they have them in one of the files that rows
// are of: one of few rows may lack them.
func (f *File) anew(w io.Writer, from ...*File) *regrouped {
	changed := map[*node]bool{} // the order that columns were sorted in is gone
	for _, leaf := range f.leaves {
		changed[leaf] = true
	}
	g := &regrouped{like: f, group: -1, from: from,
		out: &output{w: w, file: f, schema: f.elements, keep: f.leaves, changed: changed, kv: f.meta.items(fmKeyValues)}}
	if len(f.groups) > 0 {
		g.group = 0
	}
	return g
}

func (g *regrouped) row(r *wholeRow) error {
	if g.encoders == nil {
		if err := g.out.begin(); err != nil {
			return err
		}
		for _, leaf := range g.like.leaves {
			e, err := g.encoder(leaf)
			if err != nil {
				return err
			}
			g.encoders = append(g.encoders, e)
		}
	}
	for i, e := range g.encoders {
		if err := e.row(r.values[i]); err != nil {
			return err
		}
	}
	g.rows++
	g.bytes += r.bytes
	return nil
}

// encoder returns an encoder for a column.
func (g *regrouped) encoder(leaf *node) (*encoder, error) {
	dictionary, bounds := false, false
	for _, f := range g.from {
		for group := range f.groups {
			dictionary = dictionary || f.hasDictionary(group, leaf)
			st := f.chunk(group, leaf).get(ccMetaData).get(cmStatistics)
			bounds = bounds || st != nil && st.get(stMinValue) != nil
		}
	}
	codec := g.like.chunk(g.group, leaf).get(ccMetaData).intOr(cmCodec, 0)
	e, err := newEncoder(leaf, codec, dictionary, !bounds)
	if err != nil {
		return nil, g.like.errorAt(g.group, leaf, -1, err)
	}
	return e, nil
}

// flush ends the open row group.
func (g *regrouped) flush() error {
	if g.encoders == nil {
		return nil
	}
	for i, leaf := range g.like.leaves {
		if err := g.out.encodedChunk(g.encoders[i], g.like.chunk(g.group, leaf), leaf.path, true); err != nil {
			return g.like.errorAt(g.group, leaf, -1, err)
		}
	}
	if err := g.out.end(g.group, g.rows); err != nil {
		return err
	}
	g.encoders, g.rows, g.bytes = nil, 0, 0
	return nil
}

func (g *regrouped) close() error {
	if err := g.flush(); err != nil {
		return err
	}
	return g.out.close()
}
