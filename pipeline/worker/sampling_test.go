package worker

import (
	"os"
	"testing"
)

func TestRefuseSampling(t *testing.T) {
	for _, c := range []struct{ offered, want string }{
		{"", ""},
		{"beam:protocol:data_sampling:v1", ""},
		{"a:b beam:protocol:data_sampling:v1 c:d", "a:b c:d"},
		{"a:b c:d", "a:b c:d"},
	} {
		t.Setenv("RUNNER_CAPABILITIES", c.offered)
		RefuseSampling()
		if got := os.Getenv("RUNNER_CAPABILITIES"); got != c.want {
			t.Errorf("of %q is left %q, want %q", c.offered, got, c.want)
		}
	}
}
