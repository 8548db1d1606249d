package surrogate

// Mask returns s with X or x for letters by case and 0 for digits, all else as
// it is: what stands for values that no surrogate fits.
func Mask(s string) string { return mask(s) }
