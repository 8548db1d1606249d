package schedule

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// What the Makefile removes is named by itself or on the command line, never by a
// variable of the environment that happens to have the name.
func TestTheEnvironmentNamesNothingToRemove(t *testing.T) {
	raw, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	const elsewhere = "/somebody/elses"
	value := func(name string, env, args []string) string {
		cmd := exec.CommandContext(t.Context(), "make", append([]string{"-C", "../..", "-s", "--no-print-directory",
			"--eval", "value: ; @echo '$(" + name + ")'", "value"}, args...)...)
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return strings.TrimSpace(string(out))
	}
	seen := map[string]bool{}
	for _, removed := range regexp.MustCompile(`rm -rf ([^&;|}\n]*)`).FindAllStringSubmatch(string(raw), -1) {
		for _, m := range regexp.MustCompile(`\$\((\w+)\)`).FindAllStringSubmatch(removed[1], -1) {
			name := m[1]
			if seen[name] {
				continue
			}
			seen[name] = true
			set := name + "=" + elsewhere
			if got := value(name, []string{set}, nil); got == "" || strings.Contains(got, elsewhere) {
				t.Errorf("%s is %q where the environment has %s", name, got, set)
			}
			if got := value(name, nil, []string{set}); got != elsewhere {
				t.Errorf("make %s takes %q", set, got)
			}
		}
	}
	if len(seen) < 7 {
		t.Errorf("only %v are removed", seen)
	}
}
