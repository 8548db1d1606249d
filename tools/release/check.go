package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// check holds the files that people read a version from to the version that is
// released, so that it is given in one place.
func check(root, version string) error {
	var mistakes []error
	for _, f := range []struct{ name, line string }{
		{"CHANGELOG.md", `(?m)^## \[` + regexp.QuoteMeta(version) + `\] - \d{4}-\d{2}-\d{2}$`},
		{"CITATION.cff", `(?m)^version: "?` + regexp.QuoteMeta(version) + `"?$`},
	} {
		raw, err := os.ReadFile(filepath.Join(root, f.name))
		if err != nil {
			return err
		}
		if !regexp.MustCompile(f.line).Match(raw) {
			mistakes = append(mistakes, fmt.Errorf("%s does not name version %s: it needs a line of the form %s", f.name, version, f.line[4:]))
		}
	}
	return errors.Join(mistakes...)
}
