package attack

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/attack"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Result is what an attack found. It holds counts alone.
type Result struct {
	Digest   string   `json:"configuration_digest,omitempty"` // of the release
	Manifest string   `json:"manifest_sha256,omitempty"`
	Notes    int      `json:"notes"`
	Patients int      `json:"patients"`
	Shifts   int      `json:"possible_shifts"` // 0 where dates do not move
	Checked  bool     `json:"guesses_checked"`
	Evidence []Known  `json:"evidence"`
	Order    *Order   `json:"row_order,omitempty"`
	Tokens   []Tokens `json:"tokens_that_stand_out"`
}

// Known counts the patients whose shift one kind of evidence tells.
type Known struct {
	Kind      string `json:"evidence"`
	Tokens    int    `json:"tokens"`   // words and dates that tell something
	Patients  int    `json:"patients"` // of whom it rules out shifts
	Exactly   int    `json:"known_exactly"`
	Within7   int    `json:"known_within_7_days"`
	Within30  int    `json:"known_within_30_days"`
	Within183 int    `json:"known_within_183_days"`
	Left      int    `json:"median_shifts_left"` // of these patients
	Right     int    `json:"right,omitempty"`    // patients whose true shift is among those left
	Wrong     int    `json:"wrong,omitempty"`
}

// Order says what the order of rows tells.
type Order struct {
	Model    string `json:"model"`
	Believed bool   `json:"believed"`
	Known
	MedianError float64 `json:"median_error_days,omitempty"` // of checked guesses, believed or not
}

// Tokens counts what stands out of texts.
type Tokens struct {
	Kind  string `json:"kind"`
	Notes int    `json:"notes"`
	N     int    `json:"tokens"`
	Right int    `json:"as_in_the_input,omitempty"` // of checked ones
}

func (k *Known) add(radius float64, left int) {
	for _, c := range []struct {
		to    *int
		known bool
	}{{&k.Exactly, left == 1}, {&k.Within7, radius <= 7}, {&k.Within30, radius <= 30}, {&k.Within183, radius <= 183}} {
		if c.known {
			*c.to++
		}
	}
}

func run(ctx context.Context, s settings) (*Result, error) {
	r, err := open(ctx, s.release)
	if err != nil {
		return nil, err
	}
	var t *truth
	if s.check {
		if t, err = readTruth(ctx, s, r); err != nil {
			return nil, err
		}
	}
	result := &Result{Digest: r.manifest.ConfigDigest, Manifest: r.digest, Checked: t != nil, Patients: len(r.number)}
	moves := r.manifest.Configuration.Policy.DateColumns == surrogate.Shift
	o := r.outsider(s)
	evidence, offsets := make([]attack.Evidence, len(r.number)), make([]int, len(r.number))
	tokens := map[string]*Tokens{}
	for _, kind := range attack.TokenKinds() {
		result.Tokens = append(result.Tokens, Tokens{Kind: kind})
	}
	for i := range result.Tokens {
		tokens[result.Tokens[i].Kind] = &result.Tokens[i]
	}
	columns := r.manifest.Configuration.Columns.Text
	err = r.each(ctx, func(n *attack.Note, row table.Note) {
		result.Notes++
		if moves {
			o.Add(&evidence[n.Patient], n)
		}
		if t != nil {
			if d, ok := t.offset(row); ok {
				offsets[n.Patient] = d
			}
		}
		met := map[string]bool{}
		for _, text := range row.Texts {
			for _, x := range r.vocabulary.StandOut(text.Value) {
				k := tokens[x.Kind]
				if k.N++; !met[x.Kind] {
					k.Notes++
				}
				met[x.Kind] = true
				if t != nil && t.found {
					start := utf8.RuneCountInString(text.Value[:x.Start])
					if t.missed(row.DocumentID.Text, columns[text.Column], text, start, start+utf8.RuneCountInString(text.Value[x.Start:x.End])) {
						k.Right++
					}
				}
			}
		}
	})
	if err != nil || !moves {
		return result, err
	}
	result.Shifts = len(o.Shifts)
	result.weigh(o, evidence, offsets)
	result.order(r.rows, offsets)
	return result, nil
}

