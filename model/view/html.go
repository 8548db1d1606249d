package view

import (
	"cmp"
	"html"
	"regexp"
	"strings"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// lineTag is a tag that makes lines, so that the source's own line ends do not.
var lineTag = regexp.MustCompile(`(?i)<(br|p|div|td|li)[\s/>]`)

// htmlReader reads HTML into a builder.
type htmlReader struct {
	*builder
	text   decoding // of the text between tags
	raised bool     // a number above or below the line began or ended
}

// html reads the source as HTML.
func (b *builder) html() error {
	if strings.IndexByte(strings.TrimRight(b.source, "\x00"), 0) >= 0 || isEncoded(b.source, false) || holdsRTF(b.source) {
		return ErrEmbedded
	}
	h := htmlReader{builder: b, text: references}
	if lineTag.MatchString(b.source) {
		h.text |= flow
	}
	if err := h.read(); err != nil {
		return err
	}
	if escapedMarks(&b.main) {
		return ErrUnreadable
	}
	return nil
}

func (h *htmlReader) read() error {
	z := nethtml.NewTokenizer(strings.NewReader(h.source))
	at := 0
	open, pre := atom.Atom(0), 0 // the element whose text is raw, and depth of <pre>
	for {
		kind := z.Next()
		raw := z.Raw()
		end := at + len(raw)
		if end > len(h.source) || h.source[at:end] != string(raw) {
			return ErrUnreadable // the tokeniser has changed or lost something
		}
		switch kind {
		case nethtml.ErrorToken:
			// What it gave up in, such as a tag without its end, is shown as it is.
			if holdsFile(h.source[at:]) {
				return ErrEmbedded
			}
			words(&h.main, h.source, at, len(h.source), references|percents)
			return nil
		case nethtml.TextToken:
			how := h.text
			if pre > 0 {
				how &^= flow
			}
			if err := h.between(at, end, open, how); err != nil {
				return err
			}
		case nethtml.CommentToken, nethtml.DoctypeToken:
			if err := h.comment(at, end, kind == nethtml.DoctypeToken); err != nil {
				return err
			}
		default:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			open = 0
			switch {
			case kind == nethtml.SelfClosingTagToken, a == atom.Noscript:
				z.NextIsNotRawText() // in XHTML nothing stands within <title/>
			case kind == nethtml.StartTagToken:
				open = a
			}
			switch {
			case a == atom.Pre && kind == nethtml.StartTagToken:
				pre++
			case a == atom.Pre:
				pre = max(0, pre-1)
			case a == atom.Sup, a == atom.Sub:
				h.raised = true
			}
			if err := h.tag(at, end, a, string(name)); err != nil {
				return err
			}
		}
		at = end
	}
}

// between reads the text between two tags, of which the first opens an element.
func (h *htmlReader) between(at, end int, open atom.Atom, how decoding) error {
	switch open {
	case atom.Script, atom.Style:
		if embedded(h.source[at:end]) {
			return ErrEmbedded
		}
		if end == len(h.source) {
			return ErrUnreadable // nothing closes it, and text may stand in it
		}
		h.put(at, end, asCode, true, decoded(percents))
	case atom.Title:
		h.put(at, end, asHTML, false, decoded(references|flow))
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp, atom.Plaintext:
		h.put(at, end, asCode, false, asIs)
	default:
		if holdsBase64(h.source[at:end]) {
			return ErrEmbedded
		}
		if h.raised && isDigit(h.source[at]) {
			h.main.apart()
		}
		h.raised = false
		words(&h.main, h.source, at, end, how)
	}
	return nil
}

// comment shows what stands in a comment or, which is code, in a declaration.
func (h *htmlReader) comment(at, end int, code bool) error {
	raw := h.source[at:end]
	for _, mark := range []string{"<!--", "<!", "<?", "</"} {
		if strings.HasPrefix(raw, mark) {
			at += len(mark)
			break
		}
	}
	raw = h.source[at:end]
	for _, mark := range []string{"-->", "--!>", ">"} {
		if strings.HasSuffix(raw, mark) {
			end -= len(mark)
			break
		}
	}
	if at >= end {
		return nil
	}
	inner := h.source[at:end]
	if strings.EqualFold(strings.TrimSpace(inner), "doctype html") {
		return nil
	}
	if embedded(inner) {
		return ErrEmbedded
	}
	// Marks within it are left out, so that a name across them is one, but not two cells.
	h.put(at, end, asCode, code, func(r *run, s string) {
		for i := 0; i < len(s); {
			if t := tagHere.FindStringIndex(s[i:]); t != nil && !strings.ContainsAny(s[i:i+t[1]], " \t\r\n") {
				if name := strings.ToLower(strings.Trim(s[i:i+t[1]], "</>")); !inline[atom.Lookup([]byte(name))] {
					r.made('\n')
				}
				i += t[1]
				continue
			}
			n := 1
			if k := strings.IndexByte(s[i+1:], '<'); k >= 0 {
				n += k
			} else {
				n = len(s) - i
			}
			words(r, s, i, i+n, references|percents)
			i += n
		}
	})
	return nil
}

// tag reads one tag, [at, end) of the source.
func (h *htmlReader) tag(at, end int, a atom.Atom, name string) error {
	raw := h.source[at:end]
	i := 1
	if strings.HasPrefix(raw, "</") {
		i = 2
	}
	keys := attributes(raw, i+len(name))
	if isDated(raw, keys) {
		return ErrUnreadable
	}
	unknown := !elements[a] && !strings.Contains(name, ":") || strings.Contains(name, "@")
	if unknown && holdsFile(raw) { // browsers show pictures of elements that they do not know, too
		return ErrEmbedded
	}
	switch {
	case unknown, isName(raw[i:], len(name)): // <john.smith@example.org>, <Mark>: no mark at all
		words(&h.main, h.source, at, end, references|percents)
	default:
		if a == 0 { // of another vocabulary, as Word's <o:p>
			h.put(at+i, at+i+len(name), asCode, true, asIs)
		}
		if err := h.attributes(at, end, keys); err != nil {
			return err
		}
	}
	if elements[a] && !inline[a] {
		if a == atom.Td || a == atom.Th {
			h.main.made('\t')
		} else {
			h.main.made('\n')
		}
	}
	return nil
}

// isName tells whether a tag, from its name of n bytes on, may be somebody's, as <Mark>
// and <Mark Jones>, though HTML has an element called so.
func isName(raw string, n int) bool {
	if n < 2 || kindOf(raw[0]) != isCapital || kindOf(raw[1]) != isSmall || strings.Contains(raw, "=") {
		return false
	}
	switch raw[:n] {
	case "Mark", "Ruby", "Link", "Map", "Art":
		return true
	}
	return n+1 < len(raw) && raw[n] == ' ' && kindOf(raw[n+1]) == isCapital
}

// attributes shows those of the tag [at, end).
func (h *htmlReader) attributes(at, end int, keys []attribute) error {
	raw := h.source[at:end]
	looked := false // for a file in the whole tag
	for n := 0; n < len(keys); n++ {
		k := keys[n]
		if k.value == 0 { // without a value: "<p John Smith>" has two such keys
			known := true
			last := n
			for ; n < len(keys) && keys[n].value == 0; n++ {
				last = n
				key := strings.ToLower(raw[keys[n].key:keys[n].keyEnd])
				known = known && (atom.Lookup([]byte(key)) != 0 || bare[key])
			}
			n--
			if known {
				continue
			}
			if !looked && holdsFile(raw) {
				return ErrEmbedded
			}
			looked = true
			h.put(at+k.key, at+keys[last].keyEnd, asCode, false, decoded(references|percents))
			continue
		}
		key := atom.Lookup([]byte(strings.ToLower(raw[k.key:k.keyEnd])))
		if key == 0 {
			h.put(at+k.key, at+k.keyEnd, asCode, true, asIs)
		}
		if k.value == k.valueEnd {
			continue
		}
		value := raw[k.value:k.valueEnd]
		if embedded(html.UnescapeString(value)) {
			return ErrEmbedded
		}
		escape, code := asAttribute, key != 0 && !spoken[key]
		if addresses[key] {
			escape = asURL
		}
		if strings.ContainsAny(value, "<>") {
			code = false // the quote before it may lack its end, so that text stands in it
		}
		h.put(at+k.value, at+k.valueEnd, escape, code, decoded(references|percents))
	}
	return nil
}

// isDated tells whether a tag has the parts of a date, as Word's <st1:date> has. Its
// text moves, and they would stay and tell by how much.
func isDated(raw string, keys []attribute) bool {
	if len(keys) < 3 {
		return false
	}
	parts := map[string]bool{}
	for _, k := range keys {
		key := strings.ToLower(raw[k.key:k.keyEnd])
		switch _, after, _ := strings.Cut(key, ":"); cmp.Or(after, key) {
		case "year", "month", "day":
			parts[cmp.Or(after, key)] = k.value < k.valueEnd
		}
	}
	return parts["year"] && parts["month"] && parts["day"]
}

// attribute is where a key and its value stand in a tag.
type attribute struct{ key, keyEnd, value, valueEnd int }

// attributes finds those of a tag, from its i-th byte on. One without a value has no place
// for it.
func attributes(raw string, i int) (all []attribute) {
	end := len(raw)
	if strings.HasSuffix(raw, ">") {
		end--
	}
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }
	for i < end {
		if blank(raw[i]) || raw[i] == '/' {
			i++
			continue
		}
		k := attribute{key: i}
		for i++; i < end && !blank(raw[i]) && raw[i] != '=' && raw[i] != '/'; i++ {
		}
		k.keyEnd = i
		for i < end && blank(raw[i]) {
			i++
		}
		if i == end || raw[i] != '=' {
			all = append(all, k)
			continue
		}
		for i++; i < end && blank(raw[i]); i++ {
		}
		k.value = i
		if i < end && (raw[i] == '"' || raw[i] == '\'') {
			quote := raw[i]
			k.value = i + 1
			for i++; i < end && raw[i] != quote; i++ {
			}
			k.valueEnd = i
			i = min(i+1, end)
		} else {
			for ; i < end && !blank(raw[i]); i++ {
			}
			k.valueEnd = i
		}
		all = append(all, k)
	}
	return all
}

// tagHere is a tag at the beginning of a text.
var tagHere = regexp.MustCompile(`^(?:` + tags.String() + `)`)
