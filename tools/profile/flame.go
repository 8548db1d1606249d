package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"html"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// node is a function and those it called, with the processor time of all of them.
type node struct {
	name  string
	nanos int64
	calls map[string]*node
}

func (n *node) call(name string) *node {
	c := n.calls[name]
	if c == nil {
		c = &node{name: name, calls: map[string]*node{}}
		n.calls[name] = c
	}
	return c
}

// stacks merges the stacks of a CPU profile into a tree.
func stacks(p *profile.Profile) *node {
	root := &node{name: "all", calls: map[string]*node{}}
	value := len(p.SampleType) - 1 // nanoseconds of processor time
	for _, s := range p.Sample {
		at := root
		at.nanos += s.Value[value]
		for i := len(s.Location) - 1; i >= 0; i-- {
			lines := s.Location[i].Line
			for k := len(lines) - 1; k >= 0; k-- { // inlined calls, the outermost last
				at = at.call(shorter(lines[k].Function.Name))
				at.nanos += s.Value[value]
			}
		}
	}
	return root
}

// shorter leaves out what the reader of a flame graph knows or need not know.
func shorter(name string) string {
	if name == "runtime.cgocall" {
		return "ONNX Runtime (runtime.cgocall)"
	}
	name = strings.TrimPrefix(name, "github.com/palimpsest-deid/palimpsest/")
	if i := strings.LastIndexByte(name, '/'); i >= 0 && !strings.Contains(name[:i], "(") && strings.HasPrefix(name, "github.com/") {
		name = name[i+1:]
	}
	return name
}

const (
	flameWidth, rowHeight = 1200, 16
	// narrowest is the share of all time below which a box is left out.
	narrowest = 0.002
)

// draw draws a flame graph: a box for each function, as wide as its share of all
// time, above the one that called it. A box's title tells its name and share.
func draw(title string, root *node) []byte {
	depth := deepest(root, root.nanos, 0)
	height := (depth+1)*rowHeight + 40
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="monospace" font-size="11">`+"\n", flameWidth,
		height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/><text x="6" y="18" font-size="13">%s</text>`+"\n", flameWidth, height,
		html.EscapeString(title))
	box(&b, root, root.nanos, 0, height-rowHeight-6)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func deepest(n *node, all int64, depth int) int {
	most := depth
	for _, c := range n.calls {
		if float64(c.nanos) >= narrowest*float64(all) {
			most = max(most, deepest(c, all, depth+1))
		}
	}
	return most
}

// box draws n and what it called, from x on; the calls by name, so that two graphs
// can be compared.
func box(b *bytes.Buffer, n *node, all int64, x float64, y int) {
	share := float64(n.nanos) / float64(max(all, 1))
	width := share * flameWidth
	name := html.EscapeString(n.name)
	fmt.Fprintf(b, `<g><title>%s, %.1f %%</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, name, 100*share, x, y,
		max(width-0.4, 0.2), rowHeight-1, colour(n.name))
	if fits := int(width / 6.7); fits >= 4 {
		label := []rune(n.name)
		if len(label) > fits {
			label = append(label[:fits-1], '…')
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d">%s</text>`, x+2, y+rowHeight-5, html.EscapeString(string(label)))
	}
	b.WriteString("</g>\n")
	calls := make([]*node, 0, len(n.calls))
	for _, c := range n.calls {
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	for _, c := range calls {
		if float64(c.nanos) >= narrowest*float64(all) {
			box(b, c, all, x, y-rowHeight)
		}
		x += float64(c.nanos) / float64(max(all, 1)) * flameWidth
	}
}

// colour is the same for a function in every graph: blue for ONNX Runtime, grey for
// Go's own, shades of orange for the rest.
func colour(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	v := h.Sum32()
	switch {
	case strings.HasPrefix(name, "ONNX"):
		return "#8db4d8"
	case strings.HasPrefix(name, "runtime."):
		return fmt.Sprintf("hsl(0,0%%,%d%%)", 78+v%10)
	}
	return fmt.Sprintf("hsl(%d,80%%,%d%%)", 22+v%24, 66+v/31%12)
}
