package transforms

import (
	_ "embed" // of the page
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Page is the report of a release for whoever signs it off. The job publishes what
// manifest and report say; what else there is, palimpsest report adds to a page below the
// private part.
type Page struct {
	Manifest Manifest
	Report   Report

	// Of the private page alone.
	Private  bool
	Output   string // where the release lies
	Reviewed bool   // a sample of it lies in the private part
	Estimate *gate.EstimateFile
	Canaries *gate.CanariesFile
	Attack   *AttackPage
	Former   *FormerPage
	Places   []GatePlace // where the gate's audit found something
	Found    int64       // how many there are
}

// FormerPage compares with the release before.
type FormerPage struct {
	Name     string
	Manifest Manifest
	Report   Report
}

// AttackPage is what a page says of palimpsest attack's counts.
type AttackPage struct {
	Unnamed  bool // they do not say which release they are of
	Checked  bool
	Patients int
	Shifts   int
	Evidence []AttackEvidence
	Order    string // what the order of rows tells
	Tokens   []AttackTokens
}

// AttackEvidence counts the patients whose shift some evidence tells.
type AttackEvidence struct {
	Kind                                        string
	Patients, Exactly, Within7, Within30, Right int
}

// AttackTokens counts what stands out of texts.
type AttackTokens struct {
	Kind            string
	N, Notes, Right int
}

// NewPage returns the page that may be released.
func NewPage(m Manifest, r Report) *Page { return &Page{Manifest: m, Report: r} }

//go:embed report.html
var pageText string

//go:embed report.css
var pageStyle string

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"style":   func() template.CSS { return template.CSS(pageStyle) },
	"n":       thousands,
	"percent": func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) },
	"rate":    func(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") },
	"many": func(x float64) string {
		return map[bool]string{true: "unknown", false: fmt.Sprintf("%.0f", x)}[x > 1e12]
	},
	"inc": func(i int64) int64 { return i + 1 },
}).Parse(pageText))

// Write writes the page. It loads nothing from elsewhere, and holds no text of any
// note.
func (p *Page) Write(w io.Writer) error { return page.Execute(w, p) }

// thousands writes a whole number for people, and anything else as it is.
func thousands(v any) string {
	s := fmt.Sprint(v)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return humanize.Comma(n)
	}
	return s
}

// Policy returns the policy's name.
func (p *Page) Policy() string {
	if name := p.Manifest.Configuration.Policy.Name(); name != "" {
		return name
	}
	return "a policy of the site"
}

// Mode says which way of HIPAA a policy can belong to.
func (p *Page) Mode() string {
	switch p.Manifest.Configuration.Policy.Name() {
	case "safe-harbor":
		return "Meant for Safe Harbor, as far as identifiers were found."
	case "limited":
		return "Meant for a limited data set, under a data use agreement."
	}
	return "Not Safe Harbor: it takes an expert's determination, or an agreement."
}

// Day returns the day of the release for people, "" where none was given.
func (p *Page) Day() string {
	d, err := time.Parse(time.DateOnly, p.Report.ReleaseDate)
	if err != nil {
		return ""
	}
	return d.Format("2 January 2006")
}

// ShiftOfDates says in words how dates moved.
func (p *Page) ShiftOfDates() string {
	c := p.Manifest.Configuration
	switch {
	case c.Policy.DateColumns == surrogate.Keep:
		return "Dates stay as they are."
	case c.Policy.DateColumns == surrogate.Generalise:
		return "Of dates the year stays."
	case c.Columns.DateOffset != "":
		return "Each patient's dates move by a number of days that the input gives."
	}
	whose := "All dates of a patient move"
	if c.DateScope == surrogate.PerDocument {
		whose = "The dates of each note move"
	}
	return fmt.Sprintf("%s by one secret number of days, one of %s.", whose, thousands(c.Dates.Offsets()))
}

// DateColumns counts values of date columns by what became of them, in words.
func (p *Page) DateColumns() string { return reasons(p.Report.Dates) }

// TextDates is the same of dates in texts.
func (p *Page) TextDates() string { return reasons(p.Report.TextDates) }

// Quarantine lists why rows are held back.
func (p *Page) Quarantine() string { return reasons(p.Report.Reasons) }

// HIPAARow is one of the eighteen identifiers.
type HIPAARow struct {
	Letter, Name string
	Found        int64
	Actions      []ActionCount
	Policy       string
	Note         string
}

