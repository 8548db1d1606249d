package score

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// testdata/sets.jsonl holds counts made by Python's own sets, see its README.
func TestAgainstPythonSets(t *testing.T) {
	f, err := os.Open("testdata/sets.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		var c struct {
			Text         string
			Gold, System []tuple
			Want         map[string][3]int
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		var at []int // byte of each code point
		for i := range c.Text {
			at = append(at, i)
		}
		at = append(at, len(c.Text))
		d := Document{ID: fmt.Sprint(n), Text: c.Text}
		for _, x := range c.Gold {
			d.Gold = append(d.Gold, x.annotation(at))
		}
		for _, x := range c.System {
			d.System = append(d.System, x.annotation(at))
		}
		s := scoreAll(t, Options{}, d)
		found := 0
		for i, col := range columns {
			want, ok := c.Want[string(col.measure)+"/"+string(col.subset)]
			if !ok {
				continue
			}
			found++
			if got := [3]int{int(s.rows[3*i]), int(s.rows[3*i+1]), int(s.rows[3*i+2])}; got != want {
				t.Errorf("line %d: %s over %s: %v, want %v", n+1, col.measure, col.subset, got, want)
			}
		}
		if found != len(c.Want) || found != 13 {
			t.Fatalf("line %d: %d of %d measures compared", n+1, found, len(c.Want))
		}
	}
	if n != 150 || lines.Err() != nil {
		t.Errorf("%d lines, %v", n, lines.Err())
	}
}

// tuple is [category, start, end, label], offsets in code points.
type tuple struct {
	category, label string
	start, end      int
}

func (x *tuple) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&x.category, &x.start, &x.end, &x.label})
}

func (x *tuple) annotation(at []int) Annotation {
	return Annotation{Start: at[x.start], End: at[x.end], Category: x.category, Label: x.label}
}
