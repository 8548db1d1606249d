package table

import (
	"bytes"
	"math"
	"testing"
	"testing/quick"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

func dateLeaf(kind dateType) *node {
	unit := func(u int16) *value {
		v := structValue(field{1, value{kind: tTrue}}, field{2, structValue(field{u, structValue()})})
		return &v
	}
	n := &node{converted: convNone, phys: physInt64, logical: logTimestamp}
	switch kind {
	case dateDays:
		n.phys, n.logical = physInt32, logDate
	case dateInt96:
		n.phys, n.logical = physInt96, 0
	case dateMillis:
		n.annotation = unit(unitMillis)
	case dateMicros:
		n.annotation = unit(unitMicros)
	case dateNanos:
		n.annotation = unit(unitNanos)
	}
	return n
}

func TestShiftDate(t *testing.T) {
	const day = 86400
	tests := []struct {
		kind     dateType
		old      parquet.Value
		days     int
		want     parquet.Value
		overflow bool
	}{
		{dateDays, parquet.Int32Value(0), -1, parquet.Int32Value(-1), false},
		{dateDays, parquet.Int32Value(math.MaxInt32), 1, parquet.Value{}, true},
		{dateDays, parquet.Int32Value(math.MinInt32), 1, parquet.Int32Value(math.MinInt32 + 1), false},
		{dateDays, parquet.Int32Value(math.MinInt32), -1, parquet.Value{}, true},
		{dateMillis, parquet.Int64Value(-1), 2, parquet.Int64Value(2*day*1e3 - 1), false},
		{dateMicros, parquet.Int64Value(5), -3, parquet.Int64Value(5 - 3*day*1e6), false},
		{dateNanos, parquet.Int64Value(7), 1, parquet.Int64Value(7 + day*1e9), false},
		{dateNanos, parquet.Int64Value(math.MaxInt64 - 5), 1, parquet.Value{}, true},
		{dateNanos, parquet.Int64Value(0), 200000, parquet.Value{}, true}, // the units of the shift overflow
		{dateNanos, parquet.Int64Value(0), -200000, parquet.Value{}, true},
		{dateMillis, parquet.Int64Value(math.MinInt64 + 1), -1, parquet.Value{}, true},
		{dateInt96, parquet.Int96Value(deprecated.Int96{3, 4, julianEpoch}), -10, parquet.Int96Value(deprecated.Int96{3, 4, julianEpoch - 10}),
			false},
		{dateInt96, parquet.Int96Value(deprecated.Int96{0, 0, math.MaxInt32}), 1, parquet.Value{}, true},
	}
	for i, test := range tests {
		got, err := shiftDate(dateLeaf(test.kind), &test.old, test.days)
		if (err != nil) != test.overflow || err == nil && !parquet.Equal(got, test.want) {
			t.Errorf("case %d: %v, %v", i, got, err)
		}
	}
}

// A shift there and back is the identity, and moves the day by as much.
func TestShiftDateInverse(t *testing.T) {
	for kind := dateDays; kind <= dateInt96; kind++ {
		leaf := dateLeaf(kind)
		f := func(raw int64, by int16) bool {
			var v parquet.Value
			switch kind {
			case dateDays:
				v = parquet.Int32Value(int32(raw))
			case dateInt96:
				v = parquet.Int96Value(deprecated.Int96{uint32(raw), uint32(raw >> 40), uint32(raw>>8) & 0xffffff})
			default:
				v = parquet.Int64Value(raw)
			}
			moved, err := shiftDate(leaf, &v, int(by))
			if err != nil {
				return true
			}
			back, err := shiftDate(leaf, &moved, -int(by))
			return err == nil && parquet.Equal(back, v) && dateOf(leaf, &moved).Day == dateOf(leaf, &v).Day+int64(by)
		}
		if err := quick.Check(f, nil); err != nil {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}

func TestDateOf(t *testing.T) {
	at := time.Date(1969, 12, 30, 23, 59, 59, 0, time.UTC)
	for kind, v := range map[dateType]parquet.Value{
		dateDays:   parquet.Int32Value(-2),
		dateMillis: parquet.Int64Value(at.UnixMilli()),
		dateMicros: parquet.Int64Value(at.UnixMicro()),
		dateNanos:  parquet.Int64Value(at.UnixNano()),
		dateInt96:  parquet.Int96Value(deprecated.Int96{1, 0, julianEpoch - 2}),
	} {
		if d := dateOf(dateLeaf(kind), &v); d.Day != -2 || !d.HasDay {
			t.Errorf("kind %d: %+v", kind, d)
		}
	}
	for s, want := range map[string]int64{
		"1970-01-02": 1, "1969-12-31": -1, "1970-01-02T23:59": 1, "1970-01-02 00:00:00": 1,
		"2000-02-30": -999, "1970-01-023": -999, "02.01.1970": -999, "": -999, "1970-1-2": -999,
	} {
		if day, ok := parseDay(s); ok != (want != -999) || ok && day != want {
			t.Errorf("%q: %d, %t", s, day, ok)
		}
	}
}

// An id read and set again is the same value, for every integer type.
func TestIDRoundTrip(t *testing.T) {
	for _, leaf := range []*node{
		{phys: physInt32, converted: convNone}, {phys: physInt64, converted: convNone},
		{phys: physInt32, converted: convUint8 + 2}, {phys: physInt64, converted: convUint64},
		{phys: physByteArray, converted: convUTF8},
	} {
		f := func(n int64, s string) bool {
			v := parquet.Int64Value(n)
			switch leaf.phys {
			case physInt32:
				v = parquet.Int32Value(int32(n))
			case physByteArray:
				v = parquet.ByteArrayValue([]byte(s))
			}
			got, err := idValue(leaf, &v, idOf(leaf, &v).Text)
			return err == nil && parquet.Equal(got, v)
		}
		if err := quick.Check(f, nil); err != nil {
			t.Errorf("%s: %v", leaf.typeName(), err)
		}
	}
}

// What parses is written back as the same value, from its own encoding as the
// same bytes.
func FuzzThrift(f *testing.F) {
	for _, name := range testFiles(f) {
		b := readTestFile(f, name)
		f.Add(b[len(b)-min(len(b), 3000):])
	}
	f.Add([]byte{0x15, 2, 0x19, 0xf1, 20, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, n, err := parseStruct(b)
		if err != nil {
			return
		}
		if n > len(b) {
			t.Fatal("more bytes were read than there are")
		}
		once := appendValue(nil, &v)
		w, n, err := parseStruct(once)
		if err != nil || n != len(once) {
			t.Fatalf("the encoding cannot be parsed: %v", err)
		}
		if !bytes.Equal(appendValue(nil, &w), once) {
			t.Fatal("the encoding is not stable")
		}
	})
}

func TestThriftFooters(t *testing.T) {
	for _, name := range testFiles(t) {
		b := readTestFile(t, name)
		if got := withFooter(t, b, func(v value) value { return v }); !bytes.Equal(got, b) {
			t.Errorf("%s: the footer does not survive parsing", name)
		}
	}
}
