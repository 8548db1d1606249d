// Package version tells what the program is and what it would run with.
package version

import (
	"context"
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
`,
	Brief: []cli.Setting{{Flags: "--onnxruntime PATH", Text: "libonnxruntime.so or its directory, as for the job"}},
}

// Main runs the command and returns its exit status.
func Main(_ context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("version", flag.ContinueOnError)
	library := fs.String("onnxruntime", "", "libonnxruntime.so or its directory, as for the job")
	return help.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		return write(stdout, *library)
	})
}

// write prints the versions. That something is missing is told, and no error.
func write(w io.Writer, library string) error {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("palimpsest", "%s", pipeline.Version())
	line("Go", "%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	line("Apache Beam", "%s", core.SdkVersion)
	if path, version, err := onnx.Initialize(library); err != nil {
		line("ONNX Runtime", "none that can be used: %v", err)
	} else {
		line("ONNX Runtime", "%s (%s)", version, path)
	}
	models, err := pipeline.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		line("model", "%s %s, %s (%s)", m.Name, m.Version, m.Language, m.Dir)
	}
	if len(models) == 0 {
		line("model", "none in models/ beside the program")
	}
	return nil
}
