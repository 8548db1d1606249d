package deid

import "testing"

// TestOfBirth: what says that a date of birth follows.
func TestOfBirth(t *testing.T) {
	for before, want := range map[string]bool{
		"DOB: ": true, "D.O.B. ": true, "(born ": true, "Born on ": true, "Date of birth:\t": true, "birthdate = ": true,
		"F.Nac.: ": true, "fecha de nacimiento: ": true, "newborn ": false, "reborn ": false, "Seen ": false, "": false,
	} {
		if got := ofBirth(before+"03/04/27", len(before)); got != want {
			t.Errorf("%q: %v, want %v", before, got, want)
		}
	}
}
