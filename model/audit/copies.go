package audit

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Clinical notes are written by copying: a paragraph stands in ten notes of a
// patient. What was replaced in one copy and left in another is left for certain,
// and shows what stood in the first. So passages of eight words are compared by
// keyed hashes, within a patient's notes, and no text has to be brought together.

// passageWords is how many words a passage has.
const passageWords = 8

// Passage is a run of words of a note, as its hash, and what was replaced in it.
type Passage struct {
	Hash       uint64 // keyed, of the words of the original
	Start, End int    // bytes of the original
	Covered    uint8  // bit k: word k was taken for an identifier, whatever was done to it
	Begins     uint8  // bit k: word k is the first of such a span
	Types      []phi.Type
}

// Passages returns half of the passages of a text, those with an even hash: a word
// stands in eight, so that one in 256 of the words amid a text is in none. sum is a
// keyed hash of bytes. Spans are disjoint and in order.
func Passages(text string, replaced []surrogate.Replacement, sum func([]byte) uint64) (all []Passage) {
	type word struct {
		start, end int
		span       int // that the word lies in, or -1
	}
	var words []word
	at := -1
	k := 0
	flush := func(end int) {
		if at < 0 {
			return
		}
		for k < len(replaced) && replaced[k].End <= at {
			k++
		}
		w := word{at, end, -1}
		if k < len(replaced) && replaced[k].Start < end {
			w.span = k
		}
		words, at = append(words, w), -1
	}
	for i, r := range text {
		switch isWord := r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') ||
			r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)); {
		case isWord && at < 0:
			at = i
		case !isWord:
			flush(i)
		}
	}
	flush(len(text))
	var buf []byte
	for i := 0; i+passageWords <= len(words); i++ {
		buf = buf[:0]
		for _, w := range words[i : i+passageWords] {
			buf = append(binary.AppendUvarint(buf, uint64(w.end-w.start)), text[w.start:w.end]...)
		}
		p := Passage{Hash: sum(buf), Start: words[i].start, End: words[i+passageWords-1].end}
		if p.Hash&1 != 0 {
			continue
		}
		for j, w := range words[i : i+passageWords] {
			if w.span < 0 {
				continue
			}
			p.Covered |= 1 << j
			// A span that begins before the passage is not known in full.
			if first := i+j == 0 || words[i+j-1].span != w.span; first {
				p.Begins |= 1 << j
				p.Types = append(p.Types, replaced[w.span].Type)
			}
		}
		all = append(all, p)
	}
	return all
}

// Copy is a passage of one of a patient's notes.
type Copy struct {
	Note int // the caller's number for it
	Passage
}

// LeftCopy is what was left in one copy of a passage and replaced in another.
type LeftCopy struct {
	Note       int
	Start, End int // of the passage, in bytes of the original
	Type       phi.Type
}

// Compare returns what was left in a copy, each place once, in order of note and
// place. It reorders the copies.
func Compare(copies []Copy) (all []LeftCopy) {
	slices.SortFunc(copies, func(a, b Copy) int {
		return cmp.Or(cmp.Compare(a.Hash, b.Hash), a.Note-b.Note, a.Start-b.Start)
	})
	for i := 0; i < len(copies); {
		j := i + 1
		for j < len(copies) && copies[j].Hash == copies[i].Hash {
			j++
		}
		all = append(all, compare(copies[i:j])...)
		i = j
	}
	slices.SortFunc(all, func(a, b LeftCopy) int {
		return cmp.Or(a.Note-b.Note, a.Start-b.Start, a.End-b.End, int(a.Type)-int(b.Type))
	})
	// Passages that overlap tell of the same place.
	note, end := -1, 0
	return slices.DeleteFunc(all, func(l LeftCopy) bool {
		again := l.Note == note && l.Start < end
		if l.Note != note || l.Start >= end {
			note, end = l.Note, l.End
		}
		return again
	})
}

// compare compares copies of one passage.
func compare(copies []Copy) (all []LeftCopy) {
	var same uint8
	for i := range copies {
		same |= copies[i].Covered ^ copies[0].Covered
	}
	if same == 0 {
		return nil
	}
	for i := range copies {
		typ := phi.None
		for j := range copies {
			for k, mask := range spans(&copies[j].Passage) {
				if copies[i].Covered&mask == 0 && typ == phi.None {
					typ = copies[j].Types[k]
				}
			}
		}
		if typ != phi.None {
			all = append(all, LeftCopy{copies[i].Note, copies[i].Start, copies[i].End, typ})
		}
	}
	return all
}

// spans returns the words of each span that lies in the passage from its first
// word to its last: one that is cut off may be longer by nothing but a common word.
func spans(p *Passage) (masks []uint8) {
	for begins := p.Begins; begins != 0; begins &= begins - 1 {
		first := bits.TrailingZeros8(begins)
		mask := uint8(1) << first
		k := first + 1
		for ; k < passageWords && p.Covered&(1<<k) != 0 && p.Begins&(1<<k) == 0; k++ {
			mask |= 1 << k
		}
		if k == passageWords {
			mask = 0xff // it may go on: nothing of the passage may be covered then
		}
		masks = append(masks, mask)
	}
	return masks
}
