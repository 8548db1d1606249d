package main

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
)

// noteRow is a row of notes.parquet: the columns that the job interprets and,
// after them, what else a warehouse's table of notes would hold, so that a run
// over the examples meets every sort of column. Pointers and empty lists are
// nulls.
type noteRow struct {
	NoteID      int64    `parquet:"note_id"`
	PatientID   *string  `parquet:"patient_id,dict"`
	EncounterID *int64   `parquet:"encounter_id"`
	NoteType    string   `parquet:"note_type,dict"`
	NoteTitle   string   `parquet:"note_title"`
	NoteDate    int32    `parquet:"note_date,date"`
	WrittenAt   int64    `parquet:"written_at,timestamp(microsecond:local)"`
	AdmittedAt  *int32   `parquet:"admitted_at,date"`
	StayDays    *int32   `parquet:"length_of_stay"`
	RiskScore   *float64 `parquet:"risk_score"`
	Charge      *int64   `parquet:"charge,decimal(2:12)"` // cents
	Signed      *bool    `parquet:"signed"`
	Codes       []string `parquet:"diagnosis_codes,list,optional"`
	Orders      []order  `parquet:"orders,list,optional"`
	// Scores has one entry at most: the writer takes a map's entries in Go's
	// order, which is random, and the file's bytes must not be.
	Scores map[string]float64 `parquet:"scores,optional"`
	Text   string             `parquet:"text"`
}

// order is an element of noteRow.Orders.
type order struct {
	Code     string   `parquet:"code"`
	Quantity *float64 `parquet:"quantity"`
	Urgent   bool     `parquet:"urgent"`
}

// identifiersRow is a row of identifiers.parquet: what is known of one patient.
type identifiersRow struct {
	PatientID string   `parquet:"patient_id"`
	Name      string   `parquet:"name"`
	BirthDate int32    `parquet:"birth_date,date"`
	MRN       string   `parquet:"mrn"`
	Phone     *string  `parquet:"phone"`
	Email     *string  `parquet:"email"`
	Address   *string  `parquet:"address"`
	Relatives []string `parquet:"relatives,list"`
	Doctors   []string `parquet:"doctors,list"`
}

// goldRow is a row of gold.parquet: one annotated span. Offsets are Unicode
// code points; End is exclusive.
type goldRow struct {
	DocumentID string `parquet:"document_id,dict"`
	TextColumn string `parquet:"text_column,dict"`
	Start      int32  `parquet:"start"`
	End        int32  `parquet:"end"`
	Type       string `parquet:"type,dict"`
	Split      string `parquet:"split,dict"`
}

func newIdentifiersRow(p marked.Patient) identifiersRow {
	return identifiersRow{
		PatientID: p.ID, Name: p.Name, BirthDate: days(p.BirthDate), MRN: p.MRN,
		Phone: nonEmpty(p.Phone), Email: nonEmpty(p.Email), Address: nonEmpty(p.Address),
		Relatives: p.Relatives, Doctors: p.Doctors,
	}
}

// newNoteRow returns the row of the patient's note number i. What no author
// wrote is drawn from a hash of patient and number.
func newNoteRow(p marked.Patient, i int, e encounter) (noteRow, error) {
	n := p.Notes[i]
	id, err := noteID(p.ID, i)
	if err != nil {
		return noteRow{}, err
	}
	typ, err := noteType(n.Kind)
	if err != nil {
		return noteRow{}, err
	}
	d := newDraw(p.ID, strconv.Itoa(i+1))
	row := noteRow{
		NoteID: id, PatientID: &p.ID, NoteType: typ, NoteTitle: n.Kind,
		NoteDate: days(n.Written), WrittenAt: n.Written.UnixMicro(), Text: n.Text,
	}
	if e.id != 0 {
		row.EncounterID = &e.id
	}
	if e.inpatient() {
		admitted := days(e.admitted)
		row.AdmittedAt = &admitted
		if typ == "discharge summary" {
			stay := row.NoteDate - admitted
			row.StayDays = &stay
		}
	}
	if d.one(3) {
		score := math.Round(d.fraction()*1e4) / 1e4
		row.RiskScore = &score
	}
	if !d.one(4) {
		charge := int64(d.below(250_000) + 1_500)
		row.Charge = &charge
	}
	if !d.one(6) {
		signed := !d.one(10)
		row.Signed = &signed
	}
	for range d.below(4) {
		row.Codes = append(row.Codes, codes[d.below(len(codes))])
	}
	for range d.below(3) {
		o := order{Code: tests[d.below(len(tests))], Urgent: d.one(5)}
		if d.one(2) {
			quantity := float64(1+d.below(8)) / 2
			o.Quantity = &quantity
		}
		row.Orders = append(row.Orders, o)
	}
	if d.one(2) {
		row.Scores = map[string]float64{scores[d.below(len(scores))]: float64(d.below(11))}
	}
	return row, nil
}

