package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

func TestVersions(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3", "0.5.0-rc.1": "0.5.0rc1", "0.5.0-beta.2": "0.5.0b2"} {
		if got := wheelVersion(version); !semantic.MatchString(version) || got != want {
			t.Errorf("%s in a wheel is %s, want %s", version, got, want)
		}
	}
	for _, version := range []string{"", "v1.2.3", "1.2", "01.2.3", "1.2.3+linux", "1.2.3 ", "1.2.3-rc1"} {
		if err := run([]string{"check", "--version", version}, io.Discard); err == nil || !strings.Contains(err.Error(), "is no version") {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// Changelog and citation have to name the version; the newest that is in both
// passes.
func TestCheck(t *testing.T) {
	raw, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "\nversion: ")
	version, _, _ := strings.Cut(rest, "\n")
	if err := check("../..", version); err != nil {
		t.Error(err)
	}
	err = check("../..", "99.0.0")
	if err == nil || !strings.Contains(err.Error(), "CHANGELOG.md does not name") ||
		!strings.Contains(err.Error(), "CITATION.cff does not name") {
		t.Error(err)
	}
}

// CITATION.cff has what version 1.2.0 of its schema requires; cffconvert 2.0.0
// --validate was content with it.
func TestCitation(t *testing.T) {
	raw, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Format   string              `yaml:"cff-version"`
		Message  string              `yaml:"message"`
		Title    string              `yaml:"title"`
		Authors  []map[string]string `yaml:"authors"`
		Licence  string              `yaml:"license"`
		Released string              `yaml:"date-released"`
	}
	if err := yaml.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.DateOnly, c.Released); err != nil || c.Format != "1.2.0" || c.Message == "" || c.Title != "Palimpsest" ||
		len(c.Authors) == 0 || c.Licence != "Apache-2.0" {
		t.Errorf("%v, %+v", err, c)
	}
}

func TestGlibc(t *testing.T) {
	for s, want := range map[string]string{"GLIBC_2.2.5": "2.2", "GLIBC_2.27": "2.27", "GLIBCXX_3.4": "0.0", "GLIBC_PRIVATE": "0.0"} {
		if got, _ := parseGlibc(s); got.String() != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
	self, err := os.Executable() // tests of this package are built without cgo
	if err != nil {
		t.Fatal(err)
	}
	if shell, err := glibcOf("/bin/sh", self); err == nil && shell.less(glibcVersion{2, 2}) {
		t.Errorf("the shell needs glibc %s", shell)
	}
	if _, err := glibcOf("release_test.go"); err == nil {
		t.Error("this source has a glibc")
	}
}

// The same files have the same bytes in any order of making them, sorted, of
// nobody, with folders before what is in them.
func TestTarballBytes(t *testing.T) {
	when := time.Unix(1_700_000_000, 0)
	files := []file{{name: "a/b/c", content: []byte("c"), mode: 0o755}, {name: "z", content: []byte("z"), mode: 0o644}}
	var raw [2][]byte
	for i := range raw {
		name := filepath.Join(t.TempDir(), "x.tar.gz")
		if err := writeTarball(name, "top", when, files); err != nil {
			t.Fatal(err)
		}
		raw[i], _ = os.ReadFile(name)
	}
	if !bytes.Equal(raw[0], raw[1]) {
		t.Error("two tarballs of the same files differ")
	}
	z, err := gzip.NewReader(bytes.NewReader(raw[0]))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || !h.ModTime.Equal(when) {
			t.Errorf("%+v", h)
		}
	}
	if got := strings.Join(names, " "); got != "top/ top/a/ top/a/b/ top/a/b/c top/z" {
		t.Error(got)
	}
	if err := writeTarball(filepath.Join(t.TempDir(), "x"), "top", when, []file{{name: "../x"}}); err == nil {
		t.Error("a file outside of the folder was taken")
	}
}

