package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
)

// Every type that can be read as text, null, and lists.
func TestTexts(t *testing.T) {
	type row struct {
		Text  *string   `parquet:"text"`
		Small int8      `parquet:"small"`
		Large uint64    `parquet:"large"`
		Half  float32   `parquet:"half"`
		Whole float64   `parquet:"whole"`
		Day   int32     `parquet:"day,date"`
		Tags  []*string `parquet:"tags,list"`
	}
	a, empty := "ä", ""
	b := parquetOf(t, []row{
		{&a, -3, 1<<64 - 1, 0.1, 1e300, -1, []*string{&a, nil, &empty}},
		{nil, 4, 0, -2, 0.5, 19000, nil},
		{&empty, 0, 1, 0, 0, 0, []*string{}},
	})
	f, err := Open(bytes.NewReader(b), int64(len(b)), "t.parquet")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := f.Texts(TextColumn{Name: "tags", Lists: true}, TextColumn{Name: "text"}, TextColumn{Name: "small"},
		TextColumn{Name: "large"},
		TextColumn{Name: "half", Floats: true}, TextColumn{Name: "whole", Floats: true}, TextColumn{Name: "day", Dates: true},
		TextColumn{Name: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if !texts.Has(0) || texts.Has(7) {
		t.Error("a column that is there is not, or the other way round")
	}
	var got []string
	err = texts.Each(t.Context(), func(r *TextRow) error {
		got = append(got, fmt.Sprintf("%q", r.Values))
		if _, ok := r.One(1); ok != (len(got) != 2) {
			t.Errorf("row %d: null is %v", len(got), !ok)
		}
		return nil
	})
	want := []string{
		`[["ä" ""] ["ä"] ["-3"] ["18446744073709551615"] ["0.1"] ["1e+300"] ["1969-12-31"] []]`,
		`[[] [] ["4"] ["0"] ["-2"] ["0.5"] ["2022-01-08"] []]`,
		`[[] [""] ["0"] ["1"] ["0"] ["0"] ["1970-01-01"] []]`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\ngot  %s\nwant %s", err, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}

	for column, want := range map[TextColumn]string{
		{Name: "x", Role: "patient id",
			Required: true}: `t.parquet: there is no patient id column "x"; the columns are: day, half, large, small, tags, text, whole`,
		{Name: "half"}:                            `the column "half" has type required FLOAT; needed is a string or an integer`,
		{Name: "day", Floats: true}:               `needed is a string or a number`,
		{Name: "tags"}:                            `the column "tags" has type required group; needed is a string or an integer`,
		{Name: "whole", Dates: true, Lists: true}: "needed is a string or an integer, a DATE or a TIMESTAMP, or a list of these",
	} {
		if _, err := f.Texts(column); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", column, err, want)
		}
	}
}

// A day that was written as a moment in UTC is refused where it is none: it may be that
// of the day before. Times by a clock on a wall have their own day.
func TestDaysOfTimestamps(t *testing.T) {
	midnight := time.Date(1960, 3, 12, 0, 0, 0, 0, time.UTC)
	madrid := midnight.Add(-time.Hour)
	type utc struct {
		Day time.Time `parquet:"day,timestamp(microsecond)"`
	}
	type wall struct {
		Day time.Time `parquet:"day,timestamp(microsecond:local)"`
	}
	type int96 struct {
		Day deprecated.Int96 `parquet:"day"`
	}
	julian := uint32(julianEpoch + midnight.Unix()/secondsPerDay)
	for name, test := range map[string]struct {
		file []byte
		want string // empty where it is refused
	}{
		"UTC, midnight":   {parquetOf(t, []utc{{midnight}}), "1960-03-12"},
		"UTC, an hour":    {parquetOf(t, []utc{{midnight}, {madrid}}), ""},
		"wall":            {parquetOf(t, []wall{{madrid}}), "1960-03-11"},
		"INT96, midnight": {parquetOf(t, []int96{{deprecated.Int96{0, 0, julian}}}), "1960-03-12"},
		"INT96, an hour":  {parquetOf(t, []int96{{deprecated.Int96{1, 0, julian}}}), ""},
	} {
		texts, err := openBytes(t, test.file).Texts(TextColumn{Name: "day", Dates: true, Lists: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := ""
		err = texts.Each(t.Context(), func(r *TextRow) error { got = r.Values[0][0]; return nil })
		switch {
		case test.want == "":
			if err == nil || !strings.Contains(err.Error(), `column "day"`) || !strings.Contains(err.Error(), "cast the column to DATE") ||
				strings.Contains(err.Error(), "1960") {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || got != test.want:
			t.Errorf("%s: %q, %v, want %s", name, got, err, test.want)
		}
	}
}

// counted counts the bytes that are read through it.
type countedReader struct {
	io.ReaderAt
	n int64
}

func (c *countedReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.n += int64(n)
	return n, err
}

// Of a table only the columns that are asked for are read; an error of the
// caller, and the end of its context, end the reading.
func TestTextsReadLittle(t *testing.T) {
	type row struct {
		ID   string `parquet:"id"`
		Text string `parquet:"text"`
	}
	rows := make([]row, 5000)
	for i := range rows {
		rows[i] = row{fmt.Sprint(i), fmt.Sprintf("%0500d", i*7919)}
	}
	b := parquetOf(t, rows)
	in := &countedReader{ReaderAt: bytes.NewReader(b)}
	f, err := Open(in, int64(len(b)), "t.parquet")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := f.Texts(TextColumn{Name: "id"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := ids.Each(t.Context(), func(*TextRow) error { n++; return nil }); err != nil || n != len(rows) {
		t.Errorf("%d rows, %v", n, err)
	}
	if in.n > int64(len(b))/10 {
		t.Errorf("%d of %d bytes were read for the ids alone", in.n, len(b))
	}
	stop := errors.New("stop")
	if err := ids.Each(t.Context(), func(*TextRow) error { return stop }); err != stop {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ids.Each(ended, func(*TextRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
