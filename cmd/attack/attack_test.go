package attack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type row struct {
	ID   string `parquet:"note_id"`
	Who  string `parquet:"patient_id"`
	Day  int32  `parquet:"note_date,date"`
	Text string `parquet:"text"`
}

const (
	testKey  = "a key of the tests: fifty bytes or so, never to be seen"
	patients = 120
)

// made writes the notes of a job and what it would have released of them, with
// evidence in it whose truth is known, and returns the job's settings. Rows stand by
// day, or else by pseudonym.
func made(t *testing.T, byDay bool) (config string) {
	t.Helper()
	t.Setenv("PALIMPSEST_ATTACK_KEY", testKey)
	keys, err := surrogate.NewKeyring([]byte(testKey), 0)
	if err != nil {
		t.Fatal(err)
	}
	rewriter := deid.Rewriter{Keys: keys}
	dir := t.TempDir()
	r := rand.New(rand.NewSource(5))
	var in, out []row
	var findings []table.Finding
	for p := range patients {
		who := fmt.Sprintf("p%03d", p)
		shift := keys.DateOffset(who, surrogate.DatePolicy{})
		begin := dates.DaysFromCivil(2012, 1, 1) + r.Intn(3000)
		for k := range 6 {
			day := begin + r.Intn(400)
			n, was := row{fmt.Sprintf("n%d", len(in)), who, int32(day), "No change."}, ""
			surname := table.Finding{DocumentID: n.ID, TextColumn: "text", Start: 12, End: 19, OutputStart: 12, OutputEnd: 19, Type: "DOCTOR"}
			y, m, d := dates.CivilFromDays(day - 4)
			switch {
			case k > 0:
			case p < 10: // a full date was missed
				n.Text = fmt.Sprintf("Fell on %d/%d/%d.", m, d, y)
			case p < 20: // a holiday's name was missed, its date moved
				_, m, d := dates.CivilFromDays(dates.DaysFromCivil(y, 12, 25) + shift)
				y, _, _ := dates.CivilFromDays(dates.DaysFromCivil(y, 12, 25) + shift)
				n.Text = fmt.Sprintf("Home for Christmas %d/%d/%d.", m, d, y)
			case p < 30: // a name and a phone number were missed
				n.Text = "Seen by Dr. Zzyzxq, phone (312) 867-5309."
			case p < 40: // the same, replaced by such
				n.Text, was = "Seen by Dr. Quuxlam.", "Seen by Dr. Ottoman."
				findings = append(findings, surname)
			case p < 50 && y > 2013:
				n.Text = "On apixaban."
			case p >= 50 && p < 60: // a name was found, and left as it is: by the policy, or since it stays what it is
				n.Text = "Seen by Dr. Wuzzlem."
				if p < 55 {
					surname.Action = string(surrogate.Keep)
				}
				findings = append(findings, surname)
			}
			in = append(in, n)
			if was != "" {
				in[len(in)-1].Text = was
			}
			out = append(out, row{rewriter.Pseudonym(n.ID, 0), rewriter.Pseudonym(who, 0), n.Day + int32(shift), n.Text})
		}
	}
	order := make([]int, len(in))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if byDay {
			return int(in[a].Day - in[b].Day)
		}
		return strings.Compare(out[a].Who+out[a].ID, out[b].Who+out[b].ID)
	})
	sorted := make([]row, len(out))
	for i, k := range order {
		sorted[i] = out[k]
	}
	write := func(name string, rows any) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		switch rows := rows.(type) {
		case []row:
			err = parquet.WriteFile(path, rows)
		case []table.Finding:
			err = parquet.WriteFile(path, rows)
		default:
			var raw []byte
			if raw, err = json.Marshal(rows); err == nil {
				err = os.WriteFile(path, raw, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("in.parquet", in)
	write("out/notes/part-00000.parquet", sorted)
	write("private/findings/in.parquet", findings)
	write("out/_SUCCESS", "")
	write("out/manifest.json", transforms.Manifest{
		Configuration: transforms.What{KeyID: keys.ID(), Language: "en", Policy: surrogate.Policy{DateColumns: surrogate.Shift},
			Columns: table.Columns{DocumentID: "note_id", PatientID: "patient_id", Text: []string{"text"}, NoteDate: "note_date",
				Dates: []string{"note_date"}}},
		Outputs: []transforms.ManifestPart{{Name: "notes/part-00000.parquet"}},
	})
	config = filepath.Join(dir, "job.yaml")
	text := fmt.Sprintf("input: %[1]s/in.parquet\noutput: %[1]s/out\nprivate: %[1]s/private\nkey: env:PALIMPSEST_ATTACK_KEY\n", dir)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

// attacked runs the command and returns its counts.
func attacked(t *testing.T, args ...string) (r Result, stdout string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "attack.json")
	var out, errs bytes.Buffer
	if status := Main(context.Background(), append(args, "--json="+file), nil, &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", args, out.String())
	return r, out.String()
}

// With the key guesses are checked: what was planted is found and right, and the order of rows
// tells offsets where it is that of days, and nothing where it is not.
func TestAttackFindsWhatWasPlanted(t *testing.T) {
	for _, byDay := range []bool{true, false} {
		config := made(t, byDay)
		r, said := attacked(t, "--config", config, "--extract_begin=2012-01-01", "--extract_end=2021-12-31")
		known := map[string]Known{}
		for _, k := range r.Evidence {
			known[k.Kind] = k
		}
		if r.Notes != 6*patients || r.Patients != patients || r.Shifts != 234 || !r.Checked {
			t.Errorf("%+v", r)
		}
		if k := known["full dates that did not move"]; k.Patients != 10 || k.Within30 != 10 || k.Right != 10 {
			t.Errorf("%+v", k)
		}
		if k := known["holidays beside a date"]; k.Patients != 10 || k.Right != 10 || k.Exactly < 5 {
			t.Errorf("%+v", k)
		}
		if k := known["first and last day of the extract"]; k.Patients == 0 || k.Wrong != 0 {
			t.Errorf("%+v", k)
		}
		if k := known["epidemics and products with a first day"]; k.Patients == 0 || k.Wrong != 0 {
			t.Errorf("%+v", k)
		}
		if k := known["all of these together"]; k.Exactly < 5 || k.Wrong > 3 {
			t.Errorf("%+v", k)
		}
		if r.Order.Believed != byDay || byDay && (r.Order.MedianError > 60 || r.Order.Within183 < patients/2) {
			t.Errorf("%+v", r.Order)
		}
		if names, phones := r.Tokens[0], r.Tokens[1]; names.N != 30 || names.Right != 20 || phones.N != 10 || phones.Right != 10 {
			t.Errorf("%+v", r.Tokens)
		}
		for _, secret := range []string{"Zzyzxq", "Quuxlam", "Wuzzlem", "867"} {
			if strings.Contains(said, secret) {
				t.Errorf("%s is printed", secret)
			}
		}
	}
}

// Without the key it guesses as an outsider does, who has the release alone.
func TestAttackOfAnOutsider(t *testing.T) {
	config := made(t, true)
	release := filepath.Join(filepath.Dir(config), "out")
	if err := os.Remove(filepath.Join(filepath.Dir(config), "in.parquet")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--release", release}, {"--config", config, "--check=false"}} {
		r, said := attacked(t, args...)
		if r.Checked || r.Evidence[0].Patients != 0 || r.Evidence[1].Within30 != 10 || !r.Order.Believed || r.Tokens[0].N != 30 ||
			strings.Contains(said, "right") {
			t.Errorf("%+v", r)
		}
	}
}

func TestAttackRefuses(t *testing.T) {
	config := made(t, true)
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 64, "--release is missing"},
		{[]string{"--release=/none"}, 65, "its manifest cannot be read"},
		{[]string{"--release=/none", "--json=/none/attack.json"}, 64, "lies inside the release"},
		{[]string{"--release=/none", "--extract_end=4/5/2014"}, 64, "write a day as YYYY-MM-DD"},
		{[]string{"--config", config, "x"}, 64, `"x" belongs to no flag`},
	} {
		var out, errs bytes.Buffer
		if status := Main(context.Background(), c.args, nil, &out, &errs); status != c.status || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: status %d: %s", c.args, status, errs.String())
		}
	}
	tried := func(what string, wanted int, want string) {
		t.Helper()
		var out, errs bytes.Buffer
		if status := Main(context.Background(), []string{"--config", config}, nil, &out, &errs); status != wanted ||
			!strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d: %s", what, status, errs.String())
		}
	}
	t.Setenv("PALIMPSEST_ATTACK_KEY", strings.Repeat("another key ", 5))
	tried("another key", 64, "the release was made with")
	release := filepath.Join(filepath.Dir(config), "out")
	if err := os.Rename(filepath.Join(release, "_SUCCESS"), filepath.Join(release, "_TRIAL")); err != nil {
		t.Fatal(err)
	}
	tried("a trial", 65, "it is a trial of some notes")
	if err := os.Remove(filepath.Join(release, "_TRIAL")); err != nil {
		t.Fatal(err)
	}
	tried("a release that is not finished", 65, "it has no _SUCCESS")
}

