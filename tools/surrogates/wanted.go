package main

import (
	"fmt"
	"strings"
)

// wish is what is wanted of a figure: at most so many of a thousand are wrong, or,
// of a figure that counts what is right, none is. The review's figure is that of the
// examples and the held-out notes of the program that it read.
type wish struct {
	point        int
	figure       string
	review, says string
	most         float64 // wrong, in 1,000
	right        bool    // the figure counts what is right
}

var wishes = []wish{
	{1, "ambiguous dates of patients who write the day first, moved to a wrong day", "74 of 201", "≤ 1 %", 10, false},
	{1, "ambiguous dates of patients who write the month first, moved to a wrong day", "none", "none", 0, false},
	{2, "full dates right", "", "all", 0, true},
	{2, "dates without a year right", "", "all", 0, true},
	{2, "spans without a letter or digit", "10 of 240 notes", "none", 0, false},
	{3, "patients with a numeric date left as it was", "29 of 128", "≤ 3 of 128", 1000 * 3. / 128, false},
	{4, "years of guidelines, and numbers that are no dates, as they were", "", "all", 0, true},
	{5, "ages replaced that with later notes tell one above 89", "", "all", 0, true},
	{6, "notes released as of after the extract's end", "77 of 758", "none", 0, false},
	{10, "full names whose surrogate begins with a family name", "990 of 1985", "", -1, false},
	{10, "titles, ranks and degrees within names that were replaced", "33", "none", 0, false},
	{11, "institutions with two invented names in one mention", "227", "none", 0, false},
	{12, "towns of British and Irish patients that became American", "", "none", 0, false},
	{12, "area codes of a patient that became two", "95 of 95", "none", 0, false},
	{12, "NHS numbers that became a phone or another valid one", "", "none", 0, false},
	{13, "phrases that are no occupation and became one", "", "none", 0, false},
	{13, "institutions that became a town, a person or a street", "131", "", -1, false},
	{14, anyNeedless, "320 of 20022", "", -1, false},
	{16, "words of names from outside of the Spanish lists, and not invented by their letters", "302 of 734", "none", 0, false},
	{16, "documents whose town and postcode agreed and do no more", "", "none", 0, false},
	{16, "kinds of streets lost", "98 of 120", "≤ 2 %", 20, false},
}

// wanted returns, for each point of the review, what is wanted beside what each
// corpus shows, as Markdown.
func (f figures) wanted() string {
	var b strings.Builder
	b.WriteString("\n## By point of the review\n\nThe review's figures are of the examples and the held-out notes " +
		"together, of 20,022 replacements. " +
		"Bold is what misses what is wanted.\n\n" +
		"| point | | review | wanted | now |\n|---|---|--:|--:|---|\n")
	for _, w := range wishes {
		var now []string
		say := func(x figure) {
			wrong, of := float64(x.N), float64(x.Of)
			if w.right {
				wrong = of - wrong
			}
			said := x.Corpus + " " + x.String()
			if w.most >= 0 && wrong > 0 && (of == 0 || 1000*wrong/of > w.most) {
				said = "**" + said + "**"
			}
			now = append(now, said)
		}
		for _, x := range f {
			if x.Name != w.figure || x.Corpus == "held-out" {
				continue
			}
			if x.Corpus == "examples" { // the two that the review read
				for _, y := range f {
					if y.Name == x.Name && y.Corpus == "held-out" {
						x = figure{"examples and held-out", x.Name, x.N + y.N, x.Of + y.Of}
					}
				}
			}
			say(x)
		}
		if len(now) > 0 {
			fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", w.point, w.figure, w.review, w.says, strings.Join(now, "; "))
		}
	}
	b.WriteString("\nPoints 7, 8, 9 and 15 are what an adversary learns: [attack](attack.md).\n")
	return b.String()
}
