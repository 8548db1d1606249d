package adapt

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// method is a way to adapt: what is trained of the notes, and what it takes.
type method struct {
	what         string // in words
	modules      string // that the trainer imports; requirements pins them
	requirements string
	before       string // lines that install what requirements leaves out
	train        func(t *trainer, ctx context.Context, o *options, w *work, j *judge, n *notes, stderr io.Writer) (string, error)
}

// The names of methods, as --method takes them.
const (
	byCount   = "auto"
	byNetwork = "network"
	byCRF     = "crf"
)

var methods = map[string]method{
	byNetwork: {
		what: "network", modules: "numpy, onnx, onnxruntime, torch", requirements: "requirements-adapt.txt",
		before: "  venv/bin/pip install torch==2.8.0 --index-url https://download.pytorch.org/whl/cpu\n",
		train:  (*trainer).network,
	},
	byCRF: {what: "feature CRF", modules: "numpy, pycrfsuite", requirements: "requirements-crf.txt", train: (*trainer).crf},
}

// chosen is the method that is taken for so many notes that nobody judges by.
func (o *options) chosen(notes int) string {
	switch {
	case o.method != byCount:
		return o.method
	case notes < networkFrom:
		return byCRF
	}
	return byNetwork
}

// side is the job's side with what came of training. The CRF goes before the model that
// the job has: as it knows the notes, it says where a span ends and what it is.
func (j *judge) side(method, candidate string) side {
	if method == byCRF {
		return side{model: candidate + "," + j.baseDir}
	}
	return side{model: candidate}
}

// crf trains a feature CRF on shipped notes and on these, by EasyAdapt (Daumé 2007, as
// in Lee et al. 2017): each feature has a weight of all notes, and one more of these. It
// has no epochs to stop after, so that it is trained on the notes of that part as well.
func (t *trainer) crf(ctx context.Context, o *options, w *work, j *judge, n *notes, stderr io.Writer) (string, error) {
	own := slices.Concat(n.of(adapt.Train), n.of(adapt.Stop))
	profile, err := json.Marshal(map[string]any{
		"summary": fmt.Sprintf("Finds protected health information beside %s, by weights of features, in notes of one site.", j.base.Name),
		"caution": "Run it beside that model, and with the rules and the patient sweep of the job; alone it misses more. Its weights are " +
			"learnt from the site's notes: give it only to people who may have them.",
		"data": crfData(j.base.Language), "types": j.base.Types, "attribution": []string{}, "weaknesses": []string{},
	})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(w.path(crfProfile), profile, 0o600); err != nil {
		return "", err
	}
	if err := t.write(ctx, w, map[string][]corpus.Document{"train": own}, t.crfRecipe(o, w, j, len(own))); err != nil {
		return "", err
	}
	if err := os.RemoveAll(w.path("training")); err != nil {
		return "", err
	}
	return w.path("candidate"), t.run(ctx, []string{"-m", "training", "linear", w.path(recipeFile), "--work", w.path("training")}, stderr)
}

const crfProfile = "profile.json"

// sourceNotes is how many shipped notes the CRF is trained on: more take longer, and
// bring the notes that are adapted to little.
const sourceNotes = 200

// networkFrom is the number of notes from which the network is trained further: with fewer
// the CRF brings as much (docs/adapt.md).
const networkFrom = 60

func crfData(language string) []string {
	if language != shippedLanguage {
		return []string{"All of them are notes of a site, reviewed by people."}
	}
	return []string{fmt.Sprintf("The others are %d of the notes that are shipped with Palimpsest, taken at even steps; all those are "+
		"invented.", sourceNotes)}
}

// crfRecipe is what the trainer is told.
func (t *trainer) crfRecipe(o *options, w *work, j *judge, own int) string {
	q := strconv.Quote
	var b strings.Builder
	fmt.Fprintf(&b, "name = %s\noutput = %s\nlanguage = %s\nprofile = %s\nwithout = [\"world\"]\n", q(filepath.Base(o.output)),
		q(w.path("candidate")), q(j.base.Language), q(w.path(crfProfile)))
	fmt.Fprintf(&b, "[notes.reviewed]\npath = %s\nformat = \"jsonl\"\n", q(w.path("train")))
	if j.base.Language == shippedLanguage {
		fmt.Fprintf(&b, "[notes.shipped]\npath = %s\nformat = \"marked\"\nsplit = %s\n", q(filepath.Join(t.folder, "notes")),
			q(w.path(shippedSplit)))
	}
	fmt.Fprintf(&b, "[made]\nvariants = 0\n[linear]\nnotes = %d\nrounds = 0\nc1 = 0.2\nc2 = 0.02\niterations = 50\nmin_count = 3\n"+
		"target = [\"reviewed\"]\n", own+sourceNotes)
	return b.String()
}
