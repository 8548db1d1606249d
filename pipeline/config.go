package pipeline

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
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

	if len(o.Input) == 0 {
		fail("--input is missing: name Parquet files, such as --input 'notes/*.parquet'")
	}
	if o.Output == "" {
		fail("--output is missing: name a directory that does not exist yet, such as --output scrubbed")
	}
	o.Output = strings.TrimRight(o.Output, "/")
	if o.Private == "" {
		o.Private = o.Output + "-private"
	}
	o.Private = strings.TrimRight(o.Private, "/")
	switch {
	case o.Output == "":
	case storage.Inside(o.Private, o.Output):
		fail("--private=%s lies inside --output=%s: what must not be released would be; name another place", o.Private, o.Output)
	case storage.Inside(o.Output, o.Private):
		fail("--output=%s lies inside --private=%s; name another place", o.Output, o.Private)
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
	choice("consistency", o.Consistency, "patient", "document", "markov")
	choice("doctors", o.Doctors, "patient", "institution")
	choice("hipaa_mode", o.HIPAAMode, "surrogate-shift", "safe-harbor", "limited")
	choice("date_shift_scope", o.DateShiftScope, "patient", "document")
	choice("date_sentinels", o.DateSentinels, "mask", "keep")
	atLeast("seed_epoch", o.SeedEpoch, 0)
	if o.MarkovChange <= 0 || o.MarkovChange > 1 {
		fail("--markov_change=%g: write a chance above 0 and at most 1", o.MarkovChange)
	}
	errs = append(errs, checkRelease(o)...)
	choice("day_order", o.DayOrder, deid.DayOrders()...)
	choice("row_order", o.RowOrder, transforms.RowOrders()...)
	if _, err := onnx.ParseProvider(o.ExecutionProvider); err != nil {
		fail("--execution_provider=%s: write one of auto, cpu, cuda", o.ExecutionProvider)
	}
	dates := surrogate.DatePolicy{Policy: o.DateShiftPolicy, MinDays: o.DateShiftMinDays, MaxDays: o.DateShiftMaxDays, Direction: o.DateShiftDirection}
	if err := dates.Check(); err != nil {
		fail("--date_shift_policy=%s, --date_shift_direction=%s, --date_shift_min_days=%d, --date_shift_days=%d: %w",
			o.DateShiftPolicy, o.DateShiftDirection, o.DateShiftMinDays, o.DateShiftMaxDays, err)
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
	atLeast("max_note_mb", o.MaxNoteMB, 1)
	atLeast("cuda_device", o.CUDADevice, 0)
	atLeast("cuda_memory_mb", o.CUDAMemoryMB, 0)
	if o.MaxNoteMB > 1024 {
		fail("--max_note_mb=%d: write at most 1024", o.MaxNoteMB)
	}
	if o.RecallBias < -20 || o.RecallBias > 20 {
		fail("--recall_bias=%g: write a number of nats between -20 and 20", o.RecallBias)
	}
	choice("other_columns", o.OtherColumns, "refuse", "drop", "keep")
	columns, wrong := columnsOf(o)
	errs = append(append(errs, wrong...), checkColumns(columns, o.Preset != "")...)
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
	case o.Identifiers != "" && columns.PatientID == "" && o.Preset == "":
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

	c := transforms.Config{
		Where: transforms.Where{
			Inputs: o.Input, Output: o.Output, Private: o.Private,
			Preset: o.Preset, UsualText: o.Preset == "" && slices.Equal(o.TextColumn, DefaultOptions().TextColumn),
			Identifiers: o.Identifiers, Staff: o.Staff, SiteRules: o.SiteRules, Key: o.Key, Model: o.Model, ONNXRuntime: o.ONNXRuntime,
		},
		What: transforms.What{
			Program: Version(), Epoch: o.SeedEpoch,
			Columns: columns,
			KeepIDs: o.IDs == "keep", IdentifierColumns: identifierColumns,
			Steps: steps, RecallBias: float32(o.RecallBias), Language: "en", MaxNoteBytes: o.MaxNoteMB << 20,
			Replacement: surrogate.Mode(o.Replacement), Consistency: surrogate.Scope(o.Consistency), MarkovChange: o.MarkovChange,
			SharedDoctors: o.Doctors == "institution", Release: surrogate.Release(o.HIPAAMode),
			Dates: dates, DateScope: surrogate.Scope(o.DateShiftScope), DayOrder: o.DayOrder, RowOrder: o.RowOrder, Sentinels: surrogate.Sentinels(o.DateSentinels),
			ExtractEnd: end,
		},
		How: transforms.How{
			Provider: o.ExecutionProvider, CUDADevice: o.CUDADevice, CUDAMemoryMB: o.CUDAMemoryMB, Positions: o.Positions,
			Buckets: o.Buckets, ShardBytes: int64(o.ShardMB) << 20, BatchBytes: o.BatchKB << 10, Workers: o.Workers, Findings: o.Findings,
			Gates: transforms.Gates{Quarantined: o.MaxQuarantined / 100, Missing: o.MaxMissing / 100, Accepted: o.AcceptColumns, Empty: o.AllowEmpty},
		},
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

// checkRelease refuses settings that contradict the kind of release.
func checkRelease(o Options) (errs []error) {
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	switch o.HIPAAMode {
	case "safe-harbor", "limited":
		if o.DateOffset != "" {
			fail("--date_offset_column=%s: under --hipaa_mode=%s no date is shifted; leave it out (and drop the column, which would go to the "+
				"output)", o.DateOffset, o.HIPAAMode)
		}
		if o.DateShiftScope != "patient" {
			fail("--date_shift_scope=%s: under --hipaa_mode=%s no date is shifted; leave it out", o.DateShiftScope, o.HIPAAMode)
		}
	}
	if o.HIPAAMode == "safe-harbor" && o.IDs == "keep" {
		fail("--ids=keep: record numbers are among the identifiers that --hipaa_mode=safe-harbor must remove; write --ids=pseudonymise, or " +
			"choose another mode")
	}
	if o.DateOffset != "" && o.DateShiftScope == "document" {
		fail("--date_offset_column=%s gives each patient one offset, --date_shift_scope=document each note another; leave one of them out",
			o.DateOffset)
	}
	return errs
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
	return errs
}

// ofLife matches columns of a patient's own dates, which are no note's.
var ofLife = regexp.MustCompile(`(?i)birth|dob|death|died|deceased`)

// Prepare checks a configuration against the world before any work: the key,
// the model, ONNX Runtime, the output and every input's footer. It returns the
// configuration with the model's directory in full, and lines that say what
// the job will run with and what becomes of each column.
func Prepare(ctx context.Context, c transforms.Config) (_ transforms.Config, summary string, err error) {
	if err := checkRunner(); err != nil {
		return c, "", err
	}
	if runsOn(dataflow) {
		if err := checkDataflow(c); err != nil {
			return c, "", err
		}
	}
	if c, summary, err = PrepareTaggers(ctx, c); err != nil {
		return c, "", err
	}
	if err := transforms.CheckLock(ctx, placed(c)); err != nil {
		return c, "", err
	}
	if err := checkPlaces(ctx, c); err != nil {
		if flagValue("dry_run") != "true" {
			err = errors.Join(err, transforms.TidyFinished(ctx, placed(c)))
		}
		return c, "", err
	}
	if c, err = CompleteColumns(ctx, c); err != nil {
		return c, "", err
	}
	shards, err := transforms.ListShards(ctx, c)
	if err != nil {
		return c, "", explainRoles(ctx, c, err)
	}
	if err := transforms.CheckJoin(ctx, c, shards); err != nil {
		return c, "", err
	}
	var rows int64
	for _, s := range shards {
		rows += s.Rows
	}
	if rows == 0 && !c.Gates.Empty {
		return c, "", fault.Mark(fault.Refused, errors.New("the input has no rows; --allow_empty makes an output without notes all the same"))
	}
	columns, err := describeRoles(ctx, c, shards[0])
	if err != nil {
		return c, "", err
	}
	return c, fmt.Sprintf("%d notes in %d shards; %s\n%s", rows, len(shards), summary, columns), nil
}

// PrepareTaggers is the part of Prepare that detection alone takes: the key,
// the model, ONNX Runtime, the known identifiers and the list of staff.
func PrepareTaggers(ctx context.Context, c transforms.Config) (_ transforms.Config, summary string, err error) {
	key, err := transforms.ResolveKey(ctx, c.Key)
	if err != nil {
		return c, "", err
	}
	keys, err := surrogate.NewKeyring(key, c.Epoch)
	if err != nil {
		return c, "", fmt.Errorf("key %s: %w", transforms.PrintableKey(c.Key), err)
	}
	c.KeyID = keys.ID()
	name := c.Where.Model
	if modelName.MatchString(name) {
		if c.Where.Model, err = shipped(name); err != nil {
			return c, "", err
		}
	}
	model, err := transforms.LoadModel(ctx, c.Where.Model)
	if err != nil {
		return c, "", err
	}
	c.What.Model = transforms.ModelIdentity{Name: model.Name, Version: model.Version, Digest: model.Digest}
	if model.Language != "" {
		c.Language = model.Language
	}
	if _, c.SiteRulesDigest, err = transforms.LoadRules(ctx, c); err != nil {
		return c, "", err
	}
	var on string
	if runsOn(dataflow) {
		// Their image has the model and ONNX Runtime; this machine need not.
		if modelName.MatchString(name) {
			c.Where.Model = storage.Join(imageModels, name)
		}
		on = c.Provider + " in the worker image"
	} else if on, err = tryNetwork(model, c); err != nil {
		return c, "", err
	}
	if c.KnownIdentifiers, err = transforms.CheckIdentifiers(ctx, c); err != nil {
		return c, "", err
	}
	staff := 0
	if c.StaffDigest, staff, err = transforms.CheckStaff(ctx, c.Staff); err != nil {
		return c, "", err
	}
	known := ""
	if t := c.KnownIdentifiers; t != nil {
		all := t.All()
		known = fmt.Sprintf("; known identifiers of %d patients, %d of %d values too short to look for", t.Patients, all.Ignored, all.All)
	}
	if c.Staff != "" {
		known += fmt.Sprintf("; %d staff", staff)
	}
	return c, fmt.Sprintf("model %s %s on %s%s", model.Name, model.Version, on, known), nil
}

// tryNetwork loads ONNX Runtime and the model's graphs, as workers will, and
// says what they run on.
func tryNetwork(model *bilstmcrf.Model, c transforms.Config) (string, error) {
	library, version, err := onnx.Initialize(c.ONNXRuntime)
	if err != nil {
		return "", err
	}
	graphs, err := onnx.NewGraphs(model, c.Device())
	if err != nil {
		return "", err
	}
	on := fmt.Sprintf("%s, ONNX Runtime %s (%s)", graphs.Provider(), version, library)
	if why := graphs.Fallback(); why != "" {
		on += ", not on the GPU: " + why
	}
	return on, nil
}

// checkPlaces refuses an output or a private part that holds something of
// somebody else.
func checkPlaces(ctx context.Context, c transforms.Config) error {
	left, err := transforms.Interrupted(ctx, c)
	if err != nil {
		return err
	}
	if err := checkEmpty(ctx, c.Output, "output", left.Output); err != nil {
		return err
	}
	if err := checkEmpty(ctx, c.Private, "private", left.Private); err != nil {
		return err
	}
	if err := storage.CheckPrivate(c.Private); err != nil {
		return fmt.Errorf("--private=%s: %w", c.Private, err)
	}
	return nil
}

// checkEmpty refuses an output that holds something, but for what an earlier
// run that failed left unfinished or was publishing.
func checkEmpty(ctx context.Context, dir, what string, left []string) error {
	infos, err := storage.List(ctx, dir)
	if err != nil {
		return err
	}
	if err := storage.NoLinksBelow(dir); err != nil {
		return fmt.Errorf("--%s=%s: %w", what, dir, err)
	}
	unfinished := storage.Join(dir, transforms.TemporaryFolder) + "/"
	known := map[string]bool{}
	for _, name := range left {
		known[storage.Join(dir, name)] = true
	}
	for _, info := range infos {
		if !strings.HasPrefix(info.Name, unfinished) && !known[info.Name] {
			return fmt.Errorf("--%s=%s is not empty; name another place, or remove it if you no longer need it", what, dir)
		}
	}
	return nil
}
