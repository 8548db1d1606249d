package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/schemes"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	annotated "github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// spanishDocuments is how many documents of MEDDOCAN are replaced.
const spanishDocuments = 80

var (
	streetKind = regexp.MustCompile(`(?i)^(?:calle|c/|c\.|avda\.?|avd\.?|av\.?|avenida|plaza|pza\.?|paseo|ctra\.?|carretera|camino|ronda|` +
		`travesía|urb\.?|urbanización|glorieta|rambla|pasaje)(?:\s|$)`)
	fiveDigits = regexp.MustCompile(`^\D{0,4}([0-9]{5})$`)
	phoneES    = regexp.MustCompile(`^[6-9][0-9]{8}$`)
)

// countSpanish replaces the marked spans of MEDDOCAN's first documents and counts
// what is not Spanish in their surrogates. What is Spanish it reads from the
// lists' files.
func countSpanish(ctx context.Context, dir string, list bool) (figures, error) {
	l, err := readSpanish()
	if err != nil {
		return nil, err
	}
	keys, err := surrogate.NewKeyring([]byte(strings.Repeat("meddocan key ", 4)), 0)
	if err != nil {
		return nil, err
	}
	read, err := newReader(ctx, dir)
	if err != nil {
		return nil, err
	}
	public := surrogate.NamesOf("es")
	var foreign, english, theirs, listed, places, agree, streets, countries, phones, registers, sexes tally
	done := 0
	for doc, err := range annotated.Read(ctx, annotated.Brat, dir, annotated.ReadOptions{}) {
		if err != nil {
			return nil, err
		}
		if done++; done > spanishDocuments {
			break
		}
		planner := surrogate.NewPatient(keys, doc.ID, surrogate.Options{Language: "es"})
		types := make([]phi.Type, len(doc.Annotations))
		for i, a := range doc.Annotations {
			label, err := schemes.MEDDOCAN.Find(a.Label)
			if err != nil {
				return nil, err
			}
			types[i] = label.Type
			planner.Observe(types[i], doc.Text[a.Start:a.End])
		}
		postcodes, towns := map[string]bool{}, []string(nil)
		written := map[string]bool{}
		for i, a := range doc.Annotations {
			before := doc.Text[a.Start:a.End]
			if types[i] == phi.None || types[i] == phi.Date || types[i] == phi.Age {
				continue
			}
			after, _ := planner.Replace(surrogate.Mention{Type: types[i], Surface: before, Document: doc.ID, Ref: dates.InLanguage("es")})
			add := func(t *tally, what string, hit bool) {
				if t.add(hit); hit && list {
					fmt.Printf("spanish\t%s\t%s\t%s\t%s\n", what, doc.ID, before, after)
				}
			}
			switch a.Label {
			case "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO":
				old, now := wordForm.FindAllString(before, -1), wordForm.FindAllString(after, -1)
				for _, w := range old {
					if f := plain(w); read != nil && len(f) > 2 && !l.names[f] {
						theirs.add(!read.readsSpanish(f))
					}
				}
				for j, w := range now {
					if f := plain(w); len(f) > 1 && !names.Particles[f] && (len(old) != len(now) || w != old[j]) {
						made := !l.names[f] && (public.Seldom(w) || public.InventionOdds(w) > 0)
						add(&foreign, "no Spanish name", !l.names[f] && !made)
						if read != nil && l.names[f] {
							listed.add(!read.readsSpanish(f))
						} else if made && read != nil {
							add(&english, "reads as English", !read.readsSpanish(f))
						}
						if len(old) == len(now) && l.given[plain(old[j])] != "" && l.given[f] != "" {
							add(&sexes, "sex", l.given[f] != l.given[plain(old[j])] && !l.either[f])
						}
					}
				}
			case "TERRITORIO":
				if m := fiveDigits.FindStringSubmatch(before); m != nil {
					written[m[1][:2]] = true
					province := "none"
					if m := fiveDigits.FindStringSubmatch(after); m != nil {
						province = m[1][:2]
					}
					postcodes[province] = true
				} else if number(before) != "" && !wordForm.MatchString(before) {
					continue // a postcode of another country
				} else {
					if of := l.towns[plain(before)]; len(of) == 1 {
						written[sorted(of)[0]] = true
					}
					after := plain(after)
					towns = append(towns, after)
					add(&places, "no Spanish town", l.towns[after] == nil)
				}
			case "CALLE":
				if k := streetKind.FindString(before); k != "" {
					add(&streets, "kind of street lost", !strings.HasPrefix(after, k))
				}
			case "PAIS":
				add(&countries, "country changed", after != before)
			case "NUMERO_TELEFONO", "NUMERO_FAX":
				digits := number(after)
				if len(digits) == 11 {
					digits = strings.TrimPrefix(digits, "34")
				}
				if n := len(number(before)); n == 9 || n == 11 {
					add(&phones, "no Spanish telephone", !phoneES.MatchString(digits))
				}
			case "ID_ASEGURAMIENTO":
				if digits := number(after); len(digits) == 12 {
					n := 0
					for _, c := range digits[:10] {
						n = (10*n + int(c-'0')) % 97
					}
					add(&registers, "right control digits", fmt.Sprintf("%02d", n) == digits[10:])
				}
			}
		}
		if len(written) == 1 && len(postcodes) == 1 && len(towns) > 0 {
			province := sorted(postcodes)[0]
			same := !slices.ContainsFunc(towns, func(t string) bool { return !l.towns[t][province] })
			if agree.add(!same); !same && list {
				fmt.Printf("spanish\tprovince and postcode\t%s\t%v\t%v\n", doc.ID, towns, province)
			}
		}
	}
	const name = "Spanish, 80 documents of MEDDOCAN"
	var shape figures
	if read != nil {
		shape = figures{
			{name, "words of names invented or seldom drawn that read as English ones by their letters", english.n, english.of},
			{name, "the same of words from the lists", listed.n, listed.of},
			{name, "the same of the documents' own names from outside of the lists", theirs.n, theirs.of},
		}
	}
	return append(figures{
		{name, "words of names from outside of the Spanish lists, and not invented by their letters", foreign.n, foreign.of},
		{name, "given names of known sex that got one of the other", sexes.n, sexes.of},
		{name, "towns and provinces that became no Spanish or Latin American town", places.n, places.of},
		{name, "documents whose town and postcode agreed and do no more", agree.n, agree.of},
		{name, "kinds of streets lost", streets.n, streets.of},
		{name, "countries that changed", countries.n, countries.of},
		{name, "telephones that are of no Spanish form", phones.n, phones.of},
		{name, "numbers of the social security with right control digits", registers.n, registers.of},
	}, shape...), nil
}

