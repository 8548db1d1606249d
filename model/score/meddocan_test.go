package score

import (
	"strings"
	"testing"
)

func pieces(spans ...int) []Annotation {
	var list []Annotation
	for i := 0; i < len(spans); i += 2 {
		list = append(list, Annotation{Start: spans[i], End: spans[i+1], Label: "FECHAS"})
	}
	return list
}

// Each case is worked out by hand from the script's rules.
func TestMEDDOCANSpans(t *testing.T) {
	//      0         1         2
	//      0123456789012345678901234
	text := "Ana Sol, 12-34 y Bo. Calle"
	for _, c := range []struct {
		name           string
		gold, system   []Annotation
		strict, merged Counts
	}{
		{"equal", pieces(0, 3, 4, 7), pieces(0, 3, 4, 7),
			Counts{TP: 2}, Counts{TP: 3}}, // both parts and the joined 0-7: the script counts all three
		{"punctuation and blanks join: one span for two", pieces(0, 7), pieces(0, 3, 4, 7),
			Counts{FP: 2, FN: 1}, Counts{TP: 1}},
		{"across comma, blank and hyphen", pieces(0, 14), pieces(0, 3, 4, 7, 9, 11, 12, 14),
			Counts{FP: 4, FN: 1}, Counts{TP: 1}},
		{"a letter between does not join", pieces(9, 19), pieces(9, 14, 17, 19),
			Counts{FP: 2, FN: 1}, Counts{FP: 2, FN: 1}},
		{"touching spans join", pieces(21, 26), pieces(21, 23, 23, 26),
			Counts{FP: 2, FN: 1}, Counts{TP: 1}},
		{"overlapping spans join", pieces(21, 26), pieces(21, 24, 23, 26),
			Counts{FP: 2, FN: 1}, Counts{TP: 1}},
		{"a nested span shortens the one around it", pieces(0, 7), pieces(0, 7, 4, 6),
			Counts{TP: 1, FP: 1}, Counts{TP: 1}}, // joined: gold 0-7, system 0-6; 4-6 lies within the hit 0-7
		{"so that the joined spans may differ though the outer ones agree", pieces(0, 7, 4, 5), pieces(0, 7, 4, 6),
			Counts{TP: 1, FP: 1, FN: 1}, Counts{TP: 1}}, // 4-5 and 4-6 lie within 0-7
		{"of one start the shorter comes first", pieces(0, 3, 0, 7), pieces(0, 7),
			Counts{TP: 1, FN: 1}, Counts{TP: 1}}, // joined gold 0-7
		{"a hit by joined spans only covers its parts", pieces(0, 3, 4, 7, 17, 19), pieces(0, 5, 5, 7, 21, 26),
			Counts{FP: 3, FN: 3}, Counts{TP: 1, FP: 1, FN: 1}}, // joined: 0-7 on both sides; 17-19 and 21-26 stay alone
		{"duplicates collapse", pieces(0, 3, 0, 3), pieces(0, 3, 0, 3, 0, 3),
			Counts{TP: 1}, Counts{TP: 1}},
		{"nothing", nil, nil, Counts{}, Counts{}},
		{"nothing found", pieces(0, 3, 4, 7), nil, Counts{FN: 2}, Counts{FN: 2}},
		{"nothing to find", nil, pieces(0, 3, 4, 7), Counts{FP: 2}, Counts{FP: 2}},
	} {
		r := scoreAll(t, Options{}, Document{ID: "1", Text: text, Gold: c.gold, System: c.system}).Result().MEDDOCAN
		if r.Spans.Counts != c.strict {
			t.Errorf("%s: strict %+v, want %+v", c.name, r.Spans.Counts, c.strict)
		}
		if r.Merged.Counts != c.merged {
			t.Errorf("%s: merged %+v, want %+v", c.name, r.Merged.Counts, c.merged)
		}
	}
}

