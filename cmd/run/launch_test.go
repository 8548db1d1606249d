package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/pipeline"
)

// infra/dataflow/launch.sh gives the program what its settings say.
func TestDataflowLaunchScript(t *testing.T) {
	g := site(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../infra/dataflow/example.env")
	if err != nil {
		t.Fatal(err)
	}
	base := strings.NewReplacer("gs://your-staging-bucket/", "gs://a-bucket/", "'gs://your-notes/2026-01-31/", "'gs://a-bucket/in/",
		"gs://your-released-bucket/", "gs://a-bucket/out/", "gs://your-private-bucket/", "gs://a-bucket/held/",
		"your-project/secrets", "a-project/secrets", "versions/1", "versions/3").Replace(string(example)) + "WORKER=" + self + "\n"
	for _, c := range []struct {
		name, settings string
		want           []string
	}{
		{"cpu", base, []string{
			`"workerHarnessContainerImage": "your-registry/palimpsest-worker:1"`, `"machineType": "n2-standard-8"`,
			`"ipConfiguration": "WORKER_IP_PRIVATE"`, `"subnetwork": "regions/your-region/subnetworks/your-subnetwork"`,
			`"serviceAccountEmail": "palimpsest-worker@your-project.iam.gserviceaccount.com"`,
			`"serviceKmsKeyName": "projects/your-project/locations/your-region/keyRings/palimpsest/cryptoKeys/data"`,
			`"maxNumWorkers": 10`, `"numThreadsPerWorker": 2`, `"tempStoragePrefix": "gs://a-bucket/staging/tmp"`,
			`"date_columns": "written_at"`,
		}},
		{"gpu", base + "GPU=nvidia-l4\nMACHINE=g2-standard-8\n", []string{
			`"worker_accelerator=type:nvidia-l4;count:1;install-nvidia-driver"`, `"machineType": "g2-standard-8"`, `"execution_provider": "cuda"`,
			`"model": "en-clinical-accurate"`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "site.env")
			if err := os.WriteFile(file, []byte(c.settings), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "../../infra/dataflow/launch.sh", file, "--date_columns=written_at", "--other_columns=drop",
				"--dry_run")
			cmd.Env = append(append(os.Environ(), runMain+"=1"), g.environ...)
			var out, log bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &log
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, log.String())
			}
			checkHidden(t, "the job", out.String())
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the job has no %s:\n%s", want, out.String())
				}
			}
		})
	}
	t.Run("a setting is missing", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "site.env")
		if err := os.WriteFile(file, []byte(strings.Replace(base, "KMS_KEY=", "OTHER=", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "../../infra/dataflow/launch.sh", file).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "KMS_KEY is not set") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// Every parameter of the flex template is a flag of the program, and takes the
// forms that infra and the documentation give it.
func TestDataflowTemplate(t *testing.T) {
	raw, err := os.ReadFile("../../infra/dataflow/metadata.json")
	if err != nil {
		t.Fatal(err)
	}
	var metadata struct {
		Parameters []struct {
			Name     string
			Optional bool `json:"isOptional"`
			Regexes  []string
		}
	}
	if err := json.Unmarshal(raw, &metadata); err != nil {
		t.Fatal(err)
	}
	ours := flag.NewFlagSet("", flag.ContinueOnError)
	options := pipeline.DefaultOptions()
	options.Register(ours)
	patterns := map[string][]string{}
	required := 0
	for _, p := range metadata.Parameters {
		if ours.Lookup(p.Name) == nil && flag.Lookup(p.Name) == nil {
			t.Errorf("%s is no flag", p.Name)
		}
		if !p.Optional {
			required++
		}
		patterns[p.Name] = p.Regexes
	}
	if required != 4 {
		t.Errorf("%d parameters are required, want input, output, private, key", required)
	}
	for _, c := range []struct {
		name, value string
		fits        bool
	}{
		{"key", "gcp-secret:projects/a-project/secrets/palimpsest/versions/3", true},
		{"key", "gcp-secret:projects/a-project/secrets/palimpsest/versions/latest", false},
		{"key", testKey, false},
		{"key", "env:KEY", false},
		{"input", "gs://a-bucket/in/*.parquet,gs://a-bucket/more.parquet", true},
		{"input", "notes.parquet", false},
		{"output", "gs://a-bucket/out", true},
		{"execution_provider", "cuda", true},
		{"execution_provider", "gpu", false},
	} {
		fits := len(patterns[c.name]) > 0
		for _, p := range patterns[c.name] {
			fits = fits && regexp.MustCompile(p).MatchString(c.value)
		}
		if fits != c.fits {
			t.Errorf("%s=%s fits: %v", c.name, c.value, fits)
		}
	}
}
