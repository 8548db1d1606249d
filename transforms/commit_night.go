package transforms

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func init() {
	registerDoFn((*commitNightFn).process, func(f commitNightProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*schemas.Receipt) bool),
			args[3].(func(*schemas.Gathered) bool), args[4].(func(*schemas.Audited) bool), args[5].(func(*[]byte) bool), args[6].(func(string)))
	})
}

// The tables that a night leaves beside its notes.
const (
	ChangesFile = "changes.parquet" // what it does to the release, by released id
	ReissueFile = "reissue.parquet" // private: notes that what is known now changes
)

// CommitNight is Commit for a job with a state, which becomes valid with the output.
// kept is the second collection of ResolveNights.
func CommitNight(s beam.Scope, cfg Config, receipts, gathered, audited, kept beam.PCollection) beam.PCollection { // string
	s = s.Scope("transforms.CommitNight")
	return beam.ParDo(s, &commitNightFn{Config: cfg},
		beam.CoGroupByKey(s, beam.AddFixedKey(s, receipts), beam.AddFixedKey(s, gathered), beam.AddFixedKey(s, audited),
			beam.AddFixedKey(s, kept)))
}

type commitNightFn struct {
	Config Config
}

// commitNightProcess is the type of its ProcessElement.
type commitNightProcess = func(context.Context, int, func(*schemas.Receipt) bool, func(*schemas.Gathered) bool,
	func(*schemas.Audited) bool, func(*[]byte) bool, func(string)) error

func (fn *commitNightFn) process() commitNightProcess { return fn.ProcessElement }

func (fn *commitNightFn) ProcessElement(ctx context.Context, _ int, receipts func(*schemas.Receipt) bool,
	gathered func(*schemas.Gathered) bool, audits func(*schemas.Audited) bool, kept func(*[]byte) bool, emit func(string)) error {
	report, err := commitAll(ctx, fn.Config, receipts, gathered, audits, inOrder(kept))
	if err == nil {
		emit(report)
	}
	return err
}

// NightReport counts what a night did to the release and to what is remembered.
type NightReport struct {
	Added    int64 `json:"added"`
	Replaced int64 `json:"replaced"`
	Removed  int64 `json:"removed"`

	// Released notes that what is known now would change: those that were read again
	// and do, and those that were not among tonight's notes and may.
	Differing int64 `json:"differing"`
	MayDiffer int64 `json:"may_differ"`

	Released   int64 `json:"released"`   // notes in the release, of all nights
	Remembered int64 `json:"remembered"` // notes of which findings are kept

	// In what the night differs from those before it, more than nights do.
	Drift []history.Shift `json:"drift,omitempty"`
}

// ending is what a night comes to, before any of it is written.
type ending struct {
	*night
	report  NightReport
	changes []table.Change
	reissue []table.Reissue
	updates []history.Update
	head    *head  // the next, but for the file of updates and the manifest
	ids     string // of which type released ones are
	days    Days   // on which tonight's released notes were written
}

// end works out what a night comes to. The result does not depend on the order of
// receipts or of what is kept.
func (n *night) end(cfg Config, receipts []schemas.Receipt, kept [][]byte, report *Report) (*ending, error) {
	e := &ending{night: n}
	for _, r := range receipts {
		ids := idsOf(cfg, r.Columns)
		if err := n.head.checkIDs(cmp.Or(e.ids, ids), ids); err != nil {
			return nil, err
		}
		e.ids = ids
	}
	var parts []remembered
	for _, raw := range kept {
		var r remembered
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, err
		}
		parts = append(parts, r)
	}
	slices.SortFunc(parts, func(a, b remembered) int { return cmp.Or(a.Bucket-b.Bucket, strings.Compare(a.Part.File, b.Part.File)) })
	parts = slices.CompactFunc(parts, func(a, b remembered) bool { return a.Bucket == b.Bucket })
	if len(parts) != n.head.Buckets {
		return nil, fmt.Errorf("%d of %d parts of the state were written; nothing is published", len(parts), n.head.Buckets)
	}
	updates := map[history.Hash]history.Update{}
	pending := []schemas.Pending{}
	for _, r := range receipts {
		b, err := schemas.DecodeNightBatch(r.Night)
		if err != nil {
			return nil, err
		}
		for _, u := range b.Updates {
			if u.Change != history.Gone && u.Change != history.None && (n.withdrawn[u.Document] || n.withdrawn[u.Entry.Patient]) {
				return nil, errors.New("a note that was withdrawn is among tonight's; nothing is published")
			}
			updates[u.Document] = u
		}
		pending = append(pending, b.Pending...)
		if b.Dated {
			e.days.Add(b.First)
			e.days.Add(b.Last)
		}
	}
	removed := e.removed(updates)
	for i := range parts {
		for _, p := range parts[i].Pending {
			if _, ok := updates[p.Hash]; ok {
				continue
			}
			entry := n.entries[p.Hash]
			entry.Pending = true
			updates[p.Hash] = history.Update{Document: p.Hash, Entry: entry}
			pending = append(pending, p)
		}
		e.report.Remembered += parts[i].Notes
	}
	for _, h := range slices.SortedFunc(maps.Keys(updates), func(a, b history.Hash) int { return bytes.Compare(a[:], b[:]) }) {
		u := updates[h]
		e.updates = append(e.updates, u)
		if u.Change != history.None {
			e.change(u.Entry.ID, u.Change, u.Entry.Revision)
		}
	}
	for _, x := range removed {
		e.change(x.ID, history.Gone, x.Revision+1)
	}
	slices.SortFunc(e.changes, func(a, b table.Change) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Change, b.Change))
	})
	slices.SortFunc(pending, func(a, b schemas.Pending) int { return strings.Compare(a.Document, b.Document) })
	for _, p := range pending {
		e.reissue = append(e.reissue, table.Reissue{DocumentID: p.Document, ReleasedID: p.Released, Certain: p.Seen})
		if p.Seen {
			e.report.Differing++
		} else {
			e.report.MayDiffer++
		}
	}
	for h, x := range n.entries {
		if u, ok := updates[h]; ok {
			x = u.Entry
		}
		if x.Out {
			e.report.Released++
		}
	}
	for h, u := range updates {
		if _, ok := n.entries[h]; !ok && u.Entry.Out {
			e.report.Released++
		}
	}
	e.next(cfg, receipts, parts, report)
	return e, nil
}

