package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
)

// The parts that the patients are split into: to train on, to choose settings
// by, and to report scores of.
var splits = []string{"train", "dev", "test"}

// readSplit returns each patient's part, from a JSON file of lists of patient
// ids, {"train": ["p001", ...], "dev": [...], "test": [...]}. Without the file
// the first three quarters of the patients are train, and dev and test share
// the rest.
func readSplit(fsys fs.FS, file string, patients []marked.Patient) (map[string]string, error) {
	part := map[string]string{}
	data, err := fs.ReadFile(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		for i, p := range patients {
			switch {
			case i < len(patients)*6/8:
				part[p.ID] = "train"
			case i < len(patients)*7/8:
				part[p.ID] = "dev"
			default:
				part[p.ID] = "test"
			}
		}
		return part, nil
	}
	if err != nil {
		return nil, err
	}
	var lists map[string][]string
	if err := json.Unmarshal(data, &lists); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, name := range splits {
		for _, id := range lists[name] {
			if part[id] != "" {
				return nil, fmt.Errorf("%s: patient %s is in %s and in %s", file, id, part[id], name)
			}
			part[id] = name
		}
		delete(lists, name)
	}
	for name := range lists {
		return nil, fmt.Errorf("%s: no part is named %q; parts are train, dev and test", file, name)
	}
	for _, p := range patients {
		if part[p.ID] == "" {
			return nil, fmt.Errorf("%s: patient %s is in no part", file, p.ID)
		}
	}
	return part, nil
}
