package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// house is all that was written by hand.
type house struct {
	staff     []member
	patients  []patient
	wards     []ward
	sites     []string
	surgeries [][2]string // practice, doctor
	towns     [][2]string // town, area of its postcodes
	streets   []string
	places    []string
	templates []template
	phrases   map[string][]string // by section
}

type member struct {
	kind, name, initials string
	when                 string // a: until the change of staff, b: after it
}

type patient struct {
	id, name, sex, relation, kin, job, employer string
}

type ward struct{ name, short string }

// template is a form of the house: its kind of note, who writes it, its text.
type template struct{ name, kind, author, text string }

func fields(line string) []string {
	f := strings.Split(line, "|")
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	return f
}

// lines returns the lines of a text that say something.
func lines(text string) (out []string) {
	for l := range strings.Lines(text) {
		if l = strings.TrimRight(l, "\n"); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	return out
}

func readHouse() (*house, error) {
	h := &house{phrases: map[string][]string{}}
	for _, l := range lines(peopleText) {
		f := fields(l)
		h.staff = append(h.staff, member{f[0], f[1], f[2], f[3]})
	}
	for i, l := range lines(patientsText) {
		f := fields(l)
		relation, kin, _ := strings.Cut(f[2], ", ")
		h.patients = append(h.patients, patient{fmt.Sprintf("h%03d", i+1), f[0], f[1], relation, kin, f[3], f[4]})
	}
	for _, l := range lines(placesText) {
		switch f := fields(l); f[0] {
		case "ward":
			h.wards = append(h.wards, ward{f[1], f[2]})
		case "site":
			h.sites = append(h.sites, f[1])
		case "surgery":
			h.surgeries = append(h.surgeries, [2]string{f[1], f[2]})
		case "town":
			h.towns = append(h.towns, [2]string{f[1], f[2]})
		case "street":
			h.streets = append(h.streets, f[1])
		case "place":
			h.places = append(h.places, f[1])
		default:
			return nil, fmt.Errorf("places.txt: no kind %q", f[0])
		}
	}
	for _, part := range strings.Split("\n"+templatesText, "\n=== ")[1:] {
		head, text, _ := strings.Cut(part, "\n")
		f := fields(head)
		h.templates = append(h.templates, template{f[0], f[1], f[2], strings.TrimRight(text, "\n")})
	}
	section := ""
	for _, l := range lines(phrasesText) {
		if strings.HasPrefix(l, "@") {
			section = l
			continue
		}
		h.phrases[section] = append(h.phrases[section], l)
	}
	return h, nil
}

// weights say how often each template is used, by name.
var weights = []string{"clerking", "nursing", "nursing", "discharge", "clinic", "clinic", "radiology", "therapy", "round", "round", "phone",
	"pharmacy", "social"}

// patient writes the notes of a patient, in the form of examples/source.
func (h *house) patient(i int, late bool) (string, error) {
	p := h.patients[i]
	random := rand.New(rand.NewPCG(2024, uint64(i)))
	w := newWriter(h, p, random, late)
	var b strings.Builder
	fmt.Fprintf(&b, "patient: %s\nname: %s\nsex: %s\nbirth_date: %s\nmrn: %s\nphone: \nemail: \naddress: %s, %s\nrelatives: %s\ndoctors: "+
		"\n", p.id,
		p.name, p.sex, w.born.Format(time.DateOnly), w.mrn, w.address, w.town[0], p.kin)
	start := time.Date(2024, 1, 8, 9, 0, 0, 0, time.UTC)
	if late {
		start = time.Date(2024, 7, 8, 9, 0, 0, 0, time.UTC)
	}
	day := start.AddDate(0, 0, random.IntN(120))
	order := random.Perm(len(weights))
	for n := range notesEach {
		name := weights[order[n]]
		for _, t := range h.templates {
			if t.name != name {
				continue
			}
			text, err := w.note(t, day)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%%%% note\nkind: %s\nwritten: %s\nauthor: %s\n%%%%\n%s\n", t.kind, w.at.Format("2006-01-02T15:04"), w.author.name, text)
		}
		day = day.AddDate(0, 0, 1+random.IntN(9))
	}
	return b.String(), nil
}
