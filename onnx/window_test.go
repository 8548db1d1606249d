package onnx

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/tagger"
)

// A directory of a sliding-window LSTM is run like any other: what it finds in a text
// does not depend on the others of the call, and its probe tells of its rounding.
func TestSlidingWindow(t *testing.T) {
	m, err := LoadModel(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join("testdata/window-lstm", name)) })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Labels(), []string{"DOCTOR", "MEDICALRECORD", "PATIENT"}) || !slices.Contains(Kinds(), m.Kind) {
		t.Errorf("types %q, kind %q", m.Labels(), m.Kind)
	}
	running, err := m.Run(Setup{Device: Device{Provider: CPU}})
	if err != nil {
		t.Fatal(err)
	}
	if running.Graphs.Provider() != CPU || running.Graphs.Fallback() != "" {
		t.Errorf("runs on %s, %q", running.Graphs.Provider(), running.Graphs.Fallback())
	}
	const note = "Zolinger, Smith MRN 731004 seen by Dr. Wrathgar, zolpidem 5 mg at night."
	all := texts(strings.Repeat("Given zolpidem at night. ", 500), note, "MRN")
	together, err := running.Tagger.TagKinds(all)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := running.Tagger.TagKinds([]tagger.Text{all[1]})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range alone[0] {
		got = append(got, f.Kind+" "+note[f.Start:f.End])
	}
	if want := []string{"PATIENT Zolinger, Smith", "MEDICALRECORD 731004", "DOCTOR Wrathgar"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if !slices.Equal(alone[0], together[1]) {
		t.Errorf("beside other texts %v, alone %v", together[1], alone[0])
	}
	probe, err := m.Probe(running)
	if again, err2 := m.Probe(running); err != nil || err2 != nil || len(probe) != 64 || probe != again {
		t.Errorf("probes %q, %v, and %q, %v", probe, err, again, err2)
	}
	if other, err := m.Window.Probe(roundsOtherwise{running.Graphs}); err != nil || other == probe {
		t.Errorf("with other rounding: %q, %v", other, err)
	}
}
