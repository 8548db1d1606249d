// Package database invents OMOP databases: the tables note, person and
// visit_occurrence of version 5.4, as Parquet files. The same sizes give the same
// bytes.
package database

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// Size says how large a database is.
type Size struct {
	Notes   int // all rows of note, in all its files
	Files   int // of note
	Persons int // each has a row of visit_occurrence for every ten notes, and one at least
	Days    int // that the notes were written within; 0 for ten years
}

// Note is a row of note.
type Note struct {
	NoteID     int64     `parquet:"note_id"`
	PersonID   int64     `parquet:"person_id"`
	NoteDate   int32     `parquet:"note_date,date"`
	When       time.Time `parquet:"note_datetime,optional,timestamp(microsecond)"`
	Type       int32     `parquet:"note_type_concept_id"`
	Class      int32     `parquet:"note_class_concept_id"`
	Title      string    `parquet:"note_title,optional,dict"`
	Text       string    `parquet:"note_text"`
	Encoding   int32     `parquet:"encoding_concept_id"`
	Language   int32     `parquet:"language_concept_id"`
	ProviderID *int64    `parquet:"provider_id"`
	VisitID    *int64    `parquet:"visit_occurrence_id"`
	Source     string    `parquet:"note_source_value,optional"`
}

// Person is a row of person.
type Person struct {
	PersonID  int64     `parquet:"person_id"`
	Gender    int32     `parquet:"gender_concept_id"`
	Year      int32     `parquet:"year_of_birth"`
	Month     *int32    `parquet:"month_of_birth"`
	Day       *int32    `parquet:"day_of_birth"`
	Birth     time.Time `parquet:"birth_datetime,optional,timestamp(microsecond)"`
	Race      int32     `parquet:"race_concept_id"`
	Ethnicity int32     `parquet:"ethnicity_concept_id"`
	Source    string    `parquet:"person_source_value,optional"` // the record number
}

// PersonColumns are the settings that say what person holds.
const PersonColumns = "patient_id=person_id,birth_date=birth_datetime,mrn=person_source_value,gender_concept_id=-,year_of_birth=-," +
	"month_of_birth=-,day_of_birth=-,race_concept_id=-,ethnicity_concept_id=-"

// Visit is a row of visit_occurrence.
type Visit struct {
	VisitID  int64 `parquet:"visit_occurrence_id"`
	PersonID int64 `parquet:"person_id"`
	Concept  int32 `parquet:"visit_concept_id"`
	Start    int32 `parquet:"visit_start_date,date"`
	End      int32 `parquet:"visit_end_date,date"`
	Type     int32 `parquet:"visit_type_concept_id"`
}

const (
	firstDay = 14_610 // 2010-01-01
	texts    = 5_000  // different ones
	titles   = "Progress note|Discharge summary|Nursing note|Radiology report"
)

// Write writes note/part-*.parquet, person.parquet and visit_occurrence.parquet
// below dir, with texts made from those of a table with the columns note_id and
// text.
func Write(ctx context.Context, dir, source string, s Size) error {
	if s.Days == 0 {
		s.Days = 3650
	}
	notes, err := shortNotes(ctx, source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "note"), 0o755); err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(2)
	for i := range s.Files {
		g.Go(func() error {
			return s.writeNotes(filepath.Join(dir, "note", fmt.Sprintf("part-%05d.parquet", i)), i, notes)
		})
	}
	g.Go(func() error { return s.writePersons(filepath.Join(dir, "person.parquet")) })
	g.Go(func() error { return s.writeVisits(filepath.Join(dir, "visit_occurrence.parquet")) })
	return g.Wait()
}

// shortNotes returns notes of some lines, with digits and names of their own.
func shortNotes(ctx context.Context, source string) ([]string, error) {
	all, err := invent.Texts(ctx, source)
	if err != nil {
		return nil, err
	}
	const bytes = 400
	random := rand.New(rand.NewSource(3))
	var short []string
	for i := range texts {
		text := all[i%len(all)]
		if len(text) > bytes {
			from := random.Intn(len(text) - bytes)
			text = text[from : from+bytes]
		}
		text = strings.ToValidUTF8(text, "")
		short = append(short, invent.Vary(random, random, text))
	}
	return short, nil
}

// day returns the day of a note, by its number.
func (s Size) day(note int) int32 { return int32(firstDay + note*7919%s.Days) }

func (s Size) person(note int) int64 { return int64(100_000 + note*31%s.Persons) }

func (s Size) writeNotes(name string, file int, texts []string) error {
	kinds := strings.Split(titles, "|")
	first, end := s.Notes*file/s.Files, s.Notes*(file+1)/s.Files
	rows := make([]Note, 0, end-first)
	for i := first; i < end; i++ {
		day, provider, visit := s.day(i), int64(500+i%700), int64(7_000_000+i/10)
		rows = append(rows, Note{
			NoteID: int64(1_000_000 + i), PersonID: s.person(i), NoteDate: day,
			When: time.Unix(int64(day)*86_400+int64(i*997%86_400), 0).UTC(), Type: 44814637, Class: int32(706_300 + i%40),
			Title: kinds[i%len(kinds)],
			Text:  texts[i*13%len(texts)], Encoding: 32678, Language: 4180186, ProviderID: &provider, VisitID: &visit,
			Source: fmt.Sprint("EPIC-", i),
		})
	}
	return parquet.WriteFile(name, rows, parquet.Compression(&parquet.Snappy))
}

func (s Size) writePersons(name string) error {
	rows := make([]Person, 0, s.Persons)
	for i := range s.Persons {
		year, month, day := int32(1930+i%80), int32(1+i%12), int32(1+i%28)
		rows = append(rows, Person{
			PersonID: int64(100_000 + i), Gender: int32(8507 + 25*(i%2)), Year: year, Month: &month, Day: &day,
			Birth: time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC), Race: 8527, Ethnicity: 38003564,
			Source: fmt.Sprintf("MRN%08d", i*37%100_000_000),
		})
	}
	return parquet.WriteFile(name, rows, parquet.Compression(&parquet.Snappy))
}

func (s Size) writeVisits(name string) error {
	rows := make([]Visit, 0, s.Notes/10+1)
	for i := 0; i < s.Notes; i += 10 {
		day := s.day(i)
		rows = append(rows, Visit{VisitID: int64(7_000_000 + i/10), PersonID: s.person(i), Concept: 9202, Start: day, End: day + int32(i%5),
			Type: 44818518})
	}
	return parquet.WriteFile(name, rows, parquet.Compression(&parquet.Snappy))
}
