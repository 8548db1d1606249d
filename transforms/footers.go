package transforms

import (
	"sync"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// footers keeps the footers that this process read last. Every shard of a file
// is opened twice, and both the shards and the footer grow with the file: to
// parse it anew each time would cost the square of the file's size.
var footers footerCache

// footersKept bounds the footers in memory; a runner works on few files at once.
const footersKept = 4

// footerCache is safe for concurrent use. Its zero value is empty.
type footerCache struct {
	sync.Mutex
	kept []footer // the one used last comes last
}

type footer struct {
	name, fingerprint string
	file              *table.File // its reader is never used
}

// open returns the Parquet file in an object, with the footer of an earlier
// read where that was of the same version.
func (c *footerCache) open(object storage.Object, name string) (*table.File, error) {
	if f := c.find(name, object.Fingerprint()); f != nil {
		return f.With(object), nil
	}
	f, err := table.Open(object, object.Size(), name)
	if err != nil {
		return nil, err
	}
	c.keep(footer{name, object.Fingerprint(), f.With(nil)})
	return f, nil
}

func (c *footerCache) find(name, fingerprint string) *table.File {
	c.Lock()
	defer c.Unlock()
	for i, f := range c.kept {
		if f.name == name && f.fingerprint == fingerprint {
			c.kept = append(append(c.kept[:i:i], c.kept[i+1:]...), f)
			return f.file
		}
	}
	return nil
}

func (c *footerCache) keep(f footer) {
	c.Lock()
	defer c.Unlock()
	if c.kept = append(c.kept, f); len(c.kept) > footersKept {
		c.kept = append([]footer(nil), c.kept[1:]...)
	}
}
