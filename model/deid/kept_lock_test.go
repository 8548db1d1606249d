package deid

import "testing"

// A panic over what is known of a patient costs a row; the patient's other rows wait for
// nobody.
func TestAPanicHoldsUpNoOtherRow(t *testing.T) {
	p := &Patient{} // without a plan
	func() {
		defer func() {
			if recover() == nil {
				t.Error("there was no panic")
			}
		}()
		p.Knows("Quackenbush")
	}()
	if !p.mu.TryLock() {
		t.Error("the patient is locked for ever")
	}
}
