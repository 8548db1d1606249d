package transforms

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// births matches columns of days of birth.
var births = regexp.MustCompile(`(?i)birth|dob|geburt|naissance|nacimiento|nascita|geboorte|nascimento`)

// IsBirth reports whether a column holds days of birth, by its name.
func IsBirth(column string) bool { return births.MatchString(column) }

// survey reads the ids and dates of a shard of a table without texts. In place of
// spans it sends what the rows say of each patient, one note for all of them.
func (e *engine) survey(ctx context.Context, shard schemas.Shard, spans, documents, days func(int, []byte)) error {
	binding, object, err := openShard(ctx, e.cfg, shard, false)
	if err != nil {
		return err
	}
	defer object.Close()
	s := &survey{engine: e, shard: shard, patients: map[rowsOf]*deid.Note{}, documents: map[int]*schemas.DocumentBatch{},
		days: e.newDays(shard)}
	for group := shard.FirstGroup; group < shard.FirstGroup+shard.Groups; group++ {
		err := binding.ReadDates(ctx, group, func(batch []table.DatedRow) error {
			for i := range batch {
				if s.rows == shard.Rows && e.cfg.Limit > 0 {
					return errEnough
				}
				s.add(&batch[i])
			}
			progress.Notes.Add(int64(len(batch)))
			return ctx.Err()
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	if s.rows != shard.Rows {
		return fmt.Errorf("%s: row groups %d to %d hold %d rows, the footer says %d", shard.File, shard.FirstGroup,
			shard.FirstGroup+shard.Groups-1, s.rows, shard.Rows)
	}
	s.send(spans, documents, days)
	return nil
}

// rowsOf names rows that one note stands for. Several offsets that are supplied for
// one patient are told apart, for they clash.
type rowsOf struct {
	patient string
	offset  int
}

// survey is what the rows of a shard say.
type survey struct {
	engine    *engine
	shard     schemas.Shard
	rows      int64
	patients  map[rowsOf]*deid.Note
	documents map[int]*schemas.DocumentBatch // by bucket
	days      *dayRuns
}

func (s *survey) add(row *table.DatedRow) {
	e, at := s.engine, s.rows
	s.rows++
	n := e.identify(row.Note, at)
	if !noID(row.DocumentID) {
		bucket := e.keys.Bucket(n.Document, e.cfg.Buckets)
		if s.documents[bucket] == nil {
			s.documents[bucket] = &schemas.DocumentBatch{Shard: s.shard.Number}
		}
		d := s.documents[bucket]
		d.IDs = append(d.IDs, schemas.DocumentID{Hash: e.hash(fmt.Sprintf("%d\x00%s", s.shard.Table, n.Document)), Row: at})
	}
	if n.Orphan {
		return // of nobody, and held back
	}
	key := rowsOf{n.Who(), n.Offset}
	of := s.patients[key]
	if of == nil {
		of = &deid.Note{Row: at, Patient: n.Patient, Person: n.Person, Linked: n.Linked, Offset: n.Offset, Rows: &deid.Rows{}}
		s.patients[key] = of
	}
	of.Rows.Count++
	first, born := -1, -1 // of the row's days, by index
	days := make([]int, len(row.Dates))
	for i, d := range row.Dates {
		day, ok := int(d.Day), d.HasDay
		if !ok && !d.Null {
			day, ok = e.rewriter.Settings.DayOf(d.Text, IsBirth(e.cfg.Columns.Dates[i]))
		}
		days[i] = day
		own := e.cfg.Columns.NoteDate
		switch {
		case !ok || !deid.PlausibleDay(day):
		case IsBirth(e.cfg.Columns.Dates[i]):
			of.Rows.AddBirth(day)
			born = i
		case own != "" && own != e.cfg.Columns.Dates[i]: // the row's own date says when the patient was seen, as a note's does
		default:
			of.Rows.AddDay(day)
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		first = born // a table may be in the order of these as well
	}
	if first >= 0 && s.days.measures(at) {
		s.days.add(n.Patient, days[first])
	}
}

func (s *survey) send(spans, documents, days func(int, []byte)) {
	batches := map[int]*schemas.SpanBatch{}
	for _, n := range s.patients {
		bucket := s.engine.keys.Bucket(n.Patient, s.engine.cfg.Buckets)
		if batches[bucket] == nil {
			batches[bucket] = &schemas.SpanBatch{Shard: s.shard.Number}
		}
		batches[bucket].Notes = append(batches[bucket].Notes, *n)
	}
	for _, bucket := range sortedKeys(batches) {
		sortBy(batches[bucket].Notes, func(n deid.Note) int64 { return n.Row })
		spans(bucket, batches[bucket].Encode())
	}
	for _, bucket := range sortedKeys(s.documents) {
		documents(s.engine.cfg.documentsKey(s.shard.Table, bucket), s.documents[bucket].Encode())
	}
	days(s.shard.Table, s.days.batch().Encode())
}

// owner is the patient of rows of a table without texts.
type owner struct {
	*patient
	failure string // reason code, where what is said of the patient cannot be used
}

// addOwners is add for a table without texts, whose rows find their plans by the
// patient's id.
func (j *shardJob) addOwners(b *schemas.PlanBatch) error {
	for i := range b.Patients {
		all := &b.Patients[i]
		who := (&deid.Note{Patient: all.ID, Person: all.Person}).Who()
		if j.owners[who] != nil {
			return fmt.Errorf("a patient has two plans")
		}
		o := &owner{patient: j.patientOf(all)}
		for _, n := range all.Notes {
			o.left += n.Rows.Count
			if n.Failure != "" {
				o.failure = n.Failure
			}
		}
		j.owners[who] = o
	}
	return nil
}

// rewriteOwned edits one row of a table without texts, or quarantines it. index is
// its row in the shard.
func (j *shardJob) rewriteOwned(b *table.Binding, index int64, row *table.Row) (r result, err error) {
	defer func() {
		if recover() != nil {
			row.Quarantine(deid.ReasonReplaceFailed)
		}
	}()
	n := j.identify(row.Note, index)
	o := j.owners[n.Who()]
	if o != nil {
		defer o.done()
	}
	owned := j.cfg.Columns.PatientID != ""
	switch {
	case n.Failure == deid.ReasonNoDocumentID:
		row.Quarantine(n.Failure)
	case j.duplicate[index]:
		row.Quarantine(ReasonDuplicateID)
	case !owned:
	case n.Orphan:
		row.Quarantine(ReasonNoPatientID)
	case o == nil:
		row.Quarantine(ReasonNoPlan)
	case o.failure != "":
		row.Quarantine(o.failure)
	case j.offsets && o.plan.Offset == 0, j.cfg.Columns.DateOffset != "" && n.Offset == 0:
		row.Quarantine(deid.ReasonDateOffset)
	}
	if gone(row) {
		return r, nil
	}
	r.counts = schemas.NewCounts()
	j.rewriteIDs(row)
	r.kept = row.Kept(nil)
	r.known = make([]bool, len(r.kept))
	if !owned || gone(row) {
		return r, nil
	}
	if o.linked {
		r.counts.Linked = 1
	}
	patient := o.open(index)
	j.shiftDates(b, row, patient, patient.Reference(&deid.Note{Dated: row.HasDate, Day: int(row.NoteDate)}), &r)
	for i, k := range r.kept {
		r.known[i] = patient.Knows(k.Value)
	}
	return r, nil
}
