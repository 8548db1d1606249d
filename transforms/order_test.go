package transforms

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// A runner hands groups over in any order, and what is in them too. byHand runs
// the job's DoFns without Beam, with every group and every order drawn anew.
type byHand struct {
	t   *testing.T
	cfg Config
	r   *rand.Rand

	gathers int // after which the job ends as if it were killed; 0 for never
}

// packedBatches are the values of some groups by key.
type packedBatches map[int][][]byte

func (g packedBatches) emit(key int, data []byte) { g[key] = append(g[key], data) }

// shuffled returns s in an order of the run's.
func shuffled[T any](b *byHand, s []T) []T {
	s = slices.Clone(s)
	b.r.Shuffle(len(s), func(i, k int) { s[i], s[k] = s[k], s[i] })
	return s
}

// iterate is what a DoFn is given to read the values of one group.
func iterate[T any](b *byHand, values []T) func(*T) bool {
	values = shuffled(b, values)
	return func(v *T) bool {
		if len(values) == 0 {
			return false
		}
		*v, values = values[0], values[1:]
		return true
	}
}

// keys are those of all groups, in an order of the run's.
func (b *byHand) keys(groups ...packedBatches) []int {
	all := map[int]bool{}
	for _, g := range groups {
		for k := range g {
			all[k] = true
		}
	}
	return shuffled(b, sortedKeys(all))
}

func (b *byHand) check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *byHand) run() {
	ctx := b.t.Context()
	var shards []schemas.Shard
	detect, rewrite := &detectFn{Config: b.cfg}, &rewriteFn{Config: b.cfg}
	identifiers := &identifiersFn{Columns: b.cfg.IdentifierColumns, Config: b.cfg}
	for _, setup := range []func(context.Context) error{detect.Setup, rewrite.Setup, identifiers.Setup} {
		b.check(setup(ctx))
	}
	b.check((&shardsFn{b.cfg}).ProcessElement(ctx, nil, func(s schemas.Shard) { shards = append(shards, s) }))
	spans, documents, days, known := packedBatches{}, packedBatches{}, packedBatches{}, packedBatches{}
	for _, s := range shuffled(b, shards) {
		b.check(detect.ProcessElement(ctx, s, spans.emit, documents.emit, days.emit))
	}
	var files []storage.Info
	list := &identifierFilesFn{b.cfg.Identifiers, b.cfg.KnownIdentifiers.Digest}
	b.check(list.ProcessElement(ctx, nil, func(f storage.Info) { files = append(files, f) }))
	for _, f := range shuffled(b, files) {
		b.check(identifiers.ProcessElement(ctx, f, known.emit))
	}
	duplicates, plans, orders, copies := packedBatches{}, packedBatches{}, packedBatches{}, packedBatches{}
	b.check((&orderFn{Settings: b.cfg.rowOrders()}).ProcessElement(ctx, 0, iterate(b, days[0]), orders.emit))
	for _, k := range b.keys(documents) {
		b.check((&duplicatesFn{}).ProcessElement(ctx, k, iterate(b, documents[k]), duplicates.emit))
	}
	several := 0 // batches of known identifiers of one bucket
	for _, k := range b.keys(spans, known) {
		several = max(several, len(known[k]))
		b.check((&resolveFn{b.cfg.Settings()}).ProcessElement(ctx, k, iterate(b, spans[k]), iterate(b, known[k]), plans.emit))
	}
	var receipts []schemas.Receipt
	for _, s := range shuffled(b, shards) {
		err := rewrite.ProcessElement(ctx, s.Number, iterate(b, []schemas.Shard{s}), iterate(b, plans[s.Number]),
			iterate(b, duplicates[s.Number]), iterate(b, orders[s.Number]),
			func(r schemas.Receipt) { receipts = append(receipts, r) }, copies.emit)
		b.check(err)
	}
	if len(receipts) < 4 || len(duplicates) == 0 || several < 2 {
		b.t.Fatalf("%d receipts, %d shards with duplicates, at most %d batches of known identifiers of a bucket: no order to speak of",
			len(receipts), len(duplicates), several)
	}
	parts := map[string][]schemas.Part{}
	for _, r := range shuffled(b, receipts) {
		partsOf(r, func(file string, p schemas.Part) { parts[file] = append(parts[file], p) })
	}
	var gathered []schemas.Gathered
	for i, file := range shuffled(b, sortedKeys(parts)) {
		if b.gathers > 0 && i == b.gathers {
			return
		}
		err := (&gatherFn{b.cfg}).ProcessElement(ctx, file, iterate(b, parts[file]), func(g schemas.Gathered) { gathered = append(gathered, g) })
		b.check(err)
	}
	var audited []schemas.Audited
	for _, k := range shuffled(b, sortedKeys(copies)) {
		b.check((&auditFn{b.cfg}).ProcessElement(ctx, k, iterate(b, copies[k]), func(a schemas.Audited) { audited = append(audited, a) }))
	}
	b.check((&commitFn{b.cfg}).ProcessElement(ctx, 0, iterate(b, receipts), iterate(b, gathered), iterate(b, audited), func(string) {}))
}

