package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/parquet-go/parquet-go"
	"google.golang.org/protobuf/proto"

	"github.com/palimpsest-deid/palimpsest/pipeline/secrettest"
)

// runMain makes the test binary the program itself.
const runMain = "PALIMPSEST_TEST_RUNS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(runMain) != "" {
		watchMain(main)
		return
	}
	os.Exit(m.Run())
}

// program runs the program in a process of its own.
func program(t *testing.T, environ []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(append(os.Environ(), runMain+"=1"), environ...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}

// dataflow returns the settings of a job on Dataflow over the examples.
func dataflow(more ...string) []string {
	return append([]string{
		"--runner=dataflow", "--project=a-project", "--region=a-region", "--staging_location=gs://a-bucket/staging",
		"--sdk_container_image=a-registry/palimpsest-worker:1",
		"--input=gs://a-bucket/in/*.parquet", "--identifiers=gs://a-bucket/identifiers.parquet",
		"--output=gs://a-bucket/out", "--private=gs://a-bucket/held", "--private_beside_output",
		"--date_columns=note_date,written_at,admitted_at", "--id_columns=encounter_id",
		"--other_columns=keep", "--accept_columns=orders.list.element.code",
		"--key=gcp-secret:" + keyThere,
	}, more...)
}

// site is a Google Cloud that holds the examples.
func site(t *testing.T) *google {
	t.Helper()
	g := newGoogle(t)
	g.put(t, "../../examples/notes.parquet", "in/notes.parquet")
	g.put(t, "../../examples/identifiers.parquet", "identifiers.parquet")
	return g
}

// The job that Beam's runner would submit is the one that was looked at and
// found right: image, accelerator, threads, worker binary, network, key by
// reference. PALIMPSEST_UPDATE=1 writes the files anew, to be looked at.
func TestDataflowDryRun(t *testing.T) {
	g := site(t)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"dataflow-cpu", []string{"--execution_provider=cpu", "--worker_machine_type=n2-standard-8", "--verbose"}},
		{"dataflow-cuda", []string{
			"--execution_provider=cuda", "--worker_machine_type=g2-standard-8", "--disk_size_gb=100",
			"--dataflow_service_options=worker_accelerator=type:nvidia-l4;count:1;install-nvidia-driver",
			"--number_of_worker_harness_threads=3", "--worker_binary=dataflow_test.go",
			"--no_use_public_ips", "--subnetwork=regions/a-region/subnetworks/a-subnetwork",
			"--service_account_email=palimpsest@a-project.iam.gserviceaccount.com",
			"--dataflow_kms_key=projects/a-project/locations/a-region/keyRings/r/cryptoKeys/k",
			"--num_workers=2", "--max_num_workers=20", "--job_name=release-1", "--model=gs://a-bucket/model",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"char.onnx", "characters.txt", "embedding.f32", "model.json", "token.onnx", "transitions.f32",
				"vocabulary.txt"} {
				g.put(t, "../../onnx/models/en-clinical-accurate/"+name, "model/"+name)
			}
			stdout, stderr, code := program(t, g.environ, dataflow(append(c.args, "--dry_run")...)...)
			if code != 0 {
				t.Fatalf("exit code %d:\n%s", code, stderr)
			}
			// The whole graph stands in the log, if it is asked for.
			if verbose := slices.Contains(c.args, "--verbose"); verbose != strings.Contains(stderr, "transforms.Detect") {
				t.Errorf("the log is not as asked:\n%s", stderr)
			}
			checkHidden(t, "the job", stdout)
			checkHidden(t, "the log", stderr)
			got := reduceJob(t, stdout)
			golden(t, c.name+".json", got)
		})
	}
	if g.submitted != nil {
		t.Error("a dry run has submitted a job")
	}
	if staged := g.staged(t); len(staged) > 0 {
		t.Errorf("a dry run has staged %v", staged)
	}
}

