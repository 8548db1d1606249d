package pipeline

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/palimpsest-deid/palimpsest/pipeline/beamlog"
	"github.com/palimpsest-deid/palimpsest/pipeline/prism"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func TestLocalPathsAreSentInFull(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	given := transforms.Config{Where: transforms.Where{
		Inputs: []string{"notes/*.parquet", "gs://b/notes"}, Output: "out", Private: "gs://b/private",
		Staff: "staff.parquet", SiteRules: "site.yaml", Model: "/m", Key: "file:key",
		Tables: []transforms.TableFiles{{Inputs: []string{"gs://b/persons"}}, {Inputs: []string{"/v", "visits/*.parquet"}, Preset: "omop"}},
	}}
	got := absolute(given)
	for name, pair := range map[string][2]string{
		"local input":    {got.Inputs[0], filepath.Join(here, "notes/*.parquet")},
		"bucket":         {got.Inputs[1], "gs://b/notes"},
		"output":         {got.Output, filepath.Join(here, "out")},
		"private":        {got.Private, "gs://b/private"},
		"model":          {got.Where.Model, "/m"},
		"key":            {got.Key, "file:" + filepath.Join(here, "key")},
		"staff":          {got.Staff, filepath.Join(here, "staff.parquet")},
		"site rules":     {got.SiteRules, filepath.Join(here, "site.yaml")},
		"table":          {got.Where.Tables[1].Inputs[1], filepath.Join(here, "visits/*.parquet")},
		"table in full":  {got.Where.Tables[1].Inputs[0], "/v"},
		"table, bucket":  {got.Where.Tables[0].Inputs[0], "gs://b/persons"},
		"table's preset": {got.Where.Tables[1].Preset, "omop"},
		"no identifiers": {got.Identifiers, ""},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", name, pair[0], pair[1])
		}
	}
	if given.Inputs[0] != "notes/*.parquet" || given.Where.Tables[1].Inputs[1] != "visits/*.parquet" {
		t.Error("the configuration that was given has changed")
	}
	if got := absolute(transforms.Config{Where: transforms.Where{Key: "env:KEY"}}); got.Key != "env:KEY" {
		t.Error(got.Key)
	}
}

// A job that is left to its runner is no failure: the launcher says where its end will
// show, and the job comes to it. Prism is the job server, this process its worker.
func TestAJobLeftToItsRunner(t *testing.T) {
	ctx := context.Background()
	endpoint, err := prism.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := extworker.StartLoopback(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Stop(ctx)
	onRunner(t, portable, func(t *testing.T) {
		for name, value := range map[string]string{"endpoint": endpoint, "environment_type": "EXTERNAL",
			"environment_config": pool.EnvironmentConfig(ctx), "async": "true"} {
			before := flagValue(name)
			defer func() { _ = flag.Set(name, before) }()
			if err := flag.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		cfg := prepared(t)
		transforms.BeginJob()            // an earlier test's job may have been stopped
		log.SetLogger(&log.Structural{}) // as at the start: Prism's workers put another in its place
		success := filepath.Join(cfg.Output, transforms.SuccessFile)
		var out lockedBuffer
		if err := Run(ctx, cfg, &out); err != nil || !strings.Contains(out.String(), "not waiting for it; "+success+" will say") {
			t.Errorf("%v\n%s", err, out.String())
		}
		_, job, _ := strings.Cut(out.String(), " as ")
		job, _, _ = strings.Cut(job, "\n")
		conn, err := grpcx.Dial(ctx, endpoint, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := runnerlib.WaitForCompletion(ctx, jobpb.NewJobServiceClient(conn), job); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(success); err != nil {
			t.Error(err)
		}
	})
}

// What the launcher makes of what Beam logs and returns.
func TestOutcome(t *testing.T) {
	lost := errors.New("connection refused")
	for _, test := range []struct {
		name  string
		log   []string
		err   error
		want  string // "" for no error
		shown string
	}{
		{"done", []string{"Submitted job: j1", "Job[j1] state: STOPPED", "Job[j1] state: RUNNING", "Job[j1] state: DONE"}, nil, "",
			"the job is running\nthe job is done\n"},
		{"cancelled on Flink's pages", []string{"Submitted job: j1", "Job[j1] state: CANCELLED"}, nil, "the job was cancelled", "cancelled"},
		{"failed", []string{"Submitted job: j1", "Job[j1] state: FAILED"}, errors.New("job j1 failed"), "job j1 failed", "failed"},
		{"worker lost", []string{"Submitted job: j1", "Job[j1] state: FAILED"},
			errors.New("job j1 failed:\nio.grpc.StatusRuntimeException: CANCELLED"), "a worker was lost", "failed"},
		{"job server lost", []string{"Submitted job: j1", "Job[j1] state: RUNNING"}, lost, "it may go on", "submitted to"},
		{"never submitted", []string{"something else"}, lost, "connection refused", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			s := &submission{out: &out}
			log := slog.New(&beamlog.Handler{Next: slog.DiscardHandler, Hear: s.hear})
			for _, line := range test.log {
				log.Info(line)
			}
			err := s.outcome(context.Background(), transforms.Config{Where: transforms.Where{Output: t.TempDir()}}, test.err)
			err = described(err)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if !strings.Contains(out.String(), test.shown) || strings.Contains(out.String(), "something else") {
				t.Errorf("the user sees %q, want %q", out.String(), test.shown)
			}
		})
	}
}
