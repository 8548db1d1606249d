package surrogate

import (
	"crypto/aes"
	"encoding/base32"
	"encoding/binary"
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

// PseudonymInt returns the pseudonym of v in a domain: a keyed bijection of
// the non-negative integers of that many bits (8, 16, 32 or 64, signed), and another
// of the negative ones, so that ids stay unique and keep sign and type. Any
// other bits, or a v that does not fit them, count as 64.
func (k *Keyring) PseudonymInt(domain string, v int64, bits int) int64 {
	if bits != 8 && bits != 16 && bits != 32 || v != v<<(64-bits)>>(64-bits) {
		bits = 64
	}
	var sign byte
	x := uint64(v)
	if v < 0 {
		sign = 1
		x = ^x
	}
	// AES serves as the round function: its key is an HMAC of the domain.
	sub := k.prfs[forIntegers].sum(0, domain)
	block, err := aes.NewCipher(sub[:])
	if err != nil {
		panic(err) // 32 bytes are a key
	}
	half := uint(bits / 2)
	mask := uint64(1)<<half - 1
	limit := uint64(1) << (bits - 1)
	var in, out [aes.BlockSize]byte
	// A Feistel network permutes all numbers of `bits` bits; walking its cycle
	// until the sign bit is clear permutes those below limit. Two steps on average.
	for {
		left, right := x>>half, x&mask
		for round := range feistelRounds {
			in[0], in[1], in[2] = byte(round), sign, byte(bits)
			binary.BigEndian.PutUint64(in[8:], right)
			block.Encrypt(out[:], in[:])
			left, right = right, left^binary.BigEndian.Uint64(out[:])&mask
		}
		if x = left<<half | right; x < limit {
			break
		}
	}
	if sign == 1 {
		x = ^x
	}
	return int64(x)
}
