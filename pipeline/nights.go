package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/language"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// nightForm is that of a night's name: the name of one folder, which no reader of
// tables passes over.
var nightForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.=-]*$`)

// checkNights checks the settings of nights by themselves.
func checkNights(o Options) (errs []error) {
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if o.State == "" {
		for name, given := range map[string]bool{"state_key": o.StateKey != "", "night": o.Night != "", "withdrawn": o.Withdrawn != "",
			"reissue": o.Reissue, "accept_dated_batches": o.Dated} {
			if given {
				fail("--%s is about --state, which is missing; docs/nights.md has an example", name)
			}
		}
		slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return errs
	}
	if o.StateKey == "" {
		fail("--state_key is missing: what is remembered of patients is sealed with a key of its own; name it by %s", transforms.KeyForms)
	} else if scheme, name, ok := strings.Cut(o.StateKey, ":"); !ok || name == "" ||
		!slices.Contains([]string{"file", "env", "gcp-secret"}, scheme) {
		fail("--state_key must name where the key is, not hold it: write %s", transforms.KeyForms)
	}
	for what, place := range map[string]string{"output": o.Output, "private": o.Private} {
		if place != "" && (storage.Inside(o.State, place) || storage.Inside(place, o.State)) {
			fail("--state=%s and --%s=%s lie in one another; name another place for the state, which is as sensitive as the input", o.State,
				what, place)
		}
	}
	if o.Night != "" && !nightForm.MatchString(o.Night) {
		fail("--night=%s: write a name of letters, digits, dots, hyphens and =, such as 2024-01-31", o.Night)
	}
	if o.Limit > 0 {
		fail("--limit makes a trial run, which leaves nothing to remember; leave out --state")
	}
	return errs
}

// release returns the folder that one run releases: a night's lies below the output.
func (o Options) release() string {
	if o.State == "" {
		return o.Output
	}
	return storage.Join(o.Output, cmp.Or(o.Night, "night"))
}

// night completes a job that has a state.
func (p *Preparation) night(ctx context.Context) error { return p.openState(ctx, false) }

// nightToCome is night for somebody who only looks.
func (p *Preparation) nightToCome(ctx context.Context) error { return p.openState(ctx, true) }

func (p *Preparation) openState(ctx context.Context, look bool) error {
	if p.Config.Nights == nil {
		return nil
	}
	c, err := transforms.OpenState(ctx, p.Config, look)
	if err == nil {
		p.Config = c
	}
	return err
}

// checkNotDone refuses a night that has come to its end.
func checkNotDone(ctx context.Context, c transforms.Config) error {
	if c.Nights == nil {
		return nil
	}
	success := storage.Join(c.Output, transforms.SuccessFile)
	there, err := storage.Glob(ctx, storage.Literal(success))
	if err == nil && len(there) > 0 {
		err = fmt.Errorf("the night %s is done already: there is %s; give the next night another --night", c.Nights.Night, success)
	}
	return err
}

// batch refuses a night whose notes tell, by being few days', by how much their dates
// moved, as far as the files' footers tell.
func (p *Preparation) batch(ctx context.Context) error {
	c := p.Config
	switch {
	case c.Nights == nil:
	case len(c.Where.Tables) > 0:
		return errors.New("--state remembers notes alone: release tables without text (tables:) by a run of their own, without --state; the " +
			"same " +
			"key moves them alike")
	case c.PatientLinks != "":
		return errors.New("--state remembers each patient apart: leave out --patient_links, or --state")
	case c.Columns.Line != "":
		return fmt.Errorf("--state remembers notes of one row each, and %q has the role line: join the lines of a note first, or leave out "+
			"--state",
			c.Columns.Line)
	}
	if p.Inputs == nil {
		return nil
	}
	if err := transforms.CheckIDs(ctx, c, p.Columns); err != nil || c.Nights == nil {
		return err
	}
	why := transforms.DatedBatch(c, p.Inputs.Days)
	if why == "" {
		return nil
	}
	// Of a part of the input not even that part need be released, and if it is, Commit looks.
	some, err := transforms.SomeSeen(ctx, c)
	if some || err != nil {
		return err
	}
	return fault.Mark(fault.Refused, errors.New(why))
}

// wordsOf returns how many words of a sample are in each language.
func wordsOf(shares []language.Share, words int) map[string]int64 {
	all := map[string]int64{}
	for _, s := range shares {
		all[s.Language] = int64(math.Round(s.Words * float64(words)))
	}
	return all
}
