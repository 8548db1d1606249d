package attack

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/roworder"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// note is a row of a table that was made up: the true day, and that which is released.
type note struct {
	patient, document int
	day               int
	file, group       int
}

// extract makes up notes of ten years: each patient has some in a period of up
// to two years. Patients whose notes are spread evenly over an extract give their
// offset away by their released days alone, whatever the order of rows.
func extract(r *rand.Rand, patients int) []note {
	var all []note
	for p := range patients {
		begin, length := r.Intn(3650), 1+r.Intn(730)
		for range 4 + r.Intn(9) {
			all = append(all, note{patient: p, document: len(all), day: 14_000 + begin + r.Intn(length)})
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func byDay(a, b note) int {
	return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.document, b.document))
}

// arrangements are tables that tell offsets: what a warehouse's extract looks like.
var arrangements = map[string]func(*rand.Rand, []note){
	"one file by date": func(_ *rand.Rand, all []note) { slices.SortFunc(all, byDay) },
	"files of a month, shuffled inside": func(_ *rand.Rand, all []note) {
		slices.SortStableFunc(all, func(a, b note) int { return cmp.Compare(a.day/30, b.day/30) })
		for i := range all {
			all[i].file, all[i].group = all[i].day/30, all[i].day/30
		}
	},
	"months in any order": func(r *rand.Rand, all []note) {
		months := r.Perm(1000)
		slices.SortStableFunc(all, func(a, b note) int { return cmp.Compare(months[a.day/30], months[b.day/30]) })
		for i := range all {
			all[i].group = months[all[i].day/30]
		}
	},
	"row groups, each by date": func(_ *rand.Rand, all []note) {
		for i := 0; i < len(all); i += 500 {
			group := all[i:min(i+500, len(all))]
			slices.SortFunc(group, byDay)
			for k := range group {
				group[k].group = i / 500
			}
		}
	},
	"newest first": func(_ *rand.Rand, all []note) { slices.SortFunc(all, func(a, b note) int { return byDay(b, a) }) },
}

func keyring(t testing.TB, seed int) *surrogate.Keyring {
	t.Helper()
	key := sha256.Sum256([]byte(strconv.Itoa(seed)))
	k, err := surrogate.NewKeyring(key[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// released returns what an outsider sees of notes, and the true offsets. Patients
// are numbered in the order in which they are met, as nothing else tells them apart.
func released(k *surrogate.Keyring, all []note) (rows []Row, offsets []int) {
	number := map[int]int{}
	for _, n := range all {
		if _, ok := number[n.patient]; !ok {
			number[n.patient] = len(number)
			offsets = append(offsets, k.DateOffset(strconv.Itoa(n.patient), surrogate.DatePolicy{}))
		}
		p := number[n.patient]
		rows = append(rows, Row{Patient: p, Day: n.day + offsets[p], File: n.file, Group: n.group})
	}
	return rows, offsets
}

// regrouped puts notes where the job would.
func regrouped(k *surrogate.Keyring, all []note, files int) []note {
	keys := map[int]roworder.Key{}
	for i, n := range all {
		id := func(number int) string { return k.PseudonymString("id", strconv.Itoa(number)) }
		keys[n.document] = roworder.Place(k, files, id(n.patient), id(n.document))
		all[i].file = keys[n.document].File
		all[i].group = all[i].file
	}
	slices.SortFunc(all, func(a, b note) int { return keys[a.document].Compare(keys[b.document]) })
	return all
}

// parts returns what the job measures of notes.
func parts(all []note) []roworder.Part {
	var ps []roworder.Part
	id := func(n note) (h [16]byte) { copy(h[:], fmt.Sprint(n.patient)); return h }
	for i, n := range all {
		if i == 0 || n.file != all[i-1].file {
			ps = append(ps, roworder.Part{File: n.file, From: id(n)})
		}
		p := &ps[len(ps)-1]
		if len(p.Runs) > 0 && p.To == id(n) {
			last := &p.Runs[len(p.Runs)-1]
			last.First, last.Last = min(last.First, n.day), max(last.Last, n.day)
		} else {
			p.Runs = append(p.Runs, roworder.Run{First: n.day, Last: n.day})
		}
		p.To = id(n)
	}
	return ps
}

// strongest returns the smallest median error of any model: as if the attacker
// knew which of them to believe.
func strongest(rows []Row, offsets []int) float64 {
	least := -1.0
	for _, g := range Order(rows) {
		if m := Median(Errors(g.Offsets, offsets)); least < 0 || m < least {
			least = m
		}
	}
	return least
}

const seeds = 20

// The order of rows tells every offset before, and none after: the attack's
// median error is then at least 80 % of that of the offsets in another order.
func TestOrderTellsNothingAfterRegrouping(t *testing.T) {
	for name, arrange := range arrangements {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var before, after, permuted float64
			for seed := range seeds {
				r := rand.New(rand.NewSource(int64(seed)))
				k := keyring(t, seed)
				all := extract(r, 300)
				arrange(r, all)
				if m := roworder.Measure(parts(all)); !m.Rises {
					t.Errorf("seed %d: the order is not taken for rising: %+v", seed, m)
				}
				rows, offsets := released(k, all)
				before += strongest(rows, offsets)
				all = regrouped(k, all, 3)
				if m := roworder.Measure(parts(all)); m.Rises {
					t.Errorf("seed %d: the order still tells days: %+v", seed, m)
				}
				rows, offsets = released(k, all)
				after += strongest(rows, offsets)
				other := make([]float64, len(offsets))
				for i, at := range r.Perm(len(offsets)) {
					other[i] = float64(offsets[at])
				}
				permuted += Median(Errors(other, offsets))
			}
			t.Logf("median error in days, mean of %d seeds: %.1f before, %.1f after, %.1f of offsets in another order", seeds, before/seeds,
				after/seeds, permuted/seeds)
			if before > 0.1*permuted {
				t.Errorf("the attack finds nothing before either: %.1f of %.1f days", before/seeds, permuted/seeds)
			}
			if after < 0.8*permuted {
				t.Errorf("the attack finds offsets: %.1f of %.1f days", after/seeds, permuted/seeds)
			}
		})
	}
}

// An order too weak to be taken for rising tells an attack nothing.
func TestWeakOrderTellsNothing(t *testing.T) {
	var with, without, strength float64
	for seed := range seeds {
		r := rand.New(rand.NewSource(int64(seed)))
		k := keyring(t, seed)
		all := extract(r, 300)
		rows, offsets := released(k, all)
		without += strongest(rows, offsets)
		at := map[int]float64{}
		for _, n := range all {
			at[n.document] = float64(n.day) + 10_000*r.NormFloat64()
		}
		slices.SortFunc(all, func(a, b note) int { return cmp.Compare(at[a.document], at[b.document]) })
		strength += roworder.Measure(parts(all)).All.RankCorrelation
		rows, offsets = released(k, all)
		with += strongest(rows, offsets)
	}
	t.Logf("rank correlation %.3f: median error in days %.1f, %.1f in a random order", strength/seeds, with/seeds, without/seeds)
	if strength/seeds < 0.08 || with < 0.9*without {
		t.Errorf("the attack finds something")
	}
}
