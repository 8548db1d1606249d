// Package transforms holds the job's Beam transforms, one per file, in the
// order of the data flow: shards, detect, identifiers, resolve, duplicates,
// order, rewrite, gather, commit. A DoFn is an adapter of a few lines; what it does to a
// shard or a patient is a plain function beside it, and what is done to a text
// is in package model.
package transforms

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/view"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Config is a job. It travels to the workers inside the DoFns, in clear, so it
// holds references to secrets and never a secret. Package pipeline makes it
// from validated options.
type Config struct {
	Where `json:"where"`
	What  `json:"what"`
	How   `json:"how"`
}

// Where says where things lie. The files may be copied elsewhere, and the same
// job makes the same bytes of them.
type Where struct {
	Inputs  []string // globs of Parquet files; empty for a job without notes
	Output  string   // directory or prefix of what may be released
	Private string   // of what must not be
	RunID   string   // names this run in its lock and temporary folders; another each time

	Tables []TableFiles `json:",omitempty"` // without texts, as those of What

	Identifiers  string   // glob of Parquet files of known identifiers; empty for none
	Staff        string   // the same of names of staff
	PatientLinks string   // the same of linked patients
	SiteRules    string   // YAML file of a site's rules; empty for none
	Allow        string   // YAML file of what is never replaced; empty for none
	Lists        string   // a site's own lists of surrogates, a file or a folder; empty for none
	PolicyFile   string   // that the launcher reads What.Policy from; empty for a preset's
	GateFile     string   // that the launcher reads How.Gate from; empty for none
	Key          string   // reference: file:PATH, env:NAME or gcp-secret:RESOURCE
	State        string   // folder of what nights remember; empty for a job that remembers nothing
	StateKey     string   // reference to the key of it, as Key is
	Withdrawn    string   // glob of Parquet files of notes and patients that were withdrawn; empty for none
	Model        string   // directory or gs:// prefix
	MoreModels   []string // of models whose spans are united with its
	ONNXRuntime  string   // path of the library on the worker; empty to look for it

	// How the launcher completes Columns.
	Preset    string // of columns' roles
	UsualText bool   // the text column has the usual name, which no other column need make way for
}

// What is all that decides the bytes of the output, beside those of the input.
// It stands in the manifest, and its digest names it.
//
// Files stand in it by their digests, as the launcher found them. A worker that
// finds others refuses to work: half of a patient's notes under another key
// would move by other days.
type What struct {
	Program string        `json:"program_version"`
	Model   ModelIdentity `json:"model"`
	// The other models, in order: their spans are united with the first one's.
	MoreModels []ModelIdentity `json:"more_models,omitempty"`
	Vote       bool            `json:"models_vote,omitempty"` // what more than half of them find, in place of what any finds
	KeyID      string          `json:"key_id"`                // public; says which key, not what it is
	Epoch      int             `json:"seed_epoch"`

	Columns           table.Columns           `json:"columns"`
	Tables            []Table                 `json:"tables,omitempty"` // besides the notes
	KeepIDs           bool                    `json:"keep_ids"`         // leave ids as they are instead of pseudonymising them
	IdentifierColumns table.IdentifierColumns `json:"identifier_columns,omitempty"`
	KnownIdentifiers  *IdentifierTable        `json:"known_identifiers,omitempty"`
	StaffDigest       string                  `json:"staff_sha256,omitempty"`
	LinksDigest       string                  `json:"patient_links_sha256,omitempty"`
	SiteRulesDigest   string                  `json:"site_rules_sha256,omitempty"`
	AllowDigest       string                  `json:"allow_sha256,omitempty"`
	ListsDigest       string                  `json:"surrogate_lists_sha256,omitempty"`

	Steps        []string `json:"steps"` // around the network: rules, guards, reconciliation, sweep
	RecallBias   float32  `json:"recall_bias"`
	DoubtBias    float32  `json:"doubt_bias,omitempty"` // with which doubtful spans are found, which are tagged; 0 for none
	Language     string   `json:"language"`             // of the model, and so of the rules
	MaxNoteBytes int      `json:"max_note_bytes"`

	Policy        surrogate.Policy     `json:"policy"`
	Consistency   surrogate.Scope      `json:"consistency"`
	MarkovChange  float64              `json:"markov_change"`
	SharedDoctors bool                 `json:"shared_doctors"`
	Dates         surrogate.DatePolicy `json:"dates"`
	DateScope     surrogate.Scope      `json:"date_shift_scope"`
	DayOrder      string               `json:"day_order"`   // auto, day_first or month_first
	RowOrder      string               `json:"row_order"`   // auto, keep or shuffle
	ExtractEnd    int                  `json:"extract_end"` // in days since 1970-01-01; 0 for each note's own day
	Sentinels     surrogate.Sentinels  `json:"date_sentinels"`

	TextFormat view.Format `json:"text_format"`      // auto, plain, html or rtf
	Nights     *Nights     `json:"nights,omitempty"` // of a job with a state

	Limit int64 `json:"limit,omitempty"` // a trial run of the first so many notes, which is no release; 0 for all
}

