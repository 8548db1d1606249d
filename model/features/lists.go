package features

import (
	"strings"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// listNames are the public lists, in the order in which a word's are told.
var listNames = []string{"given", "family", "city", "state", "country", "occupation", "head", "suffix", "nickname", "title", "degree",
	"particle", "common", "drug"}

// listed tells, of each word of the public lists, which hold it, as bits.
var listed = sync.OnceValue(func() map[string]uint32 {
	m := map[string]uint32{}
	number := map[string]int{}
	for i, l := range listNames {
		number[l] = i
	}
	add := func(list, word string) { m[word] |= 1 << number[list] }
	surrogate.Listed(add)
	for list, words := range map[string]map[string]bool{"title": names.Titles, "degree": names.Degrees, "particle": names.Particles,
		"common": names.Common, "drug": veto.Drugs()} {
		for w := range words {
			add(list, w)
		}
	}
	names.Diminutives(func(_ string, forms []string) {
		for _, f := range forms {
			add("nickname", names.Fold(f))
		}
	})
	return m
})

func (x *Extractor) listsOf(w string, letters bool) (lists []*part, all *part) {
	if !letters {
		return nil, x.part("")
	}
	set := x.listed[w]
	var in []string
	for i, l := range listNames {
		if set&(1<<i) != 0 {
			lists = append(lists, x.part(l))
			in = append(in, l)
		}
	}
	return lists, x.part(strings.Join(in, "+"))
}
