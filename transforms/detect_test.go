package transforms

import (
	"testing"
	"unsafe"

	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What detect keeps of a note holds no part of its text, which is much longer.
func TestSurfacesLeaveTheTextBehind(t *testing.T) {
	text := string(append([]byte("Seen by Okonkwo"), make([]byte, 1000)...))
	found := appendSpans(nil, 0, text, []ensemble.Found{{Span: phi.Span{Start: 8, End: 15, Type: phi.Doctor}}})
	surface := found[0].Surface
	if surface != "Okonkwo" {
		t.Fatalf("the surface is %q", surface)
	}
	if at := uintptr(unsafe.Pointer(unsafe.StringData(surface))) - uintptr(unsafe.Pointer(unsafe.StringData(text))); at < uintptr(len(text)) {
		t.Errorf("the surface is bytes %d on of the text itself", at)
	}
}
