package evaluate

import (
	"fmt"
	"iter"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// both is one document as both sides have it, with one text.
type both struct {
	gold, system corpus.Document
}

// pair joins the documents of both sides by id and yields those that want
// picks; it is asked for both sides' documents, as only one may know the
// patient. Where both come in one order it holds two documents at a time;
// where not, it holds those that wait for their partner. After the last pair
// it yields an error if one side has documents, wanted ones, that the other
// lacks. A wanted document whose texts differ is an error too.
func pair(gold, system *source, golds, systems iter.Seq2[corpus.Document, error], want func(*corpus.Document) bool) iter.Seq2[both, error] {
	return func(yield func(both, error) bool) {
		nextGold, stopGold := iter.Pull2(golds)
		defer stopGold()
		nextSystem, stopSystem := iter.Pull2(systems)
		defer stopSystem()
		waiting := [2]map[string]corpus.Document{{}, {}}
		emit := func(g, s corpus.Document) (bool, error) {
			wanted := want(&g)
			if !want(&s) && !wanted {
				return true, nil
			}
			if g.Text != s.Text {
				return false, differ(gold, system, &g, &s)
			}
			return yield(both{g, s}, nil), nil
		}
		for {
			g, err, moreGold := nextGold()
			if err != nil {
				yield(both{}, err)
				return
			}
			s, err, moreSystem := nextSystem()
			if err != nil {
				yield(both{}, err)
				return
			}
			if !moreGold && !moreSystem {
				break
			}
			var ready [][2]corpus.Document
			if moreGold && moreSystem && g.ID == s.ID {
				ready = append(ready, [2]corpus.Document{g, s})
			} else {
				arrive := func(side int, d corpus.Document) {
					w, ok := waiting[1-side][d.ID]
					if !ok {
						waiting[side][d.ID] = d
						return
					}
					delete(waiting[1-side], d.ID)
					var pair [2]corpus.Document
					pair[side], pair[1-side] = d, w
					ready = append(ready, pair)
				}
				if moreGold {
					arrive(0, g)
				}
				if moreSystem {
					arrive(1, s)
				}
			}
			for _, r := range ready {
				if more, err := emit(r[0], r[1]); err != nil || !more {
					if err != nil {
						yield(both{}, err)
					}
					return
				}
			}
		}
		var faults []string
		for i, sides := range [2][2]*source{{gold, system}, {system, gold}} {
			if ids := wanted(waiting[i], want); len(ids) > 0 {
				faults = append(faults, fmt.Sprintf("%s has %s that %s has not", sides[0].flag, some("document", ids), sides[1].flag))
			}
		}
		if len(faults) > 0 {
			yield(both{}, fmt.Errorf("both sides must have the same documents: %s. Name those to score with --documents, or make the sides equal "+
				"(a document without PHI needs a file without annotations)", strings.Join(faults, "; ")))
		}
	}
}

// wanted returns the ids of the documents that want picks, sorted.
func wanted(documents map[string]corpus.Document, want func(*corpus.Document) bool) []string {
	var ids []string
	for id, d := range documents {
		if want(&d) {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids
}

// some counts ids and names the first few.
func some(what string, ids []string) string {
	const most = 5
	n := len(ids)
	if n > 1 {
		what += "s"
	}
	quoted := make([]string, 0, most)
	for _, id := range ids[:min(n, most)] {
		quoted = append(quoted, fmt.Sprintf("%q", id))
	}
	more := ""
	if n > most {
		more = ", ..."
	}
	return fmt.Sprintf("%d %s (%s%s)", n, what, strings.Join(quoted, ", "), more)
}

// differ says where two texts part, without quoting them.
func differ(gold, system *source, g, s *corpus.Document) error {
	at := 0
	for at < len(g.Text) && at < len(s.Text) && g.Text[at] == s.Text[at] {
		at++
	}
	for at > 0 && at < len(g.Text) && !utf8.RuneStart(g.Text[at]) {
		at--
	}
	return fmt.Errorf("document %q: the texts of %s (%s) and %s (%s) differ from code point %d on, so offsets do not compare; both must be "+
		"on the same text",
		g.ID, gold.flag, g.Source, system.flag, s.Source, utf8.RuneCountInString(g.Text[:at]))
}
