package storage

import (
	"context"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/palimpsest-deid/palimpsest/storage/emulate"
)

// emulator is a Cloud Storage emulator, and a client of it.
type emulator struct {
	cloud
	*emulate.Server
}

const bucket = "notes"

func newEmulator(t *testing.T) *emulator {
	t.Helper()
	server, err := emulate.GCS(bucket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	t.Setenv("STORAGE_EMULATOR_HOST", server.Address)
	client, err := newClient(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return &emulator{cloud{client}, server}
}

// put makes an object behind the client's back.
func (e *emulator) put(name string, content []byte) {
	e.GCS.CreateObject(fakestorage.Object{
		ObjectAttrs: fakestorage.ObjectAttrs{BucketName: bucket, Name: name}, Content: content,
	})
}

// pseudo returns n bytes that differ from place to place, the same each time.
func pseudo(n int, seed uint32) []byte {
	b := make([]byte, n)
	x := seed*2654435761 + 1
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x >> 11)
	}
	return b
}
