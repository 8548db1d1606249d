package nearest

import "testing"

func TestName(t *testing.T) {
	names := []string{"text_column", "date_columns", "date_order", "id_columns", "key", "ids"}
	for name, want := range map[string]string{
		"text_col": "text_column", "text-column": "text_column", "txt_column": "text_column", "date_c": "date_columns",
		"date": "date_order", "kye": "key", "k": "", "completely_else": "", "": "", "id": "ids",
	} {
		if got := Name(name, names); got != want {
			t.Errorf("%q is taken for %q, want %q", name, got, want)
		}
	}
}
