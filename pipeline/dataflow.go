package pipeline

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/palimpsest-deid/palimpsest/pipeline/beamlog"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// flagValue returns the value of one of Beam's flags; empty where this program
// has no such flag.
func flagValue(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// imageModels is where the worker image (infra/docker) has the shipped models.
const imageModels = "/opt/palimpsest/onnx/models"

// dataflowThreads is how many bundles a Dataflow worker works at, unless
// --number_of_worker_harness_threads says otherwise. One bundle keeps all
// cores busy by itself while it tags or rewrites; the second reads and writes
// meanwhile. Each holds a shard, so more threads take more memory and save no
// time.
const dataflowThreads = "2"

// notInCloud follows the name of a file that elsewhere tells of.
const notInCloud = "Dataflow's workers cannot read this machine's files; copy them to a bucket and write its gs:// address"

// elsewhere reports whether a file is named that does not lie in Cloud Storage.
func elsewhere(name string) bool { return name != "" && !strings.HasPrefix(name, "gs://") }

// checkDataflow refuses settings that Dataflow's workers could not follow, and
// those that make Beam panic.
// They share nothing with this machine but what is in Cloud Storage, in Secret
// Manager and in their image. All that is wrong is said at once.
func checkDataflow(c transforms.Config) error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	inCloud := func(setting, name string) {
		if elsewhere(name) {
			fail("--%s=%s: "+notInCloud, setting, name)
		}
	}
	for _, name := range c.Inputs {
		inCloud("input", name)
	}
	inCloud("output", c.Output)
	inCloud("private", c.Private)
	inCloud("identifiers", c.Identifiers)
	inCloud("staff", c.Staff)
	inCloud("site_rules", c.SiteRules)
	inCloud("allow", c.Allow)
	inCloud("surrogate_lists", c.Lists)
	inCloud("patient_links", c.PatientLinks)
	inCloud("state", c.State)
	inCloud("withdrawn", c.Withdrawn)
	for i, t := range c.Where.Tables {
		for _, name := range t.Inputs {
			if elsewhere(name) {
				errs = append(errs, c.InTable(i+1, fmt.Errorf("input %s: "+notInCloud, name)))
			}
		}
	}
	inCloud("staging_location", flagValue("staging_location"))
	inCloud("temp_location", flagValue("temp_location"))
	for _, name := range c.Where.Models() {
		if !modelName.MatchString(name) {
			inCloud("model", name)
		}
	}
	for _, key := range [][2]string{{"key", c.Key}, {"state_key", c.StateKey}} {
		setting, reference := key[0], transforms.PrintableKey(key[1])
		switch scheme, name, _ := strings.Cut(key[1], ":"); {
		case scheme == "env":
			fail("--%s=%s: Dataflow's workers do not have this shell's variables; put the key into Secret Manager and write "+
				"gcp-secret:projects/P/secrets/S/versions/V", setting, reference)
		case scheme == "file" && elsewhere(name):
			fail("--%s=%s: Dataflow's workers cannot read this machine's files; put the key into Secret Manager and write "+
				"gcp-secret:projects/P/secrets/S/versions/V", setting, reference)
		}
	}
	for _, name := range []string{"project", "region", "staging_location"} {
		if flagValue(name) == "" {
			fail("--%s is missing; Dataflow needs it", name)
		}
	}
	image, old := flagValue("sdk_container_image"), flagValue("worker_harness_container_image")
	switch {
	case image == "" && old == "":
		fail("--sdk_container_image is missing: Beam's own image holds neither ONNX Runtime nor a model; name the one built from infra/docker")
	case image != "" && old != "":
		fail("--sdk_container_image and --worker_harness_container_image name the same thing; leave the second out")
	}
	if e := flagValue("environment_type"); e != "" && !strings.EqualFold(e, "docker") {
		fail("--environment_type=%s: Dataflow's workers run in an image; leave it out", e)
	}
	// Either mismatch costs money or protection without a word.
	accelerator := strings.Contains(flagValue("dataflow_service_options"), "worker_accelerator=")
	gpu := c.Provider == "cuda"
	if accelerator && !gpu {
		fail("--dataflow_service_options asks for a GPU, but --execution_provider=%s need not use it; write --execution_provider=cuda, which "+
			"fails where the GPU does not work", c.Provider)
	}
	if gpu && !accelerator {
		fail(`--execution_provider=%s needs a GPU; add `+
			`--dataflow_service_options="worker_accelerator=type:nvidia-l4;count:1;install-nvidia-driver"`, c.Provider)
	}
	for _, e := range strings.Split(flagValue("experiments"), ",") {
		if e == "enable_data_sampling" {
			fail("--experiments=%s would show what is found in notes on Dataflow's pages; leave it out", e)
		}
	}
	if binary := flagValue("worker_binary"); binary != "" {
		if _, err := os.Stat(binary); err != nil {
			fail("--worker_binary=%s: %w; make worker builds bin/worker", binary, errors.Unwrap(err))
		}
	} else if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		fail("--worker_binary is missing: this program runs on %s/%s, the workers on linux/amd64; name the program that was built with the "+
			"image", runtime.GOOS, runtime.GOARCH)
	}
	return errors.Join(errs...)
}

