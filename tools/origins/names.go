package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

//go:embed names/*.txt
var files embed.FS

// The lists of an origin.
const (
	female = iota
	male
	family
	lists
)

var listNames = [lists]string{"female", "male", "family"}

// origin is where names are from: a file of names. No name of one stands in
// another's, in the trainer's lists (Faker's among them), in the notes trained on,
// or in the lists of rules and surrogates, alone or as a part; names_test.go and
// model/training/tests/test_origins.py see to that.
type origin struct {
	id, title string
	names     [lists][]string
}

// origins returns all of them, in the order of their files, and each list in an
// order that does not show the alphabet.
func origins() ([]origin, error) {
	entries, err := files.ReadDir("names")
	if err != nil {
		return nil, err
	}
	var all []origin
	for _, e := range entries {
		raw, err := files.ReadFile("names/" + e.Name())
		if err != nil {
			return nil, err
		}
		o, err := parseOrigin(strings.TrimSuffix(e.Name(), ".txt"), string(raw))
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

func parseOrigin(id, text string) (origin, error) {
	o := origin{id: id}
	for line := range strings.Lines(text) {
		if remark, ok := strings.CutPrefix(line, "# "); ok {
			if o.title == "" {
				o.title, _, _ = strings.Cut(remark, ".")
			}
			continue
		}
		key, rest, _ := strings.Cut(line, ":")
		k := slices.Index(listNames[:], key)
		if k < 0 {
			return o, fmt.Errorf("names/%s.txt: %q is no list; write one of %s", id, key, strings.Join(listNames[:], ", "))
		}
		o.names[k] = append(o.names[k], strings.Fields(rest)...)
	}
	for k, list := range o.names {
		if len(list) == 0 {
			return o, fmt.Errorf("names/%s.txt: the list %s is empty", id, listNames[k])
		}
		slices.SortFunc(list, func(a, b string) int {
			if x, y := hash("order", a), hash("order", b); x != y {
				if x < y {
					return -1
				}
				return 1
			}
			return strings.Compare(a, b)
		})
	}
	return o, nil
}

// hash is FNV-1a over parts, each with its end marked, stirred so that near parts
// get far values.
func hash(parts ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}

// bare returns a name without its marks: of half the people they are left out, as
// in many charts.
func bare(name string) string {
	if names.IsASCII(name) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		f := names.Fold(string(r))
		if unicode.IsUpper(r) && f != "" {
			f = strings.ToUpper(f[:1]) + f[1:]
		}
		b.WriteString(f)
	}
	return b.String()
}
