package transforms

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	register.DoFn4x1[context.Context, int, func(*schemas.Receipt) bool, func(string), error](&commitFn{})
	register.Iter1[schemas.Receipt]()
	beam.RegisterType(reflectType[schemas.Receipt]())
	beam.RegisterType(reflectType[schemas.Written]())
}

// Commit publishes the output once every shard has sent its receipt: it checks
// that no row is missing, renames the temporary files to their places, writes
// manifest, report and, last of all, _SUCCESS. Each step can be repeated. It
// returns the report, as JSON.
func Commit(s beam.Scope, cfg Config, receipts beam.PCollection) beam.PCollection { // string
	s = s.Scope("transforms.Commit")
	return beam.ParDo(s, &commitFn{Config: cfg}, beam.GroupByKey(s, beam.AddFixedKey(s, receipts)))
}

type commitFn struct {
	Config Config
}

func (fn *commitFn) ProcessElement(ctx context.Context, _ int, receipts func(*schemas.Receipt) bool, emit func(string)) error {
	var all []schemas.Receipt
	var r schemas.Receipt
	for receipts(&r) {
		all = append(all, r)
		r = schemas.Receipt{}
	}
	if err := checkLinks(fn.Config); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	report, err := commit(ctx, fn.Config, all)
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	emit(string(report))
	return nil
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
	InputsFile       = "inputs.json" // private: the inputs by their full names

	// PublishingFile, in private, is there while files are renamed: a run that
	// was stopped amid that can be told from a place that is somebody else's.
	PublishingFile = "_publishing.json"
)

// temporary returns where a run keeps unfinished files below root.
func temporary(root string, cfg Config) string {
	return storage.Join(root, TemporaryFolder, cfg.RunID)
}

func commit(ctx context.Context, cfg Config, receipts []schemas.Receipt) ([]byte, error) {
	receipts, err := complete(receipts)
	if err != nil {
		return nil, err
	}
	manifest := newManifest(cfg, receipts)
	report := newReport(receipts)
	report.Census = cfg.CensusCounts
	files := map[string][]byte{}
	if files[ManifestFile], err = indented(manifest); err != nil {
		return nil, err
	}
	if files[ReportFile], err = indented(report); err != nil {
		return nil, err
	}
	var page bytes.Buffer
	if err := writePage(&page, manifest, report); err != nil {
		return nil, err
	}
	files[ReportPage] = page.Bytes()

	inputs, err := indented(fullNames(receipts))
	if err != nil {
		return nil, err
	}
	if err := beginPublishing(ctx, cfg, receipts, sortedKeys(files)); err != nil {
		return nil, err
	}
	if err := publish(ctx, receipts); err != nil {
		return nil, err
	}
	if err := storage.WriteFile(ctx, storage.Join(cfg.Private, InputsFile), inputs); err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(files) {
		if err := storage.WriteFile(ctx, storage.Join(cfg.Output, name), files[name]); err != nil {
			return nil, err
		}
	}
	// What attempts that failed left behind goes too.
	for _, root := range []string{cfg.Output, cfg.Private} {
		if err := storage.RemoveAll(ctx, storage.Join(root, TemporaryFolder)); err != nil {
			return nil, err
		}
	}
	if err := storage.WriteFile(ctx, storage.Join(cfg.Output, SuccessFile), nil); err != nil {
		return nil, err
	}
	return files[ReportFile], storage.Remove(ctx, storage.Join(cfg.Private, PublishingFile))
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
		if r.Shard.Rows != r.RowsOut+r.Quarantined {
			return nil, fmt.Errorf("%s, shard %d: %d rows in, but %d out and %d in quarantine; nothing is published",
				r.Shard.File, r.Shard.Index, r.Shard.Rows, r.RowsOut, r.Quarantined)
		}
	}
	return receipts, nil
}

// renamesAtOnce bounds the requests in flight while output is published.
const renamesAtOnce = 16

func publish(ctx context.Context, receipts []schemas.Receipt) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(renamesAtOnce)
	for _, r := range receipts {
		for _, w := range r.Outputs {
			g.Go(func() error { return storage.Rename(ctx, w.Temporary, w.Final) })
		}
	}
	return g.Wait()
}
