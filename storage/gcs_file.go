package storage

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	gcs "cloud.google.com/go/storage"
)

// cloudObject is one generation of an object. It is safe for concurrent use.
type cloudObject struct {
	ctx        context.Context // ends with the one given to Open, or by Close
	cancel     context.CancelFunc
	name       string
	handle     *gcs.ObjectHandle // of that generation
	size       int64
	generation int64
	blocks     *blockReader
	closed     atomic.Bool
}

func (c cloud) Open(ctx context.Context, name string) (Object, error) {
	const op = "open"
	h, err := c.object(name)
	if err != nil {
		return nil, gcsError(op, name, err)
	}
	a, err := h.Attrs(ctx)
	if errors.Is(err, gcs.ErrObjectNotExist) {
		// The two need different advice, and look the same from here.
		bucket, _, _ := splitObject("gs", name)
		if _, bucketErr := c.client.Bucket(bucket).Attrs(ctx); errors.Is(bucketErr, gcs.ErrBucketNotExist) {
			err = bucketErr
		}
	}
	if err != nil {
		return nil, gcsError(op, name, err)
	}
	return newCloudObject(ctx, h, name, a.Size, a.Generation), nil
}

func (c cloud) OpenVersion(ctx context.Context, version Info) (Object, error) {
	h, err := c.object(version.Name)
	var size, generation int64
	if err == nil {
		if _, scanErr := fmt.Sscanf(version.Fingerprint, "%d:%d", &size, &generation); scanErr != nil || size != version.Size {
			err = ErrChanged // the fingerprint of another place's file
		}
	}
	if err != nil {
		return nil, gcsError("open", version.Name, err)
	}
	return newCloudObject(ctx, h, version.Name, size, generation), nil
}

func newCloudObject(ctx context.Context, h *gcs.ObjectHandle, name string, size, generation int64) *cloudObject {
	o := &cloudObject{
		name: name,
		// ReadCompressed: the stored bytes, which Size counts and ranges
		// address, even of an object marked as gzip.
		handle:     h.Generation(generation).ReadCompressed(true),
		size:       size,
		generation: generation,
	}
	o.ctx, o.cancel = context.WithCancel(ctx)
	o.blocks = newBlockReader(o.ctx, o.size, o.fetch)
	return o
}

func (o *cloudObject) Size() int64         { return o.size }
func (o *cloudObject) Fingerprint() string { return fmt.Sprintf("%d:%d", o.size, o.generation) }

// Close ends reads that are under way.
func (o *cloudObject) Close() error {
	o.closed.Store(true)
	o.cancel()
	o.blocks.forget()
	return nil
}

func (o *cloudObject) ReadAt(p []byte, off int64) (int, error) {
	if o.ctx.Err() != nil {
		return 0, o.readError(o.ctx.Err())
	}
	n, err := o.blocks.ReadAt(p, off)
	if err == io.EOF {
		return n, err
	}
	return n, o.readError(err)
}

// readError tells a closed object from an ended context.
func (o *cloudObject) readError(err error) error {
	if finished(err) && o.closed.Load() {
		err = fs.ErrClosed
	}
	return gcsError("read", o.name, err)
}

const (
	// A request that delivers less than slowest is given up and made again.
	stallTime   = 30 * time.Second
	slowest     = 256 << 10 // bytes per second
	stallTrials = 3
)

// fetch is the fetchFunc of the object: one ranged request. The client itself
// retries failed requests, and asks for the rest where a connection breaks;
// only stalled ones are left to retry here.
func (o *cloudObject) fetch(off int64, bufs ...[]byte) error {
	var n int64
	for _, b := range bufs {
		n += int64(len(b))
	}
	limit := stallTime + time.Duration(n/slowest)*time.Second
	var err error
	for range stallTrials {
		ctx, cancel := context.WithTimeout(o.ctx, limit)
		err = o.fetchOnce(ctx, off, n, bufs)
		cancel()
		if err == nil || o.ctx.Err() != nil || !finished(err) {
			break
		}
		err = fmt.Errorf("no answer within %s", limit) // not the caller's deadline
	}
	if o.ctx.Err() != nil {
		return o.ctx.Err()
	}
	return err
}

