package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/nearest"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// maxPolicy bounds the file of a policy.
const maxPolicy = 1 << 20

// policyOf returns the policy that the options name, or the file that it is to be
// read from.
func policyOf(o Options) (p surrogate.Policy, file string, err error) {
	usual := DefaultOptions()
	name := o.HIPAAMode
	if o.Policy != "" {
		if o.HIPAAMode != usual.HIPAAMode {
			return p, "", fmt.Errorf("--policy=%s and --hipaa_mode=%s name two policies; leave one of them out", o.Policy, o.HIPAAMode)
		}
		if o.Replacement != usual.Replacement {
			return p, "", fmt.Errorf("--policy=%s says what is done to each type, and --replacement=%s would to all; leave one of them out",
				o.Policy, o.Replacement)
		}
		name = o.Policy
		if strings.ContainsAny(name, "./") && !slices.Contains(surrogate.Presets(), name) {
			return p, name, nil
		}
	}
	if p, err = surrogate.Preset(name); err != nil {
		setting, hint := "hipaa_mode", ""
		if o.Policy != "" {
			setting, hint = "policy", "; or name a file, such as policy.yaml"
		}
		if meant := nearest.Name(name, surrogate.Presets()); meant != "" {
			return p, "", fmt.Errorf("--%s=%s: there is no such policy; did you mean %s?", setting, name, meant)
		}
		return p, "", fmt.Errorf("--%s=%s: write one of %s%s", setting, name, strings.Join(surrogate.Presets(), ", "), hint)
	}
	switch o.Replacement {
	case "tag":
		p = p.All(surrogate.Tag)
	case "mask":
		p = p.All(surrogate.Mask)
	}
	return p, "", nil
}

// readPolicy returns the job's policy, read from its file if it has one.
func readPolicy(ctx context.Context, c transforms.Config) (surrogate.Policy, error) {
	if c.PolicyFile == "" {
		return c.Policy, nil
	}
	raw, err := storage.ReadFile(ctx, c.PolicyFile, maxPolicy)
	if err != nil {
		return c.Policy, fmt.Errorf("--policy: %w", err)
	}
	p, err := surrogate.ParsePolicy(c.PolicyFile, raw, nearest.Name)
	if err != nil {
		return c.Policy, fmt.Errorf("--policy: %w", err)
	}
	var o Options
	o.DateOffset, o.DateShiftScope, o.Policy = c.Columns.DateOffset, string(c.DateScope), c.PolicyFile
	return p, errors.Join(checkRelease(o, p)...)
}

// checkRelease refuses settings that contradict the policy or one another.
func checkRelease(o Options, p surrogate.Policy) (errs []error) {
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	name := "--hipaa_mode=" + o.HIPAAMode
	if o.Policy != "" {
		name = "--policy=" + o.Policy
	}
	if p.DateColumns != surrogate.Shift {
		if o.DateOffset != "" {
			fail("--date_offset_column=%s: under %s no date is shifted; leave it out (and drop the column, which would go to the "+
				"output)", o.DateOffset, name)
		}
		if o.DateShiftScope != "patient" {
			fail("--date_shift_scope=%s: under %s no date is shifted; leave it out", o.DateShiftScope, name)
		}
	}
	if (o.HIPAAMode == "safe-harbor" || o.Policy == "safe-harbor") && o.IDs == "keep" {
		fail("--ids=keep: record numbers are among the identifiers that %s must remove; write --ids=pseudonymise, or "+
			"choose another mode", name)
	}
	if o.DateOffset != "" && o.DateShiftScope == "document" {
		fail("--date_offset_column=%s gives each patient one offset, --date_shift_scope=document each note another; leave one of them out",
			o.DateOffset)
	}
	return errs
}
