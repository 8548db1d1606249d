package pipeline

import (
	"context"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// The same job with everything on a Google Cloud Storage server (input,
// known identifiers, model, output, private part) releases the same bytes as on disk.
func TestGoogleCloudStorageGivesTheSameBytes(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		NoListener: true, Scheme: "http", PublicHost: address, ExternalURL: "http://" + address,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	var looks atomic.Int64 // requests that ask what the input is
	front := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/storage/v1/b/warehouse/o/in/") {
			looks.Add(1)
		}
		server.HTTPHandler().ServeHTTP(w, r)
	})}
	go func() { _ = front.Serve(listener) }()
	defer front.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", address)
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "warehouse"})
	put := func(path, name string) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		server.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "warehouse", Name: name}, Content: raw})
	}
	put(exampleNotes, "in/notes.parquet")
	put(exampleIdentifiers, "identifiers.parquet")
	files, err := filepath.Glob(model + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		put(f, "model/"+filepath.Base(f))
	}

	local, _, _ := run(t, exampleOptions(t.TempDir()), nil)
	o := exampleOptions(t.TempDir())
	o.Input, o.Identifiers, o.Model = []string{"gs://warehouse/in/*.parquet"}, "gs://warehouse/identifiers.parquet", "gs://warehouse/model"
	o.Output, o.Private = "gs://warehouse/out", "gs://warehouse/held"
	remote, report, _ := run(t, o, nil)
	if report.RowsOut != report.RowsIn || report.RowsIn == 0 {
		t.Errorf("%d of %d rows out", report.RowsOut, report.RowsIn)
	}

	if n := looks.Load(); n > 0 {
		t.Errorf("%d requests for what a listing has told of the input", n)
	}

	// Fetch both prefixes and compare with the local folders.
	dir := t.TempDir()
	ctx := context.Background()
	for _, prefix := range []string{remote.Output, remote.Private} {
		infos, err := storage.List(ctx, prefix)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range infos {
			raw, err := storage.ReadFile(ctx, info.Name, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, strings.TrimPrefix(info.Name, "gs://warehouse/"))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, pair := range [][2]string{{local.Output, filepath.Join(dir, "out")}, {local.Private, filepath.Join(dir, "held")}} {
		want, got := contents(t, pair[0]), contents(t, pair[1])
		delete(want, transforms.InputsFile) // it holds fingerprints and places
		delete(got, transforms.InputsFile)
		if len(want) == 0 || !maps.Equal(want, got) {
			t.Errorf("the files differ:\n%v\n%v", want, got)
		}
	}
	if _, err := storage.ReadFile(ctx, "gs://warehouse/out/_SUCCESS", 1); err != nil {
		t.Error(err)
	}
}

// contents returns digests by the path within dir.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, digest := range digests(t, dir) {
		_, rest, _ := strings.Cut(name, "/")
		all[rest] = digest
	}
	return all
}
