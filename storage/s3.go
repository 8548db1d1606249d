package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/sync/errgroup"
)

// simple is Amazon S3, or another store that speaks its protocol. The store must
// heed If-None-Match, which Rename rests on; one that does not is refused.
type simple struct {
	core  *minio.Core
	pause time.Duration // before the second attempt; it doubles from there on

	mu     sync.Mutex
	heeded map[string]bool // buckets in which If-None-Match was seen to be heeded
}

// sharedStore is the process's one client of S3.
var sharedStore struct {
	sync.Mutex
	*simple
}

// sharedS3 makes the client on first use. Where the store is, the variables say
// that Amazon's own tools read: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL (without
// them Amazon's), AWS_REGION or AWS_DEFAULT_REGION.
func sharedS3() (System, error) {
	sharedStore.Lock()
	defer sharedStore.Unlock()
	if sharedStore.simple == nil {
		s, err := newS3(firstOf("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"), firstOf("AWS_REGION", "AWS_DEFAULT_REGION"))
		if err != nil {
			return nil, &Error{Op: "connect to", Name: "S3", Err: err, Advice: "check AWS_ENDPOINT_URL"}
		}
		sharedStore.simple = s
	}
	return sharedStore.simple, nil
}

func firstOf(variables ...string) string {
	for _, v := range variables {
		if value := os.Getenv(v); value != "" {
			return value
		}
	}
	return ""
}

func newS3(endpoint, region string) (*simple, error) {
	if endpoint == "" {
		endpoint = "https://s3.amazonaws.com"
	}
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || strings.Trim(at.Path, "/") != "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, fmt.Errorf("the endpoint %q is not of the form https://host:port", endpoint)
	}
	core, err := minio.NewCore(at.Host, &minio.Options{
		Secure: at.Scheme == "https", Region: region, MaxRetries: 1, // again does that, for broken answers too
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
			&credentials.IAM{Client: &http.Client{Timeout: 10 * time.Second}},
		}),
	})
	if err != nil {
		return nil, err
	}
	return &simple{core: core, pause: 200 * time.Millisecond, heeded: map[string]bool{}}, nil
}

