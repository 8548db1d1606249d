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
// and a key of the configuration file, by the name in its flag tag. The
// default is what DefaultOptions puts into the field.
type Options struct {
	Config string `flag:"config" group:"Input and output" help:"YAML file with any of these settings under the same names; a flag wins over the file"`

	Input       []string `flag:"input" group:"Input and output" help:"Parquet files: paths, globs (quoted) or directories, comma separated; local, gs:// or s3://. A path with a comma goes into the configuration file, as an item of a list"`
	Output      string   `flag:"output" group:"Input and output" help:"directory, or gs:// or s3:// prefix, for what may be released; it must not exist or be empty"`
	Private     string   `flag:"private" group:"Input and output" help:"directory or prefix for what must never be released: quarantined rows and findings (default <output>-private)"`
	Identifiers string   `flag:"identifiers" group:"Input and output" help:"Parquet of known identifiers, one row for each patient: patient_id and any of name, given_name, family_name, birth_date, mrn, ssn, phone, email, address, relatives, doctors; --identifier_columns says where columns have other names"`
	Staff       string   `flag:"staff" group:"Input and output" help:"Parquet of the names of staff, looked for in all notes: given_name and family_name, or name; also username and pager, if the table has them"`

	DocumentIDColumn  string   `flag:"document_id_column" group:"Columns" help:"document id: a string or an integer, without duplicates"`
	PatientIDColumn   string   `flag:"patient_id_column" group:"Columns" help:"patient id; a note without one is its own patient; --patient_id_column= where the table has none"`
	TextColumn        []string `flag:"text_column" group:"Columns" help:"text; several, comma separated"`
	NoteDateColumn    string   `flag:"note_date_column" group:"Columns" help:"the note's own date, which incomplete dates in its text are read by (default: the date column called note_date, or the only date column, unless its name says birth or death)"`
	DateColumns       []string `flag:"date_columns" group:"Columns" help:"date, timestamp or string columns that move by the patient's offset"`
	DateOffset        string   `flag:"date_offset_column" group:"Columns" help:"integer column with the days that the patient's dates move, in place of a keyed number; the same in all of a patient's rows, never 0; left out of the output"`
	IDColumns         []string `flag:"id_columns" group:"Columns" help:"further columns to pseudonymise as ids are"`
	DropColumns       []string `flag:"drop_columns" group:"Columns" help:"columns to leave out of the output"`
	KeepColumns       []string `flag:"keep_columns" group:"Columns" help:"columns to release as they are; their values are looked at, and known identifiers, numbers or names in them stop the job before anything is published. Dates have to be named one by one: one left as it is tells by how much the others moved"`
	Columns           []string `flag:"columns" group:"Columns" help:"roles of columns, COLUMN=ROLE, comma separated, or in the configuration file a mapping. ROLE is one of text, document_id, patient_id, note_date (moves too), date, offset, id, keep, drop; COLUMN may be a field of a struct or list, written with dots"`
	Preset            string   `flag:"preset" group:"Columns" help:"roles for the columns of a usual table: omop-note, mimic-iv-note, i2b2 or fhir-documentreference; what is said of a column otherwise wins"`
	OtherColumns      string   `flag:"other_columns" group:"Columns" help:"what becomes of columns without a role. refuse: the job does not begin, and says which and what may fit; drop: they are left out; keep: they are released as they are, except dates, which have to be named"`
	AcceptColumns     []string `flag:"accept_columns" group:"Columns" help:"kept columns in which the taggers may find names without stopping the job, such as one of drugs called after people"`
	KeepMetadata      []string `flag:"keep_metadata" group:"Columns" help:"keys of the files' own metadata that are released as they are; of the others, only the schemas of Arrow, pandas and Spark are, without what people have attached to them (DataFrame.attrs, comments)"`
	IdentifierColumns []string `flag:"identifier_columns" group:"Columns" help:"what columns of --identifiers hold that are not called so: name=FULL_NAME,birth_date=DOB; REMARKS=- leaves one out"`

	MaxQuarantined float64 `flag:"max_quarantined" group:"When to stop" help:"most rows that may be in quarantine, in percent; above, nothing is published"`
	MaxMissing     float64 `flag:"max_missing_identifiers" group:"When to stop" help:"most notes of patients whom the known identifiers do not name, in percent; above, nothing is published"`
	AllowEmpty     bool    `flag:"allow_empty" group:"When to stop" help:"publish also where the input has no rows, as on a night without notes"`

	Key              string  `flag:"key" group:"Replacement" help:"where the secret key is: file:PATH (local, gs:// or s3://), env:NAME or gcp-secret:RESOURCE; at least 32 bytes. palimpsest key new PATH makes one"`
	IDs              string  `flag:"ids" group:"Replacement" help:"pseudonymise: document and patient ids become keyed pseudonyms, so that tables scrubbed apart still join; keep: leave them"`
	Replacement      string  `flag:"replacement" group:"Replacement" help:"surrogate: plausible other values; tag: [DOCTOR]; mask: characters of the same class"`
	Consistency      string  `flag:"consistency" group:"Replacement" help:"patient: a person has one surrogate in all notes of a patient; document: in each note alone; markov: surrogates change by chance within a note, so that a name that was missed does not stand out"`
	MarkovChange     float64 `flag:"markov_change" group:"Replacement" help:"chance that a surrogate changes at the next mention under --consistency=markov"`
	Doctors          string  `flag:"doctors" group:"Replacement" help:"patient: a doctor has another surrogate in each patient's notes; institution: the same one everywhere, so that a doctor's caseload can be studied, which may also give the doctor away"`
	HIPAAMode        string  `flag:"hipaa_mode" group:"Replacement" help:"surrogate-shift: dates move, all else is replaced; safe-harbor: of dates the year stays, of ZIP codes three digits, states and countries stay, and a date column becomes 1 January of its year; limited: dates, ages, cities, states and ZIP codes stay"`
	SeedEpoch        int     `flag:"seed_epoch" group:"Replacement" help:"raise it to change every surrogate, date offset and pseudonym, as a new key would"`
	DateShiftPolicy  string  `flag:"date_shift_policy" group:"Replacement" help:"weekday: multiples of seven days, so that weekdays stay true; season: those nearest to whole years, so that seasons stay true too (raise --date_shift_days for it: five years hold only a few); plain: any number of days"`
	DateShiftScope   string  `flag:"date_shift_scope" group:"Replacement" help:"patient: a patient's dates move together; document: each note and its row by themselves"`
	DateSentinels    string  `flag:"date_sentinels" group:"Replacement" help:"what happens to placeholders such as 9/9/9999 in texts and string columns: mask or keep; date columns always keep them"`
	DateShiftMinDays int     `flag:"date_shift_min_days" group:"Replacement" help:"least days that a patient's dates move, either way"`
	DateShiftMaxDays int     `flag:"date_shift_days" group:"Replacement" help:"most days that a patient's dates move, either way"`
	DateOrder        string  `flag:"date_order" group:"Replacement" help:"how 3/4/2014 is read: mdy, dmy, or auto: as the note's other dates tell, else mdy in English and dmy in other languages"`
	Findings         bool    `flag:"findings" group:"Replacement" help:"write what was found where, without its text, below --private; --findings=false for nothing"`

	Steps             []string `flag:"steps" group:"Detection" help:"what is done besides the network, comma separated. rules: find by patterns; guards: keep medical terms that only the network took for PHI; reconciliation: give the same words one type in all of a patient's notes; sweep: look in all of a patient's notes for what was found in one of them"`
	Model             string   `flag:"model" group:"Detection" help:"name of a shipped model, or a directory, or gs:// or s3:// prefix, that holds model.json. Shipped models lie in models/ beside the program, or in the repository's onnx/models"`
	SiteRules         string   `flag:"site_rules" group:"Detection" help:"YAML file, local, gs:// or s3://, with a site's own rules and word lists; examples/site-rules.yaml shows one"`
	ExecutionProvider string   `flag:"execution_provider" group:"Detection" help:"auto: CUDA where it works, else the CPU, and the report says which; cpu; cuda, which stops the job where it does not work"`
	CUDADevice        int      `flag:"cuda_device" group:"Detection" help:"number of the GPU that the network runs on"`
	CUDAMemoryMB      int      `flag:"cuda_memory_mb" group:"Detection" help:"megabytes of the GPU's memory that each of the network's two graphs may take; 0 for no limit"`
	ONNXRuntime       string   `flag:"onnxruntime" group:"Detection" help:"libonnxruntime.so or its directory (default: $PALIMPSEST_ONNXRUNTIME, lib/ beside the program, the repository's copy, the system's directories)"`
	RecallBias        float64  `flag:"recall_bias" group:"Detection" help:"how far to lean towards finding more: above 0 fewer identifiers are missed and more harmless text is replaced; 0 is the network's own judgement. In nats, taken from the score of \"no PHI\""`

	ShardMB   int  `flag:"shard_mb" group:"Work" help:"compressed megabytes of row groups per shard, the unit of work and of output files"`
	Buckets   int  `flag:"buckets" group:"Work" help:"groups that patients are joined in; more need less memory each"`
	Workers   int  `flag:"workers" group:"Work" help:"how many goroutines process notes, in each process; 0 for one per core"`
	BatchKB   int  `flag:"batch_kb" group:"Work" help:"kilobytes of text that one goroutine tags at once"`
	Positions int  `flag:"positions" group:"Work" help:"how many tokens, padding included, go through the network at once; 0 for what suits the execution provider"`
	MaxNoteMB int  `flag:"max_note_mb" group:"Work" help:"longer texts go to quarantine"`
	Verbose   bool `flag:"verbose" group:"Work" help:"show the runner's own log"`

	FlinkREST string `flag:"flink_rest" group:"Flink" help:"HOST:PORT of Flink's REST interface, which tells how far the job is and cancels it when you stop the command (default: port 8081 of the host in --endpoint)"`

	WorkerPool        bool   `flag:"worker_pool" group:"Flink" help:"run no job, but serve workers to Flink's task managers, for jobs that are started with --environment_type=EXTERNAL --environment_config=ADDRESS; see docs/flink.md"`
	WorkerPoolAddress string `flag:"worker_pool_address" group:"Flink" help:"where the pool listens; whoever can connect to it can use it"`

	WorkerPoolEndpoints []string `flag:"worker_pool_endpoints" group:"Flink" help:"hosts, IP addresses or networks (10.0.0.0/8) of task managers whose workers the pool starts, besides those on this machine's loopback interface"`
}

// DefaultOptions returns the options of an empty command line.
func DefaultOptions() Options {
	return Options{
		DocumentIDColumn: "note_id", PatientIDColumn: "patient_id", TextColumn: []string{"text"},
		OtherColumns: "refuse", MaxQuarantined: 1, MaxMissing: 100,
		IDs: "pseudonymise", Replacement: "surrogate", Consistency: "patient",
		MarkovChange: 0.3, Doctors: "patient", HIPAAMode: "surrogate-shift", DateShiftScope: "patient", DateSentinels: "mask",
		DateShiftPolicy: "weekday", DateShiftMinDays: 28, DateShiftMaxDays: 1820, DateOrder: "auto", Findings: true,
		Steps: deid.AllSteps(),
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
