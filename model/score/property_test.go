package score

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// all returns every metric of a result.
func all(r *Result) []Metric {
	return slices.Concat(r.Metrics, r.ByCategory, r.ByType, []Metric{r.MEDDOCAN.NER, r.MEDDOCAN.Spans, r.MEDDOCAN.Merged})
}

func TestGoldAgainstItselfIsPerfect(t *testing.T) {
	for seed := range uint64(20) {
		s := New(Options{})
		for _, d := range randomDocuments(seed, 30) {
			d.System = d.Gold
			mistakes, err := s.Add(d)
			if err != nil {
				t.Fatal(err)
			}
			if len(mistakes) > 0 {
				t.Fatalf("seed %d, %s: mistake %+v", seed, d.ID, mistakes[0])
			}
		}
		r := s.Result()
		for _, m := range all(r) {
			if m.FP != 0 || m.FN != 0 || m.TP > 0 && m.Micro.F1 != 1 {
				t.Errorf("seed %d: %s over %s %s%s: %+v", seed, m.Measure, m.Subset, m.Category, m.Label, m.Counts)
			}
		}
		if d := r.DocumentRecall; d.Covered != r.WithPHI || d.Touched != r.WithPHI || d.Strict != r.WithPHI || d.WithPHI != r.WithPHI {
			t.Errorf("seed %d: recall by document %+v of %d", seed, d, r.WithPHI)
		}
		if r.OverRedaction.Spans != 0 || r.OverRedaction.LostTokens != 0 || len(r.Kinds) != 0 {
			t.Errorf("seed %d: over-redaction %+v, kinds %+v", seed, r.OverRedaction, r.Kinds)
		}
	}
}

// TP + FN is the number of gold items and TP + FP that of system items, each
// counted here in the plainest way.
func TestSumsAreTheNumbersOfItems(t *testing.T) {
	type item struct {
		side       int
		measure    Measure
		start, end int
		tag        string
	}
	for seed := range uint64(20) {
		documents := randomDocuments(seed, 30)
		r := scoreAll(t, Options{}, documents...).Result()
		n := map[Measure][2]int{}
		for _, d := range documents {
			items := map[item]bool{}
			for side, list := range [2][]Annotation{d.Gold, d.System} {
				for _, a := range list {
					upper := strings.ToUpper(a.Category + "/" + a.Label)
					items[item{side, Strict, a.Start, a.End, upper}] = true
					items[item{side, BinaryStrict, a.Start, a.End, ""}] = true
					items[item{side, Spans, a.Start, a.End, ""}] = true
					items[item{side, NER, a.Start, a.End, a.Label}] = true
					for i := a.Start; i < a.End; i++ {
						if boundary(d.Text, i) {
							items[item{side, Character, i, i, ""}] = true
						}
					}
					runs := asciiRuns(nil, d.Text, span{start: a.Start, end: a.End})
					for _, x := range runs {
						items[item{side, Token, x.start, x.end, a.Category + "/" + a.Label}] = true
						items[item{side, BinaryToken, x.start, x.end, ""}] = true
					}
				}
			}
			for i := range items {
				sums := n[i.measure]
				sums[i.side]++
				n[i.measure] = sums
			}
		}
		for _, m := range append(r.Metrics, r.MEDDOCAN.NER, r.MEDDOCAN.Spans) {
			want, counted := n[m.Measure]
			if !counted || m.Subset != All {
				continue
			}
			if got := [2]int{m.TP + m.FN, m.TP + m.FP}; got != want {
				t.Errorf("seed %d: %s: %v items, want %v", seed, m.Measure, got, want)
			}
		}
	}
}

