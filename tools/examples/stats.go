package main

import (
	"fmt"
	"io"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// stats writes the counts of the examples as Markdown, as README.md shows them.
func (t tables) stats(w io.Writer) {
	part := map[string]string{} // of each document
	marks := map[string]map[string]int{}
	for _, g := range t.gold {
		part[g.DocumentID] = g.Split
		if marks[g.Type] == nil {
			marks[g.Type] = map[string]int{}
		}
		marks[g.Type][g.Split]++
		marks[g.Type]["all"]++
	}
	kinds := map[string]int{}
	characters := 0
	for _, n := range t.notes {
		kinds[n.NoteType]++
		characters += len([]rune(n.Text))
	}
	fmt.Fprintf(w, "%d notes of %d patients, %d characters, %d spans.\n\n", len(t.notes), len(t.known), characters, len(t.gold))

	fmt.Fprint(w, "| kind of note (`note_type`) | notes |\n|---|---:|\n")
	for _, k := range noteTypes() {
		fmt.Fprintf(w, "| %s | %d |\n", k, kinds[k])
	}
	fmt.Fprint(w, "\n| type | train | dev | test | all |\n|---|---:|---:|---:|---:|\n")
	for _, typ := range phi.Types() {
		c := marks[typ.String()]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", typ, c["train"], c["dev"], c["test"], c["all"])
	}
}

// noteTypes returns the note types, each once, in the order of kindRules.
func noteTypes() []string {
	var types []string
	seen := map[string]bool{}
	for _, rule := range kindRules {
		if !seen[rule.noteType] {
			seen[rule.noteType] = true
			types = append(types, rule.noteType)
		}
	}
	return types
}