// TestTheTrainerGoesWithTheTarball: palimpsest adapt finds it beside the program.
func TestTheTrainerGoesWithTheTarball(t *testing.T) {
	stand := filepath.Join(t.TempDir(), "stand-in")
	if err := os.WriteFile(stand, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := release{version: "1.2.3", root: "../..", binary: stand, library: stand, sbom: stand}.tarballFiles()
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, f := range files {
		there[f.name] = true
	}
	for name, want := range map[string]bool{"training/__main__.py": true, "training/requirements-adapt.txt": true,
		"training/requirements-crf.txt": true,
		"training/notes/t001.txt":       true, "training/notes/split.json": true, "training/text/surnames.txt": true,
		"training/profiles/site.json": true, "training/tests/conftest.py": false} {
		if there[name] != want {
			t.Errorf("%s is in the tarball: %v", name, !want)
		}
	}
}

// TestLinksOfTheTarball: what pages link to is there.
func TestLinksOfTheTarball(t *testing.T) {
	stand := filepath.Join(t.TempDir(), "stand-in")
	if err := os.WriteFile(stand, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := release{version: "1.2.3", root: "../..", binary: stand, library: stand, sbom: stand}.tarballFiles()
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, f := range files {
		pages[f.name] = string(f.content)
	}
	links := 0
	for name, page := range pages {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if _, ok := pages[filepath.Join(filepath.Dir(name), m[2])]; !ok {
				t.Errorf("%s has a link to %s, which is not there", name, m[2])
			}
			links++
		}
	}
	if links < 100 || !strings.Contains(pages["README.md"], "(models/en-clinical/README.md)") ||
		!strings.Contains(pages["schedule/README.md"], "(../docs/nights.md)") {
		t.Errorf("%d links; the README is\n%s", links, pages["README.md"])
	}
}

// A wheel of stand-ins for the large files has all that installers ask for, and
// is the same each time.
func TestWheelBytes(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"program", "libonnxruntime.so.1.2.3", "sbom"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := t.TempDir()
	for _, name := range []string{"LICENSE", "NOTICE", "onnx/models/en-clinical/model.json"} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(root, "python"), os.DirFS("../../python")); err != nil {
		t.Fatal(err)
	}
	r := release{version: "1.2.3", root: root, binary: filepath.Join(dir, "program"),
		library: filepath.Join(dir, "libonnxruntime.so.1.2.3"), sbom: filepath.Join(dir, "sbom"), time: time.Unix(1_700_000_000, 0)}
	var raw [2][]byte
	for i := range raw {
		name := filepath.Join(t.TempDir(), wheelName(r.version, glibcVersion{2, 27}))
		if err := r.writeWheel(name, glibcVersion{2, 27}); err != nil {
			t.Fatal(err)
		}
		raw[i], _ = os.ReadFile(name)
	}
	if !bytes.Equal(raw[0], raw[1]) {
		t.Error("two wheels of the same files differ")
	}
	z, err := zip.NewReader(bytes.NewReader(raw[0]), int64(len(raw[0])))
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]os.FileMode{}
	for _, f := range z.File {
		modes[f.Name] = f.Mode()
	}
	if modes["palimpsest/_release/palimpsest"] != 0o755 || modes["palimpsest/py.typed"] != 0o644 ||
		modes["palimpsest/_release/models/en-clinical/model.json"] == 0 || modes["palimpsest_deid-1.2.3.dist-info/licenses/NOTICE"] == 0 {
		t.Errorf("%v", modes)
	}
	if last := z.File[len(z.File)-1].Name; last != "palimpsest_deid-1.2.3.dist-info/RECORD" {
		t.Errorf("the last file is %s", last)
	}
}

