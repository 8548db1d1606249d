package score

// Comparison is what approximate randomisation says of two systems on the
// same documents (Yeh 2000).
type Comparison struct {
	Documents int                 `json:"documents"`
	Shuffles  int                 `json:"shuffles"`
	Seed      uint64              `json:"seed"`
	Measures  []MeasureComparison `json:"measures"` // the metrics of Result.Metrics, then MEDDOCAN's
}

// MeasureComparison compares two systems by one measure, micro-averaged. P
// holds two-sided p-values: (shuffles with a difference at least as large + 1)
// / (shuffles + 1).
type MeasureComparison struct {
	Measure    Measure `json:"measure"`
	Subset     Subset  `json:"subset"`
	A          Rates   `json:"a"`
	B          Rates   `json:"b"`
	Difference Rates   `json:"difference"` // A - B
	P          Rates   `json:"p"`
}
