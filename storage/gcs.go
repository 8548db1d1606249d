package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
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

// splitGCS cuts gs://bucket/object; object may be empty. Segments . and ..
// are refused: Cloud Storage would take them as they stand, and every other
// tool would not.
func splitGCS(name string) (bucket, object string, err error) {
	scheme, rest := splitScheme(name)
	bucket, object, _ = strings.Cut(rest, "/")
	if scheme != "gs" || bucket == "" {
		return "", "", unusable("it names no bucket; write gs://bucket/path")
	}
	for seg := range strings.SplitSeq(object, "/") {
		if seg == "." || seg == ".." {
			return "", "", unusable("the path holds the segment %s; write the path without it", seg)
		}
	}
	return bucket, object, nil
}

// object returns the handle of a name that must be a file's.
func (c cloud) object(name string) (*gcs.ObjectHandle, error) {
	bucket, object, err := splitGCS(name)
	if err == nil && (object == "" || strings.HasSuffix(object, "/")) {
		err = unusable("it names a directory, not a file")
	}
	if err != nil {
		return nil, err
	}
	return c.client.Bucket(bucket).Object(object), nil
}

func cloudInfo(a *gcs.ObjectAttrs) Info {
	return Info{Name: "gs://" + a.Bucket + "/" + a.Name, Size: a.Size, Fingerprint: fmt.Sprintf("%d:%d", a.Size, a.Generation)}
}

// each calls do for every object whose name starts with prefix, in the byte
// order of names.
func (c cloud) each(ctx context.Context, bucket, prefix string, do func(*gcs.ObjectAttrs)) error {
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
		do(a)
	}
}

func (c cloud) Glob(ctx context.Context, name string) ([]Info, error) {
	const op = "match"
	bucket, object, err := splitGCS(name)
	if err == nil && hasMeta(bucket) {
		err = unusable("the bucket must be spelled out, without wildcards")
	}
	if err != nil {
		return nil, gcsError(op, name, err)
	}
	object = strings.TrimRight(object, "/")
	prefix := object
	if i := strings.IndexAny(object, meta); i >= 0 {
		prefix = object[:i]
	}
	p, err := parsePattern(object)
	if err != nil {
		return nil, gcsError(op, name, err)
	}
	if object != "" {
		object += "/"
	}
	// Which of the three a pattern is, shows only when the listing is through:
	// the exact name of a file, a directory, or wildcards.
	var exact, below, matching []Info
	delta := false
	err = c.each(ctx, bucket, prefix, func(a *gcs.ObjectAttrs) {
		if strings.HasSuffix(a.Name, "/") {
			return // a placeholder that consoles make for a directory
		}
		if a.Name+"/" == object {
			exact = append(exact, cloudInfo(a))
		}
		if rest, ok := strings.CutPrefix(a.Name, object); ok {
			dirs := strings.Split(rest, "/")
			dirs = dirs[:len(dirs)-1]
			delta = delta || slices.Contains(dirs, deltaLog)
			if strings.HasSuffix(rest, ".parquet") && !slices.ContainsFunc(dirs, aside) {
				below = append(below, cloudInfo(a))
			}
		}
		if hasMeta(name) && p.match(strings.Split(a.Name, "/")) {
			matching = append(matching, cloudInfo(a))
		}
	})
	switch {
	case err != nil:
		return nil, gcsError(op, name, err)
	case len(exact) > 0:
		return exact, nil
	case delta && !hasMeta(name):
		return nil, gcsError(op, name, errDelta)
	case len(below) > 0:
		return sortInfos(below), nil
	}
	return sortInfos(matching), nil
}

// directory returns the prefix of all names below dir, "" for a whole bucket.
func directory(dir string) (bucket, prefix string, err error) {
	bucket, prefix, err = splitGCS(dir)
	if prefix = strings.TrimRight(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	return bucket, prefix, err
}

func (c cloud) List(ctx context.Context, dir string) ([]Info, error) {
	const op = "list"
	bucket, prefix, err := directory(dir)
	if err != nil {
		return nil, gcsError(op, dir, err)
	}
	var infos []Info
	err = c.each(ctx, bucket, prefix, func(a *gcs.ObjectAttrs) {
		if !strings.HasSuffix(a.Name, "/") {
			infos = append(infos, cloudInfo(a))
		}
	})
	if err != nil {
		return nil, gcsError(op, dir, err)
	}
	return sortInfos(infos), nil
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
	bucket, prefix, err := directory(dir)
	if err == nil && prefix == "" {
		err = errors.New("it is a whole bucket; name a directory in it")
	}
	if err != nil {
		return gcsError(op, dir, err)
	}
	var names []string // those of placeholders too
	if err := c.each(ctx, bucket, prefix, func(a *gcs.ObjectAttrs) { names = append(names, a.Name) }); err != nil {
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
