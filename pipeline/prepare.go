package pipeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/language"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Preparation is what is known of a job before any work.
type Preparation struct {
	Config  transforms.Config // completed as far as it could be
	Taggers Taggers
	Inputs  *transforms.Inputs // nil where the footers do not fit
	Columns []table.Column     // of the first file, with their roles; nil where some have none
	Tables  []PreparedTable    // without texts
	Join    *transforms.Join   // nil unless the table of known identifiers was joined with a sample
	Sample  *transforms.Sample // nil where there is nothing to read one from

	Language  string           // that most of the sample is in, "" where that cannot be told
	Languages []language.Share // of all of it
	Words     int              // that these are shares of
}

// Taggers says what finds PHI.
type Taggers struct {
	Model    transforms.ModelIdentity
	More     []transforms.ModelIdentity // whose spans are united with its
	Language string                     // of the model
	On       string                     // what the network runs on
	Here     bool                       // they are ready in this process; not so where they lie in an image
	Staff    int                        // names
	Links    *deid.Links
}

// Prepare checks a configuration against the world before any work: the key,
// the model, ONNX Runtime, the output, every input's footer, and the language of
// a sample. It returns the configuration with the model's directory in full, and
// lines that say what the job will run with and what becomes of each column.
func Prepare(ctx context.Context, c transforms.Config) (_ transforms.Config, summary string, err error) {
	p := &Preparation{Config: c}
	// Places come once all is there that tells the job from others, as its lock does.
	steps := []func(context.Context) error{checkSomeRunner, p.taggers, p.night, p.columns, p.places, p.footers}
	if len(c.Inputs) == 0 { // whether there is anything to tag, footers tell
		steps = []func(context.Context) error{checkSomeRunner, p.columns, p.footers, p.taggers, p.night, p.places}
	}
	for _, step := range append(steps, p.batch, p.known, p.rows, p.language, p.gate) {
		if err := step(ctx); err != nil {
			return p.Config, "", err
		}
	}
	return p.Config, p.summary(), nil
}

// Examine is Prepare for somebody who wants to know all about a job and does not
// start it. It writes nothing, does not stop at the first thing that is wrong, and
// reads a sample of at least so many notes. The error is the one that the job would
// stop with, before others.
func Examine(ctx context.Context, c transforms.Config, notes int) (*Preparation, error) {
	p, inputs := &Preparation{Config: c}, &Preparation{Config: c}
	read := make(chan error, 1)
	incomplete := inputs.columns(ctx)
	p.take(inputs)
	go func() { read <- inputs.footersAnyway(ctx, incomplete) }() // takes nothing that the taggers bring
	footers := func(context.Context) error {
		err := <-read
		p.take(inputs)
		return err
	}
	var errs []error
	steps := []func(context.Context) error{checkSomeRunner, p.taggers, p.nightToCome, p.freePlaces, footers}
	if len(c.Inputs) == 0 {
		steps = []func(context.Context) error{checkSomeRunner, footers, p.taggers, p.nightToCome, p.freePlaces}
	}
	for _, step := range append(steps, p.batch, p.joined, p.rows,
		func(ctx context.Context) error { return p.sample(ctx, max(notes, languageNotes)) }, p.language, p.gate) {
		if err := step(ctx); err != nil {
			errs = append(errs, fault.Mark(fault.Settings, err))
		}
		if ctx.Err() != nil {
			return p, context.Cause(ctx)
		}
	}
	return p, errors.Join(errs...)
}

// take takes over what the footers have told another preparation of the same job.
func (p *Preparation) take(o *Preparation) {
	p.Inputs, p.Columns, p.Tables = o.Inputs, o.Columns, o.Tables
	p.Config.Columns, p.Config.Gates, p.Config.What.Tables, p.Config.Where.Tables = o.Config.Columns, o.Config.Gates, o.Config.What.Tables,
		o.Config.Where.Tables
}

func checkSomeRunner(context.Context) error { return checkRunner() }

func (p *Preparation) taggers(ctx context.Context) (err error) {
	if runsOn(dataflow) {
		if err := checkDataflow(p.Config); err != nil {
			return err
		}
	}
	p.Config, p.Taggers, err = prepareTaggers(ctx, p.Config, p.words())
	return err
}

// places checks that output and private part are free, and tidies up what a run
// that was killed in its very last step has left there.
func (p *Preparation) places(ctx context.Context) error {
	if err := transforms.CheckLock(ctx, placed(p.Config)); err != nil {
		return err
	}
	err := checkPlaces(ctx, p.Config)
	if err != nil && flagValue("dry_run") != "true" {
		err = errors.Join(err, transforms.TidyFinished(ctx, placed(p.Config)))
	}
	return err
}

