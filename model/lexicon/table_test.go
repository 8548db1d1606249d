package lexicon

import "testing"

// A table made for more than came gives the room back, and loses nothing.
func TestTableFits(t *testing.T) {
	table := newTable(10_000)
	for i := range uint64(300) {
		table.at(i*0x9e3779b97f4a7c15 + 1).entry = int32(i + 1)
	}
	if table.fit(); len(table.slots) != 1024 {
		t.Errorf("%d slots for 300 keys", len(table.slots))
	}
	for i := range uint64(300) {
		if s := table.find(i*0x9e3779b97f4a7c15 + 1); s == nil || s.entry != int32(i+1) {
			t.Fatalf("key %d: %v", i, s)
		}
	}
	if table.find(12345) != nil || table.used != 300 {
		t.Errorf("%d keys, or one that was never entered", table.used)
	}
}
