package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// glibcVersion is a version of glibc such as 2.27.
type glibcVersion struct{ major, minor int }

func (v glibcVersion) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

func (v glibcVersion) less(w glibcVersion) bool {
	return v.major < w.major || v.major == w.major && v.minor < w.minor
}

// glibcOf returns the oldest glibc on which all of these files can be loaded.
func glibcOf(files ...string) (newest glibcVersion, err error) {
	for _, name := range files {
		f, err := elf.Open(name)
		if err != nil {
			return newest, fmt.Errorf("%s: %w", name, err)
		}
		symbols, err := f.ImportedSymbols()
		f.Close()
		if err != nil {
			return newest, fmt.Errorf("%s: %w", name, err)
		}
		for _, s := range symbols {
			if v, ok := parseGlibc(s.Version); ok && newest.less(v) {
				newest = v
			}
		}
	}
	if newest.major == 0 {
		return newest, errors.New("the program is not linked with glibc: it was built without cgo and cannot load ONNX Runtime")
	}
	return newest, nil
}

// parseGlibc reads the version of a symbol, such as GLIBC_2.2.5.
func parseGlibc(s string) (glibcVersion, bool) {
	parts := strings.Split(strings.TrimPrefix(s, "GLIBC_"), ".")
	if !strings.HasPrefix(s, "GLIBC_") || len(parts) < 2 {
		return glibcVersion{}, false
	}
	major, err := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return glibcVersion{major, minor}, err == nil && err2 == nil
}