// A signature verifies by ssh-keygen alone, is not random, and fits nothing else.
func TestSums(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("there is no ssh-keygen")
	}
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	var signatures [2][]byte
	for i := range signatures {
		if err := sums(dir, key, io.Discard); err != nil {
			t.Fatal(err)
		}
		signatures[i], _ = os.ReadFile(filepath.Join(dir, "SHA256SUMS.sig"))
	}
	if !bytes.Equal(signatures[0], signatures[1]) {
		t.Error("two signatures of the same sums differ")
	}
	verify := func(suffix string) error {
		cmd := exec.Command("sh", "-c", "{ cat SHA256SUMS; printf '"+suffix+"'; } | "+
			"ssh-keygen -Y verify -f allowed_signers -I release -n palimpsest-release -s SHA256SUMS.sig")
		cmd.Dir = dir
		return cmd.Run()
	}
	if err := verify(""); err != nil {
		t.Error(err)
	}
	if err := verify("more"); err == nil {
		t.Error("other sums verify")
	}
	// Without a key no signature stays that would not fit.
	if err := sums(dir, "", io.Discard); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "SHA256SUMS.sig")); err == nil {
		t.Error("an older signature stayed")
	}
}

// A tag is made once, is signed so that allowed_signers verifies it, and is never
// moved; make release makes it last, when all else has passed.
func TestTag(t *testing.T) {
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "key")
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "a"}, {"config", "user.email", "a@example.org"},
		{"commit", "-q", "--allow-empty", "-m", "one"}} {
		if _, err := git(dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for range 2 {
		if err := errors.Join(mayTag(dir, "1.2.3"), tag(dir, "1.2.3", key, io.Discard), tag(dir, "1.2.4-rc.1", "", io.Discard)); err != nil {
			t.Fatal(err)
		}
	}
	signers := t.TempDir()
	if err := sums(signers, key, io.Discard); err != nil {
		t.Fatal(err)
	}
	verify := func(tag string) error {
		_, err := git(dir, "-c", "gpg.ssh.allowedSignersFile="+filepath.Join(signers, "allowed_signers"), "tag", "-v", tag)
		return err
	}
	if err := verify("v1.2.3"); err != nil {
		t.Error(err)
	}
	if verify("v1.2.4-rc.1") == nil {
		t.Error("a tag without a signature verifies")
	}
	if _, err := git(dir, "commit", "-q", "--allow-empty", "-m", "two"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{mayTag(dir, "1.2.3"), tag(dir, "1.2.3", "", io.Discard)} {
		if err == nil || !strings.Contains(err.Error(), "the tag of another commit") {
			t.Errorf("another commit: %v", err)
		}
	}
	plan, err := exec.Command("make", "-C", "../..", "-n", "release", "VERSION=99.0.0").Output()
	lines := strings.Split(strings.TrimSpace(string(plan)), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "make") })
	if last := lines[len(lines)-1]; err != nil || !strings.HasPrefix(last, "go run ./tools/release tag --version '99.0.0'") {
		t.Errorf("%v: the last step of make release is %s", err, last)
	}
}

// What workflows, CI and the release's checks ask make for are targets that it has.
func TestTargets(t *testing.T) {
	raw, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9 -]*):`).FindAllStringSubmatch(string(raw), -1) {
		for _, name := range strings.Fields(m[1]) {
			targets[name] = true
		}
	}
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d workflows: %v", len(files), err)
	}
	asked := 0
	for _, file := range append(files, "../../Makefile", "../../.ci/run") {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		calls := regexp.MustCompile(`RELEASE_CHECKS(?: \?)?="?([a-z0-9 -]+)`)
		if !strings.HasSuffix(file, "Makefile") {
			calls = regexp.MustCompile(`(?m)^[^#\n]*\b(?:make|RELEASE_CHECKS="?) ?([a-z0-9][a-z0-9 -]*)`)
		}
		for _, m := range calls.FindAllStringSubmatch(string(raw), -1) {
			for _, name := range strings.Fields(m[1]) {
				if asked++; !targets[name] {
					t.Errorf("%s asks for %s, which make does not have", filepath.Base(file), name)
				}
			}
		}
	}
	if asked < 25 {
		t.Errorf("only %d targets are asked for", asked)
	}
}
