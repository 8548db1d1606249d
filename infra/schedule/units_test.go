package schedule

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The timer and its service are units that systemd takes as they are, without a
// warning, once the script lies where they say.
func TestUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("there is no systemd-analyze")
	}
	dir := t.TempDir()
	script, err := filepath.Abs("nightly.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"palimpsest.service", "palimpsest.timer"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		unit := strings.ReplaceAll(string(raw), "/opt/palimpsest/schedule/nightly.sh", script)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(unit), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	verify := func() (string, error) {
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no",
			filepath.Join(dir, "palimpsest.service"), filepath.Join(dir, "palimpsest.timer")).CombinedOutput()
		var ours []string // systemd also looks at the units of this machine
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, "palimpsest") {
				ours = append(ours, line)
			}
		}
		return strings.Join(ours, ""), err
	}
	if said, err := verify(); err != nil || said != "" {
		t.Errorf("%v\n%s", err, said)
	}
	// It may touch what the example of its settings names.
	unit, err := os.ReadFile("palimpsest.service")
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile("nightly.env.example")
	if err != nil {
		t.Fatal(err)
	}
	var may []string
	for _, m := range regexp.MustCompile(`(?m)^Read(?:Only|Write)Paths=(.*)$`).FindAllStringSubmatch(string(unit), -1) {
		may = append(may, strings.Fields(m[1])...)
	}
	places := regexp.MustCompile(`(?m)^(?:# )?[A-Z]+=(/srv/[a-z-]+)`).FindAllStringSubmatch(string(settings), -1)
	for _, m := range places {
		if !slices.Contains(may, m[1]) && !slices.Contains(may, "-"+m[1]) {
			t.Errorf("the service may not touch %s, only %v", m[1], may)
		}
	}
	if len(places) < 5 {
		t.Errorf("the example names %v", places)
	}
	// It would notice.
	if err := os.WriteFile(filepath.Join(dir, "palimpsest.timer"), []byte("[Timer]\nOnCalendar=at night\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, _ := verify(); said == "" {
		t.Error("systemd-analyze finds nothing wrong with a timer without a time")
	}
}
