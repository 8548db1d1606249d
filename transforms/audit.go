package transforms

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

func init() {
	registerDoFn((*auditFn).process, func(f auditProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*[]byte) bool), args[3].(func(schemas.Audited)))
	})
	register.Emitter1[schemas.Audited]()
	register.Iter1[schemas.Audited]()
	beam.RegisterType(reflectType[schemas.Audited]())
}

// Audit compares the copies of passages in all notes of a patient, between Rewrite
// and Commit: KV<int, []byte> (schemas.CopyBatch) by bucket. Without a gate that
// asks for it there are none.
func Audit(s beam.Scope, cfg Config, copies beam.PCollection) beam.PCollection { // schemas.Audited
	s = s.Scope("transforms.Audit")
	return beam.ParDo(s, &auditFn{Config: cfg}, beam.GroupByKey(s, copies))
}

type auditFn struct {
	Config Config
}

// auditProcess is the type of its ProcessElement.
type auditProcess = func(context.Context, int, func(*[]byte) bool, func(schemas.Audited)) error

func (fn *auditFn) process() auditProcess { return fn.ProcessElement }

func (fn *auditFn) ProcessElement(ctx context.Context, bucket int, batches func(*[]byte) bool, emit func(schemas.Audited)) error {
	_, done, err := holding(ctx, fn.Config)
	if err != nil {
		return err
	}
	defer done()
	a, err := auditCopies(bucket, inOrder(batches))
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	emit(a)
	return nil
}

// copyPlace is a place that knows its shard, and not yet its file.
type copyPlace struct {
	GatePlace
	Shard int `json:"shard"`
}

// auditCopies compares the copies of a bucket's patients.
func auditCopies(bucket int, batches [][]byte) (a schemas.Audited, err error) {
	a.Bucket = bucket
	type text struct {
		*schemas.CopyText
		shard int
	}
	byPatient := map[string][]text{}
	seen := map[[2]int]bool{} // a batch may have been made twice
	for _, data := range batches {
		b, err := schemas.DecodeCopyBatch(data)
		if err != nil {
			return a, err
		}
		if key := [2]int{b.Shard, b.Part}; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		for i := range b.Texts {
			t := &b.Texts[i]
			byPatient[t.Patient] = append(byPatient[t.Patient], text{t, b.Shard})
		}
	}
	places := []copyPlace{}
	for _, patient := range sortedKeys(byPatient) {
		texts := byPatient[patient]
		var copies []audit.Copy
		for i, t := range texts {
			for _, p := range t.Passages {
				copies = append(copies, audit.Copy{Note: i, Passage: p})
			}
		}
		for _, l := range audit.Compare(copies) {
			a.Left++
			t := texts[l.Note]
			if len(places) < mostPlaces {
				places = append(places, copyPlace{GatePlace{Check: gate.KindCopies, Type: l.Type.String(), Row: t.Row, Document: t.Document,
					Column: t.Column, Element: t.Element, Start: l.Start, End: l.End}, t.shard})
			}
		}
	}
	a.Places, err = json.Marshal(places)
	return a, err
}

// auditor looks at the texts of a shard that are about to be released.
type auditor struct {
	gate     *Gate
	reader   *deid.Detector // runs the second reader's model and nothing else; nil for none
	settings deid.Settings
	keys     *surrogate.Keyring
	secret   []byte

	all    auditOf
	emit   func(int, []byte)
	copies map[int]*schemas.CopyBatch // by bucket, not yet handed on
	held   int                        // passages in them
	part   int
}

// mostHeld bounds the passages that a shard keeps before it hands them on: 60 bytes each.
const mostHeld = 1 << 18

// newAuditor returns nil where no gate asks for one.
func newAuditor(e *engine, emit func(int, []byte)) *auditor {
	if e.cfg.Gate == nil {
		return nil
	}
	a := &auditor{gate: e.cfg.Gate, settings: e.rewriter.Settings, keys: e.keys,
		secret: []byte(e.keys.PseudonymString("passages", "")), emit: counting(emit),
		copies: map[int]*schemas.CopyBatch{}}
	if e.reader != nil {
		a.reader = &deid.Detector{Network: e.reader}
	}
	return a
}

// audited is what was found in a note, and what there is to find more in.
type audited struct {
	left   gate.Left
	places []GatePlace
	texts  []schemas.CopyText
	reads  []readText
}

// readText is a released text for the second reader.
type readText struct {
	column, element, original, released string
	replaced                            []surrogate.Replacement
}

// values are what is known of a patient, for the audit of what is released.
func (p *patient) values(kept []string) *audit.Values {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.looked == nil {
		p.looked = audit.NewValues(p.plan.Observed, kept)
	}
	return p.looked
}

// text looks at one released text of a row of the shard.
func (a *auditor) text(row int64, patient *patient, document, column, element, original string, released deid.Released, r *audited) {
	place := func(check string, found []audit.Place) int64 {
		points, ends := deid.NewCodePoints(original), deid.NewCodePoints(original)
		for _, p := range found {
			r.places = append(r.places, GatePlace{Check: check, Type: p.Type.String(), Row: row, Document: document, Column: column,
				Element: element,
				Start:   points.At(p.Start), End: ends.At(p.End)})
		}
		return int64(len(found))
	}
	t := &a.gate.Thresholds
	if t.Known != nil {
		values := patient.values(a.settings.Surrogates.Resolved().KeepKnown)
		r.left.Known += place(gate.KindKnown, values.Left(original, released.Text, released.Replacements))
	}
	if t.Equal != nil {
		r.left.Equal += place(gate.KindEqual, audit.Equal(original, released.Text, released.Replacements))
	}
	if t.Copies != nil {
		passages := audit.Passages(original, released.Replacements, a.hash)
		points, ends := deid.NewCodePoints(original), deid.NewCodePoints(original)
		for i := range passages {
			passages[i].Start, passages[i].End = points.At(passages[i].Start), ends.At(passages[i].End)
		}
		r.texts = append(r.texts, schemas.CopyText{Patient: patient.plan.ID, Document: document, Column: column, Element: element, Row: row,
			Passages: passages})
	}
	if a.reader != nil {
		r.reads = append(r.reads, readText{column, element, original, released.Text, released.Replacements})
	}
}

