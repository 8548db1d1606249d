// Package transforms holds the job's Beam transforms, one per file, in the
// order of the data flow: shards, detect, census, resolve, duplicates,
// rewrite, commit. A DoFn is an adapter of a few lines; what it does to a
// shard or a patient is a plain function beside it, and what is done to a text
// is in package model.
package transforms

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Config is what the transforms need to know. It travels to the workers inside
// the DoFns, in clear, so it holds references to secrets and never a secret.
// Package pipeline makes it from validated options.
type Config struct {
	Inputs  []string // globs of Parquet files
	Output  string   // directory or prefix of what may be released
	Private string   // of what must not be
	RunID   string   // names this run in its lock and temporary folders; another each time
	Locks   bool     // Shards makes the lock: no launcher is there when the job begins
	Program string   // version of the program that made the job

	Columns table.Columns
	Preset  string // of columns' roles; the launcher has put them into Columns
	KeepIDs bool   // leave ids as they are instead of pseudonymising them

	Census              string // glob of Parquet files; empty for none
	CensusPatientColumn string

	Model         string // directory or gs:// prefix
	Provider      string // execution provider
	CUDADevice    int    // number of the GPU
	CUDAMemoryMB  int    // of the GPU for each graph; 0 for no limit
	ONNXRuntime   string // path of the library on the worker; empty to look for it
	Positions     int    // padded positions in one run of the network; 0 for the provider's default
	RecallBias    float32
	RulesLanguage string
	SiteRules     string   // YAML file of a site's rules; empty for none
	SiteRulesText string   // its content, as the launcher read it, so that all workers have the same
	Steps         []string // around the network; see AllSteps

	Staff        string // glob of Parquet files of names of staff; empty for none
	StaffDigest  string // what the launcher found the list to be
	CensusCounts CensusCounts

	Replacement string // surrogate, tag or mask
	Consistency string // patient, document or markov
	Dates       surrogate.DatePolicy
	DateOrder   string            // auto, mdy or dmy
	Rules       surrogate.Options // what else decides replacements; its Mode, Scope and Dates are those above
	Epoch       int               // of the key

	Key string // reference: file:PATH, env:NAME or gcp-secret:RESOURCE

	// What the launcher found the key and the model to be. A worker that finds
	// others refuses to work: half of a patient's notes under another key
	// would move by other days.
	KeyID         string
	ModelIdentity ModelIdentity

	Buckets      int
	ShardBytes   int64 // compressed bytes at which a file is cut into another shard
	MaxNoteBytes int   // longer texts go to quarantine
	BatchBytes   int   // of text that one worker tags at once
	Workers      int   // goroutines per DoFn; 0 for one per core
	Findings     bool

	Gates Gates
}

// Device returns what the network runs on.
func (c Config) Device() onnx.Device {
	return onnx.Device{Provider: onnx.Provider(c.Provider), CUDA: c.CUDADevice, MemoryMB: c.CUDAMemoryMB}
}

// ModelIdentity names a model beyond doubt.
type ModelIdentity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Digest  string `json:"sha256"`
}

// Reason codes of quarantined rows, beside those of package deid.
const (
	ReasonDuplicateID    = "duplicate_document_id"
	ReasonDateOutOfRange = table.ReasonDateOutOfRange
	ReasonNoPlan         = "no_plan"
)

// Settings returns what decides how texts are treated.
func (c Config) Settings() deid.Settings {
	s := deid.Settings{Steps: c.Steps, Language: c.RulesLanguage, DateOrder: c.DateOrder, MaxNoteBytes: c.MaxNoteBytes, Surrogates: c.Rules}
	s.Surrogates.Mode, s.Surrogates.Scope, s.Surrogates.Dates = surrogate.Mode(c.Replacement), surrogate.Scope(c.Consistency), c.Dates
	return s
}

// ResultConfig is the part of a configuration that decides the output's bytes.
// What is left out (where files lie, how work is cut and scheduled) does not.
type ResultConfig struct {
	Columns       table.Columns        `json:"columns"`
	KeepIDs       bool                 `json:"keep_ids"`
	Census        bool                 `json:"census"`
	RecallBias    float32              `json:"recall_bias"`
	RulesLanguage string               `json:"rules_language"`
	SiteRules     string               `json:"site_rules_sha256,omitempty"`
	Steps         []string             `json:"steps"`
	StaffDigest   string               `json:"staff_sha256,omitempty"`
	Replacement   string               `json:"replacement"`
	Consistency   string               `json:"consistency"`
	Dates         surrogate.DatePolicy `json:"dates"`
	DateOrder     string               `json:"date_order"`
	HIPAAMode     string               `json:"hipaa_mode"`
	DateScope     string               `json:"date_shift_scope"`
	Sentinels     string               `json:"date_sentinels"`
	SharedDoctors bool                 `json:"shared_doctors"`
	MarkovChange  float64              `json:"markov_change"`
	Epoch         int                  `json:"seed_epoch"`
	MaxNoteBytes  int                  `json:"max_note_bytes"`
}

// Result returns the part of c that decides the output's bytes.
func (c Config) Result() ResultConfig {
	site := ""
	if c.SiteRulesText != "" {
		sum := sha256.Sum256([]byte(c.SiteRulesText))
		site = hex.EncodeToString(sum[:])
	}
	return ResultConfig{
		Columns: c.Columns, KeepIDs: c.KeepIDs, Census: c.Census != "", RecallBias: c.RecallBias,
		RulesLanguage: c.RulesLanguage, SiteRules: site,
		Steps: c.Steps, StaffDigest: c.StaffDigest, Replacement: c.Replacement, Consistency: c.Consistency,
		Dates: c.Dates, DateOrder: c.DateOrder, MaxNoteBytes: c.MaxNoteBytes,
		HIPAAMode: string(c.Rules.Release), DateScope: string(c.Rules.DateScope), Sentinels: string(c.Rules.Sentinels),
		SharedDoctors: c.Rules.SharedDoctors, MarkovChange: c.Rules.MarkovChange, Epoch: c.Epoch,
	}
}

// Digest returns the SHA-256 of r, in hex.
func (r ResultConfig) Digest() string {
	raw, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings, numbers and booleans only
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
