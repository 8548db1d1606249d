package storage

import (
	"path"
	"strings"
)

// meta holds the characters that make a path segment a pattern.
const meta = `*?[\`

func hasMeta(s string) bool { return strings.ContainsAny(s, meta) }

// Literal returns a pattern that matches a name alone, whatever it holds.
func Literal(name string) string {
	scheme, rest := splitScheme(name)
	if scheme != "" {
		scheme += "://"
	}
	return scheme + strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(rest)
}

// pattern is a glob pattern cut at its slashes. A trailing ** has become
// "**", "*": all files below. Empty and "." segments are dropped, and ** after
// ** as well.
type pattern []string

// parsePattern returns an error for a pattern that path.Match would refuse.
func parsePattern(s string) (pattern, error) {
	var p pattern
	for _, seg := range strings.Split(s, "/") {
		switch {
		case seg == "" || seg == ".":
			continue
		case seg == "**" && len(p) > 0 && p[len(p)-1] == "**":
			continue
		}
		if _, err := path.Match(seg, ""); err != nil {
			return nil, err
		}
		p = append(p, seg)
	}
	if len(p) > 0 && p[len(p)-1] == "**" {
		p = append(p, "*")
	}
	return p, nil
}

// match tells whether the whole of name, cut at its slashes, fits p. Time is
// at most len(p) * len(name) segment matches: on a mismatch only the latest **
// is made to take one directory more.
func (p pattern) match(name []string) bool {
	i, j := 0, 0         // next segments of p and of name
	star, from := -1, -1 // latest **, and where its rest was last tried
	for j < len(name) {
		if i < len(p) && p[i] == "**" {
			star, from = i, j
			i++
			continue
		}
		if i < len(p) {
			if ok, _ := path.Match(p[i], name[j]); ok {
				i++
				j++
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		i, j = star+1, from
	}
	for i < len(p) && p[i] == "**" {
		i++
	}
	return i == len(p)
}

// aside tells whether a directory below a table's is by custom no part of it:
// what a failed job of Hadoop or Spark left, or a log.
func aside(base string) bool { return strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") }
