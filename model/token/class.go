package token

// IsWord reports whether a token is letters or digits.
func IsWord(c Class) bool { return c <= Digits }

// IsLetters reports whether a token is letters.
func IsLetters(c Class) bool { return c <= Mixed }