// twoTables writes the examples' known identifiers and another table that says something else
// of the same patients, and returns a pattern of both.
func twoTables(t *testing.T) string {
	t.Helper()
	type person struct {
		PatientID string `parquet:"patient_id"`
		Name      string `parquet:"name"`
		Phone     string `parquet:"phone"`
		Relatives string `parquet:"relatives"`
		Doctors   string `parquet:"doctors"`
		Address   string `parquet:"address"`
	}
	type id struct {
		PatientID string `parquet:"patient_id"`
	}
	const known = "../examples/identifiers.parquet"
	dir := t.TempDir()
	raw, err := os.ReadFile(known)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "one.parquet"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	ids, err := parquet.ReadFile[id](known)
	if err != nil {
		t.Fatal(err)
	}
	var more []person
	for i, p := range ids {
		more = append(more, person{p.PatientID, fmt.Sprintf("Zelda Quorn%c", 'a'+i%26), fmt.Sprintf("555-01%02d", i%100),
			"Rosa Diaz; Amy Okoro", "Rose Diaz; Emily Carter", fmt.Sprintf("%d Mill Road, Springfield, IL 62704", i)})
	}
	if err := parquet.WriteFile(filepath.Join(dir, "two.parquet"), more); err != nil {
		t.Fatal(err)
	}
	return dir + "/*.parquet"
}

// However groups and what is in them are ordered, the job writes the same
// bytes.
func TestOrderOfGroupsDoesNotMatter(t *testing.T) {
	const key = "a key of the tests: fifty bytes or so, never to be seen"
	t.Setenv("PALIMPSEST_TEST_KEY", key)
	keys, err := surrogate.NewKeyring([]byte(key), 0)
	if err != nil {
		t.Fatal(err)
	}
	const directory = "../onnx/models/en-clinical-fast"
	m, err := LoadModel(t.Context(), directory)
	if err != nil {
		t.Fatal(err)
	}
	notes := t.TempDir()
	for _, name := range []string{"one.parquet", "two.parquet"} { // the second repeats every document id
		raw, err := os.ReadFile("../examples/notes.parquet")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(notes, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	most := 1e6
	cfg := Config{
		Where: Where{Inputs: []string{notes + "/*.parquet"}, Identifiers: twoTables(t), Model: directory, Key: "env:PALIMPSEST_TEST_KEY"},
		What: What{
			Columns: table.Columns{DocumentID: "note_id", PatientID: "patient_id", Text: []string{"text"},
				Dates: []string{"note_date", "written_at", "admitted_at"}, NoteDate: "note_date", IDs: []string{"encounter_id"}},
			RecallBias: 0.25, Language: "en", Steps: deid.AllSteps(), MaxNoteBytes: 8 << 20,
			Policy: surrogate.Options{}.Resolved(), Consistency: "patient", DateScope: "patient", Sentinels: "mask",
			Dates: surrogate.DatePolicy{Policy: "weekday", MinDays: 28, MaxDays: 1820}, DayOrder: "auto",
			KeyID: keys.ID(), Model: IdentityOf(m),
		},
		How: How{Provider: "cpu", Buckets: 7, ShardBytes: 1, BatchBytes: 64 << 10, Findings: true,
			Gates: Gates{Quarantined: 1, Missing: 1, Accepted: []string{"note_title", "orders.list.element.code"}},
			Gate:  &Gate{Thresholds: gate.Thresholds{Known: &most, Equal: &most, Copies: &most}}},
	}
	if cfg.KnownIdentifiers, err = CheckIdentifiers(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]string{}
	for seed := range 4 {
		dir := t.TempDir()
		cfg.RowOrder = []string{OrderKeep, OrderShuffle}[seed%2]
		cfg.Output, cfg.Private = filepath.Join(dir, "out"), filepath.Join(dir, "private")
		cfg.RunID = cfg.NewRun()
		BeginJob()
		if err := Acquire(t.Context(), cfg, ""); err != nil {
			t.Fatal(err)
		}
		(&byHand{t: t, cfg: cfg, r: rand.New(rand.NewSource(int64(seed)))}).run()
		got := filesBelow(t, dir)
		if want[cfg.RowOrder] == nil {
			want[cfg.RowOrder] = got
		}
		if len(got) < 12 || !maps.Equal(got, want[cfg.RowOrder]) {
			t.Errorf("order %d, rows %s: the files differ:\n%v\n%v", seed, cfg.RowOrder, got, want[cfg.RowOrder])
		}
	}

	// A job that ends amid Gather leaves nothing that its successor does not take away.
	dir := t.TempDir()
	cfg.Output, cfg.Private, cfg.RowOrder = filepath.Join(dir, "out"), filepath.Join(dir, "private"), OrderShuffle
	for _, gathers := range []int{5, 0} {
		cfg.RunID = cfg.NewRun()
		BeginJob()
		if err := Acquire(t.Context(), cfg, ""); err != nil {
			t.Fatal(err)
		}
		(&byHand{t: t, cfg: cfg, r: rand.New(rand.NewSource(9)), gathers: gathers}).run()
		if gathers == 0 {
			break
		}
		parts, err := filepath.Glob(filepath.Join(temporary(cfg.Output, cfg.RunID), "*", partsFolder, "*.parquet"))
		if err != nil || len(parts) < 50 {
			t.Errorf("%d parts, %v", len(parts), err)
		}
		if err := Cancel(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	if got := filesBelow(t, dir); !maps.Equal(got, want[OrderShuffle]) {
		t.Errorf("after a job that ended in Gather there are\n%v\nwant\n%v", got, want[OrderShuffle])
	}
}

// filesBelow returns the digests of all files below a folder.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir)] = fmt.Sprintf("%x", sha256.Sum256(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The batches of a group come in one order, whatever the runner's.
func TestInOrder(t *testing.T) {
	want := "[a ab b b ba]"
	b := &byHand{t: t, r: rand.New(rand.NewSource(1))}
	for range 5 {
		got := inOrder(iterate(b, [][]byte{[]byte("b"), []byte("ab"), []byte("ba"), []byte("a"), []byte("b")}))
		if text := fmt.Sprintf("%s", got); text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
}
