// Command run is the program, palimpsest: it de-identifies Parquet tables of
// clinical notes, and has commands for what comes before and after. See --help.
package main

import (
	"fmt"
	"os"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline/memory"
)

func main() {
	os.Exit(guarded(os.Stderr, func() int {
		if err := harden(); err != nil {
			fmt.Fprintf(os.Stderr, "palimpsest: %v\n", err)
			return int(fault.Failed)
		}
		memory.Govern()
		ctx := untilSignal()
		status := dispatch(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		if s, ok := bySignal(ctx); ok && status != 0 {
			return s.status()
		}
		return status
	}))
}
