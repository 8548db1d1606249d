package flink

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// container is what infra/kubernetes says of one.
type container struct {
	Name          string
	Command, Args []string
	Env           []struct{ Name string }
}

// containers returns all containers of manifests by their names.
func containers(t *testing.T, files ...string) map[string]container {
	t.Helper()
	all := map[string]container{}
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Join(repository, "infra/kubernetes", file))
		if err != nil {
			t.Fatal(err)
		}
		for d := yaml.NewDecoder(bytes.NewReader(raw)); ; {
			var object struct {
				Spec struct {
					Template struct {
						Spec struct{ Containers []container }
					}
				}
			}
			if err := d.Decode(&object); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(file, err)
			}
			for _, c := range object.Spec.Template.Spec.Containers {
				all[c.Name] = c
			}
		}
	}
	return all
}

// pod stands in for one: an address of its own, on the loopback interface, and
// a folder for its files. localhost and 0.0.0.0 are that address, too.
type pod struct{ ip, dir string }

func newPod(t *testing.T, ip string, ports ...int) pod {
	t.Helper()
	for _, port := range ports {
		l, err := net.Listen("tcp", fmt.Sprintf("%s:%d", ip, port))
		if err != nil {
			t.Skipf("SKIPPED: %s cannot be a pod's address here: %v", ip, err)
		}
		l.Close()
	}
	return pod{ip, t.TempDir()}
}

const jobmanagerPod, taskmanagerPod = "127.0.8.11", "127.0.8.12"

var service = regexp.MustCompile(`\bflink-jobmanager\b`)

// in returns what a setting of the manifests means in the pod.
func (p pod) in(setting string) string {
	setting = strings.NewReplacer("$(POD_IP)", p.ip, "localhost", p.ip, "127.0.0.1", p.ip, "0.0.0.0", p.ip, "/tmp", p.dir).Replace(setting)
	return service.ReplaceAllString(setting, jobmanagerPod)
}

// args returns a command line. Beam's job server tells others where it listens,
// which on one machine works by chance even for 0.0.0.0.
func (p pod) args(t *testing.T, args []string) []string {
	t.Helper()
	var out []string
	for _, a := range args {
		if strings.Contains(a, "0.0.0.0") {
			t.Fatalf("%s: no other pod can reach that", a)
		}
		out = append(out, p.in(a))
	}
	return out
}

// conf writes flink-conf.yaml as the pod has it, but for sizes, which the start
// scripts of Flink's image would work out.
func (p pod) conf(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "infra/kubernetes/base/flink-conf.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	conf := regexp.MustCompile(`(?m)^\w+\.memory\.process\.size:.*$`).ReplaceAllString(p.in(string(raw)), "")
	// Flink looks itself up by address, and all of these are called localhost.
	conf = strings.Replace(conf, "jobmanager.bind-host: "+p.ip, "jobmanager.bind-host: 0.0.0.0", 1) + `
taskmanager.cpu.cores: 2
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.task.heap.size: 512m
taskmanager.memory.task.off-heap.size: 128m
taskmanager.memory.managed.size: 256m
taskmanager.memory.jvm-metaspace.size: 256m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
`
	if err := os.WriteFile(filepath.Join(p.dir, "flink-conf.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return p.dir
}

// The commands of infra/kubernetes, as processes on this machine whose pods are
// aliases of the loopback interface, run a job: each finds the others where the
// manifests say that they are.
func TestKubernetesManifests(t *testing.T) {
	jars := os.Getenv("JARS")
	if jars == "" {
		flinkJars(t)
		jars = filepath.Join(repository, ".cache/flink/1.19.0-beam-2.62.0")
	}
	all := containers(t, "base/jobmanager.yaml", "base/taskmanager.yaml", "job/job.yaml")
	jm := newPod(t, jobmanagerPod, 6123, 6124, 8081, 8098, 8099)
	tm := newPod(t, taskmanagerPod, 6121, 6122, 50000)
	s := &site{T: t, dir: t.TempDir()}
	s.binary = filepath.Join(s.dir, "palimpsest")
	if out, err := command(t, "go", "build", "-o", s.binary, "./cmd/run"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(s.file("key"), []byte("a key of the tests: fifty bytes or so, never to be seen"), 0o600); err != nil {
		t.Fatal(err)
	}
	java := func(name string, p pod, class string, args ...string) *daemon {
		words := []string{"java", "-Xmx512m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + p.dir}
		for _, pkg := range []string{"java.lang", "java.net", "java.nio", "java.time", "java.util", "java.util.concurrent"} {
			words = append(words, "--add-opens=java.base/"+pkg+"=ALL-UNNAMED")
		}
		return spawn(t, name, nil, append(append(words, "-cp", jars+"/*", class), args...)...)
	}
	says := func(d *daemon, text string) { d.until(t, text, func() bool { return strings.Contains(d.log(), text) }) }

	jobmanager := java("jobmanager", jm, "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "--configDir", jm.conf(t))
	says(jobmanager, "Starting the resource manager")
	taskmanager := java("taskmanager", tm, "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
		append([]string{"--configDir", tm.conf(t)}, tm.args(t, all["taskmanager"].Args)...)...)
	says(taskmanager, "Successful registration at resource manager")
	jobserver := java("jobserver", jm, "org.apache.beam.runners.flink.FlinkJobServerDriver", jm.args(t, all["jobserver"].Args)...)
	says(jobserver, "Job server now running")
	pool := spawn(t, "pool", nil, append([]string{s.binary}, tm.args(t, append(all["pool"].Command[1:], all["pool"].Args...))...)...)
	says(pool, "listening at "+taskmanagerPod+":50000")

	var settings []string
	for _, a := range all["launcher"].Args {
		name, _, _ := strings.Cut(a, "=")
		switch name {
		case "--input", "--identifiers", "--output", "--private", "--key": // the user's own
		case "--parallelism":
			settings = append(settings, "--parallelism=2") // of the replicas, there is one here
		case "--environment_config": // read by task managers
			settings = append(settings, tm.in(a))
		default:
			settings = append(settings, pod{"127.0.8.13", s.dir}.in(a))
		}
	}
	s.run(t, "kubernetes", append(exampleSettings, settings...)...)
	if log := pool.log(); !strings.Contains(log, ": connected") {
		t.Errorf("the pool started no worker:\n%s", log)
	}
}
