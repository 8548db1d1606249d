package memory

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/fstest"
)

const (
	mib     = 1 << 20
	meminfo = "MemTotal:       24576000 kB\nMemFree:        18000000 kB\n"
	total   = 24576000 << 10
)

// The smallest limit counts, on whichever of the groups it lies, of both versions.
func TestAvailable(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"a machine", map[string]string{"proc/self/cgroup": "0::/\n"}, total},
		{"nothing is said of groups", nil, total},
		{"version 2", map[string]string{
			"proc/self/cgroup":                       "0::/kubepods/pod1\n",
			"sys/fs/cgroup/kubepods/pod1/memory.max": "2147483648\n",
		}, 2048 * mib},
		{"version 2, the limit is on a group above", map[string]string{
			"proc/self/cgroup": "0::/user.slice/session.scope\n",
			"sys/fs/cgroup/user.slice/session.scope/memory.max": "max\n",
			"sys/fs/cgroup/user.slice/memory.max":               "1073741824\n",
		}, 1024 * mib},
		{"version 2 in a container that sees the host's path", map[string]string{
			"proc/self/cgroup":         "0::/../../docker/abc\n",
			"sys/fs/cgroup/memory.max": "536870912\n",
		}, 512 * mib},
		{"version 1", map[string]string{
			"proc/self/cgroup": "9:pids:/a\n4:memory:/docker/abc\n0::/\n",
			"sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "3221225472\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":            "9223372036854771712\n",
		}, 3072 * mib},
		{"version 1, with other controllers", map[string]string{
			"proc/self/cgroup":                           "4:cpu,memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "3221225472\n",
		}, 3072 * mib},
		{"version 1 without a limit", map[string]string{
			"proc/self/cgroup":                           "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, total},
		{"a limit above what the machine has", map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "99999999999999\n",
		}, total},
		{"not understood", map[string]string{"proc/self/cgroup": "?\n0::\n", "sys/fs/cgroup/memory.max": "lots\n"}, total},
	} {
		root := fstest.MapFS{"proc/meminfo": {Data: []byte(meminfo)}}
		for name, text := range test.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := available(root); got != test.want {
			t.Errorf("%s: %d MiB, want %d", test.name, got/mib, test.want/mib)
		}
	}
	if got := available(fstest.MapFS{}); got != 0 {
		t.Errorf("where nothing is said: %d", got)
	}
	if got := Available(); got < 64*mib {
		t.Errorf("this machine: %d bytes", got)
	}
}

// Room for ONNX Runtime is left, and a small container still gets half for Go.
func TestGoLimit(t *testing.T) {
	for has, want := range map[int64]int64{0: 0, 256 * mib: 128 * mib, 1256 * mib: 900 * mib} {
		if got := goLimit(has); got/mib != want/mib {
			t.Errorf("of %d MiB: %d, want %d", has/mib, got/mib, want/mib)
		}
	}
}

// A small heap may grow before it is collected; a large one has garbage of half its size.
func TestPercentAt(t *testing.T) {
	for live, want := range map[uint64]int{0: 6400, mib: 25500, 64 * mib: 300, 128 * mib: 100, 170 * mib: 50, 256 * mib: 50, 4096 * mib: 50} {
		if got := percentAt(live); got != want {
			t.Errorf("%d MiB: %d %%, want %d", live/mib, got, want)
		}
	}
}

// What somebody has set in the environment stays; else the limit is set, and the
// percentage follows what is reachable, up and down.
func TestGovern(t *testing.T) {
	if os.Getenv("GOVERNED") != "" {
		before := debug.SetMemoryLimit(-1)
		Govern()
		limit := debug.SetMemoryLimit(-1)
		if os.Getenv("GOMEMLIMIT") != "" {
			if gc := debug.SetGCPercent(percent); limit != before || limit != 777*mib || gc != 33 {
				t.Errorf("GOMEMLIMIT=777MiB GOGC=33: limit %d, GOGC %d", limit, gc)
			}
			return
		}
		if before != math.MaxInt64 || limit != goLimit(Available()) {
			t.Errorf("limit %d, before %d, want %d", limit, before, goLimit(Available()))
		}
		held := make([]byte, least)
		untilPercent(func(p uint64) bool { return p == percent })
		runtime.KeepAlive(held)
		untilPercent(func(p uint64) bool { return p > 10*percent })
		return
	}
	for _, set := range [][]string{{"GOMEMLIMIT=777MiB", "GOGC=33"}, {"GOMEMLIMIT=", "GOGC="}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestGovern$")
		cmd.Env = append(append(os.Environ(), "GOVERNED=1"), set...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", set, err, out)
		}
	}
}

// untilPercent collects until the collector's percentage is as it should be.
func untilPercent(is func(uint64) bool) {
	at := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	for ok := false; !ok; ok = is(at[0].Value.Uint64()) {
		runtime.GC()
		metrics.Read(at)
	}
}
