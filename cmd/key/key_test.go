package key

import (
	"bytes"
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/pipeline"
)

func keys(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

// A new key is 32 random bytes for its owner alone, and is never written over.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	status, id, stderr := keys("new", path)
	if status != 0 || len(id) != 17 {
		t.Fatalf("status %d: %q, %s", status, id, stderr)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file's mode is %v (%v)", info.Mode(), err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := hex.DecodeString(strings.TrimSuffix(string(first), "\n")); err != nil || len(raw) != 32 {
		t.Errorf("the file holds %d bytes in hex (%v)", len(raw), err)
	}
	if strings.Contains(stderr+id, string(first[:16])) {
		t.Error("the key is printed")
	}
	if status, _, stderr := keys("new", path); status != 64 || !strings.Contains(stderr, "never written over") {
		t.Errorf("a key that is there: status %d: %s", status, stderr)
	}
	if again, _ := os.ReadFile(path); !bytes.Equal(again, first) {
		t.Error("the key was written over")
	}
	other := filepath.Join(dir, "other")
	if _, another, _ := keys("new", other); another == id {
		t.Error("two keys have one id")
	}
	if status, _, _ := keys("new", filepath.Join(dir, "none", "key")); status != 64 {
		t.Errorf("a folder that is not there: status %d", status)
	}
}

// The id is the one that the job puts into manifest.json, by whatever way the
// key is named.
func TestID(t *testing.T) {
	dir := t.TempDir()
	path, config := filepath.Join(dir, "key"), filepath.Join(dir, "job.yaml")
	_, id, _ := keys("new", path)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PALIMPSEST_TEST_KEY", strings.TrimSpace(string(raw)))
	if err := os.WriteFile(config, []byte("key: file:"+path+"\nseed_epoch: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"id", "file:" + path}, {"id", "env:PALIMPSEST_TEST_KEY"}, {"id", "--config", config}} {
		if status, got, stderr := keys(args...); status != 0 || got != id {
			t.Errorf("%v: status %d: %q, want %q: %s", args, status, got, id, stderr)
		}
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Output, o.Private, o.Key = []string{"x.parquet"}, filepath.Join(dir, "out"), filepath.Join(t.TempDir(), "held"), "file:"+path
	o.Model, o.ExecutionProvider = "../../onnx/models/en-clinical", "cpu"
	cfg, err := pipeline.NewConfig(o)
	if err == nil {
		cfg, err = pipeline.PrepareTaggers(t.Context(), cfg)
	}
	if err != nil || cfg.KeyID+"\n" != id {
		t.Errorf("the job's key id is %q (%v), want %q", cfg.KeyID, err, id)
	}
}

func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"write key new PATH":       {},
		"write key new PATH, ":     {"new"},
		"write key new PATH, key":  {"id"},
		"must be file:PATH":        {"id", "PALIMPSEST"},
		"the variable is not set":  {"id", "env:PALIMPSEST_NO_SUCH_KEY"},
		"unknown flag --confg":     {"id", "--confg", "x"},
		"at least 32 are needed":   {"id", "file:key_test_short"},
		"there is no setting":      {"id", "--config", "key_test.yaml"},
		"key file:none: storage: ": {"id", "file:none"},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		if err := os.WriteFile("key_test_short", []byte("short\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("key_test.yaml", []byte("keys: x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, stdout, stderr := keys(args...); status != 64 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%v: status %d: %s, want %q", args, status, stderr, want)
		}
	}
}
