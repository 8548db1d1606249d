package score

// The measures of the i2b2 2014 script (Stubbs, Kotfila, Uzuner 2015;
// i2b2_evaluation_scripts at acbfd4e), with its quirks. Sets are sets: exact
// duplicates on one side count once.

// countStrict counts the measures whose keys hold both offsets: strict, binary
// strict, and MEDDOCAN's NER and spans.
func (s *Scorer) countStrict() {
	var strict, binary tally
	ner, spans := &s.sums[nerColumn], &s.sums[spansColumn]
	equalOffsets(s.spans[goldSide], s.spans[systemSide], func(gold, system []span) {
		add(spans, len(gold) > 0, len(system) > 0)

		s.fill(gold, system, func(x span) int64 { return int64(x.strict) })
		count(s.group, func(c int32, g, sys uint8) {
			strict.add(g, sys)
			s.sparseStrict(s.classes[c], g, sys)
		})
		s.fill(gold, system, s.binaryKey)
		count(s.group, func(_ int32, g, sys uint8) { binary.add(g, sys) })
		s.fill(gold, system, func(x span) int64 { return int64(s.classes[x.class].exact) })
		count(s.group, func(_ int32, g, sys uint8) { add(ner, g != 0, sys != 0) })
	})
	for i := range numSubsets {
		s.sums[strictColumns[i]] = strict[i]
		s.sums[binaryStrictColumns[i]] = binary[i]
	}
}

// binaryKey tells the tags of equal offsets apart that binary strict tells
// apart: none, but the bare element PHI, whose key the script leaves as it is
// for strict.
func (s *Scorer) binaryKey(x span) int64 {
	if s.classes[x.class].bare {
		return 1 + int64(x.strict)
	}
	return 0
}

func (s *Scorer) sparseStrict(c class, g, sys uint8) {
	s.sparse(labelStrict, c.label, g != 0, sys != 0)
	s.sparse(categoryStrict, c.category, g != 0, sys != 0)
	if (g|sys)&inScript != 0 {
		s.sparse(categoryHIPAAStrict, c.category, g&inScript != 0, sys&inScript != 0)
	}
}

// countTokens counts tokens: maximal runs of ASCII letters and digits within
// each tag. A tag without any yields one empty token at its end. The key of a
// token holds category and type as written, so case matters here and here
// alone.
func (s *Scorer) countTokens(text string) {
	for side := range s.runs {
		runs := s.runs[side][:0]
		for _, x := range s.spans[side] {
			runs = asciiRuns(runs, text, x)
		}
		sortBy(runs, compareRuns)
		s.runs[side] = runs
	}
	var tokens, binary tally
	equalOffsets(s.runs[goldSide], s.runs[systemSide], func(gold, system []span) {
		var g, sys uint8
		for _, x := range gold {
			g |= s.classes[x.class].subsets
		}
		for _, x := range system {
			sys |= s.classes[x.class].subsets
		}
		binary.add(g, sys)

		s.fill(gold, system, func(x span) int64 { return int64(x.class) })
		count(s.group, func(id int32, g, sys uint8) {
			tokens.add(g, sys)
			c := s.classes[id]
			s.sparse(labelToken, c.label, g != 0, sys != 0)
			s.sparse(categoryToken, c.category, g != 0, sys != 0)
			if (g|sys)&inScript != 0 {
				s.sparse(categoryHIPAAToken, c.category, g&inScript != 0, sys&inScript != 0)
			}
		})
	})
	for i := range numSubsets {
		s.sums[tokenColumns[i]] = tokens[i]
		s.sums[binaryTokenColumns[i]] = binary[i]
	}
}

// asciiRuns appends the tokens of one tag.
func asciiRuns(dst []span, text string, x span) []span {
	n := len(dst)
	for i := x.start; i < x.end; i++ {
		if !asciiWord(text[i]) {
			continue
		}
		start := i
		for i < x.end && asciiWord(text[i]) {
			i++
		}
		dst = append(dst, span{start: start, end: i, class: x.class})
	}
	if len(dst) == n {
		dst = append(dst, span{start: x.end, end: x.end, class: x.class})
	}
	return dst
}

// fill lists the spans of equal offsets with their keys and subsets.
func (s *Scorer) fill(gold, system []span, key func(span) int64) {
	s.group = s.group[:0]
	for _, x := range gold {
		s.group = append(s.group, element{key(x), x.class, s.classes[x.class].subsets, true})
	}
	for _, x := range system {
		s.group = append(s.group, element{key(x), x.class, s.classes[x.class].subsets, false})
	}
}

func add(c *Counts, g, sys bool) {
	switch {
	case g && sys:
		c.TP++
	case sys:
		c.FP++
	case g:
		c.FN++
	}
}
