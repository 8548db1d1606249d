package show

import (
	"context"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// markdown writes notes before and after side by side, line by line, with what
// was replaced in bold.
func markdown(ctx context.Context, w io.Writer, s settings) error {
	in, out, err := readPairs(ctx, s)
	if err != nil {
		return err
	}
	spans, err := readFindings(ctx, s.findings)
	if err != nil {
		return err
	}
	notes := min(s.notes, len(in))
	for k := range notes {
		i := k * len(in) / notes
		of := spans[in[i].DocumentID.Text]
		a := cells(in[i].Texts[0].Value, of, func(f table.Finding) (int64, int64) { return f.Start, f.End })
		b := cells(out[i].Texts[0].Value, of, func(f table.Finding) (int64, int64) { return f.OutputStart, f.OutputEnd })
		if len(a) != len(b) {
			a, b = []string{strings.Join(a, "<br>")}, []string{strings.Join(b, "<br>")}
		}
		fmt.Fprintf(w, "\n## %d. Note %s\n\n| before | after |\n|---|---|\n", k+1, in[i].DocumentID.Text)
		for j := range a {
			if a[j] != "" || b[j] != "" {
				fmt.Fprintf(w, "| %s | %s |\n", a[j], b[j])
			}
		}
	}
	return nil
}

// readFindings returns the findings of every document, in order. Without a
// pattern there are none.
func readFindings(ctx context.Context, pattern string) (map[string][]table.Finding, error) {
	all := map[string][]table.Finding{}
	if pattern == "" {
		return all, nil
	}
	_, err := table.ReadFindings(ctx, pattern, func(f table.Finding) error {
		all[f.DocumentID] = append(all[f.DocumentID], f)
		return nil
	})
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	for _, of := range all {
		sort.Slice(of, func(i, j int) bool { return of[i].Start < of[j].Start })
	}
	return all, nil
}

// cells returns the lines of a text as cells of a table.
func cells(text string, findings []table.Finding, where func(table.Finding) (start, end int64)) []string {
	const on, off = '\x01', '\x02'
	runes := []rune(text)
	var b strings.Builder
	at := int64(0)
	for _, f := range findings {
		start, end := where(f)
		if start < at || end > int64(len(runes)) {
			continue
		}
		b.WriteString(string(runes[at:start]))
		b.WriteRune(on)
		b.WriteString(strings.ReplaceAll(string(runes[start:end]), "\n", "\x02\n\x01"))
		b.WriteRune(off)
		at = end
	}
	b.WriteString(string(runes[at:]))
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "#",
		"\\#", "~", "\\~",
		string(on), "<b>", string(off), "</b>", "\t", " ")
	lines := strings.Split(b.String(), "\n")
	for i, l := range lines {
		lines[i] = escape.Replace(strings.TrimSpace(l))
	}
	return lines
}
