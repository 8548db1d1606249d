// Package pipeline turns a command line into a job and runs it: options as the
// user writes them, a validated configuration, the Beam pipeline, and what is
// told to the user while it runs and at its end.
package pipeline

import (
	"flag"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
)

// Options are the settings of a job as a user gives them. Each field is a flag
// and a key of the configuration file, by the name in its flag tag; settingHelp
// explains it. The
// default is what DefaultOptions puts into the field.
type Options struct {
	Config string `flag:"config" group:"Input and output"`

	Input       []string `flag:"input" group:"Input and output"`
	Output      string   `flag:"output" group:"Input and output"`
	Private     string   `flag:"private" group:"Input and output"`
	Beside      bool     `flag:"private_beside_output" group:"Input and output"`
	Identifiers string   `flag:"identifiers" group:"Input and output"`
	Staff       string   `flag:"staff" group:"Input and output"`

	PatientLinks string `flag:"patient_links" group:"Input and output"`

	DocumentIDColumn  string   `flag:"document_id_column" group:"Columns"`
	PatientIDColumn   string   `flag:"patient_id_column" group:"Columns"`
	TextColumn        []string `flag:"text_column" group:"Columns"`
	NoteDateColumn    string   `flag:"note_date_column" group:"Columns"`
	DateColumns       []string `flag:"date_columns" group:"Columns"`
	DateOffset        string   `flag:"date_offset_column" group:"Columns"`
	IDColumns         []string `flag:"id_columns" group:"Columns"`
	DropColumns       []string `flag:"drop_columns" group:"Columns"`
	KeepColumns       []string `flag:"keep_columns" group:"Columns"`
	Columns           []string `flag:"columns" group:"Columns"`
	Preset            string   `flag:"preset" group:"Columns"`
	OtherColumns      string   `flag:"other_columns" group:"Columns"`
	AcceptColumns     []string `flag:"accept_columns" group:"Columns"`
	LineColumn        string   `flag:"line_column" group:"Columns"`
	LineSeparator     string   `flag:"line_separator" group:"Columns"`
	TextFormat        string   `flag:"text_format" group:"Columns"`
	KeepMetadata      []string `flag:"keep_metadata" group:"Columns"`
	IdentifierColumns []string `flag:"identifier_columns" group:"Columns"`

	State     string `flag:"state" group:"Nights"`
	StateKey  string `flag:"state_key" group:"Nights"`
	Night     string `flag:"night" group:"Nights"`
	Withdrawn string `flag:"withdrawn" group:"Nights"`
	Reissue   bool   `flag:"reissue" group:"Nights"`
	Dated     bool   `flag:"accept_dated_batches" group:"Nights"`

	MaxQuarantined float64 `flag:"max_quarantined" group:"When to stop"`
	MaxMissing     float64 `flag:"max_missing_identifiers" group:"When to stop"`
	AllowEmpty     bool    `flag:"allow_empty" group:"When to stop"`
	LanguageCheck  string  `flag:"language_check" group:"When to stop"`
	Limit          int     `flag:"limit" group:"When to stop"`
	Gate           string  `flag:"gate" group:"When to stop"`
	ReleaseDate    string  `flag:"release_date" group:"When to stop"`

	Key              string  `flag:"key" group:"Replacement"`
	IDs              string  `flag:"ids" group:"Replacement"`
	Policy           string  `flag:"policy" group:"Replacement"`
	Replacement      string  `flag:"replacement" group:"Replacement"`
	Consistency      string  `flag:"consistency" group:"Replacement"`
	MarkovChange     float64 `flag:"markov_change" group:"Replacement"`
	Doctors          string  `flag:"doctors" group:"Replacement"`
	HIPAAMode        string  `flag:"hipaa_mode" group:"Replacement"`
	SeedEpoch        int     `flag:"seed_epoch" group:"Replacement"`
	DateShiftPolicy  string  `flag:"date_shift_policy" group:"Replacement"`
	DateShiftScope   string  `flag:"date_shift_scope" group:"Replacement"`
	DateSentinels    string  `flag:"date_sentinels" group:"Replacement"`
	DateShiftMinDays int     `flag:"date_shift_min_days" group:"Replacement"`
	DateShiftMaxDays int     `flag:"date_shift_days" group:"Replacement"`

	DateShiftDirection string `flag:"date_shift_direction" group:"Replacement"`
	ExtractEnd         string `flag:"extract_end" group:"Replacement"`

	SurrogateLists string `flag:"surrogate_lists" group:"Replacement"`

	DayOrder string `flag:"day_order" group:"Replacement"`
	RowOrder string `flag:"row_order" group:"Replacement"`
	Findings bool   `flag:"findings" group:"Replacement"`

	Steps             []string `flag:"steps" group:"Detection"`
	Model             string   `flag:"model" group:"Detection"`
	SiteRules         string   `flag:"site_rules" group:"Detection"`
	Allow             string   `flag:"allow" group:"Detection"`
	ExecutionProvider string   `flag:"execution_provider" group:"Detection"`
	CUDADevice        int      `flag:"cuda_device" group:"Detection"`
	CUDAMemoryMB      int      `flag:"cuda_memory_mb" group:"Detection"`
	ONNXRuntime       string   `flag:"onnxruntime" group:"Detection"`
	Recall            string   `flag:"recall" group:"Detection"`
	RecallBias        float64  `flag:"recall_bias" group:"Detection"`

	ShardMB   int  `flag:"shard_mb" group:"Work"`
	Buckets   int  `flag:"buckets" group:"Work"`
	Workers   int  `flag:"workers" group:"Work"`
	BatchKB   int  `flag:"batch_kb" group:"Work"`
	Positions int  `flag:"positions" group:"Work"`
	WindowMB  int  `flag:"window_cache_mb" group:"Work"`
	MaxNoteMB int  `flag:"max_note_mb" group:"Work"`
	Verbose   bool `flag:"verbose" group:"Work"`

	MixedHardware bool `flag:"mixed_hardware" group:"Work"`

	Log     string `flag:"log" group:"Work"`
	Metrics string `flag:"metrics" group:"Work"`

	FlinkREST string `flag:"flink_rest" group:"Flink"`

	ExecutionMode string `flag:"execution_mode_for_batch" group:"Flink"`

	WorkerPool        bool   `flag:"worker_pool" group:"Flink"`
	WorkerPoolAddress string `flag:"worker_pool_address" group:"Flink"`

	WorkerPoolEndpoints []string `flag:"worker_pool_endpoints" group:"Flink"`

	Tables []TableOptions // besides the notes; in the configuration file only
}

