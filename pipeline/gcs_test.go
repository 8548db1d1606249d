package pipeline

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/storage/emulate"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// cloudStorage returns the one emulator of this process, whose one client of Cloud
// Storage keeps to it.
func cloudStorage(t *testing.T) *emulate.Server {
	t.Helper()
	server, err := startCloudStorage()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("STORAGE_EMULATOR_HOST", server.Address)
	server.Seen()
	return server
}

var startCloudStorage = sync.OnceValues(func() (*emulate.Server, error) { return emulate.GCS("warehouse") })

// The same job with everything on a Google Cloud Storage server (input,
// known identifiers, model, output, private part) releases the same bytes as on disk.
func TestGoogleCloudStorageGivesTheSameBytes(t *testing.T) {
	server := cloudStorage(t)
	put := func(path, name string) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		server.GCS.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "warehouse", Name: name}, Content: raw})
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

	for _, order := range transforms.RowOrders()[:2] { // auto, which regroups these, and keep
		t.Run(order, func(t *testing.T) { testCloudStorage(t, server, order) })
	}
}

func testCloudStorage(t *testing.T, server *emulate.Server, order string) {
	t.Helper()
	beside := exampleOptions(t.TempDir())
	beside.RowOrder = order
	local, _, _ := run(t, beside, nil)
	o := exampleOptions(t.TempDir())
	o.RowOrder = order
	o.Input, o.Identifiers, o.Model = []string{"gs://warehouse/in/*.parquet"}, "gs://warehouse/identifiers.parquet", "gs://warehouse/model"
	o.Output, o.Private = "gs://warehouse/"+order+"/out", "gs://warehouse/"+order+"/held"
	remote, report, _ := run(t, o, nil)
	if report.RowsOut != report.RowsIn || report.RowsIn == 0 {
		t.Errorf("%d of %d rows out", report.RowsOut, report.RowsIn)
	}

	for _, r := range server.Seen() {
		if strings.HasPrefix(r, "GET /storage/v1/b/warehouse/o/in/") {
			t.Errorf("%s: a listing has told that", r)
		}
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
			path := filepath.Join(dir, strings.TrimPrefix(info.Name, "gs://warehouse/"+order+"/"))
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
	if _, err := storage.ReadFile(ctx, "gs://warehouse/"+order+"/out/_SUCCESS", 1); err != nil {
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

// A small file takes few requests: many small files cost by them.
func TestRequestsPerSmallFile(t *testing.T) {
	server := cloudStorage(t)
	requests := map[int]int{}
	for _, files := range []int{10, 20} { // more than the language is told by
		at := fmt.Sprintf("gs://warehouse/%d/", files)
		for i := range files {
			// One note each, with an id of its own.
			row := note{NoteID: ptr(fmt.Sprint("n", i)), PatientID: ptr("p"), Text: []byte("Seen by Dr. Okonkwo on 3/4/2014.")}
			raw, err := os.ReadFile(writeParquet(t, t.TempDir(), "note.parquet", []note{row}))
			if err != nil {
				t.Fatal(err)
			}
			if err := storage.WriteFile(t.Context(), fmt.Sprintf("%sin/%d.parquet", at, i), raw); err != nil {
				t.Fatal(err)
			}
		}
		server.Seen()
		o := testOptions(t.TempDir(), at+"in")
		o.Output, o.Private = at+"out", at+"held"
		run(t, o, nil)
		requests[files] = len(server.Seen())
	}
	// Four reads, three looks at the lock, and for notes and findings each: a
	// write, a look, a copy, a delete and a read to compare.
	each := float64(requests[20]-requests[10]) / 10
	t.Logf("%.1f requests for each further file, %d for ten", each, requests[10])
	if each > 17.5 {
		t.Errorf("%.1f requests for each further file", each)
	}
}
