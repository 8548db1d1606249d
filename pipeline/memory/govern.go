package memory

import (
	"os"
	"runtime/debug"
)

// outside is what the process takes beside Go's heap: the program itself, ONNX
// Runtime with its graphs, and its buffers for each of a few goroutines.
const outside = 256 << 20

// Govern tells Go's garbage collector how much memory there is, so that it works
// harder near the limit, where the process would else be killed. GOMEMLIMIT and
// GOGC, where somebody has set them, win.
func Govern() {
	if os.Getenv("GOGC") == "" {
		collectLate()
	}
	if limit := goLimit(Available()); limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// goLimit returns how much of so many bytes Go may have: nine tenths of what is left
// beside all else, and at least half. 0 for unknown.
func goLimit(bytes int64) int64 { return max((bytes-outside)/10*9, bytes/2) }