// freePlaces is places for somebody who only looks.
func (p *Preparation) freePlaces(ctx context.Context) error {
	if err := transforms.CheckLock(ctx, placed(p.Config)); err != nil {
		return err
	}
	return checkPlaces(ctx, p.Config)
}

// columns gives all columns their roles. They are part of what tells jobs apart.
func (p *Preparation) columns(ctx context.Context) (err error) {
	if p.Config, err = CompleteColumns(ctx, p.Config); err != nil {
		return err
	}
	p.Config, err = completeTables(ctx, p.Config)
	return err
}

// footers reads those of all inputs.
func (p *Preparation) footers(ctx context.Context) error {
	inputs, err := transforms.Inspect(ctx, p.Config)
	if err != nil {
		return explainRoles(ctx, p.Config, err)
	}
	p.enter(inputs)
	p.buckets()
	if p.Inputs != nil {
		if p.Columns, err = transforms.BoundColumns(ctx, p.Config, p.Inputs.Shards[0]); err != nil {
			return err
		}
	}
	for i := range p.Tables {
		t := &p.Tables[i]
		if t.Columns, err = transforms.BoundColumns(ctx, p.Config, t.Inputs.Shards[0]); err != nil {
			return err
		}
	}
	return checkTables(p.Config)
}

// buckets takes as many as the notes and the tables' rows call for. Those of a state are
// what the first night took.
func (p *Preparation) buckets() {
	if p.Config.State != "" {
		return
	}
	var rows int64
	if p.Inputs != nil {
		rows = p.Inputs.Rows
	}
	for _, t := range p.Tables {
		if t.Inputs != nil {
			rows += t.Inputs.Rows
		}
	}
	p.Config.Buckets = transforms.BucketsFor(p.Config.Buckets, rows)
}

// enter takes what the footers of each table say.
func (p *Preparation) enter(inputs map[int]*transforms.Inputs) {
	p.Inputs, p.Tables = inputs[0], nil
	for i, t := range p.Config.What.Tables {
		p.Tables = append(p.Tables, PreparedTable{Number: i + 1, Name: t.Name, Inputs: inputs[i+1]})
	}
}

// footersAnyway is footers after columns, which ended with err, and goes on where columns
// have no role: the rest can be looked at all the same.
func (p *Preparation) footersAnyway(ctx context.Context, err error) error {
	if err == nil {
		err = p.footers(ctx)
	}
	var without []*table.UnassignedError
	if collect(err, &without); len(without) > 0 {
		for _, number := range p.Config.Numbers() {
			t := p.Config.OfTable(number)
			t.Columns.Others = table.OthersAsIs
			p.Config.SetColumns(number, t.Columns, t.Gates.Accepted)
		}
		if inputs, err := transforms.Inspect(ctx, p.Config); err == nil {
			p.enter(inputs)
		}
	}
	return err
}

// known checks that the table of known identifiers joins: with the notes, where there
// are any, else with one of the other tables.
func (p *Preparation) known(ctx context.Context) (err error) {
	for _, columns := range p.allColumns() {
		if err := transforms.CheckLinks(p.Taggers.Links, columns); err != nil {
			return err
		}
	}
	if p.Inputs != nil {
		return transforms.CheckJoin(ctx, p.Config, p.Inputs.Shards)
	}
	for _, t := range p.Tables {
		of := p.Config.OfTable(t.Number)
		if t.Inputs == nil || of.Columns.PatientID == "" {
			continue
		}
		if err = p.Config.InTable(t.Number, transforms.CheckJoin(ctx, of, t.Inputs.Shards)); err == nil {
			return nil
		}
	}
	return err
}

// joined counts, in some rows, how the table of known identifiers joins.
func (p *Preparation) joined(ctx context.Context) (err error) {
	if p.Config.KnownIdentifiers == nil {
		return nil
	}
	if p.Inputs == nil {
		return p.known(ctx)
	}
	if p.Join, err = transforms.SampleJoin(ctx, p.Config, p.Inputs.Shards); err != nil || p.Join.Named > 0 {
		return fault.Mark(fault.Refused, err)
	}
	return p.known(ctx)
}

func (p *Preparation) rows(context.Context) error {
	rows, read := int64(0), false
	if p.Inputs != nil {
		rows, read = p.Inputs.Rows, true
	}
	for _, t := range p.Tables {
		if t.Inputs != nil {
			rows, read = rows+t.Inputs.Rows, true
		}
	}
	if read && rows == 0 && !p.Config.Gates.Empty {
		return fault.Mark(fault.Refused, errors.New("the input has no rows; --allow_empty makes an output without notes all the same"))
	}
	return nil
}

