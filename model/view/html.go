package view

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inline are the elements that do not end a line.
var inline = map[atom.Atom]bool{atom.A: true, atom.Abbr: true, atom.Acronym: true, atom.B: true, atom.Bdi: true, atom.Bdo: true,
	atom.Big:  true,
	atom.Cite: true, atom.Code: true, atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true,
	atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Nobr: true, atom.Q: true, atom.S: true, atom.Samp: true,
	atom.Small: true, atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Tt: true, atom.U: true,
	atom.Var: true, atom.Wbr: true}

// spoken are the attributes whose values are words for people, or addresses.
var spoken = map[atom.Atom]bool{atom.Title: true, atom.Alt: true, atom.Content: true, atom.Value: true, atom.Label: true,
	atom.Placeholder: true, atom.Summary: true, atom.Href: true, atom.Src: true, atom.Cite: true, atom.Action: true, atom.Datetime: true,
	atom.Data: true, atom.Download: true, atom.Abbr: true, atom.Srcdoc: true, atom.Poster: true, atom.Usemap: true}

// addresses are those of them that are URLs.
var addresses = map[atom.Atom]bool{atom.Href: true, atom.Src: true, atom.Cite: true, atom.Action: true, atom.Data: true, atom.Poster: true}

// lineTag is a tag that makes lines, so that the source's own line ends do not.
var lineTag = regexp.MustCompile(`(?i)<(br|p|div|td|li)[\s/>]`)

// htmlReader reads HTML into a builder.
type htmlReader struct {
	*builder
	flow bool // line ends are blanks
}

