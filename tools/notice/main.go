// Command notice writes NOTICE, the licences of all that a release of the
// program carries, and its bill of materials (CycloneDX 1.6):
//
//	go run ./tools/notice            write NOTICE
//	go run ./tools/notice --check    fail if it is not what would be written
//	go run ./tools/notice --sbom bin/palimpsest > bin/palimpsest.cdx.json
//
// --version and --revision name those of a release, which is built without the
// state of git.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	check := flag.Bool("check", false, "write nothing, but fail if NOTICE is out of date")
	binary := flag.String("sbom", "", "write the bill of materials of this program to standard output")
	version := flag.String("version", "", "the program's version in the bill of materials")
	revision := flag.String("revision", "", "the revision of the sources in the bill of materials")
	flag.Parse()
	if err := run(*check, *binary, *version, *revision); err != nil {
		fmt.Fprintln(os.Stderr, "notice:", err)
		os.Exit(1)
	}
}

func run(check bool, binary, version, revision string) error {
	if binary != "" {
		raw, err := sbom(binary, version, revision)
		if err == nil {
			_, err = os.Stdout.Write(raw)
		}
		return err
	}
	modules, err := linked("./cmd/run")
	if err != nil {
		return err
	}
	text, err := notice(".", modules)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile("NOTICE", text, 0o644)
	}
	there, err := os.ReadFile("NOTICE")
	if err != nil {
		return err
	}
	if !bytes.Equal(there, text) {
		return errors.New("NOTICE is out of date: run make notice")
	}
	return nil
}
