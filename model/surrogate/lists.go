package surrogate

import (
	"embed"
	"strings"
	"sync"
)

//go:embed lists/*.txt
var listFiles embed.FS

// lists is what the embedded files say. It never changes once read.
type lists struct {
	given   map[string][]string // by "sex origin"
	family  map[string][]string // by origin
	general []string            // all given names with a sex
	names   []string            // all family names

	givenOf  map[string]string   // folded given name to "sex origin"
	familyOf map[string]string   // folded family name to origin
	pet      map[string][]string // folded short form to folded given names
	short    map[string][]string // folded given name to its short forms

	places  map[string][]string // "city us", "street", ...
	cityOf  map[string]string   // folded city to its group
	stateOf map[string]stateForm
	words   map[string]map[string]bool // generic, weak, suffix
}

// stateForm says how a state is written.
type stateForm struct {
	group string // of places
	index int
	form  stateStyle
}

type stateStyle uint8

const (
	stateFull stateStyle = iota
	stateCode
	stateOld // Mass., Calif.
)

// oldStates are the abbreviations from before the postal codes, in one order.
var oldStates = []string{"Ala", "Ariz", "Ark", "Calif", "Colo", "Conn", "Del", "Fla", "Ill", "Ind", "Kans", "Mass", "Mich", "Minn",
	"Miss", "Mont", "Nebr", "Nev", "Okla", "Ore", "Penn", "Tenn", "Tex", "Wash", "Wis", "Wyo"}

var load = sync.OnceValue(func() *lists {
	l := &lists{
		given: map[string][]string{}, family: map[string][]string{}, givenOf: map[string]string{}, familyOf: map[string]string{},
		pet: map[string][]string{}, short: map[string][]string{}, places: map[string][]string{}, cityOf: map[string]string{},
		stateOf: map[string]stateForm{}, words: map[string]map[string]bool{},
	}
	read("given.txt", func(head, rest string) {
		for _, n := range strings.Fields(rest) {
			l.given[head] = append(l.given[head], n)
			if !strings.HasPrefix(head, "u") {
				l.general = append(l.general, n)
			}
			if _, ok := l.givenOf[fold(n)]; !ok {
				l.givenOf[fold(n)] = head
			}
		}
	})
	read("diminutives.txt", func(head, rest string) {
		for _, n := range strings.Fields(rest) {
			l.pet[fold(n)] = append(l.pet[fold(n)], fold(head))
			l.short[fold(head)] = append(l.short[fold(head)], n)
		}
	})
	read("family.txt", func(head, rest string) {
		for _, n := range strings.Fields(rest) {
			l.family[head] = append(l.family[head], n)
			l.names = append(l.names, n)
			if _, ok := l.familyOf[fold(n)]; !ok {
				l.familyOf[fold(n)] = head
			}
		}
	})
	read("places.txt", l.addPlaces)
	for i, s := range oldStates {
		l.stateOf[fold(s)] = stateForm{"state us", i, stateOld}
	}
	return l
})

func (l *lists) addPlaces(head, rest string) {
	items := strings.Split(rest, ", ")
	switch head {
	case "generic", "weak", "suffix":
		l.words[head] = map[string]bool{}
		for _, w := range items {
			l.words[head][w] = true
		}
		return
	}
	for i, item := range items {
		name, code, ok := strings.Cut(item, "=")
		if strings.HasPrefix(head, "state") {
			l.stateOf[fold(name)] = stateForm{head, i, stateFull}
			if ok {
				l.stateOf[fold(code)] = stateForm{head, i, stateCode}
			}
		}
		if strings.HasPrefix(head, "city") {
			if _, known := l.cityOf[fold(name)]; !known {
				l.cityOf[fold(name)] = head
			}
		}
	}
	l.places[head] = items
}

// read calls f for each line "head: rest" of an embedded list.
func read(name string, f func(head, rest string)) {
	data, err := listFiles.ReadFile("lists/" + name)
	if err != nil {
		panic(err) // embedded
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, rest, _ := strings.Cut(line, ": ")
		f(head, rest)
	}
}
