package transforms

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("beam_strict", "true"); err != nil {
		panic(err)
	}
	os.Exit(ptest.MainRetWithDefault(m, "direct"))
}

func init() {
	register.Function2x1(describePlan)
	register.Function2x1(describeDocuments)
	register.Function1x1(describeShard)
	register.Function1x2(keyed)
	beam.RegisterType(reflect.TypeFor[packed]())
}

// packed is a key and a packed batch, since test collections hold no KVs.
type packed struct {
	Key  int
	Data []byte
}

func keyed(p packed) (int, []byte) { return p.Key, p.Data }

func describePlan(shard int, data []byte) string {
	b, err := schemas.DecodePlanBatch(data)
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("shard %d:", shard)
	for _, p := range b.Patients {
		text += fmt.Sprintf(" %s %v", p.ID, p.Names)
		for _, s := range p.Observed {
			text += fmt.Sprintf(" %v=%s/%v", s.Type, s.Text, s.Sweep)
		}
		for _, n := range p.Notes {
			text += fmt.Sprintf(" row %d%s", n.Row, n.Failure)
			for _, s := range n.Spans {
				text += fmt.Sprintf(" [%d,%d)%v", s.Start, s.End, s.Type)
			}
		}
	}
	return text
}

func describeDocuments(shard int, data []byte) string {
	b, err := schemas.DecodeDocumentBatch(data)
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("shard %d:", shard)
	for _, id := range b.IDs {
		text += fmt.Sprintf(" row %d", id.Row)
	}
	return text
}

func describeShard(s schemas.Shard) string {
	return fmt.Sprintf("%d of %d: %s groups %d+%d rows %d+%d", s.Number, s.Total, s.Output(), s.FirstGroup, s.Groups, s.FirstRow, s.Rows)
}

func span(start int, surface string, t phi.Type, by phi.Tagger, score float32) phi.Found {
	return phi.Found{Span: phi.Span{Start: start, End: start + len(surface), Type: t, Tagger: by, Score: score}, Surface: surface}
}

// A patient's two notes lie in two shards, and the patient is known by
// another name: both plans hold all that is known.
func TestResolveBringsAPatientTogether(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	first := &schemas.SpanBatch{Shard: 0, Notes: []deid.Note{{Row: 4, Document: "a", Patient: "p1", Spans: []phi.Found{
		span(0, "Rao", phi.Patient, phi.Network, 0.97),
		span(20, "Boston", phi.City, phi.Network, 0.99),
	}}}}
	second := &schemas.SpanBatch{Shard: 1, Notes: []deid.Note{
		{Row: 0, Document: "b", Patient: "p1"},
		{Row: 1, Document: "c", Patient: "p2", Failure: deid.ReasonTooLarge},
	}}
	identifiers := &schemas.IdentifierBatch{Patients: []lexicon.Identifiers{{PatientID: "p1", Names: []string{"Vikram Rao"}},
		{PatientID: "p9", Names: []string{"Nobody Here"}}}}
	data, err := identifiers.Encode()
	if err != nil {
		t.Fatal(err)
	}
	// The order of batches must not matter.
	spans := beam.ParDo(s, keyed, beam.CreateList(s, []packed{{7, second.Encode()}, {7, first.Encode()}}))
	known := beam.ParDo(s, keyed, beam.CreateList(s, []packed{{7, data}}))
	plans := beam.ParDo(s, describePlan, Resolve(s, Config{What: What{Steps: deid.AllSteps()}}, spans, known))
	observed := "p1 [Vikram Rao] PATIENT=Rao/true PATIENT=Vikram Rao/true CITY=Boston/false"
	passert.Equals(s, plans,
		"shard 0: "+observed+" row 4 [0,3)PATIENT [20,26)CITY",
		"shard 1: "+observed+" row 0 p2 [] row 1"+deid.ReasonTooLarge)
	ptest.RunAndValidate(t, p)
}

