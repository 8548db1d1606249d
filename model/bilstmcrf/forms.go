package bilstmcrf

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The forms of Newline tokens: one line end, and more than one.
const (
	lineForm      = "\n"
	paragraphForm = "\n\n"
)

// maxFormBytes bounds the forms that are looked up and cached as they are;
// longer ones, which no vocabulary holds, are first cut to what the character
// encoder sees.
const maxFormBytes = 96

// form returns what a token is called in the vocabulary and, with its class, in the cache.
func (m *Model) form(text string, t token.Token) string {
	s := t.Text(text)
	if t.Class == token.Newline {
		if strings.Count(s, "\n") > 1 {
			return paragraphForm
		}
		return lineForm
	}
	if len(s) > maxFormBytes {
		head, tail := m.cut(s)
		return head + "\x00" + tail
	}
	return s
}

// cut returns the first and last characters of s that the character encoder
// sees; tail is empty where s is short enough to be seen whole.
func (m *Model) cut(s string) (head, tail string) {
	first, last := m.Tokenizer.MaxChars[0], m.Tokenizer.MaxChars[1]
	if len(s) <= first+last || (len(s) <= 4*(first+last) && utf8.RuneCountInString(s) <= first+last) {
		return s, ""
	}
	i := 0
	for range first {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	j := len(s)
	for range last {
		_, size := utf8.DecodeLastRuneInString(s[:j])
		j -= size
	}
	return s[:i], s[j:]
}

// appendChars appends the character indices of a form.
func (m *Model) appendChars(dst []int32, form string) []int32 {
	head, tail := m.cut(form)
	for _, part := range [2]string{head, tail} {
		for _, r := range part {
			if r != 0 { // the mark of an already cut form
				dst = append(dst, m.characters[r])
			}
		}
	}
	if len(dst) == 0 {
		dst = append(dst, 0)
	}
	return dst
}

// maxRows bounds the cache: at 159 floats a row about 130 MB. A full cache is
// dropped whole, which costs a few seconds' work and no bookkeeping.
const maxRows = 200_000

// rowKey is what a row is of. The class belongs to it: of two forms that are cut to the
// same, one may have capitals in its middle, between combining marks, and the other none.
type rowKey struct {
	form  string
	class token.Class
}

// rows caches one input row per surface form and class: token embedding, character
// vector and class. Safe for concurrent use; who looks up many forms locks it once.
type rows struct {
	sync.RWMutex
	m map[rowKey][]float32
}

// get fills in the rows of forms, nil where there is none.
func (r *rows) get(found [][]float32, forms []string, classes []token.Class) {
	r.RLock()
	defer r.RUnlock()
	for i, form := range forms {
		found[i] = r.m[rowKey{form, classes[i]}]
	}
}

// put enters rows, of forms that the cache may hold by now.
func (r *rows) put(fresh map[rowKey][]float32) {
	r.Lock()
	defer r.Unlock()
	if r.m == nil || len(r.m) >= maxRows {
		r.m = map[rowKey][]float32{}
	}
	for k, row := range fresh {
		r.m[rowKey{strings.Clone(k.form), k.class}] = row // a clone, so that the cache does not hold whole notes
	}
}

// lookUp returns the rows of forms, encoding the characters of those that the
// cache lacks.
func (t *Tagger) lookUp(forms []string, classes []token.Class) ([][]float32, error) {
	found := make([][]float32, len(forms))
	t.rows.get(found, forms, classes)
	missing := map[rowKey]bool{}
	for i, form := range forms {
		if found[i] == nil {
			missing[rowKey{form, classes[i]}] = true
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	fresh, err := t.encode(missing)
	if err != nil {
		return nil, err
	}
	t.rows.put(fresh)
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
func (t *Tagger) encode(missing map[rowKey]bool) (map[rowKey][]float32, error) {
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
	fresh := make(map[rowKey][]float32, len(items))
	d := m.Dimensions
	width := m.Width() - d.Space - d.Context
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
		block := make([]float32, n*width)
		for i, it := range batch {
			row := block[i*width : (i+1)*width : (i+1)*width]
			id := m.vocabulary[strings.ToLower(it.form)] // 0 is the unknown form
			copy(row, m.embedding[int(id)*d.Token:(int(id)+1)*d.Token])
			copy(row[d.Token:], vectors[i*d.Char:(i+1)*d.Char])
			row[d.Token+d.Char+int(it.class)] = 1
			fresh[it.rowKey] = row
		}
	}
	return fresh, nil
}