// html reads the source as HTML.
func (b *builder) html() error {
	h := htmlReader{builder: b, flow: lineTag.MatchString(b.source)}
	return h.read()
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
			h.main.keep(h.source, at, len(h.source))
			return nil
		case nethtml.TextToken:
			switch open {
			case atom.Script, atom.Style:
				if embedded(h.source[at:end]) {
					return ErrEmbedded
				}
				h.put(at, end, asCode, true, asIs)
			case atom.Title:
				h.put(at, end, asHTML, false, func(r *run, s string) { words(r, s, 0, len(s), true) })
			case atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp, atom.Plaintext:
				h.put(at, end, asCode, false, asIs)
			default:
				if strings.Contains(h.source[at:end], inBase64) {
					return ErrEmbedded
				}
				words(&h.main, h.source, at, end, h.flow && pre == 0)
			}
		case nethtml.CommentToken, nethtml.DoctypeToken:
			if err := h.comment(at, end, kind == nethtml.DoctypeToken); err != nil {
				return err
			}
		default:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			open = 0
			if kind == nethtml.StartTagToken {
				open = a
			}
			switch {
			case a == atom.Pre && kind == nethtml.StartTagToken:
				pre++
			case a == atom.Pre:
				pre = max(0, pre-1)
			}
			if err := h.tag(at, end, a, string(name)); err != nil {
				return err
			}
		}
		at = end
	}
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
	// Marks within it are left out, so that a name across them is one.
	h.put(at, end, asCode, code, func(r *run, s string) {
		for i := 0; i < len(s); {
			if t := tagHere.FindStringIndex(s[i:]); t != nil && !strings.ContainsAny(s[i:i+t[1]], " \t\r\n") {
				i += t[1]
				continue
			}
			n := 1
			if k := strings.IndexByte(s[i+1:], '<'); k >= 0 {
				n += k
			} else {
				n = len(s) - i
			}
			words(r, s, i, i+n, false)
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
	keys, ok := attributes(raw, i+len(name))
	if isDated(raw, keys) {
		return ErrUnreadable
	}
	unknown := a == 0 && !strings.Contains(name, ":") || strings.Contains(name, "@")
	if (unknown || !ok) && holdsFile(raw) { // browsers show pictures of elements that they do not know, too
		return ErrEmbedded
	}
	if unknown {
		h.main.keep(h.source, at, end) // <john.smith@example.org>: no mark at all
		return nil
	}
	if a == 0 { // of another vocabulary, as Word's <o:p>
		h.put(at+i, at+i+len(name), asCode, true, asIs)
	}
	if !ok { // "<Mark Jones>"
		h.put(at+1, end-1, asCode, false, asIs)
		return nil
	}
	for _, k := range keys {
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
		h.put(at+k.value, at+k.valueEnd, escape, code, func(r *run, s string) {
			if escape == asURL {
				address(r, s)
			} else {
				words(r, s, 0, len(s), false)
			}
		})
	}
	if a != 0 && !inline[a] {
		if a == atom.Td || a == atom.Th {
			h.main.made('\t')
		} else {
			h.main.made('\n')
		}
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

// attributes finds those of a tag, from its i-th byte on. ok is false where it has a
// key without a value that no attribute is called by.
func attributes(raw string, i int) (all []attribute, ok bool) {
	end := len(raw)
	if strings.HasSuffix(raw, ">") {
		end--
	}
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }
	ok = true
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
			if atom.Lookup([]byte(strings.ToLower(raw[k.key:k.keyEnd]))) == 0 {
				ok = false
			}
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
	return all, ok
}

// embedded tells whether an address holds a file.
func embedded(value string) bool {
	v := strings.ToLower(value)
	return strings.Contains(v, inBase64) || strings.HasPrefix(strings.TrimSpace(v), "data:image/")
}

// inBase64 stands before the bytes of a file within an address.
const inBase64 = ";base64,"

// holdsFile tells whether an address that holds a file stands anywhere in a tag.
func holdsFile(tag string) bool {
	t := strings.ToLower(html.UnescapeString(tag))
	return strings.Contains(t, inBase64) || strings.Contains(t, "data:image/")
}

// tagHere is a tag at the beginning of a text.
var tagHere = regexp.MustCompile(`^(?:` + tags.String() + `)`)

// reference is what may be an entity: Go's decoder says whether it is.
var reference = regexp.MustCompile(`^&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*;?)`)

// words adds source[from:to], its entities decoded, to r. flow makes blanks of line
// ends.
func words(r *run, source string, from, to int, flow bool) {
	kept := from
	flush := func(i int) { r.keep(source, kept, i) }
	for i := from; i < to; {
		switch c := source[i]; {
		case c == '&':
			m := reference.FindString(source[i:to])
			d := html.UnescapeString(m)
			if m == "" || d == m || !valid(d) {
				i++
				continue
			}
			flush(i)
			r.atom(strings.ReplaceAll(d, "\u00a0", " "), i, i+len(m))
			i += len(m)
			kept = i
		case flow && (c == '\n' || c == '\r'):
			n := 1
			if c == '\r' && i+1 < to && source[i+1] == '\n' {
				n = 2
			}
			flush(i)
			r.atom(" ", i, i+n)
			i += n
			kept = i
		default:
			i++
		}
	}
	flush(to)
}

// address adds a URL, its percent signs and entities decoded.
func address(r *run, s string) {
	kept := 0
	for i := 0; i < len(s); {
		n, d := 0, ""
		switch s[i] {
		case '%':
			for i+n+2 < len(s) && s[i+n] == '%' {
				v, err := strconv.ParseUint(s[i+n+1:i+n+3], 16, 8)
				if err != nil {
					break
				}
				d += string([]byte{byte(v)})
				n += 3
				if r, _ := utf8.DecodeRuneInString(d); r != utf8.RuneError {
					break
				}
			}
		case '&':
			m := reference.FindString(s[i:])
			if d = html.UnescapeString(m); d != m {
				n = len(m)
			}
		}
		if n == 0 || !valid(d) {
			i++
			continue
		}
		r.keep(s, kept, i)
		r.atom(d, i, i+n)
		i += n
		kept = i
	}
	r.keep(s, kept, len(s))
}

// escapeHTML writes a text between tags or as a value, where those characters are special. What stands behind a "<" or
// "&" would be read together with it.
func escapeHTML(text string, before byte, special string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case i == 0 && strings.IndexByte("<&#!/", before) >= 0, strings.ContainsRune(special, r):
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeURL writes a text in an address. Blanks are encoded, but addresses of mail
// and their punctuation stay as people write them.
func escapeURL(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || slices.Contains([]byte("-._~@:/+"), c) {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		}
	}
	return b.String()
}

// escapeCode writes a text where nothing can be escaped: without what would end
// it.
func escapeCode(text string) string {
	return strings.NewReplacer("<", " ", ">", " ", "--", "- ", "\"", " ", "&", " ").Replace(text)
}
