package view

import (
	"strings"

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

// elements are those of HTML, with those that are no more. Other names that the package
// atom knows are of attributes: <Max> is a person.
var elements = atoms("a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body " +
	"br button canvas caption center cite code col colgroup command data datalist dd del desc details dfn dialog dir div dl dt em embed " +
	"fieldset figcaption figure font footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image " +
	"img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter nav nobr noembed " +
	"noframes noscript object ol optgroup option output p param picture plaintext pre progress prompt q rb rp rt rtc ruby s samp script " +
	"search section select slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot " +
	"th thead time title tr track tt u ul var video wbr xmp")

// bare are keys without a value that the package atom does not know.
var bare = map[string]bool{"nowrap": true, "noshade": true, "compact": true, "declare": true, "noresize": true}

func atoms(names string) map[atom.Atom]bool {
	all := map[atom.Atom]bool{}
	for name := range strings.FieldsSeq(names) {
		all[atom.Lookup([]byte(name))] = true
	}
	delete(all, 0)
	return all
}