var hipaaNames = [phi.NumIdentifiers]string{
	phi.HIPAAName: "Names", phi.HIPAAPlace: "Places smaller than a state, with postcodes",
	phi.HIPAADate: "Dates but their year, and ages over 89", phi.HIPAAPhone: "Telephone numbers", phi.HIPAAFax: "Fax numbers",
	phi.HIPAAEmail: "Email addresses", phi.HIPAASSN: "Social Security numbers", phi.HIPAARecord: "Medical record numbers",
	phi.HIPAAHealthPlan: "Health plan beneficiary numbers", phi.HIPAAAccount: "Account numbers",
	phi.HIPAALicense: "Certificate and licence numbers", phi.HIPAAVehicle: "Vehicle identifiers, with licence plates",
	phi.HIPAADevice: "Device identifiers and serial numbers", phi.HIPAAURL: "Web addresses (URLs)", phi.HIPAAIPAddress: "IP addresses",
	phi.HIPAABiometric: "Biometric identifiers", phi.HIPAAPhoto: "Full-face photographs and the like",
	phi.HIPAAOther: "Any other unique number, characteristic or code",
}

// Identifiers returns the eighteen identifiers of the Safe Harbor rule in its order.
func (p *Page) Identifiers() (rows []HIPAARow) {
	by := p.Report.ByAction()
	for id := phi.HIPAAName; id < phi.NumIdentifiers; id++ {
		r := HIPAARow{Letter: string(id.Paragraph()), Name: hipaaNames[id]}
		var policies []string
		for _, t := range phi.Types() {
			if t.Identifier() != id {
				continue
			}
			if a := string(p.Manifest.Configuration.Policy.Of(t)); a != "" && !slices.Contains(policies, a) {
				policies = append(policies, a)
			}
			for _, x := range by {
				if x.Type == t.String() {
					r.Found += x.Spans
					r.Actions = append(r.Actions, x)
				}
			}
		}
		r.Policy = strings.Join(policies, ", ")
		switch id {
		case phi.HIPAAPhoto:
			r.Policy, r.Note = "not looked for", "Texts hold none; images and attachments are not processed."
		case phi.HIPAABiometric:
			r.Note = "Numbers of such records alone; a voice or a fingerprint is in no text."
		case phi.HIPAAOther:
			r.Note = "Numbers with a label or a known form. What makes a person unique in words, such as an office or a rare event, is not " +
				"looked for."
		case phi.HIPAAName:
			r.Note = "Of patients, relatives and household members. Clinicians are below."
		case phi.HIPAADate:
			r.Note = "Ages up to 89 stay."
		}
		rows = append(rows, r)
	}
	return rows
}

// Besides returns what was found that the rule does not list.
func (p *Page) Besides() (all []ActionCount) {
	for _, x := range p.Report.ByAction() {
		if t, err := phi.ParseType(x.Type); err == nil && t.Identifier() == phi.NoIdentifier {
			all = append(all, x)
		}
	}
	return all
}

// Changes compares with the former release.
func (p *Page) Changes() []gate.Change {
	if p.Former == nil {
		return nil
	}
	return gate.Changes(p.Former.Report.Counted(), p.Report.Counted())
}

// Differences says what is set up otherwise than in the former release.
func (p *Page) Differences() (all []string) {
	a, b := p.Former.Manifest, p.Manifest
	differ := func(what, before, after string) {
		if before != after {
			all = append(all, fmt.Sprintf("%s: %s, before %s", what, after, before))
		}
	}
	differ("Program", a.Configuration.Program, b.Configuration.Program)
	model := func(m Manifest) string {
		return fmt.Sprintf("%s %s (%.12s)", m.Configuration.Model.Name, m.Configuration.Model.Version, m.Configuration.Model.Digest)
	}
	differ("Model", model(a), model(b))
	differ("Key", a.Configuration.KeyID, b.Configuration.KeyID)
	differ("Epoch", fmt.Sprint(a.Configuration.Epoch), fmt.Sprint(b.Configuration.Epoch))
	if a.Configuration.SettingsDigest() != b.Configuration.SettingsDigest() {
		all = append(all, "Other settings than before; the two manifests have them in full")
	}
	fates := map[string]string{}
	for _, c := range a.Columns {
		fates[c.Path] = c.Fate
	}
	for _, c := range b.Columns {
		fate, ok := fates[c.Path]
		if !ok {
			fate = "not there"
		}
		differ("Column "+c.Path, fate, c.Fate)
		delete(fates, c.Path)
	}
	for _, path := range sortedKeys(fates) {
		differ("Column "+path, fates[path], "not there")
	}
	return all
}
