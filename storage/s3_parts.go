package storage

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
)

// Objects of several parts, which appear with the last request about them.

// markHeader is where an object says which write or copy made it, by which one
// is known again whose answer was lost.
const markHeader = "Palimpsest-Write"

func marked(mark string) minio.PutObjectOptions {
	return minio.PutObjectOptions{ContentType: "application/octet-stream", UserMetadata: map[string]string{markHeader: mark}}
}

func newMark() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// copyInParts has the store copy a large object, in parts, and makes it appear on
// the condition that there is none of that name.
func (s *simple) copyInParts(ctx context.Context, bucket string, source minio.ObjectInfo, toBucket, toObject, mark string) error {
	upload, err := s.begin(ctx, toBucket, toObject, mark)
	if err != nil {
		return err
	}
	var parts []minio.CompletePart
	for at := int64(0); at < source.Size && err == nil; at += copyPart {
		err = s.again(ctx, func() error {
			part, err := s.core.CopyObjectPart(ctx, bucket, source.Key, toBucket, toObject, upload, len(parts)+1, at, min(copyPart, source.Size-at),
				map[string]string{"x-amz-copy-source-if-match": source.ETag})
			if err == nil {
				parts = append(parts, part)
			}
			return err
		})
	}
	if err == nil {
		create := minio.PutObjectOptions{}
		create.SetMatchETagExcept("*")
		err = s.complete(ctx, toBucket, toObject, upload, mark, parts, create)
	}
	if err != nil {
		s.giveUp(ctx, toBucket, toObject, upload)
	}
	return err
}

// begin begins an upload in parts.
func (s *simple) begin(ctx context.Context, bucket, object, mark string) (upload string, err error) {
	err = s.again(ctx, func() error {
		upload, err = s.core.NewMultipartUpload(ctx, bucket, object, marked(mark))
		return err
	})
	return upload, err
}

// complete makes an upload in parts appear. An upload that is gone may have been
// completed by a request whose answer was lost: the object's mark tells.
func (s *simple) complete(ctx context.Context, bucket, object, upload, mark string, parts []minio.CompletePart,
	opts minio.PutObjectOptions) error {
	err := s.again(ctx, func() error {
		_, err := s.core.CompleteMultipartUpload(ctx, bucket, object, upload, parts, opts)
		return err
	})
	if err != nil && ctx.Err() == nil {
		if there, lookErr := s.stat(ctx, bucket, object); lookErr == nil && there.UserMetadata[markHeader] == mark {
			return nil
		}
	}
	return err
}

// giveUp has the store forget an upload in parts. One that it cannot reach stays,
// invisible, until the bucket's rule for unfinished uploads removes it.
func (s *simple) giveUp(ctx context.Context, bucket, object, upload string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	_ = s.again(ctx, func() error {
		if err := s.core.AbortMultipartUpload(ctx, bucket, object, upload); !is(err, http.StatusNotFound) {
			return err
		}
		return nil
	})
}
