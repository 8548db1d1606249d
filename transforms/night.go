package transforms

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// night is what the DoFns of one process know of a job's state: what it remembers of
// notes, and how tonight's are compared with it.
type night struct {
	keys      *history.Keys
	head      *head // as the night began
	entries   map[history.Hash]history.Entry
	withdrawn map[history.Hash]bool // documents and patients

	detector history.Short // tonight's
	release  history.Short
	what     history.Hash
	columns  string // what becomes of columns, which a row's values do not tell
}

// remembers reports whether a job has a state that was opened for it. Commands that only
// read a job's notes open none.
func (cfg Config) remembers() bool { return cfg.Nights != nil && cfg.Nights.StateKeyID != "" }

var nights struct {
	sync.Mutex
	m map[string]*night
}

// nightFor returns the process's view of the state that a job began with, nil where
// it has none.
func nightFor(ctx context.Context, cfg Config) (*night, error) {
	if !cfg.remembers() {
		return nil, nil
	}
	id := digestOf([]any{cfg.State, cfg.Withdrawn, cfg.What})
	nights.Lock()
	defer nights.Unlock()
	if n := nights.m[id]; n != nil {
		return n, nil
	}
	n, err := openNight(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("--state=%s: %w", cfg.State, err)
	}
	nights.m = map[string]*night{id: n} // that of an earlier job in this process is needed no more
	return n, nil
}

func openNight(ctx context.Context, cfg Config) (*night, error) {
	keys, err := stateKeys(ctx, cfg)
	if err != nil {
		return nil, err
	}
	n := &night{keys: keys, head: &head{Buckets: cfg.Buckets}, entries: map[history.Hash]history.Entry{},
		withdrawn: map[history.Hash]bool{}}
	n.detector = keys.Hash("detector", cfg.detectorDigest()).Short()
	n.release = keys.Hash("release", cfg.releaseKey()).Short()
	n.what = keys.Hash("what", cfg.releaseDigest())
	n.columns = digestOf(cfg.Columns)
	if g := cfg.Nights.Generation; g > 0 {
		var mac string
		if n.head, mac, err = readHead(ctx, keys, headName(cfg.State, g)); err != nil {
			return nil, err
		}
		if mac != cfg.Nights.State {
			return nil, errors.New("it is not the state that the job was started with")
		}
	}
	for i, p := range n.head.Entries {
		data, err := readSealed(ctx, cfg.State, keys, "entries", p)
		if err != nil {
			return nil, err
		}
		b, err := schemas.DecodeNightBatch(data)
		if err != nil {
			return nil, err
		}
		for _, u := range b.Updates {
			n.entries[u.Document] = u.Entry
		}
		n.head.Entries[i].Bucket = len(b.Updates) // how many, for the next night
	}
	for _, h := range n.head.Withdrawn {
		n.withdrawn[h] = true
	}
	tonight, err := readWithdrawn(ctx, cfg, keys)
	for _, h := range tonight {
		n.withdrawn[h] = true
	}
	return n, err
}

// detectorDigest names all that decides what is found in a text.
func (w What) detectorDigest() string {
	of := []any{w.Program, w.Models(), w.TextFormat, w.StaffDigest, w.SiteRulesDigest, w.AllowDigest, w.Steps, w.RecallBias,
		w.DoubtBias, w.Language,
		w.MaxNoteBytes}
	if w.Vote {
		of = append(of, "vote")
	}
	return digestOf(of)
}

// releaseKey names what pseudonyms are made with: notes released with another are
// not those of this release.
func (w What) releaseKey() string { return digestOf([]any{w.KeyID, w.Epoch, w.KeepIDs}) }

// releaseDigest names all that decides what is released of a row, but for key,
// findings, and what is known of the patient.
func (w What) releaseDigest() string {
	w.Nights, w.KnownIdentifiers, w.IdentifierColumns = nil, nil, nil
	w.Model, w.StaffDigest, w.SiteRulesDigest, w.RecallBias, w.DoubtBias = ModelIdentity{}, "", "", 0, 0
	w.MoreModels, w.Vote = nil, false
	w.RowOrder, w.Limit = "", 0
	return digestOf(w)
}

// rotated reports whether the release is made with another key than before.
func (n *night) rotated() bool {
	return n.head.Generation > 0 && n.head.Release != fmt.Sprintf("%x", n.release)
}

func (n *night) patient(id string) history.Hash { return n.keys.Hash("patient", id) }

func (n *night) document(id string) history.Hash { return n.keys.Hash("document", id) }

