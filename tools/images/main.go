// Command images writes the container images of a release as an OCI layout in a
// tar file, without a container engine; make release calls it. Its lowest layer
// is unpacked Debian packages (fetch.sh), the others are models with ONNX Runtime
// and the program. The same inputs give the same bytes.
//
// Both images have the layout of infra/docker and the same layers:
//
//	palimpsest          runs the program, as user 10001
//	palimpsest-worker   runs Beam's boot program, for Dataflow and Flink
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	var r release
	flag.StringVar(&r.version, "version", "", "version of the release")
	flag.StringVar(&r.revision, "revision", "", "revision of the sources")
	flag.StringVar(&r.root, "root", "../..", "the repository")
	flag.StringVar(&r.program, "program", "", "the program")
	flag.StringVar(&r.boot, "boot", "", "Beam's boot program")
	flag.StringVar(&r.library, "library", "", "ONNX Runtime's shared library")
	flag.StringVar(&r.debs, "debs", "", "folder of the packages that packages.txt names")
	out := flag.String("out", "", "tar file to write")
	flag.Parse()
	if err := run(r, *out); err != nil {
		fmt.Fprintln(os.Stderr, "images:", err)
		os.Exit(1)
	}
}

// release is what the images are made of.
type release struct {
	version, revision            string
	root                         string
	program, boot, library, debs string
	time                         time.Time // of every file and image
}

func run(r release, out string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return errors.New("SOURCE_DATE_EPOCH is not set to the seconds of the commit: git log -1 --format=%ct")
	}
	r.time = time.Unix(seconds, 0).UTC()
	work, err := os.MkdirTemp("", "palimpsest-images-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := r.layout(filepath.Join(work, "layout")); err != nil {
		return err
	}
	return archive(filepath.Join(work, "layout"), out, r.time)
}

// layout writes the images into a folder.
func (r release) layout(dir string) error {
	debian, err := r.debian()
	if err != nil {
		return err
	}
	data, err := r.data()
	if err != nil {
		return err
	}
	program, err := r.programs()
	if err != nil {
		return err
	}
	var additions []mutate.Addendum
	for _, l := range []struct {
		what  string
		files *tree
	}{{"packages of Debian 12", debian}, {"models and ONNX Runtime", data}, {"programs", program}} {
		layer, err := l.files.layer(r.time)
		if err != nil {
			return err
		}
		additions = append(additions, mutate.Addendum{Layer: layer, MediaType: types.OCILayer,
			History: v1.History{Created: v1.Time{Time: r.time}, CreatedBy: "palimpsest tools/images: " + l.what}})
	}
	path, err := layout.Write(dir, mutate.IndexMediaType(empty.Index, types.OCIImageIndex))
	if err != nil {
		return err
	}
	for _, i := range []struct{ name, user, entrypoint string }{
		{"palimpsest", "10001:10001", "/opt/palimpsest/bin/palimpsest"},
		// Root, as Dataflow's mounts ask for; see infra/docker/Dockerfile.
		{"palimpsest-worker", "0:0", "/opt/apache/beam/boot"},
	} {
		image, err := r.image(additions, i.user, i.entrypoint)
		if err != nil {
			return err
		}
		digest, err := image.Digest()
		if err != nil {
			return err
		}
		reference := i.name + ":" + r.version
		fmt.Printf("%s@%s\n", reference, digest)
		err = path.AppendImage(image, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": reference}),
			layout.WithPlatform(v1.Platform{OS: "linux", Architecture: "amd64"}))
		if err != nil {
			return err
		}
	}
	return nil
}

func (r release) image(layers []mutate.Addendum, user, entrypoint string) (v1.Image, error) {
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.Append(base, layers...)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", "amd64", v1.Time{Time: r.time}
	config.Config = v1.Config{
		User: user, Entrypoint: []string{entrypoint}, WorkingDir: "/tmp",
		Env: []string{"PATH=/opt/palimpsest/bin:/usr/local/bin:/usr/bin:/bin", "PALIMPSEST_ONNXRUNTIME=/opt/onnxruntime/lib"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "Palimpsest",
			"org.opencontainers.image.version":  r.version,
			"org.opencontainers.image.revision": r.revision,
			"org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.source":   "https://github.com/palimpsest-deid/palimpsest",
		},
	}
	return mutate.ConfigFile(image, config)
}
