package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	gcs "cloud.google.com/go/storage"
	"github.com/googleapis/gax-go/v2"
	"golang.org/x/sync/errgroup"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/iterator"
)

// cloud is Google Cloud Storage, through its JSON and XML interfaces.
type cloud struct{ client *gcs.Client }

// shared is the process's one client: each holds its own connections and
// access token. It is never closed, as nothing knows the last use (Beam calls
// no teardown).
var shared struct {
	sync.Mutex
	client *gcs.Client
}

// sharedGCS connects on first use. A failure is not remembered, since
// credentials may be put right in a long-lived worker.
func sharedGCS(ctx context.Context) (System, error) {
	shared.Lock()
	defer shared.Unlock()
	if shared.client == nil {
		client, err := newClient(ctx)
		if err != nil {
			return nil, &Error{Op: "connect to", Name: "Google Cloud Storage", Err: err, Advice: credentialsAdvice}
		}
		shared.client = client
	}
	return cloud{shared.client}, nil
}

// newClient returns a client that outlives ctx.
func newClient(ctx context.Context) (*gcs.Client, error) {
	client, err := gcs.NewClient(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	client.SetRetry(
		// About a minute in all, at worst. Every request is retried, also those
		// that the library holds not to be idempotent: ours all are, being
		// whole-file writes, or deletes and copies whose repetition is looked at.
		gcs.WithBackoff(gax.Backoff{Initial: 200 * time.Millisecond, Max: 20 * time.Second, Multiplier: 2}),
		gcs.WithMaxAttempts(9),
		gcs.WithPolicy(gcs.RetryAlways),
		// The default, but for uploads: where none is named, these are retried
		// on less, and not when a connection closes without an answer.
		gcs.WithErrorFunc(gcs.ShouldRetry),
	)
	return client, nil
}

// object returns the handle of a name that must be a file's.
func (c cloud) object(name string) (*gcs.ObjectHandle, error) {
	bucket, object, err := splitFile("gs", name)
	if err != nil {
		return nil, err
	}
	return c.client.Bucket(bucket).Object(object), nil
}

func cloudInfo(a *gcs.ObjectAttrs) Info {
	return Info{Name: "gs://" + a.Bucket + "/" + a.Name, Size: a.Size, Fingerprint: fmt.Sprintf("%d:%d", a.Size, a.Generation)}
}

// each is the eachObject of this store.
func (c cloud) each(ctx context.Context) eachObject {
	return func(bucket, prefix string, do func(string, Info)) error {
		q := &gcs.Query{Prefix: prefix, Projection: gcs.ProjectionNoACL}
		if err := q.SetAttrSelection([]string{"Bucket", "Name", "Size", "Generation"}); err != nil {
			return err
		}
		it := c.client.Bucket(bucket).Objects(ctx, q)
		for {
			a, err := it.Next()
			if err == iterator.Done {
				return nil
			}
			if err != nil {
				return err
			}
			do(a.Name, cloudInfo(a))
		}
	}
}

func (c cloud) Glob(ctx context.Context, name string) ([]Info, error) {
	infos, err := globObjects("gs", name, c.each(ctx))
	return infos, gcsError("match", name, err)
}

func (c cloud) List(ctx context.Context, dir string) ([]Info, error) {
	infos, err := listObjects("gs", dir, c.each(ctx))
	return infos, gcsError("list", dir, err)
}

func (c cloud) Remove(ctx context.Context, name string) error {
	const op = "remove"
	o, err := c.object(name)
	if err == nil {
		err = o.Delete(ctx)
	}
	if errors.Is(err, gcs.ErrObjectNotExist) {
		return nil
	}
	return gcsError(op, name, err)
}

func (c cloud) RemoveAll(ctx context.Context, dir string) error {
	const op = "remove all of"
	bucket, names, err := allObjects("gs", dir, c.each(ctx))
	if err != nil {
		return gcsError(op, dir, err)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16) // each is one small request that mostly waits
	for _, name := range names {
		group.Go(func() error {
			err := c.client.Bucket(bucket).Object(name).Delete(ctx)
			if errors.Is(err, gcs.ErrObjectNotExist) {
				return nil
			}
			return gcsError("remove", "gs://"+bucket+"/"+name, err)
		})
	}
	return group.Wait()
}

// Rename copies and deletes. Both requests carry preconditions: the copy that
// the target does not exist, the delete the generation that was copied. A
// target of the same content is taken for a copy whose answer was lost.
func (c cloud) Rename(ctx context.Context, from, to string) error {
	const op = "rename"
	src, err := c.object(from)
	if err != nil {
		return gcsError(op, from, err)
	}
	dst, err := c.object(to)
	if err != nil {
		return gcsError(op, to, err)
	}
	if from == to {
		_, err := src.Attrs(ctx)
		return gcsError(op, from, err)
	}
	for try := 1; ; try++ {
		retry, err := c.rename(ctx, src, dst, to)
		if err == nil {
			return nil
		}
		if !retry || try == 4 {
			return gcsError(op, from, err)
		}
	}
}

// rename makes one attempt. retry tells that a generation was no longer the
// one seen, so that another look at both objects may succeed.
func (c cloud) rename(ctx context.Context, src, dst *gcs.ObjectHandle, to string) (retry bool, err error) {
	attrs := func(o *gcs.ObjectHandle) (*gcs.ObjectAttrs, error) {
		a, err := o.Attrs(ctx)
		if errors.Is(err, gcs.ErrObjectNotExist) {
			return nil, nil
		}
		return a, err
	}
	a, err := attrs(src)
	if err != nil {
		return false, err
	}
	if a == nil {
		return false, gcs.ErrObjectNotExist
	}
	_, err = dst.If(gcs.Conditions{DoesNotExist: true}).CopierFrom(src.Generation(a.Generation)).Run(ctx)
	if failedCondition(err) {
		b, lookErr := attrs(dst)
		switch {
		case lookErr != nil:
			return false, gcsError("rename to", to, lookErr)
		case b == nil: // gone again
		case b.Size == a.Size && b.CRC32C == a.CRC32C && string(b.MD5) == string(a.MD5):
			err = nil
		default:
			return false, gcsError("rename to", to, &kindError{error: errors.New("there is another object of that name"), kind: fs.ErrExist})
		}
	}
	if err != nil {
		return failedCondition(err) || notFound(err), gcsError("rename to", to, err)
	}
	err = src.If(gcs.Conditions{GenerationMatch: a.Generation}).Delete(ctx)
	if errors.Is(err, gcs.ErrObjectNotExist) {
		return false, nil
	}
	return failedCondition(err), err
}

func failedCondition(err error) bool {
	var api *googleapi.Error
	return errors.As(err, &api) && api.Code == 412
}

func notFound(err error) bool {
	var api *googleapi.Error
	return errors.Is(err, gcs.ErrObjectNotExist) || errors.As(err, &api) && api.Code == 404
}
