package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

const exampleKey = "this key is public and for the invented example notes only"

// The images of dist are what the specification says they must be; unpacked, with
// nothing of this machine but its kernel, they do the examples to the bytes of
// the build tree. There is no container engine here, so bubblewrap starts them.
func TestImages(t *testing.T) {
	dist := os.Getenv("PALIMPSEST_DIST")
	if dist == "" {
		t.Skip("PALIMPSEST_DIST is not set; make test-install sets it")
	}
	names, err := filepath.Glob(filepath.Join(dist, "palimpsest-*-images.oci.tar"))
	if err != nil || len(names) != 1 {
		t.Fatalf("images in dist: %v, %v", names, err)
	}
	dir := t.TempDir()
	command(t, "tar", "-xf", names[0], "-C", dir)
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	images := map[string]v1.Descriptor{}
	for _, d := range manifest.Manifests {
		name, _, _ := strings.Cut(d.Annotations["org.opencontainers.image.ref.name"], ":")
		images[name] = d
	}
	if len(images) != 2 {
		t.Fatalf("the images are %v", images)
	}
	image, err := index.Image(images["palimpsest"].Digest)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	unpack(t, image, root)
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	worker, err := index.Image(images["palimpsest-worker"].Digest)
	if err != nil {
		t.Fatal(err)
	}
	there, err := worker.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, there.Config.Entrypoint[0])); err != nil {
		t.Errorf("the worker cannot start: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "bin/sh")); err == nil {
		t.Error("there is a shell in the image")
	}

	work := t.TempDir()
	if err := os.Chmod(work, 0o777); err != nil { // the image's user is not this one
		t.Fatal(err)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	start := func(args ...string) string {
		t.Helper()
		wrap := []string{"--unshare-all", "--die-with-parent", "--clearenv", "--uid", "10001", "--gid", "10001", "--ro-bind", root, "/",
			"--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--dir", "/tmp/work", "--ro-bind", examples, "/tmp/work/examples",
			"--bind", work, "/tmp/work/done", "--chdir", "/tmp/work", "--setenv", "PALIMPSEST_EXAMPLE_KEY", exampleKey}
		for _, e := range config.Config.Env {
			name, value, _ := strings.Cut(e, "=")
			wrap = append(wrap, "--setenv", name, value)
		}
		return command(t, "bwrap", append(append(wrap, config.Config.Entrypoint...), args...)...)
	}
	if out, err := exec.Command("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true").CombinedOutput(); err != nil {
		t.Skipf("the images were read but not started, as bubblewrap does not run here: %v %s", err, out)
	}
	said := start("version")
	for _, want := range []string{"palimpsest    " + config.Config.Labels["org.opencontainers.image.version"] + "\n",
		"ONNX Runtime  1.27.0 (/opt/onnxruntime/lib/", "model         es-meddocan "} {
		if !strings.Contains(said, want) {
			t.Errorf("version says\n%s, want %s", said, want)
		}
	}
	start("--config", "examples/config.yaml", "--output", "done/out", "--private", "done/private")
	built := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "bin/palimpsest", "--config", "examples/config.yaml",
		"--output", filepath.Join(built, "out"), "--private", filepath.Join(built, "private"))
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "PALIMPSEST_EXAMPLE_KEY="+exampleKey)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := tables(t, work), tables(t, built); !maps.Equal(got, want) {
		t.Errorf("the image wrote\n%v, the build tree\n%v", got, want)
	}
}

// unpack writes an image's files as a container engine does.
func unpack(t *testing.T, image v1.Image, root string) {
	t.Helper()
	flat := mutate.Extract(image)
	defer flat.Close()
	files := tar.NewReader(flat)
	for {
		h, err := files.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 {
			t.Errorf("%s is not root's", h.Name)
		}
		to := filepath.Join(root, h.Name)
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(to, 0o755)
		case tar.TypeSymlink:
			err = os.Symlink(h.Linkname, to)
		default:
			var content []byte
			if content, err = io.ReadAll(files); err == nil {
				err = os.WriteFile(to, content, h.FileInfo().Mode().Perm())
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The same tree is the same layer, whatever order its files came in.
func TestLayerBytes(t *testing.T) {
	var digests []v1.Hash
	for _, names := range [][]string{{"a/b", "a/c", "z"}, {"z", "a/c", "a/b"}} {
		tree := newTree()
		for _, name := range names {
			tree.add(name, 0o644, []byte(name))
		}
		layer, err := tree.layer(release{}.time)
		if err != nil {
			t.Fatal(err)
		}
		digest, err := layer.Digest()
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	if digests[0] != digests[1] {
		t.Error(digests)
	}
}

func tables(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".parquet") {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		found[name] = fmt.Sprintf("%x", sha256.Sum256(raw))
		return err
	})
	if err != nil || len(found) < 2 {
		t.Fatalf("%v, %v", found, err)
	}
	return found
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out.String())
	}
	return out.String()
}