// Of documents with one id the first stays, by file and row.
func TestDuplicatesKeepTheFirst(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	a, b, c := [16]byte{1}, [16]byte{2}, [16]byte{3}
	first := &schemas.DocumentBatch{Shard: 0, IDs: []schemas.DocumentID{{Hash: b, Row: 5}, {Hash: a, Row: 2}, {Hash: a, Row: 9}}}
	second := &schemas.DocumentBatch{Shard: 1, IDs: []schemas.DocumentID{{Hash: a, Row: 0}, {Hash: c, Row: 1}}}
	documents := beam.ParDo(s, keyed, beam.CreateList(s, []packed{{3, second.Encode()}, {3, first.Encode()}}))
	passert.Equals(s, beam.ParDo(s, describeDocuments, Duplicates(s, Config{}, documents)), "shard 0: row 9", "shard 1: row 0")
	ptest.RunAndValidate(t, p)
}

// testConfig returns a job over tables of row, one shard for each row group.
func testConfig(inputs ...string) Config {
	return Config{
		Where: Where{Inputs: inputs}, What: What{Columns: table.Columns{DocumentID: "note_id", Text: []string{"text"}}}, How: How{ShardBytes: 1},
	}
}

type row struct {
	NoteID string `parquet:"note_id"`
	Text   string `parquet:"text"`
}

