package memory

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// least is how large Go's heap may grow before garbage is collected at all. A job
	// over a few thousand notes reaches 100 MiB with what it needs, and collecting every
	// time that half as much is garbage took 6 % of its processor time; a heap of a few
	// MB, as when the program starts, was collected every ten milliseconds. Above two
	// thirds of this, percent says when to collect, so that large jobs take no more
	// memory for it.
	least = 256 << 20
	// percent is how much garbage may lie beside what is reachable before it is
	// collected, in percent of that. Go's own choice is 100. Collection took 1.8 % of
	// a job's processor time at that; the network, where the time goes, makes none.
	percent = 50
)

// percentAt returns the percentage at which the collector comes next where so many
// bytes are reachable.
func percentAt(live uint64) int {
	if live == 0 {
		return least / (4 << 20) * 100 // of 4 MiB, at which Go collects first at 100 %
	}
	return int(max(percent, min(math.MaxInt32, 100*(least-min(least, live))/live)))
}

// collectLate sets the collector's percentage, and anew soon after each collection.
// What of Go's runs after a collection, finalisers, may wait for the next one.
func collectLate() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	last := 0
	fit := func() {
		metrics.Read(live)
		if p := percentAt(live[0].Value.Uint64()); p != last {
			debug.SetGCPercent(p)
			last = p
		}
	}
	fit()
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			fit()
		}
	}()
}
