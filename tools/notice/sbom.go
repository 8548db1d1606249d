package main

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The parts of CycloneDX 1.6 that are written. There is no time and no random
// number in it: the same build gives the same bytes.
type (
	bom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		Ref        string     `json:"bom-ref,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Licences   []licence  `json:"licenses,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	licence struct {
		Expression string `json:"expression"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// sbom describes a program as it was built, and what is released beside it. An
// empty version is the one that the build has written into the program.
func sbom(binary, version, revision string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	self, err := fileHash(binary)
	if err != nil {
		return nil, err
	}
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Component = component{Type: "application", Name: "palimpsest", Version: cmp.Or(version, info.Main.Version), Ref: "palimpsest",
		Licences: []licence{{"Apache-2.0"}}, Hashes: self}
	for _, s := range info.Settings {
		b.Metadata.Component.Properties = append(b.Metadata.Component.Properties, property{"go:" + s.Key, s.Value})
	}
	if revision != "" {
		b.Metadata.Component.Properties = append(b.Metadata.Component.Properties, property{"vcs.revision", revision})
	}
	b.Components = append(b.Components, component{Type: "library", Name: "go", Version: info.GoVersion, Ref: "go",
		Licences: []licence{{"BSD-3-Clause"}}})
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		m := module{path: d.Path, version: d.Version}
		if m.dir, err = folder(d.Path, d.Version); err != nil {
			return nil, err
		}
		if err := m.read(); err != nil {
			return nil, err
		}
		purl := fmt.Sprintf("pkg:golang/%s@%s", d.Path, d.Version)
		b.Components = append(b.Components, component{Type: "library", Name: d.Path, Version: d.Version, Ref: purl, PURL: purl,
			Licences: []licence{{m.licence}}, Properties: []property{{"go:sum", d.Sum}}})
	}
	beside, err := besides()
	if err != nil {
		return nil, err
	}
	b.Components = append(b.Components, beside...)
	raw, err := json.MarshalIndent(b, "", "  ")
	return append(raw, '\n'), err
}

// folder returns where a module's files are.
func folder(path, version string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || !strings.HasSuffix(dir, version) {
		return "", fmt.Errorf("%s %s is not the version of go.mod: build the program from this checkout", path, version)
	}
	return dir, nil
}

// besides describes ONNX Runtime, where it was fetched, and the models.
func besides() (found []component, err error) {
	libraries, _ := filepath.Glob(".cache/onnxruntime/*/libonnxruntime.so.*")
	for _, name := range libraries {
		h, err := fileHash(name)
		if err != nil {
			return nil, err
		}
		version := strings.TrimPrefix(filepath.Base(name), "libonnxruntime.so.")
		found = append(found, component{Type: "library", Name: "onnxruntime", Version: version, Ref: "onnxruntime-" + version,
			PURL: "pkg:github/microsoft/onnxruntime@v" + version, Licences: []licence{{"MIT"}}, Hashes: h})
	}
	models, _ := filepath.Glob("onnx/models/*/model.json")
	for _, name := range models {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var m struct {
			Name, Version, Licence string
			Attribution            []struct{ Licence string }
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var files []property
		for _, pattern := range []string{"*.onnx", "*.f32", "*.json", "*.txt"} {
			names, _ := filepath.Glob(filepath.Join(filepath.Dir(name), pattern))
			for _, file := range names {
				h, err := fileHash(file)
				if err != nil {
					return nil, err
				}
				files = append(files, property{"sha256:" + filepath.Base(file), h[0].Content})
			}
		}
		licences := []string{m.Licence}
		for _, a := range m.Attribution { // such as "CC BY 4.0"
			if id := strings.ReplaceAll(a.Licence, " ", "-"); !slices.Contains(licences, id) {
				licences = append(licences, id)
			}
		}
		found = append(found, component{Type: "machine-learning-model", Name: m.Name, Version: m.Version, Ref: "model-" + m.Name,
			Licences: []licence{{strings.Join(licences, " AND ")}}, Properties: files})
	}
	slices.SortFunc(found, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	return found, nil
}

func fileHash(name string) ([]hash, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	return []hash{{"SHA-256", hex.EncodeToString(sum[:])}}, nil
}
