package roworder

import (
	"math/rand"
	"slices"
	"testing"
)

func id(n int) (h [16]byte) { h[0], h[1], h[2] = byte(n), byte(n>>8), byte(n>>16); return h }

// table returns a file of rows that are each of another patient.
func table(file int, days []int) Part {
	p := Part{File: file, From: id(file<<12 + 1), To: id(file<<12 + len(days))}
	for _, d := range days {
		p.Runs = append(p.Runs, Run{d, d})
	}
	return p
}

// A random order is never taken for one that rises, whatever the number of rows and
// however many share a day.
func TestRandomOrderDoesNotRise(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	strongest := 0.0
	for _, n := range []int{1, 4, 11, 12, 20, 50, 200, 1000} {
		for _, days := range []int{1, 2, 7, 365, 3650} {
			for range 100 {
				files := make([]Part, 1+r.Intn(4))
				for f := range files {
					d := make([]int, n)
					for i := range d {
						d[i] = r.Intn(days)
					}
					files[f] = table(f, d)
				}
				m := Measure(files)
				if m.Rises {
					t.Fatalf("%d rows of %d days: %+v", n, days, m)
				}
				if m.All.Runs >= fewestRuns {
					strongest = max(strongest, m.All.strength)
				}
			}
		}
	}
	t.Logf("the strongest of 4,000 tables is %.1f standard deviations from a random order", strongest)
}

// Days that a table's patients are written about in rows by patient rise within
// each, which says nothing of another.
func TestRowsByPatientDoNotRise(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 200 {
		p := Part{To: id(2)}
		for range 200 {
			first := r.Intn(3650)
			p.Runs = append(p.Runs, Run{first, first + r.Intn(900)})
		}
		if m := Measure([]Part{p}); m.Rises {
			t.Fatalf("%+v", m)
		}
	}
}

func TestOrdersThatRise(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	days := func(n int) []int {
		d := make([]int, n)
		for i := range d {
			d[i] = r.Intn(3650)
		}
		return d
	}
	sorted := func(n int) []int { d := days(n); slices.Sort(d); return d }
	months := func(order []int) (d []int) {
		for _, m := range order {
			for range 20 {
				d = append(d, 30*m+r.Intn(30))
			}
		}
		return d
	}
	noisy := sorted(2000)
	for i := range noisy {
		noisy[i] += r.Intn(1800)
	}
	falling := sorted(100)
	slices.Reverse(falling)
	registered := Part{To: id(2)} // patients in the order of their first visit
	for _, d := range sorted(300) {
		registered.Runs = append(registered.Runs, Run{d, d + r.Intn(3650)})
	}
	one := []Part{table(0, days(300)), table(1, days(300)), table(2, sorted(300)), table(3, days(300))}
	var small []Part // files of five rows, a month each
	for m := range 36 {
		small = append(small, table(m, months([]int{m})[:5]))
	}
	for name, parts := range map[string][]Part{
		"sorted":                          {table(0, sorted(1000))},
		"sorted, few rows":                {table(0, sorted(12))},
		"falling":                         {table(0, falling)},
		"sorted by about five years":      {table(0, noisy)},
		"months in order":                 {table(0, months([]int{0, 1, 2, 3, 4, 5}))},
		"months in any order":             {table(0, months(r.Perm(60)))},
		"sorted row groups":               {table(0, slices.Concat(sorted(100), sorted(100), sorted(100), sorted(100)))},
		"one sorted file among four":      one,
		"small files of a month":          small,
		"patients by their first visit":   {registered},
		"sorted, in files cut by a hash":  {table(0, sorted(100)), table(1, sorted(100)), table(2, sorted(100))},
		"sorted, of which two days alone": {table(0, append(make([]int, 100), slices.Repeat([]int{1}, 100)...))},
	} {
		if m := Measure(parts); !m.Rises {
			t.Errorf("%s: %+v, within a file %+v", name, m.All, m.InFile)
		} else {
			t.Logf("%-32s %v %v, %.0f deviations", name, m.All.RankCorrelation, m.All.Neighbours, m.All.strength)
		}
	}
}

// However files are cut into parts, the measurement is the same.
func TestPartsJoin(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	whole := []Part{{File: 0}, {File: 1}}
	var cut []Part
	for f := range whole {
		for i := range 100 {
			first := r.Intn(1000)
			run := Run{first, first + r.Intn(100)}
			patient := id(1000*f + i + 1)
			if i == 0 {
				whole[f].From = patient
			}
			whole[f].Runs, whole[f].To = append(whole[f].Runs, run), patient
			if r.Intn(3) == 0 { // a patient whose rows lie in two parts
				cut = append(cut, Part{File: f, From: patient, To: patient, Runs: []Run{{run.First, run.First}}})
				run.First = run.Last
			}
			if n := len(cut); n > 0 && cut[n-1].File == f && r.Intn(2) == 0 {
				last := &cut[n-1]
				if last.To != patient {
					if len(last.Runs) == 0 {
						last.From = patient
					}
					last.Runs, last.To = append(last.Runs, run), patient
					continue
				}
			}
			cut = append(cut, Part{File: f, From: patient, To: patient, Runs: []Run{run}}, Part{File: f})
		}
	}
	a, b := Measure(whole), Measure(cut)
	if a.All != b.All || *a.InFile != *b.InFile || a.Rises != b.Rises {
		t.Errorf("%+v %+v\n%+v %+v", a, *a.InFile, b, *b.InFile)
	}
}

func TestFewRows(t *testing.T) {
	for n := range 12 {
		d := make([]int, n)
		for i := range d {
			d[i] = i
		}
		if m := Measure([]Part{table(0, d)}); m.Rises {
			t.Errorf("%d rows: %+v", n, m)
		}
	}
}
