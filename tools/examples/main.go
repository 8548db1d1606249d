// Command examples makes the example tables from the marked notes of
// examples/source: notes.parquet, what a hospital's warehouse would give the
// job; identifiers.parquet, what is known of each patient; and gold.parquet, the
// annotated spans. Equal sources give equal bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "examples:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("examples", flag.ContinueOnError)
	flags.SetOutput(stderr)
	source := flags.String("source", "examples/source", "folder of marked notes, one .txt file per patient; a split.json may lie beside it")
	out := flags.String("out", "examples", "folder to write notes.parquet, identifiers.parquet and gold.parquet to")
	groupRows := flags.Int("row_group_rows", 40, "rows in each row group of notes.parquet and identifiers.parquet")
	stats := flags.Bool("stats", false, "print counts by kind and type as Markdown and write nothing")
	flags.Usage = func() {
		fmt.Fprint(stderr, "examples makes the example Parquet files from marked notes.\n\n  go run ./tools/examples\n\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; settings are flags, see --help", flags.Arg(0))
	}
	if *groupRows < 1 {
		return fmt.Errorf("--row_group_rows is %d, want at least 1", *groupRows)
	}
	folder := filepath.Clean(*source)
	t, err := read(os.DirFS(filepath.Dir(folder)), filepath.Base(folder))
	if err != nil {
		return err
	}
	if *stats {
		t.stats(stdout)
		return nil
	}
	if err := t.write(*out, *groupRows); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d notes of %d patients with %d spans written to %s\n", len(t.notes), len(t.known), len(t.gold), *out)
	return nil
}
