package transforms

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	registerDoFn((*commitFn).process, func(f commitProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*schemas.Receipt) bool),
			args[3].(func(*schemas.Gathered) bool), args[4].(func(*schemas.Audited) bool), args[5].(func(string)))
	})
	register.Iter1[schemas.Receipt]()
	beam.RegisterType(reflectType[schemas.Receipt]())
	beam.RegisterType(reflectType[schemas.Written]())
	beam.RegisterType(reflectType[schemas.Column]())
	beam.RegisterType(reflectType[schemas.ColumnCounts]())
}

// Commit publishes the output once every shard has sent its receipt, and every
// file of regrouped rows is there: it checks
// that no row is missing, renames the temporary files to their places, writes
// manifest, report and, last of all, _SUCCESS. Each step can be repeated. It
// returns the report, as JSON.
func Commit(s beam.Scope, cfg Config, receipts, gathered, audited beam.PCollection) beam.PCollection { // string
	s = s.Scope("transforms.Commit")
	return beam.ParDo(s, &commitFn{Config: cfg}, beam.CoGroupByKey(s, beam.AddFixedKey(s, receipts), beam.AddFixedKey(s, gathered),
		beam.AddFixedKey(s, audited)))
}

type commitFn struct {
	Config Config
}

// commitProcess is the type of its ProcessElement.
type commitProcess = func(context.Context, int, func(*schemas.Receipt) bool, func(*schemas.Gathered) bool,
	func(*schemas.Audited) bool, func(string)) error

func (fn *commitFn) process() commitProcess { return fn.ProcessElement }

func (fn *commitFn) ProcessElement(ctx context.Context, _ int, receipts func(*schemas.Receipt) bool,
	gathered func(*schemas.Gathered) bool, audits func(*schemas.Audited) bool, emit func(string)) error {
	report, err := commitAll(ctx, fn.Config, receipts, gathered, audits, nil)
	if err == nil {
		emit(report)
	}
	return err
}

