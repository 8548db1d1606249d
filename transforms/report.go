package transforms

import (
	"bytes"
	"encoding/json"
	"html/template"
	"io"

	"github.com/palimpsest-deid/palimpsest/schemas"
)

// Manifest says what an output was made from and what it holds. It may be
// released: inputs are named by their file names alone, as folders may name
// dates or patients. InputsFile, in private, has the full names, and the
// fingerprints that storage gave (size, and generation or modification time),
// which a copy of the same input would change.
type Manifest struct {
	FormatVersion int              `json:"format_version"`
	Configuration What             `json:"configuration"`
	ConfigDigest  string           `json:"configuration_digest"` // SHA-256 of the configuration as compact JSON
	Providers     []string         `json:"execution_providers"`  // that the network ran on
	Columns       []schemas.Column `json:"columns"`
	Inputs        []ManifestInput  `json:"inputs"`
	Outputs       []ManifestPart   `json:"outputs"`
}

// ManifestInput is one input file.
type ManifestInput struct {
	Name        string `json:"name"`
	Bytes       int64  `json:"bytes"`
	Rows        int64  `json:"rows"`
	Fingerprint string `json:"fingerprint,omitempty"` // in InputsFile only

	// MetadataDropped has the keys of the file's own metadata that were left
	// out. They may say as much as their values: in InputsFile only.
	MetadataDropped []string `json:"metadata_dropped,omitempty"`
}

// ManifestPart is one released file.
type ManifestPart struct {
	Name        string `json:"name"`
	Rows        int64  `json:"rows"`
	Quarantined int64  `json:"quarantined"`
	Bytes       int64  `json:"bytes"`
	Digest      string `json:"sha256"`
}

// Report counts what happened. It may be released: it holds numbers and codes
// only.
type Report struct {
	schemas.Counts
	KnownIdentifiers *IdentifierTable `json:"known_identifiers,omitempty"`
	Files            int              `json:"files"`
	Shards           int              `json:"shards"`

	// The columns of all files, in the order in which they are met. One that has
	// several types is there several times, with the counts of all.
	Columns []ColumnReport `json:"columns"`

	// Files by the keys of their own metadata that the output has, in whole or in
	// part, and how many keys it lacks; which, is in InputsFile.
	MetadataKept    map[string]int64 `json:"files_by_metadata_kept"`
	MetadataDropped int              `json:"metadata_keys_dropped"`
}

// ColumnReport says what became of a column and of how many of its values.
type ColumnReport struct {
	schemas.Column
	schemas.ColumnCounts
}

