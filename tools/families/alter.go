package main

import "strings"

// lower writes ASCII letters small and leaves all else, so that offsets hold.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

// mistaken are characters that scanners take for one another.
var mistaken = map[byte]byte{'0': 'O', 'O': '0', '1': 'l', 'l': '1', '5': 'S', 'S': '5'}

// wearOf is of how many such characters one is mistaken.
const wearOf = 12

// wear mistakes some characters, always the same ones of a text, as scanners
// do. Offsets hold.
func wear(text string) string {
	out := []byte(text)
	state := uint32(2166136261) // FNV-1a over the text so far
	for i := range out {
		state = (state ^ uint32(text[i])) * 16777619
		if m := mistaken[text[i]]; m != 0 && (state>>16)%wearOf == 0 {
			out[i] = m
		}
	}
	return string(out)
}
