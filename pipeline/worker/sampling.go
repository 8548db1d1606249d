package worker

import (
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
)

// capabilities is the variable in which Beam's boot program tells a worker
// what its runner can do, separated by spaces.
const capabilities = "RUNNER_CAPABILITIES"

// RefuseSampling takes data sampling from what the boot program offers, as Run
// does for workers started without it: samples would show elements, and with
// them PHI, to whoever may see the runner's pages. It must be called before
// beam.Init.
func RefuseSampling() {
	value, set := os.LookupEnv(capabilities)
	if !set {
		return
	}
	offered := slices.DeleteFunc(strings.Fields(value), func(urn string) bool { return urn == graphx.URNDataSampling })
	os.Setenv(capabilities, strings.Join(offered, " "))
}