func (o *cloudObject) fetchOnce(ctx context.Context, off, n int64, bufs [][]byte) error {
	r, err := o.handle.NewRangeReader(ctx, off, n)
	if notFound(err) {
		return ErrChanged // this generation was there at Open
	}
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Attrs.Generation != 0 && r.Attrs.Generation != o.generation {
		return ErrChanged
	}
	for _, b := range bufs {
		if _, err := io.ReadFull(r, b); err != nil {
			if notFound(err) {
				return ErrChanged
			}
			return err
		}
	}
	return nil
}

const (
	// chunkSize bounds what a Writer holds in memory, and what a retry sends
	// again: bytes, a multiple of 256 KiB.
	chunkSize = 8 << 20
	// chunkStall is when a chunk's request is given up and made again, and
	// chunkLimit when the chunk is. uploadStall ends the upload when nothing has
	// moved: the client would retry its first request, and with a small file
	// that is the only one, without end.
	chunkStall  = time.Minute
	chunkLimit  = 3 * time.Minute
	uploadStall = 4 * time.Minute
)

// cloudWriter is a resumable upload: until its last request is answered,
// nothing is to be seen in the bucket.
type cloudWriter struct {
	name   string
	cancel context.CancelCauseFunc
	ctx    context.Context // of the upload
	handle *gcs.ObjectHandle
	writer *gcs.Writer
	size   int64  // bytes written
	sum    uint32 // and their CRC32C
	err    error  // set once a Write has failed
	done   bool
}

func (c cloud) Create(ctx context.Context, name string) (Writer, error) {
	const op = "create"
	h, err := c.object(name)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, gcsError(op, name, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := h.NewWriter(ctx)
	w.ChunkSize = chunkSize
	w.ChunkTransferTimeout = chunkStall
	w.ChunkRetryDeadline = chunkLimit
	w.ContentType = "application/octet-stream" // not guessed from the content
	return &cloudWriter{name: name, cancel: cancel, ctx: ctx, handle: h, writer: w}, nil
}

var errStalled = fmt.Errorf("nothing could be sent for %s", uploadStall)

// watched runs one step of the upload, and cancels the upload when it stalls.
func (w *cloudWriter) watched(step func() error) error {
	timer := time.AfterFunc(uploadStall, func() { w.cancel(errStalled) })
	defer timer.Stop()
	err := step()
	if err != nil && context.Cause(w.ctx) == errStalled {
		err = errStalled
	}
	return err
}

func (w *cloudWriter) Write(p []byte) (int, error) {
	if w.err == nil && w.done {
		w.err = fs.ErrClosed
	}
	n := 0
	for n < len(p) && w.err == nil {
		w.err = w.watched(func() error {
			m, err := w.writer.Write(p[n:min(n+chunkSize, len(p))])
			w.sum = crc32.Update(w.sum, castagnoli, p[n:n+m])
			n += m
			w.size += int64(m)
			return err
		})
	}
	return n, w.wrap(w.err)
}

func (w *cloudWriter) Close() error {
	if w.done {
		return w.wrap(fs.ErrClosed)
	}
	if w.err != nil {
		return w.wrap(errors.Join(w.err, w.Abort()))
	}
	w.done = true
	err := w.watched(w.writer.Close)
	if err != nil && w.ctx.Err() == nil && w.arrived() {
		err = nil
	}
	w.cancel(nil)
	return w.wrap(err)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// arrived tells whether the object is there after all: the last answer may have
// been lost, and the client asks for it no second time where it was cut short.
func (w *cloudWriter) arrived() bool {
	a, err := w.handle.Attrs(w.ctx)
	return err == nil && a.Size == w.size && a.CRC32C == w.sum
}

func (w *cloudWriter) wrap(err error) error {
	if notFound(err) {
		err = gcs.ErrBucketNotExist // an upload needs nothing else to exist
	}
	return gcsError("write", w.name, err)
}

// Abort ends the upload's context before it closes the stream, so that the
// request that would complete the object cannot be sent. The server forgets an
// unfinished upload by itself.
func (w *cloudWriter) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	if w.err == nil {
		w.err = errAborted
	}
	w.cancel(nil)
	_ = w.writer.Close() // says only that the context was cancelled
	return nil
}
