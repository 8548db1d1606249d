// Package docker tests what the worker image does, outside a container: Beam's
// own boot program fetches the staged program and starts it, and it finds the
// model and ONNX Runtime where the image has them. `make test-worker` runs it.
package docker

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

const repository = "../.."

// The whole job over the examples, with every step in a process that Beam's
// boot program has started from the staged binary, writes the same bytes as
// the job in one process.
func TestBootStartsTheStagedWorker(t *testing.T) {
	if os.Getenv("PALIMPSEST_WORKER") == "" {
		t.Skip("this builds two programs; run it with: make test-worker")
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "image")
	image := func(elements ...string) string { return filepath.Join(append([]string{root}, elements...)...) }
	worker := filepath.Join(dir, "staged")
	build(t, "infra/docker/worker.sh", worker)
	build(t, "env", "CGO_ENABLED=0", "go", "build", "-o", image("opt/apache/beam/boot"), "github.com/apache/beam/sdks/v2/go/container")
	if err := os.CopyFS(image("opt/palimpsest/onnx/models"), os.DirFS(filepath.Join(repository, "onnx/models"))); err != nil {
		t.Fatal(err)
	}
	library, err := filepath.Abs(filepath.Join(repository, ".cache/onnxruntime/1.27.0"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(image("opt/onnxruntime"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(library, image("opt/onnxruntime/lib")); err != nil {
		t.Fatal(err)
	}
	// Prism writes the worker's id in quotes, which are taken off here. Boot's
	// own output shows that it was this that started the worker, and boot writes
	// the pipeline's options into its working directory, /tmp in the image.
	started := filepath.Join(dir, "boot.log")
	wrapper := filepath.Join(dir, "boot.sh")
	script := fmt.Sprintf("#!/bin/sh\nid=${1#--id=}; id=${id#\\'}; id=${id%%\\'}; shift\ncd %s\nexec %s --id=\"$id\" \"$@\" >>%s 2>&1\n", dir,
		image("opt/apache/beam/boot"), started)
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	// Not through the environment's own settings: they are options of the
	// pipeline, which boot writes into its log.
	const key = "a key of the tests: fifty bytes or so, never to be seen"
	t.Setenv("PALIMPSEST_TEST_KEY", key)
	environment, err := json.Marshal(map[string]any{"command": wrapper, "env": map[string]string{
		"PALIMPSEST_ONNXRUNTIME": image("opt/onnxruntime/lib"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	endpoint := startPrism(t)
	job := func(output string, settings ...string) map[string]string {
		// The launcher finds nothing of the repository but what it is told.
		cmd := exec.CommandContext(t.Context(), worker, append([]string{
			"--input", absolute(t, "examples/notes.parquet"), "--identifiers", absolute(t, "examples/identifiers.parquet"),
			"--date_columns", "note_date,written_at,admitted_at", "--id_columns", "encounter_id", "--other_columns", "keep", "--accept_columns",
			"orders.list.element.code",
			"--key", "env:PALIMPSEST_TEST_KEY", "--execution_provider", "cpu",
			"--model", image("opt/palimpsest/onnx/models/en-clinical"), "--output", filepath.Join(dir, output),
			"--private", filepath.Join(dir, output+"-private"), "--private_beside_output"}, settings...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PALIMPSEST_ONNXRUNTIME="+image("opt/onnxruntime/lib"))
		if said, err := cmd.CombinedOutput(); err != nil {
			log, _ := os.ReadFile(started)
			t.Fatalf("%v\n%s\nboot:\n%s", err, said, log)
		}
		return digests(t, filepath.Join(dir, output))
	}
	want := job("in-process")
	got := job("by-boot", "--runner=universal", "--endpoint="+endpoint,
		"--environment_type=PROCESS", "--environment_config="+string(environment), "--worker_binary="+worker)
	if len(want) < 4 || !maps.Equal(got, want) {
		t.Errorf("boot's worker wrote %v, want %v", got, want)
	}
	log, err := os.ReadFile(started)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Provision info", "beam:artifact:role:go_worker_binary:v1"} {
		if !strings.Contains(string(log), part) {
			t.Errorf("boot does not speak of %q:\n%s", part, log)
		}
	}
	if strings.Contains(string(log), key) {
		t.Error("boot's log holds the key")
	}
	options, err := os.ReadFile(filepath.Join(dir, "pipeline_options.json"))
	if err != nil || strings.Contains(string(options), key) {
		t.Errorf("boot's options hold the key, or are not where they should be (%v)", err)
	}
	t.Logf("%d files, all of the same digests", len(want))
}

// startPrism starts Beam's Prism as a job server and returns its address.
func startPrism(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := prism.CreateJobServer(ctx, prism.Options{Port: port}); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("localhost:%d", port)
}

func build(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = repository
	if !strings.HasPrefix(name, "/") && strings.Contains(name, "/") {
		cmd.Path = absolute(t, name)
		cmd.Err = nil
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// digests returns the SHA-256 of every file of an output and of its private
// part, but for the manifests, which hold the places of files.
func digests(t *testing.T, output string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, root := range []string{output, output + "-private"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || slices.Contains([]string{"manifest.json", "inputs.json", "run.json"}, d.Name()) {
				return err
			}
			raw, err := os.ReadFile(path)
			all[strings.TrimPrefix(path, output)] = fmt.Sprintf("%x", sha256.Sum256(raw))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}
