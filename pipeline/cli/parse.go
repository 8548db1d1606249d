// Package cli is what the program's commands have in common: how a command line
// is read, how its mistakes are told in one line, the short and the long help.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/nearest"
)

// Asked says which help a command line asks for.
type Asked int

// The answers of Parse.
const (
	NoHelp    Asked = iota
	ShortHelp       // --help
	LongHelp        // --help all
)

// Parse sets the flags of fs that args gives, and returns the arguments that
// are no flags. Hyphens in names stand for underscores. --help asks for help, in
// which case no mistake is one. Errors are one line and of fault.Settings; they
// do not repeat values, which may be secrets in the wrong place.
func Parse(fs *flag.FlagSet, args []string) (rest []string, asked Asked, err error) {
	fail := func(format string, a ...any) {
		if err == nil { // the first one; what comes behind may follow from it
			err = fault.Mark(fault.Settings, fmt.Errorf(format, a...))
		}
	}
	for i := 0; i < len(args); i++ {
		name, value, given := cut(args[i])
		if args[i] == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if name == "" {
			rest = append(rest, args[i])
			continue
		}
		f := lookup(fs, name)
		if f == nil && (name == "help" || name == "h") {
			asked = ShortHelp
			if value == "all" || i+1 < len(args) && args[i+1] == "all" {
				return nil, LongHelp, parsed(fs)
			}
			continue
		}
		if f == nil {
			fail("unknown flag --%s%s", name, nearest.DidYouMean("--%s", name, names(fs), "--help all lists what there is"))
			continue
		}
		switch {
		case given:
		case isBool(f):
			value = "true"
			if i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "false") {
				fail("give %s with an equals sign: --%s=%s", args[i+1], f.Name, args[i+1])
			}
		case i+1 == len(args) || isFlag(fs, args[i+1]):
			fail("--%s needs a value: --%s=VALUE", f.Name, f.Name)
			continue
		default:
			i++
			value = args[i]
		}
		if wrong := fs.Set(f.Name, value); wrong != nil {
			fail("--%s: %s", f.Name, need(f, wrong))
		}
	}
	if asked != NoHelp {
		return nil, asked, parsed(fs)
	}
	return rest, NoHelp, errors.Join(err, parsed(fs))
}

// parsed tells fs that its flags are set, which Beam asks.
func parsed(fs *flag.FlagSet) error { return fs.Parse(nil) }

// cut takes --name=value apart. What is no flag has no name.
func cut(arg string) (name, value string, given bool) {
	if len(arg) < 2 || arg[0] != '-' {
		return "", "", false
	}
	name, value, given = strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	return name, value, given
}

// lookup finds a flag by its name, hyphens standing for underscores.
func lookup(fs *flag.FlagSet, name string) *flag.Flag {
	if f := fs.Lookup(name); f != nil {
		return f
	}
	return fs.Lookup(strings.ReplaceAll(name, "-", "_"))
}

// isFlag tells whether an argument is one of fs's flags, and so no value of the
// flag before it.
func isFlag(fs *flag.FlagSet, arg string) bool {
	name, _, _ := cut(arg)
	return strings.HasPrefix(arg, "--") && lookup(fs, name) != nil
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// need says what a flag's value must be.
func need(f *flag.Flag, err error) string {
	g, _ := f.Value.(flag.Getter)
	if g == nil {
		return err.Error()
	}
	switch g.Get().(type) {
	case bool:
		return "write true or false"
	case int, int64, uint, uint64:
		return "write a whole number"
	case float64:
		return "write a number"
	case time.Duration:
		return "write a duration such as 30s or 5m"
	}
	return err.Error()
}

func names(fs *flag.FlagSet) []string {
	var all []string
	fs.VisitAll(func(f *flag.Flag) { all = append(all, f.Name) })
	return all
}

// NoArguments refuses arguments that are no flags.
func NoArguments(rest []string) error {
	if len(rest) == 0 {
		return nil
	}
	return fault.Mark(fault.Settings, fmt.Errorf("%q belongs to no flag; quote globs, so that the shell leaves them alone", rest[0]))
}
