package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// shape says what an input looks like. The same shape gives the same bytes.
type shape struct {
	Notes    int  // all notes, in all files
	Patients int  // patients that they are spread over, evenly
	Shared   int  // so many of them, from the first on, have the patient id "0" instead
	OneLife  bool // notes of one patient tell of the same people; else each has names of its own
	Spans    int  // identifiers per note, in lines made for it; 0 for the examples' notes
	Files    int  // 0 for one
	Group    int  // rows per row group; 0 for 1,000
	Payload  int  // bytes of a column that the job does not touch, in each row
	Short    bool // notes of two lines
	Bytes    int  // of each note, of the examples' lines; 0 for whole notes of the examples
	Known    int  // rows of a table of known identifiers, whose first ones are of the notes' patients; 0 for none
	Each     int  // names in each of its rows
}

// note is a row of a generated table.
type note struct {
	NoteID    int64  `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	NoteDate  int32  `parquet:"note_date,date"`
	Text      string `parquet:"text,zstd"`
}

// scan is a row with something that compresses badly beside the note.
type scan struct {
	NoteID    int64  `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	NoteDate  int32  `parquet:"note_date,date"`
	Text      string `parquet:"text,zstd"`
	Scan      []byte `parquet:"scan"`
}

// generate writes the files of a shape below dir, row group by row group, and
// returns their bytes and those of the texts in them.
func generate(ctx context.Context, source, dir string, s shape) (file, text int64, err error) {
	sources, err := invent.Texts(ctx, source)
	if err != nil {
		return 0, 0, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, 0, err
	}
	g := &generator{shape: s, sources: sources, digits: rand.New(rand.NewSource(1)), names: rand.New(rand.NewSource(2))}
	files := max(s.Files, 1)
	done := 0
	for i := range files {
		rows := s.Notes*(i+1)/files - done
		done += rows
		name := filepath.Join(dir, fmt.Sprintf("notes-%06d.parquet", i))
		size, err := g.write(name, rows)
		if err != nil {
			return 0, 0, err
		}
		file += size
	}
	return file, g.text, ctx.Err()
}

type generator struct {
	shape
	sources       []string
	digits, names *rand.Rand
	next          int // number of the next note
	text          int64
}

func (g *generator) write(name string, rows int) (int64, error) {
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	group := parquet.MaxRowsPerRowGroup(int64(max(g.Group, 0)))
	if g.Group == 0 {
		group = parquet.MaxRowsPerRowGroup(1000)
	}
	if g.Payload > 0 {
		// Without statistics, which would repeat each value four times.
		err = fill(parquet.NewGenericWriter[scan](buffered, group, parquet.DataPageStatistics(false), parquet.SkipPageBounds("scan")), rows,
			func() scan {
				n := g.note()
				payload := make([]byte, g.Payload)
				g.names.Read(payload)
				return scan{n.NoteID, n.PatientID, n.NoteDate, n.Text, payload}
			})
	} else {
		err = fill(parquet.NewGenericWriter[note](buffered, group), rows, g.note)
	}
	if err != nil {
		return 0, err
	}
	if err := buffered.Flush(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), f.Close()
}

func fill[T any](w *parquet.GenericWriter[T], rows int, next func() T) error {
	for range rows {
		if _, err := w.Write([]T{next()}); err != nil {
			return err
		}
	}
	return w.Close()
}

// versions is how many notes of one patient differ in more than their digits.
const versions = 24

func (g *generator) note() note {
	i := g.next
	g.next++
	n := note{NoteID: int64(i + 1), NoteDate: int32(14_000 + i%5000)}
	patient := i * 7919 % max(g.Patients, 1) // spread over files, as patients are
	n.PatientID = fmt.Sprintf("p%07d", patient)
	if i < g.Shared {
		n.PatientID, patient = "0", 0
	}
	source, names := g.sources[i%len(g.sources)], g.names
	if g.OneLife {
		v := patient*versions + i%versions
		source, names = g.sources[v%len(g.sources)], rand.New(rand.NewSource(int64(v)))
	}
	switch {
	case g.Spans > 0:
		n.Text = dense(names, g.digits, g.Spans)
	case g.Short:
		n.Text = dense(names, g.digits, 4)
	case g.Bytes > 0:
		n.Text = g.long(names, i)
	default:
		n.Text = invent.Vary(names, g.digits, source)
	}
	g.text += int64(len(n.Text))
	return n
}

// long returns a note of so many bytes, from the lines of one source after another.
func (g *generator) long(names *rand.Rand, first int) string {
	var b strings.Builder
	for i := first; b.Len() < g.Bytes; i++ {
		for line := range strings.Lines(invent.Vary(names, g.digits, g.sources[i%len(g.sources)])) {
			if b.WriteString(line); b.Len() >= g.Bytes {
				break
			}
		}
	}
	return b.String()
}

// dense returns a note with so many identifiers, four in a line.
func dense(names, digits *rand.Rand, spans int) string {
	var b strings.Builder
	for i := 0; i < spans; i += 4 {
		fmt.Fprintf(&b, "On %02d/%02d/20%02d Dr. %s reviewed the chart, MRN: %08d, and called 617-555-%04d about the results.\n",
			1+digits.Intn(12), 1+digits.Intn(28), 10+digits.Intn(10), invent.Name(names), digits.Intn(1e8), digits.Intn(1e4))
	}
	return b.String()
}
