package bilstmcrf

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// number is what the token graph's inputs are: numbers of 32 bits, or of 8 where
// model.json says so (Execution.InputBits).
type number interface{ float32 | uint8 }

// input makes and caches the rows that a token graph reads, and runs it on them.
type input[T number] struct {
	rows rows[T]
	one  T // of the class that a token has, and of blanks before it
	// fill writes the start of a row: the embedding of a form and the vector of its
	// characters.
	fill func(row []T, token, char []float32)
	emit func(emissions []float32, x []T, lengths []int32, steps int) error
}

// maxRows bounds the cache: at 189 numbers a row about 40 MB, or 150 MB of numbers of 32 bits. A
// full cache is dropped whole, which costs a few seconds' work and no bookkeeping.
const maxRows = 200_000

// rowKey is what a row is of. The class belongs to it: of two forms that are cut to the
// same, one may have capitals in its middle, between combining marks, and the other none.
type rowKey struct {
	form  string
	class token.Class
}

// rows caches one input row per surface form and class: token embedding, character
// vector and class. Safe for concurrent use; who looks up many forms locks it once.
type rows[T number] struct {
	sync.RWMutex
	m map[rowKey][]T
}

// get fills in the rows of forms, nil where there is none.
func (r *rows[T]) get(found [][]T, forms []string, classes []token.Class) {
	r.RLock()
	defer r.RUnlock()
	for i, form := range forms {
		found[i] = r.m[rowKey{form, classes[i]}]
	}
}

// put enters rows, of forms that the cache may hold by now.
func (r *rows[T]) put(fresh map[rowKey][]T) {
	r.Lock()
	defer r.Unlock()
	if r.m == nil || len(r.m) >= maxRows {
		r.m = map[rowKey][]T{}
	}
	for k, row := range fresh {
		r.m[rowKey{strings.Clone(k.form), k.class}] = row // a clone, so that the cache does not hold whole notes
	}
}

func (r *rows[T]) forget() {
	r.Lock()
	defer r.Unlock()
	r.m = nil
}

// Forget empties the cache of rows, which fills again where it is needed. It
// changes the speed, never the result.
func (t *Tagger) Forget() {
	t.wide.rows.forget()
	t.narrow.rows.forget()
}

// lookUp returns the rows of forms, encoding the characters of those that the
// cache lacks.
func lookUp[T number](t *Tagger, in *input[T], forms []string, classes []token.Class) ([][]T, error) {
	found := make([][]T, len(forms))
	in.rows.get(found, forms, classes)
	missing := map[rowKey]bool{}
	for i, form := range forms {
		if found[i] == nil {
			missing[rowKey{form, classes[i]}] = true
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	fresh, err := encode(t, in, missing)
	if err != nil {
		return nil, err
	}
	in.rows.put(fresh)
	for i, form := range forms {
		if found[i] == nil {
			found[i] = fresh[rowKey{form, classes[i]}]
		}
	}
	return found, nil
}

// charBatch bounds the forms in one run of the character graph.
const charBatch = 512

// encode computes the rows of forms, sorted by length, so that little padding is
// computed.
func encode[T number](t *Tagger, in *input[T], missing map[rowKey]bool) (map[rowKey][]T, error) {
	type item struct {
		rowKey
		chars []int32
	}
	m := t.model
	items := make([]item, 0, len(missing))
	for k := range missing {
		items = append(items, item{k, m.appendChars(nil, k.form)})
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(len(a.chars)-len(b.chars), strings.Compare(a.form, b.form), cmp.Compare(a.class, b.class))
	})
	fresh := make(map[rowKey][]T, len(items))
	d := m.Dimensions
	width := m.Width() - d.Space - d.Context
	token := make([]float32, d.Token)
	for len(items) > 0 {
		batch := items[:min(charBatch, len(items))]
		items = items[len(batch):]
		n, steps := len(batch), len(batch[len(batch)-1].chars)
		chars := make([]int32, steps*n)
		lengths := make([]int32, n)
		for i, it := range batch {
			lengths[i] = int32(len(it.chars))
			for s, c := range it.chars {
				chars[s*n+i] = c
			}
		}
		vectors := make([]float32, n*d.Char)
		if err := t.chars.EncodeChars(vectors, chars, lengths, steps); err != nil {
			return nil, err
		}
		if !chain.Finite(vectors) {
			return nil, chain.ErrNotFinite
		}
		block := make([]T, n*width)
		for i, it := range batch {
			row := block[i*width : (i+1)*width : (i+1)*width]
			id := m.vocabulary[strings.ToLower(it.form)] // 0 is the unknown form
			in.fill(row, m.embedding.row(id, token), vectors[i*d.Char:(i+1)*d.Char])
			row[d.Token+d.Char+int(it.class)] = in.one
			fresh[it.rowKey] = row
		}
	}
	return fresh, nil
}