func (e *ending) change(id string, c history.Change, revision int) {
	e.changes = append(e.changes, table.Change{ID: id, Change: c.String(), Revision: int64(revision)})
	switch c {
	case history.Added:
		e.report.Added++
	case history.Replaced:
		e.report.Replaced++
	default:
		e.report.Removed++
	}
}

// removed sees to released notes that leave the release whatever tonight's rows are:
// they were withdrawn, or released under another key. A note is tonight's patient's, where
// it is among tonight's. It alters updates, and returns the entries of notes that are
// released anew under another id, and so leave the release under theirs.
func (e *ending) removed(updates map[history.Hash]history.Update) (all []history.Entry) {
	for h, x := range e.entries {
		u, ok := updates[h]
		if !ok {
			u = history.Update{Document: h, Entry: x}
		}
		withdrawn := e.withdrawn[h] || e.withdrawn[u.Entry.Patient]
		anew := u.Change == history.Added || u.Change == history.Replaced
		switch {
		case !x.Out:
		case anew && u.Entry.ID != x.ID:
			all = append(all, x)
		case anew: // ids are kept under any key
			u.Change = history.Replaced
			updates[h] = u
		case withdrawn || x.Key != e.release:
			u.Change = history.Gone
			u.Entry.Out, u.Entry.Pending, u.Entry.Revision = false, false, x.Revision+1
			if withdrawn {
				u.Entry.Row = history.Hash{}
			}
			updates[h] = u
		}
	}
	return all
}

// next makes the next head.
func (e *ending) next(cfg Config, receipts []schemas.Receipt, parts []remembered, report *Report) {
	old := e.night.head
	h := &head{Format: stateFormat, Generation: old.Generation + 1, Night: cfg.Nights.Night, Success: storage.Join(cfg.Output, SuccessFile),
		Buckets: old.Buckets, Release: fmt.Sprintf("%x", e.release), What: e.what, Detector: e.detector, IDs: e.ids}
	before := old.Seen
	if h.Release != old.Release || h.What != old.What || h.Detector != old.Detector {
		before = nil // of files that were not read tonight, nothing is released as it would be now
	}
	h.Seen = seenNow(e.keys, before, receipts)
	byBucket := map[int]statePart{}
	for _, p := range old.History {
		byBucket[p.Bucket] = p
	}
	for _, p := range parts {
		if p.Changed {
			byBucket[p.Bucket] = p.Part
		}
	}
	for _, bucket := range sortedKeys(byBucket) {
		h.History = append(h.History, byBucket[bucket])
	}
	h.Entries = slices.Clone(old.Entries)
	h.Withdrawn = slices.SortedFunc(maps.Keys(e.withdrawn), func(a, b history.Hash) int { return bytes.Compare(a[:], b[:]) })
	processed := report.RowsIn - report.Unchanged - report.Counts.Withdrawn
	counts := history.NightCounts{Night: cfg.Nights.Night, Rows: processed, Quarantined: report.Quarantined, Tokens: report.Tokens,
		Spans: report.SpansByType, Languages: cfg.Languages}
	e.report.Drift = history.Drift(old.Nights, counts, history.DefaultBounds())
	h.Nights = append(slices.Clone(old.Nights), counts)
	h.Nights = h.Nights[max(0, len(h.Nights)-history.MostNights):]
	e.head = h
}

