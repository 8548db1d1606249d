// Package roles helps to say what becomes of each column of a table: it
// suggests roles, and knows tables of usual shapes.
package roles

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lines"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Suggestion is a role for a column and why. It never quotes a value.
type Suggestion struct {
	Role table.Role
	Why  string
}

// Suggest says what role a column probably has, from its type, its name and
// a sample of its values. In doubt it suggests to leave the column out.
func Suggest(c table.Column, s table.Sample) Suggestion {
	name := words(c.Path)
	has := func(all ...string) bool {
		return slices.ContainsFunc(all, func(w string) bool { return slices.Contains(name, w) })
	}
	switch {
	case c.Date && c.List:
		return Suggestion{table.RoleDrop,
			"it holds dates in a list, which cannot be moved, and left as they are tell by how much the others moved"}
	case c.Date:
		return Suggestion{table.RoleDate, "it holds dates; one left as it is tells by how much the others moved"}
	case len(s.Values) == 0 && s.Nulls > 0 && (c.Text || c.Int):
		return Suggestion{table.RoleDrop, "its first values are all null"}
	case c.Text && share(s.Values, utf8.ValidString) < 1 && len(s.Values) > 0:
		return Suggestion{table.RoleDrop, "it holds bytes that nobody can look into"}
	case c.Text && share(s.Values, deid.Day) > 0.8 && !c.List:
		return Suggestion{table.RoleDate, "its values read like dates"}
	case (c.Int || c.Number) && share(s.Values, deid.CompactDay) > 0.9:
		return Suggestion{table.RoleDrop, "its values read like dates written as numbers (yyyymmdd); write them as dates to have them moved"}
	case c.Text && share(s.Values, isProse) > 0.2:
		return Suggestion{table.RoleText, "its values are sentences"}
	case has("name", "names", "surname", "phone", "telephone", "email", "address", "street", "ssn", "birth", "dob") &&
		!has("file", "table", "column", "drug", "test"):
		return Suggestion{table.RoleDrop, "its name says that it identifies people"}
	case has(ids...) && !has("concept") && (c.Text || c.Int) && !c.List:
		return Suggestion{table.RoleID, "its name says that it is an id, and its values need the same pseudonyms wherever they stand"}
	case has(ids...) && !has("concept") && c.Number && whole(s):
		return Suggestion{table.RoleDrop,
			"its name says that it is an id, which a decimal or floating-point number cannot be; cast it to BIGINT or VARCHAR for the role id"}
	case has("line") && c.Int && !c.List && share(s.Values, isLine) == 1:
		return Suggestion{table.RoleLine, "its name and values number the lines of notes: the rows of one document id are read as one note"}
	case has("concept") && c.Int:
		return Suggestion{table.RoleKeep, "its name says that it refers to a vocabulary"}
	case c.Text && share(s.Values, isCode) > 0.95 && distinct(s.Values) <= max(20, len(s.Values)/20):
		return Suggestion{table.RoleKeep, fmt.Sprintf("its first %d values are short codes, %d of them different", len(s.Values),
			distinct(s.Values))}
	case c.Text && len(s.Values) >= 100 && distinct(s.Values) <= 20:
		return Suggestion{table.RoleKeep, fmt.Sprintf("its first %d values are %d different ones", len(s.Values), distinct(s.Values))}
	case c.Text:
		return Suggestion{table.RoleDrop, "it holds words, which may name somebody"}
	case c.Int && distinct(s.Values) <= max(20, len(s.Values)/20):
		return Suggestion{table.RoleKeep, fmt.Sprintf("its first %d values are integers, %d of them different", len(s.Values),
			distinct(s.Values))}
	case c.Int:
		return Suggestion{table.RoleDrop, "it holds integers that are nearly all different, as ids are"}
	case c.Number && whole(s) && len(s.Values) > 20 && distinct(s.Values) > len(s.Values)/2:
		return Suggestion{table.RoleDrop, "it holds integers, in decimals or floating-point numbers, that are mostly different, as ids are"}
	case strings.Contains(c.Type, "BYTE_ARRAY"):
		return Suggestion{table.RoleDrop, "it holds bytes that nobody can look into"}
	}
	return Suggestion{table.RoleKeep, "it holds numbers or flags"}
}

// ids are the words by which columns of ids are called.
var ids = []string{"id", "identifier", "mrn", "num", "number", "accession", "hadm", "csn", "key", "uuid", "guid"}

// whole tells whether no value has a fraction, as that of a measurement has.
func whole(s table.Sample) bool {
	return !slices.ContainsFunc(s.Values, func(v string) bool { return strings.Contains(v, ".") })
}

// words cuts a column's path into lower-case words: "visit.startDate" is visit,
// start, date.
func words(path string) []string {
	var b strings.Builder
	before := ' '
	for _, r := range path {
		switch {
		case !unicode.IsLetter(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	return strings.Fields(b.String())
}

func share(values []string, is func(string) bool) float64 {
	if len(values) == 0 {
		return 0
	}
	n := 0
	for _, v := range values {
		if is(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func distinct(values []string) int {
	all := slices.Clone(values)
	slices.Sort(all)
	return len(slices.Compact(all))
}

// isProse tells whether a value has several words in lower case, as sentences do.
func isProse(s string) bool {
	lower := 0
	for _, w := range strings.Fields(s) {
		if w == strings.ToLower(w) && len(w) > 1 && unicode.IsLetter([]rune(w)[0]) {
			lower++
		}
	}
	return lower >= 4
}

// isLine tells whether an integer may be the number of a line.
func isLine(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && n >= 0 && n <= lines.Most
}

// isCode tells whether a value is one short word.
func isCode(s string) bool { return len(s) <= 24 && len(strings.Fields(s)) <= 1 }