// What Python's isalnum holds for a letter or number keeps spans apart.
func TestMEDDOCANJoinsAcrossWhat(t *testing.T) {
	for between, joins := range map[string]bool{
		"": true, " ": true, "\n": true, ", ": true, "–": true, "“": true, "¿": true, "_": true, "€": true, "\ufeff": true,
		"\u0301": true, // a combining mark is no letter
		"ª":      false, "º": false, "ñ": false, "½": false, "²": false, "Ⅳ": false, "٣": false, "王": false, "①": false, "a": false, "7": false,
	} {
		text := "Ana" + between + "Sol"
		n := len(text)
		r := scoreAll(t, Options{}, Document{ID: "1", Text: text, Gold: pieces(0, n), System: pieces(0, 3, n-3, n)}).Result().MEDDOCAN
		if got := r.Merged.TP == 1; got != joins {
			t.Errorf("%q joins: %v, want %v", between, got, joins)
		}
	}
}

func TestMEDDOCANNER(t *testing.T) {
	text := "Ana Sol, 12-34"
	gold := []Annotation{{Start: 0, End: 3, Label: "NOMBRE_SUJETO_ASISTENCIA"}, {Start: 0, End: 3, Label: "FAMILIARES_SUJETO_ASISTENCIA"},
		{Start: 4, End: 7, Label: "PAIS"}, {Start: 9, End: 14, Label: "FECHAS"}}
	system := []Annotation{{Start: 0, End: 3, Label: "NOMBRE_SUJETO_ASISTENCIA"}, {Start: 4, End: 7, Label: "pais"},
		{Start: 9, End: 14, Label: "FECHAS"}, {Start: 9, End: 14, Label: "FECHAS"}}
	r := scoreAll(t, Options{}, Document{ID: "1", Text: text, Gold: gold, System: system}).Result()
	m := r.MEDDOCAN
	if want := (Counts{TP: 2, FP: 1, FN: 2}); m.NER.Counts != want { // labels respect case
		t.Errorf("NER %+v, want %+v", m.NER.Counts, want)
	}
	if got := m.Leak(7); got != 2./7 {
		t.Errorf("leak %v, want 2/7", got)
	}
	if got := m.Leak(0); got != 0 {
		t.Errorf("leak without sentences %v, want 0", got)
	}
	// In a foreign label set there is no HIPAA subset and no category.
	for _, x := range r.Metrics {
		if x.Subset != All {
			t.Errorf("%s over %s is listed", x.Measure, x.Subset)
		}
	}
	if len(r.ByCategory) != 0 {
		t.Errorf("%d reports by category", len(r.ByCategory))
	}
	if got := find(t, r, Strict, All).Counts; got != (Counts{TP: 3, FN: 1}) { // the i2b2 key ignores case
		t.Errorf("strict %+v", got)
	}
	var labels []string
	for _, x := range r.ByType {
		if x.Measure == Strict {
			labels = append(labels, x.Label)
		}
	}
	if got := strings.Join(labels, " "); got != "FAMILIARES_SUJETO_ASISTENCIA FECHAS NOMBRE_SUJETO_ASISTENCIA PAIS" {
		t.Errorf("types %s", got)
	}
}

func TestMEDDOCANReport(t *testing.T) {
	r := scoreAll(t, Options{}, Document{ID: "1", Text: "Ana Sol, 12-34", Gold: pieces(0, 3, 4, 7, 9, 14),
		System: pieces(0, 3, 4, 7)}).Result()
	pad := func(a, b, c string) string {
		return a + strings.Repeat(" ", 35-len(a)) + b + strings.Repeat(" ", 15-len(b)) + c + strings.Repeat(" ", 20-len(c)) + "\n"
	}
	rule := strings.Repeat("-", 60) + "\n"
	want := pad("", "", "") + "Report (SYSTEM: baseline):\n" + rule + pad("SubTrack 1 [NER]", "Measure", "Micro") + rule +
		pad("Total (1 docs)", "Leak", "0.3333") + pad("", "Precision", "1.0") + pad("", "Recall", "0.6667") + pad("", "F1", "0.8") + rule + "\n\n"
	got := r.MEDDOCANReport("baseline", 3)
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant first\n%s", got, want)
	}
	if got := r.MEDDOCANReport("baseline", -1); !strings.Contains(got, pad("Total (1 docs)", "Leak", "NA")) {
		t.Errorf("without sentences:\n%s", got)
	}
}