// row says how a row stands to what is remembered.
func (n *night) row(note *deid.Note, texts []string, digest [32]byte) history.Row {
	note.Hash = deid.HashTexts(texts)
	r := history.Row{Document: n.document(note.Document), Digest: n.keys.Hash("row", string(digest[:])),
		Text: n.keys.Hash("text", string(binary.LittleEndian.AppendUint64(nil, note.Hash))).Short()}
	if note.Failure == deid.ReasonNoDocumentID {
		r.Document = history.Hash{} // of nothing that can be met again
	}
	if n.withdrawn[r.Document] || n.withdrawn[n.patient(note.Patient)] {
		r.Kind = history.Removed
		return r
	}
	if r.Document == (history.Hash{}) {
		return r
	}
	e, found := n.entries[r.Document]
	if found && e.Patient != n.patient(note.Patient) {
		found = false // what was found is with the other patient
	}
	r.Kind = e.Kind(found, r, n.detector)
	return r
}

// bucketer returns the function that gives each patient a bucket: by the job's keys, or
// with a state, whose keys are not nil, by the state's, which stays the same for years
// and under any key.
func (cfg Config) bucketer(keys *surrogate.Keyring, state *history.Keys) func(patient string) int {
	if state != nil {
		return func(id string) int { return state.Hash("patient", id).Bucket(cfg.Buckets) }
	}
	return func(id string) int { return keys.Bucket(id, cfg.Buckets) }
}

// history reads what is remembered of the patients of a bucket.
func (n *night) history(ctx context.Context, cfg Config, bucket int) (*schemas.HistoryBatch, error) {
	for _, p := range n.head.History {
		if p.Bucket != bucket {
			continue
		}
		data, err := readSealed(ctx, cfg.State, n.keys, historyPlace(bucket), p)
		if err != nil {
			return nil, err
		}
		return schemas.DecodeHistoryBatch(data)
	}
	return &schemas.HistoryBatch{}, nil
}

func historyPlace(bucket int) string { return fmt.Sprintf("history/%05d", bucket) }

// work names the file with what was found in a shard: of a night that is stopped and
// run again the taggers need not read it twice.
func (n *night) work(cfg Config, shard schemas.Shard) string {
	id := n.keys.Hash("work", digestOf([]any{shard.File, shard.Fingerprint, shard.Number, shard.FirstGroup, shard.Groups, cfg.Nights.State,
		cfg.Nights.Withdrawn, n.detector, cfg.Columns}))
	return storage.Join(cfg.State, ofGeneration(stateWork, cfg.Nights.Generation+1, fmt.Sprintf("%x", id)))
}

// found returns what an earlier run of the night has found in a shard, nil if
// nothing.
func (n *night) found(ctx context.Context, cfg Config, shard schemas.Shard) *schemas.SpanBatch {
	name := n.work(cfg, shard)
	sealed, err := storage.ReadFile(ctx, name, maxStateFile)
	if err != nil {
		return nil // it is found anew
	}
	data, err := n.keys.Open(storage.Base(name), sealed)
	if err != nil {
		return nil
	}
	b, err := schemas.DecodeSpanBatch(data)
	if err != nil || int64(len(b.Notes)) != shard.Rows {
		return nil
	}
	return b
}

// keep writes down what was found in a shard.
func (n *night) keep(ctx context.Context, cfg Config, shard schemas.Shard, b *schemas.SpanBatch) error {
	name := n.work(cfg, shard)
	err := storage.WritePrivateFile(ctx, name, n.keys.Seal(storage.Base(name), b.Encode()))
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return err
}

// moved returns the bucket of the patient that a note was of, if it is another's now.
func (n *night) moved(note deid.Note, r history.Row) (bucket int, ok bool) {
	e, found := n.entries[r.Document]
	if !found || e.Patient == n.patient(note.Patient) || note.Failure == deid.ReasonNoDocumentID {
		return 0, false
	}
	return e.Patient.Bucket(n.head.Buckets), true
}

// stands reports whether a row is the one that its note is known by.
func (n *night) stands(r history.Row) bool {
	e, found := n.entries[r.Document]
	return found && e.Row == r.Digest
}

// unseen returns the notes whose rows are released tonight, as far as rows tell.
func (n *night) unseen(notes []deid.Note, rows []history.Row) []deid.Note {
	if n == nil || n.rotated() {
		return notes
	}
	var out []deid.Note
	for i := range notes {
		if k := rows[i].Kind; k == history.Fresh || k == history.Reread {
			out = append(out, notes[i])
		}
	}
	return out
}
