package features

import (
	"fmt"
	"strings"
)

// template is a kind of feature. Offsets from the token are part of its name.
type template struct {
	name string
	hash uint64
}

var all []*template

func newTemplate(format string, args ...any) *template {
	t := &template{name: fmt.Sprintf(format, args...)}
	t.hash = hashOf(t.name + Equals)
	all = append(all, t)
	return t
}

// around makes a template for each offset from -n to n, in this order.
func around(n int, format string) []*template {
	var ts []*template
	for k := -n; k <= n; k++ {
		ts = append(ts, newTemplate(format, k))
	}
	return ts
}

// runs makes a template for each of the runs, given by first and last offset.
func runs(format string, ends ...[2]int) []run {
	var rs []run
	for _, e := range ends {
		var ks []string
		for k := e[0]; k <= e[1]; k++ {
			ks = append(ks, fmt.Sprint(k))
		}
		rs = append(rs, run{e[0], e[1] - e[0] + 1, newTemplate(format, strings.Join(ks, ","))})
	}
	return rs
}

// run is a template of two or three neighbours.
type run struct {
	first, n int
	t        *template
}

const (
	reach    = 2 // tokens to either side that are told by their place
	farReach = 4 // tokens to either side whose words are told without it
	minAffix = 2
	maxAffix = 4
)

// The templates. What their names begin with says what training may keep of them:
// "@" where the first part is words, "@@" where all are, "%" where it is a stem, "~"
// where it is a part of a word.
var (
	tBias   = newTemplate("bias")
	tWord   = around(reach, "@w%+d")
	tWords  = runs("@@w[%s]", [2]int{-1, 0}, [2]int{0, 1}, [2]int{-2, -1}, [2]int{1, 2})
	tStem   = around(1, "%%s%+d")
	tLeft   = newTemplate("@left")
	tRight  = newTemplate("@right")
	tClass  = around(1, "c%+d")
	tSpace  = []*template{newTemplate("sp+0"), newTemplate("sp+1")}
	tShape  = around(reach, "sh%+d")
	tLong   = newTemplate("long")
	tShapes = runs("sh[%s]", [2]int{-1, 0}, [2]int{0, 1}, [2]int{-1, 1})
	tLength = newTemplate("len")
	tAffix  = affixTemplates()
	tSuffix = around(1, "~x%+d") // suffixes of three of the neighbours
	tList   = around(1, "l%+d")
	tLists  = runs("l[%s]", [2]int{-1, 0}, [2]int{0, 1})
	tListed = newTemplate("lc")    // lists and class of the token
	tWordL  = newTemplate("@w-1l") // the word before, and the token's lists
	tChunk  = newTemplate("ch")    // shape of what stands between blanks, and the place in it
	tChunks = around(1, "chs%+d")
	tLabel  = newTemplate("@lab")  // words before the colon, and how far it is
	tLabelS = newTemplate("@labs") // the last of them, and the token's shape
	tAbove  = newTemplate("@abv")  // label that ends the line before
	tSect   = newTemplate("@sec")  // heading
	tPlace  = newTemplate("ln")    // place in the line, and its length
	tEnd    = newTemplate("le")    // place from its end
	tNote   = newTemplate("no")    // place of the line in the note
	tTitled = newTemplate("ti")    // elsewhere in the note it stands behind a title
	tLow    = newTemplate("lo")    // elsewhere in the note it stands in small letters
)

func affixTemplates() []*template {
	var ts []*template
	for _, kind := range []string{"~p", "~q"} {
		for k := minAffix; k <= maxAffix; k++ {
			ts = append(ts, newTemplate("%s%d", kind, k))
		}
	}
	return ts
}
