// Command omop invents an OMOP database, and measures what palimpsest check takes
// for it.
//
//	go run ./tools/omop --dir out-omop --notes 10000000 --files 1000 --persons 1000000
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/palimpsest-deid/palimpsest/tools/omop/database"
)

func main() {
	var s database.Size
	dir := flag.String("dir", "out-omop", "where the database is written; one that is there is used as it is")
	program := flag.String("program", "bin/palimpsest", "the program; make build makes it")
	flag.IntVar(&s.Notes, "notes", 10_000_000, "rows of note")
	flag.IntVar(&s.Files, "files", 1000, "files of note")
	flag.IntVar(&s.Persons, "persons", 1_000_000, "rows of person")
	flag.Parse()
	if err := run(*dir, *program, s); err != nil {
		fmt.Fprintln(os.Stderr, "omop:", err)
		os.Exit(1)
	}
}

func run(dir, program string, s database.Size) error {
	if _, err := os.Stat(filepath.Join(dir, "person.parquet")); err != nil {
		if err := database.Write(context.Background(), dir, "examples/notes.parquet", s); err != nil {
			return err
		}
	}
	const key = "PALIMPSEST_OMOP_KEY"
	c := exec.Command(program, "check", "--preset=omop-note", "--input="+filepath.Join(dir, "note"),
		"--output="+filepath.Join(dir, "scrubbed"), "--private_beside_output", "--private="+filepath.Join(dir, "held"),
		"--key=env:"+key, "--identifiers="+filepath.Join(dir, "person.parquet"), "--identifier_columns="+database.PersonColumns)
	c.Env = append(os.Environ(), key+"=this key is public and for invented databases only")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	if err := c.Run(); err != nil {
		return err
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Printf("\n%.1f s, %.1f s of CPU time, %d MiB at most\n", time.Since(began).Seconds(),
		(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), usage.Maxrss>>10)
	return nil
}
