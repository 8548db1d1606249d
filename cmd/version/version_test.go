package version

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func versions(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

// A missing library is told, and all else; what there is has its version.
func TestVersion(t *testing.T) {
	status, stdout, stderr := versions("--onnxruntime=none.so")
	if status != 0 || !strings.Contains(stdout, "ONNX Runtime  none that can be used: ") ||
		!strings.Contains(stdout, "model         en-clinical-fast ") {
		t.Errorf("status %d:\n%s%s", status, stdout, stderr)
	}
	status, stdout, stderr = versions()
	for _, want := range []string{"palimpsest    dev", "Go            go1.", "Apache Beam   2.", "ONNX Runtime  1.", "libonnxruntime.so",
		", es ("} {
		if status != 0 || !strings.Contains(stdout, want) {
			t.Errorf("status %d: there is no %q in\n%s%s", status, want, stdout, stderr)
		}
	}
	if status, _, stderr := versions("x"); status != 64 || !strings.Contains(stderr, `"x" belongs to no flag`) {
		t.Errorf("status %d: %s", status, stderr)
	}
}
