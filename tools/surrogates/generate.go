package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// How much is generated. Every fourth patient writes the day first.
const (
	patients  = 80
	notesEach = 3
	perNote   = 15
)

type noteRow struct {
	NoteID    int64  `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	NoteDate  int32  `parquet:"note_date,date"`
	Text      string `parquet:"text"`
}

type personRow struct {
	PatientID string `parquet:"patient_id"`
	Name      string `parquet:"name"`
	BirthDate int32  `parquet:"birth_date,date"`
}

// planted is one expression of a generated note. The texts are ASCII, so that
// bytes are code points.
type planted struct {
	Note       int64  `json:"note"`
	Start, End int    `json:",omitempty"`
	Form       string `json:"form"`
	Day, To    int    `json:",omitempty"` // in days since 1970-01-01
	DayFirst   bool   `json:"day_first,omitempty"`
}

// carriers are sentences around a date, by what it names.
var carriers = map[kind][]string{
	fullDate: {"Seen in clinic on %s with her son.", "CT of the chest %s without change.", "Blood cultures drawn %s grew nothing.",
		"Hospital stay %s was uneventful.",
		"The rash was first noted %s after a walk.", "Discharged home %s in good condition.", "Biopsy result of %s is benign.",
		"Follow-up is booked for %s.",
		"Her daughter rang %s about the tablets.", "Echo %s: normal function."},
	monthDay: {"Seen again on %s for the wound.", "Potassium rose on %s and was treated.", "Blood cultures %s grew nothing.",
		"The drain came out %s without trouble.",
		"Fever returned %s in the evening.", "Family meeting was held %s on the ward.", "Rash since %s on both arms.",
		"Extubated %s and doing well.", "Next visit %s with labs."},
	partial: {"Gallbladder removed in %s elsewhere.", "Diagnosed in %s by her physician.",
		"She has had headaches since %s of varying strength.", "Last colonoscopy was in %s and normal."},
	stays: {"Assessed today: %s was used for this.", "Noted at the bedside: %s as before."},
}

// special are the sentences of forms that need one of their own.
var special = map[string][]string{
	"b. yyyy": {"Brother (%s) has diabetes."}, "yyyy-yyyy": {"Smoked %s, a pack a day."},
	"the 80s":   {"He worked in the mines in %s for a while."},
	"AJCC yyyy": {"Staged by %s as T2."}, "GOLD yyyy": {"COPD treated by %s advice."},
	"NEJM yyyy":         {"Dosing follows the trial in %s closely."},
	"the yyyy criteria": {"She meets %s for lupus."}, "yyyy guidelines": {"Managed by %s throughout."},
	"DSM-5 (yyyy)": {"Criteria of %s are met."},
	"n/10 pain":    {"Reports %s at rest."}, "strength 4/5": {"On examination %s in the left arm."}, "n/12 nodes": {"Pathology: %s positive."},
	"BiPAP 14/6": {"Slept on %s overnight."}, "2/6 murmur": {"Heart: %s at the base."}, "FYyy": {"The grant of %s paid for it."},
	"Q2 FYyy":       {"Admitted twice in %s for asthma."},
	"wk ww of yyyy": {"Vaccinated in %s at work."},
	"mmddyy":        {"Labs of %s reviewed.", "DOS: %s.", "Last seen %s in clinic."},
}

var (
	givenNames  = strings.Fields("Anna Peter Laura James Helen Robert Susan Thomas Karen Daniel")
	familyNames = strings.Fields("Weber Collins Murphy Barnes Foster Hughes Keller Dixon")
)

// generate writes the notes, what is known of their patients, and the truth.
func generate(dir string) error {
	if dir == "" {
		return errors.New("--out is missing: name a directory")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(20, 17))
	var notes []noteRow
	var people []personRow
	var truth []planted
	next := 0 // form
	for p := range patients {
		id := fmt.Sprintf("g%03d", p)
		old := p%10 == 9 // ages of theirs tell one above 89
		first := dayOf(time.Date(2011, 1, 1, 0, 0, 0, 0, time.UTC)) + rng.IntN(2500)
		born := first - 365*(30+rng.IntN(45)) - rng.IntN(365)
		if old {
			born = first - 365*87 - rng.IntN(300)
		}
		people = append(people, personRow{id, givenNames[p%len(givenNames)] + " " + familyNames[p%len(familyNames)], int32(born)})
		for n := range notesEach {
			day := first + n*(100+rng.IntN(150))
			if old {
				day = first + n*900
			}
			row := noteRow{NoteID: int64(1000*p + n + 1), PatientID: id, NoteDate: int32(day)}
			var b strings.Builder
			s := style{padded: p%2 == 0, dayFirst: p%4 == 3}
			put := func(f form, sentence string, t, to int, s style) {
				i := strings.Index(sentence, "%s")
				surface := f.write(timeOf(t), timeOf(to), s)
				b.WriteString(sentence[:i])
				truth = append(truth, planted{Note: row.NoteID, Start: b.Len(), End: b.Len() + len(surface), Form: f.name, Day: t, To: to,
					DayFirst: s.dayFirst})
				b.WriteString(surface + sentence[i+2:] + "\n")
			}
			top := forms[planned+1]
			if p%3 > 0 {
				put(top, "Clinic visit %s", day, day, s)
			}
			if !old { // theirs moves further, to hide their age
				put(top, "DOB: %s", born, born, s)
			}
			if n == 0 && old {
				age := (day - born) / 365
				surface := fmt.Sprint(age)
				b.WriteString("She is a ")
				truth = append(truth, planted{Note: row.NoteID, Start: b.Len(), End: b.Len() + len(surface), Form: "age told later", Day: day})
				b.WriteString(surface + " year old retired teacher.\n")
			}
			for range perNote {
				f := forms[next%planned]
				next++
				s.long = rng.IntN(2) == 0
				t := day - 3 - rng.IntN(200)
				sentences := carriers[f.kind]
				if own := special[f.name]; own != nil {
					sentences = own
				}
				switch {
				case f.name == "b. yyyy":
					t = day - 365*60 - rng.IntN(3000)
				case f.name == "the 80s":
					t = dayOf(time.Date(1970+10*rng.IntN(3), 6, 1, 0, 0, 0, 0, time.UTC))
				case f.kind == partial && f.name != "Month" && f.name != "mid-Month" && f.name != "early Month", f.kind == stays:
					t = day - 400 - rng.IntN(3000)
				}
				if f.name == "season of yyyy" && timeOf(t).Month() == 12 {
					t += 31 // the year of a winter is that of its January, and people differ
				}
				to := t + 1 + rng.IntN(5)
				if f.name == "yyyy-yyyy" {
					to = t + 400 + rng.IntN(2000)
				}
				if old && (timeOf(t).Year() < timeOf(day).Year()-20) {
					continue // further back than their age lets stand
				}
				put(f, sentences[rng.IntN(len(sentences))], t, to, s)
			}
			row.Text = b.String()
			notes = append(notes, row)
		}
	}
	raw, err := json.Marshal(truth)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "truth.json"), raw, 0o600); err != nil {
		return err
	}
	if err := parquet.WriteFile(filepath.Join(dir, "notes.parquet"), notes); err != nil {
		return err
	}
	return parquet.WriteFile(filepath.Join(dir, "identifiers.parquet"), people)
}
