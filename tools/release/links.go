package main

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// link is a link of Markdown to a file, with what is behind a # apart.
var link = regexp.MustCompile(`\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)`)

// relink makes the links of pages those of the release, in which files lie elsewhere
// than in the repository. Of a link to what the release does not have its words stay.
func relink(files []file) {
	placed := map[string]string{}
	for _, f := range files {
		placed[f.source] = f.name
	}
	for i, f := range files {
		if path.Ext(f.name) != ".md" || f.source == "" {
			continue
		}
		files[i].content = link.ReplaceAllFunc(f.content, func(whole []byte) []byte {
			m := link.FindSubmatch(whole)
			to, there := placed[path.Join(path.Dir(f.source), string(m[2]))]
			if !there {
				return m[1]
			}
			name, err := filepath.Rel(path.Dir(f.name), to)
			if err != nil { // both are relative
				panic(err)
			}
			return []byte("[" + string(m[1]) + "](" + name + string(m[3]) + ")")
		})
	}
}

// isPage tells whether a file of docs belongs to a release: pages and what they show.
func isPage(name string) bool {
	switch path.Ext(name) {
	case ".md":
		return !strings.HasSuffix(name, ".head.md") && name != "sizing/head.md"
	case ".png", ".svg", ".csv":
		return true
	}
	return false
}
