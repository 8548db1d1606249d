// A library that says it is an ONNX Runtime which is too old.
#include <stddef.h>

static const void *get_api(unsigned int version) { return NULL; }
static const char *get_version(void) { return "1.20.1"; }

static const struct {
	const void *(*GetApi)(unsigned int);
	const char *(*GetVersionString)(void);
} base = {get_api, get_version};

const void *OrtGetApiBase(void) { return &base; }
