package table

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go"
)

// NoteDays returns the first and the last day of the notes of a row group, in days
// since 1970-01-01, as the footer's statistics have them; ok is false where it has
// none, and for columns of strings. No page is read.
func (b *Binding) NoteDays(rowGroup int) (first, last int, ok bool) {
	if b.noteAt < 0 {
		return 0, 0, false
	}
	leaf := b.columns[b.noteAt].leaf
	statistics := b.f.chunk(rowGroup, leaf).get(ccMetaData).get(cmStatistics)
	if statistics == nil || statistics.kind != tStruct || !leaf.isDate() {
		return 0, 0, false
	}
	first, ok = dayOfBound(leaf, statistics.str(stMinValue))
	if !ok {
		return 0, 0, false
	}
	last, ok = dayOfBound(leaf, statistics.str(stMaxValue))
	return first, last, ok && first <= last
}

// dayOfBound reads a bound of a column of dates in its plain encoding.
func dayOfBound(leaf *node, plain string) (day int, ok bool) {
	var v parquet.Value
	switch {
	case leaf.phys == physInt32 && len(plain) == 4:
		v = parquet.Int32Value(int32(binary.LittleEndian.Uint32([]byte(plain))))
	case leaf.phys == physInt64 && len(plain) == 8:
		v = parquet.Int64Value(int64(binary.LittleEndian.Uint64([]byte(plain))))
	default:
		return 0, false
	}
	d := dateOf(leaf, &v)
	return int(d.Day), d.HasDay
}
