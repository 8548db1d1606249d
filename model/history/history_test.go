package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func testKeys(t *testing.T, secret string) *Keys {
	t.Helper()
	k, err := NewKeys([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

const secret = "a key of the tests: fifty bytes or so, never to be seen"

// What is sealed opens in its place, under its key and unchanged, and nowhere else.
func TestSealed(t *testing.T) {
	k, other := testKeys(t, secret), testKeys(t, secret+"!")
	for _, data := range []string{"", "x", strings.Repeat("Mrs. Quackenbush ", 100)} {
		sealed := k.Seal("history/00001", []byte(data))
		if again := k.Seal("history/00001", []byte(data)); !bytes.Equal(sealed, again) {
			t.Error("the same data is sealed in two ways")
		}
		if len(data) > 8 && bytes.Contains(sealed, []byte(data[:8])) {
			t.Error("what is sealed can be read")
		}
		if got, err := k.Open("history/00001", sealed); err != nil || string(got) != data {
			t.Errorf("%d bytes do not open: %v", len(data), err)
		}
		if _, err := k.Open("history/00002", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("it opens in another place: %v", err)
		}
		if _, err := other.Open("history/00001", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("it opens under another key: %v", err)
		}
		for _, at := range []int{0, 15, len(sealed) - 1} {
			damaged := bytes.Clone(sealed)
			damaged[at] ^= 1
			if _, err := k.Open("history/00001", damaged); !errors.Is(err, ErrSealed) {
				t.Errorf("byte %d of %d changed, and it opens: %v", at, len(sealed), err)
			}
		}
		if _, err := k.Open("history/00001", sealed[:15]); !errors.Is(err, ErrSealed) {
			t.Errorf("a piece opens: %v", err)
		}
	}
	if a, b := k.Seal("p", []byte("one note of a")), k.Seal("p", []byte("one note of b")); bytes.Equal(a[16:28], b[16:28]) {
		t.Error("two contents share a key stream")
	}
	if s := fmt.Sprintf("%v %+v %s %x", k, k, k, k); strings.Contains(s, secret) || strings.Count(s, k.ID()) != 4 {
		t.Errorf("keys print as %s", s)
	}
	if k.ID() == other.ID() || k.Hash("a", "bc") == k.Hash("ab", "c") {
		t.Error("hashes or ids of keys meet")
	}
	if _, err := NewKeys([]byte("short")); err == nil {
		t.Error("a short key is taken")
	}
}

// Every way in which a row can stand to what is remembered.
func TestDecide(t *testing.T) {
	entry := Entry{Patient: Hash{1}, Row: Hash{2}, Text: Short{3}, Detector: Short{4}, Basis: Hash{5}, Released: Hash{6}, Key: Short{7},
		ID: "x", Revision: 2, Out: true}
	for _, c := range []struct {
		name   string
		change func(e *Entry, r *Row, basis *Hash, key *Short)
		kind   Kind
		action Action
	}{
		{"as it was", func(*Entry, *Row, *Hash, *Short) {}, Seen, Skip},
		{"more is known", func(_ *Entry, _ *Row, b *Hash, _ *Short) { b[1] = 1 }, Seen, Compare},
		{"it was told to differ before", func(e *Entry, _ *Row, _ *Hash, _ *Short) { e.Pending = true }, Seen, Compare},
		{"another key", func(_ *Entry, _ *Row, _ *Hash, k *Short) { k[1] = 1 }, Seen, Release},
		{"a column changed", func(_ *Entry, r *Row, _ *Hash, _ *Short) { r.Digest[1] = 1 }, Reread, Release},
		{"the text changed", func(_ *Entry, r *Row, _ *Hash, _ *Short) { r.Digest[1], r.Text[1] = 1, 1 }, Fresh, Release},
		{"another model", func(e *Entry, _ *Row, _ *Hash, _ *Short) { e.Detector[1] = 1 }, Fresh, Skip},
		{"it was held back", func(e *Entry, _ *Row, _ *Hash, _ *Short) { e.Row, e.Out = Hash{}, false }, Fresh, Release},
		{"it left the release", func(e *Entry, _ *Row, _ *Hash, _ *Short) { e.Out = false }, Seen, Release},
	} {
		e, r, basis, key := entry, Row{Digest: Hash{2}, Text: Short{3}}, Hash{5}, Short{7}
		c.change(&e, &r, &basis, &key)
		if k := e.Kind(true, r, Short{4}); k != c.kind {
			t.Errorf("%s: kind %d, want %d", c.name, k, c.kind)
		}
		if a := e.Decide(true, r, basis, key); a != c.action {
			t.Errorf("%s: action %d, want %d", c.name, a, c.action)
		}
	}
	if k := entry.Kind(false, Row{Digest: Hash{2}, Text: Short{3}}, Short{4}); k != Fresh {
		t.Errorf("an unknown note: kind %d", k)
	}
	if a := entry.Decide(true, Row{Kind: Removed, Digest: Hash{2}}, Hash{5}, Short{7}); a != Withdrawn {
		t.Errorf("a withdrawn note: action %d", a)
	}
}

// What a night makes of a note, and what it calls that.
func TestUpdates(t *testing.T) {
	out := Entry{ID: "x", Revision: 3, Out: true, Pending: true, Row: Hash{1}}
	if u := Next(Entry{}, false, Entry{ID: "x"}); u.Change != Added || u.Entry.Revision != 1 || !u.Entry.Out {
		t.Errorf("a new note: %+v", u)
	}
	if u := Next(out, true, Entry{ID: "x"}); u.Change != Replaced || u.Entry.Revision != 4 || u.Entry.Pending {
		t.Errorf("an amended note: %+v", u)
	}
	if u := Next(Entry{ID: "x", Revision: 4}, true, Entry{ID: "x"}); u.Change != Added || u.Entry.Revision != 5 {
		t.Errorf("a note that is back: %+v", u)
	}
	if u := Withhold(out, Hash{9}); u.Change != Gone || u.Entry.Out || u.Entry.Row != (Hash{}) || u.Entry.Revision != 4 || u.Entry.ID != "x" {
		t.Errorf("an amended note that is held back: %+v", u)
	}
	if u := Withhold(Entry{}, Hash{9}); u.Change != None || u.Entry.Patient != (Hash{9}) {
		t.Errorf("a new note that is held back: %+v", u)
	}
}

// A patient's notes are tonight's and the older ones, but for those that tonight
// amends, that were withdrawn, or are another patient's; remembered findings are
// used where the texts are the same.
func TestJoin(t *testing.T) {
	of := func(document string, text byte, surface string) Note {
		return Note{deid.Note{Document: document, Spans: []phi.Found{{Surface: surface}}}, Short{text}, Short{1}}
	}
	old := []Note{of("a", 1, "Ann"), of("b", 2, "Bo"), of("c", 3, "Cy"), of("d", 4, "Di")}
	tonight := []deid.Note{{Document: "b", Spans: []phi.Found{{Surface: "Bob"}}}, {Document: "c"}, {Document: "e"}, {Document: "f"}}
	rows := []Row{{Kind: Fresh, Text: Short{9}}, {Kind: Seen, Text: Short{3}}, {Kind: Fresh}, {Kind: Removed}}
	all, which, err := Join(old, tonight, rows, Short{1}, func(document string) bool { return document == "d" })
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, n := range all {
		got += n.Document
		for _, s := range n.Spans {
			got += " " + s.Surface
		}
		got += "; "
	}
	if want := "b Bob; c Cy; e; a Ann; "; got != want || fmt.Sprint(which) != "[0 1 2]" {
		t.Errorf("the patient has %s(tonight's %v), want %s", got, which, want)
	}
	copies := Clone(all)
	copies[0].Spans[0].Surface = "changed"
	if all[0].Spans[0].Surface != "Bob" {
		t.Error("a copy shares its spans")
	}
	if _, _, err := Join(nil, tonight[1:2], rows[1:2], Short{1}, func(string) bool { return false }); !errors.Is(err, ErrLost) {
		t.Errorf("findings that are not there: %v", err)
	}
}

func TestAddKnown(t *testing.T) {
	a, b := lexicon.Identifiers{PatientID: "p", Names: []string{"Ann Lee"}}, lexicon.Identifiers{PatientID: "p", Names: []string{"Ann Roe"}}
	all, more := AddKnown(nil, []lexicon.Identifiers{a})
	if len(all) != 1 || !more {
		t.Errorf("%v %v", all, more)
	}
	if all, more = AddKnown(all, []lexicon.Identifiers{b, a}); len(all) != 2 || !more {
		t.Errorf("a former name is lost: %v %v", all, more)
	}
	if all, more = AddKnown(all, nil); len(all) != 2 || more {
		t.Errorf("a night without known identifiers: %v %v", all, more)
	}
}

// A night that is like those before it has not drifted, whatever its size; one with
// half the doctors, another language or many rows in quarantine has.
func TestDrift(t *testing.T) {
	usual := NightCounts{Rows: 100, Quarantined: 1, Tokens: 50_000, Spans: map[string]int64{"DOCTOR": 500, "SSN": 2},
		Languages: map[string]int64{"en": 5000, "es": 200}}
	before := []NightCounts{usual, usual, usual}
	for _, c := range []struct {
		name  string
		night NightCounts
		want  string
	}{
		{"the same", usual, "[]"},
		{"twice as large", NightCounts{Rows: 200, Quarantined: 2, Tokens: 100_000, Spans: map[string]int64{"DOCTOR": 1100, "SSN": 9},
			Languages: map[string]int64{"en": 9000, "es": 900}}, "[]"},
		{"a few of a rare type", NightCounts{Rows: 100, Tokens: 50_000, Spans: map[string]int64{"DOCTOR": 480, "SSN": 8}}, "[]"},
		{"too small to tell", NightCounts{Rows: 3, Tokens: 900, Spans: map[string]int64{"DOCTOR": 0}}, "[]"},
		{"no doctors", NightCounts{Rows: 100, Tokens: 50_000, Spans: map[string]int64{"SSN": 2}},
			"[spans DOCTOR: 0 tonight, 10 in the nights before]"},
		{"many SSNs", NightCounts{Rows: 100, Tokens: 50_000, Spans: map[string]int64{"DOCTOR": 500, "SSN": 60}},
			"[spans SSN: 1.2 tonight, 0.04 in the nights before]"},
		{"quarantine", NightCounts{Rows: 100, Quarantined: 4}, "[quarantine: 0.04 tonight, 0.01 in the nights before]"},
		{"another language", NightCounts{Languages: map[string]int64{"en": 500, "es": 500}},
			"[language en: 0.5 tonight, 0.962 in the nights before language es: 0.5 tonight, 0.0385 in the nights before]"},
	} {
		if got := fmt.Sprint(Drift(before, c.night, DefaultBounds())); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := Drift(before[:2], NightCounts{Rows: 10, Quarantined: 10}, DefaultBounds()); got != nil {
		t.Errorf("two nights are few to compare with: %v", got)
	}
}

// Hashes in JSON are text, and are read as earlier versions wrote them, too.
func TestHashesInJSON(t *testing.T) {
	want := []Hash{{1, 2, 255}, {}}
	raw, err := json.Marshal(want)
	if err != nil || string(raw) != `["0102ff00000000000000000000000000","00000000000000000000000000000000"]` {
		t.Errorf("%s %v", raw, err)
	}
	var got []Hash
	for _, form := range []string{string(raw), `[[1,2,255,0,0,0,0,0,0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]]`} {
		if err := json.Unmarshal([]byte(form), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v", form, got, err)
		}
	}
	for _, form := range []string{`"01"`, `"zz02ff00000000000000000000000000"`, `7`, `null`} {
		if err := json.Unmarshal([]byte(form), new(Hash)); err == nil {
			t.Errorf("%s is read", form)
		}
	}
}
