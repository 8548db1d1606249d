package transforms

import (
	"context"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// readWithdrawn returns the keyed hashes of the notes and patients that --withdrawn
// lists.
func readWithdrawn(ctx context.Context, cfg Config, keys *history.Keys) (all []history.Hash, err error) {
	infos, err := identifierFiles(ctx, cfg.Withdrawn)
	if err != nil {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("--withdrawn: %w", err))
	}
	for _, info := range infos {
		object, err := openVersion(ctx, info)
		if err != nil {
			return nil, err
		}
		err = table.ReadWithdrawn(ctx, object, object.Size(), info.Name, cfg.Columns, func(document, patient string) error {
			switch {
			case document != "":
				all = append(all, keys.Hash("document", document))
			case patient != "":
				all = append(all, keys.Hash("patient", patient))
			}
			return nil
		})
		object.Close()
		if err != nil {
			return nil, fault.Mark(fault.Refused, fmt.Errorf("--withdrawn: %w", err))
		}
	}
	if digest, err := digestFiles(ctx, infos); err != nil || len(infos) > 0 && digest != cfg.Nights.Withdrawn {
		if err == nil {
			err = otherDigest("withdrawn", cfg.Withdrawn, digest, cfg.Nights.Withdrawn)
		}
		return nil, err
	}
	return all, nil
}
