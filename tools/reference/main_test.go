package main

import (
	"bytes"
	"testing"
)

// Values and names of files keep their small letters, and a flag's value belongs to it.
func TestTextsOfSettings(t *testing.T) {
	for text, want := range map[string]string{
		"balanced: the default": "balanced: the default", "libonnxruntime.so or its directory": "libonnxruntime.so or its directory",
		"directory, or gs://": "Directory, or gs://", "text; several": "Text; several",
	} {
		if got := upper(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"--patient_id_column= where it has none": "`--patient_id_column=` where it has none",
		"--findings=false for nothing":           "`--findings=false` for nothing",
		"by --day_order, a_b":                    "by `--day_order`, a\\_b",
	} {
		if got := escape(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// The pages in the repository are those of the code.
func TestPagesAreUpToDate(t *testing.T) {
	t.Chdir("../..")
	if err := run(true); err != nil {
		t.Error(err)
	}
}

func TestPagesHaveWhatTheyAreOf(t *testing.T) {
	t.Chdir("../..")
	fields, err := fieldsPage()
	if err != nil {
		t.Fatal(err)
	}
	statuses, err := statusesPage()
	if err != nil {
		t.Fatal(err)
	}
	for text, page := range map[string][]byte{
		"### `date_shift_policy`": settingsPage(), "Default: `weekday`": settingsPage(),
		"| `output_start` | number |": fields, "| `rows_in` | number |": fields, "| `key_id` | string |": fields,
		"| 65 | refused": statuses, "| 0 | done |": statuses,
	} {
		if !bytes.Contains(page, []byte(text)) {
			t.Errorf("a page lacks %q", text)
		}
	}
}
