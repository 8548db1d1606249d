package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// NOTICE is what would be written now, and names what must be named.
func TestNotice(t *testing.T) {
	t.Chdir("../..")
	if err := run(true, "", "", ""); err != nil {
		t.Error(err)
	}
	raw, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ACI-Bench", "PriMock57", "MEDDOCAN", "GloVe", "Daniele Faraglia", "Copyright (c) Microsoft Corporation",
		"github.com/minio/minio-go/v7 v", "The Go Authors", "TERMS AND CONDITIONS FOR USE"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("NOTICE does not name %q", want)
		}
	}
}

func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n  Version 2.0, January 2004":                                   "Apache-2.0",
		"Permission is hereby granted, free of charge, to any person\nobtaining a copy": "MIT",
		"Redistribution and use in source and binary forms":                             "BSD-2-Clause",
		"Redistribution and use in source and binary forms. Neither the name":           "BSD-3-Clause",
		"GNU GENERAL PUBLIC LICENSE":                                                    "LicenseRef-GNU-GENERAL-PUBLIC-LICENSE",
		"All rights reserved.":                                                          "",
	} {
		if got, err := identify([]string{text}); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}

// The bill of materials of a program names its modules, each with a licence.
func TestSBOM(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	raw, err := sbom(self, "1.2.3", "abc")
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(raw, &b); err != nil {
		t.Fatal(err)
	}
	models := 0
	for _, c := range b.Components {
		if len(c.Licences) == 0 || c.Licences[0].Expression == "" || c.Version == "" {
			t.Errorf("%+v", c)
		}
		if c.Type == "machine-learning-model" {
			models++
		}
	}
	if m := b.Metadata.Component; m.Version != "1.2.3" || !slices.Contains(m.Properties, property{"vcs.revision", "abc"}) {
		t.Errorf("the release is %+v", m)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Hashes[0].Content == "" || models != 5 {
		t.Errorf("%s, %d models, %+v", b.Format, models, b.Metadata)
	}
}
