package figures

import "testing"

func TestShuffledReadsWhatTheJobPrints(t *testing.T) {
	const printed = "  windows reused         2,336 of 7,320, which the network had read before\n" +
		"  shuffled               542,800 bytes\n  report                 out/report.html\n"
	for said, want := range map[string]int64{printed: 542_800, "  shuffled  17 bytes\n": 17, "nothing of it": 0} {
		if got := Shuffled([]byte(said)); got != want {
			t.Errorf("%q: %d, want %d", said, got, want)
		}
	}
}
