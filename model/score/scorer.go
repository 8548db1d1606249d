package score

import (
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/schemes"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Scorer counts documents one by one. It is not safe for concurrent use.
type Scorer struct {
	options Options

	// What labels mean. Indexes are dense, in order of first sight.
	classes    []class
	classOf    map[tag]int32
	strictOf   map[tag]int32
	exactOf    map[string]int32
	categoryOf map[string]int32
	labelOf    map[string]int32
	categories []string // case folded
	labels     []string // case folded
	mapped     [2]map[tag]mapping
	i2b2       int // classes that are an i2b2 2014 category and type

	// Counts per document.
	index   map[string]int // place of a document id in ids
	ids     []string
	rows    []uint32 // len(columns) * 3 numbers a document
	entries []entry
	ends    []int // end of each document's entries

	// Counts over all documents.
	gold, system, tokens int
	documents            DocumentRecall
	over                 OverRedaction
	exact, overlap       confusion
	curves               []curve // by label
	kinds                map[kindKey]int
	causes               map[Cause]*CauseCount

	drawn   *intervals // of the first drawnAt documents
	drawnAt int

	work
}

// work is memory reused from document to document.
type work struct {
	annotations [2][]Annotation
	spans       [2][]span
	runs        [2][]span
	unions      [2][]interval
	text        []token.Token
	group       []element
	sums        [len(columns)]Counts
	dense       []Counts // by sparse key
	touched     []int32
	pairing     pairing
	merging     merging
	mistakes    []Mistake
}

// tag is a category and a label.
type tag struct{ category, label string }

// mapping is what Options.Gold or Options.System make of a tag.
type mapping struct {
	class           int32
	category, label string
	keep            bool
}

// The sides of a document.
const (
	goldSide = iota
	systemSide
)

// column is one measure of which each document keeps a count.
type column struct {
	measure  Measure
	subset   Subset
	official string
}

// columns holds the reports of the i2b2 2014 script in its order and
// spelling, then the other measures.
var columns = [...]column{
	{Token, All, "Token"},
	{Strict, All, "Strict"},
	{Relaxed, All, "Relaxed"},
	{Token, HIPAAScript, "HIPPA Token"},
	{Strict, HIPAAScript, "HIPAA Strict"},
	{Relaxed, HIPAAScript, "HIPAA Relaxed"},
	{BinaryToken, All, "Binary Token"},
	{BinaryStrict, All, "Binary Strict"},
	{BinaryToken, HIPAAScript, "Binary HIPPA Token"},
	{BinaryStrict, HIPAAScript, "Binary HIPAA Strict"},
	{Token, HIPAADocumented, ""},
	{Strict, HIPAADocumented, ""},
	{Relaxed, HIPAADocumented, ""},
	{BinaryToken, HIPAADocumented, ""},
	{BinaryStrict, HIPAADocumented, ""},
	{Blind, All, ""},
	{Character, All, ""},
	{NER, All, ""},
	{Spans, All, ""},
	{Merged, All, ""},
}

// The columns of each measure, by bit of class.subsets.
var (
	tokenColumns        = [numSubsets]int{0, 3, 10}
	strictColumns       = [numSubsets]int{1, 4, 11}
	relaxedColumns      = [numSubsets]int{2, 5, 12}
	binaryTokenColumns  = [numSubsets]int{6, 8, 13}
	binaryStrictColumns = [numSubsets]int{7, 9, 14}
)

const (
	blindColumn = 15 + iota
	characterColumn
	nerColumn
	spansColumn
	mergedColumn
)

// width is the number of numbers a document's row holds.
const width = 3 * len(columns)

// The counts kept of each category or label that a document holds; its key is
// the index times numSparse plus one of these.
const (
	labelStrict = iota
	labelToken
	categoryToken
	categoryStrict
	categoryHIPAAToken
	categoryHIPAAStrict
	numSparse
)

// New returns a scorer without documents.
func New(options Options) *Scorer {
	return &Scorer{
		options:    options,
		classOf:    map[tag]int32{},
		strictOf:   map[tag]int32{},
		exactOf:    map[string]int32{},
		categoryOf: map[string]int32{},
		labelOf:    map[string]int32{},
		mapped:     [2]map[tag]mapping{{}, {}},
		index:      map[string]int{},
		exact:      newConfusion(),
		overlap:    newConfusion(),
		kinds:      map[kindKey]int{},
		causes:     map[Cause]*CauseCount{},
	}
}

// Add counts one document. It returns the document's mistakes by the strict
// measure in text order; they are valid until the next Add. Errors are a
// document added before, offsets that do not fit the text, and a label that
// the options' mapping does not know; a document that gave an error is not
// counted.
func (s *Scorer) Add(d Document) ([]Mistake, error) {
	if _, ok := s.index[d.ID]; ok {
		return nil, fmt.Errorf("score: document %q was added before; ids must differ", d.ID)
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	if err := s.read(goldSide, &d, d.Gold, s.options.Gold); err != nil {
		return nil, err
	}
	if err := s.read(systemSide, &d, d.System, s.options.System); err != nil {
		return nil, err
	}

	s.sums = [len(columns)]Counts{}
	s.countStrict()
	s.countRelaxed(d.Text)
	s.countTokens(d.Text)
	s.countMerged(d.Text)
	s.countText(d.Text)
	s.countCharacters(d.Text)
	s.pair(&d)
	s.store(d.ID)
	return s.mistakes, nil
}

// Documents returns the ids of the documents added, in that order.
func (s *Scorer) Documents() []string { return s.ids }

// read maps and sorts one side of a document.
func (s *Scorer) read(side int, d *Document, list []Annotation, m *schemes.Mapping) error {
	s.annotations[side] = s.annotations[side][:0]
	s.spans[side] = s.spans[side][:0]
	for i, a := range list {
		t := tag{a.Category, a.Label}
		to, ok := s.mapped[side][t]
		if !ok {
			to = mapping{category: a.Category, label: a.Label, keep: true}
			if m != nil {
				var err error
				if to.category, to.label, to.keep, err = m.Map(a.Label); err != nil {
					return fmt.Errorf("score: document %q, %s annotation %d: %w", d.ID, [2]string{"gold", "system"}[side], i+1, err)
				}
			}
			if to.keep {
				to.class = s.class(tag{to.category, to.label})
			}
			s.mapped[side][t] = to
		}
		if !to.keep {
			continue
		}
		a.Category, a.Label = to.category, to.label
		s.spans[side] = append(s.spans[side], span{
			start: a.Start, end: a.End, class: to.class, strict: s.classes[to.class].strict,
			order: int32(len(s.annotations[side])), score: a.Score,
		})
		s.annotations[side] = append(s.annotations[side], a)
	}
	sortBy(s.spans[side], s.compareSpans)
	s.unions[side] = union(s.unions[side][:0], s.spans[side])
	return nil
}

// class returns the index of a category and label as written.
func (s *Scorer) class(t tag) int32 {
	if i, ok := s.classOf[t]; ok {
		return i
	}
	category, label := strings.ToUpper(t.category), strings.ToUpper(t.label)
	c := class{
		strict:  intern(s.strictOf, tag{category, label}),
		exact:   intern(s.exactOf, t.label),
		subsets: inAll,
		bare:    t.category == "PHI",
	}
	c.category = intern(s.categoryOf, category)
	if int(c.category) == len(s.categories) {
		s.categories = append(s.categories, category)
	}
	c.label = intern(s.labelOf, label)
	if int(c.label) == len(s.labels) {
		s.labels = append(s.labels, label)
		s.curves = append(s.curves, curve{})
	}
	if phi.HIPAAScript(t.category, t.label) {
		c.subsets |= inScript
	}
	if phi.HIPAADocumented(t.category, t.label) {
		c.subsets |= inDocumented
	}
	if _, err := phi.ParseType(label); err == nil && phi.IsCategory(t.category) {
		s.i2b2++
	}
	i := int32(len(s.classes))
	s.classes = append(s.classes, c)
	s.classOf[t] = i
	for len(s.dense) < numSparse*max(len(s.labels), len(s.categories)) {
		s.dense = append(s.dense, Counts{})
	}
	return i
}

func intern[K comparable](m map[K]int32, k K) int32 {
	i, ok := m[k]
	if !ok {
		i = int32(len(m))
		m[k] = i
	}
	return i
}

// sparse adds one key to a count of a category or label.
func (s *Scorer) sparse(what int, index int32, g, sys bool) {
	key := index*numSparse + int32(what)
	c := &s.dense[key]
	if *c == (Counts{}) {
		s.touched = append(s.touched, key)
	}
	switch {
	case g && sys:
		c.TP++
	case sys:
		c.FP++
	case g:
		c.FN++
	}
}

// store keeps the document's counts.
func (s *Scorer) store(id string) {
	s.index[id] = len(s.ids)
	s.ids = append(s.ids, id)
	for _, c := range s.sums {
		s.rows = append(s.rows, uint32(c.TP), uint32(c.FP), uint32(c.FN))
	}
	for _, key := range s.touched {
		s.entries = append(s.entries, entry{
			key: key, tp: uint32(s.dense[key].TP), fp: uint32(s.dense[key].FP), fn: uint32(s.dense[key].FN),
		})
		s.dense[key] = Counts{}
	}
	s.touched = s.touched[:0]
	s.ends = append(s.ends, len(s.entries))
	s.gold += len(s.annotations[goldSide])
	s.system += len(s.annotations[systemSide])
}
