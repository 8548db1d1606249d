package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSimulate(t *testing.T) {
	of := map[string]float64{"Detect": 80, "Resolve": 8, "Rewrite": 16, "Commit": 2}
	for _, c := range []struct {
		name      string
		j         job
		workers   int
		low, high float64
	}{
		{"one worker does it all", job{10, 128, of}, 1, 106, 106},
		// Ten shards on four workers are three for some: 24 s of Detect; one worker has at
		// least three shards of Rewrite too, and a quarter of the buckets.
		{"the slowest counts", job{10, 128, of}, 4, 24 + 2 + 4.8 + 2, 24 + 8 + 16 + 2},
		{"no worker for a shard less", job{2, 128, of}, 16, 40 + 0.5 + 8 + 2, 40 + 8 + 16 + 2},
		// With very many keys all workers have the same, but for Commit.
		{"as good as even", job{100_000, 100_000, of}, 16, 104.0/16 + 2, 104.0/16 + 2.5},
	} {
		middle, low, high := simulate(c.j, c.workers)
		if low > middle || middle > high || low < c.low-1e-9 || high > c.high+1e-9 {
			t.Errorf("%s: %g (%g to %g), want within %g to %g", c.name, middle, low, high, c.low, c.high)
		}
	}
}

func TestBalanceOfAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "workers.csv")
	const head = "workers,worker,stage,cpu_seconds,wall_seconds,text_bytes,shards\n"
	const rows = head + "1,0,Detect,10,30,1000000,20\n1,0,Rewrite,4,30,1000000,20\n1,1,Commit,1,30,1000000,20\n" +
		"2,0,Detect,4,20,1000000,20\n2,1,Detect,6,20,1000000,20\n2,0,Rewrite,3,20,1000000,20\n2,1,Rewrite,1.5,20,1000000,20\n" +
		"2,0,Commit,1,20,1000000,20\n"
	if err := os.WriteFile(name, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	runs, err := readBalance(name)
	if err != nil {
		t.Fatal(err)
	}
	if one, two := runs[1].slowest(), runs[2].slowest(); one != 15 || math.Abs(two-10) > 1e-9 {
		t.Errorf("%g and %g s", one, two)
	}
	var out bytes.Buffer
	compared(&out, runs, 128)
	if !strings.Contains(out.String(), "| 10.0 |") {
		t.Error(out.String())
	}
	for _, bad := range []string{head, head + "1,0,Elsewhere,4,20,1000000,20\n",
		head + "1,0,Detect,many,20,1000000,20\n"} {
		if err := os.WriteFile(name, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readBalance(name); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
