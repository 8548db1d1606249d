package surrogate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Lists is what surrogates are drawn from: the lists that come with the program,
// widened or replaced by a site's own. Immutable; nil stands for the program's.
type Lists struct {
	lists  *lists
	digest string
}

// Digest returns the SHA-256 of the files in hex, "" for nil.
func (l *Lists) Digest() string {
	if l == nil {
		return ""
	}
	return l.digest
}

// orOwn returns the lists, those of the program for nil.
func (l *Lists) orOwn() *lists {
	if l == nil {
		return load()
	}
	return l.lists
}

// ListFile is a file of a site's lists. Name is for errors.
type ListFile struct {
	Name string
	Data []byte
}

// fewestReplacing is the least number of entries of a list that replaces one.
const fewestReplacing = smallPool

// ParseLists reads a site's lists. A line is "head: items", with commas between
// the items; # begins a comment; lines of one head are one list. Heads are
//
//	mode                 widen (the default) or replace, for the lists behind it in the file
//	given SEX [ORIGIN]   given names; SEX is f, m or u, ORIGIN as in lists/README.md, en if it is left out
//	family [ORIGIN]      family names
//	either               names that are given names of either sex and family names: for words that no list knows
//	towns STATE          towns of a state of the United States by its code, each perhaps with a ZIP prefix: Amesbury=019
//	towns uk AREA        towns of a postcode area; towns ie COUNTY, ca PROVINCE, au STATE, es PROVINCE, nz NZ, za ZA and in IN
//	                     likewise
//	streets, institutions  the names in names of streets and institutions, without what they are
//
// Widen adds to the program's list. Replace draws from nothing else: not from the
// program's list and not from what is invented by its letters; it asks for 24 names,
// streets or institutions, or one town of each region that is named. Errors tell
// file and line.
func ParseLists(files []ListFile) (*Lists, error) {
	sum := sha256.New()
	l := newLists()
	s := siteLists{lists: l, replaced: map[string]string{}}
	for _, f := range files {
		fmt.Fprintf(sum, "%d\x00", len(f.Data))
		sum.Write(f.Data)
		if err := s.read(f); err != nil {
			return nil, err
		}
	}
	if s.entries == 0 {
		return nil, errors.New("the lists hold no names, towns, streets or institutions")
	}
	for _, what := range slices.Sorted(maps.Keys(s.replaced)) {
		list, ok := l.pools[what]
		if !ok {
			list = l.places[what]
		}
		if !strings.HasPrefix(what, "towns") && len(list) < fewestReplacing {
			return nil, fmt.Errorf("%s: %q has %d entries; a list that replaces the program's needs %d", s.replaced[what], what, len(list),
				fewestReplacing)
		}
	}
	return &Lists{l, hex.EncodeToString(sum.Sum(nil))}, nil
}

// siteLists is a set of lists being made.
type siteLists struct {
	*lists
	replaced map[string]string // list to the place of the line that replaces it first
	replace  bool
	entries  int
}

func (s *siteLists) read(f ListFile) error {
	s.replace = false
	n := 0
	for line := range strings.Lines(string(f.Data)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := s.enter(line, fmt.Sprintf("%s:%d", f.Name, n)); err != nil {
			return fmt.Errorf("%s:%d: %w", f.Name, n, err)
		}
	}
	return nil
}

// listItem is what may stand in a list: letters with blanks, hyphens, apostrophes
// and stops between.
var listItem = regexp.MustCompile(`^\p{L}[\p{L}\p{M}]*(?:[ '’.-]+[\p{L}\p{M}]+)*\.?$`)

func (s *siteLists) enter(line, at string) error {
	head, rest, ok := strings.Cut(line, ":")
	if !ok {
		return errors.New("write HEAD: ITEM, ITEM")
	}
	words := strings.Fields(head)
	if len(words) == 0 {
		return errors.New("nothing stands before the colon; write HEAD: ITEM, ITEM")
	}
	if words[0] == "mode" {
		switch mode := strings.TrimSpace(rest); mode {
		case "widen", "replace":
			s.replace = mode == "replace"
		default:
			return fmt.Errorf("mode %q is unknown; write widen or replace", mode)
		}
		return nil
	}
	var items []string
	for _, item := range strings.Split(rest, ",") {
		item = strings.TrimSpace(item)
		name, _, _ := strings.Cut(item, "=")
		if item == "" && len(items) > 0 && strings.HasSuffix(strings.TrimSpace(rest), ",") {
			continue
		}
		if !listItem.MatchString(name) || !unicode.IsUpper([]rune(name)[0]) {
			return fmt.Errorf("%d. item: a name is letters, begins with a capital, and may have blanks, hyphens and apostrophes; "+
				"commas stand between names", len(items)+1)
		}
		if name != item && words[0] != "towns" {
			return fmt.Errorf("%d. item: = is for the ZIP prefix of a town", len(items)+1)
		}
		items = append(items, item)
	}
	s.entries += len(items)
	switch {
	case words[0] == "given" && (len(words) == 2 || len(words) == 3):
		return s.given(words[1:], items, at)
	case words[0] == "family" && len(words) <= 2:
		return s.family(words[1:], items, at)
	case words[0] == "either" && len(words) == 1:
		return s.names("either en", items, at)
	case words[0] == "streets" && len(words) == 1:
		s.places("street", items, at)
	case words[0] == "institutions" && len(words) == 1:
		s.places("place", items, at)
	case words[0] == "towns" && len(words) == 2:
		return s.townsOfState(words[1], items, at)
	case words[0] == "towns" && len(words) > 2:
		return s.townsOfRegion(words[1], strings.Join(words[2:], " "), items, at)
	default:
		return fmt.Errorf("%q is no list; write mode, given SEX, family, either, towns STATE, towns COUNTRY REGION, streets "+
			"or institutions", head)
	}
	return nil
}