// commitAll commits what was handed over; kept is what becomes of a state.
func commitAll(ctx context.Context, cfg Config, receipts func(*schemas.Receipt) bool, gathered func(*schemas.Gathered) bool,
	audits func(*schemas.Audited) bool, kept [][]byte) (string, error) {
	ctx, done, err := working(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	var all []schemas.Receipt
	var r schemas.Receipt
	for receipts(&r) {
		all = append(all, r)
		r = schemas.Receipt{}
	}
	var files []schemas.Gathered
	var g schemas.Gathered
	for gathered(&g) {
		files = append(files, g)
		g = schemas.Gathered{}
	}
	var found []schemas.Audited
	var a schemas.Audited
	for audits(&a) {
		found = append(found, a)
		a = schemas.Audited{}
	}
	if err := checkLinks(cfg); err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	report, err := commit(ctx, cfg, all, files, found, kept)
	if err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	return string(report), nil
}

// The folders and files of an output.
const (
	NotesFolder      = "notes"
	FindingsFolder   = "findings"
	QuarantineFolder = "quarantine"
	TemporaryFolder  = "_temporary"
	ManifestFile     = "manifest.json"
	ReportFile       = "report.json"
	ReportPage       = "report.html"
	SuccessFile      = "_SUCCESS"
	TrialFile        = "_TRIAL"      // in its place after a trial run, which is no release
	InputsFile       = "inputs.json" // private: the inputs by their full names

	// PublishingFile, in private, is there while files are renamed: a run that
	// was stopped amid that can be told from a place that is somebody else's.
	PublishingFile = "_publishing.json"
)

// LastFile is what the job makes last, and whose being there says that all of it
// is.
func (c Config) LastFile() string {
	if c.Limit > 0 {
		return TrialFile
	}
	return SuccessFile
}

// temporary returns where a run keeps unfinished files below root: those of one
// job's runs lie together.
func temporary(root, run string) string {
	family, own, _ := strings.Cut(run, "-")
	return storage.Join(root, TemporaryFolder, family, own)
}

func commit(ctx context.Context, cfg Config, receipts []schemas.Receipt, gathered []schemas.Gathered, audited []schemas.Audited,
	kept [][]byte) ([]byte, error) {
	receipts, err := complete(receipts)
	if err != nil {
		return nil, err
	}
	if gathered, err = placeGathered(cfg, receipts, gathered); err != nil {
		return nil, err
	}
	notes, regrouped := receiptsOf(0, receipts, gathered)
	report := newReport(notes)
	report.KnownIdentifiers, report.ReleaseDate = cfg.KnownIdentifiers, cfg.ReleaseDate
	if report.RowOrder, err = orderOf(notes, regrouped); err != nil {
		return nil, err
	}
	if report.Tables, err = tableReports(cfg, receipts, gathered); err != nil {
		return nil, err
	}
	night, err := nightFor(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var end *ending
	if night != nil {
		if end, err = night.end(cfg, receipts, kept, &report); err != nil {
			return nil, err
		}
		report.Nights = &end.report
	}
	var verdict *GateReport
	if cfg.Gate != nil {
		if verdict, err = judged(cfg, receipts, audited, &report); err != nil {
			return nil, err
		}
		report.Gate = &verdict.Verdict
	}
	reports, err := newReports(cfg, receipts, gathered, report, verdict)
	if err != nil {
		return nil, err
	}
	if end != nil {
		tables, err := end.files()
		if err != nil {
			return nil, err
		}
		maps.Copy(reports, tables)
	}
	var files []schemas.Written
	for _, g := range gathered {
		files = append(files, g.Written)
	}
	for _, r := range receipts {
		files = append(files, r.Outputs...)
	}
	// A runner may ask for a commit again that was done to its end.
	if done, err := exists(ctx, storage.Join(cfg.Output, cfg.LastFile())); err != nil {
		return nil, err
	} else if done {
		if night != nil {
			if err := night.finish(ctx, cfg); err != nil {
				return nil, err
			}
		}
		return reports[ReportFile], recommit(ctx, cfg, files, reports)
	}
	if err := own(ctx, cfg); err != nil {
		return nil, errors.Join(err, removeRuns(ctx, cfg, []string{cfg.RunID}))
	}
	if err := leaveVerdict(ctx, cfg, verdict); err != nil {
		return nil, err
	}
	var more []string
	if end != nil {
		more = end.dated(cfg)
	}
	if err := pass(ctx, cfg, &report, more...); err != nil {
		return nil, err
	}
	if end != nil { // before anything is published; prepare looks again
		if err := end.current(ctx, cfg); err != nil {
			return nil, err
		}
	}
	if err := unchanged(ctx, cfg, receipts); err != nil {
		return nil, err
	}
	if err := beginToPublish(); err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(reports) {
		root := cfg.Output
		if name == InputsFile || name == GateFile || name == ReissueFile {
			root = cfg.Private
		}
		w, err := prepareFile(ctx, cfg, root, name, reports[name])
		if err != nil {
			return nil, err
		}
		files = append(files, w)
	}
	if err := beginPublishing(ctx, cfg, files); err != nil {
		return nil, err
	}
	if err := publish(ctx, cfg, files); err != nil {
		return nil, err
	}
	if err := verify(ctx, cfg, files); err != nil {
		return nil, err
	}
	// What attempts that failed left behind goes too.
	runs, err := replaced(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := removeRuns(ctx, cfg, runs); err != nil {
		return nil, err
	}
	success, err := prepareFile(ctx, cfg, cfg.Output, cfg.LastFile(), nil)
	if err != nil {
		return nil, err
	}
	if end != nil {
		if err := end.prepare(ctx, cfg, reports[ManifestFile]); err != nil {
			return nil, err
		}
	}
	if err := publish(ctx, cfg, []schemas.Written{success}); err != nil {
		return nil, err
	}
	if end != nil {
		if err := night.finish(ctx, cfg); err != nil {
			return nil, err
		}
	}
	return reports[ReportFile], GiveUp(ctx, cfg)
}

// newReports returns the files that commit makes itself, but for _SUCCESS.
func newReports(cfg Config, receipts []schemas.Receipt, gathered []schemas.Gathered, report Report,
	verdict *GateReport) (map[string][]byte, error) {
	manifest := newManifest(cfg, receipts, gathered, report)
	files := map[string][]byte{}
	made := map[string]any{ManifestFile: manifest, ReportFile: report, InputsFile: fullNames(receipts)}
	if verdict != nil {
		made[GateFile] = verdict
	}
	for name, v := range made {
		raw, err := indented(v)
		if err != nil {
			return nil, err
		}
		files[name] = raw
	}
	var page bytes.Buffer
	err := NewPage(manifest, report).Write(&page)
	files[ReportPage] = page.Bytes()
	return files, err
}

// recommit is the commit of an output that is complete: it has to be what this
// commit would make, to the byte.
func recommit(ctx context.Context, cfg Config, files []schemas.Written, reports map[string][]byte) error {
	manifest, err := storage.ReadFile(ctx, storage.Join(cfg.Output, ManifestFile), maxManifest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !bytes.Equal(manifest, reports[ManifestFile]) {
		return notOurs(storage.Join(cfg.Output, cfg.LastFile()))
	}
	if err := verify(ctx, cfg, files); err != nil {
		return err
	}
	return GiveUp(ctx, cfg)
}

// removeRuns removes the temporary files of runs or of families of them.
func removeRuns(ctx context.Context, cfg Config, runs []string) error {
	for _, root := range []string{cfg.Output, cfg.Private} {
		folder := storage.Join(root, TemporaryFolder)
		for _, run := range runs {
			unfinished := temporary(root, run)
			if err := storage.RemoveAll(ctx, unfinished); err != nil {
				return err
			}
			storage.Prune(storage.Dir(unfinished), folder)
		}
		storage.Prune(folder, root)
	}
	return nil
}

// complete returns one receipt per shard, in order, and fails if one is
// missing or says that rows were lost. Runners may process a bundle more than
// once; all attempts write the same bytes, so any of them will do.
func complete(receipts []schemas.Receipt) ([]schemas.Receipt, error) {
	slices.SortFunc(receipts, func(a, b schemas.Receipt) int {
		if a.Shard.Number != b.Shard.Number {
			return a.Shard.Number - b.Shard.Number
		}
		return strings.Compare(a.Attempt, b.Attempt)
	})
	receipts = slices.CompactFunc(receipts, func(a, b schemas.Receipt) bool { return a.Shard.Number == b.Shard.Number })
	if len(receipts) == 0 {
		return nil, fmt.Errorf("no shard sent a receipt")
	}
	if total := receipts[0].Shard.Total; len(receipts) != total {
		return nil, fmt.Errorf("%d of %d shards sent a receipt; nothing is published", len(receipts), total)
	}
	for _, r := range receipts {
		if r.Shard.Rows != r.Counts.RowsOut+r.Counts.Quarantined+r.Counts.Unchanged+r.Counts.Withdrawn {
			return nil, fmt.Errorf("%s, shard %d: %d rows in, but %d out, %d in quarantine and %d passed over; nothing is published",
				r.Shard.File, r.Shard.Index, r.Shard.Rows, r.Counts.RowsOut, r.Counts.Quarantined, r.Counts.Unchanged+r.Counts.Withdrawn)
		}
	}
	return receipts, nil
}
