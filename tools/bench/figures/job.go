package figures

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// shuffledLine is what the job says at its end.
var shuffledLine = regexp.MustCompile(`(?m)^ *shuffled +([\d,]+) bytes`)

// Shuffled returns the bytes that crossed a shuffle, by what a job printed; 0
// where it does not say.
func Shuffled(printed []byte) int64 {
	m := shuffledLine.FindSubmatch(printed)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.ReplaceAll(string(m[1]), ",", ""), 10, 64)
	return n
}

// SizeOf returns the bytes of all files below some directories.
func SizeOf(dirs ...string) (total int64, err error) {
	for _, dir := range dirs {
		err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				total += info.Size()
			}
			return err
		})
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
