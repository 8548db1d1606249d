package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
)

// Help is what a command says of itself.
type Help struct {
	Command string    // as it is called, such as "palimpsest show"
	About   string    // what it does, and an example: a few lines
	Brief   []Setting // the handful that --help explains
	Groups  []Group   // all of them, for --help all; none for all flags by name
	More    string    // what --help all says behind them
}

// Setting explains flags in a line of the short help.
type Setting struct{ Flags, Text string }

// Group is a heading of the long help and the flags below it, which are
// explained by their usage.
type Group struct {
	Title string
	Flags []string
}

// The widths of the help, in columns of a terminal.
const (
	width     = 90
	flagWidth = 24
)

// Write writes the short or the long help.
func (h *Help) Write(w io.Writer, fs *flag.FlagSet, asked Asked) {
	fmt.Fprintf(w, "%s\n", strings.TrimSpace(h.About))
	if asked == ShortHelp {
		fmt.Fprintln(w)
		for _, s := range h.Brief {
			text := Wrap(s.Text, flagWidth+2, width)
			if len(s.Flags) < flagWidth-2 {
				text = "  " + s.Flags + text[len(s.Flags)+2:]
			} else {
				text = "  " + s.Flags + "\n" + text
			}
			fmt.Fprintln(w, text)
		}
		fmt.Fprintf(w, "\n%s --help all explains every setting.\n%s", h.Command, fault.Help)
		return
	}
	groups := h.Groups
	if len(groups) == 0 {
		groups = []Group{{Title: "Settings", Flags: names(fs)}}
	}
	for _, g := range groups {
		fmt.Fprintf(w, "\n%s\n", g.Title)
		for _, name := range g.Flags {
			f := fs.Lookup(name)
			fmt.Fprintf(w, "  --%s", name)
			if d := f.DefValue; d != "" && d != "0" && d != "false" {
				fmt.Fprintf(w, " (default %s)", d)
			}
			fmt.Fprintf(w, "\n%s\n", Wrap(f.Usage, 6, width))
		}
	}
	if h.More != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(h.More))
	}
	fmt.Fprintf(w, "\n%s", fault.Help)
}

// Wrap breaks text into indented lines of at most width columns.
func Wrap(text string, indent, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0 || column+1+len(word) > width:
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// Main reads a command's flags, and shows its help or runs it with the arguments
// that are no flags. It returns the exit status.
func (h *Help) Main(fs *flag.FlagSet, args []string, stdout, stderr io.Writer, run func(rest []string) error) int {
	rest, asked, err := Parse(fs, args)
	if asked != NoHelp {
		h.Write(stdout, fs, asked)
		return int(fault.Done)
	}
	if err == nil {
		err = run(rest)
	}
	return Exit(stderr, h.Command, err)
}

// Exit tells an error of a command, if there is one, and returns the exit status
// that says what it means.
func Exit(stderr io.Writer, command string, err error) int {
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", command, err)
	}
	return int(fault.Of(err))
}
