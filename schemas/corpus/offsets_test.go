package corpus

import "testing"

// TestOffsets compares with the plain way, on every byte and code point.
func TestOffsets(t *testing.T) {
	for _, text := range []string{"", "abc", "é", "\ufeffa😀e\u0308\r\n", "日本"} {
		o := NewOffsets(text)
		runes := []rune(text)
		if o.CodePoints() != len(runes) {
			t.Errorf("%q: %d code points, want %d", text, o.CodePoints(), len(runes))
		}
		starts := map[int]int{}
		for n := range len(runes) + 1 {
			at := len(string(runes[:n]))
			starts[at] = n
			if b, ok := o.Byte(n); !ok || b != at {
				t.Errorf("%q: code point %d is at byte %d (%v), want %d", text, n, b, ok, at)
			}
		}
		for b := -1; b <= len(text)+1; b++ {
			want, boundary := starts[b]
			if n, ok := o.CodePoint(b); ok != boundary || ok && n != want {
				t.Errorf("%q: byte %d is code point %d (%v), want %d (%v)", text, b, n, ok, want, boundary)
			}
		}
		for _, n := range []int{-1, len(runes) + 1} {
			if _, ok := o.Byte(n); ok {
				t.Errorf("%q: code point %d is taken", text, n)
			}
		}
	}
}