// files returns the tables that the night leaves, by their names.
func (e *ending) files() (map[string][]byte, error) {
	var changes, reissue bytes.Buffer
	if err := table.WriteChanges(&changes, e.changes, e.ids == integerIDs); errors.Is(err, table.ErrNoInteger) {
		return nil, otherIDs(textIDs, e.ids) // of a head that does not say it
	} else if err != nil {
		return nil, err
	}
	err := table.WriteReissues(&reissue, e.reissue)
	return map[string][]byte{ChangesFile: changes.Bytes(), ReissueFile: reissue.Bytes()}, err
}

// current fails where another night has been committed since this one began, or where the
// state would become one that cannot be read.
func (e *ending) current(ctx context.Context, cfg Config) error {
	generation, err := settle(ctx, e.keys, cfg.State)
	if err == nil && generation != e.head.Generation-1 {
		err = errStateMoved(cfg.State)
	}
	if err == nil {
		err = e.head.fits(cfg.State)
	}
	return err
}

// mostDeltas is how many files of updates there are before they become one.
const mostDeltas = 16

// prepare writes what the night adds to the state, and the pending head.
func (e *ending) prepare(ctx context.Context, cfg Config, manifest []byte) error {
	sum := sha256.Sum256(manifest)
	e.head.Manifest = hex.EncodeToString(sum[:])
	updates := e.updates
	if len(e.head.Entries) >= mostDeltas {
		all := maps.Clone(e.entries)
		for _, u := range updates {
			all[u.Document] = u.Entry
		}
		updates = nil
		for _, h := range slices.SortedFunc(maps.Keys(all), func(a, b history.Hash) int { return bytes.Compare(a[:], b[:]) }) {
			updates = append(updates, history.Update{Document: h, Entry: all[h]})
		}
		e.head.Entries = nil
	}
	if len(updates) > 0 {
		batch := schemas.NightBatch{Updates: updates}
		part, err := writeSealed(ctx, cfg, e.keys, "entries", batch.Encode())
		if err != nil {
			return err
		}
		e.head.Entries = append(e.head.Entries, part)
	}
	return prepareHead(ctx, cfg, e.keys, e.head)
}

// finish makes the pending head the head, now that the output is complete.
func (n *night) finish(ctx context.Context, cfg Config) error {
	generation, err := settle(ctx, n.keys, cfg.State)
	if err != nil {
		return err
	}
	if generation <= n.head.Generation {
		return fmt.Errorf("--state=%s: the night's output is complete, and the state is not; run the same command again", cfg.State)
	}
	h, _, err := readHead(ctx, n.keys, headName(cfg.State, n.head.Generation+1))
	if errors.Is(err, fs.ErrNotExist) && generation > n.head.Generation+1 {
		return nil // later nights have tidied it away
	}
	if err != nil {
		return err
	}
	if h.Success != storage.Join(cfg.Output, SuccessFile) {
		return fault.Mark(fault.Locked, fmt.Errorf("%w: the night %s was committed to --state=%s at the same time. %s is no part of "+
			"the release, though it has %s: do not apply it; remove it, and %s, and run this night again",
			ErrStateTaken, h.Night, cfg.State, cfg.Output, SuccessFile, cfg.Private))
	}
	tidyState(ctx, n.keys, cfg.State, generation)
	return nil
}

// shortBatch is the fewest days that notes may span whose dates move: a month. Whoever
// knows when a smaller batch was released, and has it by itself, knows by how much.
const shortBatch = 28

// dated returns why a night's notes tell the days that their dates were moved from,
// nothing if they do not.
func (e *ending) dated(cfg Config) []string {
	if why := DatedBatch(cfg, e.days); why != "" {
		return []string{why}
	}
	return nil
}

// DatedBatch returns why notes of those days, released by themselves, tell by how much
// their dates moved; "" if they do not, or that was accepted.
func DatedBatch(cfg Config, days Days) string {
	moves := cfg.Policy.DateColumns == surrogate.Shift || cfg.Policy.Of(phi.Date) == surrogate.Shift
	if cfg.Nights == nil || cfg.Gates.Dated || !moves || !days.Known || days.Count() >= shortBatch {
		return ""
	}
	return fmt.Sprintf("the night's notes were written within %d days: who knows when it ran takes the shifted dates back. Release a month "+
		"at once, or years alone (--hipaa_mode=safe-harbor), or, where nobody can tell a night's notes from others', write "+
		"--accept_dated_batches",
		days.Count())
}
