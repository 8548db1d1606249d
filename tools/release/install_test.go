package main

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const exampleKey = "this key is public and for the invented example notes only"

// site is a machine as a hospital has it: a fresh home, and a PATH without Go
// and without a compiler.
type site struct {
	*testing.T
	home, path string
}

func newSite(t *testing.T) site {
	t.Helper()
	if os.Getenv("PALIMPSEST_DIST") == "" {
		t.Skip("PALIMPSEST_DIST is not set; make test-install sets it")
	}
	s := site{t, t.TempDir(), t.TempDir()}
	for _, name := range []string{"sh", "tar", "gzip", "sha256sum", "ssh-keygen", "mkdir", "mv", "ls", "cat", "python3",
		"flock", "date", "basename", "dirname"} {
		tool, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "python3" { // behind pyenv's script lies the real one
			out, err := exec.Command(tool, "-c", "import sys; print(sys._base_executable or sys.executable)").Output()
			if err != nil {
				t.Fatal(err)
			}
			tool = strings.TrimSpace(string(out))
		}
		if err := os.Symlink(tool, filepath.Join(s.path, name)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs a shell command in the home and returns what it says.
func (s site) run(command string) string {
	s.Helper()
	out, err := s.try(command)
	if err != nil {
		s.Fatalf("%s\n%v\n%s", command, err, out)
	}
	return out
}

func (s site) try(command string) (string, error) {
	cmd := exec.CommandContext(s.Context(), "/bin/sh", "-euc", command)
	cmd.Dir = s.home
	cmd.Env = []string{"PATH=" + s.path, "HOME=" + s.home, "TMPDIR=" + s.TempDir(), "PALIMPSEST_EXAMPLE_KEY=" + exampleKey}
	for _, name := range []string{"PIP_CERT", "SSL_CERT_FILE", "HTTPS_PROXY", "https_proxy"} { // how this machine reaches the registry
		if v := os.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// one returns the one file of dist that a pattern means.
func (s site) one(pattern string) string {
	s.Helper()
	names, err := filepath.Glob(filepath.Join(os.Getenv("PALIMPSEST_DIST"), pattern))
	if err != nil || len(names) != 1 {
		s.Fatalf("%s in dist: %v, %v; make dist VERSION=1.2.3 makes it", pattern, names, err)
	}
	return names[0]
}

// unpack puts the tarball's folder to opt/palimpsest and returns where that is.
func (s site) unpack() string {
	s.Helper()
	tarball := s.one("palimpsest-*-linux-x86_64.tar.gz")
	s.run("mkdir -p unpacked opt && tar -xzf " + tarball + " -C unpacked && mv unpacked/palimpsest-* opt/palimpsest")
	return filepath.Join(s.home, "opt/palimpsest")
}

// built runs the examples by the program of the checkout, in the checkout.
func (s site) built() map[string]string {
	s.Helper()
	dir := s.TempDir()
	cmd := exec.CommandContext(s.Context(), "bin/palimpsest", "--config", "examples/config.yaml",
		"--output", filepath.Join(dir, "out"), "--private", filepath.Join(dir, "private"))
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "PALIMPSEST_EXAMPLE_KEY="+exampleKey)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("%v\n%s", err, out)
	}
	return s.tables(dir)
}

// tables returns the digests of all Parquet below out and private. Manifest and
// report name the program's version, which differs.
func (s site) tables(dir string) map[string]string {
	s.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".parquet") {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		sum := sha256.Sum256(raw)
		found[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil || len(found) < 2 {
		s.Fatalf("%v, %v", found, err)
	}
	return found
}

// The tarball, unpacked and moved, verifies by stock tools, says its versions
// and does the examples to the bytes of the build tree.
func TestInstallTarball(t *testing.T) {
	s := newSite(t)
	home := s.unpack()
	s.run("cd opt/palimpsest && sha256sum --check --quiet --strict SHA256SUMS")
	s.verify(home)
	said := s.run("opt/palimpsest/palimpsest version")
	for _, want := range []string{"ONNX Runtime  1.", home + "/lib/", "model         en-clinical ", home + "/models/es-meddocan"} {
		if !strings.Contains(said, want) {
			t.Errorf("version says\n%s, want %s", said, want)
		}
	}
	if program, err := elf.Open(filepath.Join(home, "palimpsest")); err != nil {
		t.Error(err)
	} else if note := program.Section(".note.go.buildid"); note != nil {
		t.Error("the program has a build id, which is another in each folder that it is built in")
	}
	if strings.Contains(said, "dev") {
		t.Errorf("the release has no version:\n%s", said)
	}
	s.run("cd opt/palimpsest && ./palimpsest --config examples/config.yaml --output ../../done/out --private ../../done/private")
	if got, want := s.tables(filepath.Join(s.home, "done")), s.built(); !maps.Equal(got, want) {
		t.Errorf("the tarball wrote\n%v, the build tree\n%v", got, want)
	}
}

// The line of schedule/crontab, run as cron runs it, scrubs yesterday's partition
// by the program of the tarball; run again, it does nothing.
func TestInstallCron(t *testing.T) {
	s := newSite(t)
	home := s.unpack()
	s.run(`night=notes/$(date -u -d yesterday +%F); mkdir -p etc $night; cat opt/palimpsest/examples/notes.parquet > $night/notes.parquet`)
	settings := "CONFIG=examples/config.yaml\nNOTES=../../notes\nRELEASED=../../released\nPRIVATE=../../private\nLOCK=../../lock\n"
	if err := os.WriteFile(filepath.Join(s.home, "etc/nightly.env"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(home, "schedule/crontab"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")
	fields := strings.SplitN(lines[len(lines)-1], " ", 6)
	if len(fields) != 6 || !strings.HasPrefix(fields[5], "/opt/palimpsest/schedule/nightly.sh ") {
		t.Fatalf("the last line of crontab is %q", fields)
	}
	line := strings.NewReplacer("/opt/palimpsest", home, "/etc/palimpsest", filepath.Join(s.home, "etc")).Replace(fields[5])
	s.run("cd opt/palimpsest && " + line) // the examples' settings name files relative to their folder
	s.run("ls released/$(date -u -d yesterday +%F)/_SUCCESS private/$(date -u -d yesterday +%F)/findings/*.parquet")
	if said := s.run("cd opt/palimpsest && " + line); !strings.Contains(said, "is done already") {
		t.Errorf("a second run says %s", said)
	}
}

// verify checks signatures as docs/releasing.md says, where the release is signed.
func (s site) verify(home string) {
	s.Helper()
	dist := os.Getenv("PALIMPSEST_DIST")
	s.run("cd " + dist + " && sha256sum --check --quiet --strict SHA256SUMS")
	if _, err := os.Stat(filepath.Join(dist, "SHA256SUMS.sig")); err != nil {
		s.Log("this release is not signed")
		return
	}
	for _, folder := range []string{dist, home} {
		verify := "ssh-keygen -Y verify -f " + dist + "/allowed_signers -I release -n palimpsest-release -s " + folder + "/SHA256SUMS.sig"
		if said := s.run(verify + " < " + folder + "/SHA256SUMS"); !strings.Contains(said, "Good") {
			s.Errorf("ssh-keygen says %s", said)
		}
		if said, err := s.try("{ cat " + folder + "/SHA256SUMS; echo more; } | " + verify); err == nil {
			s.Errorf("other checksums verify too: %s", said)
		}
	}
}

// The wheel installs into a plain environment without an index; its command and
// its functions do the examples to the bytes of the build tree.
func TestInstallWheel(t *testing.T) {
	s := newSite(t)
	s.run("tar -xzf " + s.one("palimpsest-*-linux-x86_64.tar.gz") + " --strip-components 1 && python3 -m venv env")
	s.run("env/bin/python -m pip install --no-index --disable-pip-version-check " + s.one("palimpsest_deid-*.whl"))
	if said := s.run("env/bin/palimpsest version"); !strings.Contains(said, "/site-packages/palimpsest/_release/lib/libonnxruntime.so.") {
		t.Errorf("version says\n%s", said)
	}
	s.run("env/bin/palimpsest --config examples/config.yaml --output command/out --private command/private")
	want := s.built()
	if got := s.tables(filepath.Join(s.home, "command")); !maps.Equal(got, want) {
		t.Errorf("the wheel's command wrote\n%v, the build tree\n%v", got, want)
	}
	script := `
import sys
import palimpsest
done = palimpsest.run(config="examples/config.yaml", output="python/out", private="python/private")
assert done.manifest["configuration"]["program_version"] == palimpsest.version().palimpsest, done.manifest
try:
    palimpsest.run(config="examples/config.yaml", output="python/out", private="python/private")
except palimpsest.Error as e:
    print(e.status, e)
else:
    sys.exit("a second run into the same output went through")
`
	if err := os.WriteFile(filepath.Join(s.home, "script.py"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Log(s.run("env/bin/python script.py"))
	if got := s.tables(filepath.Join(s.home, "python")); !maps.Equal(got, want) {
		t.Errorf("the wheel's run() wrote\n%v, the build tree\n%v", got, want)
	}
	// The extra, from the registry.
	if out, err := s.try("env/bin/python -m pip install --quiet --disable-pip-version-check pyarrow"); err != nil {
		t.Skipf("findings() was not run, as pyarrow could not be fetched: %s", out)
	}
	said := s.run(`env/bin/python -c 'import palimpsest; t = palimpsest.findings("python/private"); print(t.num_rows, *t.column_names)'`)
	if !strings.Contains(said, "document_id text_column element start end output_start output_end type source score") {
		t.Errorf("findings are %s", said)
	}
	s.run("env/bin/python -m pip uninstall -y palimpsest-deid && ! ls env/lib/python*/site-packages/palimpsest")
}
