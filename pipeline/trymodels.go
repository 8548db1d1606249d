package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// loadModels reads the models that a configuration names and writes into it where they
// lie, what they are, and their language. staged are their places in the worker image.
func loadModels(ctx context.Context, c transforms.Config) (_ transforms.Config, models []*onnx.Model, staged []string, err error) {
	var dirs []string
	var ids []transforms.ModelIdentity
	for _, name := range c.Where.Models() {
		dir, image := name, name
		if modelName.MatchString(name) {
			if dir, err = shipped(name); err != nil {
				return c, nil, nil, err
			}
			image = storage.Join(imageModels, name)
		}
		m, err := transforms.LoadModel(ctx, dir)
		if err != nil {
			return c, nil, nil, err
		}
		id := transforms.IdentityOf(m)
		if slices.Contains(ids, id) {
			return c, nil, nil, fmt.Errorf("--model names %s twice", id)
		}
		dirs, staged, models, ids = append(dirs, dir), append(staged, image), append(models, m), append(ids, id)
	}
	if of := onnx.Languages(models); len(of) > 1 {
		return c, nil, nil, fmt.Errorf("--model: the models named are for notes in different languages, %s: name models of one language",
			strings.Join(of, " and "))
	}
	c.Where.Model, c.Where.MoreModels = dirs[0], dirs[1:]
	c.What.Model, c.What.MoreModels = ids[0], ids[1:]
	if len(ids) == 1 {
		c.What.MoreModels = nil // as if none had been asked for
	}
	if models[0].Language != "" {
		c.Language = models[0].Language
	}
	return c, models, staged, nil
}

// tryModels makes the models ready, as workers will, says what they run on, and
// writes into the configuration what workers must follow: the execution provider,
// where it was left open, and what the models make of a probe.
func tryModels(models []*onnx.Model, c transforms.Config) (_ transforms.Config, on string, err error) {
	on = "the CPU, without ONNX Runtime" // what tables of weights take
	runs, err := runAll(models, c)
	if err != nil {
		return c, "", err
	}
	why := ""
	if c.Provider == string(onnx.Auto) {
		var taken onnx.Provider
		if taken, why = resolve(runs); taken == "" {
			return c, on, nil
		}
		c.Provider, c.FromAuto = string(taken), true
		if runs, err = runAll(models, c); err != nil { // all on that one
			return c, "", err
		}
	}
	c.Probes = make([]string, len(runs))
	for k, r := range runs {
		if c.Probes[k], err = models[k].Probe(r); err != nil {
			return c, "", err
		}
	}
	if k := slices.IndexFunc(runs, func(r onnx.Running) bool { return r.Graphs != nil }); k >= 0 {
		library, version, err := onnx.Initialize(c.ONNXRuntime)
		if err != nil {
			return c, "", err
		}
		on = fmt.Sprintf("%s, ONNX Runtime %s (%s)", runs[k].Graphs.Provider(), version, library)
	}
	if why != "" {
		on += ", not on the GPU: " + why
	}
	return c, on, nil
}

func runAll(models []*onnx.Model, c transforms.Config) ([]onnx.Running, error) {
	runs := make([]onnx.Running, len(models))
	for k, m := range models {
		var err error
		if runs[k], err = m.Run(c.Setup()); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// resolve returns the provider that all graphs run on, and why it is not the GPU,
// where a machine seems to have one; "" where no model has graphs. One that cannot
// take the GPU keeps the others from it.
func resolve(runs []onnx.Running) (taken onnx.Provider, why string) {
	for _, r := range runs {
		if r.Graphs == nil {
			continue
		}
		if taken != onnx.CPU {
			taken = r.Graphs.Provider()
		}
		if why == "" {
			why = r.Graphs.Fallback()
		}
	}
	return taken, why
}
