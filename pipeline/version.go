package pipeline

import "runtime/debug"

// version is the program's, where the build sets it:
//
//	go build -ldflags "-X github.com/palimpsest-deid/palimpsest/pipeline.version=1.2.0" ./cmd/run
var version string

// Version returns the program's version: that of the build, or dev and the
// revision it was built from. Builds of one revision have one version; nothing
// of the day or the machine is in it, since the manifest holds it.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(version, info)
}

func versionOf(set string, info *debug.BuildInfo) string {
	if set != "" {
		return set
	}
	v := "dev"
	if info == nil {
		return v
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if r := settings["vcs.revision"]; r != "" {
		v += "-" + r[:min(len(r), 12)]
		if settings["vcs.modified"] == "true" {
			v += "-modified"
		}
	}
	return v
}
