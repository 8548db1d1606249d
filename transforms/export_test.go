package transforms

// Meet sets who hears of each text before a step, and returns what takes it
// back. A hearer that panics stands for a step that does.
func Meet(hear func(step, text string)) (undo func()) {
	before := meet
	meet = hear
	return func() { meet = before }
}
