// Package key makes keys and tells their ids.
package key

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

var help = cli.Help{
	Command: "palimpsest key",
	About: `
key makes the secret key of a job, or tells which key it is: its id is in every
manifest.json and says nothing of the key itself.

  palimpsest key new PATH       make a file of 32 random bytes, in hexadecimal
  palimpsest key id file:PATH   print the id of a key, named as for the job
  palimpsest key id --config job.yaml

Keep the file as you keep the notes: whoever has it can trace releases back.
`,
	Brief: []cli.Setting{{Flags: "--config FILE", Text: "the job's settings, whose key is meant"}},
}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("key", flag.ContinueOnError)
	config := fs.String("config", "", "YAML file of the job's settings, whose key is meant")
	return help.Main(fs, args, stdout, stderr, func(rest []string) error {
		return run(ctx, stdout, stderr, rest, *config)
	})
}

func run(ctx context.Context, stdout, stderr io.Writer, args []string, config string) error {
	o, _, err := pipeline.ReadFile(ctx, config)
	if err != nil {
		return err
	}
	switch {
	case len(args) == 2 && args[0] == "new" && config == "":
		return create(ctx, stdout, stderr, args[1])
	case len(args) == 2 && args[0] == "id" && config == "":
		return tell(ctx, stdout, args[1])
	case len(args) == 1 && args[0] == "id" && o.Key != "":
		return tell(ctx, stdout, o.Key)
	}
	const forms = "write key new PATH, key id REF or key id --config FILE; palimpsest key --help shows examples"
	return fault.Mark(fault.Settings, errors.New(forms))
}

// create makes a key: here alone randomness has a place. A file that is there is
// never written over, as a release that it keeps would be lost with it.
func create(ctx context.Context, stdout, stderr io.Writer, path string) (err error) {
	var key [surrogate.MinKey]byte
	if _, err := rand.Read(key[:]); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fault.Mark(fault.Settings, fmt.Errorf("%s is there already, and a key is never written over; name another file", path))
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(path)
		}
	}()
	if _, err = f.WriteString(hex.EncodeToString(key[:]) + "\n"); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "made %s, for --key file:%s; its id is\n", path, path)
	return tell(ctx, stdout, "file:"+path)
}

// tell prints the id of the key that a reference names.
func tell(ctx context.Context, stdout io.Writer, reference string) error {
	keys, err := transforms.Keys(ctx, reference, 0) // the id is that of all epochs
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	_, err = fmt.Fprintln(stdout, keys.ID())
	return err
}