func (a *auditor) hash(b []byte) uint64 {
	var room [256]byte
	sum := sha256.Sum256(append(append(room[:0], a.secret...), b...))
	return binary.LittleEndian.Uint64(sum[:])
}

// readNote is a note whose released texts the second reader is to read.
type readNote struct {
	*audited
	row      int64 // of the shard
	document string
	failure  string // why it is held back after all: reason code, or ""
}

// read has the second model read the released texts of some notes. One that it cannot
// read costs its note, as in Detect; an error means that the model itself is broken.
func (a *auditor) read(notes []readNote) error {
	read, texts := make([]deid.Note, len(notes)), make([][]string, len(notes))
	for i, n := range notes {
		for _, r := range n.reads {
			texts[i] = append(texts[i], r.released)
		}
	}
	tagged, err := a.reader.Tag(read, texts)
	if err != nil {
		return fmt.Errorf("second reader: %w", err)
	}
	for i := range notes {
		notes[i].failure = read[i].Failure
	}
	for k := range tagged {
		if n := &notes[tagged[k].Note]; n.failure == "" {
			n.failure = a.judge(n, &tagged[k])
		}
	}
	for i := range notes {
		notes[i].reads = nil
	}
	return nil
}

// judge enters what the second reader has found in one text of a note and nobody has
// replaced. It returns why that failed, or "".
func (a *auditor) judge(n *readNote, tagged *deid.Tagged) (failure string) {
	defer func() {
		if recover() != nil { // what it says may quote the note
			failure = deid.ReasonAuditFailed
		}
	}()
	r, policy := n.reads[tagged.Text], a.settings.Surrogates.Resolved()
	points, ends := deid.NewCodePoints(r.original), deid.NewCodePoints(r.original)
	for _, s := range tagged.Network {
		if s.Score < a.gate.Thresholds.SecondReader.Score || policy.Of(s.Type) == surrogate.Keep || harmlessAge(s, r.released) ||
			a.settings.Allow.Allows(r.released, tagged.Input.Tokens, s) {
			continue
		}
		if p, ok := audit.Outside(s, r.replaced); ok {
			n.places = append(n.places, GatePlace{Check: gate.KindReader, Type: p.Type.String(), Row: n.row, Document: n.document,
				Column: r.column, Element: r.element, Start: points.At(p.Start), End: ends.At(p.End)})
			n.left.Reader++
		}
	}
	return ""
}

// harmlessAge reports whether a span is an age that no rule asks to remove.
func harmlessAge(s phi.Span, text string) bool {
	if s.Type != phi.Age {
		return false
	}
	digits := 0
	for digits < s.End-s.Start && text[s.Start+digits] >= '0' && text[s.Start+digits] <= '9' {
		digits++
	}
	age, err := strconv.Atoi(text[s.Start : s.Start+digits])
	return err != nil || age <= 89
}

// add takes in what was found in a note that is released.
func (a *auditor) add(shard int, r *audited) {
	a.all.Left.Add(r.left)
	for _, p := range r.places {
		a.all.add(p)
	}
	for _, t := range r.texts {
		bucket := a.keys.Bucket(t.Patient, 256)
		b := a.copies[bucket]
		if b == nil {
			b = &schemas.CopyBatch{Shard: shard, Part: a.part}
			a.copies[bucket] = b
		}
		b.Texts = append(b.Texts, t)
		a.held += len(t.Passages)
	}
	if a.held > mostHeld {
		a.flush()
	}
}

// flush hands on the passages.
func (a *auditor) flush() {
	for _, bucket := range sortedKeys(a.copies) {
		a.emit(bucket, a.copies[bucket].Encode())
	}
	clear(a.copies)
	a.held, a.part = 0, a.part+1
}

// close hands on the rest and returns what was found, for the receipt.
func (a *auditor) close() ([]byte, error) {
	a.flush()
	return json.Marshal(a.all)
}

// loadReader returns the second reader of a gate, nil if it asks for none. Any
// tagger of released texts will do: this one is a model as the job's own.
func loadReader(ctx context.Context, cfg Config) (deid.Network, error) {
	if cfg.Gate == nil || cfg.Gate.Thresholds.SecondReader == nil {
		return nil, nil
	}
	m, err := LoadModel(ctx, cfg.Gate.ReaderDir)
	if err != nil {
		return nil, fmt.Errorf("--gate: second_reader: %w", err)
	}
	if m.Digest != cfg.Gate.Reader.Digest {
		return nil, otherDigest("second reader's model", cfg.Gate.ReaderDir, m.Digest, cfg.Gate.Reader.Digest)
	}
	setup := cfg.Setup()
	setup.Bias, setup.CacheBytes, setup.Count = chain.Bias{}, 0, nil // released texts are read once, and few alike
	running, err := m.Run(setup)
	if err != nil {
		return nil, fmt.Errorf("--gate: second_reader: %w", err)
	}
	return running.Tagger, nil
}