// How says how the work is cut and done. None of it decides what a row becomes,
// but for labels on the edge that a GPU may round another way; the manifest
// says which providers there were.
type How struct {
	Provider     string // execution provider: auto, cpu or cuda
	CUDADevice   int    // number of the GPU
	CUDAMemoryMB int    // of the GPU for each graph; 0 for no limit
	Positions    int    // padded positions in one run of the network; 0 for what suits model and provider
	WindowCache  int64  // bytes of what is remembered of windows of tokens, for each model; 0 for nothing
	Hardware
	Buckets     int
	ShardBytes  int64  // compressed bytes at which a file is cut into another shard
	BatchBytes  int    // of text that one worker tags at once
	Workers     int    // goroutines per DoFn; 0 for one per core
	Findings    bool   // write what was found where, below Private
	Locks       bool   // Shards makes the lock: no launcher is there when the job begins
	Gates       Gates  // when nothing is published
	Gate        *Gate  // what --gate asks besides; nil for nothing
	ReleaseDate string // YYYY-MM-DD, for the report; empty for none

	Languages map[string]int64 // words of a sample of the input, by language, for a state to remember
}

// Digest returns the SHA-256 of w as JSON, in hex.
func (w What) Digest() string { return digestOf(w) }

// SettingsDigest is Digest without what is another each night: what tables of known
// identifiers and of staff hold, how many notes there are, and what a state holds. It
// counts that there are such tables. What was measured on one night's release holds for
// the next.
func (w What) SettingsDigest() string {
	if w.KnownIdentifiers != nil {
		w.KnownIdentifiers = &IdentifierTable{}
	}
	if w.StaffDigest != "" {
		w.StaffDigest = "given"
	}
	w.Limit, w.Nights = 0, nil
	return digestOf(w)
}

// Digest names the job: its inputs and places, and all that decides its bytes, but for
// what other nights have left in a state: one that was killed may be run again after
// another.
func (c Config) Digest() string {
	if c.Nights != nil {
		n := *c.Nights
		n.Generation, n.State = 0, ""
		c.Nights = &n
	}
	return digestOf([]any{c.Inputs, c.Where.Tables, c.Output, c.Private, c.What})
}

// digestOf returns the SHA-256 of v as JSON, in hex.
func digestOf(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and booleans only
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Settings returns what decides how texts are treated.
func (w What) Settings() deid.Settings {
	return deid.Settings{
		Format: w.TextFormat, Steps: w.Steps, Language: w.Language, DayOrder: w.DayOrder, MaxNoteBytes: w.MaxNoteBytes,
		Surrogates: surrogate.Options{
			Policy: w.Policy, Scope: w.Consistency, MarkovChange: w.MarkovChange,
			Dates: w.Dates, DateScope: w.DateScope, Sentinels: w.Sentinels, SharedDoctors: w.SharedDoctors,
			ExtractEnd: w.ExtractEnd, Language: w.Language,
		},
	}
}

// Device returns what the network runs on.
func (h How) Device() onnx.Device {
	return onnx.Device{Provider: onnx.Provider(h.Provider), CUDA: h.CUDADevice, MemoryMB: h.CUDAMemoryMB}
}

// Reason codes of quarantined rows, beside those of package deid.
const (
	ReasonDuplicateID    = "duplicate_document_id"
	ReasonDateOutOfRange = table.ReasonDateOutOfRange
	ReasonNoPlan         = "no_plan"
	ReasonNoPatientID    = "null_patient_id" // of a row without text, which no document id makes a patient of its own
)
