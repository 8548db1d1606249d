package transforms

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// change sets a value, and all values within it, to another one.
func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(v.Float() + 0.5)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.Map:
		key := reflect.New(v.Type().Key()).Elem()
		change(key)
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		change(value)
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Struct:
		for i := range v.NumField() {
			change(v.Field(i))
		}
	}
}

// Whatever in What changes, its digest does, and with it the job's. Where things
// lie makes another job of the same bytes; how it is done, neither.
func TestDigests(t *testing.T) {
	before := Config{}
	for _, part := range []struct {
		of        func(*Config) reflect.Value
		what, job bool
	}{
		{func(c *Config) reflect.Value { return reflect.ValueOf(&c.What).Elem() }, true, true},
		{func(c *Config) reflect.Value { return reflect.ValueOf(&c.Where).Elem() }, false, false},
		{func(c *Config) reflect.Value { return reflect.ValueOf(&c.How).Elem() }, false, false},
	} {
		for i := range part.of(&before).NumField() {
			c := Config{}
			change(part.of(&c).Field(i))
			name := part.of(&c).Type().Field(i).Name
			place := name == "Inputs" || name == "Tables" || name == "Output" || name == "Private"
			if changed := c.What.Digest() != before.What.Digest(); changed != part.what {
				t.Errorf("%s: the digest of the output's bytes has changed: %v", name, changed)
			}
			if changed := c.Digest() != before.Digest(); changed != (part.job || place) {
				t.Errorf("%s: the digest of the job has changed: %v", name, changed)
			}
		}
	}
}

// A configuration travels to the workers as JSON, and none of it is lost.
func TestConfigTravels(t *testing.T) {
	var c, got Config
	change(reflect.ValueOf(&c).Elem())
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, c) {
		t.Errorf("the worker has %+v, the launcher %+v", got, c)
	}
}

// Every setting of surrogates that a job can have reaches the model.
func TestSettings(t *testing.T) {
	var w What
	change(reflect.ValueOf(&w).Elem())
	s := w.Settings()
	s.Surrogates.FixedOffset, s.Surrogates.AgeLimit = 1, 1          // a patient's own, and no setting
	s.Allow, s.Surrogates.Lists = &deid.Allow{}, &surrogate.Lists{} // read from their files
	for _, v := range []reflect.Value{reflect.ValueOf(s), reflect.ValueOf(s.Surrogates)} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s is not set", v.Type().Field(i).Name)
			}
		}
	}
	if !reflect.DeepEqual(s.Surrogates.Policy, w.Policy) || s.Surrogates.Scope != w.Consistency || s.Surrogates.DateScope != w.DateScope {
		t.Errorf("the settings are %+v", s)
	}
}

type person struct {
	PatientID string `parquet:"patient_id"`
	Name      string `parquet:"name"`
}

// A worker that finds other known identifiers, other staff, other rules of the
// site or another key than the launcher did refuses to work.
func TestWorkersRefuseOtherFiles(t *testing.T) {
	dir := t.TempDir()
	people := filepath.Join(dir, "people.parquet")
	rules := filepath.Join(dir, "site.yaml")
	site, err := os.ReadFile("../examples/site-rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string) {
		t.Helper()
		if err := parquet.WriteFile(people, []person{{"p1", name}}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(rules, append([]byte("# "+name+"\n"), site...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("Ada Okonkwo")
	cfg := Config{Where: Where{Identifiers: people, Staff: people, SiteRules: rules}, What: What{Steps: []string{"rules"}, Language: "en"}}
	if cfg.KnownIdentifiers, err = CheckIdentifiers(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if cfg.StaffDigest, _, err = CheckStaff(t.Context(), people); err != nil {
		t.Fatal(err)
	}
	if _, cfg.SiteRulesDigest, err = LoadRules(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	list := &identifierFilesFn{Pattern: people, Digest: cfg.KnownIdentifiers.Digest}
	var files []storage.Info
	look := func() (errs [3]error) {
		files = nil
		errs[0] = list.ProcessElement(t.Context(), nil, func(i storage.Info) { files = append(files, i) })
		_, errs[1] = loadStaff(t.Context(), cfg)
		_, errs[2] = loadRules(t.Context(), cfg)
		return errs
	}
	for i, err := range look() {
		if err != nil {
			t.Errorf("%d: the launcher's own files are refused: %v", i, err)
		}
	}
	before := files
	write("Bo Lindqvist")
	for i, err := range look() {
		if err == nil || !strings.Contains(err.Error(), "this worker finds digest") || strings.Contains(err.Error(), "Lindqvist") {
			t.Errorf("%d: other files are not refused: %v", i, err)
		}
	}
	// Files that change between their listing and their reading.
	err = (&identifiersFn{bucket: func(string) int { return 0 }}).ProcessElement(t.Context(), before[0],
		func(int, []byte) { t.Error("something was emitted") })
	if err == nil || !strings.Contains(err.Error(), "changed while the job ran") {
		t.Errorf("a file that changed is read: %v", err)
	}

	t.Setenv("PALIMPSEST_TEST_KEY", "a key of the tests: fifty bytes or so, never to be seen")
	for name, fn := range map[string]interface {
		Setup(context.Context) error
	}{
		"identifiers": &identifiersFn{Config: Config{Where: Where{Key: "env:PALIMPSEST_TEST_KEY"}, What: What{KeyID: "other"}}},
		"detect":      &detectFn{Config: Config{Where: Where{Key: "env:PALIMPSEST_TEST_KEY"}, What: What{KeyID: "other"}}},
		"rewrite":     &rewriteFn{Config: Config{Where: Where{Key: "env:PALIMPSEST_TEST_KEY"}, What: What{KeyID: "other"}}},
	} {
		if err := fn.Setup(t.Context()); err == nil || !strings.Contains(err.Error(), "give all workers one key") {
			t.Errorf("%s: another key is not refused: %v", name, err)
		}
	}
}
