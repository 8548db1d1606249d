package transforms

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	registerDoFn((*shardsFn).process, func(f shardsProcess, args []any) error {
		return f(args[0].(context.Context), args[1].([]byte), args[2].(func(schemas.Shard)))
	})
	register.Emitter1[schemas.Shard]()
	beam.RegisterType(reflectType[schemas.Shard]())
}

// Shards lists the input files and cuts them into shards. All footers are read
// and bound to the configured columns before the first shard is emitted, so a
// file that does not fit stops the job before any work. The shards are
// reshuffled: what a shard's output holds cannot depend on how they are bundled.
func Shards(s beam.Scope, cfg Config) beam.PCollection { // schemas.Shard
	s = s.Scope("transforms.Shards")
	return beam.Reshuffle(s, beam.ParDo(s, &shardsFn{Config: cfg}, beam.Impulse(s)))
}

type shardsFn struct {
	Config Config
}

// shardsProcess is the type of its ProcessElement.
type shardsProcess = func(context.Context, []byte, func(schemas.Shard)) error

func (fn *shardsFn) process() shardsProcess { return fn.ProcessElement }

func (fn *shardsFn) ProcessElement(ctx context.Context, _ []byte, emit func(schemas.Shard)) error {
	if fn.Config.Locks {
		if err := Acquire(ctx, fn.Config, Detached); err != nil {
			return err
		}
	}
	ctx, done, err := holding(ctx, fn.Config)
	if err != nil {
		return err
	}
	defer done()
	shards, err := ListShards(ctx, fn.Config)
	if err != nil {
		return err
	}
	progress.begin(shards)
	for _, shard := range shards {
		emit(shard)
	}
	return nil
}

// footersAtOnce bounds the files that are open while footers are read.
const footersAtOnce = 16

// ListShards reads the footers of all input files and returns their shards, in
// order of file name and row. Files that match no pattern, lack a configured
// column or cannot be read are errors (of fault.Refused), joined up to a number
// that can be read. Of a trial run they are the shards of its first notes.
func ListShards(ctx context.Context, cfg Config) ([]schemas.Shard, error) {
	shards, err := listShards(ctx, cfg, func(int, *table.Binding) {})
	if err == nil && cfg.Limit > 0 {
		shards = firstRows(shards, cfg.Limit)
	}
	return shards, err
}

// firstRows returns the shards of the first n rows of each table; the last of them is cut.
func firstRows(shards []schemas.Shard, n int64) []schemas.Shard {
	var first []schemas.Shard
	taken := map[int]int64{}
	for _, s := range shards {
		if taken[s.Table] >= n {
			continue
		}
		s.Rows = min(s.Rows, n-taken[s.Table])
		taken[s.Table] += s.Rows
		first = append(first, s)
	}
	number(first)
	return first
}

