// Package reidentify tells an honest broker whom a pseudonym stands for. Nothing is
// printed before a log, which is only appended to, has on disk who asked for which
// pseudonyms, when and why.
package reidentify

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

var help = cli.Help{
	Command: "palimpsest reidentify",
	About: `
reidentify tells which ids were released under pseudonyms. It looks through the
original table, with the job's key, and prints a line for each: pseudonym, column,
original id, with tabs between. Who asked, when, for what and why is logged first.

  palimpsest reidentify --config job.yaml --reason "consent form 12, Dr. Hale" PSEUDONYM ...
  palimpsest reidentify --config job.yaml --reason "recall of lot 7" - < pseudonyms.txt
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the job's settings; any of them can be a flag here too"},
		{Flags: "--reason TEXT", Text: "why it is asked, for the log; required. It should name nobody"},
		{Flags: "--log_file FILE", Text: "the log that is appended to (reidentify.log in the folder --private)"},
		{Flags: "--input FILES", Text: "another table of the original ids, where that of the job is gone"},
	},
	More: "docs/reidentify.md says who should have the key, and what to do when it is lost or told.\n",
}

// own are the settings that are not the job's.
var own = cli.Group{Title: "Who asks, and why", Flags: []string{"reason", "log_file"}}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	options := pipeline.DefaultOptions()
	r := request{stdin: stdin}
	flags := flag.NewFlagSet("reidentify", flag.ContinueOnError)
	options.Register(flags)
	flags.StringVar(&r.reason, "reason", "", "why it is asked; it stands in the log, and should name nobody")
	flags.StringVar(&r.log, "log_file", "", "file that every use is appended to (default: reidentify.log in the folder of --private)")
	h := help
	h.Groups = append([]cli.Group{own}, pipeline.Groups()...)
	return h.Main(flags, args, stdout, stderr, func(rest []string) error {
		if err := options.ApplyFile(ctx, flags); err != nil {
			return err
		}
		r.arguments = rest
		return r.run(ctx, &options, stdout)
	})
}

// request is what is asked, and why.
type request struct {
	arguments   []string
	stdin       io.Reader
	reason, log string
}

func (r *request) run(ctx context.Context, o *pipeline.Options, stdout io.Writer) error {
	settings := func(format string, args ...any) error { return fault.Mark(fault.Settings, fmt.Errorf(format, args...)) }
	r.reason = strings.TrimSpace(r.reason)
	switch {
	case r.reason == "":
		return settings("--reason is missing: say why the pseudonyms are to be traced back; it is kept in the log")
	case o.Key == "":
		return settings("--key is missing: name the key of the job, or give its settings by --config")
	case len(o.Input) == 0:
		return settings("--input is missing: name the original table, or give the job's settings by --config")
	case o.IDs == "keep":
		return settings("--ids=keep: the job has released ids as they are")
	}
	if r.log == "" && o.Private != "" {
		r.log = storage.Join(strings.TrimRight(o.Private, "/"), "reidentify.log")
	}
	switch {
	case r.log == "":
		return settings("--log_file is missing: name the file that each use is logged to, or give the job's --private")
	case strings.Contains(r.log, "://"):
		return settings("--log_file=%s: the log is appended to, so it must lie on this machine", r.log)
	case o.Output != "" && storage.Inside(r.log, strings.TrimRight(o.Output, "/")):
		return settings("--log_file=%s lies inside --output=%s, so it would be released; name another place", r.log, o.Output)
	}
	pseudonyms, err := r.pseudonyms()
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	key, err := transforms.ResolveKey(ctx, o.Key)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	keys, err := surrogate.NewKeyring(key, o.SeedEpoch)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	if err := sameKey(ctx, o, keys); err != nil {
		return err
	}
	cfg, err := configuration(ctx, o)
	if err != nil {
		return err
	}
	log, err := open(r.log)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	defer log.close()
	if err := log.write(entry{Event: "asked", Reason: r.reason, KeyID: keys.ID(), Epoch: o.SeedEpoch, Pseudonyms: pseudonyms}); err != nil {
		return err
	}
	found, looked, err := transforms.FindOriginals(ctx, cfg, keys, pseudonyms)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(pseudonyms), func(p string) bool {
		return slices.ContainsFunc(found, func(o transforms.Original) bool { return o.Pseudonym == p })
	})
	answered := len(pseudonyms) - len(missing)
	if err := log.write(entry{Event: "answered", Reason: r.reason, KeyID: keys.ID(), Epoch: o.SeedEpoch, Answered: &answered}); err != nil {
		return err
	}
	for _, o := range found {
		if _, err := fmt.Fprintf(stdout, "%s\t%s\t%s\n", o.Pseudonym, o.Column, o.ID); err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		return fault.Mark(fault.Refused, fmt.Errorf("%d of %d pseudonyms are of no id in the columns %s of the table: %s. Either they were "+
			"released under another key than that of id %s, another --seed_epoch than %d, or from another table or column",
			len(missing), len(pseudonyms), strings.Join(looked, ", "), some(missing), keys.ID(), o.SeedEpoch))
	}
	return nil
}

// some lists the first of a list.
func some(list []string) string {
	if len(list) > 5 {
		return strings.Join(list[:5], ", ") + " ..."
	}
	return strings.Join(list, ", ")
}

// form is what pseudonyms look like: of strings, and of integers.
var form = regexp.MustCompile(`^([a-z2-7]{26}|-?[0-9]{1,20})$`)

// pseudonyms returns those that are asked for, each once, in order. What has another
// form is refused and not repeated: it may be an original id, which is to be in no
// log.
func (r *request) pseudonyms() ([]string, error) {
	all := r.arguments
	if len(all) == 0 || len(all) == 1 && all[0] == "-" {
		all = nil
		lines := bufio.NewScanner(r.stdin)
		for lines.Scan() {
			all = append(all, strings.Fields(lines.Text())...)
		}
		if err := lines.Err(); err != nil {
			return nil, errors.New("standard input cannot be read as a list of pseudonyms, one on each line")
		}
	}
	var out []string
	seen := map[string]bool{}
	for i, p := range all {
		if !form.MatchString(p) {
			return nil, fmt.Errorf("the %s of the ids that were given is no pseudonym: these are 26 letters a-z and digits 2-7, or an integer; "+
				"nothing was looked up", ordinal(i+1))
		}
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("name pseudonyms as arguments, or one on each line of standard input")
	}
	return out, nil
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprint(n, "st")
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprint(n, "nd")
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprint(n, "rd")
	}
	return fmt.Sprint(n, "th")
}

// maxManifest bounds the manifest that is read.
const maxManifest = 256 << 20

// sameKey refuses a key that did not make the job's release, if that is there.
func sameKey(ctx context.Context, o *pipeline.Options, keys *surrogate.Keyring) error {
	if o.Output == "" {
		return nil
	}
	name := storage.Join(strings.TrimRight(o.Output, "/"), transforms.ManifestFile)
	raw, err := storage.ReadFile(ctx, name, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var m transforms.Manifest
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c := m.Configuration
	switch {
	case c.KeyID != keys.ID():
		err = fmt.Errorf("%s was made with the key of id %s, and --key is that of id %s", o.Output, c.KeyID, keys.ID())
	case c.Epoch != o.SeedEpoch:
		err = fmt.Errorf("%s was made with --seed_epoch=%d; write that", o.Output, c.Epoch)
	case c.KeepIDs:
		err = fmt.Errorf("%s has ids as they were: it was made with --ids=keep", o.Output)
	}
	return fault.Mark(fault.Settings, err)
}

// configuration returns the job's, as far as it says where ids are.
func configuration(ctx context.Context, o *pipeline.Options) (transforms.Config, error) {
	o.Output, o.Private, o.Beside = "unused", "unused-private", true
	cfg, err := pipeline.NewConfig(*o)
	if err != nil {
		return cfg, fault.Mark(fault.Settings, err)
	}
	return pipeline.CompleteColumns(ctx, cfg)
}
