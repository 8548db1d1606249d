// Package onnx runs the graphs of a model through ONNX Runtime: it finds the
// shared library, keeps one session per graph and process, and implements the
// interfaces that package bilstmcrf defines.
package onnx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// LibraryEnv names the environment variable that holds the path of
// libonnxruntime, or of a directory with it.
const LibraryEnv = "PALIMPSEST_ONNXRUNTIME"

// needMinor is the oldest ONNX Runtime 1.x that the Go binding's API (version
// 24) accepts. Newer ones are compatible.
const needMinor = 24

const need = "ONNX Runtime 1.24 or newer"

// fetched is where infra/onnxruntime/fetch.sh puts the library, from the root
// of the repository.
const fetched = ".cache/onnxruntime/1.27.0"

// fileNames are tried in a directory, in this order.
var fileNames = []string{"libonnxruntime.so", "libonnxruntime.so.1", "libonnxruntime.so.1.*"}

// Find returns the path of libonnxruntime. An explicit path (of the library or
// of its directory) or else the environment variable decides alone; without
// them the program's own directory and lib/ in it, the repository's own copy,
// LD_LIBRARY_PATH and the system's usual places are tried. Find opens nothing.
func Find(explicit string) (string, error) {
	for _, from := range []struct{ what, path string }{
		{"the setting onnxruntime", explicit},
		{LibraryEnv, os.Getenv(LibraryEnv)},
	} {
		if from.path == "" {
			continue
		}
		if info, err := os.Stat(from.path); err != nil {
			return "", fmt.Errorf("ONNX Runtime: %s names %s: %w; needed is the path of libonnxruntime.so, %s", from.what, from.path,
				errors.Unwrap(err), need)
		} else if !info.IsDir() {
			return from.path, nil
		}
		if path := inDirectory(from.path); path != "" {
			return path, nil
		}
		return "", fmt.Errorf("ONNX Runtime: %s names the directory %s, which holds no libonnxruntime.so; needed is %s", from.what, from.path,
			need)
	}
	dirs := places()
	for _, dir := range dirs {
		if path := inDirectory(dir); path != "" {
			return path, nil
		}
	}
	return "", fmt.Errorf("ONNX Runtime: no libonnxruntime.so in %s; run `make setup` to fetch it, or set %s (or --onnxruntime) to the "+
		"path of %s",
		strings.Join(dirs, ", "), LibraryEnv, need)
}

// places lists where to look, nearest first.
func places() []string {
	var dirs []string
	repository := func(dir string) {
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				if dir = filepath.Join(dir, fetched); !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
				return
			}
		}
	}
	// A release brings its own, which what lies where it is run must not replace.
	if exe, err := os.Executable(); err == nil { // links are followed
		dir := filepath.Dir(exe)
		dirs = append(dirs, dir, filepath.Join(dir, "lib"))
		if filepath.Base(dir) == "bin" {
			dirs = append(dirs, filepath.Join(filepath.Dir(dir), "lib"))
		}
		repository(dir)
	}
	if wd, err := os.Getwd(); err == nil {
		repository(wd)
	}
	for _, dir := range filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")) {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return append(dirs, "/opt/onnxruntime/lib", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib")
}

func inDirectory(dir string) string {
	files, err := os.ReadDir(dir) // filepath.Glob would take "[1]" in its name for a pattern
	if err != nil {
		return ""
	}
	for _, name := range fileNames {
		var paths []string
		for _, f := range files {
			if ok, err := filepath.Match(name, f.Name()); err == nil && ok {
				paths = append(paths, filepath.Join(dir, f.Name()))
			}
		}
		if len(paths) > 0 {
			return slices.MaxFunc(paths, func(a, b string) int { return slices.Compare(numbers(a), numbers(b)) })
		}
	}
	return ""
}

// numbers returns the version in a library's file name: 1, 27, 0 of
// libonnxruntime.so.1.27.0.
func numbers(path string) []int {
	_, version, _ := strings.Cut(filepath.Base(path), ".so.")
	var parts []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		parts = append(parts, n)
	}
	return parts
}

// environment is the process-wide state of ONNX Runtime. It is made once and
// never destroyed: other users of the library may share it, and no runner
// promises to say when a worker is done.
var environment struct {
	sync.Mutex
	path    string
	version string
}

// Initialize loads the library that Find(explicit) names and returns its path
// and version. Later calls return the library that is loaded already; asking
// for another one is an error. Safe for concurrent use.
func Initialize(explicit string) (path, version string, err error) {
	environment.Lock()
	defer environment.Unlock()
	if environment.path != "" {
		if explicit != "" {
			asked, err := Find(explicit)
			if err != nil {
				return "", "", err
			}
			if !sameFile(asked, environment.path) {
				return "", "", fmt.Errorf("ONNX Runtime: %s is loaded already, so %s cannot be", environment.path, asked)
			}
		}
		return environment.path, environment.version, nil
	}
	if path, err = Find(explicit); err != nil {
		return "", "", err
	}
	if version, err = libraryVersion(path); err != nil {
		return "", "", fmt.Errorf("ONNX Runtime: %s cannot be used: %w; needed is %s", path, err, need)
	}
	if !recent(version) {
		return "", "", fmt.Errorf("ONNX Runtime: %s is version %s; needed is %s", path, version, need)
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return "", "", fmt.Errorf("ONNX Runtime: %s, version %s, refused to start: %w; needed is %s", path, version, err, need)
	}
	environment.path, environment.version = path, version
	return path, version, nil
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// recent reports whether version is needMinor of the 1.x line or newer.
func recent(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err1 == nil && err2 == nil && (major > 1 || major == 1 && minor >= needMinor)
}
