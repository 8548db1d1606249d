package names

import "testing"

func TestMisread(t *testing.T) {
	for word, want := range map[string]bool{
		"Trex1er": true, "T0LEDO": true, "0BIAGELI": true, "1ndian": true, "0rt01aza": true, "Domingci1": true, "L00KS": true,
		"WlLL": true, "CROClFlSSA": true, "lSOBE": true, "Du5ty": true,
		"7B": false, "Ward7": false, "Smith4": false, "1Smith": false, "Smith01": false, "Will": false, "MRNs": false, "Bill": false,
		"B12": false, "H2O": false, "A1c": false, "12th": false, "all": false, "SMITHlives": false, "0Smith1": false, "": false,
	} {
		if got := Misread(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
