package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// Rewriter writes row groups of one input file to one output file, and the
// rows that must not be released to one quarantine file. It is not safe for
// concurrent use. After an error both files are incomplete and must be thrown
// away.
//
// In memory it holds three batches (one is read while another is edited and a third
// written), the compressed new chunks of the configured columns of one row group, and
// a page of any other column at a time.
type Rewriter struct {
	b           *Binding
	out         *output
	quarantine  *output
	released    int64
	quarantined int64
	omitted     int64
	err         error
	closed      bool
}

// Counts says where rows went.
type Counts struct {
	Released    int64
	Quarantined int64
	Omitted     int64 // see Row.Omit
}

// NewRewriter returns a Rewriter. Nothing is written to quarantine unless a
// row is quarantined.
//
// The output has the schema of the input less the dropped columns, the
// quarantine that of the input and a string column "reason" at the end
// ("quarantine_reason" if the input has a column of that name). Of key-value
// metadata the output has the schemas of Arrow, pandas and Spark, as far as they
// are structure and do not contradict the new schema, and what
// Columns.KeepMetadata names; the quarantine has all but schemas that contradict
// its own. Hudi's record keys are in neither.
func (b *Binding) NewRewriter(out, quarantine io.Writer) (*Rewriter, error) {
	w := &Rewriter{b: b}
	changed := map[*node]bool{}
	for _, c := range b.columns {
		if c.edit {
			changed[c.leaf] = true
		}
	}
	w.out = &output{w: out, file: b.f, changed: changed, pairs: newKeyValues(b.cfg.KeepMetadata, len(b.dropped) > 0)}
	w.out.kv = w.out.pairs.footer(b.f.meta.items(fmKeyValues))
	for _, leaf := range b.f.leaves {
		if !b.dropped[leaf] {
			w.out.keep = append(w.out.keep, leaf)
		}
	}
	if len(w.out.keep) == 0 {
		return nil, fmt.Errorf("%s: no column would be left", b.f.name)
	}
	w.out.schema = b.outputSchema()
	reason, err := b.reasonName()
	if err != nil {
		return nil, err
	}
	schema := append([]value(nil), b.f.elements...)
	schema[0] = schema[0].with(seNumChildren, i32Value(int64(len(b.f.root.children)+1)))
	schema = append(schema, structValue(
		field{seType, i32Value(int64(physByteArray))},
		field{seRepetition, i32Value(int64(repRequired))},
		field{seName, stringValue(reason)},
		field{seConverted, i32Value(int64(convUTF8))},
		field{seLogical, structValue(field{logString, structValue()})},
	))
	w.quarantine = &output{w: quarantine, file: b.f, schema: schema, changed: changed,
		keep: append(append([]*node(nil), b.f.leaves...), nil)}
	for _, kv := range b.f.meta.items(fmKeyValues) {
		if key := kv.str(kvKey); !recordKeys[key] && !derivedKeys[key] {
			w.quarantine.kv = append(w.quarantine.kv, kv)
		}
	}
	return w, nil
}

// outputSchema returns the schema elements of the output: the input's own,
// less those dropped, with the numbers of children adjusted.
func (b *Binding) outputSchema() []value {
	if len(b.dropped) == 0 {
		return b.f.elements
	}
	var out []value
	var walk func(n *node) bool
	walk = func(n *node) bool {
		if n.leaf >= 0 {
			if b.dropped[n] {
				return false
			}
			out = append(out, b.f.elements[n.element])
			return true
		}
		at := len(out)
		out = append(out, b.f.elements[n.element])
		left := 0
		for _, c := range n.children {
			if walk(c) {
				left++
			}
		}
		if left == 0 && len(n.children) > 0 && n.parent != nil {
			out = out[:at]
			return false
		}
		if left != len(n.children) {
			out[at] = out[at].with(seNumChildren, i32Value(int64(left)))
		}
		return true
	}
	walk(b.f.root)
	return out
}

func (b *Binding) reasonName() (string, error) {
next:
	for _, name := range []string{"reason", "quarantine_reason"} {
		for _, c := range b.f.root.children {
			if c.name == name {
				continue next
			}
		}
		return name, nil
	}
	return "", fmt.Errorf("%s: the columns \"reason\" and \"quarantine_reason\" are both taken; rename one of them", b.f.name)
}

// RowGroup rewrites one row group of the input. edit gets its rows in order,
// in batches within the bounds of Columns; it changes them, or quarantines
// them, before it returns. Rows and batches are written in order and become
// one row group, without the rows quarantined; if none is left, or there was
// none, no row group is written. An error of edit ends the rewriting and is returned as it is.
//
// A row group from which no row is quarantined keeps the stored bytes of every
// column that is not configured, unless its dictionary holds values that no
// row has: those of rows that were filtered, or lie in other row groups.
func (w *Rewriter) RowGroup(ctx context.Context, rowGroup int, edit func(rows []*Row) error) (Counts, error) {
	return w.FirstRows(ctx, rowGroup, math.MaxInt64, edit)
}

// FirstRows is RowGroup for the first n rows, as if the input had no more.
func (w *Rewriter) FirstRows(ctx context.Context, rowGroup int, n int64, edit func(rows []*Row) error) (Counts, error) {
	if w.err == nil && w.closed {
		w.err = errors.New("table: the Rewriter is closed")
	}
	if w.err != nil {
		return Counts{}, w.err
	}
	var counts Counts
	if w.err = w.b.f.checkGroupIndex(rowGroup); w.err == nil {
		counts, w.err = w.rowGroup(ctx, rowGroup, min(n, w.b.f.infos[rowGroup].Rows), edit)
	}
	w.released += counts.Released
	w.quarantined += counts.Quarantined
	w.omitted += counts.Omitted
	return counts, w.err
}

