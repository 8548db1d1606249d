package pipeline

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/view"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// NewConfig checks options by themselves, without touching any file, and
// returns the job's configuration. All that is wrong is said at once.
func NewConfig(o Options) (transforms.Config, error) {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	choice := func(name, value string, choices ...string) {
		if !slices.Contains(choices, value) {
			fail("--%s=%s: write one of %s", name, value, strings.Join(choices, ", "))
		}
	}
	atLeast := func(name string, value, least int) {
		if value < least {
			fail("--%s=%d: write at least %d", name, value, least)
		}
	}

	if len(o.Input) == 0 && len(o.Tables) == 0 {
		fail("--input is missing: name Parquet files, such as --input 'notes/*.parquet'")
	}
	if o.Output == "" {
		fail("--output is missing: name a directory that does not exist yet, such as --output scrubbed")
	}
	o.Output = strings.TrimRight(o.Output, "/")
	o.Private = strings.TrimRight(o.Private, "/")
	switch {
	case o.Private == "":
		fail("--private is missing: name a directory away from the output for what must never be released, which is rows in quarantine and " +
			"what was found where, such as --private /secure/palimpsest/tonight")
	case o.Output == "":
	case storage.Inside(o.Private, o.Output):
		fail("--private=%s lies inside --output=%s: what must not be released would be; name another place", o.Private, o.Output)
	case storage.Inside(o.Output, o.Private):
		fail("--output=%s lies inside --private=%s; name another place", o.Output, o.Private)
	case !o.Beside && storage.Beside(o.Private, o.release()):
		fail("--private=%s lies in the folder that holds --output=%s: who reads or copies all of that folder takes it in. Name a place "+
			"elsewhere, or write --private_beside_output if nobody will", o.Private, o.Output)
	}
	for _, input := range o.Input {
		if root, ok := wholeDirectory(input); ok && o.Output != "" && storage.Inside(o.Output, root) {
			fail("--output=%s lies inside --input=%s, so the next run would read it as notes; name another place", o.Output, input)
		}
	}
	if o.Key == "" {
		fail("--key is missing: name the secret key by %s; make one with: palimpsest key new PATH", transforms.KeyForms)
	} else if scheme, name, ok := strings.Cut(o.Key, ":"); !ok || name == "" ||
		!slices.Contains([]string{"file", "env", "gcp-secret"}, scheme) {
		// The value is not repeated: it could be the key itself.
		fail("--key must name where the key is, not hold it: write %s", transforms.KeyForms)
	}
	choice("ids", o.IDs, "pseudonymise", "keep")
	choice("replacement", o.Replacement, "surrogate", "tag", "mask")
	policy, policyFile, err := policyOf(o)
	if err != nil {
		errs = append(errs, err)
	}
	choice("consistency", o.Consistency, "patient", "document", "markov")
	choice("doctors", o.Doctors, "patient", "institution")
	choice("date_shift_scope", o.DateShiftScope, "patient", "document")
	choice("date_sentinels", o.DateSentinels, "mask", "keep")
	atLeast("seed_epoch", o.SeedEpoch, 0)
	if o.MarkovChange <= 0 || o.MarkovChange > 1 {
		fail("--markov_change=%g: write a chance above 0 and at most 1", o.MarkovChange)
	}
	if policyFile == "" && err == nil {
		errs = append(errs, checkRelease(o, policy)...)
	}
	choice("execution_mode_for_batch", o.ExecutionMode, executionModes...)
	choice("day_order", o.DayOrder, deid.DayOrders()...)
	choice("row_order", o.RowOrder, transforms.RowOrders()...)
	if _, err := onnx.ParseProvider(o.ExecutionProvider); err != nil {
		fail("--execution_provider=%s: write one of auto, cpu, cuda", o.ExecutionProvider)
	}
	dates := surrogate.DatePolicy{Policy: o.DateShiftPolicy, MinDays: o.DateShiftMinDays, MaxDays: o.DateShiftMaxDays,
		Direction: o.DateShiftDirection}
	if err := dates.Check(); err != nil {
		fail("--date_shift_policy=%s, --date_shift_direction=%s, --date_shift_min_days=%d, --date_shift_days=%d: %w",
			o.DateShiftPolicy, o.DateShiftDirection, o.DateShiftMinDays, o.DateShiftMaxDays, err)
	}
	if _, err := releaseDay(o.ReleaseDate); err != nil {
		fail("--release_date=%s: write a day as YYYY-MM-DD", o.ReleaseDate)
	}
	end, err := extractEnd(o.ExtractEnd)
	if err != nil {
		fail("--extract_end=%s: write the last day of the extract as YYYY-MM-DD", o.ExtractEnd)
	}
	atLeast("shard_mb", o.ShardMB, 1)
	atLeast("buckets", o.Buckets, 1)
	atLeast("workers", o.Workers, 0)
	atLeast("batch_kb", o.BatchKB, 1)
	atLeast("positions", o.Positions, 0)
	atLeast("window_cache_mb", o.WindowMB, 0)
	atLeast("max_note_mb", o.MaxNoteMB, 1)
	atLeast("cuda_device", o.CUDADevice, 0)
	atLeast("cuda_memory_mb", o.CUDAMemoryMB, 0)
	if o.MaxNoteMB > 1024 {
		fail("--max_note_mb=%d: write at most 1024", o.MaxNoteMB)
	}
	if o.RecallBias < -20 || o.RecallBias > 20 {
		fail("--recall_bias=%g: write a number of nats between -20 and 20", o.RecallBias)
	}
	choice("language_check", o.LanguageCheck, "stop", "warn")
	atLeast("limit", o.Limit, 0)
	bias, doubt := o.RecallBias, 0.0
	if o.Recall != "" {
		level, ok := recallLevels[o.Recall]
		switch {
		case !ok:
			fail("--recall=%s: write one of balanced, high, maximum", o.Recall)
		case o.RecallBias != DefaultOptions().RecallBias:
			fail("--recall=%s and --recall_bias=%g say the same thing twice; leave one of them out", o.Recall, o.RecallBias)
		}
		bias, doubt = level.bias, level.doubt
	}
	choice("line_separator", o.LineSeparator, lineSeparators...)
	choice("text_format", o.TextFormat, view.Settings()...)
	choice("other_columns", o.OtherColumns, "refuse", "drop", "keep")
	columns := table.Columns{} // of the notes
	if len(o.Input) > 0 || len(o.Tables) == 0 {
		var wrong []error
		columns, wrong = columnsOf(o)
		errs = append(append(errs, wrong...), checkColumns(columns, o.Preset != "")...)
	}
	tableFiles, tables, wrong := tablesOf(o)
	errs = append(errs, wrong...)
	percent := func(name string, value float64) {
		if value < 0 || value > 100 {
			fail("--%s=%g: write a number of percent from 0 to 100", name, value)
		}
	}
	percent("max_quarantined", o.MaxQuarantined)
	percent("max_missing_identifiers", o.MaxMissing)
	identifierColumns, err := table.ParseIdentifierColumns(o.IdentifierColumns)
	switch {
	case err != nil:
		fail("--identifier_columns: %w", err)
	case o.Identifiers == "" && len(identifierColumns) > 0:
		fail("--identifier_columns is about --identifiers, which is missing")
	case o.Identifiers != "" && columns.PatientID == "" && o.Preset == "" && len(o.Input) > 0:
		fail("--identifiers=%s: they are found by the patient's id; name its column in the notes by --patient_id_column", o.Identifiers)
	}
	steps := []string{} // in one order, whatever that of the flag
	for _, step := range deid.AllSteps() {
		if slices.Contains(o.Steps, step) {
			steps = append(steps, step)
		}
	}
	for _, step := range o.Steps {
		if !slices.Contains(steps, step) {
			fail("--steps=%s: write any of %s", step, strings.Join(deid.AllSteps(), ", "))
		}
	}

	errs = append(errs, checkNights(o)...)
	choice("log", o.Log, "text", "json")

	named, vote := strings.CutPrefix(strings.TrimSpace(o.Model), votePrefix)
	models := namesIn(named)
	if len(models) == 0 {
		fail("--model is empty: name a model, or several with commas between them")
		models = []string{""}
	} else if vote && len(models) < 2 {
		fail("--model=%s: a vote takes two models or more, with commas between them", o.Model)
	}
	c := transforms.Config{
		Where: transforms.Where{
			State: strings.TrimRight(o.State, "/"), StateKey: o.StateKey, Withdrawn: o.Withdrawn,
			Inputs: o.Input, Tables: tableFiles, Output: o.Output, Private: o.Private,
			Preset: o.Preset, UsualText: o.Preset == "" && slices.Equal(o.TextColumn, DefaultOptions().TextColumn),
			Identifiers: o.Identifiers, Staff: o.Staff, PatientLinks: o.PatientLinks, SiteRules: o.SiteRules, Allow: o.Allow,
			Lists:      o.SurrogateLists,
			PolicyFile: policyFile, GateFile: o.Gate, Key: o.Key, Model: models[0], MoreModels: models[1:], ONNXRuntime: o.ONNXRuntime,
		},
		What: transforms.What{
			Program: Version(), Epoch: o.SeedEpoch, Vote: vote,
			Columns: columns, Tables: tables,
			KeepIDs: o.IDs == "keep", IdentifierColumns: identifierColumns,
			Steps: steps, RecallBias: float32(bias), DoubtBias: float32(doubt), Language: "en", MaxNoteBytes: o.MaxNoteMB << 20,
			Policy: policy, Consistency: surrogate.Scope(o.Consistency), MarkovChange: o.MarkovChange,
			SharedDoctors: o.Doctors == "institution",
			Dates:         dates, DateScope: surrogate.Scope(o.DateShiftScope), DayOrder: o.DayOrder, RowOrder: o.RowOrder,
			Sentinels:  surrogate.Sentinels(o.DateSentinels),
			TextFormat: view.Format(o.TextFormat), ExtractEnd: end, Limit: int64(o.Limit),
		},
		How: transforms.How{
			Provider: o.ExecutionProvider, CUDADevice: o.CUDADevice, CUDAMemoryMB: o.CUDAMemoryMB, Positions: o.Positions,
			WindowCache: int64(o.WindowMB) << 20, Hardware: transforms.Hardware{MixedHardware: o.MixedHardware},
			Buckets: o.Buckets, ShardBytes: int64(o.ShardMB) << 20, BatchBytes: o.BatchKB << 10, Workers: o.Workers, Findings: o.Findings,
			Gates: transforms.Gates{Quarantined: o.MaxQuarantined / 100, Missing: o.MaxMissing / 100, Accepted: o.AcceptColumns, Empty: o.AllowEmpty,
				AnyLanguage: o.LanguageCheck == "warn", Dated: o.Dated},
			ReleaseDate: o.ReleaseDate,
		},
	}
	if o.State != "" {
		c.Nights = &transforms.Nights{Night: o.Night, Reissue: o.Reissue}
	}
	if o.Preset == "" {
		c.Columns.NoteDate = noteDate(c.Columns)
	}
	if len(errs) > 0 {
		return transforms.Config{}, errors.Join(errs...)
	}
	return c, nil
}

