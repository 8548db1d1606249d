package surrogate

import (
	"embed"
	"strings"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

//go:embed lists/*.txt
var listFiles embed.FS

// lists is what the embedded files say. It never changes once read.
type lists struct {
	pools map[string][]string // names to draw, by class; see classOf
	names []string            // all family names to draw

	givenOf     map[string]string // folded given name to "sex origin"
	western     map[string]bool   // folded given names that are drawn, and are none of East Asia
	familyOf    map[string]string // folded family name to origin
	family      map[string]bool   // further family names, folded
	alsoSpanish map[string]string // folded name of another origin to its class among Spanish ones

	pet   map[string][]string // folded short form to folded given names
	short map[string][]string // folded given name to its short forms

	places  map[string][]string  // "city uk", "street", ...
	stateOf map[string]stateForm // folded name or abbreviation; WA is Washington
	stateIn map[string]stateForm // the same behind its country: "au wa" is Western Australia
	us      usPlaces
	regions map[string]*regions // by country: uk, ie, ca, au, nz, za, in, es
	world   world
	areaOf  map[string]string   // area code of the North American plan to its state, or "ca" and its province
	areas   map[string][]string // state, "ca" and province, or "es" and province, to its area codes
	homeOf  map[string]string   // language to the country of whom nothing tells it
	barred  map[string]bool     // ZIP prefixes that Safe Harbor turns into 000
	work    work
	words   map[string]map[string]bool // generic, weak, suffix, heads, occupations, endings, behind others, abroad, country the

	ordinary map[string]bool // that no invented name may be
	accented map[string]bool // folded Spanish names and towns that are written with an accent
	palabras map[string]bool // Spanish words that no invented Spanish name may be
	models   models
	wider    map[string][]string // by class; names that are seldom drawn

	rarerSpanish  sync.Once
	spanishCensus []string // see rarer

	closed map[string]bool // classes and lists of which nothing is drawn but what a site's own lists hold
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

// oldStates are the abbreviations from before the postal codes, in the order
// of the list of states.
var oldStates = strings.Fields(`Ala Alaska Ariz Ark Calif Colo Conn Del Fla Ga Hawaii Idaho Ill Ind Iowa Kans Ky La Maine Md Mass Mich Minn
	` +
	"Miss Mo Mont Nebr Nev N.H N.J N.M N.Y N.C N.D Ohio Okla Ore Penn R.I S.C S.D Tenn Tex Utah Vt Va Wash W.Va Wis Wyo")

// load returns the lists that come with the program.
var load = sync.OnceValue(newLists)

// newLists reads them.
func newLists() *lists {
	l := &lists{
		pools: map[string][]string{}, givenOf: map[string]string{}, western: map[string]bool{}, alsoSpanish: map[string]string{},
		familyOf: map[string]string{}, family: map[string]bool{},
		pet: map[string][]string{}, short: map[string][]string{}, places: map[string][]string{},
		regions: map[string]*regions{}, areaOf: map[string]string{}, areas: map[string][]string{}, homeOf: map[string]string{spanish: "es"},
		stateOf: map[string]stateForm{}, stateIn: map[string]stateForm{}, words: map[string]map[string]bool{},
		closed: map[string]bool{},
	}
	names.Diminutives(func(name string, forms []string) {
		for _, n := range forms {
			l.pet[fold(n)] = append(l.pet[fold(n)], fold(name))
		}
		l.short[fold(name)] = append(l.short[fold(name)], forms...)
	})
	l.addNames()
	read("places.txt", l.addPlaces)
	read("generic.txt", l.addPlaces)
	read("occupations.txt", l.addPlaces)
	l.addUSPlaces()
	read("regions.txt", l.addRegion)
	read("world.txt", l.addWorld)
	read("es-towns.txt", l.addSmall)
	read("es-places.txt", l.addPlaces)
	read("areas.txt", func(state, rest string) {
		l.areas[state] = strings.Fields(rest)
		if strings.HasPrefix(state, "es ") {
			return
		}
		for _, a := range l.areas[state] {
			l.areaOf[a] = state
		}
	})
	l.addRestricted()
	l.ordinary, l.palabras, l.accented = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for file, of := range map[string]map[string]bool{"ordinary.txt": l.ordinary, "es-ordinary.txt": l.palabras} {
		read(file, func(_, rest string) {
			for _, w := range strings.Fields(rest) {
				of[w] = true
			}
		})
	}
	l.addWider()
	l.addAccented()
	for _, job := range l.places["profession"] {
		l.words["occupations"][lastOf(job)] = true
	}
	l.addWork()
	for i, s := range oldStates {
		if _, ok := l.stateOf[fold(s)]; !ok {
			l.stateOf[fold(s)] = stateForm{"state us", i, stateOld}
		}
	}
	for _, language := range []string{"", " es"} {
		for _, head := range l.places["place heads"+language] {
			for _, tail := range l.places["place tails"+language] {
				if name := head + tail; !strings.HasSuffix(fold(head), tail) && head[len(head)-1] != tail[0] {
					l.places["place"+language] = append(l.places["place"+language], name)
				}
			}
		}
	}
	return l
}

func (l *lists) addPlaces(head, rest string) {
	items := strings.Split(rest, ", ")
	switch head {
	case "generic", "weak", "suffix", "heads", "occupations", "endings", "behind others", "suffix es", "generic es", "openers es":
		if l.words[head] == nil {
			l.words[head] = map[string]bool{}
		}
		for _, w := range items {
			l.words[head][fold(w)] = true
		}
		return
	}
	for i, item := range items {
		name, code, ok := strings.Cut(item, "=")
		if strings.HasPrefix(head, "state") {
			l.enterState(fold(name), stateForm{head, i, stateFull})
			if ok {
				l.enterState(fold(code), stateForm{head, i, stateCode})
			}
		}
	}
	l.places[head] = items
	if head == "abroad" || head == "country the" {
		l.words[head] = map[string]bool{}
		for _, item := range items {
			l.words[head][fold(item)] = true
		}
	}
}

// enterState enters a name or abbreviation of a state. Where several countries have
// it, the one whose list stands first has it unless something else is said.
func (l *lists) enterState(key string, form stateForm) {
	_, country, _ := strings.Cut(form.group, " ")
	l.stateIn[country+" "+key] = form
	if _, taken := l.stateOf[key]; !taken {
		l.stateOf[key] = form
	}
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