// groupEncoders holds the encoders of the configured columns for one file.
type groupEncoders struct {
	columns []*encoder // by index in Binding.columns, nil for those not edited
	reason  *encoder
}

func (w *Rewriter) encoders(group int, all bool) (*groupEncoders, error) {
	g := &groupEncoders{columns: make([]*encoder, len(w.b.columns))}
	for i, c := range w.b.columns {
		if !c.edit && !all {
			continue
		}
		e, err := w.encoder(group, c.leaf, c.dict, c.text)
		if err != nil {
			return nil, err
		}
		g.columns[i] = e
	}
	return g, nil
}

// encoder returns an encoder that uses the codec, and where it may a
// dictionary, as the input's chunk does.
func (w *Rewriter) encoder(group int, leaf *node, dictionary, text bool) (*encoder, error) {
	meta := w.b.f.chunk(group, leaf).get(ccMetaData)
	had := false
	for _, e := range meta.items(cmEncodings) {
		had = had || e.n == encPlainDictionary || e.n == encRLEDictionary
	}
	e, err := newEncoder(leaf, meta.intOr(cmCodec, 0), dictionary && had, text)
	if err != nil {
		return nil, w.b.f.errorAt(group, leaf, -1, err)
	}
	return e, nil
}

// fate is where a row goes.
type fate uint8

const (
	released fate = iota
	aside         // to the quarantine
	nowhere
)

func (w *Rewriter) rowGroup(ctx context.Context, group int, rows int64, edit func([]*Row) error) (Counts, error) {
	var counts Counts
	if rows <= 0 {
		return counts, nil
	}
	need := make([]int, len(w.b.columns))
	for i := range need {
		need[i] = i
	}
	reader, err := w.b.newRowReader(group, need)
	if err != nil {
		return counts, err
	}
	defer reader.close()
	out, err := w.encoders(group, false)
	if err != nil {
		return counts, err
	}
	var held *groupEncoders // of the quarantine, once needed
	var gone []fate         // of rows, up to the last that is not released
	write := func(batch []*Row) error {
		for _, r := range batch {
			if r.omitted && !r.quarantined {
				gone = append(gone, make([]fate, r.Row+1-int64(len(gone)))...)
				gone[r.Row] = nowhere
				counts.Omitted++
				continue
			}
			if !r.quarantined {
				counts.Released++
				if err := writeValues(out, r.new, r.lists, r.newLists); err != nil {
					return w.b.f.errorAt(group, nil, r.Row, err)
				}
				continue
			}
			if held == nil {
				var err error
				if held, err = w.heldEncoders(group); err != nil {
					return err
				}
			}
			// Grows with the rows that are read: the footer may claim any number.
			gone = append(gone, make([]fate, r.Row+1-int64(len(gone)))...)
			gone[r.Row] = aside
			counts.Quarantined++
			if err := writeValues(held, r.old, r.lists, nil); err != nil {
				return w.b.f.errorAt(group, nil, r.Row, err)
			}
			if err := held.reason.value(parquet.ByteArrayValue([]byte(r.reason + r.stood))); err != nil {
				return err
			}
		}
		return nil
	}
	reader.rows = rows
	next := func() ([]*Row, error) {
		raw, err := reader.next()
		if err != nil || len(raw) == 0 {
			return nil, err
		}
		return w.b.newRows(group, raw), nil
	}
	if err := relay(ctx, next, edit, write); err != nil {
		return counts, err
	}
	reader.close()
	return counts, w.assemble(ctx, group, rows, counts, out, held, gone)
}

// heldEncoders returns the quarantine's encoders, which hold every configured
// column and the reason.
func (w *Rewriter) heldEncoders(group int) (*groupEncoders, error) {
	g, err := w.encoders(group, true)
	if err != nil {
		return nil, err
	}
	like := w.b.f.leaves[0]
	if w.b.doc >= 0 {
		like = w.b.columns[w.b.doc].leaf
	}
	codec := w.b.f.chunk(group, like).get(ccMetaData).intOr(cmCodec, 0)
	root := &node{leaf: -1}
	reason := &node{name: "reason", path: []string{"reason"}, parent: root, phys: physByteArray,
		repetition: repRequired, logical: logString, converted: convUTF8}
	g.reason, err = newEncoder(reason, codec, true, false)
	return g, err
}

// writeValues writes a row. Of columns in lists it takes what lists has, or
// newer.
func writeValues(g *groupEncoders, values []parquet.Value, lists, newer [][]parquet.Value) error {
	for i, e := range g.columns {
		if e == nil {
			continue
		}
		var err error
		switch {
		case e.leaf.maxRep == 0:
			err = e.value(values[i])
		case newer != nil && newer[i] != nil:
			err = e.row(newer[i])
		default:
			err = e.row(lists[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Metadata tells which key-value metadata the output has, and which of the
// input's it lacks.
func (w *Rewriter) Metadata() Metadata { return w.out.pairs.metadata() }

// Counts returns where the rows went so far.
func (w *Rewriter) Counts() Counts { return Counts{w.released, w.quarantined, w.omitted} }

// Close writes the footers. It does not close the writers. If no row was
// quarantined, nothing has been written to the quarantine.
func (w *Rewriter) Close() error {
	if w.err != nil || w.closed {
		return w.err
	}
	w.closed = true
	if w.err = w.out.close(); w.err != nil {
		return fmt.Errorf("writing the footer of the output of %s: %w", w.b.f.name, w.err)
	}
	if w.quarantined > 0 {
		if w.err = w.quarantine.close(); w.err != nil {
			return fmt.Errorf("writing the footer of the quarantine of %s: %w", w.b.f.name, w.err)
		}
	}
	return nil
}
