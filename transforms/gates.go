package transforms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Gates bound what a release may look like. A job that ends outside of them
// publishes nothing. They decide no byte of what is published.
type Gates struct {
	Quarantined float64  // most rows in quarantine, as a share of all
	Missing     float64  // most notes whose patient no known identifiers were given of, as a share
	Accepted    []string // kept columns in which names may stand
	Empty       bool     // a job without rows may publish
	AnyLanguage bool     // notes may be in another language than the model's
	Dated       bool     // a night's notes may be of few days while their dates move
}

const (
	unreadDates = 0.05  // most values of a date column that cannot be read, as a share
	namedValues = 0.005 // most different values of a kept column with a person's name
	compactDays = 0.9   // a kept column of which so many values read as days, such as 20140312 and 2014-03-12, holds dates
)

// ErrGate says that the result is not to be released.
var ErrGate = errors.New("the release is refused, and nothing was published")

// check returns why a release is refused, a line for each reason, none if it is not.
// A table without texts is offered no role of texts.
func (g Gates) check(r *Report, identifiers, textless bool) (why []string) {
	add := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	text, accept := fmt.Sprintf("%s or ", table.RoleText), "--accept_columns="
	if textless {
		text, accept = "", "accept_columns: "
	}
	if share(r.Quarantined, r.RowsIn) > g.Quarantined {
		add("%d of %d rows are in quarantine (%s), more than --max_quarantined=%g%% allows; mend what is wrong with them, or raise it",
			r.Quarantined, r.RowsIn, reasons(r.Reasons), 100*g.Quarantined)
	}
	if missing := r.RowsOut - r.KnownPatients; identifiers && share(missing, r.RowsOut) > g.Missing {
		add("%d of %d notes are of patients whom the known identifiers do not name, more than --max_missing_identifiers=%g%% allows",
			missing, r.RowsOut, 100*g.Missing)
	}
	for _, path := range sortedKeys(r.Counts.Columns) {
		c := r.Counts.Columns[path]
		if share(c.Unread, c.Values) > unreadDates {
			add("column %q: %d of %d dates cannot be read; write them as dates, or give the column the role %s%s",
				path, c.Unread, c.Values, text, table.RoleDrop)
		}
		if c.Known > 0 {
			add("column %q, which is kept: %d values hold a known identifier of the row's patient; give it the role %s%s or %s",
				path, c.Known, strings.Replace(text, " or ", ", ", 1), table.RoleID, table.RoleDrop)
		}
		if c.Numbers > 0 {
			add("column %q, which is kept: %d values hold a phone number, an address of the net, or a number that a label or check digit tells; "+
				"give it the role %s%s", path, c.Numbers, text, table.RoleDrop)
		}
		if c.Opaque > 0 && !slices.Contains(g.Accepted, path) {
			add("column %q, which is kept: %d values are documents (RTF, HTML, XML, JSON), base64 or not UTF-8, which are not looked into "+
				"there; give it the role %s%s, or accept it by %s%s", path, c.Opaque, text, table.RoleDrop, accept, path)
		}
		if c.Days > 0 && share(c.Days, c.Values) > compactDays {
			add("column %q, which is kept: %d of %d values read as dates; give it the role %s to have them moved, or drop it",
				path, c.Days, c.Values, table.RoleDate)
		}
		if share(c.Names, c.Sampled) > namedValues && !slices.Contains(g.Accepted, path) {
			add("column %q, which is kept: the taggers find a person's name in %d of %d different values; give it the role %s%s, "+
				"or accept it by %s%s", path, c.Names, c.Sampled, text, table.RoleDrop, accept, path)
		}
	}
	return why
}

func share(part, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// reasons lists why rows are in quarantine.
func reasons(all map[string]int64) string {
	var parts []string
	for _, r := range sortedKeys(all) {
		parts = append(parts, fmt.Sprintf("%s %d", r, all[r]))
	}
	return strings.Join(parts, ", ")
}

// refusalFile says why a release was refused, in the run's private temporary
// folder: runners pass on errors as prose, if at all.
const refusalFile = "refused.json"

func refusalName(cfg Config) string {
	return storage.Join(temporary(cfg.Private, cfg.RunID), refusalFile)
}

// pass ends the commit where a gate says so, or there are more reasons to.
func pass(ctx context.Context, cfg Config, r *Report, more ...string) error {
	why := append(append(cfg.Gates.check(r, cfg.Identifiers != "", false), checkTables(cfg, r)...), more...)
	if r.Gate != nil {
		if refused := r.Gate.Refusals(); len(refused) > 0 {
			why = append(why, refused...)
			why = append(why, fmt.Sprintf("%s lists where to look", storage.Join(cfg.Private, GateFile)))
		}
	}
	if len(why) == 0 {
		return nil
	}
	raw, err := json.Marshal(why)
	if err != nil {
		return err
	}
	if err := storage.WritePrivateFile(ctx, refusalName(cfg), raw); err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", ErrGate, strings.Join(why, "; "))
}

// Refusal returns the error of a job of which a gate has refused the release, in
// words and with the status that say so, and nil if none has. It is asked
// before the run gives up.
func Refusal(ctx context.Context, cfg Config) error {
	raw, err := storage.ReadFile(ctx, refusalName(cfg), 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var why []string
	if err == nil {
		err = json.Unmarshal(raw, &why)
	}
	if err != nil {
		return err
	}
	return fault.Mark(fault.Refused, fmt.Errorf("%w:\n  %s", ErrGate, strings.Join(why, "\n  ")))
}

// addTally adds what became of the columns of a shard's rows.
func addTally(all map[string]schemas.ColumnCounts, columns []table.Column, tally []table.Tally) {
	for i, c := range columns {
		n := all[c.Path]
		n.Values += tally[i].Values
		n.Changed += tally[i].Changed
		if n != (schemas.ColumnCounts{}) {
			all[c.Path] = n
		}
	}
}