// Codes and names that the rows draw from.
var (
	codes  = []string{"I10", "E11.9", "J18.9", "N18.30", "I48.91", "F32.1", "M54.50", "Z79.01", "C50.912", "K21.9", "H35.31", "G40.909"}
	tests  = []string{"CBC", "BMP", "INR", "CXR", "ECG", "TSH", "LFT", "UA", "MRI", "A1C"}
	scores = []string{"pain", "news2", "phq9", "braden"}
)

// noteID returns 1000000 + 100·patient + number: it stays the same when other
// notes are added.
func noteID(patient string, i int) (int64, error) {
	n, err := strconv.Atoi(strings.TrimLeft(patient, "abcdefghijklmnopqrstuvwxyz"))
	if err != nil || n < 1 || n > 9999 || patient[0] < 'a' || patient[0] > 'z' || i > 98 {
		return 0, errors.New("patient ids must be a letter, such as p, and a number up to 9999, with at most 99 notes each")
	}
	return 1_000_000 + 100*int64(n) + int64(i) + 1, nil
}

// encounter is a stay or visit that several notes can share.
type encounter struct {
	id       int64     // 0 for none
	admitted time.Time // zero for outpatients
}

func (e encounter) inpatient() bool { return !e.admitted.IsZero() }

// encounters returns the encounter of each note of a patient: notes that
// follow each other within a week are of one, and it is a hospital stay from
// the first of them to a discharge summary of a later day. A lone telephone
// call or message has none. The notes of a file are in order of time.
func encounters(p marked.Patient) ([]encounter, error) {
	out := make([]encounter, len(p.Notes))
	for from := 0; from < len(p.Notes); {
		to := from + 1
		for to < len(p.Notes) && p.Notes[to].Written.Sub(p.Notes[to-1].Written) <= 7*24*time.Hour {
			to++
		}
		first, err := noteType(p.Notes[from].Kind)
		if err != nil {
			return nil, err
		}
		var e encounter
		if remote := first == "telephone encounter" || first == "patient message"; !remote || to-from > 1 {
			e.id = 50_000_000 + int64(newDraw(p.ID, "encounter", strconv.Itoa(from)).below(40_000_000))
		}
		last := from // the last discharge summary's note ends the stay
		for i := from; i < to; i++ {
			typ, err := noteType(p.Notes[i].Kind)
			if err != nil {
				return nil, err
			}
			if typ == "discharge summary" && days(p.Notes[i].Written) > days(p.Notes[from].Written) {
				e.admitted, last = p.Notes[from].Written, i
			}
		}
		for i := from; i < to; i++ {
			out[i] = e
			if e.inpatient() && i > last {
				out[i] = encounter{}
			}
		}
		from = to
	}
	return out, nil
}

// draw is a stream of numbers that depends on its names alone.
type draw struct {
	seed  [32]byte
	count uint64
}

func newDraw(names ...string) *draw {
	return &draw{seed: sha256.Sum256([]byte("palimpsest examples\x00" + strings.Join(names, "\x00")))}
}

func (d *draw) next() uint64 {
	var block [40]byte
	copy(block[:], d.seed[:])
	binary.BigEndian.PutUint64(block[32:], d.count)
	d.count++
	sum := sha256.Sum256(block[:])
	return binary.BigEndian.Uint64(sum[:])
}

// below returns a number from 0 to n-1.
func (d *draw) below(n int) int { return int(d.next() % uint64(n)) }

// one is true once in n.
func (d *draw) one(n int) bool { return d.below(n) == 0 }

// fraction returns a number in [0, 1).
func (d *draw) fraction() float64 { return float64(d.next()>>11) / (1 << 53) }

// days returns the days since 1970-01-01 of a time held as UTC.
func days(t time.Time) int32 {
	return int32(math.Floor(float64(t.Unix()) / 86400))
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
