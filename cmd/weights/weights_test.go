package weights

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/features"
	"github.com/palimpsest-deid/palimpsest/model/linear"
)

// What is written is found again, and nothing else.
func TestWeights(t *testing.T) {
	command := func(in string, args ...string) (status int, out, said string) {
		var stdout, stderr bytes.Buffer
		status = Main(t.Context(), args, strings.NewReader(in), &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	status, table, said := command("@w+0=dr\t0\t0.5\n@w+0=dr\t2\t-1.25\nsh+0=Xx\t1\t2\n")
	if status != 0 {
		t.Fatal(said)
	}
	model := t.TempDir()
	sum := sha256.Sum256([]byte(table))
	for name, data := range map[string]string{linear.WeightsFile: table, "model.json": fmt.Sprintf(
		`{"format_version": 1, "kind": %q, "name": "tiny", "version": "1.0.0", "language": "en", "labels": ["O", "DOCTOR", "DATE"],
		"tokenizer": {"window_tokens": 128}, "features_version": %d, "files": {%q: "%x"}}`,
		linear.SVM, features.Version, linear.WeightsFile, sum)} {
		if err := os.WriteFile(filepath.Join(model, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if status, out, said := command("sh+0=Xx\n@w+0=mr\n@w+0=dr\n", "--holds", model); status != 0 || out != "sh+0=Xx\n@w+0=dr\n" {
		t.Errorf("status %d, %q: %s", status, out, said)
	}
	for in, want := range map[string]string{"a\t1\n": "line 1: want a feature", "a\tx\t1\n": "the label is no number",
		"a\t1\tx\n": "the weight is no number", "a\t-1\t1\n": "label -1"} {
		if status, out, said := command(in); status != int(fault.Refused) || out != "" || !strings.Contains(said, want) {
			t.Errorf("%q: status %d, %q", in, status, said)
		}
	}
}
