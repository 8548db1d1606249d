package onnx

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>

// The first two members of OrtApiBase, which no version of ONNX Runtime may
// change. The binding asks for its own API version only, so that of a library
// which is too old would never be heard.
typedef struct {
	const void *(*GetApi)(unsigned int version);
	const char *(*GetVersionString)(void);
} api_base;

static const char *library_version(const char *path, const char **error) {
	void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!library) {
		*error = dlerror();
		return NULL;
	}
	const api_base *(*get)(void) = (const api_base *(*)(void))dlsym(library, "OrtGetApiBase");
	if (!get) {
		*error = "it has no OrtGetApiBase, so it is no ONNX Runtime";
		return NULL;
	}
	return get()->GetVersionString();
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// libraryVersion opens the library at path and returns its version, such as
// "1.27.0". The library stays open, as the binding opens it next.
func libraryVersion(path string) (string, error) {
	p := C.CString(path)
	defer C.free(unsafe.Pointer(p))
	var reason *C.char
	version := C.library_version(p, &reason)
	if version == nil {
		return "", errors.New(C.GoString(reason))
	}
	return C.GoString(version), nil
}
