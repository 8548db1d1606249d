package evaluate

import (
	"context"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi/schemes"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxMapping bounds a mapping file.
const maxMapping = 1 << 20

// setMappings says how the labels of both sides are translated. Without
// --scheme and mapping files they are not.
func (e *evaluation) setMappings(ctx context.Context, o *options) error {
	if o.scheme == "" && o.goldMapping == "" && o.systemMapping == "" {
		return nil
	}
	if o.scheme == "" {
		o.scheme = schemes.I2B2.Name() // what a mapping file alone is to
	}
	to, err := schemes.ParseScheme(o.scheme)
	if err != nil {
		return fmt.Errorf("--scheme: %w", err)
	}
	for _, side := range []struct {
		name, scheme, file string
		to                 **schemes.Mapping
	}{
		{"gold", o.goldScheme, o.goldMapping, &e.options.Gold},
		{"system", o.systemScheme, o.systemMapping, &e.options.System},
	} {
		from := schemes.I2B2
		if side.scheme != "" {
			if from, err = schemes.ParseScheme(side.scheme); err != nil {
				return fmt.Errorf("--%s_scheme: %w", side.name, err)
			}
		}
		m := schemes.Between(from, to)
		if side.file != "" {
			data, err := storage.ReadFile(ctx, side.file, maxMapping)
			if err != nil {
				return fmt.Errorf("mapping of the %s labels: %w", side.name, err)
			}
			if m, err = schemes.ReadMapping(side.file, data, to, m); err != nil {
				return err
			}
		}
		*side.to = m
	}
	return nil
}

// schemesHelp tells what --scheme and its like take.
func schemesHelp() string {
	var b strings.Builder
	b.WriteString("Documents that only one side has are an error. Offsets are code points in every format.\n\nSchemes\n")
	for _, s := range schemes.Schemes() {
		fmt.Fprintf(&b, "  %-16s%s\n", s.Name(), s.Title())
	}
	b.WriteString(`
A mapping file is YAML, one line for each label: what it becomes in --scheme (i2b2
where that is not given), or drop, which leaves its spans out. It goes before the
scheme's own table, so only what differs needs a line:
  PERSON: PATIENT
  MISC: drop
`)
	return b.String()
}