// sample reads about so many notes.
func (p *Preparation) sample(ctx context.Context, notes int) (err error) {
	if p.Inputs != nil {
		p.Sample, err = transforms.ReadSample(ctx, p.Config, p.Inputs.Shards, notes)
	}
	return fault.Mark(fault.Refused, err)
}

// summary says what the job will run with.
func (p *Preparation) summary() string {
	t, c := p.Taggers, p.Config
	known := ""
	if ids := c.KnownIdentifiers; ids != nil {
		all := ids.All()
		known = fmt.Sprintf("; known identifiers of %s, %s of %s too short to look for", Count(int64(ids.Patients), "patient"),
			humanize.Comma(int64(all.Ignored)), Count(int64(all.All), "value"))
	}
	if n := t.Links.Len(); n > 0 {
		known += fmt.Sprintf("; %d linked patient ids", n)
	}
	if c.Staff != "" {
		known += fmt.Sprintf("; %d staff", t.Staff)
	}
	if p.Inputs == nil {
		return fmt.Sprintf("%s and no notes%s%s", Count(int64(len(p.Tables)), "table"), known, p.describeTables())
	}
	s := fmt.Sprintf("%s in %s; model %s on %s%s\n%s%s", Count(p.Inputs.Rows, "note"), Count(int64(len(p.Inputs.Shards)), "shard"),
		p.Config.ModelNames(), t.On, known, DescribeColumns(p.Columns, c), p.describeTables())
	if c.Limit > 0 {
		s += fmt.Sprintf("\ntrial run: only the first %d of %d notes are processed, and the output is no release", p.Inputs.Rows, p.Inputs.All)
	}
	if p.Language != "" && language.Known(c.Language) && p.Language != c.Language {
		s += fmt.Sprintf("\nwarning: the notes seem to be in another language than the model, which is in %s: %s", language.Name(c.Language),
			Shares(p.Languages))
	}
	return s
}

// PrepareTaggers is the part of Prepare that detection alone takes: the key,
// the model, ONNX Runtime, the known identifiers and the list of staff.
func PrepareTaggers(ctx context.Context, c transforms.Config) (transforms.Config, error) {
	c, _, err := prepareTaggers(ctx, c, true)
	return c, err
}

// prepareTaggers is PrepareTaggers. Without texts there is no model to load.
func prepareTaggers(ctx context.Context, c transforms.Config, texts bool) (_ transforms.Config, t Taggers, err error) {
	keys, err := transforms.Keys(ctx, c.Key, c.Epoch)
	if err != nil {
		return c, t, err
	}
	c.KeyID = keys.ID()
	if t.Links, c.LinksDigest, err = transforms.LoadLinks(ctx, c); err != nil {
		return c, t, err
	}
	if !texts {
		if c.Policy, err = readPolicy(ctx, c); err == nil {
			c.KnownIdentifiers, err = transforms.CheckIdentifiers(ctx, c)
		}
		return c, t, err
	}
	c, models, staged, err := loadModels(ctx, c)
	if err != nil {
		return c, t, err
	}
	if _, c.SiteRulesDigest, err = transforms.LoadRules(ctx, c); err != nil {
		return c, t, err
	}
	allow, err := transforms.LoadAllow(ctx, c)
	if err != nil {
		return c, t, err
	}
	c.AllowDigest = allow.Digest()
	lists, err := transforms.LoadLists(ctx, c)
	if err != nil {
		return c, t, err
	}
	c.ListsDigest = lists.Digest()
	if c.Policy, err = readPolicy(ctx, c); err != nil {
		return c, t, err
	}
	if c.Gate, err = readGate(ctx, c); err != nil {
		return c, t, err
	}
	t.Model, t.More, t.Language = c.What.Model, c.What.MoreModels, c.Language
	if runsOn(dataflow) {
		// Their image has the model and ONNX Runtime; this machine need not.
		c.Where.Model, c.Where.MoreModels = staged[0], staged[1:]
		t.On = c.Provider + " in the worker image"
	} else if c, t.On, err = tryModels(models, c); err != nil {
		return c, t, err
	}
	t.Here = !runsOn(dataflow)
	if c.KnownIdentifiers, err = transforms.CheckIdentifiers(ctx, c); err != nil {
		return c, t, err
	}
	c.StaffDigest, t.Staff, err = transforms.CheckStaff(ctx, c.Staff)
	return c, t, err
}
