package surrogate

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"sync"
)

// MinKey is the least number of bytes in a key.
const MinKey = 32

// A purpose is one use of the key, with a sub-key of its own, so that nothing
// learnt from one use tells of another.
type purpose uint8

const (
	forBucket purpose = iota
	forStrings
	forIntegers
	forDates
	forChoices
	forFiles
	numPurposes
)

var purposes = [numPurposes]string{"bucket", "strings", "integers", "dates", "choices", "files"}

// Keyring holds the sub-keys derived from a secret key and an epoch by
// HKDF-SHA-256 (RFC 5869). It is safe for concurrent use, and prints as its ID
// under any verb.
type Keyring struct {
	id    string
	epoch int
	prfs  [numPurposes]*prf
}

// NewKeyring derives the sub-keys of a secret key of at least MinKey bytes. The
// key should be random; its bytes are not kept. Each epoch, 0 or above, has
// sub-keys of its own: another epoch changes every offset, surrogate and
// pseudonym as another key would, and nothing of one epoch tells of another to
// whoever lacks the key.
func NewKeyring(key []byte, epoch int) (*Keyring, error) {
	if epoch < 0 {
		return nil, fmt.Errorf("surrogate: epoch %d is below 0", epoch)
	}
	if len(key) < MinKey {
		return nil, fmt.Errorf("surrogate: the key has %d bytes; give at least %d random ones", len(key), MinKey)
	}
	root, err := hkdf.Extract(sha256.New, key, []byte("palimpsest surrogate v1"))
	if err != nil {
		return nil, fmt.Errorf("surrogate: deriving sub-keys: %w", err)
	}
	id, err := hkdf.Expand(sha256.New, root, "id", 8)
	if err != nil {
		return nil, fmt.Errorf("surrogate: deriving the key id: %w", err)
	}
	k := &Keyring{id: hex.EncodeToString(id), epoch: epoch}
	for i, name := range purposes {
		if epoch > 0 {
			name += " epoch " + strconv.Itoa(epoch)
		}
		sub, err := hkdf.Expand(sha256.New, root, name, sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("surrogate: deriving the sub-key for %s: %w", name, err)
		}
		k.prfs[i] = newPRF(sub)
	}
	return k, nil
}

// ID returns 16 hexadecimal digits that tell keys apart and say nothing else.
// It is the same in all epochs of a key.
func (k *Keyring) ID() string { return k.id }

// Epoch returns the epoch that the sub-keys are of.
func (k *Keyring) Epoch() int { return k.epoch }

// Format implements fmt.Formatter, so that no verb prints key material.
func (k *Keyring) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "Keyring("+k.id+")")
}

// Bucket returns the bucket of a patient, in [0, buckets); 0 where buckets is
// less than 1.
func (k *Keyring) Bucket(patient string, buckets int) int {
	if buckets < 1 {
		return 0
	}
	return int(k.prfs[forBucket].below(uint64(buckets), patient))
}

// FileOf returns which of a number of files the rows of a patient go to, in [0, files), where
// their order is not the input's; 0 where files is less than 1.
func (k *Keyring) FileOf(patient string, files int) int {
	if files < 1 {
		return 0
	}
	return int(k.prfs[forFiles].below(uint64(files), patient))
}

// prf is HMAC-SHA-256 over lists of strings.
type prf struct{ pool sync.Pool }

type prfState struct {
	mac hash.Hash
	buf []byte
	sum [sha256.Size]byte
}

func newPRF(key []byte) *prf {
	return &prf{pool: sync.Pool{New: func() any { return &prfState{mac: hmac.New(sha256.New, key)} }}}
}

// sum returns the MAC of the parts, each with its length, and a counter.
func (p *prf) sum(counter uint64, parts ...string) [sha256.Size]byte {
	s := p.pool.Get().(*prfState)
	s.buf = binary.BigEndian.AppendUint64(s.buf[:0], counter)
	for _, part := range parts {
		s.buf = binary.AppendUvarint(s.buf, uint64(len(part)))
		s.buf = append(s.buf, part...)
	}
	s.mac.Reset()
	s.mac.Write(s.buf)
	s.mac.Sum(s.sum[:0])
	out := s.sum
	p.pool.Put(s)
	return out
}

// below returns a number in [0, n) by rejection sampling.
func (p *prf) below(n uint64, parts ...string) uint64 {
	limit := -n % n // 2^64 mod n: what must be rejected
	for counter := uint64(0); ; counter++ {
		sum := p.sum(counter, parts...)
		for i := 0; i < len(sum); i += 8 {
			if v := binary.BigEndian.Uint64(sum[i:]); v >= limit {
				return v % n
			}
		}
	}
}
