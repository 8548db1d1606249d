package main

import (
	"bytes"
	"flag"
	"fmt"
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/pipeline"
)

const settingsHead = `# Settings of a job

Each is a flag of ` + "`palimpsest run`" + `, and a key of the file that ` + "`--config`" + ` names, where lists are YAML lists.
A flag wins over the file. All commands that read a job's notes take the same file. ` + "`palimpsest run --help all`" + ` prints
this page in a terminal.
`

// path is a file of the repository named in a help text.
var path = regexp.MustCompile(`\b(docs|examples|onnx)/[\w./-]*\w`)

// settingsPage explains every setting, as the long help does.
func settingsPage() []byte {
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	options := pipeline.DefaultOptions()
	options.Register(fs)
	var b bytes.Buffer
	b.WriteString(settingsHead)
	for _, g := range pipeline.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Title)
		for _, name := range g.Flags {
			f := fs.Lookup(name)
			fmt.Fprintf(&b, "### `%s` { #%s }\n\n", name, name)
			if d := f.DefValue; d != "" && d != "0" && d != "false" {
				fmt.Fprintf(&b, "Default: `%s`.\n\n", d)
			}
			fmt.Fprintf(&b, "%s.\n\n", escape(upper(f.Usage)))
		}
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// upper returns a help text with a large first letter, unless it begins with the
// name of a choice or of a file.
func upper(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if strings.HasSuffix(word, ":") || strings.Contains(word, ".") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// escape makes a line of Markdown from plain text, with flags and paths as code.
func escape(s string) string {
	s = strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "$", "&#36;").Replace(s)
	s = flagName.ReplaceAllStringFunc(s, func(m string) string { return "`" + strings.ReplaceAll(m, `\_`, "_") + "`" })
	return path.ReplaceAllStringFunc(s, func(m string) string { return "`" + m + "`" })
}

// flagName is a flag in an escaped text, with its value where one follows.
var flagName = regexp.MustCompile(`--[a-z](?:[a-z]|\\_)*(?:=(?:[A-Za-z]|\\_)*)?`)
