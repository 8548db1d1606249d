package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// A former release that is not finished, or a trial, is none to compare with.
func TestDriftTakesNoUnfinishedRelease(t *testing.T) {
	dir := t.TempDir()
	former := filepath.Join(dir, "former")
	if err := os.MkdirAll(former, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(former, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(transforms.ReportFile, `{"tokens": 10}`)
	c := transforms.Config{}
	c.GateFile = thresholds(t, dir, fmt.Sprintf("drift: {former: %s/, at_most: 20}\n", former))
	refused := func(want string) {
		t.Helper()
		if _, err := readGate(t.Context(), c); fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused("holds no finished release: it has no _SUCCESS")
	write(transforms.TrialFile, "")
	refused("it is a trial of some notes")
	write(transforms.SuccessFile, "")
	if g, err := readGate(t.Context(), c); err != nil || g.Former.Tokens != 10 {
		t.Errorf("%+v, %v", g, err)
	}
}
