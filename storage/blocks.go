package storage

import (
	"container/list"
	"context"
	"errors"
	"io"
	"sync"
)

// The block cache of one object in Cloud Storage. A Parquet reader asks for a
// few kilobytes at a time, in order within each column but by turns among the
// columns; a request costs some 50 ms whatever its size. So whole blocks are
// fetched, and as many kept as a table commonly has columns.
const (
	blockSize   = 1 << 20 // bytes
	blocksKept  = 32      // per object: 32 MiB at most
	directBytes = 4 << 20 // a read this large is one request of its own, not cached
)

// fetchFunc fills the buffers, one after another, with an object's bytes from
// off on. It must be safe for concurrent use.
type fetchFunc func(off int64, bufs ...[]byte) error

// block is a stretch of the object. data and err may be read once ready is
// closed.
type block struct {
	index int64
	ready chan struct{}
	data  []byte
	err   error
}

// blockReader is an io.ReaderAt over an object of fixed content. Goroutines
// that want the same block share one fetch. It is safe for concurrent use.
type blockReader struct {
	ctx   context.Context
	size  int64 // of the object, bytes
	fetch fetchFunc

	mu     sync.Mutex
	blocks map[int64]*list.Element // of *block
	recent list.List               // most recently used first
}

func newBlockReader(ctx context.Context, size int64, fetch fetchFunc) *blockReader {
	return &blockReader{ctx: ctx, size: size, fetch: fetch, blocks: map[int64]*list.Element{}}
}

// ReadAt implements io.ReaderAt. After an error n is 0, but for io.EOF.
func (r *blockReader) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("the offset is negative")
	}
	if len(p) == 0 {
		return 0, nil
	}
	if off >= r.size {
		return 0, io.EOF
	}
	short := int64(len(p)) > r.size-off
	if short {
		p = p[:r.size-off]
	}
	if len(p) >= directBytes {
		err = r.fetch(off, p)
	} else {
		err = r.readBlocks(p, off)
	}
	if err != nil {
		return 0, err
	}
	if short {
		err = io.EOF
	}
	return len(p), err
}

func (r *blockReader) readBlocks(p []byte, off int64) error {
	first, last := off/blockSize, (off+int64(len(p))-1)/blockSize
	blocks, mine := r.claim(first, last)
	// Own blocks first, then wait for the others': no two readers can wait for
	// one another.
	for len(mine) > 0 {
		run := 1
		for run < len(mine) && mine[run].index == mine[0].index+int64(run) {
			run++
		}
		r.fill(mine[:run])
		mine = mine[run:]
	}
	for _, b := range blocks {
		select {
		case <-b.ready:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
		if b.err != nil {
			return b.err
		}
		start := b.index * blockSize
		copy(p[max(0, start-off):], b.data[max(0, off-start):])
	}
	return nil
}

// claim returns the blocks first to last, and those among them that the caller
// must fill because nobody else is about to.
func (r *blockReader) claim(first, last int64) (blocks, mine []*block) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := first; i <= last; i++ {
		e := r.blocks[i]
		if e == nil {
			b := &block{index: i, ready: make(chan struct{})}
			e = r.recent.PushFront(b)
			r.blocks[i] = e
			mine = append(mine, b)
		}
		r.recent.MoveToFront(e)
		blocks = append(blocks, e.Value.(*block))
	}
	for r.recent.Len() > blocksKept {
		// Whoever reads the dropped block holds it still.
		r.drop(r.recent.Back())
	}
	return blocks, mine
}

func (r *blockReader) drop(e *list.Element) {
	r.recent.Remove(e)
	delete(r.blocks, e.Value.(*block).index)
}

// fill fetches neighbouring blocks by one request. Failed ones are forgotten,
// so that a later read tries again.
func (r *blockReader) fill(run []*block) {
	bufs := make([][]byte, len(run))
	for i, b := range run {
		bufs[i] = make([]byte, min(blockSize, r.size-b.index*blockSize))
	}
	err := r.fetch(run[0].index*blockSize, bufs...)
	if err != nil {
		r.mu.Lock()
		for _, b := range run {
			if e := r.blocks[b.index]; e != nil && e.Value.(*block) == b {
				r.drop(e)
			}
		}
		r.mu.Unlock()
	}
	for i, b := range run {
		b.data, b.err = bufs[i], err
		close(b.ready)
	}
}

// forget drops all blocks, for an object that is closed.
func (r *blockReader) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.blocks)
	r.recent.Init()
}
