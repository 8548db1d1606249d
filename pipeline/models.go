package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/tagger"
)

// modelName is what a shipped model may be called.
var modelName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// votePrefix before names of models lets them vote; see tagger.Vote.
const votePrefix = "vote:"

// namesIn cuts a list with commas; blank entries do not count.
func namesIn(list string) []string {
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// shipped returns the directory of a shipped model.
func shipped(name string) (string, error) {
	folders := modelFolders()
	for _, folder := range folders {
		dir := filepath.Join(folder, name)
		if _, err := os.Stat(filepath.Join(dir, "model.json")); err == nil {
			return dir, nil
		}
	}
	where := "there is no folder models/ beside the program"
	if len(folders) > 0 {
		where = "no shipped model of that name in " + strings.Join(folders, ", ")
	}
	return "", fmt.Errorf("--model=%s: %s; give a directory with model.json", name, where)
}

// modelFolders returns the folders that may hold shipped models and are there:
// models/ beside the program (or beside its bin/), so that a release can lie
// anywhere; onnx/models of the repository that the program lies in or is run in;
// and that of the images.
func modelFolders() []string {
	var folders []string
	add := func(dir string) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	upwards := func(dir string) {
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			add(filepath.Join(dir, "onnx", "models"))
		}
	}
	if exe, err := os.Executable(); err == nil { // links are followed
		dir := filepath.Dir(exe)
		add(filepath.Join(dir, "models"))
		if filepath.Base(dir) == "bin" {
			add(filepath.Join(filepath.Dir(dir), "models"))
		}
		upwards(dir)
	}
	if wd, err := os.Getwd(); err == nil {
		upwards(wd)
	}
	add(imageModels)
	return folders
}

// Model is a shipped model.
type Model struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
	Kind     string `json:"kind"`
	Dir      string `json:"-"`
}

// Models returns the shipped models that --model finds by name, by name.
func Models() ([]Model, error) {
	var models []Model
	seen := map[string]bool{}
	for _, folder := range modelFolders() {
		files, err := filepath.Glob(filepath.Join(folder, "*", "model.json"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			dir := filepath.Dir(file)
			if name := filepath.Base(dir); seen[name] || !modelName.MatchString(name) {
				continue
			}
			seen[filepath.Base(dir)] = true
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			m := Model{Kind: tagger.BiLSTMCRF, Dir: dir}
			if err := json.Unmarshal(raw, &m); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			models = append(models, m)
		}
	}
	slices.SortFunc(models, func(a, b Model) int { return strings.Compare(filepath.Base(a.Dir), filepath.Base(b.Dir)) })
	return models, nil
}