// starts reports whether a list is to be emptied, which the first line that
// replaces it does.
func (s *siteLists) starts(list, at string) bool {
	if !s.replace || s.replaced[list] != "" {
		return false
	}
	s.replaced[list] = at
	return true
}

// origins are those of the lists of names.
func (s *siteLists) origin(words []string) (string, error) {
	if len(words) == 0 {
		return "en", nil
	}
	known := map[string]bool{}
	for _, o := range s.familyOf {
		known[o] = true
	}
	if !known[words[0]] {
		return "", fmt.Errorf("origin %q is unknown; write one of %s", words[0], strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	return words[0], nil
}

func (s *siteLists) given(words, items []string, at string) error {
	if words[0] != "f" && words[0] != "m" && words[0] != "u" {
		return fmt.Errorf("sex %q is unknown; write f, m or u for either", words[0])
	}
	origin, err := s.origin(words[1:])
	if err != nil {
		return err
	}
	of := words[0] + " " + origin
	for _, n := range items {
		if s.givenOf[fold(n)] == "" {
			s.givenOf[fold(n)] = of
		}
	}
	return s.names("given "+of, items, at)
}

func (s *siteLists) family(words, items []string, at string) error {
	origin, err := s.origin(words)
	if err != nil {
		return err
	}
	for _, n := range items {
		if s.familyOf[fold(n)] == "" {
			s.familyOf[fold(n)] = origin
		}
	}
	return s.names("family "+origin, items, at)
}

// names adds to the names that a class draws from.
func (s *siteLists) names(class string, items []string, at string) error {
	if s.starts(class, at) {
		s.pools[class] = nil
		delete(s.wider, class)
		s.closed[class] = true
	}
	for _, n := range items {
		if strings.ContainsAny(n, " .") {
			return errors.New("a name of a person is one word; hyphens and apostrophes may stand in it")
		}
		if !slices.Contains(s.pools[class], n) {
			s.pools[class] = append(s.pools[class], n)
		}
	}
	return nil
}

func (s *siteLists) places(list string, items []string, at string) {
	if s.starts(list, at) {
		s.lists.places[list] = nil
		s.closed[list] = true
	}
	for _, n := range items {
		if !slices.Contains(s.lists.places[list], n) {
			s.lists.places[list] = append(s.lists.places[list], n)
		}
	}
}

func (s *siteLists) townsOfState(code string, items []string, at string) error {
	if s.us.entry[code] == "" {
		return fmt.Errorf("%q is no state of the United States; write its code, such as MA, or towns COUNTRY REGION", code)
	}
	if s.starts("towns "+code, at) {
		s.us.all = slices.DeleteFunc(s.us.all, func(c string) bool { return slices.Contains(s.us.cities[code], c) })
		s.us.cities[code] = nil
		s.closed["towns us"] = true
	}
	for _, item := range items {
		town, prefix, zip := strings.Cut(item, "=")
		if zip && s.us.ofPrefix[prefix] != code {
			return fmt.Errorf("%s is no ZIP prefix of %s: %s", prefix, code, strings.Join(s.us.prefixes[code], " "))
		}
		if slices.Contains(s.us.cities[code], town) {
			continue
		}
		s.us.cities[code], s.us.all = append(s.us.cities[code], town), append(s.us.all, town)
		if zip {
			s.us.zipOf[code+" "+town] = prefix
		}
		switch old := s.us.stateOf[fold(town)]; old {
		case "", code:
			s.us.stateOf[fold(town)] = code
		default:
			s.us.stateOf[fold(town)] = manyStates
		}
	}
	return nil
}

func (s *siteLists) townsOfRegion(country, region string, items []string, at string) error {
	r := s.regions[country]
	if r == nil {
		return fmt.Errorf("country %q has no regions here; write one of %s, or towns STATE", country,
			strings.Join(slices.Sorted(maps.Keys(s.regions)), ", "))
	}
	if len(r.towns[region]) == 0 {
		return fmt.Errorf("%q is no region of %s; write one of %s", region, country, strings.Join(r.codes, ", "))
	}
	if s.starts("towns "+country+" "+region, at) {
		r.towns[region] = nil
		s.closed["towns "+country] = true
	}
	for _, item := range items {
		town, prefix, _ := strings.Cut(item, "=")
		if prefix != "" && country != "ie" {
			return errors.New("= is for the ZIP prefix of a town of the United States, or the routing key of one of Ireland")
		}
		if slices.Contains(r.towns[region], town) {
			continue
		}
		r.towns[region] = append(r.towns[region], town)
		if r.of[fold(town)] == "" {
			r.of[fold(town)] = region
		}
		if prefix != "" {
			r.prefix[region+" "+town] = prefix
		}
	}
	return nil
}
