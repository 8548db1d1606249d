package transforms

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Gate is what --gate asks of a release, and what is known before the job. It travels
// with the DoFns, in clear: no id of a note is in it.
type Gate struct {
	Thresholds gate.Thresholds
	Before     []gate.Check  // made by the launcher: of estimate and canaries
	Reader     ModelIdentity // the second reader's
	ReaderDir  string        // its directory
	Former     gate.Counted  // the release before, for drift
}

// GateFile, in private, has the verdict, and where to look. A run whose release is
// refused leaves it, and the next one of the same places takes it away.
const GateFile = "gate.json"

// CanariesFile, in private, is what palimpsest canaries writes before the job.
const CanariesFile = "canaries.json"

// Beforehand lists the private files that may be there before a job begins.
func Beforehand() []string { return []string{GateFile, CanariesFile} }

// GatePlace says where an audit found something, in the input: nothing of what it
// found is published under its own name.
type GatePlace struct {
	Check    string `json:"check"`
	Type     string `json:"type"`
	File     string `json:"file"`
	Row      int64  `json:"row"` // of the file, from 0
	Document string `json:"document_id"`
	Column   string `json:"text_column"`
	Element  string `json:"element,omitempty"`
	Start    int    `json:"start"` // code points of the input's text
	End      int    `json:"end"`
}

// mostPlaces bounds the places of each check that a shard or a bucket tells of, and that
// GateFile lists.
const mostPlaces = 1000

// auditOf is what Rewrite has found in a shard, as its receipt carries it.
type auditOf struct {
	Left   gate.Left   `json:"left"`
	Places []GatePlace `json:"places"`
}

// add adds a place, unless there are enough of its check.
func (a *auditOf) add(p GatePlace) {
	n := 0
	for i := range a.Places {
		if a.Places[i].Check == p.Check {
			n++
		}
	}
	if n < mostPlaces {
		a.Places = append(a.Places, p)
	}
}

// GateReport is GateFile.
type GateReport struct {
	gate.Verdict
	Left   gate.Left        `json:"left"`
	Listed map[string]int64 `json:"places_found"` // by check; of which the list has at most a thousand each
	Places []GatePlace      `json:"places"`
}

// judged brings together what the shards and the patients' audits have found, and
// judges it.
func judged(cfg Config, receipts []schemas.Receipt, audited []schemas.Audited, r *Report) (*GateReport, error) {
	g := &GateReport{Places: []GatePlace{}}
	var places []GatePlace
	files, rows := map[int]string{}, map[int]int64{}
	for _, receipt := range receipts {
		files[receipt.Shard.Number], rows[receipt.Shard.Number] = receipt.Shard.File, receipt.Shard.FirstRow
		if len(receipt.Audit) == 0 {
			return nil, fmt.Errorf("shard %d was not audited", receipt.Shard.Number)
		}
		var a auditOf
		if err := json.Unmarshal(receipt.Audit, &a); err != nil {
			return nil, err
		}
		g.Left.Add(a.Left)
		for _, p := range a.Places {
			p.File, p.Row = receipt.Shard.File, p.Row+receipt.Shard.FirstRow
			places = append(places, p)
		}
	}
	slices.SortFunc(audited, func(a, b schemas.Audited) int { return a.Bucket - b.Bucket })
	audited = slices.CompactFunc(audited, func(a, b schemas.Audited) bool { return a.Bucket == b.Bucket })
	for _, b := range audited {
		g.Left.Copies += b.Left
		var of []copyPlace
		if err := json.Unmarshal(b.Places, &of); err != nil {
			return nil, err
		}
		for _, p := range of {
			p.File, p.Row = files[p.Shard], p.Row+rows[p.Shard]
			places = append(places, p.GatePlace)
		}
	}
	sortPlaces(places)
	g.Listed = map[string]int64{gate.KindKnown: g.Left.Known, gate.KindEqual: g.Left.Equal, gate.KindCopies: g.Left.Copies,
		gate.KindReader: g.Left.Reader}
	listed := map[string]int{}
	for _, p := range places {
		if listed[p.Check]++; listed[p.Check] <= mostPlaces {
			g.Places = append(g.Places, p)
		}
	}
	g.Verdict = gate.Judge(&cfg.Gate.Thresholds, gate.Facts{
		RowsIn: r.RowsIn, Quarantined: r.Quarantined, Notes: r.RowsOut, Left: g.Left,
		Drift: gate.Changes(cfg.Gate.Former, r.Counted()),
	}, cfg.Gate.Before)
	return g, nil
}

func sortPlaces(places []GatePlace) {
	slices.SortFunc(places, func(a, b GatePlace) int {
		if c := strings.Compare(a.Check, b.Check); c != 0 {
			return c
		}
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		if a.Row != b.Row {
			return int(a.Row - b.Row)
		}
		if c := strings.Compare(a.Column+"\x00"+a.Element, b.Column+"\x00"+b.Element); c != 0 {
			return c
		}
		return a.Start - b.Start
	})
}

// Counted is what drift compares.
func (r Report) Counted() gate.Counted {
	return gate.Counted{Tokens: r.Tokens, ByType: r.SpansByType}
}

// leaveVerdict takes away what an earlier run has left, and leaves the verdict of one
// that is refused where its user finds it.
func leaveVerdict(ctx context.Context, cfg Config, g *GateReport) error {
	name := storage.Join(cfg.Private, GateFile)
	there, err := exists(ctx, name)
	if err == nil && there {
		err = storage.Remove(ctx, name)
	}
	if err != nil || g == nil || g.Passed {
		return err
	}
	raw, err := indented(g)
	if err == nil {
		err = storage.WritePrivateFile(ctx, name, raw)
	}
	return err
}
