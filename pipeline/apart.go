package pipeline

import (
	"context"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// PrepareApart is Prepare for a command that does the job's work on a few notes and
// publishes nothing: it needs no free place, and no gate. The configuration that it returns has
// the digests of the job's.
func PrepareApart(ctx context.Context, c transforms.Config) (transforms.Config, *transforms.Inputs, error) {
	c.GateFile = ""
	p := &Preparation{Config: c}
	for _, step := range []func(context.Context) error{p.taggers, p.footers} {
		if err := step(ctx); err != nil {
			return c, nil, err
		}
	}
	return p.Config, p.Inputs, nil
}
