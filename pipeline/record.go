package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core"

	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// RunFile, in private, says of one run what the manifest, which is the same for all
// runs of a job, does not.
const RunFile = "run.json"

// Record is what RunFile holds.
type Record struct {
	Start    string             `json:"start"` // RFC 3339, UTC
	End      string             `json:"end"`
	Seconds  float64            `json:"seconds"`
	Host     string             `json:"host"`
	Output   string             `json:"output"`
	Versions map[string]string  `json:"versions"`
	Settings map[string]string  `json:"settings"` // that are not the defaults; of keys the reference
	Columns  []RecordColumn     `json:"columns"`
	Warnings []string           `json:"warnings"`
	Counts   map[string]int64   `json:"counts"`
	Drift    []history.Shift    `json:"drift,omitempty"`
	Night    *transforms.Nights `json:"night,omitempty"`
	Quality  map[string]int64   `json:"quarantined_by_reason,omitempty"`
	Spans    map[string]int64   `json:"spans_by_type"`
}

// RecordColumn is a line of the table of columns.
type RecordColumn struct {
	Column string `json:"column"`
	Type   string `json:"type"`
	Role   string `json:"role"`
	Fate   string `json:"fate"`
}

// NewRecord describes a run that has come to its end.
func NewRecord(o Options, cfg transforms.Config, r transforms.Report, start, end time.Time) Record {
	host, _ := os.Hostname()
	rec := Record{
		Start: start.UTC().Format(time.RFC3339), End: end.UTC().Format(time.RFC3339), Seconds: end.Sub(start).Seconds(), Host: host,
		Output: cfg.Output, Settings: o.given(), Warnings: append([]string{}, Warnings(cfg, r)...), Counts: ResultCounts(r), Night: cfg.Nights,
		Quality: r.Reasons, Spans: r.SpansByType,
		Versions: map[string]string{"program": cfg.Program, "beam": core.SdkVersion, "go": runtime.Version(),
			"model": strings.TrimSpace(cfg.What.Model.Name + " " + cfg.What.Model.Version), "model_sha256": cfg.What.Model.Digest},
	}
	if r.Nights != nil {
		rec.Drift = r.Nights.Drift
	}
	for _, c := range r.Columns {
		rec.Columns = append(rec.Columns, RecordColumn{c.Path, c.Type, c.Role, c.Fate})
	}
	return rec
}

// given returns the settings that are not the defaults, by name. What names a key is
// as messages show it.
func (o Options) given() map[string]string {
	usual := DefaultOptions()
	all := map[string]string{}
	defaults := usual.all()
	for i, opt := range o.all() {
		if s := opt.String(); s != defaults[i].String() {
			if opt.name == "key" || opt.name == "state_key" {
				s = transforms.PrintableKey(s)
			}
			all[opt.name] = s
		}
	}
	return all
}

// Write writes the record below the private part of a job.
func (rec Record) Write(ctx context.Context, private string) error {
	raw, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return err
	}
	return storage.WritePrivateFile(ctx, storage.Join(private, RunFile), append(raw, '\n'))
}

const lastSuccess = "When the last run ended that was done."

// WriteMetrics writes what a run came to as a text file of Prometheus, in one step, for
// the textfile collector of its node exporter. r is nil for a run that failed, which keeps when the last
// one ended that was done.
func WriteMetrics(name string, status int, end time.Time, seconds float64, r *transforms.Report) error {
	var b strings.Builder
	metric := func(name, help string) {
		fmt.Fprintf(&b, "# HELP palimpsest_%s %s\n# TYPE palimpsest_%s gauge\n", name, help, name)
	}
	one := func(name, help string, value any) {
		metric(name, help)
		fmt.Fprintf(&b, "palimpsest_%s %v\n", name, value)
	}
	by := func(name, help, label string, values map[string]int64) {
		metric(name, help)
		keys := []string{}
		for k := range values {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			fmt.Fprintf(&b, "palimpsest_%s{%s=%q} %d\n", name, label, k, values[k])
		}
	}
	one("last_run_timestamp_seconds", "When the last run ended.", end.Unix())
	one("last_run_exit_status", "Its exit status, 0 for done.", status)
	one("last_run_duration_seconds", "How long it took.", fmt.Sprintf("%.3f", seconds))
	if r == nil { // what alarms ask for stays
		const success = "palimpsest_last_success_timestamp_seconds "
		before, _ := os.ReadFile(name)
		for _, line := range strings.Split(string(before), "\n") {
			if at, ok := strings.CutPrefix(line, success); ok {
				one("last_success_timestamp_seconds", lastSuccess, at)
			}
		}
	}
	if r != nil {
		one("last_success_timestamp_seconds", lastSuccess, end.Unix())
		one("notes_in", "Notes of its input.", r.RowsIn)
		one("notes_released", "Notes that it released.", r.RowsOut)
		one("tokens", "Tokens of the notes that it released.", r.Tokens)
		p := transforms.ProcessProgress()
		one("windows", "Windows of tokens for the network, where it ran in the launcher's process.", p.Windows.Load())
		one("windows_reused", "Those of them that were not computed, as their like had been read before.", p.Reused.Load())
		by("notes_quarantined", "Notes in quarantine, by reason.", "reason", r.Reasons)
		by("spans", "Spans in the released notes, by type.", "type", r.SpansByType)
		if n := r.Nights; n != nil {
			by("night_changes", "What the night did to the release.", "change",
				map[string]int64{"added": n.Added, "replaced": n.Replaced, "removed": n.Removed})
			by("notes_differing", "Released notes that read otherwise by what is known now.", "certain",
				map[string]int64{"yes": n.Differing, "perhaps": n.MayDiffer})
			one("night_drift", "Measures in which the night is unlike those before it.", len(n.Drift))
		}
	}
	temporary := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".tmp")
	if err := os.WriteFile(temporary, []byte(b.String()), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}
