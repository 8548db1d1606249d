package pipeline

import (
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// A patient id that very many notes share is pointed out, and a real patient's
// many notes are not.
func TestSummaryWarnsOfASharedPatientID(t *testing.T) {
	for notes, want := range map[int64]bool{0: false, 20_000: false, 20_001: true} {
		var b strings.Builder
		writeSummary(&b, transforms.Config{}, transforms.Report{Counts: schemas.Counts{RowsIn: 30_000, LargestID: notes}}, time.Second)
		if got := strings.Contains(b.String(), "one patient id has 20001 notes"); got != want {
			t.Errorf("%d notes: warned %v, want %v:\n%s", notes, got, want, b.String())
		}
	}
}

// GPUs that were rented and not used are pointed out.
func TestSummaryWarnsOfUnusedGPUs(t *testing.T) {
	for shards, want := range map[int64]bool{0: false, 2: true} {
		var b strings.Builder
		writeSummary(&b, transforms.Config{}, transforms.Report{Counts: schemas.Counts{RowsIn: 9, Fallbacks: shards}, Shards: 3}, time.Second)
		if got := strings.Contains(b.String(), "2 of 3 shards were worked on by the CPU"); got != want {
			t.Errorf("%d shards: warned %v, want %v:\n%s", shards, got, want, b.String())
		}
	}
}
