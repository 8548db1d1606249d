package version

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

// A missing library is told, and all else; what there is has its version.
func TestVersion(t *testing.T) {
	status, stdout, stderr := run("--onnxruntime=none.so")
	if status != 0 || !strings.Contains(stdout, "ONNX Runtime  none that can be used: ") ||
		!strings.Contains(stdout, "model         en-clinical ") {
		t.Errorf("status %d:\n%s%s", status, stdout, stderr)
	}
	status, stdout, stderr = run()
	for _, want := range []string{"palimpsest    dev", "Go            go1.", "Apache Beam   2.", "ONNX Runtime  1.", "libonnxruntime.so",
		", bilstm-crf, es ("} {
		if status != 0 || !strings.Contains(stdout, want) {
			t.Errorf("status %d: there is no %q in\n%s%s", status, want, stdout, stderr)
		}
	}
	if status, _, stderr := run("x"); status != 64 || !strings.Contains(stderr, `"x" belongs to no flag`) {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// Programs read the same with --json.
func TestJSON(t *testing.T) {
	status, stdout, stderr := run("--json")
	var v versions
	if err := json.Unmarshal([]byte(stdout), &v); status != 0 || err != nil {
		t.Fatalf("status %d, %v:\n%s%s", status, err, stdout, stderr)
	}
	if !strings.HasPrefix(v.Program, "dev") || !strings.HasPrefix(v.Beam, "2.") || v.Runtime.Version == "" || v.Runtime.Error != "" ||
		len(v.Models) != 5 || v.Models[0].Name != "en-clinical" || v.Models[0].Language != "en" || v.Platform == "" {
		t.Errorf("%+v", v)
	}
	status, stdout, _ = run("--json", "--onnxruntime=none.so")
	if status != 0 || !strings.Contains(stdout, `"error": "`) || strings.Contains(stdout, `"path": "",`) {
		t.Errorf("status %d:\n%s", status, stdout)
	}
}
