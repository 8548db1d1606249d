package deid_test

import (
	"testing"
	"unsafe"

	"github.com/palimpsest-deid/palimpsest/model/deid"
)

// What detect keeps of a note holds no part of its text, which is much longer.
func TestSurfacesLeaveTheTextBehind(t *testing.T) {
	text := string(append([]byte("Seen on 03/04/2019."), make([]byte, 1000)...))
	notes := []deid.Note{{Document: "a"}}
	if _, err := detector(t).Detect(notes, [][]string{{text}}); err != nil {
		t.Fatal(err)
	}
	surface := notes[0].Spans[0].Surface
	if surface != "03/04/2019" {
		t.Fatalf("the surface is %q", surface)
	}
	if at := uintptr(unsafe.Pointer(unsafe.StringData(surface))) - uintptr(unsafe.Pointer(unsafe.StringData(text))); at < uintptr(len(text)) {
		t.Errorf("the surface is bytes %d on of the text itself", at)
	}
}