// columnsOf returns the columns of all files, each once.
func columnsOf(receipts []schemas.Receipt) []schemas.Column {
	seen := map[schemas.Column]bool{}
	var all []schemas.Column
	for _, r := range receipts {
		for _, c := range r.Columns {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

func newManifest(cfg Config, receipts []schemas.Receipt) Manifest {
	m := Manifest{
		FormatVersion: 2,
		Configuration: cfg.What,
		ConfigDigest:  cfg.What.Digest(),
		Columns:       columnsOf(receipts),
	}
	providers := map[string]bool{}
	for _, r := range receipts {
		for name := range r.Counts.Providers {
			providers[name] = true
		}
		if r.Shard.Index == 0 {
			m.Inputs = append(m.Inputs, ManifestInput{Name: r.Shard.Name, Bytes: r.Shard.FileBytes})
		}
		m.Inputs[len(m.Inputs)-1].Rows += r.Shard.Rows
		part := ManifestPart{Name: NotesFolder + "/" + r.Shard.Output(), Rows: r.Counts.RowsOut, Quarantined: r.Counts.Quarantined}
		for _, w := range r.Outputs {
			if w.Released {
				part.Bytes, part.Digest = w.Bytes, w.Digest
			}
		}
		m.Outputs = append(m.Outputs, part)
	}
	m.Providers = sortedKeys(providers)
	return m
}

// fullNames lists the inputs by their full names.
func fullNames(receipts []schemas.Receipt) []ManifestInput {
	var inputs []ManifestInput
	for _, r := range receipts {
		if r.Shard.Index == 0 {
			inputs = append(inputs, ManifestInput{Name: r.Shard.File, Bytes: r.Shard.FileBytes, Fingerprint: r.Shard.Fingerprint, MetadataDropped: r.MetadataDropped})
		}
		inputs[len(inputs)-1].Rows += r.Shard.Rows
	}
	return inputs
}

func newReport(receipts []schemas.Receipt) Report {
	r := Report{Counts: schemas.NewCounts(), Shards: len(receipts), MetadataKept: map[string]int64{}}
	dropped := map[string]bool{}
	for i := range receipts {
		s := &receipts[i]
		if s.Shard.Index == 0 {
			r.Files++
			for _, key := range s.MetadataKept {
				r.MetadataKept[key]++
			}
			for _, key := range s.MetadataDropped {
				dropped[key] = true
			}
		}
		r.Add(&s.Counts)
	}
	r.MetadataDropped = len(dropped)
	for _, c := range columnsOf(receipts) {
		r.Columns = append(r.Columns, ColumnReport{c, r.Counts.Columns[c.Path]})
	}
	return r
}

// indented returns v as JSON for people; maps come out sorted.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

var page = template.Must(template.New("report").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Palimpsest report</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c1c1c}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;min-width:20rem}td,th{padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ddd;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:.85em;overflow-wrap:anywhere}
</style></head><body>
<h1>De-identification report</h1>
<p>Counts only: this page holds no text of any note. A count says what was found, not what was missed.</p>
<h2>Rows</h2><table>
<tr><th>in</th><td class="n">{{.Report.RowsIn}}</td></tr>
<tr><th>released</th><td class="n">{{.Report.RowsOut}}</td></tr>
<tr><th>in quarantine</th><td class="n">{{.Report.Quarantined}}</td></tr>
<tr><th>without a patient id, each its own patient</th><td class="n">{{.Report.WithoutID}}</td></tr>
<tr><th>of a patient with known identifiers</th><td class="n">{{.Report.KnownPatients}}</td></tr>
<tr><th>files, shards</th><td class="n">{{.Report.Files}}, {{.Report.Shards}}</td></tr>
</table>
<h2>Columns</h2><table><tr><th>column</th><th>type</th><th>role</th><th>what happened</th><th>values</th><th>changed</th></tr>
{{range .Report.Columns}}<tr><th>{{.Path}}</th><td>{{.Type}}</td><td>{{.Role}}</td><td>{{.Fate}}</td><td class="n">{{if .Values}}{{.Values}}{{end}}</td><td class="n">{{if .Values}}{{.Changed}}{{end}}</td></tr>
{{end}}</table>
{{with .Report.KnownIdentifiers}}<h2>Known identifiers</h2><p>Of {{.Patients}} patients. A value is ignored where it is too short or too plain to be looked for.</p>
<table><tr><th>type</th><th>values</th><th>ignored</th><th>found in notes</th></tr>
{{range $k, $n := .Values}}<tr><th>{{$k}}</th><td class="n">{{$n.All}}</td><td class="n">{{$n.Ignored}}</td><td class="n">{{index $.Report.KnownFound $k}}</td></tr>{{end}}</table>{{end}}
{{if .Report.Reasons}}<h2>Quarantine by reason</h2><table>{{range $k, $n := .Report.Reasons}}<tr><th>{{$k}}</th><td class="n">{{$n}}</td></tr>{{end}}</table>{{end}}
<h2>Spans replaced, by type</h2><table>{{range $k, $n := .Report.SpansByType}}<tr><th>{{$k}}</th><td class="n">{{$n}}</td></tr>{{end}}
<tr><th>all</th><td class="n">{{.Report.Spans}}</td></tr><tr><th>of these masked, as no surrogate fits</th><td class="n">{{.Report.Masked}}</td></tr></table>
<h2>Spans replaced, by tagger</h2><table>{{range $k, $n := .Report.SpansByTagger}}<tr><th>{{$k}}</th><td class="n">{{$n}}</td></tr>{{end}}</table>
{{if .Report.Dates}}<h2>Date columns</h2><table>{{range $k, $n := .Report.Dates}}<tr><th>{{$k}}</th><td class="n">{{$n}}</td></tr>{{end}}</table>{{end}}
{{if .Report.TextDates}}<h2>Dates in texts</h2><table>{{range $k, $n := .Report.TextDates}}<tr><th>{{$k}}</th><td class="n">{{$n}}</td></tr>{{end}}
<tr><th>that equal a date column, before and after</th><td class="n">{{.Report.DatesEqual}}</td></tr><tr><th>that equal one before only</th><td class="n">{{.Report.DatesDiffer}}</td></tr></table>{{end}}
{{if or .Report.MetadataKept .Report.MetadataDropped}}<h2>The files' own metadata</h2><table>{{range $k, $n := .Report.MetadataKept}}<tr><th>{{$k}}</th><td class="n">kept, in {{$n}} files</td></tr>{{end}}
<tr><th>keys left out, named in the private part's inputs.json</th><td class="n">{{.Report.MetadataDropped}}</td></tr></table>{{end}}
<h2>Made with</h2><table>
<tr><th>program</th><td>{{.Manifest.Configuration.Program}}</td></tr>
<tr><th>model</th><td>{{with .Manifest.Configuration.Model}}{{.Name}} {{.Version}} <code>{{.Digest}}</code>{{end}}</td></tr>
<tr><th>shards by execution provider</th><td>{{range $k, $n := .Report.Providers}}{{$k}} {{$n}} {{end}}{{if .Report.Fallbacks}}(of these {{.Report.Fallbacks}} on machines whose GPU could not be used){{end}}</td></tr>
<tr><th>configuration</th><td><code>{{.Manifest.ConfigDigest}}</code></td></tr>
<tr><th>key id, epoch</th><td><code>{{.Manifest.Configuration.KeyID}}</code>, {{.Manifest.Configuration.Epoch}}</td></tr>
</table></body></html>
`))

// writePage writes the report for people to read in a browser.
func writePage(w io.Writer, m Manifest, r Report) error {
	return page.Execute(w, struct {
		Manifest Manifest
		Report   Report
	}{m, r})
}