// What is staged and submitted is this very program, a graph without secrets,
// and the job of the dry run.
func TestDataflowSubmission(t *testing.T) {
	g := site(t)
	_, stderr, code := program(t, g.environ, dataflow("--execution_provider=cpu", "--worker_machine_type=n2-standard-8")...)
	// The stand-in says that the job is done, and has done nothing.
	if code == 0 || !strings.Contains(stderr, "submitted to Dataflow as "+testJob) || !strings.Contains(stderr, "has ended without a report") {
		t.Fatalf("exit code %d:\n%s", code, stderr)
	}
	checkHidden(t, "the log", stderr)
	checkHidden(t, "the job", string(g.submitted))
	golden(t, "dataflow-cpu.json", reduceJob(t, string(g.submitted)))

	staged := map[string][]byte{}
	for _, o := range g.staged(t) {
		object, err := g.storage.GetObject("a-bucket", o.Name)
		if err != nil {
			t.Fatal(err)
		}
		staged[filepath.Base(o.Name)] = object.Content
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(want)
	if !bytes.Equal(staged["worker"], want) || !bytes.Contains(g.submitted, []byte(hex.EncodeToString(sum[:]))) {
		t.Errorf("%d bytes were staged as the worker, want this program's %d", len(staged["worker"]), len(want))
	}
	var graph pipepb.Pipeline
	if err := proto.Unmarshal(staged["model"], &graph); err != nil {
		t.Fatal(err)
	}
	checkHidden(t, "the graph", string(staged["model"]))
	steps := strings.Join(secrettest.Unwrap(string(staged["model"])), "\n")
	if !strings.Contains(steps, `"/opt/palimpsest/onnx/models/en-clinical"`) || !strings.Contains(steps, keyThere) {
		t.Error("the steps do not name the model of the image, or not the key")
	}
	if here, err := filepath.Abs("../.."); err != nil || strings.Contains(steps, here) {
		t.Errorf("the steps name %s, which workers do not have (%v)", here, err)
	}
	golden(t, "dataflow-graph.txt", reduceGraph(t, &graph))
}

// A job that was not carried out is not taken for one that was.
func TestDataflowJobThatFails(t *testing.T) {
	g := site(t)
	g.state = "JOB_STATE_FAILED"
	_, stderr, code := program(t, g.environ, dataflow("--execution_provider=cpu")...)
	if code == 0 || !strings.Contains(stderr, "Job "+testJob+" failed") || !strings.Contains(stderr, "_SUCCESS") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
}

// That Dataflow does not answer once says nothing of the job: it is not stopped.
func TestDataflowJobThatCannotBeWatched(t *testing.T) {
	g := site(t)
	g.state = ""
	_, stderr, code := program(t, g.environ, dataflow("--execution_provider=cpu")...)
	if code != 1 || !strings.Contains(stderr, "it goes on, and gs://") || g.submitted == nil {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	_, stderr, code = program(t, g.environ, dataflow("--execution_provider=cpu")...)
	if code == 0 || strings.Contains(stderr, "cancelled") {
		t.Errorf("a second launch: exit code %d:\n%s", code, stderr)
	}
}

// What a launch does besides waiting for the end.
func TestDataflowLaunchesThatDoNotWait(t *testing.T) {
	g := site(t)
	async := dataflow("--execution_provider=cpu", "--async", "--output=gs://a-bucket/async", "--private=gs://a-bucket/async-held")
	_, stderr, code := program(t, g.environ, async...)
	if code != 0 || !strings.Contains(stderr, "not waiting for it; gs://a-bucket/async/_SUCCESS") {
		t.Errorf("async: exit code %d:\n%s", code, stderr)
	}
	_, stderr, code = program(t, g.environ, async...)
	if code != 75 || !strings.Contains(stderr, "was left to its runner") {
		t.Errorf("async, while the first is at work: exit code %d:\n%s", code, stderr)
	}
	g.submitted = nil
	_, stderr, code = program(t, g.environ, dataflow("--execution_provider=cpu", "--worker_machine_type=n2-standard-8",
		"--template_location=gs://a-bucket/template")...)
	if code != 0 || !strings.Contains(stderr, "was written to gs://a-bucket/template") || g.submitted != nil {
		t.Errorf("template: exit code %d:\n%s", code, stderr)
	}
	template, err := g.storage.GetObject("a-bucket", "template")
	if err != nil {
		t.Fatal(err)
	}
	checkHidden(t, "the template", string(template.Content))
	golden(t, "dataflow-cpu.json", reduceJob(t, string(template.Content)))
}

// A launcher that is interrupted while it waits ends at once, makes the job
// publish nothing, and says what it knows.
func TestDataflowInterrupted(t *testing.T) {
	g := site(t)
	g.state = "JOB_STATE_RUNNING"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, dataflow("--execution_provider=cpu")...)
	cmd.Env = append(append(os.Environ(), runMain+"=1"), g.environ...)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for scanner := bufio.NewScanner(pipe); scanner.Scan(); {
		said.WriteString(scanner.Text() + "\n")
		if strings.HasPrefix(scanner.Text(), "submitted to Dataflow") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 ||
		!strings.Contains(said.String(), "stopped by SIGINT; the job will not complete its output") ||
		!strings.Contains(said.String(), "gcloud dataflow jobs cancel "+testJob+" --region=a-region") {
		t.Errorf("%v\n%s", err, said.String())
	}
}

// A launcher that Google does not let in says that nothing was submitted.
func TestDataflowNotLetIn(t *testing.T) {
	g := site(t)
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	_, stderr, code := program(t, g.environ, dataflow("--execution_provider=cpu")...)
	if code == 0 || !strings.Contains(stderr, "the job was not submitted") || !strings.Contains(stderr, "403") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	checkHidden(t, "the log", stderr)
}

// Settings that workers could not follow are refused before anything is read.
func TestDataflowRefusals(t *testing.T) {
	g := newGoogle(t)
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"local input", []string{"--input=notes.parquet"}, "--input=notes.parquet: Dataflow's workers cannot read"},
		{"local output", []string{"--output=out"}, "--output=out"},
		{"local private part", []string{"--private=held"}, "--private=held"},
		{"local identifiers", []string{"--identifiers=identifiers.parquet"}, "--identifiers=identifiers.parquet"},
		{"local staff", []string{"--staff=staff.parquet"}, "--staff=staff.parquet"},
		{"local allow list", []string{"--allow=allow.yaml"}, "--allow=allow.yaml"},
		{"local staging", []string{"--staging_location=staging"}, "--staging_location=staging"},
		{"local model", []string{"--model=./my-model"}, "--model=./my-model"},
		{"key in a variable", []string{"--key=env:PALIMPSEST_KEY"}, "gcp-secret:"},
		{"key in a local file", []string{"--key=file:/secure/key"}, "gcp-secret:"},
		{"no project", []string{"--project="}, "--project is missing"},
		{"no region", []string{"--region="}, "--region is missing"},
		{"no image", []string{"--sdk_container_image="}, "--sdk_container_image is missing"},
		{"a GPU that may go unused", []string{"--dataflow_service_options=worker_accelerator=type:nvidia-l4;count:1"},
			"--execution_provider=auto need not use it"},
		{"a GPU that is not there", []string{"--execution_provider=cuda"}, "needs a GPU"},
		{"two images", []string{"--worker_harness_container_image=a-registry/another:1"}, "name the same thing"},
		{"no image at all", []string{"--environment_type=LOOPBACK"}, "--environment_type=LOOPBACK"},
		{"no such program", []string{"--worker_binary=bin/none"}, "--worker_binary=bin/none: no such file"},
		{"samples of notes", []string{"--experiments=a,enable_data_sampling"}, "enable_data_sampling would show"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, stderr, code := program(t, g.environ, dataflow(c.args...)...)
			if code == 0 || !strings.Contains(stderr, c.want) {
				t.Errorf("exit code %d, want %q:\n%s", code, c.want, stderr)
			}
		})
	}
	if len(g.requests) > 0 {
		t.Errorf("these requests were made: %v", g.requests)
	}
}

