package adapt

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// verdict is how two models compare on notes that neither was trained on. It
// holds no text and no ids. A is the adapted model, B the one it went on from.
type verdict struct {
	FormatVersion int                      `json:"format_version"`
	Program       string                   `json:"program"`
	From          transforms.ModelIdentity `json:"from"`
	Method        string                   `json:"method"`
	Notes         map[adapt.Part]int       `json:"notes"`
	Patients      map[adapt.Part]int       `json:"patients"`
	Better        bool                     `json:"better"`
	Why           string                   `json:"why,omitempty"`        // it is not
	MoreNotes     int                      `json:"more_notes,omitempty"` // that would tell
	Job           *score.Paired            `json:"job"`
	JobStrict     *score.Paired            `json:"job_strict"`
	Network       *score.Paired            `json:"network"`
	NetworkStrict *score.Paired            `json:"network_strict"`
}

// shift is a difference in percentage points with its interval.
func shift(d score.PairedDifference) string {
	return fmt.Sprintf("%+.2f points, %+.2f to %+.2f", 100*d.Difference, 100*d.Low, 100*d.High)
}

// rows are the lines of the table, in percent.
func (v *verdict) rows() (rows [][]string) {
	alone := "network alone"
	if v.Method == byCRF {
		alone = "models alone"
	}
	for _, r := range []struct {
		name string
		d    score.PairedDifference
	}{
		{"job: tokens of PHI found", v.Job.Recall},
		{"job: right, of what was taken", v.Job.Precision},
		{"job: F2 of the two", v.Job.F2},
		{"job: spans with type and ends, F1", v.JobStrict.F1},
		{alone + ": tokens of PHI found", v.Network.Recall},
		{alone + ": right, of what was taken", v.Network.Precision},
		{alone + ": spans with type and ends, F1", v.NetworkStrict.F1},
	} {
		rows = append(rows, []string{r.name, fmt.Sprintf("%.2f", 100*r.d.B), fmt.Sprintf("%.2f", 100*r.d.A),
			fmt.Sprintf("%+.2f (%+.2f to %+.2f)", 100*r.d.Difference, 100*r.d.Low, 100*r.d.High)})
	}
	return rows
}

// about says what was compared on what.
func (v *verdict) about() string {
	return fmt.Sprintf("%d notes of %d patients that were not trained on, in percent; tokens missed by the job %d before, %d after; "+
		"needlessly "+
		"taken %d before, %d after",
		v.Notes[adapt.Held], v.Patients[adapt.Held], v.Job.B.FN, v.Job.A.FN, v.Job.B.FP, v.Job.A.FP)
}

func (v *verdict) write(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n%-45s%8s%8s  %s\n", v.about(), "", "before", "after", "difference (95 % interval, by patient)")
	for _, r := range v.rows() {
		fmt.Fprintf(w, "%-45s%8s%8s  %s\n", r[0], r[1], r[2], r[3])
	}
}

// card is what the model's card says of it.
func (v *verdict) card() string {
	var b strings.Builder
	after := "this model"
	if v.Method == byCRF {
		after = "this model beside it"
	}
	fmt.Fprintf(&b, "\n## Before and after\nWritten by `palimpsest adapt`, which writes no model unless F2 of the job is higher by more "+
		"than chance "+
		"and the job finds no less: %s.\n\n| | %s %s | %s | difference (95 %% interval, by patient) |\n|---|--:|--:|--:|\n",
		v.about(), v.From.Name,
		v.From.Version, after)
	for _, r := range v.rows() {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
	}
	return b.String()
}

func (v *verdict) json() ([]byte, error) {
	v.FormatVersion, v.Program = 1, pipeline.Version()
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

func (v *verdict) save(file string) error {
	data, err := v.json()
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

// publish completes the model directory and moves it to its place.
func (v *verdict) publish(candidate, output string) error {
	name := filepath.Join(candidate, "README.md")
	card, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, append(card, v.card()...), 0o644); err != nil {
		return err
	}
	if err := v.save(filepath.Join(candidate, "adaptation.json")); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
		return err
	}
	if err := os.Chmod(candidate, 0o700); err != nil { // its weights are learnt from real notes
		return err
	}
	if err := os.Rename(candidate, output); err == nil {
		return nil
	}
	// Another file system.
	if err := os.CopyFS(output, os.DirFS(candidate)); err != nil {
		return err
	}
	return os.Chmod(output, 0o700)
}
