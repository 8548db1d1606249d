package surrogate

import (
	"crypto/aes"
	"encoding/base32"
	"encoding/binary"
	mathbits "math/bits"
)

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// PseudonymString returns the pseudonym of s in a domain: 26 characters a-z and
// 2-7, the first 128 bits of an HMAC. Tables scrubbed apart under one key and
// domain still join.
func (k *Keyring) PseudonymString(domain, s string) string {
	sum := k.prfs[forStrings].sum(0, domain, s)
	return lowerBase32.EncodeToString(sum[:16])
}

// feistelRounds is even; ten is well above what generic attacks on balanced
// Feistel networks of this width reach (Patarin 2004).
const feistelRounds = 10

// PseudonymUint returns the pseudonym of a non-negative integer in a domain, as
// a column of that many bits (8, 16, 32 or 64) holds it: a keyed bijection, so
// that ids stay unique. Columns of 32 and 64 bits, signed or not, give equal
// numbers equal pseudonyms, so tables whose ids differ in width still join. To
// that end each of the ranges that a type adds (below 2^31, 2^32, 2^63 and 2^64) is
// permuted in itself; the pseudonym says which one the id is in. Columns of 8
// and 16 bits have no room for that: each is permuted by itself and joins with
// its own width and sign alone.
func (k *Keyring) PseudonymUint(domain string, v uint64, bits int, signed bool) uint64 {
	switch {
	case bits == 8 && signed:
		return k.permute(domain, v, 0, 1<<7)
	case bits == 8:
		return k.permute(domain, v, 0, 1<<8)
	case bits == 16 && signed:
		return k.permute(domain, v, 0, 1<<15)
	case bits == 16:
		return k.permute(domain, v, 0, 1<<16)
	case v < 1<<31:
		return k.permute(domain, v, 0, 1<<31)
	case v < 1<<32:
		return k.permute(domain, v, 1<<31, 1<<32)
	case v < 1<<63:
		return k.permute(domain, v, 1<<32, 1<<63)
	}
	return k.permute(domain, v, 1<<63, 0)
}

// PseudonymInt is PseudonymUint for signed columns. Negative integers stay
// negative and are permuted as their complements are, in a domain of their own.
func (k *Keyring) PseudonymInt(domain string, v int64, bits int) int64 {
	if v < 0 {
		return ^int64(k.PseudonymUint(domain+"\x00negative", uint64(^v), bits, true))
	}
	return int64(k.PseudonymUint(domain, uint64(v), bits, true))
}

// permute is a keyed permutation of the numbers from lo to below hi; hi 0 means
// 2^64. A v outside of the range is returned as it is: it cannot be released
// by a caller that respects its column's type, and must not loop.
func (k *Keyring) permute(domain string, v, lo, hi uint64) uint64 {
	if v < lo || hi > 0 && v >= hi {
		return v
	}
	bits := uint(64)
	if hi > 0 {
		bits = uint(mathbits.Len64(hi - 1))
		bits += bits & 1 // the halves of the network are equal
	}
	// AES serves as the round function: its key is an HMAC of the domain.
	sub := k.prfs[forIntegers].sum(0, domain)
	block, err := aes.NewCipher(sub[:])
	if err != nil {
		panic(err) // 32 bytes are a key
	}
	half := bits / 2
	mask := uint64(1)<<half - 1
	var in, out [aes.BlockSize]byte
	// A Feistel network permutes all numbers of `bits` bits; walking its cycle
	// until the range is met again permutes the range. Two to four steps on average.
	for {
		left, right := v>>half, v&mask
		for round := range feistelRounds {
			in[0], in[1], in[2] = byte(round), byte(bits), byte(mathbits.Len64(hi))
			binary.BigEndian.PutUint64(in[8:], right)
			block.Encrypt(out[:], in[:])
			left, right = right, left^binary.BigEndian.Uint64(out[:])&mask
		}
		if v = left<<half | right; v >= lo && (hi == 0 || v < hi) {
			return v
		}
	}
}
