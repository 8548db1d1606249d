package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed metadata.txt
var metadata string

// wheelVersion writes a version as PEP 440 does: 1.2.3-rc.1 is 1.2.3rc1.
func wheelVersion(version string) string {
	base, pre, _ := strings.Cut(version, "-")
	pre = strings.NewReplacer("alpha", "a", "beta", "b", ".", "").Replace(pre)
	return base + pre
}

// platform is the wheel's tag (PEP 600): Linux with this glibc or newer.
func platform(glibc glibcVersion) string {
	return fmt.Sprintf("py3-none-manylinux_%d_%d_x86_64", glibc.major, glibc.minor)
}

func wheelName(version string, glibc glibcVersion) string {
	return "palimpsest_deid-" + wheelVersion(version) + "-" + platform(glibc) + ".whl"
}

// writeWheel writes a wheel with the Python package and, within it, the program,
// its library and its models.
func (r release) writeWheel(to string, glibc glibcVersion) (err error) {
	files, err := r.wheelFiles(glibc)
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := zip.NewWriter(f)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, x := range files {
		h := &zip.FileHeader{Name: x.name, Method: zip.Deflate, Modified: r.time}
		h.SetMode(x.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(x.content); err != nil {
			return err
		}
	}
	return z.Close()
}

// wheelFiles returns the wheel's files sorted by name, RECORD last, as the
// specification of wheels recommends.
func (r release) wheelFiles(glibc glibcVersion) ([]file, error) {
	program, err := r.program("palimpsest/_release/")
	if err != nil {
		return nil, err
	}
	info := "palimpsest_deid-" + wheelVersion(r.version) + ".dist-info/"
	b := builder{root: r.root, files: program}
	b.tree("palimpsest/", filepath.Join(r.root, "python/palimpsest"), func(name string) bool {
		return !strings.HasPrefix(name, "_release/") && (strings.HasSuffix(name, ".py") || name == "py.typed")
	})
	for _, name := range []string{"LICENSE", "NOTICE"} {
		b.add(info+"licenses/"+name, filepath.Join(r.root, name), 0o644)
	}
	b.add(info+"sboms/palimpsest.cdx.json", r.sbom, 0o644) // PEP 770
	readme, err := os.ReadFile(filepath.Join(r.root, "python/README.md"))
	if err = errors.Join(b.err, err); err != nil {
		return nil, err
	}
	var head bytes.Buffer
	if err := template.Must(template.New("").Parse(metadata)).Execute(&head, map[string]string{
		"Version": wheelVersion(r.version), "Readme": string(readme)}); err != nil {
		return nil, err
	}
	text := func(name, content string) {
		b.files = append(b.files, file{name: info + name, content: []byte(content), mode: 0o644})
	}
	text("METADATA", head.String())
	text("WHEEL", "Wheel-Version: 1.0\nGenerator: palimpsest tools/release\nRoot-Is-Purelib: false\nTag: "+platform(glibc)+"\n")
	text("entry_points.txt", "[console_scripts]\npalimpsest = palimpsest._program:main\n")
	slices.SortFunc(b.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	var record strings.Builder
	for _, x := range b.files {
		sum := sha256.Sum256(x.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", x.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(x.content))
	}
	text("RECORD", record.String()+info+"RECORD,,\n")
	return b.files, nil
}
