package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

type section struct {
	Title string  `parquet:"title"`
	Body  *string `parquet:"body,optional"`
}

type chart struct {
	ID       string            `parquet:"note_id"`
	Text     string            `parquet:"text"`
	Sections []section         `parquet:"sections,list"`
	Tags     []string          `parquet:"tags,list"`
	By       map[string]string `parquet:"by"`
	Visit    struct {
		Ward  string    `parquet:"ward"`
		Start time.Time `parquet:"start,timestamp"`
		Bed   int32     `parquet:"bed"`
	} `parquet:"visit"`
}

func charts() []chart {
	body := func(s string) *string { return &s }
	all := []chart{
		{ID: "1", Text: "a", Sections: []section{{"t0", body("one")}, {"t1", nil}, {"t2", body("")}}, Tags: []string{"x", "y"},
			By: map[string]string{"k": "v"}},
		{ID: "2", Text: "b"},
		{ID: "3", Text: "c", Sections: []section{{"t3", body("two")}}, Tags: []string{"z"}, By: map[string]string{"k": "w"}},
	}
	for i := range all {
		all[i].Visit.Ward, all[i].Visit.Bed = "north", int32(40+i)
		all[i].Visit.Start = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	}
	return all
}

// Texts in lists and maps are texts of their own, with their place, and are
// written back where they stood; nothing around them changes.
func TestTextsInLists(t *testing.T) {
	f := openBytes(t, parquetOf(t, charts()))
	b, err := f.Bind(Columns{DocumentID: "note_id", Text: []string{"text", "sections.list.element.body", "tags", "by.key_value.value"},
		BatchRows: 2})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = b.ReadNotes(context.Background(), 0, func(notes []Note) error {
		for _, n := range notes {
			for _, x := range n.Texts {
				got = append(got, fmt.Sprint(n.DocumentID.Text, " ", x.Column, " ", x.Element, " ", x.Null, " ", x.Value))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1 0  false a", "1 1 0 false one", "1 1 1 true ", "1 1 2 false ", "1 2 0 false x", "1 2 1 false y", "1 3 0 false v",
		"2 0  false b", "2 1 0 true ", "2 2 0 true ", "2 3 0 true ",
		"3 0  false c", "3 1 0 false two", "3 2 0 false z", "3 3 0 false w",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	out := rewrite(t, b, func(row int64, r *Row) {
		if row == 1 {
			r.Quarantine("test")
			return
		}
		editAll(t, b, r)
	})
	now, err := parquet.Read[chart](bytes.NewReader(out.out), int64(len(out.out)))
	if err != nil {
		t.Fatal(err)
	}
	expect := charts()
	expect = []chart{expect[0], expect[2]}
	for i := range expect {
		c := &expect[i]
		c.ID, c.Text = "x"+c.ID, newText(c.Text)
		for j := range c.Sections {
			if c.Sections[j].Body != nil {
				s := newText(*c.Sections[j].Body)
				c.Sections[j].Body = &s
			}
		}
		for j := range c.Tags {
			c.Tags[j] = newText(c.Tags[j])
		}
		for k, v := range c.By {
			c.By[k] = newText(v)
		}
	}
	show := func(all []chart) string {
		s := ""
		for _, c := range all {
			s += fmt.Sprint(c.ID, c.Text, c.Tags, c.By, c.Visit)
			for _, x := range c.Sections {
				s += x.Title
				if x.Body != nil {
					s += *x.Body
				}
			}
		}
		return s
	}
	if show(now) != show(expect) {
		t.Errorf("got\n%s\nwant\n%s", show(now), show(expect))
	}
}

// nested lists count at every level.
func TestElementsOfLists(t *testing.T) {
	leaf := &node{maxRep: 2}
	var values []parquet.Value
	for _, level := range []int{0, 2, 1, 2, 2, 1} {
		values = append(values, parquet.ByteArrayValue([]byte("s")).Level(level, 4, 0))
	}
	var got []string
	for _, x := range appendElements(nil, 0, leaf, values) {
		got = append(got, x.Element)
	}
	if want := []string{"0.0", "0.1", "1.0", "1.1", "1.2", "2.0"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func rolesOf(b *Binding) string {
	var all []string
	for _, c := range b.Columns() {
		all = append(all, c.Path+"="+string(c.Role))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestRoles(t *testing.T) {
	f := openBytes(t, parquetOf(t, charts()))
	base := Columns{DocumentID: "note_id", Text: []string{"text", "sections.list.element.body"}}
	for _, test := range []struct {
		name string
		edit func(*Columns)
		want string // roles, or part of an error
	}{
		{"kept", func(c *Columns) {},
			"by.key_value.key=keep by.key_value.value=keep note_id=document_id sections.list.element.body=text " +
				"sections.list.element.title=keep tags.list.element=keep text=text visit.bed=keep visit.start=keep visit.ward=keep"},
		{"refused", func(c *Columns) { c.Others = OthersRefuse },
			`nobody has decided what becomes of "sections.list.element.title" (required BYTE_ARRAY (string)), "tags.list.element" (required ` +
				`BYTE_ARRAY (string)), ` +
				`"by.key_value.key" (required BYTE_ARRAY (string)), "by.key_value.value" (required BYTE_ARRAY (string)), "visit.ward" (required ` +
				`BYTE_ARRAY (string)), ` +
				`"visit.start" (required INT64 (TIMESTAMP)), "visit.bed" (required INT32); give each column a role`},
		{"a struct's dates are not kept with it", func(c *Columns) {
			c.Others, c.Keep = OthersRefuse, []string{"by", "sections", "tags", "visit"}
		}, `what becomes of "visit.start" (required INT64 (TIMESTAMP)); give`},
		{"named", func(c *Columns) {
			c.Others, c.Keep, c.Drop = OthersRefuse, []string{"sections", "visit", "visit.start"}, []string{"by", "tags"}
		}, "by.key_value.key=drop by.key_value.value=drop note_id=document_id sections.list.element.body=text " +
			"sections.list.element.title=keep tags.list.element=drop text=text visit.bed=keep visit.start=keep visit.ward=keep"},
		{"all but dates", func(c *Columns) { c.Others = OthersKeep }, `what becomes of "visit.start" (required INT64 (TIMESTAMP)); give`},
		{"a part of a list cannot be left out", func(c *Columns) { c.Others = OthersDrop },
			`column "sections.list.element.title" is part of a list or map; drop "sections" as a whole, or give it the role keep`},
		{"left out", func(c *Columns) {
			c.Others, c.Keep, c.Dates = OthersDrop, []string{"sections"}, []string{"visit.start"}
		},
			"by.key_value.key=drop by.key_value.value=drop note_id=document_id sections.list.element.body=text " +
				"sections.list.element.title=keep tags.list.element=drop text=text visit.bed=drop visit.start=date visit.ward=drop"},
		{"kept and text", func(c *Columns) { c.Keep = []string{"text"} }, `column "text" is to be kept but has another role as well`},
		{"kept and dropped", func(c *Columns) { c.Keep, c.Drop = []string{"visit.ward"}, []string{"visit"} },
			`column "visit.ward" is to be kept but has another role as well`},
		{"keys of a map", func(c *Columns) { c.Text = []string{"by.key_value.key"} },
			`the text column "by.key_value.key" is a list, map or struct`},
		{"no such column", func(c *Columns) { c.Keep = []string{"ward"} }, `there is no kept column "ward"`},
	} {
		c := base
		test.edit(&c)
		b, err := f.Bind(c)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = rolesOf(b)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
		if u := (*UnassignedError)(nil); errors.As(err, &u) != strings.Contains(test.want, "; give") {
			t.Errorf("%s: %T", test.name, err)
		}
		if err == nil {
			rewrite(t, b, func(_ int64, r *Row) { editAll(t, b, r) })
		}
	}
}

// What is kept can be looked at, and is released byte for byte all the same.
func TestKeptValues(t *testing.T) {
	raw := parquetOf(t, charts())
	c := Columns{DocumentID: "note_id", Text: []string{"text"}}
	run := func(look bool) (rewritten, []string) {
		c.Look = look
		b, err := openBytes(t, raw).Bind(c)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		out := rewrite(t, b, func(row int64, r *Row) {
			for _, k := range r.Kept(nil) {
				kept = append(kept, fmt.Sprint(row, k.Column, "=", k.Value))
			}
			if row == 1 {
				r.Quarantine("test")
			}
		})
		return out, kept
	}
	plain, none := run(false)
	looked, kept := run(true)
	if len(none) != 0 {
		t.Error("values are read that nobody asked for")
	}
	if !bytes.Equal(plain.out, looked.out) || !bytes.Equal(plain.quarantine, looked.quarantine) {
		t.Error("looking changes the files")
	}
	want := []string{
		"0by.key_value.key=k", "0by.key_value.value=v", "0sections.list.element.title=t0", "0sections.list.element.title=t1",
		"0sections.list.element.title=t2",
		"0sections.list.element.body=one", "0sections.list.element.body=", "0tags.list.element=x", "0tags.list.element=y", "0visit.bed=40",
		"0visit.ward=north",
		"1visit.bed=41", "1visit.ward=north",
		"2by.key_value.key=k", "2by.key_value.value=w", "2sections.list.element.title=t3", "2sections.list.element.body=two",
		"2tags.list.element=z", "2visit.bed=42", "2visit.ward=north",
	}
	slices.Sort(want)
	slices.Sort(kept)
	if !slices.Equal(kept, want) {
		t.Errorf("got  %q\nwant %q", kept, want)
	}
}

// Decimals and floating-point numbers are looked at where they are integers: record
// numbers are written so by Oracle, Spark and pandas.
func TestKeptNumbers(t *testing.T) {
	type row struct {
		ID    string   `parquet:"note_id"`
		Text  string   `parquet:"text"`
		MRN   int64    `parquet:"mrn,decimal(0:18)"`
		Cents int32    `parquet:"cents,decimal(2:9)"`
		Long  [16]byte `parquet:"long,decimal(3:38)"`
		F     float32  `parquet:"f"`
		D     *float64 `parquet:"d,optional"`
	}
	long := func(n int64) (b [16]byte) {
		binary.BigEndian.PutUint64(b[8:], uint64(n))
		if n < 0 {
			binary.BigEndian.PutUint64(b[:8], math.MaxUint64)
		}
		return b
	}
	d := func(x float64) *float64 { return &x }
	raw := parquetOf(t, []row{
		{"1", "a", 998991, 1234500, long(8814421000), 17, d(8814421)},
		{"2", "b", 0, 1234501, long(8814421001), 0.5, nil},
		{"3", "c", -5, -5, long(-7000), float32(math.Inf(1)), d(math.NaN())},
		{"4", "d", 20140312, 0, long(0), 0, d(math.Copysign(0, -1))},
	})
	b, err := openBytes(t, raw).Bind(Columns{DocumentID: "note_id", Text: []string{"text"}, Look: true})
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	rewrite(t, b, func(row int64, r *Row) {
		for _, k := range r.Kept(nil) {
			kept = append(kept, fmt.Sprint(row, k.Column, "=", k.Value))
		}
	})
	slices.Sort(kept)
	want := []string{"0cents=12345", "0d=8814421", "0f=17", "0long=8814421", "0mrn=998991", "1mrn=0", "2long=-7", "2mrn=-5",
		"3cents=0", "3d=0", "3f=0", "3long=0", "3mrn=20140312"}
	if !slices.Equal(kept, want) {
		t.Errorf("got  %q\nwant %q", kept, want)
	}
	for path, want := range map[string]string{"cents": "[12345 12345.01 -0.05 0]", "long": "[8814421 8814421.001 -7 0]",
		"d": "[8814421 NaN 0]"} {
		s, err := b.File().Sample(path, 10)
		if err != nil || fmt.Sprint(s.Values) != want {
			t.Errorf("%s: %v (%v), want %s", path, s.Values, err, want)
		}
	}
	for _, name := range testFiles(t) {
		b, err := openBytes(t, readTestFile(t, name)).Bind(Columns{DocumentID: "note_id", Text: []string{"text"}, Look: true})
		if err != nil {
			continue // not of notes
		}
		rewrite(t, b, func(row int64, r *Row) {
			if r.Kept(nil); row == 1 {
				r.Quarantine("test")
			}
		})
	}
}
