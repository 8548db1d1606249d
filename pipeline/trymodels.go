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

// tryModels makes the models ready, as workers will, and says what they run on.
func tryModels(models []*onnx.Model, c transforms.Config) (string, error) {
	on := "the CPU, without ONNX Runtime" // what tables of weights take
	for k := len(models) - 1; k >= 0; k-- {
		running, err := models[k].Run(c.Setup())
		if err != nil {
			return "", err
		}
		if running.Graphs == nil {
			continue
		}
		library, version, err := onnx.Initialize(c.ONNXRuntime)
		if err != nil {
			return "", err
		}
		on = fmt.Sprintf("%s, ONNX Runtime %s (%s)", running.Graphs.Provider(), version, library)
		if why := running.Graphs.Fallback(); why != "" {
			on += ", not on the GPU: " + why
		}
	}
	return on, nil
}