// again makes a request, and makes it again, for about a minute, as long as it
// fails in a way that may pass. All that is asked for here can be repeated.
func (s *simple) again(ctx context.Context, request func() error) error {
	const attempts = 9
	for n, pause := 1, s.pause; ; n, pause = n+1, min(2*pause, 100*s.pause) {
		err := request()
		if err == nil || n == attempts || !passing(ctx, err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// passing tells whether an error may be gone at the next attempt.
func passing(ctx context.Context, err error) bool {
	var answer minio.ErrorResponse
	switch {
	case ctx.Err() != nil || errors.As(err, new(x509.UnknownAuthorityError)) || errors.As(err, new(x509.HostnameError)):
		return false
	case !errors.As(err, &answer):
		return !errors.Is(err, ErrChanged) // the network
	}
	switch answer.Code {
	case "SlowDown", "InternalError", "RequestTimeout", "Throttling", "ThrottlingException", "ServiceUnavailable", "OperationAborted",
		"ConditionalRequestConflict":
		return true
	}
	return answer.StatusCode >= 500 && answer.StatusCode != http.StatusNotImplemented || answer.StatusCode == http.StatusTooManyRequests ||
		answer.StatusCode == http.StatusRequestTimeout
}

// is tells whether an error is the store's answer of that status.
func is(err error, status int) bool {
	var answer minio.ErrorResponse
	return errors.As(err, &answer) && answer.StatusCode == status
}

func s3Info(bucket string, o minio.ObjectInfo) Info {
	return Info{Name: "s3://" + bucket + "/" + o.Key, Size: o.Size, Fingerprint: fmt.Sprintf("%d:%s", o.Size, strings.Trim(o.ETag, `"`))}
}

// each is the eachObject of this store. A listing that breaks off goes on behind
// the last name.
func (s *simple) each(ctx context.Context) eachObject {
	return func(bucket, prefix string, do func(string, Info)) error {
		last := ""
		return s.again(ctx, func() error {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			for o := range s.core.Client.ListObjects(ctx, bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true, StartAfter: last}) {
				if o.Err != nil {
					return o.Err
				}
				last = o.Key
				do(o.Key, s3Info(bucket, o))
			}
			return ctx.Err()
		})
	}
}

func (s *simple) Glob(ctx context.Context, name string) ([]Info, error) {
	infos, err := globObjects("s3", name, s.each(ctx))
	return infos, s3Error("match", name, err)
}

func (s *simple) List(ctx context.Context, dir string) ([]Info, error) {
	infos, err := listObjects("s3", dir, s.each(ctx))
	return infos, s3Error("list", dir, err)
}

func (s *simple) remove(ctx context.Context, bucket, object string) error {
	err := s.again(ctx, func() error { return s.core.RemoveObject(ctx, bucket, object, minio.RemoveObjectOptions{}) })
	if is(err, http.StatusNotFound) && minio.ToErrorResponse(err).Code != "NoSuchBucket" {
		return nil
	}
	return err
}

func (s *simple) Remove(ctx context.Context, name string) error {
	bucket, object, err := splitFile("s3", name)
	if err == nil {
		err = s.remove(ctx, bucket, object)
	}
	return s3Error("remove", name, err)
}

func (s *simple) RemoveAll(ctx context.Context, dir string) error {
	bucket, objects, err := allObjects("s3", dir, s.each(ctx))
	if err != nil {
		return s3Error("remove all of", dir, err)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16) // each is one small request that mostly waits
	for _, object := range objects {
		group.Go(func() error {
			return s3Error("remove", "s3://"+bucket+"/"+object, s.remove(ctx, bucket, object))
		})
	}
	return group.Wait()
}

func (s *simple) stat(ctx context.Context, bucket, object string) (o minio.ObjectInfo, err error) {
	err = s.again(ctx, func() error {
		o, err = s.core.StatObject(ctx, bucket, object, minio.StatObjectOptions{})
		return err
	})
	return o, err
}

const (
	// directCopy is the most bytes that Rename sends through this process. There
	// is a condition on the target for a write everywhere, and for a copy only at
	// the end of one in parts.
	directCopy = 8 << 20
	// copyPart is the size of a part that the store copies by itself, bytes.
	copyPart = 512 << 20
)

// Rename copies, on the condition that there is no target, and deletes.
func (s *simple) Rename(ctx context.Context, from, to string) error {
	const op = "rename"
	bucket, object, err := splitFile("s3", from)
	if err != nil {
		return s3Error(op, from, err)
	}
	toBucket, toObject, err := splitFile("s3", to)
	if err != nil {
		return s3Error(op, to, err)
	}
	source, err := s.stat(ctx, bucket, object)
	if err != nil || from == to {
		return s3Error(op, from, err)
	}
	sum := sha256.Sum256([]byte(from + "\x00" + source.ETag))
	mark := hex.EncodeToString(sum[:16])
	for try := 1; ; try++ {
		if source.Size <= directCopy {
			err = s.copyThrough(ctx, bucket, source, toBucket, toObject, mark)
		} else {
			err = s.copyInParts(ctx, bucket, source, toBucket, toObject, mark)
		}
		if !is(err, http.StatusPreconditionFailed) {
			break
		}
		there, lookErr := s.stat(ctx, toBucket, toObject)
		if lookErr == nil && there.UserMetadata[markHeader] == mark {
			err = nil // this copy, whose answer was lost, or an earlier one that was not followed by the delete
			break
		}
		if lookErr == nil {
			return s3Error("rename to", to, &kindError{error: errors.New("there is another object of that name"), kind: fs.ErrExist})
		}
		if !is(lookErr, http.StatusNotFound) || try == 4 {
			return s3Error("rename to", to, errors.Join(err, lookErr))
		}
	}
	if err != nil {
		return s3Error("rename to", to, err)
	}
	return s3Error(op, from, s.remove(ctx, bucket, object))
}

var errUnheeded = errors.New("the store does not heed If-None-Match, so that of two jobs at once both could take one output")

// copyThrough reads a small object and writes it anew.
func (s *simple) copyThrough(ctx context.Context, bucket string, source minio.ObjectInfo, toBucket, toObject, mark string) error {
	data := make([]byte, source.Size)
	if err := s.fetch(ctx, bucket, source.Key, source.ETag, 0, data); err != nil {
		return err
	}
	create := marked(mark)
	create.SetMatchETagExcept("*")
	put := func(bucket, object string) error {
		return s.again(ctx, func() error {
			_, err := s.core.PutObject(ctx, bucket, object, bytes.NewReader(data), int64(len(data)), "", "", create)
			return err
		})
	}
	s.mu.Lock()
	heeded := s.heeded[toBucket]
	s.mu.Unlock()
	if !heeded {
		// The source is there, so this must fail; where it does not, it changes nothing.
		err := put(bucket, source.Key)
		if err == nil || is(err, http.StatusNotImplemented) {
			return errUnheeded
		}
		if !is(err, http.StatusPreconditionFailed) {
			return err
		}
		s.mu.Lock()
		s.heeded[toBucket] = true
		s.mu.Unlock()
	}
	return put(toBucket, toObject)
}

// fetch fills buffers, one after another, with the bytes of one version of an
// object from off on. Where an answer breaks off, it asks for the rest.
func (s *simple) fetch(ctx context.Context, bucket, object, etag string, off int64, bufs ...[]byte) error {
	for len(bufs) > 0 {
		if len(bufs[0]) == 0 {
			bufs = bufs[1:]
			continue
		}
		err := s.again(ctx, func() error {
			var want int64
			for _, b := range bufs {
				want += int64(len(b))
			}
			ctx, cancel := context.WithTimeout(ctx, stallTime+time.Duration(want/slowest)*time.Second)
			defer cancel()
			var opts minio.GetObjectOptions
			if err := errors.Join(opts.SetMatchETag(etag), opts.SetRange(off, off+want-1)); err != nil {
				return err
			}
			body, _, _, err := s.core.GetObject(ctx, bucket, object, opts)
			if is(err, http.StatusPreconditionFailed) || is(err, http.StatusNotFound) {
				return ErrChanged // this version was there
			}
			if err != nil {
				return err
			}
			defer body.Close()
			for from := off; len(bufs) > 0; bufs = bufs[1:] {
				n, err := io.ReadFull(body, bufs[0])
				off += int64(n)
				bufs[0] = bufs[0][n:]
				if err != nil && off == from {
					return err
				}
				if err != nil {
					return nil // what came is kept, and the rest asked for with as many attempts
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