// spanishLists is what the lists hold of Spanish names and places.
type spanishLists struct {
	names  map[string]bool
	either map[string]bool
	given  map[string]string          // to f or m
	towns  map[string]map[string]bool // to the codes of provinces, or countries
}

func readSpanish() (*spanishLists, error) {
	l := &spanishLists{map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]map[string]bool{}}
	err := eachLine(func(file, head, rest string) {
		switch file {
		case "given.txt", "family.txt", "either.txt", "es-names.txt":
			if !strings.HasSuffix(head, "es") && head != "es-f" {
				return
			}
			for _, n := range strings.Fields(rest) {
				f := plain(strings.TrimPrefix(n, "~"))
				l.names[f] = true
				if sex := head[:1]; (file == "given.txt" || file == "es-names.txt" && head != "es") && sex != "u" {
					l.given[f] = sex
				}
				l.either[f] = l.either[f] || file == "either.txt"
			}
		case "regions.txt", "es-towns.txt":
			if province, ok := strings.CutPrefix(head, "es "); ok || file == "es-towns.txt" {
				for _, town := range strings.Split(rest, ", ") {
					f := plain(strings.TrimPrefix(town, "~"))
					if l.towns[f] == nil {
						l.towns[f] = map[string]bool{}
					}
					l.towns[f][province] = true
				}
			}
		}
	})
	return l, err
}
