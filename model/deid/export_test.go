package deid

// Meet sets who hears of each text or patient before a step, and returns what
// takes it back. A hearer that panics stands for a step that does.
func Meet(hear func(step, about string)) (undo func()) {
	before := meet
	meet = hear
	return func() { meet = before }
}