// extractEnd reads a day, in days since 1970-01-01; 0 for none.
func extractEnd(s string) (day int, err error) {
	if s == "" {
		return 0, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	return int(t.Unix() / 86_400), err
}

// wholeDirectory returns the directory that an input takes as a whole: one
// named as such, or the root of a ** pattern.
func wholeDirectory(input string) (string, bool) {
	if before, _, ok := strings.Cut(input, "**"); ok {
		if i := strings.IndexAny(before, "*?["); i >= 0 {
			before = before[:i]
		}
		return storage.Dir(before + "x"), true
	}
	return input, !strings.ContainsAny(input, "*?[") && !strings.HasSuffix(input, ".parquet")
}

// checkColumns refuses columns with two roles, and tables without what the job
// needs; a preset may still name that.
func checkColumns(c table.Columns, preset bool) []error {
	var errs []error
	if c.DocumentID == "" && !preset {
		errs = append(errs, errors.New("--document_id_column is empty: every note needs an id"))
	}
	if len(c.Text) == 0 && !preset {
		errs = append(errs, errors.New("--text_column is empty: name the column that holds the notes"))
	}
	given := map[string]table.Role{}
	claim := func(role table.Role, columns ...string) {
		for _, path := range columns {
			if path == "" {
				continue
			}
			if other, ok := given[path]; ok {
				errs = append(errs, fmt.Errorf("column %q has the roles %s and %s; a column can do one thing", path, other, role))
			}
			given[path] = role
		}
	}
	claim(table.RoleDocumentID, c.DocumentID)
	claim(table.RolePatientID, c.PatientID)
	claim(table.RoleText, c.Text...)
	claim(table.RoleDate, c.Dates...)
	claim(table.RoleID, c.IDs...)
	claim(table.RoleKeep, c.Keep...)
	claim(table.RoleDrop, c.Drop...)
	claim(table.RoleOffset, c.DateOffset)
	claim(table.RoleLine, c.Line)
	return errs
}

// ofLife matches columns of a patient's own dates, which are no note's.
var ofLife = regexp.MustCompile(`(?i)birth|dob|death|died|deceased`)
