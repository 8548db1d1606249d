package pipeline

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/pipeline/beamlog"
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
		"no identifiers": {got.Identifiers, ""},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", name, pair[0], pair[1])
		}
	}
	if given.Inputs[0] != "notes/*.parquet" {
		t.Error("the configuration that was given has changed")
	}
	if got := absolute(transforms.Config{Where: transforms.Where{Key: "env:KEY"}}); got.Key != "env:KEY" {
		t.Error(got.Key)
	}
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
