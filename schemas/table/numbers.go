package table

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// mostScale is the most digits that a decimal may have behind its point, as 256 bits do.
const mostScale = 76

// isNumber tells whether a leaf holds decimals or floating-point numbers. Those may be
// ids too: Oracle and Spark write record numbers as DECIMAL, and pandas writes integers
// as DOUBLE once one of them is null.
func (n *node) isNumber() bool {
	return n.isFloat() || n.leaf >= 0 && n.isDecimal() && n.scale >= 0 && n.scale <= mostScale
}

// numberOf returns a value of a leaf that isNumber in decimal; whole says that it is an
// integer, of no more digits than ids have, and reads as one.
func numberOf(leaf *node, v *parquet.Value) (text string, whole bool) {
	if leaf.isFloat() {
		x, bits := 0.0, 64
		if leaf.phys == physFloat {
			x, bits = float64(v.Float()), 32
		} else {
			x = v.Double()
		}
		whole = x == math.Trunc(x) && math.Abs(x) < 1e18
		return strconv.FormatFloat(x+0, 'f', -1, bits), whole // -0 is 0
	}
	n := new(big.Int)
	switch leaf.phys {
	case physInt32:
		n.SetInt64(int64(v.Int32()))
	case physInt64:
		n.SetInt64(v.Int64())
	default: // big-endian, the first bit the sign
		b := v.ByteArray()
		if len(b) > 32 {
			return "", false
		}
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	digits := n.Abs(n).String()
	if short := leaf.scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	head, fraction := digits[:len(digits)-leaf.scale], digits[len(digits)-leaf.scale:]
	if strings.Trim(fraction, "0") != "" {
		return sign + head + "." + fraction, false
	}
	return sign + head, true
}
