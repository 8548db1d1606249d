package transforms

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/canary"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/estimate"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/view"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// canaryGroups bounds the row groups that copies are taken from.
const canaryGroups = 32

// drawNotes returns n notes of the input, by a seed: the texts with the lowest hashes
// of some row groups that it draws. Only their copies are ever changed. Notes whose first
// text is not plain are left out, and counted: a line amid the marks of another format
// would break it, or be none.
func drawNotes(ctx context.Context, cfg Config, shards []schemas.Shard, n int, seed uint64) (s *Sample, notPlain int, err error) {
	hash := func(what string) uint64 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", seed, what))
		return binary.BigEndian.Uint64(sum[:])
	}
	places := spread(shards, 1<<30)
	sortBy(places, func(p place) uint64 { return hash(fmt.Sprintf("%s\x00%d", p.shard.Name, p.group)) })
	places = places[:min(len(places), canaryGroups)]
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(a.shard.Number-b.shard.Number, a.group-b.group) })
	type drawn struct {
		hash uint64
		note deid.Note
		text []string
	}
	var best []drawn
	keep := func() {
		slices.SortFunc(best, func(a, b drawn) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.note.Document, b.note.Document))
		})
		best = best[:min(len(best), n)]
	}
	for _, p := range places {
		b, object, err := openShard(ctx, cfg, p.shard, false)
		if err != nil {
			return nil, 0, err
		}
		err = b.ReadNotes(ctx, p.group, func(batch []table.Note) error {
			for _, note := range batch {
				texts := textsOf(note.Texts)
				k := firstText(texts)
				if noID(note.DocumentID) || k < 0 {
					continue
				}
				if view.FormatOf(texts[k], cfg.TextFormat) != view.Plain {
					notPlain++
					continue
				}
				best = append(best, drawn{hash(note.DocumentID.Text), cfg.identify(note, note.Row), slices.Clone(texts)})
			}
			if len(best) > 4*n+1024 {
				keep()
			}
			return nil
		})
		object.Close()
		if err != nil {
			return nil, 0, err
		}
	}
	keep()
	s = &Sample{}
	for _, d := range best {
		s.Notes, s.Texts = append(s.Notes, d.note), append(s.Texts, d.text)
	}
	return s, notPlain, nil
}

// firstText returns the index of the first text that is not empty, -1 where all are.
func firstText(texts []string) int {
	return slices.IndexFunc(texts, func(t string) bool { return strings.TrimSpace(t) != "" })
}

// PlantCanaries plants made-up identifiers in copies of n plain notes, does the job to
// them, each as a patient of its own, and counts how many it finds. Nothing of the
// copies is kept.
func PlantCanaries(ctx context.Context, cfg Config, shards []schemas.Shard, n int, seed uint64) (*gate.CanariesFile, error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return nil, err
	}
	settings := e.rewriter.Settings
	planter, err := canary.NewPlanter(cfg.Language, settings.Surrogates.Resolved(), []byte(e.keys.PseudonymString("canaries", "")), seed)
	if err != nil {
		return nil, err
	}
	s, notPlain, err := drawNotes(ctx, cfg, shards, n, seed)
	if err != nil {
		return nil, err
	}
	out := &gate.CanariesFile{FormatVersion: 1, Configuration: cfg.What.Digest(), Settings: cfg.SettingsDigest(), Seed: seed,
		Notes: len(s.Notes), NotPlain: notPlain,
		ByType: []gate.CanariesByType{}, Missed: []gate.MissedCanary{}}
	tally := canaryTally{}
	const step = 32 // copies in memory at once
	for at := 0; at < len(s.Notes); at += step {
		end := min(at+step, len(s.Notes))
		notes, texts, planted := make([]deid.Note, 0, step), make([][]string, 0, step), make([][]canary.Planted, 0, step)
		for i := at; i < end; i++ {
			note, copied := s.Notes[i], slices.Clone(s.Texts[i])
			text, in := planter.Plant(i, note.Document, copied[firstText(copied)])
			note.Patient, note.Orphan, note.Offset, note.Failure = deid.OrphanPatient(note.Document), true, 0, ""
			notes, texts, planted = append(notes, note), append(texts, []string{text}), append(planted, in)
		}
		if _, err := e.detector.Detect(notes, texts); err != nil {
			return nil, err
		}
		for i := range notes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if !e.countCanaries(&notes[i], texts[i][0], planted[i], out, tally) {
				out.Failed++
			}
		}
	}
	tally.into(out)
	return out, nil
}

// canaryTally has every canary by its type, and all of them in order of notes, each
// of which is a cluster, below none.
type canaryTally map[phi.Type][]gate.CanariesByType

// countCanaries does the job to a copy and counts. ok is false for one that the job
// would hold back.
func (e *engine) countCanaries(n *deid.Note, text string, planted []canary.Planted, out *gate.CanariesFile, tally canaryTally) (ok bool) {
	defer func() {
		if recover() != nil { // what it says may quote the note
			ok = false
		}
	}()
	if n.Failure != "" {
		return false
	}
	plan := deid.Resolve(e.rewriter.Settings, []*deid.Note{n}, nil, nil)
	patient := e.rewriter.Open(&plan)
	var spans []phi.Span
	for _, f := range n.Spans {
		spans = append(spans, f.Span)
	}
	released, err := patient.Text(text, spans, n.Document, patient.Reference(n))
	if err != nil {
		return false
	}
	for _, x := range planted {
		left, all := canary.Left(text, x, released.Replacements)
		c := gate.CanariesByType{Type: x.Type.String(), Planted: 1}
		switch {
		case left == 0:
			c.Found = 1
		case left < all:
			c.Partly = 1
		}
		tally[x.Type] = append(tally[x.Type], c)
		tally[phi.None] = append(tally[phi.None], c)
		if left > 0 {
			out.Missed = append(out.Missed, gate.MissedCanary{Document: n.Document, Type: x.Type.String(), Carrier: x.Text, Partly: left < all})
		}
	}
	return true
}

// into sums up.
func (t canaryTally) into(out *gate.CanariesFile) {
	sum := func(all []gate.CanariesByType, cluster int) (s gate.CanariesByType) {
		var hits, of []int
		for i, c := range all {
			s.Planted++
			s.Found += c.Found
			s.Partly += c.Partly
			if i%cluster == 0 {
				hits, of = append(hits, 0), append(of, 0)
			}
			hits[len(hits)-1] += c.Found
			of[len(of)-1]++
		}
		s.Share = estimate.Share(hits, of)
		return s
	}
	out.All = sum(t[phi.None], canary.PerNote)
	for _, typ := range phi.Types() {
		if len(t[typ]) > 0 {
			one := sum(t[typ], 1)
			one.Type = typ.String()
			out.ByType = append(out.ByType, one)
		}
	}
}
