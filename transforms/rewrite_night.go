package transforms

import (
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// idle reports whether none of a row group's rows, of which so many of the shard come
// before, has anything to be done, and how many there are: then they need not be read.
func (j *shardJob) idle(b *table.Binding, group int, before int64) (rows int64, ok bool) {
	if j.night == nil {
		return 0, false
	}
	rows = b.File().RowGroups()[group].Rows
	for row := before; row < before+rows; row++ {
		p := j.plans[row]
		if p == nil || p.Failure != "" || j.duplicate[row] || p.step.Action != history.Skip && p.step.Action != history.Withdrawn {
			return rows, false
		}
	}
	return rows, rows > 0
}

// passOver counts rows that are not read.
func (j *shardJob) passOver(before, rows int64, all *schemas.Counts) {
	for row := before; row < before+rows; row++ {
		p := j.plans[row]
		p.patient.done()
		j.passed(p, all)
		j.tagged(p)
		j.withdraw(row, p)
	}
	progress.Released.Add(rows)
}

// passed counts a row that is not released.
func (j *shardJob) passed(p *plan, all *schemas.Counts) {
	if p.step.Action == history.Withdrawn {
		all.Withdrawn++
	} else {
		all.Unchanged++
	}
	if k := p.step.Row.Kind; k == history.Seen || k == history.Reread {
		all.Reused++
	}
}

// compare leaves a row out whose release stands: it reads as it was released, or it is
// not to be released anew.
func (j *shardJob) compare(row *table.Row, p *plan, r *result) {
	digest := row.ReleasedDigest()
	r.id, r.released = row.ReleasedID(), j.night.keys.Hash("released", j.night.columns+string(digest[:]))
	if p.step.Action == history.Compare && (!j.cfg.Nights.Reissue || r.released == j.night.entries[p.step.Row.Document].Released) {
		row.Omit()
	}
}

// settle notes what becomes of a row in the state. Rows come in order.
func (j *shardJob) settle(index int64, row *table.Row, r *result, all *schemas.Counts) {
	p := j.plans[index]
	switch {
	case j.night == nil || p == nil:
		return
	case p.step.Row.Document == (history.Hash{}):
		if row.Omitted() { // its patient was withdrawn
			j.passed(p, all)
		}
		return
	}
	document := p.step.Row.Document
	before, found := j.night.entries[document]
	reason, held := row.Quarantined()
	switch {
	case held && reason == ReasonDuplicateID:
		return // the other row of the id decides
	case held:
		if found && before.Key != j.night.release {
			before.Out = false // Commit says so of all of that key
		}
		u := history.Withhold(before, p.step.Patient)
		u.Document = document
		j.tonight.Updates = append(j.tonight.Updates, u)
		return
	case row.Omitted():
		j.passed(p, all)
		if p.step.Action == history.Compare {
			j.stand(p, before, r, row.DocumentID.Text, all)
		} else {
			j.tagged(p)
			j.withdraw(index, p)
		}
		return
	}
	if k := p.step.Row.Kind; k == history.Seen || k == history.Reread {
		all.Reused++
	}
	now := history.Entry{Patient: p.step.Patient, Row: p.step.Row.Digest, Text: p.step.Row.Text, Detector: j.night.detector,
		Basis: p.step.Basis, Released: r.released, Key: j.night.release, ID: r.id}
	if found && before.Key != now.Key {
		before.Out = false
	}
	u := history.Next(before, found, now)
	u.Document = document
	if p.step.Action == history.Compare {
		all.Reissued++
	}
	if row.HasDate && deid.PlausibleDay(int(row.NoteDate)) {
		j.tonight.Written(int(row.NoteDate))
	}
	j.tonight.Updates = append(j.tonight.Updates, u)
}

// tagged notes of a row whose release stands that it was tagged anew, such as by
// another model: what was found now is what is remembered.
func (j *shardJob) tagged(p *plan) {
	if e, found := j.night.entries[p.step.Row.Document]; found && p.step.Action == history.Skip && p.step.Row.Kind == history.Fresh {
		e.Detector = j.night.detector
		j.tonight.Updates = append(j.tonight.Updates, history.Update{Document: p.step.Row.Document, Entry: e})
	}
}

// withdraw notes of a row that was withdrawn that its note leaves the release, whoever's
// it was when it was released: patients are merged, and their notes move. Where tonight
// has another row of the id, that one decides.
func (j *shardJob) withdraw(index int64, p *plan) {
	before, found := j.night.entries[p.step.Row.Document]
	if !found || p.step.Action != history.Withdrawn || j.duplicate[index] {
		return
	}
	u := history.Withhold(before, p.step.Patient)
	u.Document = p.step.Row.Document
	if u.Entry != before {
		j.tonight.Updates = append(j.tonight.Updates, u)
	}
}

// stand notes of a row that was written again and is not released whether it reads as
// its release.
func (j *shardJob) stand(p *plan, before history.Entry, r *result, document string, all *schemas.Counts) {
	before.Detector = j.night.detector
	if before.Pending = r.released != before.Released; before.Pending {
		all.Differing++
		j.tonight.Pending = append(j.tonight.Pending, schemas.Pending{Document: document, Released: before.ID, Hash: p.step.Row.Document,
			Seen: true})
	} else {
		before.Basis = p.step.Basis
	}
	j.tonight.Updates = append(j.tonight.Updates, history.Update{Document: p.step.Row.Document, Entry: before})
}