// weigh counts what the evidence tells of shifts.
func (r *Result) weigh(o *attack.Outsider, evidence []attack.Evidence, offsets []int) {
	left := make([][]float64, len(attack.Kinds()))
	for _, kind := range attack.Kinds() {
		r.Evidence = append(r.Evidence, Known{Kind: kind})
	}
	for p := range evidence {
		for i, c := range o.Clues(&evidence[p]) {
			k := &r.Evidence[i]
			k.Tokens += c.Tokens
			if len(c.Left) == len(o.Shifts) {
				continue
			}
			k.Patients++
			k.add(c.Radius(), len(c.Left))
			left[i] = append(left[i], float64(len(c.Left)))
			if r.Checked && offsets[p] != 0 {
				if slices.Contains(c.Left, offsets[p]) {
					k.Right++
				} else {
					k.Wrong++
				}
			}
		}
	}
	for i := range left {
		r.Evidence[i].Left = int(attack.Median(left[i]))
	}
}

// order counts what the order of rows tells.
func (r *Result) order(rows []attack.Row, offsets []int) {
	told := attack.OrderTells(rows)
	r.Order = &Order{Model: told.Model, Believed: told.Believed, Known: Known{Kind: "order of rows"}}
	var guessed []float64
	var moved []int
	for p, apart := range told.Apart {
		if math.IsInf(apart, 1) {
			continue
		}
		if told.Believed {
			r.Order.Patients++
			r.Order.add(apart, 0)
		}
		if d := offsets[p*told.Step]; r.Checked && d != 0 {
			guessed, moved = append(guessed, told.Offsets[p]), append(moved, d)
		}
	}
	if len(guessed) > 0 {
		errors := attack.Errors(guessed, moved)
		r.Order.MedianError = math.Round(10*attack.Median(errors)) / 10
		for _, e := range errors {
			if !told.Believed {
				break
			}
			if e <= 30 {
				r.Order.Right++
			} else {
				r.Order.Wrong++
			}
		}
	}
}

// write prints the counts.
func (r *Result) write(out io.Writer) {
	fmt.Fprintf(out, "%d notes of %d patients", r.Notes, r.Patients)
	if r.Shifts == 0 {
		fmt.Fprint(out, "; their dates did not move, so there is no shift to find\n\n")
	} else {
		fmt.Fprintf(out, "; dates of each moved by one of %d shifts\n\n", r.Shifts)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		checked := ""
		if r.Checked {
			checked = "right\t"
		}
		fmt.Fprintf(w, "shift known\ttokens\tpatients\texactly\twithin 7 days\t30\t183\tshifts left\t%s\n", checked)
		line := func(k Known, left string) {
			right := ""
			if r.Checked && k.Right+k.Wrong > 0 {
				right = fmt.Sprintf("%.0f %%", 100*float64(k.Right)/float64(k.Right+k.Wrong))
			}
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", k.Kind, k.Tokens, k.Patients, k.Exactly, k.Within7,
				k.Within30, k.Within183, left, right)
		}
		for _, k := range r.Evidence {
			line(k, fmt.Sprint(k.Left))
		}
		line(r.Order.Known, "")
		w.Flush()
		switch {
		case !r.Order.Believed:
			fmt.Fprintln(out, "\nThe order of rows tells nothing that this attack can use.")
		case r.Checked:
			fmt.Fprintf(out, "\nThe order of rows (%s) tells shifts up to one common number; right are guesses within 30 days, "+
				"the median error is %.1f days.\n", r.Order.Model, r.Order.MedianError)
		default:
			fmt.Fprintf(out, "\nThe order of rows (%s) tells shifts up to one common number, which one true date gives away.\n", r.Order.Model)
		}
		fmt.Fprintln(out)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	checked := ""
	if r.Checked {
		checked = "as in the input\t"
	}
	fmt.Fprintf(w, "standing out\ttokens\tnotes\t%s\n", checked)
	for _, k := range r.Tokens {
		right := ""
		if r.Checked && k.N > 0 {
			right = fmt.Sprint(k.Right)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t\n", k.Kind, k.N, k.Notes, right)
	}
	w.Flush()
}