// launch is what Dataflow needs beside the pipeline, and what it has said of
// the job.
type launch struct {
	out io.Writer
	end func()

	mu          sync.Mutex
	job, dryRun string
}

// prepareLaunch sets what Beam's flags leave open, and follows what Beam says
// of the job. The caller must call end.
func prepareLaunch(cfg transforms.Config, out io.Writer) (*launch, error) {
	defaults := map[string]string{"number_of_worker_harness_threads": dataflowThreads}
	if *jobopts.JobName == "" {
		// One active job of a name is Dataflow's rule: two launchers of the
		// same work do not write the same output at once.
		*jobopts.JobName = jobName(cfg)
	}
	if *jobopts.WorkerBinary == "" {
		// Beam would else cross-compile this program without cgo, which fails.
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		defaults["worker_binary"] = self
	}
	for name, value := range defaults {
		if v := flagValue(name); v == "" || v == "0" {
			if err := flag.Set(name, value); err != nil {
				return nil, fmt.Errorf("--%s=%s: %w", name, value, err)
			}
		}
	}
	l := &launch{out: out}
	l.end = beamlog.Listen(l.hear, slog.NewTextHandler(out, nil))
	return l, nil
}

// hear follows what Beam says of the job.
func (l *launch) hear(message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := beamlog.Submitted(message); ok {
		l.job = id
		fmt.Fprintf(l.out, "submitted to Dataflow as %s\n", id)
	} else if beamlog.Address(message) {
		fmt.Fprintln(l.out, message)
	} else if beamlog.DryRun(message) {
		l.dryRun = message
	}
}

// unwatched is in the error of Beam's that says that it could not ask for the
// job's state.
const unwatched = "failed to get job"

// runDataflow launches the job on Dataflow and waits for its end, unless
// --dry_run, --async or --template_location says otherwise. A dry run writes
// the job, as JSON, to standard output.
func runDataflow(ctx context.Context, cfg transforms.Config, out io.Writer) error {
	l, err := prepareLaunch(cfg, out)
	if err != nil {
		return unbegun(ctx, cfg, err)
	}
	defer l.end()
	started := time.Now()
	ended := make(chan error, 1)
	go func() {
		_, err := execute(ctx, cfg)
		ended <- err
	}()
	select {
	case err = <-ended:
	case <-ctx.Done():
		// Beam itself waits on, whatever happens to ctx.
		err := interrupted(ctx, cfg, withdraw(ctx, cfg), nil)
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.job != "" {
			err = fmt.Errorf("%w; to end it at once: gcloud dataflow jobs cancel %s --region=%s", err, l.job, flagValue("region"))
		}
		return err
	}
	l.mu.Lock()
	job, dryRun := l.job, l.dryRun
	l.mu.Unlock()
	template := flagValue("template_location")
	if err != nil && job != "" {
		if refused := refusal(ctx, cfg); refused != nil {
			return refused
		}
	}
	switch {
	case err != nil && job != "" && strings.Contains(err.Error(), unwatched):
		// Beam gives up watching at the first request that fails; the job does not.
		return fmt.Errorf("the job %s is watched no longer, as Dataflow did not answer when asked for it; it goes on, and %s/_SUCCESS will "+
			"say that it is complete; "+
			"until it has ended, the output is refused to others: %w", job, cfg.Output, describe(err))
	case err != nil && cfg.RunID != "" && withdraw(ctx, cfg) != nil:
		return fmt.Errorf("%w, and its lock is still there", describe(err))
	case err != nil && job != "":
		return fmt.Errorf("%w (the reason is in its log, at the address above)", describe(err))
	case err != nil:
		return fmt.Errorf("the job was not submitted: %w", err)
	case flagValue("dry_run") == "true":
		fmt.Fprintln(os.Stdout, dryRun)
		fmt.Fprintln(out, "dry run: nothing was submitted")
		return nil
	case template != "":
		fmt.Fprintf(out, "the job was written to %s and not submitted\n", template)
		return nil
	case *jobopts.Async:
		notWaiting(out, cfg)
		return nil
	}
	report, err := ReadReport(ctx, cfg.Output)
	if err != nil {
		return fmt.Errorf("the job %s has ended without a report, as one that was cancelled does; nothing is complete without _SUCCESS: %w", job,
			err)
	}
	writeSummary(out, cfg, report, time.Since(started))
	return nil
}