// DefaultOptions returns the options of an empty command line.
func DefaultOptions() Options {
	return Options{
		DocumentIDColumn: "note_id", PatientIDColumn: "patient_id", TextColumn: []string{"text"},
		LineSeparator: "none", TextFormat: "auto", OtherColumns: "refuse", LanguageCheck: "stop", MaxQuarantined: 1, MaxMissing: 100,
		IDs: "pseudonymise", Replacement: "surrogate", Consistency: "patient",
		MarkovChange: 0.3, Doctors: "patient", HIPAAMode: "surrogate-shift", DateShiftScope: "patient", DateSentinels: "mask",
		DateShiftPolicy: "weekday", DateShiftMinDays: 183, DateShiftDirection: "past", DayOrder: "auto", RowOrder: "auto", Findings: true,
		Steps: deid.AllSteps(),
		Model: "en-clinical", ExecutionProvider: "auto", RecallBias: 0.25, ExecutionMode: "PIPELINED",
		ShardMB: 64, Buckets: 128, BatchKB: 512, MaxNoteMB: 8, WindowMB: 64,
		Log: "text", WorkerPoolAddress: "localhost:50000",
	}
}

// option is one field of Options.
type option struct {
	name, group, help string
	value             reflect.Value
}

func (o *Options) all() []option { return fieldsOf(reflect.ValueOf(o).Elem()) }

// fieldsOf returns the fields of a struct that are settings.
func fieldsOf(v reflect.Value) []option {
	var all []option
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		if tag.Get("flag") == "" {
			continue
		}
		all = append(all, option{tag.Get("flag"), tag.Get("group"), settingHelp[tag.Get("flag")], v.Field(i)})
	}
	return all
}

// String and Set make an option a flag.Value.
func (o option) String() string {
	if !o.value.IsValid() {
		return ""
	}
	if o.value.Kind() == reflect.Slice {
		return strings.Join(o.value.Interface().([]string), ",")
	}
	return fmt.Sprint(o.value.Interface())
}

// IsBoolFlag lets --findings stand without a value.
func (o option) IsBoolFlag() bool { return o.value.IsValid() && o.value.Kind() == reflect.Bool }

func (o option) Set(s string) error {
	switch o.value.Kind() {
	case reflect.String:
		o.value.SetString(s)
	case reflect.Slice:
		var list []string
		for _, part := range strings.Split(s, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		o.value.Set(reflect.ValueOf(list))
	case reflect.Bool:
		b, err := strconv.ParseBool(s)
		switch strings.ToLower(s) {
		case "yes", "on":
			b, err = true, nil
		case "no", "off":
			b, err = false, nil
		}
		if err != nil {
			return fmt.Errorf("write true or false")
		}
		o.value.SetBool(b)
	case reflect.Int:
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("write a whole number")
		}
		o.value.SetInt(int64(n))
	case reflect.Float64:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("write a number")
		}
		o.value.SetFloat(f)
	}
	return nil
}

// Register makes every option a flag of fs, with its present value as default.
func (o *Options) Register(fs *flag.FlagSet) {
	for _, opt := range o.all() {
		fs.Var(opt, opt.name, opt.help)
	}
}
