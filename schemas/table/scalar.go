package table

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// ID is an id of a row. Integers are written in decimal.
type ID struct {
	Null bool
	Text string
	Bits int // 8, 16, 32 or 64 for an integer column, 0 for one of strings
}

// Date is a date of a row.
type Date struct {
	Null bool
	// Text is the value of a string column, else empty.
	Text string
	// Day is the day in days since 1970-01-01, by the clock that the column
	// keeps; the time of day is dropped. Of a string it is the leading ISO
	// 8601 date, if there is one.
	Day int64
	// HasDay is false for nulls and for strings that begin with no such date.
	HasDay bool
}

// julianEpoch is the Julian day number of 1970-01-01.
const julianEpoch = 2440588

const secondsPerDay = 24 * 60 * 60

// perDay returns the units of a timestamp in a day.
func (t dateType) perDay() int64 {
	switch t {
	case dateMillis:
		return secondsPerDay * 1e3
	case dateMicros:
		return secondsPerDay * 1e6
	}
	return secondsPerDay * 1e9
}

// idOf reads an id.
func idOf(leaf *node, v *parquet.Value) ID {
	if isNull(v) {
		return ID{Null: true}
	}
	if leaf.phys == physByteArray {
		return ID{Text: viewString(v)}
	}
	bits, signed := leaf.integer()
	switch {
	case leaf.phys == physInt32 && signed:
		return ID{Text: strconv.FormatInt(int64(v.Int32()), 10), Bits: bits}
	case leaf.phys == physInt32:
		return ID{Text: strconv.FormatUint(uint64(v.Uint32()), 10), Bits: bits}
	case signed:
		return ID{Text: strconv.FormatInt(v.Int64(), 10), Bits: bits}
	}
	return ID{Text: strconv.FormatUint(v.Uint64(), 10), Bits: bits}
}

// idValue is the inverse of idOf, at the levels of old.
func idValue(leaf *node, old *parquet.Value, text string) (parquet.Value, error) {
	if leaf.phys == physByteArray {
		return stringAt(old, text), nil
	}
	bits, signed := leaf.integer()
	var n int64
	var err error
	if signed {
		n, err = strconv.ParseInt(text, 10, bits)
	} else {
		var u uint64
		u, err = strconv.ParseUint(text, 10, bits)
		n = int64(u)
	}
	if err != nil {
		// strconv quotes the text, which may be a real id.
		return parquet.Value{}, fmt.Errorf("the new id is no integer of %d bits", bits)
	}
	v := parquet.Int64Value(n)
	if leaf.phys == physInt32 {
		v = parquet.Int32Value(int32(n))
	}
	return v.Level(0, old.DefinitionLevel(), 0), nil
}

// stringAt returns s as a value at the level of old. It shares memory with s.
func stringAt(old *parquet.Value, s string) parquet.Value {
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s))).Level(old.RepetitionLevel(), old.DefinitionLevel(), 0)
}

// viewString returns a byte array as a string. It shares memory with v, which
// must never change again.
func viewString(v *parquet.Value) string {
	b := v.ByteArray()
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// dateOf reads a date.
func dateOf(leaf *node, v *parquet.Value) Date {
	if isNull(v) {
		return Date{Null: true}
	}
	switch kind := leaf.dateKind(); kind {
	case dateString:
		d := Date{Text: viewString(v)}
		d.Day, d.HasDay = parseDay(d.Text)
		return d
	case dateDays:
		return Date{Day: int64(v.Int32()), HasDay: true}
	case dateInt96:
		x := v.Int96()
		return Date{Day: int64(int32(x[2])) - julianEpoch, HasDay: true}
	default:
		return Date{Day: floorDiv(v.Int64(), kind.perDay()), HasDay: true}
	}
}

// atMidnight tells whether a date has no time of day.
func (n *node) atMidnight(v *parquet.Value) bool {
	if kind := n.dateKind(); kind >= dateMillis && kind <= dateNanos {
		return v.Int64()%kind.perDay() == 0
	} else if kind == dateInt96 {
		x := v.Int96()
		return x[0] == 0 && x[1] == 0
	}
	return true
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// parseDay reads the date that s begins with: YYYY-MM-DD, alone or followed by
// something that is no digit.
func parseDay(s string) (int64, bool) {
	const layout = "2006-01-02"
	if len(s) < len(layout) || len(s) > len(layout) && s[len(layout)] >= '0' && s[len(layout)] <= '9' {
		return 0, false
	}
	t, err := time.Parse(layout, s[:len(layout)])
	if err != nil {
		return 0, false
	}
	return floorDiv(t.Unix(), secondsPerDay), true
}

var errDateRange = errors.New("the shifted date does not fit in the column's type")

// shiftDate moves a date by whole days; the time of day stays.
func shiftDate(leaf *node, old *parquet.Value, days int) (parquet.Value, error) {
	var v parquet.Value
	switch kind := leaf.dateKind(); kind {
	case dateDays:
		n := int64(old.Int32())
		if outside(n, int64(days), math.MinInt32, math.MaxInt32) {
			return v, errDateRange
		}
		v = parquet.Int32Value(int32(n + int64(days)))
	case dateInt96:
		x := old.Int96()
		n := int64(int32(x[2]))
		if outside(n, int64(days), math.MinInt32, math.MaxInt32) {
			return v, errDateRange
		}
		v = parquet.Int96Value(deprecated.Int96{x[0], x[1], uint32(int32(n + int64(days)))})
	case dateMillis, dateMicros, dateNanos:
		unit := kind.perDay()
		if int64(days) > math.MaxInt64/unit || int64(days) < math.MinInt64/unit {
			return v, errDateRange
		}
		n, by := old.Int64(), int64(days)*unit
		if outside(n, by, math.MinInt64, math.MaxInt64) {
			return v, errDateRange
		}
		v = parquet.Int64Value(n + by)
	default:
		return v, errors.New("the column holds strings: set the new date as a string")
	}
	return v.Level(0, old.DefinitionLevel(), 0), nil
}

// outside reports whether n + by is not within [lo, hi].
func outside(n, by, lo, hi int64) bool {
	if by > 0 {
		return n > hi-by
	}
	return n < lo-by
}

// detach returns v with memory of its own, at its levels.
func detach(v *parquet.Value) parquet.Value {
	switch v.Kind() {
	case parquet.ByteArray:
		s := string(v.ByteArray())
		return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s))).Level(v.RepetitionLevel(), v.DefinitionLevel(), 0)
	case parquet.Int96: // which Clone leaves alone
		return parquet.Int96Value(v.Int96()).Level(v.RepetitionLevel(), v.DefinitionLevel(), 0)
	}
	return v.Clone()
}
