package pipeline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// At maximum recall the job finds what it finds at balanced, and replaces it by
// the same; what it finds besides is tagged.
func TestMaximumRecallTagsWhatItDoubts(t *testing.T) {
	replaced := func(level string) (sure []string, doubts int, report transforms.Report) {
		o := exampleOptions(t.TempDir())
		o.Recall = level
		cfg, report, _ := run(t, o, nil)
		found, before, after := surfaces(t, cfg, exampleNotes)
		for i, f := range found {
			if f.Source != phi.Doubt.String() {
				sure = append(sure, fmt.Sprint(f.DocumentID, f.Start, f.End, f.Type, f.Source, f.Score, f.Action, after[i]))
				continue
			}
			doubts++
			if s := []rune(before[i]); strings.ContainsRune(",.;:()/- ", s[0]) || strings.ContainsRune(",.;:()/- ", s[len(s)-1]) {
				t.Errorf("a doubtful %s takes marks around it", f.Type)
			}
			if f.Action != "tag" || after[i] != "["+f.Type+"]" {
				t.Errorf("a doubtful %s of %d characters was not tagged: %s", f.Type, len(before[i]), f.Action)
			}
		}
		return sure, doubts, report
	}
	want, none, _ := replaced("balanced")
	got, doubts, report := replaced("maximum")
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d spans that are not in doubt, %d at balanced; they are not the same", len(got), len(want))
	}
	if none != 0 || doubts < 20 || report.SpansByTagger["doubt"] != int64(doubts) || report.RowsOut != report.RowsIn {
		t.Errorf("%d and %d doubts, %v, %v", none, doubts, report.SpansByTagger, report.Reasons)
	}
	if high, _, _ := replaced("high"); len(high) <= len(want) {
		t.Errorf("high finds %d spans, balanced %d", len(high), len(want))
	}
}
