// Package version tells what the program is and what it would run with.
package version

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core"

	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
)

var help = cli.Help{
	Command: "palimpsest version",
	About: `
version prints the versions of the program, Go and Apache Beam, the ONNX Runtime
that it finds, and the models beside it. manifest.json holds the first.

  palimpsest version
  palimpsest version --json
`,
	Brief: []cli.Setting{
		{Flags: "--json", Text: "as JSON, for programs"},
		{Flags: "--onnxruntime PATH", Text: "libonnxruntime.so or its directory, as for the job"},
	},
}

// versions is what --json prints. Keys stay as they are: programs read them.
type versions struct {
	Program  string  `json:"palimpsest"`
	Go       string  `json:"go"`
	Platform string  `json:"platform"` // such as linux/amd64
	Beam     string  `json:"beam"`
	Runtime  library `json:"onnxruntime"`
	Models   []model `json:"models"`
}

// library is the ONNX Runtime that was found, or why none can be used.
type library struct {
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	Error   string `json:"error,omitempty"`
}

type model struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
	Kind     string `json:"kind"`
	Path     string `json:"path"`
}

// Main runs the command and returns its exit status.
func Main(_ context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("version", flag.ContinueOnError)
	path := fs.String("onnxruntime", "", "libonnxruntime.so or its directory, as for the job")
	asJSON := fs.Bool("json", false, "as JSON, for programs")
	return help.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		v, err := find(*path)
		if err != nil {
			return err
		}
		if *asJSON {
			e := json.NewEncoder(stdout)
			e.SetIndent("", "  ")
			return e.Encode(v)
		}
		v.write(stdout)
		return nil
	})
}

// find looks for all that has a version. That something is missing is told, and
// no error.
func find(onnxruntime string) (versions, error) {
	v := versions{Program: pipeline.Version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Beam: core.SdkVersion, Models: []model{}}
	if path, version, err := onnx.Initialize(onnxruntime); err != nil {
		v.Runtime.Error = err.Error()
	} else {
		v.Runtime = library{Version: version, Path: path}
	}
	models, err := pipeline.Models()
	for _, m := range models {
		v.Models = append(v.Models, model{m.Name, m.Version, m.Language, m.Kind, m.Dir})
	}
	return v, err
}

// write prints the versions for people.
func (v versions) write(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("palimpsest", "%s", v.Program)
	line("Go", "%s %s", v.Go, v.Platform)
	line("Apache Beam", "%s", v.Beam)
	if v.Runtime.Error != "" {
		line("ONNX Runtime", "none that can be used: %s", v.Runtime.Error)
	} else {
		line("ONNX Runtime", "%s (%s)", v.Runtime.Version, v.Runtime.Path)
	}
	for _, m := range v.Models {
		line("model", "%s %s, %s, %s (%s)", m.Name, m.Version, m.Kind, m.Language, m.Path)
	}
	if len(v.Models) == 0 {
		line("model", "none in models/ beside the program")
	}
}