// checkHidden checks that neither the key nor any name or number of the
// examples' known identifiers stands in text, as it is or in base64, however often.
func checkHidden(t *testing.T, what, text string) {
	t.Helper()
	type person struct {
		Name string `parquet:"name"`
		MRN  string `parquet:"mrn"`
	}
	people, err := parquet.ReadFile[person]("../../examples/identifiers.parquet")
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{testKey, base64.StdEncoding.EncodeToString([]byte(testKey))}
	for _, p := range people {
		secrets = append(secrets, p.Name, p.MRN)
	}
	if len(secrets) < 20 {
		t.Fatalf("only %d secrets to look for", len(secrets))
	}
	for _, form := range secrettest.Unwrap(text) {
		for _, s := range secrets {
			if len(s) > 4 && strings.Contains(form, s) {
				t.Errorf("%s holds %q", what, s)
			}
		}
	}
}

// reduceJob strips a job of what differs between runs and machines (times,
// digests, the path of this program, the order of what is displayed), and of
// what only tells how it was launched.
func reduceJob(t *testing.T, text string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, self, "THIS-PROGRAM")
	text = regexp.MustCompile(`go-1-\d+`).ReplaceAllString(text, "go-1-TIME")
	text = regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(text, "SHA256")
	text = regexp.MustCompile(`palimpsest-[0-9a-f]{12}"`).ReplaceAllString(text, `palimpsest-RUN"`)
	var job map[string]any
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	// at follows keys; it returns an empty map where there is no such part.
	at := func(part map[string]any, keys ...string) map[string]any {
		for _, k := range keys {
			part, _ = part[k].(map[string]any)
		}
		return part
	}
	options := at(job, "environment", "sdkPipelineOptions")
	launch := []string{"dry_run", "verbose", "async", "template_location"}
	for _, name := range launch {
		delete(at(options, "beam:option:go_options:v1", "options"), name)
	}
	shown, _ := options["display_data"].([]any)
	shown = slices.DeleteFunc(shown, func(d any) bool {
		return slices.Contains(launch, fmt.Sprint(d.(map[string]any)["key"]))
	})
	slices.SortFunc(shown, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	options["display_data"] = shown
	for _, pool := range at(job, "environment")["workerPools"].([]any) {
		for _, p := range pool.(map[string]any)["packages"].([]any) {
			delete(p.(map[string]any), "sha256")
		}
	}
	raw, err := json.MarshalIndent(job, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw) + "\n"
}

// reduceGraph lists a graph's steps and where they run.
func reduceGraph(t *testing.T, graph *pipepb.Pipeline) string {
	t.Helper()
	var lines []string
	for _, e := range graph.GetComponents().GetEnvironments() {
		var docker pipepb.DockerPayload
		if err := proto.Unmarshal(e.GetPayload(), &docker); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("environment %s %s", e.GetUrn(), docker.GetContainerImage()))
		for _, d := range e.GetDependencies() {
			lines = append(lines, fmt.Sprintf("artifact %s %s", d.GetRoleUrn(), d.GetTypeUrn()))
		}
	}
	for _, step := range graph.GetComponents().GetTransforms() {
		if urn := step.GetSpec().GetUrn(); urn != "" && len(step.GetSubtransforms()) == 0 {
			lines = append(lines, "step "+step.GetUniqueName()+" "+urn)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("PALIMPSEST_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; it is now\n%s", path, got)
	}
}
