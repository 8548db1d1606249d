package history

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MinKey is the least number of bytes in a key.
const MinKey = 32

// Hash is a keyed hash of an id, a row or a text.
type Hash [16]byte

// MarshalText implements encoding.TextMarshaler, for lists of many in JSON.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalJSON implements json.Unmarshaler. It reads what MarshalText makes, and the
// sixteen numbers that earlier versions have written.
func (h *Hash) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, (*[16]byte)(h))
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	all, err := hex.DecodeString(text)
	if err != nil || len(all) != len(h) {
		return errors.New("history: that is no hash")
	}
	copy(h[:], all)
	return nil
}

// Short is one that need only tell equal from other.
type Short [8]byte

// Keys are the sub-keys of a state's secret key. They are safe for concurrent
// use, and print as their ID.
type Keys struct {
	id              string
	names, tag, mac []byte
	block           cipher.Block
}

// NewKeys derives the sub-keys of a secret of at least MinKey bytes by HKDF-SHA-256
// (RFC 5869).
func NewKeys(secret []byte) (*Keys, error) {
	if len(secret) < MinKey {
		return nil, fmt.Errorf("history: the key has %d bytes; give at least %d random ones", len(secret), MinKey)
	}
	root, err := hkdf.Extract(sha256.New, secret, []byte("palimpsest state v1"))
	if err != nil {
		return nil, err
	}
	var subs [5][]byte
	for i, name := range []string{"id", "names", "seal tag", "seal stream", "heads"} {
		if subs[i], err = hkdf.Expand(sha256.New, root, name, sha256.Size); err != nil {
			return nil, err
		}
	}
	k := &Keys{id: hex.EncodeToString(subs[0][:8]), names: subs[1], tag: subs[2], mac: subs[4]}
	k.block, err = aes.NewCipher(subs[3])
	return k, err
}

// ID returns 16 hexadecimal digits that tell keys apart and say nothing else.
func (k *Keys) ID() string { return k.id }

// Format implements fmt.Formatter, so that no verb prints key material.
func (k *Keys) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "Keys("+k.id+")") }

func sum(key []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		io.WriteString(h, p)
	}
	return h.Sum(nil)
}

// Hash returns the keyed hash of a value; those of different kinds never meet.
func (k *Keys) Hash(kind, value string) (h Hash) {
	copy(h[:], sum(k.names, kind, value))
	return h
}

// MAC authenticates what can be read.
func (k *Keys) MAC(kind string, data []byte) string {
	return hex.EncodeToString(sum(k.mac, kind, string(data)))
}

// ErrSealed says that sealed bytes are not those that the key has sealed for this
// place.
var ErrSealed = errors.New("it is damaged, lies in another's place, or was sealed under another key")

// Seal encrypts and authenticates data for a place, without a random source: equal
// data in one place has equal bytes, and nothing else of it can be told but its
// length. As in SIV (RFC 5297) the counter that AES-256 starts at is the MAC of place
// and data, so that no two different data share one.
func (k *Keys) Seal(place string, data []byte) []byte {
	out := make([]byte, aes.BlockSize+len(data))
	copy(out, sum(k.tag, place, string(data))[:aes.BlockSize])
	cipher.NewCTR(k.block, out[:aes.BlockSize]).XORKeyStream(out[aes.BlockSize:], data)
	return out
}

// Open returns what Seal sealed for the place, or ErrSealed.
func (k *Keys) Open(place string, sealed []byte) ([]byte, error) {
	if len(sealed) < aes.BlockSize {
		return nil, ErrSealed
	}
	data := make([]byte, len(sealed)-aes.BlockSize)
	cipher.NewCTR(k.block, sealed[:aes.BlockSize]).XORKeyStream(data, sealed[aes.BlockSize:])
	if !hmac.Equal(sum(k.tag, place, string(data))[:aes.BlockSize], sealed[:aes.BlockSize]) {
		return nil, ErrSealed
	}
	return data, nil
}

// Bucket returns the bucket, in [0, buckets), of a patient of that hash.
func (h Hash) Bucket(buckets int) int {
	return int(binary.BigEndian.Uint64(h[:8]) % uint64(max(1, buckets)))
}

// Short returns the first bytes of h.
func (h Hash) Short() (s Short) {
	copy(s[:], h[:])
	return s
}
