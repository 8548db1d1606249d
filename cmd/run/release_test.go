package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/onnx"
)

// mostBytes bounds the stripped program, which had 88 MB of Beam's generic
// wrappers and of gRPC's service mesh. See ARCHITECTURE.md.
const mostBytes = 60 << 20

// A folder with the program, models/ and lib/ works wherever it lies and
// wherever it is run from, and finds what is its own.
func TestReleaseFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	dir := t.TempDir()
	release := filepath.Join(dir, "palimpsest")
	if err := os.MkdirAll(filepath.Join(release, "lib"), 0o700); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-tags=disable_grpc_modules",
		"-ldflags=-s -w -X github.com/palimpsest-deid/palimpsest/pipeline.version=1.2.3-test", "-o", filepath.Join(release, "palimpsest"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(filepath.Join(release, "palimpsest"))
	if err != nil || info.Size() > mostBytes {
		t.Errorf("the program has %d bytes (%v), want at most %d", info.Size(), err, mostBytes)
	}
	library, err := onnx.Find("")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(release, "lib", "libonnxruntime.so.1.27.0"), raw, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(release, "models", "en-clinical"), os.DirFS("../../onnx/models/en-clinical")); err != nil {
		t.Fatal(err)
	}
	type note struct {
		ID      string `parquet:"note_id"`
		Patient string `parquet:"patient_id"`
		Text    string `parquet:"text"`
	}
	notes := filepath.Join(dir, "notes.parquet")
	if err := parquet.WriteFile(notes, []note{{"n1", "p1", "Seen by Dr. Ambrose Hale. Fax: (505) 555-0143\n"}}); err != nil {
		t.Fatal(err)
	}

	// Elsewhere, with a repository of the same layout that is not ours.
	elsewhere := t.TempDir()
	if err := os.MkdirAll(filepath.Join(elsewhere, "onnx", "models", "en-clinical"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, "onnx", "models", "en-clinical", "model.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(program string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = elsewhere
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out.String())
		}
		return out.String()
	}
	moved := filepath.Join(t.TempDir(), "opt")
	if err := os.Rename(release, moved); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(elsewhere, "palimpsest")
	if err := os.Symlink(filepath.Join(moved, "palimpsest"), link); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, "key")
	run(link, "key", "new", key)
	run(link, "--input", notes, "--output", filepath.Join(dir, "out"), "--private", filepath.Join(t.TempDir(), "held"), "--key", "file:"+key,
		"--execution_provider=cpu")
	manifest, err := os.ReadFile(filepath.Join(dir, "out", "manifest.json"))
	if err != nil || !strings.Contains(string(manifest), `"program_version": "1.2.3-test"`) {
		t.Errorf("the manifest does not hold the program's version (%v):\n%s", err, manifest)
	}
	said := run(link, "version")
	for _, want := range []string{
		"palimpsest    1.2.3-test\n", "Apache Beam   2.", "ONNX Runtime  1.27.0 (" + moved + "/lib/libonnxruntime.so.1.27.0)\n",
		"model         en-clinical ", ", en (" + moved + "/models/en-clinical)\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("version says\n%s, want %s", said, want)
		}
	}
}