// Tables by category and type add up to the whole, and so do kinds, causes,
// confusions and curves.
func TestTablesAddUp(t *testing.T) {
	for seed := range uint64(20) {
		r := scoreAll(t, Options{}, randomDocuments(seed, 30)...).Result()
		sums := map[string]Counts{}
		add := func(name string, c Counts) {
			sum := sums[name]
			sum.TP, sum.FP, sum.FN = sum.TP+c.TP, sum.FP+c.FP, sum.FN+c.FN
			sums[name] = sum
		}
		for _, m := range r.ByCategory {
			add("category "+string(m.Measure)+string(m.Subset), m.Counts)
		}
		for _, m := range r.ByType {
			add("type "+string(m.Measure)+string(m.Subset), m.Counts)
		}
		for _, c := range []struct {
			name    string
			measure Measure
			subset  Subset
		}{
			{"category strictall", Strict, All}, {"category tokenall", Token, All}, {"category stricthipaa", Strict, HIPAAScript},
			{"category tokenhipaa", Token, HIPAAScript}, {"type strictall", Strict, All}, {"type tokenall", Token, All},
		} {
			if got, want := sums[c.name], find(t, r, c.measure, c.subset).Counts; got != want {
				t.Errorf("seed %d: by %s %+v, want %+v", seed, c.name, got, want)
			}
		}
		strict := find(t, r, Strict, All).Counts
		var causes Counts
		for _, c := range r.Causes {
			causes.FN, causes.FP = causes.FN+c.FN, causes.FP+c.FP
		}
		if causes.FN != strict.FN || causes.FP != strict.FP {
			t.Errorf("seed %d: causes %+v, strict %+v", seed, causes, strict)
		}
		for name, c := range map[string]Confusion{"equal": r.Confusion, "overlap": r.ConfusionOverlap} {
			gold, system := 0, 0
			for i, row := range c.Counts {
				gold += c.Missing[i]
				system += c.Spurious[i]
				for _, n := range row {
					gold += n
					system += n
				}
			}
			if gold != strict.TP+strict.FN || system != strict.TP+strict.FP {
				t.Errorf("seed %d: confusion of %s: %d gold, %d system, strict %+v", seed, name, gold, system, strict)
			}
		}
		diagonal := 0
		for i := range r.Confusion.Counts {
			diagonal += r.Confusion.Counts[i][i]
		}
		if diagonal != strict.TP {
			t.Errorf("seed %d: diagonal %d, strict %+v", seed, diagonal, strict)
		}
		for _, c := range r.Curves {
			last := c.Points[max(0, len(c.Points)-1):]
			if c.Label == "" && (last[0].TP != strict.TP || last[0].FP != strict.FP || c.Gold != strict.TP+strict.FN) {
				t.Errorf("seed %d: the curve ends in %+v, strict %+v", seed, last[0], strict)
			}
			for i := 1; i < len(c.Points); i++ {
				if c.Points[i].Threshold >= c.Points[i-1].Threshold || c.Points[i].Recall < c.Points[i-1].Recall {
					t.Errorf("seed %d: curve of %q falls back: %+v", seed, c.Label, c.Points[i-1:i+1])
				}
			}
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	documents := randomDocuments(3, 60)
	options := Options{Resamples: 50, Seed: 9}
	want := scoreAll(t, options, documents...).Result()
	for range 5 {
		r.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
		for i := range documents {
			documents[i].Gold = shuffled(r, documents[i].Gold)
			documents[i].System = shuffled(r, documents[i].System)
		}
		got := scoreAll(t, options, documents...).Result()
		if a, b := rounded(t, got), rounded(t, want); a != b {
			t.Fatalf("another order, another result:\n%s\n%s", a, b)
		}
	}
}

// rounded prints a result with rates cut to nine digits: means are sums over
// documents, whose last bits depend on their order.
func rounded(t *testing.T, r *Result) string {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	var cut func(v any) any
	cut = func(v any) any {
		switch v := v.(type) {
		case float64:
			return float64(int64(v*1e9+.5)) / 1e9
		case []any:
			for i := range v {
				v[i] = cut(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = cut(v[k])
			}
		}
		return v
	}
	data, _ = json.Marshal(cut(v))
	return string(data)
}

// Swapping gold and system swaps misses and false alarms (relaxed aside, which
// is not symmetric).
func TestSidesSwap(t *testing.T) {
	documents := randomDocuments(8, 60)
	swapped := slices.Clone(documents)
	for i := range swapped {
		swapped[i].Gold, swapped[i].System = swapped[i].System, swapped[i].Gold
	}
	a, b := scoreAll(t, Options{}, documents...).Result(), scoreAll(t, Options{}, swapped...).Result()
	x, y := all(a), all(b)
	if len(x) != len(y) {
		t.Fatalf("%d metrics and %d", len(x), len(y))
	}
	for i := range x {
		if x[i].Measure == Relaxed {
			continue
		}
		if want := (Counts{TP: x[i].TP, FP: x[i].FN, FN: x[i].FP}); y[i].Counts != want {
			t.Errorf("%s over %s: %+v, swapped %+v", x[i].Measure, x[i].Subset, x[i].Counts, y[i].Counts)
		}
	}
	if !reflect.DeepEqual(a.Confusion.Missing, b.Confusion.Spurious) {
		t.Error("missing and spurious do not swap")
	}
}

// Nested spans by the thousand, which overlap each other without exception.
func TestManyNestedSpans(t *testing.T) {
	const n = 1200
	d := Document{ID: "1", Text: strings.Repeat("-", 4*n) + "Ann"}
	for i := range n {
		d.Gold = append(d.Gold, Annotation{Start: i, End: len(d.Text) - i, Label: "A"})
		d.System = append(d.System, Annotation{Start: i, End: len(d.Text) - i - 1, Label: "A"})
	}
	s := New(Options{})
	mistakes, err := s.Add(d)
	if err != nil {
		t.Fatal(err)
	}
	if cap(s.pairing.candidates) > 4*maxPartners*n {
		t.Errorf("%d candidates", cap(s.pairing.candidates))
	}
	fn, fp := 0, 0
	for _, m := range mistakes {
		if m.Kind != WrongBoundary {
			t.Fatalf("%+v", m)
		}
		if m.FalseNegative {
			fn++
		}
		if m.FalsePositive {
			fp++
		}
	}
	if fn != n || fp != n {
		t.Errorf("%d misses and %d false alarms, want %d of each", fn, fp, n)
	}
}

// relaxedByHand and mergedByHand follow the scripts literally, with lists and
// without any cleverness.
func relaxedByHand(d Document) Counts {
	equal := func(a, b Annotation) bool {
		low, high := min(a.End, b.End), max(a.End, b.End)
		return a.Start == b.Start && strings.EqualFold(a.Category, b.Category) && strings.EqualFold(a.Label, b.Label) &&
			utf8.RuneCountInString(d.Text[low:high]) <= 2
	}
	in := func(a Annotation, list []Annotation) bool {
		return slices.ContainsFunc(list, func(b Annotation) bool { return equal(a, b) })
	}
	set := func(list []Annotation) (out []Annotation) {
		for _, a := range list {
			if !in(a, out) {
				out = append(out, a)
			}
		}
		return out
	}
	gold, system := set(d.Gold), set(d.System)
	var c Counts
	smaller, larger := system, gold
	if len(gold) < len(system) {
		smaller, larger = gold, system
	}
	for _, a := range smaller {
		if in(a, larger) {
			c.TP++
		}
	}
	for _, a := range system {
		if !in(a, gold) {
			c.FP++
		}
	}
	for _, a := range gold {
		if !in(a, system) {
			c.FN++
		}
	}
	return c
}

func mergedByHand(d Document) Counts {
	set := func(list []Annotation) map[interval]bool {
		out := map[interval]bool{}
		for _, a := range list {
			out[interval{a.Start, a.End}] = true
		}
		return out
	}
	merge := func(spans map[interval]bool) map[interval]bool {
		var sorted, stack []interval
		for i := range spans {
			sorted = append(sorted, i)
		}
		slices.SortFunc(sorted, compareIntervals)
		for _, y := range sorted {
			if len(stack) == 0 {
				stack = append(stack, y)
				continue
			}
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if x.end >= y.start || !slices.ContainsFunc([]rune(d.Text[x.end:y.start]), alphanumeric) {
				stack = append(stack, interval{x.start, y.end})
			} else {
				stack = append(stack, x, y)
			}
		}
		out := map[interval]bool{}
		for _, i := range stack {
			out[i] = true
		}
		return out
	}
	gold, system := set(d.Gold), set(d.System)
	goldMerged, systemMerged := merge(gold), merge(system)
	hits := map[interval]bool{}
	for i := range gold {
		if system[i] {
			hits[i] = true
		}
	}
	for i := range goldMerged {
		if systemMerged[i] {
			hits[i] = true
		}
	}
	left := func(of, other map[interval]bool) (n int) {
		for i := range of {
			contained := false
			for h := range hits {
				contained = contained || i.start >= h.start && i.end <= h.end
			}
			if !other[i] && !contained {
				n++
			}
		}
		return n
	}
	return Counts{TP: len(hits), FP: left(system, gold), FN: left(gold, system)}
}

func TestAgainstTheScriptsTakenLiterally(t *testing.T) {
	for i, d := range randomDocuments(77, 3000) {
		checkLiterally(t, i, d)
	}
}

func checkLiterally(t *testing.T, i int, d Document) {
	t.Helper()
	r := scoreAll(t, Options{}, d).Result()
	for _, m := range r.Metrics {
		if m.Measure == Relaxed && m.Subset == All {
			if want := relaxedByHand(d); m.Counts != want {
				t.Errorf("document %d: relaxed %+v, want %+v", i, m.Counts, want)
			}
		}
	}
	if want := mergedByHand(d); r.MEDDOCAN.Merged.Counts != want {
		t.Errorf("document %d: merged %+v, want %+v", i, r.MEDDOCAN.Merged.Counts, want)
	}
}

// FuzzAdd scores documents made of the fuzzer's text and offsets: no panic, and
// the same as the scripts taken literally.
func FuzzAdd(f *testing.F) {
	f.Add("Ann Lee, 3/21", []byte{0, 3, 4, 7, 9, 13}, []byte{0, 7, 9, 13})
	f.Add("Ñuñez\n—王", []byte{0, 7, 0, 7, 8, 11}, []byte{0, 2, 2, 7})
	f.Fuzz(func(t *testing.T, text string, gold, system []byte) {
		labels := []string{"PATIENT", "patient", "DATE", "IDNUM", "ORT"}
		read := func(data []byte) (list []Annotation) {
			for i := 0; i+1 < len(data) && i < 40; i += 2 {
				a := Annotation{Start: int(data[i]), End: int(data[i+1]), Label: labels[int(data[i]^data[i+1])%len(labels)], Category: "NAME"}
				list = append(list, a)
			}
			return list
		}
		d := Document{ID: "1", Text: text, Gold: read(gold), System: read(system)}
		if _, err := New(Options{}).Add(d); err != nil {
			return
		}
		checkLiterally(t, 0, d)
	})
}
