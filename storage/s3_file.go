package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/minio/minio-go/v7"
)

// simpleObject is one version of an object in S3, known by its ETag. It is safe
// for concurrent use.
type simpleObject struct {
	ctx    context.Context // ends with the one given to Open, or by Close
	cancel context.CancelFunc
	name   string
	size   int64
	etag   string
	blocks *blockReader
	closed atomic.Bool
}

func (s *simple) Open(ctx context.Context, name string) (Object, error) {
	bucket, object, err := splitFile("s3", name)
	if err != nil {
		return nil, s3Error("open", name, err)
	}
	o, err := s.stat(ctx, bucket, object)
	if is(err, http.StatusNotFound) {
		// The two need different advice, and look the same from here.
		if there, lookErr := s.core.BucketExists(ctx, bucket); lookErr == nil && !there {
			err = minio.ErrorResponse{Code: "NoSuchBucket", StatusCode: http.StatusNotFound}
		}
	}
	if err != nil {
		return nil, s3Error("open", name, err)
	}
	return s.newObject(ctx, name, bucket, object, o.Size, strings.Trim(o.ETag, `"`)), nil
}

func (s *simple) OpenVersion(ctx context.Context, version Info) (Object, error) {
	bucket, object, err := splitFile("s3", version.Name)
	size, etag, ok := strings.Cut(version.Fingerprint, ":")
	if err == nil && (!ok || size != fmt.Sprint(version.Size)) {
		err = ErrChanged // the fingerprint of another place's file
	}
	if err != nil {
		return nil, s3Error("open", version.Name, err)
	}
	return s.newObject(ctx, version.Name, bucket, object, version.Size, etag), nil
}

func (s *simple) newObject(ctx context.Context, name, bucket, object string, size int64, etag string) *simpleObject {
	o := &simpleObject{name: name, size: size, etag: etag}
	o.ctx, o.cancel = context.WithCancel(ctx)
	o.blocks = newBlockReader(o.ctx, size, func(off int64, bufs ...[]byte) error {
		return s.fetch(o.ctx, bucket, object, etag, off, append([][]byte(nil), bufs...)...)
	})
	return o
}

func (o *simpleObject) Size() int64         { return o.size }
func (o *simpleObject) Fingerprint() string { return fmt.Sprintf("%d:%s", o.size, o.etag) }

// Close ends reads that are under way.
func (o *simpleObject) Close() error {
	o.closed.Store(true)
	o.cancel()
	o.blocks.forget()
	return nil
}

func (o *simpleObject) ReadAt(p []byte, off int64) (int, error) {
	err := o.ctx.Err()
	n := 0
	if err == nil {
		n, err = o.blocks.ReadAt(p, off)
	}
	if err == io.EOF {
		return n, err
	}
	if o.ctx.Err() != nil {
		err = o.ctx.Err()
	}
	if finished(err) && o.closed.Load() {
		err = fs.ErrClosed
	}
	return n, s3Error("read", o.name, err)
}

// uploadPart is the size of a part of an upload, of which there may be 10,000,
// in bytes.
const uploadPart = 16 << 20

// simpleWriter holds a part at a time. An object of one part is written by one
// request, a larger one is an upload that appears with its last.
type simpleWriter struct {
	s                    *simple
	ctx                  context.Context
	name, bucket, object string
	part                 []byte
	upload, mark         string // set with the first part that is sent
	parts                []minio.CompletePart
	err                  error // set once a Write has failed
	done                 bool
}

func (s *simple) Create(ctx context.Context, name string) (Writer, error) {
	bucket, object, err := splitFile("s3", name)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, s3Error("create", name, err)
	}
	return &simpleWriter{s: s, ctx: ctx, name: name, bucket: bucket, object: object, mark: newMark()}, nil
}

func (w *simpleWriter) Write(p []byte) (n int, err error) {
	if w.err == nil && w.done {
		w.err = fs.ErrClosed
	}
	for n < len(p) && w.err == nil {
		if len(w.part) == uploadPart {
			w.err = w.send()
			continue
		}
		m := min(len(p)-n, uploadPart-len(w.part))
		w.part = append(w.part, p[n:n+m]...)
		n += m
	}
	return n, s3Error("write", w.name, w.err)
}

// send uploads the part that is held.
func (w *simpleWriter) send() (err error) {
	if w.upload == "" {
		if w.upload, err = w.s.begin(w.ctx, w.bucket, w.object, w.mark); err != nil {
			return err
		}
	}
	number := len(w.parts) + 1
	err = w.s.again(w.ctx, func() error {
		part, err := w.s.core.PutObjectPart(w.ctx, w.bucket, w.object, w.upload, number, bytes.NewReader(w.part), int64(len(w.part)),
			minio.PutObjectPartOptions{})
		if err == nil {
			w.parts = append(w.parts, minio.CompletePart{PartNumber: number, ETag: part.ETag})
		}
		return err
	})
	w.part = w.part[:0]
	return err
}

func (w *simpleWriter) Close() error {
	switch {
	case w.done:
		return s3Error("write", w.name, fs.ErrClosed)
	case w.err != nil:
		return s3Error("write", w.name, errors.Join(w.err, w.Abort()))
	}
	if w.upload == "" {
		w.done = true
		err := w.s.again(w.ctx, func() error {
			_, err := w.s.core.PutObject(w.ctx, w.bucket, w.object, bytes.NewReader(w.part), int64(len(w.part)), "", "", marked(w.mark))
			return err
		})
		return s3Error("write", w.name, err)
	}
	err := w.send()
	if err == nil {
		err = w.s.complete(w.ctx, w.bucket, w.object, w.upload, w.mark, w.parts, minio.PutObjectOptions{})
	}
	if err != nil {
		w.err = err
		return s3Error("write", w.name, errors.Join(err, w.Abort()))
	}
	w.done = true
	return nil
}

func (w *simpleWriter) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	if w.err == nil {
		w.err = errAborted
	}
	if w.upload != "" {
		w.s.giveUp(w.ctx, w.bucket, w.object, w.upload)
	}
	return nil
}
