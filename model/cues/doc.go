// Package cues reads what stands around a span: titles before a name and
// degrees behind it, labels before numbers, head words of institutions. A cue
// says beyond doubt what a span is.
package cues
