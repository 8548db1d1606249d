package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

// size writes a number of bytes.
func size(bytes int64) string {
	switch b := float64(bytes); {
	case b < 1e6:
		return fmt.Sprintf("%.0f KB", b/1e3)
	case b < 1e9:
		return fmt.Sprintf("%.0f MB", b/1e6)
	case b < 1e10:
		return fmt.Sprintf("%.1f GB", b/1e9)
	}
	return humanize.Comma(int64(float64(bytes)/1e9)) + " GB"
}

func percent(part, of int64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(of, 1)))
}

// byCount lists what was counted, the largest number first.
func byCount[K interface {
	comparable
	fmt.Stringer
}](counts map[K]int64) []string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a.String(), b.String()))
	})
	var parts []string
	for _, k := range keys {
		parts = append(parts, fmt.Sprintf("%s %s", k, humanize.Comma(counts[k])))
	}
	return parts
}
