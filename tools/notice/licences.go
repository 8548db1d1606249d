package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is a Go module that the program is linked with.
type module struct {
	path, version, dir string
	texts              []string // of its licence files
	notices            []string // of what it asks to be passed on
	licence            string   // SPDX expression
}

// tags are those that the program is built with.
const tags = "-tags=disable_grpc_modules"

// linked returns the modules of all packages that a command needs, in their
// order of names.
func linked(command string) ([]module, error) {
	list := exec.Command("go", "list", tags, "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{.Main}}{{end}}", command)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	var modules []module
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) == 4 && f[3] == "false" {
			modules = append(modules, module{path: f[0], version: f[1], dir: f[2]})
		}
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.path, b.path) })
	modules = slices.CompactFunc(modules, func(a, b module) bool { return a.path == b.path })
	for i := range modules {
		if err := modules[i].read(); err != nil {
			return nil, err
		}
	}
	return modules, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying)(\.(txt|md|golang))?$`)
var noticeFile = regexp.MustCompile(`(?i)^notice(\.(txt|md))?$`)

// read reads the licence files in the module's folder.
func (m *module) read() error {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		isLicence, isNotice := licenceFile.MatchString(e.Name()), noticeFile.MatchString(e.Name())
		if !isLicence && !isNotice {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(m.dir, e.Name()))
		if err != nil {
			return err
		}
		text := strings.TrimSpace(strings.ReplaceAll(string(raw), "\r\n", "\n"))
		if isLicence {
			m.texts = append(m.texts, text)
		} else {
			m.notices = append(m.notices, text)
		}
	}
	if m.licence, err = identify(m.texts); err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	return nil
}

// identify names the licences of texts, by words that only they have. One that
// it does not know stops the build: somebody has to look whether we may use it.
func identify(texts []string) (string, error) {
	all := strings.Join(strings.Fields(strings.Join(texts, "\n")), " ")
	var ids []string
	for _, l := range []struct{ id, words string }{
		{"Apache-2.0", "Apache License Version 2.0"}, {"Apache-2.0", "Apache License, Version 2.0"},
		{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
		{"BSD-3-Clause", "Neither the name"}, {"BSD-3-Clause", "may not be used to endorse or promote"},
		{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose"},
	} {
		if strings.Contains(all, l.words) && !slices.Contains(ids, l.id) {
			ids = append(ids, l.id)
		}
	}
	if strings.Contains(all, "Redistribution and use in source and binary forms") && !slices.Contains(ids, "BSD-3-Clause") {
		ids = append(ids, "BSD-2-Clause")
	}
	for _, other := range []string{"GNU GENERAL PUBLIC LICENSE", "GNU LESSER GENERAL PUBLIC", "GNU AFFERO", "Mozilla Public License"} {
		if strings.Contains(all, other) {
			ids = append(ids, "LicenseRef-"+strings.ReplaceAll(other, " ", "-"))
		}
	}
	if len(ids) == 0 {
		return "", errors.New("its licence is not one that this tool knows")
	}
	return strings.Join(ids, " AND "), nil
}

// attributions are the pages that say what models and lists were made of, with
// the headings under which they do.
var attributions = []struct{ file, heading string }{
	{"onnx/models/en-clinical/README.md", "## Licence and attribution"},
	{"onnx/models/en-clinical-accurate/README.md", "## Licence and attribution"},
	{"onnx/models/en-clinical-fast/README.md", "## Licence and attribution"},
	{"onnx/models/en-crf/README.md", "## Licence and attribution"},
	{"onnx/models/es-meddocan/README.md", "## Licence and attribution"},
	{"model/surrogate/lists/README.md", ""},
	{"model/veto/lists/README.md", ""},
}

const head = `Palimpsest
Licensed under the Apache License, Version 2.0 (see LICENSE).

This file is written by make notice. It names what a release carries besides
the project's own work: models and lists made of published data, ONNX Runtime,
Go's standard library and runtime, and the Go modules that the program is linked
with, with their licences.
`

const onnxRuntime = `Copyright (c) Microsoft Corporation, MIT License (its text is below). The library
that releases carry in lib/ is fetched as Microsoft publishes it, unchanged; what it
carries itself is in ThirdPartyNotices.txt of its package.
`

// notice returns the file's content for a checkout at root.
func notice(root string, modules []module) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(head)
	section := func(title string) { fmt.Fprintf(&b, "\n%s\n%s\n\n", strings.Repeat("=", 78), title) }
	for _, a := range attributions {
		raw, err := os.ReadFile(filepath.Join(root, a.file))
		if err != nil {
			return nil, err
		}
		_, text, found := strings.Cut(string(raw), a.heading+"\n")
		if a.heading == "" {
			text = string(raw)
		} else if text, _, _ = strings.Cut(text, "\n## "); !found {
			return nil, fmt.Errorf("%s has no heading %q", a.file, a.heading)
		}
		section(filepath.Dir(a.file))
		b.WriteString(strings.TrimSpace(text) + "\n")
	}
	section("ONNX Runtime")
	b.WriteString(onnxRuntime)
	goRoot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	goLicence, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goRoot)), "LICENSE"))
	if err != nil {
		return nil, err
	}
	section("Go")
	b.WriteString(strings.TrimSpace(string(goLicence)) + "\n")

	section("Go modules")
	for _, m := range modules {
		fmt.Fprintf(&b, "%s %s: %s\n", m.path, m.version, m.licence)
	}
	// Each text once, with the modules that it is of.
	of := map[string][]string{}
	var texts []string
	for _, m := range modules {
		for _, text := range append(slices.Clone(m.texts), m.notices...) {
			if of[text] == nil {
				texts = append(texts, text)
			}
			of[text] = append(of[text], m.path)
		}
	}
	for _, text := range texts {
		section(strings.Join(of[text], "\n"))
		b.WriteString(text + "\n")
	}
	return b.Bytes(), nil
}
