package main

import (
	"bytes"
	"testing"
)

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
