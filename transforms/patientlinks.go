package transforms

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Linked patients are few beside notes, and every pass asks who somebody is linked to: a
// process reads the table once, as it does the list of staff.

// maxLinks bounds the rows of a table of linked patients.
const maxLinks = 5_000_000

// LoadLinks reads the table of linked patients and returns its digest; nil without one. A
// table that cannot be used is an error of fault.Refused.
func LoadLinks(ctx context.Context, cfg Config) (_ *deid.Links, digest string, err error) {
	if cfg.PatientLinks == "" {
		return nil, "", nil
	}
	defer func() {
		if err != nil {
			err = fault.Mark(fault.Refused, fmt.Errorf("--patient_links: %w", err))
		}
	}()
	infos, err := storage.TableFiles(ctx, cfg.PatientLinks)
	if err != nil {
		return nil, "", err
	}
	var all []deid.Link
	for _, info := range infos {
		object, err := openVersion(ctx, info)
		if err != nil {
			return nil, "", err
		}
		some, err := table.ReadLinks(ctx, object, object.Size(), info.Name)
		object.Close()
		if err != nil {
			return nil, "", err
		}
		if all = append(all, some...); len(all) > maxLinks {
			return nil, "", fmt.Errorf("%s: there are more than %d links; list only ids that are linked", cfg.PatientLinks, maxLinks)
		}
	}
	links, err := deid.NewLinks(all)
	var wrong *deid.LinkError
	if errors.As(err, &wrong) {
		return nil, "", fmt.Errorf("%s, row %d: %w", cfg.PatientLinks, wrong.Index+1, wrong.Why)
	}
	if digest, err = digestFiles(ctx, infos); err != nil {
		return nil, "", err
	}
	return links, digest, nil
}

// linked are the links that this process read last: several DoFns ask for them.
var linked struct {
	sync.Mutex
	digest string
	links  *deid.Links
}

// loadLinks is LoadLinks for a worker, which must find the launcher's. A process reads
// them once.
func loadLinks(ctx context.Context, cfg Config) (*deid.Links, error) {
	if cfg.PatientLinks == "" {
		return nil, nil
	}
	linked.Lock()
	defer linked.Unlock()
	if linked.links != nil && linked.digest == cfg.LinksDigest {
		return linked.links, nil
	}
	links, digest, err := LoadLinks(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if digest != cfg.LinksDigest {
		return nil, otherDigest("linked patients", cfg.PatientLinks, digest, cfg.LinksDigest)
	}
	linked.digest, linked.links = digest, links
	return links, nil
}

// CheckLinks refuses links that no column of patient ids can hold: one person is released
// under the id that the others are linked to.
func CheckLinks(links *deid.Links, columns []table.Column) error {
	for _, c := range columns {
		if c.Role != table.RolePatientID || !c.Int {
			continue
		}
		for _, id := range links.People() {
			if _, err := strconv.ParseInt(id, 10, 64); err != nil {
				return fault.Mark(fault.Refused, fmt.Errorf("--patient_links: an id in linked_to is no integer, as the patient ids in column %q are; "+
					"write ids as they stand there", c.Path))
			}
		}
	}
	return nil
}

// identify fills in who a note is about, when it was written, and what the table
// says of its dates.
func (e *engine) identify(n table.Note, row int64) deid.Note {
	note := e.cfg.identify(n, row)
	e.links.Apply(&note)
	return note
}

// setPatient releases the pseudonym of the person that a row is of.
func (j *shardJob) setPatient(row *table.Row) {
	id := row.PatientID
	if person := j.links.Person(id.Text); person != id.Text {
		if _, err := strconv.ParseInt(person, 10, max(id.Bits, 1)); id.Bits > 0 && err != nil {
			row.Quarantine(deid.ReasonReplaceFailed)
			return
		}
		id.Text = person
	}
	_ = row.SetPatientID(j.pseudonym(id))
}

// link puts the known identifiers of a patient with those of whom the patient is linked
// to.
func link(links *deid.Links, id *lexicon.Identifiers) {
	id.PatientID, id.Group = links.Person(id.PatientID), links.Group(id.PatientID)
}
