package main

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// file is one file of a release: its name there, its content and its mode.
type file struct {
	name    string
	content []byte
	mode    fs.FileMode
	source  string // in the repository, as seen from its root; empty for what is made
}

// program returns what has to lie together for the program to run: itself,
// models/ and lib/. Names begin with prefix.
func (r release) program(prefix string) ([]file, error) {
	b := builder{root: r.root}
	b.add(prefix+"palimpsest", r.binary, 0o755)
	b.add(prefix+"lib/"+filepath.Base(r.library), r.library, 0o755)
	b.tree(prefix+"models/", filepath.Join(r.root, "onnx/models"), func(name string) bool { return !strings.Contains(name, "-private/") })
	return b.files, b.err
}

// tarballFiles returns all files of the tarball, sorted by name, and last their
// checksums and, if there is a key, the signature of those.
func (r release) tarballFiles() ([]file, error) {
	program, err := r.program("")
	if err != nil {
		return nil, err
	}
	b := builder{root: r.root, files: program}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
		"CITATION.cff"} {
		b.add(name, filepath.Join(r.root, name), 0o644)
	}
	b.add("palimpsest.cdx.json", r.sbom, 0o644)
	b.tree("docs/", filepath.Join(r.root, "docs"), isPage)
	b.tree("examples/", filepath.Join(r.root, "examples"), func(name string) bool { return !strings.Contains(name, "/") })
	b.tree("schedule/", filepath.Join(r.root, "infra/schedule"), func(name string) bool {
		return !strings.Contains(name, "/") && !strings.Contains(name, "_test.") && name != "airflow.sh"
	})
	b.tree("training/", filepath.Join(r.root, "model/training"), trains)
	if b.err != nil {
		return nil, b.err
	}
	slices.SortFunc(b.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	relink(b.files)
	list := checksums(b.files)
	b.files = append(b.files, file{name: "SHA256SUMS", content: list, mode: 0o644})
	if r.key != "" {
		signature, err := signed(list, r.key)
		if err != nil {
			return nil, err
		}
		b.files = append(b.files, file{name: "SHA256SUMS.sig", content: signature, mode: 0o644})
	}
	return b.files, nil
}

// trains tells whether a file of model/training belongs to what palimpsest adapt
// runs.
func trains(name string) bool {
	folder, _, below := strings.Cut(name, "/")
	switch {
	case !below:
		return strings.HasSuffix(name, ".py") || strings.HasPrefix(name, "requirements") || name == "README.md"
	case folder == "tests" || strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "__"):
		return false
	}
	return strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".toml")
}

// builder collects files; its first error stays.
type builder struct {
	root  string
	files []file
	err   error
}

func (b *builder) add(name, source string, mode fs.FileMode) {
	if b.err != nil {
		return
	}
	content, err := os.ReadFile(source)
	if err != nil {
		b.err = err
		return
	}
	f := file{name: name, content: content, mode: mode}
	if below, err := filepath.Rel(b.root, source); err == nil && filepath.IsLocal(below) {
		f.source = filepath.ToSlash(below)
	}
	b.files = append(b.files, f)
}

// tree adds the files below a folder that want accepts, by their names there.
func (b *builder) tree(prefix, folder string, want func(name string) bool) {
	if b.err != nil {
		return
	}
	b.err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !want(name) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		// Of the modes only what can be run is told apart, whatever umask the checkout had.
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		b.add(path.Join(prefix, name), filepath.Join(folder, name), mode)
		return b.err
	})
}
