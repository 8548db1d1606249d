package pipeline

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
)

// Groups are the headings of a job's settings in the long help.
func Groups() []cli.Group {
	var groups []cli.Group
	defaults := DefaultOptions()
	for _, o := range defaults.all() {
		if len(groups) == 0 || groups[len(groups)-1].Title != o.group {
			groups = append(groups, cli.Group{Title: o.group})
		}
		g := &groups[len(groups)-1]
		g.Flags = append(g.Flags, o.name)
	}
	return groups
}

// Main runs a command that takes all of the job's settings, in fs as o has registered
// them, beside flags of its own: do is called once o has been read. It returns the exit
// status.
func (o *Options) Main(ctx context.Context, h cli.Help, own cli.Group, fs *flag.FlagSet, args []string, stdout, stderr io.Writer,
	do func() error) int {
	h.Groups = append([]cli.Group{own}, Groups()...)
	return h.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		if err := o.ApplyFile(ctx, fs); err != nil {
			return err
		}
		return do()
	})
}

const runnerHelp = `Where it runs
  --runner
` + "      in this process, unless it is flink (docs/flink.md) or dataflow (docs/dataflow.md).\n" +
	"      --runner=flink --help all lists the settings that Apache Beam has for them."

// ofWorkers are flags that runners give to workers, and nobody else to anything.
var ofWorkers = map[string]bool{
	"worker": true, "id": true, "options": true, "semi_persist_dir": true,
	"control_endpoint": true, "logging_endpoint": true, "provision_endpoint": true, "artifact_endpoint": true,
}

// RunnerHelp says how a runner is chosen. Where the parsed flags name one that
// has settings of its own, it lists Beam's flags, which stand in fs beside ours.
func RunnerHelp(fs *flag.FlagSet) string {
	runner := ""
	if f := fs.Lookup("runner"); f != nil {
		runner = strings.ToLower(f.Value.String())
	}
	if runner == "" || strings.HasPrefix(runner, "direct") || strings.HasPrefix(runner, "prism") {
		return runnerHelp
	}
	ours := map[string]bool{}
	defaults := DefaultOptions()
	for _, o := range defaults.all() {
		ours[o.name] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nApache Beam's own settings\n", runnerHelp)
	fs.VisitAll(func(f *flag.Flag) { // by name
		if !ours[f.Name] && !ofWorkers[f.Name] {
			fmt.Fprintf(&b, "  --%s\n%s\n", f.Name, cli.Wrap(f.Usage, 6, 90))
		}
	})
	return b.String()
}
