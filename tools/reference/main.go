// Command reference writes the pages of docs/reference from the code: settings,
// commands, exit statuses, and the columns and fields of what a job writes.
//
//	go run ./tools/reference            write them
//	go run ./tools/reference --check    fail if they are not what would be written
//
// It is run in the repository's root.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

const folder = "docs/reference"

func main() {
	check := flag.Bool("check", false, "write nothing, but fail if a page is out of date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	fields, err := fieldsPage()
	if err != nil {
		return err
	}
	statuses, err := statusesPage()
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"settings.md": settingsPage(), "files.md": fields, "exit-statuses.md": statuses} {
		path := filepath.Join(folder, name)
		if !check {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
			continue
		}
		there, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if !bytes.Equal(there, text) {
			return fmt.Errorf("%s is out of date: run make reference", path)
		}
	}
	return nil
}
