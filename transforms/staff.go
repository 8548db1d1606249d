package transforms

import (
	"context"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// The staff of the institution are looked for in all notes. The list is read
// once per process and shared by all goroutines, as the model is: 100,000
// names are some tens of megabytes. As a side input of Beam it would be
// decoded anew for each bundle and held once per DoFn, and on Flink copied
// through the runner's state. A digest that travels in Config sees to it that
// all workers have the launcher's list.

// maxStaff bounds the rows of a list of staff.
const maxStaff = 1_000_000

// loadStaff returns the lexicon of the staff, nil without a list.
func loadStaff(ctx context.Context, cfg Config) (*lexicon.Lexicon, error) {
	if cfg.Staff == "" {
		return nil, nil
	}
	people, digest, err := readStaff(ctx, cfg.Staff)
	if err != nil {
		return nil, err
	}
	if digest != cfg.StaffDigest {
		return nil, otherDigest("staff", cfg.Staff, digest, cfg.StaffDigest)
	}
	return lexicon.NewStaffLexicon(people), nil
}

// CheckStaff reads the list of staff and returns its digest and rows. A list
// that cannot be used is an error of fault.Refused.
func CheckStaff(ctx context.Context, pattern string) (digest string, rows int, err error) {
	if pattern == "" {
		return "", 0, nil
	}
	people, digest, err := readStaff(ctx, pattern)
	return digest, len(people), fault.Mark(fault.Refused, err)
}

func readStaff(ctx context.Context, pattern string) (people []lexicon.Staff, digest string, err error) {
	infos, err := storage.TableFiles(ctx, pattern)
	if err != nil {
		return nil, "", err
	}
	for _, info := range infos {
		object, err := openVersion(ctx, info)
		if err != nil {
			return nil, "", err
		}
		err = table.ReadStaff(ctx, object, object.Size(), info.Name, func(s lexicon.Staff) error {
			if len(people) == maxStaff {
				return fmt.Errorf("%s: there are more than %d rows of staff; give a list of those who write or are named in notes", info.Name, maxStaff)
			}
			people = append(people, s)
			return nil
		})
		object.Close()
		if err != nil {
			return nil, "", err
		}
	}
	digest, err = digestFiles(ctx, infos)
	return people, digest, err
}
