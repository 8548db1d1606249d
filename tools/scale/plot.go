package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// The plots are drawn by hand: two panels of straight axes do not pay for a
// plotting library, its fonts and the dozen modules behind it.

const (
	panelWidth, panelHeight = 380, 260
	left, top, gap          = 62, 46, 84
)

// plot draws CPU seconds and peak memory over x, on logarithmic axes, where a
// power of x is a straight line. The dashed line is what grows in proportion.
func plot(s sweep, points []point) []byte {
	var b bytes.Buffer
	width, height := left+2*panelWidth+gap+16, top+panelHeight+48
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	panel(&b, left, "CPU seconds", s.axis, points, cpu)
	panel(&b, left+panelWidth+gap, "peak memory, MiB", s.axis, points, peak)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func panel(b *bytes.Buffer, x0 int, title, axis string, points []point, cost func(point) float64) {
	var xs, ys []float64
	for _, p := range points {
		if y := cost(p); p.X > 0 && y > 0 {
			xs, ys = append(xs, float64(p.X)), append(ys, y)
		}
	}
	if len(xs) == 0 {
		return
	}
	xlo, xhi := decades(xs)
	ylo, yhi := decades(ys)
	at := func(x, y float64) (float64, float64) {
		return float64(x0) + panelWidth*(math.Log10(x)-xlo)/(xhi-xlo), top + panelHeight*(1-(math.Log10(y)-ylo)/(yhi-ylo))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold">%s</text>`+"\n", x0, top-18, html.EscapeString(title))
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", x0+panelWidth/2, top+panelHeight+38, html.EscapeString(axis))
	for _, v := range ticks(xlo, xhi) {
		x, _ := at(v, math.Pow(10, ylo))
		fmt.Fprintf(b, `<path d="M%.1f %d V%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, top,
			top+panelHeight, x, top+panelHeight+18, label(v))
	}
	for _, v := range ticks(ylo, yhi) {
		_, y := at(math.Pow(10, xlo), v)
		fmt.Fprintf(b, `<path d="M%d %.1f H%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", x0, y, x0+panelWidth,
			x0-6, y+4, label(v))
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#444"/>`+"\n", x0, top, panelWidth, panelHeight)
	proportional(b, at, xs, ys, math.Pow(10, ylo), math.Pow(10, yhi))
	var path strings.Builder
	for i := range xs {
		x, y := at(xs[i], ys[i])
		fmt.Fprintf(&path, "%c%.1f %.1f ", "ML"[min(i, 1)], x, y)
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="#1b6ca8"/>`+"\n", x, y)
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="#1b6ca8" stroke-width="1.6"/>`+"\n", strings.TrimSpace(path.String()))
}

// proportional draws y in proportion to x through the last point, as far as it
// is within the panel.
func proportional(b *bytes.Buffer, at func(x, y float64) (float64, float64), xs, ys []float64, ymin, ymax float64) {
	lastX, lastY := xs[len(xs)-1], ys[len(ys)-1]
	from := max(xs[0], lastX*ymin/lastY)
	if from >= lastX || lastY > ymax {
		return
	}
	x1, y1 := at(from, lastY*from/lastX)
	x2, y2 := at(lastX, lastY)
	fmt.Fprintf(b, `<path d="M%.1f %.1f L%.1f %.1f" stroke="#b5541c" stroke-dasharray="5 4" fill="none"/>`+"\n", x1, y1, x2, y2)
}

// decades returns the logarithms of an axis's ends, at least a factor of ten
// apart, at halves of a decade.
func decades(vs []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range vs {
		lo, hi = min(lo, math.Log10(v)), max(hi, math.Log10(v))
	}
	lo, hi = math.Floor(2*lo)/2, math.Ceil(2*hi)/2
	return lo, max(hi, lo+1)
}

// ticks returns 1, 3, 10, ... within an axis.
func ticks(lo, hi float64) []float64 {
	var vs []float64
	for e := math.Floor(lo); e <= hi; e++ {
		for _, m := range []float64{1, 3} {
			v := m * math.Pow(10, e)
			if l := math.Log10(v); l >= lo-1e-9 && l <= hi+1e-9 {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

func label(v float64) string {
	if v < 1 {
		return fmt.Sprintf("%g", v)
	}
	return humanize.Comma(int64(v + 0.5))
}