// number numbers the shards of a job, those of unreleased tables last.
func number(shards []schemas.Shard) {
	only := func(s schemas.Shard) int {
		if s.Folder == "" {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(shards, func(a, b schemas.Shard) int { return only(a) - only(b) })
	total := len(shards)
	for _, s := range shards {
		total -= only(s)
	}
	for i := range shards {
		shards[i].Number, shards[i].Total = i, total
	}
}

// listShards lists the shards of all rows of all tables. see, which several
// goroutines may call at once, is shown each file and the number of its table.
func listShards(ctx context.Context, cfg Config, see func(int, *table.Binding)) ([]schemas.Shard, error) {
	var all []schemas.Shard
	var errs []error
	for _, t := range cfg.Numbers() {
		shards, err := listTable(ctx, cfg.OfTable(t), func(b *table.Binding) { see(t, b) })
		errs = append(errs, cfg.InTable(t, err))
		for _, s := range shards {
			if s.Table = t; !cfg.unreleased(t) {
				s.Folder = cfg.folder(t)
			}
			all = append(all, s)
		}
	}
	number(all)
	return all, fault.Mark(fault.Refused, errors.Join(errs...))
}

// listTable lists the shards of the one table that cfg describes.
func listTable(ctx context.Context, cfg Config, see func(*table.Binding)) ([]schemas.Shard, error) {
	infos, err := storage.TableFiles(ctx, cfg.Inputs...)
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	if infos, err = unseen(ctx, cfg, infos); err != nil {
		return nil, err
	}
	names := outputNames(infos)
	perFile := make([][]schemas.Shard, len(infos))
	failures := make([]error, len(infos))
	var g errgroup.Group
	g.SetLimit(footersAtOnce)
	for i, info := range infos {
		g.Go(func() error {
			perFile[i], failures[i] = cutFile(ctx, cfg, info, names[i], see)
			return nil
		})
	}
	_ = g.Wait()
	if err := joinSome(failures, 10); err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	var shards []schemas.Shard
	for _, s := range perFile {
		shards = append(shards, s...)
	}
	var rows, bytes int64
	for i := range shards {
		s := &shards[i]
		s.RowsBefore = rows
		rows += s.Rows
		if s.Index == 0 {
			bytes += s.FileBytes
		}
	}
	for i := range shards {
		shards[i].AllRows, shards[i].AllBytes = rows, bytes
	}
	return shards, nil
}

// outputNames returns what each input is called below the output: its file
// name, or where two folders hold files of one name, a folder number and the
// file name. Folder names stay behind, because partitions are named after what
// the job hides: a true date, a patient.
func outputNames(infos []storage.Info) []string {
	folders := map[string]int{}
	bases := map[string]int{}
	for _, info := range infos {
		dir, base := split(info.Name)
		if _, ok := folders[dir]; !ok {
			folders[dir] = len(folders)
		}
		bases[base]++
	}
	names := make([]string, len(infos))
	for i, info := range infos {
		dir, base := split(info.Name)
		names[i] = base
		if len(bases) < len(infos) {
			names[i] = fmt.Sprintf("folder-%05d/%s", folders[dir], base)
		}
	}
	return names
}

func split(name string) (dir, base string) {
	i := strings.LastIndexByte(name, '/') + 1
	return name[:i], name[i:]
}

// cutFile reads one footer and cuts the file into runs of row groups of about
// cfg.ShardBytes each, not within a note that lies over two of them. A file without rows is one empty shard, so that its
// schema reaches the output.
func cutFile(ctx context.Context, cfg Config, info storage.Info, name string, see func(*table.Binding)) ([]schemas.Shard, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	binding, object, err := openBound(ctx, cfg, info, false)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	see(binding)
	base := schemas.Shard{File: info.Name, Fingerprint: object.Fingerprint(), FileBytes: object.Size(), Name: name}
	var shards []schemas.Shard
	open, bytes := base, int64(0)
	for i, g := range binding.File().RowGroups() {
		cut := open.Groups > 0 && bytes+g.Bytes > cfg.ShardBytes
		if cut {
			if cut, err = binding.Parted(i); err != nil {
				return nil, err
			}
		}
		if cut {
			shards = append(shards, open)
			open, bytes = base, 0
			open.FirstGroup, open.FirstRow = i, g.FirstRow
		}
		open.Groups++
		open.Rows += g.Rows
		bytes += g.Bytes
	}
	shards = append(shards, open)
	for i := range shards {
		shards[i].Index, shards[i].Count = i, len(shards)
	}
	return shards, nil
}

// openShard opens a shard's file, with what is kept to be looked at or not, and refuses one that changed since it was
// listed: its rows would not be those that the plans speak of.
func openShard(ctx context.Context, cfg Config, shard schemas.Shard, look bool) (*table.Binding, storage.Object, error) {
	return openBound(ctx, cfg.OfTable(shard.Table), storage.Info{Name: shard.File, Size: shard.FileBytes, Fingerprint: shard.Fingerprint},
		look)
}

// openBound opens that version of a file and finds the configured columns in it.
func openBound(ctx context.Context, cfg Config, info storage.Info, look bool) (*table.Binding, storage.Object, error) {
	file, object, err := openFile(ctx, info)
	if err != nil {
		return nil, nil, err
	}
	columns, err := withoutPartitions(cfg.Inputs, info.Name, file, cfg.Columns)
	if err != nil {
		object.Close()
		return nil, nil, err
	}
	columns.Look = look
	binding, err := file.Bind(columns)
	if err != nil {
		object.Close()
		return nil, nil, err
	}
	return binding, object, nil
}

// openFile opens that version of a file and reads its footer.
func openFile(ctx context.Context, info storage.Info) (*table.File, storage.Object, error) {
	object, err := openVersion(ctx, info)
	if err != nil {
		return nil, nil, err
	}
	file, err := footers.open(object, info.Name)
	if err != nil {
		object.Close()
		return nil, nil, err
	}
	return file, object, nil
}

// joinSome joins the first errors and says how many more there are.
func joinSome(errs []error, most int) error {
	var some []error
	more := 0
	for _, err := range errs {
		switch {
		case err == nil:
		case len(some) < most:
			some = append(some, err)
		default:
			more++
		}
	}
	if more > 0 {
		some = append(some, fmt.Errorf("and %d more files", more))
	}
	return errors.Join(some...)
}