// releaseOf writes a release and the job's settings, and returns these.
func releaseOf(t *testing.T, m transforms.Manifest, input any, released map[string]any, findings []table.Finding) (config string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PALIMPSEST_ATTACK_KEY", testKey)
	keys, err := surrogate.NewKeyring([]byte(testKey), 0)
	if err != nil {
		t.Fatal(err)
	}
	m.Configuration.KeyID, m.Configuration.Language, m.Configuration.KeepIDs = keys.ID(), "en", true
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	config = filepath.Join(dir, "job.yaml")
	text := fmt.Sprintf("input: %[1]s/in.parquet\noutput: %[1]s/out\nprivate: %[1]s/private\nkey: env:PALIMPSEST_ATTACK_KEY\n", dir)
	files := map[string]any{config: []byte(text), filepath.Join(dir, "in.parquet"): input, filepath.Join(dir, "out/_SUCCESS"): []byte{},
		filepath.Join(dir, "out/manifest.json"): raw, filepath.Join(dir, "private/findings/in.parquet"): findings}
	for name, rows := range released {
		files[filepath.Join(dir, "out", name)] = rows
	}
	for name, rows := range files {
		err := os.MkdirAll(filepath.Dir(name), 0o700)
		if err == nil {
			switch rows := rows.(type) {
			case []byte:
				err = os.WriteFile(name, rows, 0o600)
			case []row:
				err = parquet.WriteFile(name, rows)
			case []lineRow:
				err = parquet.WriteFile(name, rows)
			case []table.Finding:
				err = parquet.WriteFile(name, rows)
			default:
				t.Fatalf("%T cannot be written", rows)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return config
}

// lineRow is a line of a note.
type lineRow struct {
	ID   string `parquet:"note_id"`
	Line int32  `parquet:"line"`
	Text string `parquet:"text"`
}

// A release may hold other tables beside the notes, without texts.
func TestAttackPassesOverOtherTables(t *testing.T) {
	notes := []row{{"n1", "p1", 12_000, "Seen by Dr. Zzyzxq."}}
	m := transforms.Manifest{ConfigDigest: "one", Outputs: []transforms.ManifestPart{{Name: "visits/part-00000.parquet"},
		{Name: "notes/part-00000.parquet"}}}
	m.Configuration.Columns = table.Columns{DocumentID: "note_id", PatientID: "patient_id", Text: []string{"text"}}
	config := releaseOf(t, m, notes, map[string]any{"notes/part-00000.parquet": notes,
		"visits/part-00000.parquet": []table.Finding{{DocumentID: "no note"}}}, nil)
	r, _ := attacked(t, "--config", config)
	if r.Notes != 1 || r.Tokens[0].N != 1 || r.Tokens[0].Right != 1 {
		t.Errorf("%+v", r)
	}
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(config), "out/manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Digest != "one" || r.Manifest != fmt.Sprintf("%x", sha256.Sum256(raw)) {
		t.Errorf("it does not say which release was attacked: %q, %q", r.Digest, r.Manifest)
	}
}

// What was found in a note of several rows is told by its place in all of them.
func TestAttackReadsNotesOfSeveralRows(t *testing.T) {
	m := transforms.Manifest{Outputs: []transforms.ManifestPart{{Name: "notes/part-00000.parquet"}}}
	m.Configuration.Columns = table.Columns{DocumentID: "note_id", Text: []string{"text"}, Line: "line", LineSeparator: "\n"}
	const first = "Nothing to tell of her.\n"
	at := int64(len(first) + len("Seen by Dr. "))
	config := releaseOf(t, m,
		[]lineRow{{"n1", 1, strings.TrimSpace(first)}, {"n1", 2, "Seen by Dr. Ottoman."}},
		map[string]any{"notes/part-00000.parquet": []lineRow{{"n1", 1, strings.TrimSpace(first)}, {"n1", 2, "Seen by Dr. Quuxlam."}}},
		[]table.Finding{{DocumentID: "n1", TextColumn: "text", Element: "2", Start: at, End: at + 7, OutputStart: at, OutputEnd: at + 7,
			Type: "DOCTOR", Action: "surrogate"}})
	if r, _ := attacked(t, "--config", config); r.Notes != 1 || r.Tokens[0].N != 1 || r.Tokens[0].Right != 0 {
		t.Errorf("%+v", r)
	}
}
