package pipeline

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	build := func(settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		set  string
		info *debug.BuildInfo
		want string
	}{
		{"1.2.0", build("vcs.revision", revision), "1.2.0"},
		{"", nil, "dev"},
		{"", build(), "dev"},
		{"", build("vcs.revision", revision, "vcs.time", "2026-01-31T00:00:00Z", "vcs.modified", "false"), "dev-0123456789ab"},
		{"", build("vcs.revision", revision, "vcs.modified", "true"), "dev-0123456789ab-modified"},
	} {
		if got := versionOf(c.set, c.info); got != c.want {
			t.Errorf("%q of %v is %q, want %q", c.set, c.info, got, c.want)
		}
	}
}
