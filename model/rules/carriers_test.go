package rules

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// carriers reads notes with few or no identifiers, where they are at hand
// (ACI-Bench, MTS-Dialog, PriMock57; all CC BY 4.0).
func carriers(t testing.TB) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "data", "carriers")
	if dir := os.Getenv("PALIMPSEST_CARRIERS"); dir != "" {
		root = dir
	}
	var texts []string
	for pattern, column := range map[string]string{"acibench/*.csv": "note", "mtsdialog/*.csv": "section_text"} {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			rows, err := csv.NewReader(f).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for i, head := range rows[0] {
				if head != column {
					continue
				}
				for _, row := range rows[1:] {
					texts = append(texts, row[i])
				}
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(root, "primock57", "*.json"))
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Note string `json:"note"`
		}
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, doc.Note)
	}
	if len(texts) == 0 {
		t.Skip("no carriers; set PALIMPSEST_CARRIERS to their folder")
	}
	return texts
}

// TestCarriers counts what the rules find, by type and rule, in texts that hold
// few identifiers. CARRIERS_SHOW prints the finds of one rule, or of ALL.
func TestCarriers(t *testing.T) {
	texts := carriers(t)
	m := mustNew(t).NewMatcher()
	show := os.Getenv("CARRIERS_SHOW")
	all := append(append([]pattern.Rule{}, m.rules.pack.Rules...), m.rules.pack.Triggered...)
	var types [phi.NumTypes]int
	byRule := make([]int, len(all))
	size := 0
	for _, text := range texts {
		size += len(text)
		for _, s := range m.Tag(nil, text, token.Tokenize(nil, text)) {
			types[s.Type]++
		}
		m.find(text, token.Tokenize(nil, text))
		for _, c := range m.found {
			byRule[c.Rule]++
			if show == all[c.Rule].Name || show == "ALL" {
				a, b := max(0, c.Start-40), min(len(text), c.End+30)
				t.Logf("%s %s", all[c.Rule].Name, strings.ReplaceAll(text[a:c.Start]+"[["+c.Text(text)+"]]"+text[c.End:b], "\n", "⏎"))
			}
		}
	}
	t.Logf("%d texts, %d bytes", len(texts), size)
	for _, typ := range phi.Types() {
		if types[typ] > 0 {
			t.Logf("%-14s %d", typ, types[typ])
		}
	}
	for i, n := range byRule {
		if n > 0 {
			t.Logf("  %-20s %d", all[i].Name, n)
		}
	}
}