func writeNotes(t *testing.T, path string, rows, perGroup int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewGenericWriter[row](f, parquet.MaxRowsPerRowGroup(int64(perGroup)))
	for i := range rows {
		if _, err := w.Write([]row{{fmt.Sprint(path, i), strings.Repeat("x", 100)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Files of one name in two folders stay apart, one without rows is a shard too.
func TestShards(t *testing.T) {
	dir := t.TempDir()
	writeNotes(t, filepath.Join(dir, "a", "notes.parquet"), 25, 10)
	writeNotes(t, filepath.Join(dir, "b", "notes.parquet"), 0, 10)
	p, s := beam.NewPipelineWithRoot()
	cfg := testConfig(dir+"/**/*.parquet", dir+"/a/notes.parquet")
	// As in a job that no launcher starts: Shards makes the lock, once.
	cfg.Output, cfg.Locks = filepath.Join(dir, "out"), true
	cfg.RunID = cfg.NewRun()
	passert.Equals(s, beam.ParDo(s, describeShard, Shards(s, cfg)),
		"0 of 4: folder-00000/notes.parquet-00000-of-00003.parquet groups 0+1 rows 0+10",
		"1 of 4: folder-00000/notes.parquet-00001-of-00003.parquet groups 1+1 rows 10+10",
		"2 of 4: folder-00000/notes.parquet-00002-of-00003.parquet groups 2+1 rows 20+5",
		"3 of 4: folder-00001/notes.parquet-00000-of-00001.parquet groups 0+0 rows 0+0")
	ptest.RunAndValidate(t, p)
	if err := own(t.Context(), cfg); err != nil {
		t.Error(err)
	}
}

func TestShardOfAChangedFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.parquet")
	writeNotes(t, path, 5, 10)
	cfg := testConfig(path)
	shards, err := ListShards(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	writeNotes(t, path, 6, 10)
	if _, _, err := openShard(context.Background(), cfg, shards[0], false); err == nil ||
		!strings.Contains(err.Error(), "changed while the job ran") {
		t.Errorf("a changed file was read: %v", err)
	}
}

// Commit takes one receipt per shard and nothing less.
func TestCompleteChecksTheRowEquation(t *testing.T) {
	receipt := func(number int, attempt string, rows, out, held int64) schemas.Receipt {
		return schemas.Receipt{Shard: schemas.Shard{Number: number, Total: 2, Rows: rows, File: "f"}, Attempt: attempt,
			Counts: schemas.Counts{RowsOut: out, Quarantined: held}}
	}
	good := []schemas.Receipt{receipt(1, "y", 3, 3, 0), receipt(0, "b", 5, 4, 1), receipt(0, "a", 5, 4, 1)}
	got, err := complete(good)
	if err != nil || len(got) != 2 || got[0].Attempt != "a" || got[1].Attempt != "y" {
		t.Errorf("receipts %+v, %v", got, err)
	}
	for name, bad := range map[string][]schemas.Receipt{
		"none":           nil,
		"a shard lacks":  {receipt(1, "a", 3, 3, 0)},
		"a row is lost":  {receipt(0, "a", 5, 4, 0), receipt(1, "a", 3, 3, 0)},
		"a row too many": {receipt(0, "a", 5, 5, 1), receipt(1, "a", 3, 3, 0)},
	} {
		if _, err := complete(bad); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestReportTellsProviders(t *testing.T) {
	on := func(provider string, fallbacks int64) schemas.Receipt {
		return schemas.Receipt{Counts: schemas.Counts{Providers: map[string]int64{provider: 1}, Fallbacks: fallbacks}}
	}
	r := newReport([]schemas.Receipt{on("cpu", 0), on("cuda", 0), on("cpu", 1)})
	if r.Providers["cpu"] != 2 || r.Providers["cuda"] != 1 || r.Fallbacks != 1 {
		t.Errorf("providers %v, %d fallbacks", r.Providers, r.Fallbacks)
	}
	var page strings.Builder
	if err := NewPage(Manifest{}, r).Write(&page); err != nil || !strings.Contains(page.String(), "cpu 2 cuda 1 (of these 1 on") {
		t.Errorf("the page does not say so: %v", err)
	}
}

func TestResolveKey(t *testing.T) {
	ctx := context.Background()
	const key = "0123456789abcdef0123456789abcdef"
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte(key+"\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("A_KEY", key)
	for _, reference := range []string{"file:" + path, "env:A_KEY"} {
		if got, err := ResolveKey(ctx, reference); err != nil || string(got) != key {
			t.Errorf("%s: %v", reference, err)
		}
	}
	t.Setenv("SHORT_KEY", "hunter2hunter2")
	for _, reference := range []string{"", "env:", key, "vault:x", "env:NO_KEY_HERE", "file:/none", "env:SHORT_KEY"} {
		_, err := ResolveKey(ctx, reference)
		if err == nil {
			t.Errorf("%q was accepted", reference)
		} else if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), key) {
			t.Errorf("%q: the error repeats the key: %v", reference, err)
		}
	}
}

// A key in place of its name, which a $ too many makes of one, is not repeated;
// names are.
func TestKeyIsNeverRepeated(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for _, key := range []string{
		"f1d2d2f924e986ac86fdf7b36c94bcdf32beec15f1d2d2f924e986ac86fdf7b3",
		"YWJjZGVmZ2hpamtsbW5vcHFyc3R1/XZ3eHl6MDEyMzQ1Njc4OQ==",
		"_WJjZGVmZ2hpamtsbW5vcHFyc3R1_XZ3eHl6MDEyMzQ1Njc4OQ",
		"correct horse battery staple, and then some more",
	} {
		for _, reference := range []string{"env:" + key, "file:" + key, "file:" + filepath.Join(dir, key), "file:/" + key, "gcp-secret:" + key,
			key, "vault:" + key, "file:" + key + "\n"} {
			if strings.HasPrefix(reference, "file:") && strings.Contains(key, " ") {
				continue // a path may hold anything
			}
			_, err := ResolveKey(ctx, reference)
			if err == nil {
				t.Errorf("%q was accepted", reference)
			} else if strings.Contains(err.Error(), key[:12]) {
				t.Errorf("the error repeats the key: %v", err)
			}
		}
	}
	for _, reference := range []string{"env:NO_KEY_HERE", "file:/secure/key", "file:" + dir + "/none",
		"file:gs://bucket-of-the-hospital/secrets/of/palimpsest/key"} {
		if got := PrintableKey(reference); got != reference {
			t.Errorf("%s is shown as %s", reference, got)
		}
	}
}

func TestKeysWithoutEntropyAreRefused(t *testing.T) {
	for _, key := range []string{string(make([]byte, 32)), strings.Repeat("a", 64), strings.Repeat(" ", 40), strings.Repeat("0123456", 9)} {
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ResolveKey(context.Background(), "file:"+path); err == nil || !strings.Contains(err.Error(), "different bytes") {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestKeyFileOfOthersIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("0123456789abcdef0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, ok := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o604: false, 0o666: false, 0o620: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := ResolveKey(context.Background(), "file:"+path)
		if ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "chmod 600 "+path) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
}

func TestJoinSome(t *testing.T) {
	if joinSome([]error{nil, nil}, 2) != nil {
		t.Error("no errors make one")
	}
	err := joinSome([]error{errors.New("a"), nil, errors.New("b"), errors.New("c"), errors.New("d")}, 2)
	if err == nil || err.Error() != "a\nb\nand 2 more files" {
		t.Errorf("%v", err)
	}
}

// Outputs are called by the input's file name; folders, which may be named
// after dates or patients, stay behind.
func TestOutputNames(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a.parquet b.parquet", "a.parquet b.parquet"},
		{"notes/dt=2024-05-01/a.parquet notes/dt=2024-05-02/b.parquet", "a.parquet b.parquet"},
		{"x/dt=1/p.parquet x/dt=2/p.parquet x/dt=2/q.parquet", "folder-00000/p.parquet folder-00001/p.parquet folder-00001/q.parquet"},
		{"../up/p.parquet notes/p.parquet", "folder-00000/p.parquet folder-00001/p.parquet"},
		{"gs://b/x//n.parquet gs://b/x/n.parquet", "folder-00000/n.parquet folder-00001/n.parquet"},
	} {
		var infos []storage.Info
		for _, name := range strings.Fields(c.in) {
			infos = append(infos, storage.Info{Name: name})
		}
		if got := strings.Join(outputNames(infos), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
}

// The plan of a patient does not depend on the order in which batches, notes
// and known identifiers arrive.
func TestResolveDoesNotDependOnTheOrder(t *testing.T) {
	cfg := Config{What: What{Steps: deid.AllSteps()}}
	make3 := func() []*schemas.SpanBatch {
		var batches []*schemas.SpanBatch
		for shard := range 3 {
			b := &schemas.SpanBatch{Shard: shard}
			for row := range 3 {
				b.Notes = append(b.Notes, deid.Note{Row: int64(row), Document: fmt.Sprintf("doc-%d%d", shard, row), Patient: "p1", Spans: []phi.Found{
					span(0, "Okonkwo", phi.Patient, phi.Network, 0.5+float32(row)/10),
					span(20, "Rose Okonkwo", phi.Doctor, phi.Network, 0.9),
					span(40, "555-0143", phi.Phone, phi.Rules, 0.9),
				}})
			}
			batches = append(batches, b)
		}
		return batches
	}
	rows := []lexicon.Identifiers{{PatientID: "p1", Names: []string{"Ada Hale"}, BirthDate: "1957-03-14"},
		{PatientID: "p1", Doctors: []string{"Bo Hale", "Cy Lund"}, MRNs: []string{"80", "00481-2237"}}}
	describe := func(batches []*schemas.SpanBatch, rows []lexicon.Identifiers) string {
		plans, err := resolve(t.Context(), cfg.Settings(), batches, map[string][]lexicon.Identifiers{"p1": rows})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, shard := range sortedKeys(plans) {
			if n := plans[shard].Patients[0].Total; n != 9 {
				t.Errorf("shard %d hears that its patient has %d notes, not 9", shard, n)
			}
			text += describePlan(shard, plans[shard].Encode()) + "\n"
		}
		return text
	}
	want := describe(make3(), rows)
	if !strings.Contains(want, "PATIENT=Ada Hale/true") || !strings.Contains(want, "IDNUM=doc-11/true") ||
		strings.Contains(want, "MEDICALRECORD=80/") {
		t.Errorf("the plan lacks what is known:\n%s", want)
	}
	b := make3()
	b[0], b[2] = b[2], b[0]
	if got := describe(b, []lexicon.Identifiers{rows[1], rows[0]}); got != want {
		t.Errorf("another order gives\n%s\nwant\n%s", got, want)
	}
}
