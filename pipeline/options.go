// Package pipeline turns a command line into a job and runs it: options as the
// user writes them, a validated configuration, the Beam pipeline, and what is
// told to the user while it runs and at its end.
package pipeline

import (
	"flag"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Options are the settings of a job as a user gives them. Each field is a flag
// and a key of the configuration file, by the name in its flag tag. The
// default is what DefaultOptions puts into the field.
type Options struct {
	Config string `flag:"config" group:"Input and output" help:"YAML file with any of these settings under the same names; a flag wins over the file"`

	Input   []string `flag:"input" group:"Input and output" help:"Parquet files: paths, globs (quoted) or directories, comma separated (a path with a comma goes into the configuration file); local or gs://"`
	Output  string   `flag:"output" group:"Input and output" help:"directory or gs:// prefix for what may be released; it must not exist or be empty"`
	Private string   `flag:"private" group:"Input and output" help:"directory or prefix for what must never be released: quarantined rows and findings (default <output>-private)"`
	Census  string   `flag:"census" group:"Input and output" help:"Parquet of known identifiers per patient: patient_id and any of name, given_name, family_name, birth_date, mrn, ssn, phone, email, address, relatives, doctors"`
	Staff   string   `flag:"staff" group:"Input and output" help:"Parquet of names of staff, looked for in all notes: given_name and family_name, or name; perhaps username and pager"`

	DocumentIDColumn string   `flag:"document_id_column" group:"Columns" help:"document id: a string or an integer, without duplicates"`
	PatientIDColumn  string   `flag:"patient_id_column" group:"Columns" help:"patient id; a note without one is its own patient; --patient_id_column= where the table has none"`
	TextColumn       []string `flag:"text_column" group:"Columns" help:"text; several, comma separated"`
	NoteDateColumn   string   `flag:"note_date_column" group:"Columns" help:"the note's own date, which partial dates in its text are resolved against (default: the one of date_columns that is called note_date, or the only one unless its name speaks of birth or death)"`
	DateColumns      []string `flag:"date_columns" group:"Columns" help:"date, timestamp or string columns that move by the patient's offset"`
	DateOffset       string   `flag:"date_offset_column" group:"Columns" help:"integer column with the days that the patient's dates move, in place of a keyed number; the same in all of a patient's rows, never 0; left out of the output"`
	IDColumns        []string `flag:"id_columns" group:"Columns" help:"further columns to pseudonymise as ids are"`
	DropColumns      []string `flag:"drop_columns" group:"Columns" help:"columns to leave out of the output; all others pass through unchanged"`
	KeepMetadata     []string `flag:"keep_metadata" group:"Columns" help:"keys of the files' own metadata that are released as they are; of the others, only the schemas of Arrow, pandas and Spark are, without what people have attached to them (DataFrame.attrs, comments)"`
	CensusPatientID  string   `flag:"census_patient_id_column" group:"Columns" help:"patient id in the census"`

	Key              string  `flag:"key" group:"Replacement" help:"where the secret key is, at least 32 bytes: file:PATH (local or gs://), env:NAME or gcp-secret:RESOURCE"`
	IDs              string  `flag:"ids" group:"Replacement" help:"pseudonymise: document and patient ids become keyed pseudonyms, so that tables scrubbed apart still join; keep: leave them"`
	Replacement      string  `flag:"replacement" group:"Replacement" help:"surrogate: plausible other values; tag: [DOCTOR]; mask: characters of the same class"`
	Consistency      string  `flag:"consistency" group:"Replacement" help:"patient: a person has one surrogate in all notes of a patient; document: in each note alone; markov: surrogates change by chance within a note, so that a name that was missed does not stand out"`
	MarkovChange     float64 `flag:"markov_change" group:"Replacement" help:"chance that a surrogate changes at the next mention under --consistency=markov"`
	Doctors          string  `flag:"doctors" group:"Replacement" help:"patient: a doctor has a surrogate per patient; institution: one for all patients of the key, so that caseloads can be studied, and told"`
	HIPAAMode        string  `flag:"hipaa_mode" group:"Replacement" help:"surrogate-shift: dates move, all else is replaced; safe-harbor: of dates the year stays, of ZIP codes three digits, states and countries stay, and a date column becomes 1 January of its year; limited: dates, ages, cities, states and ZIP codes stay"`
	SeedEpoch        int     `flag:"seed_epoch" group:"Replacement" help:"each epoch of a key changes every surrogate, offset and pseudonym, as another key would"`
	DateShiftPolicy  string  `flag:"date_shift_policy" group:"Replacement" help:"weekday: multiples of seven days, so that weekdays stay true; season: those nearest to whole years, so that seasons do too (widen --date_shift_days: five years hold but few); plain: any number of days"`
	DateShiftScope   string  `flag:"date_shift_scope" group:"Replacement" help:"patient: a patient's dates move together; document: each note and its row by themselves"`
	DateSentinels    string  `flag:"date_sentinels" group:"Replacement" help:"mask or keep stand-ins such as 9/9/9999 in texts and string columns; date columns always keep them"`
	DateShiftMinDays int     `flag:"date_shift_min_days" group:"Replacement" help:"least days that a patient's dates move, either way"`
	DateShiftMaxDays int     `flag:"date_shift_days" group:"Replacement" help:"most days that a patient's dates move, either way"`
	DateOrder        string  `flag:"date_order" group:"Replacement" help:"how 3/4/2014 is read: mdy, dmy, or auto: as the note's other dates tell, else mdy"`
	Findings         bool    `flag:"findings" group:"Replacement" help:"write what was found where, without its text, below --private"`

	Steps             []string `flag:"steps" group:"Detection" help:"what is done besides the network: rules; guards: leave be what only the network found and is medicine; repair: widen names found in part; correction: mend types by context; reconciliation: one type per surface in a patient's notes; sweep: look for what one note knows in all of the patient's"`
	Model             string   `flag:"model" group:"Detection" help:"name of a shipped model, or a directory or gs:// prefix with model.json"`
	SiteRules         string   `flag:"site_rules" group:"Detection" help:"YAML file, local or gs://, with a site's own rules and word lists; examples/site-rules.yaml shows one"`
	ExecutionProvider string   `flag:"execution_provider" group:"Detection" help:"auto: CUDA where it works, else the CPU, and the report says which; cpu; cuda: never falls back"`
	CUDADevice        int      `flag:"cuda_device" group:"Detection" help:"number of the GPU that the network runs on"`
	CUDAMemoryMB      int      `flag:"cuda_memory_mb" group:"Detection" help:"megabytes of the GPU's memory that each of the network's two graphs may take; 0 for no limit"`
	ONNXRuntime       string   `flag:"onnxruntime" group:"Detection" help:"libonnxruntime.so or its directory (default: $PALIMPSEST_ONNXRUNTIME, the repository's own copy, the system's places)"`
	RecallBias        float64  `flag:"recall_bias" group:"Detection" help:"nats taken from the network's \"no PHI\" label: above 0 it finds more and errs more often"`

	ShardMB   int  `flag:"shard_mb" group:"Work" help:"compressed megabytes of row groups per shard, the unit of work and of output files"`
	Buckets   int  `flag:"buckets" group:"Work" help:"groups that patients are joined in; more need less memory each"`
	Workers   int  `flag:"workers" group:"Work" help:"notes are processed by this many goroutines per process; 0 for one per core"`
	BatchKB   int  `flag:"batch_kb" group:"Work" help:"kilobytes of text that one goroutine tags at once"`
	Positions int  `flag:"positions" group:"Work" help:"padded token positions in one run of the network; 0 for the provider's best"`
	MaxNoteMB int  `flag:"max_note_mb" group:"Work" help:"longer texts go to quarantine"`
	Verbose   bool `flag:"verbose" group:"Work" help:"show the runner's own log"`

	WorkerPool        bool   `flag:"worker_pool" group:"Flink" help:"run no job, but serve Flink's task managers with workers for jobs that are started with --environment_type=EXTERNAL --environment_config=ADDRESS; see docs/flink.md"`
	WorkerPoolAddress string `flag:"worker_pool_address" group:"Flink" help:"where the pool listens; whoever can connect to it can use it"`

	WorkerPoolEndpoints []string `flag:"worker_pool_endpoints" group:"Flink" help:"hosts, IP addresses or networks (10.0.0.0/8) of task managers whose workers the pool starts, besides those on this machine's loopback interface"`
}

// DefaultOptions returns the options of an empty command line.
func DefaultOptions() Options {
	return Options{
		DocumentIDColumn: "note_id", PatientIDColumn: "patient_id", TextColumn: []string{"text"},
		CensusPatientID: "patient_id",
		IDs:             "pseudonymise", Replacement: "surrogate", Consistency: "patient",
		MarkovChange: 0.3, Doctors: "patient", HIPAAMode: "surrogate-shift", DateShiftScope: "patient", DateSentinels: "mask",
		DateShiftPolicy: "weekday", DateShiftMinDays: 28, DateShiftMaxDays: 1820, DateOrder: "auto", Findings: true,
		Steps: transforms.DefaultSteps(),
		Model: "en-clinical", ExecutionProvider: "auto", RecallBias: 0.25,
		ShardMB: 64, Buckets: 128, BatchKB: 512, MaxNoteMB: 8,
		WorkerPoolAddress: "localhost:50000",
	}
}

// option is one field of Options.
type option struct {
	name, group, help string
	value             reflect.Value
}

func (o *Options) all() []option {
	v := reflect.ValueOf(o).Elem()
	var all []option
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		all = append(all, option{tag.Get("flag"), tag.Get("group"), tag.Get("help"), v.Field(i)})
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

// Usage writes the help: our flags by group, then Beam's by name.
func Usage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprint(w, `Palimpsest removes protected health information from clinical notes. It reads
Parquet and writes Parquet with the same schema.

  palimpsest --input 'notes/*.parquet' --output scrubbed --key file:/secure/key

It finds names, dates, places, numbers and the like by a neural network and by
rules, and replaces them by surrogates that stay consistent for each patient;
above all, a patient's dates move together by one secret number of days.
What it writes to --private is as sensitive as the input.
`)
	defaults := DefaultOptions()
	ours := map[string]bool{}
	group := ""
	for _, opt := range defaults.all() {
		ours[opt.name] = true
		if opt.group != group {
			group = opt.group
			fmt.Fprintf(w, "\n%s\n", group)
		}
		fmt.Fprintf(w, "  --%s", opt.name)
		if s := opt.String(); s != "" && s != "0" {
			fmt.Fprintf(w, " (default %s)", s)
		}
		fmt.Fprintf(w, "\n%s\n", wrap(opt.help, 6, 90))
	}
	var beam []string
	fs.VisitAll(func(f *flag.Flag) {
		if !ours[f.Name] {
			beam = append(beam, "--"+f.Name)
		}
	})
	sort.Strings(beam)
	fmt.Fprintf(w, "\nApache Beam's own flags\n%s\n%s\n",
		wrap("--runner is prism (in this process, the default), flink or dataflow; --endpoint and --environment_type say where. All of them:", 2, 90),
		wrap(strings.Join(beam, " "), 6, 90))
}

// wrap breaks text into indented lines of at most width columns.
func wrap(text string, indent, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0 || column+1+len(word) > width:
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
