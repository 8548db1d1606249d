package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Whatever a worker reads or writes lies where all of them find it: on a worker's own
// disk a state is lost with the machine.
func TestDataflowTakesNoLocalPlaces(t *testing.T) {
	local := transforms.Config{
		Where: transforms.Where{State: "/srv/state", StateKey: "file:state.key", Withdrawn: "withdrawn.parquet", PatientLinks: "links.parquet",
			Tables: []transforms.TableFiles{{Inputs: []string{"gs://b/a.parquet", "visit.parquet"}}}},
		What: transforms.What{Tables: []transforms.Table{{Name: "visit"}}},
	}
	err := checkDataflow(local)
	if err == nil {
		t.Fatal("local places are taken")
	}
	wrong := strings.Split(err.Error(), "\n")
	for _, what := range []string{"--state=/srv/state: ", "--state_key=file:state.key: ", "--withdrawn=withdrawn.parquet: ",
		"--patient_links=links.parquet: ", "table visit: input visit.parquet: "} {
		if n := count(wrong, what+"Dataflow's workers cannot read this machine's files; "); n != 1 {
			t.Errorf("%s: %d lines in\n%v", what, n, err)
		}
	}
	there := local
	there.State, there.StateKey, there.Withdrawn, there.PatientLinks = "gs://b/state", "env:KEY", "gs://b/w.parquet", "gs://b/l.parquet"
	there.Where.Tables = []transforms.TableFiles{{Inputs: []string{"gs://b/*.parquet"}}}
	err = checkDataflow(there)
	if err == nil || strings.Contains(err.Error(), "this machine's files") ||
		!strings.Contains(err.Error(), "--state_key=env:KEY: Dataflow's workers do not have this shell's variables") {
		t.Error(err)
	}
}

// count returns how many lines begin with something.
func count(lines []string, prefix string) (n int) {
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

// The second reader of a gate is loaded by workers, as the models are.
func TestDataflowTakesNoLocalReader(t *testing.T) {
	dir, err := filepath.Abs("../onnx/models/en-clinical-fast")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "gate.yaml")
	read := func(model string) (*transforms.Gate, error) {
		if err := os.WriteFile(file, []byte("second_reader: {model: "+model+", at_most: 1}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return readGate(t.Context(), transforms.Config{Where: transforms.Where{GateFile: file}})
	}
	onRunner(t, dataflow, func(t *testing.T) {
		if _, err := read(dir); err == nil || !strings.Contains(err.Error(), "second_reader: model "+dir+": Dataflow's workers cannot read") {
			t.Errorf("a folder of this machine: %v", err)
		}
		if g, err := read("en-clinical-fast"); err != nil || g.ReaderDir != imageModels+"/en-clinical-fast" {
			t.Errorf("a shipped model: %+v, %v", g, err)
		}
	})
	if g, err := read(dir); err != nil || g.ReaderDir != dir {
		t.Errorf("on a runner of this machine: %+v, %v", g, err)
	}
}
