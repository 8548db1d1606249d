package score

// Result is all that was measured. It holds counts, rates and labels; no text
// and no document id.
type Result struct {
	Documents int `json:"documents"`
	WithPHI   int `json:"documents_with_phi"` // with a gold annotation at least
	Gold      int `json:"gold"`               // annotations as given, after mapping
	System    int `json:"system"`
	Tokens    int `json:"tokens"` // of package token, line ends left out

	// Metrics holds the ten reports of the i2b2 2014 script in its order, then
	// those over HIPAA types as documented, blind tokens and characters.
	Metrics []Metric `json:"metrics"`

	// ByCategory holds, for each category, the script's token, strict, HIPAA
	// token and HIPAA strict reports. The i2b2 categories come first in the
	// script's order, then others in order of name.
	ByCategory []Metric `json:"by_category"`

	// ByType holds, for each label in upper case, the strict and token counts;
	// i2b2 types come first in the guideline's order, then others by name.
	ByType []Metric `json:"by_type"`

	MEDDOCAN       MEDDOCAN       `json:"meddocan"`
	DocumentRecall DocumentRecall `json:"document_recall"`
	OverRedaction  OverRedaction  `json:"over_redaction"`

	Confusion        Confusion `json:"confusion"`         // pairs of equal offsets: Lee et al. 2017, table 12
	ConfusionOverlap Confusion `json:"confusion_overlap"` // pairs of overlapping spans

	// Curves holds precision against recall over the confidence threshold:
	// first all types together (Label empty), then each type.
	Curves []Curve `json:"curves"`

	Kinds  []KindCount  `json:"kinds"`
	Causes []CauseCount `json:"causes"`

	Resamples int    `json:"resamples"`
	Seed      uint64 `json:"seed"`
}

// Measure is what is counted.
type Measure string

// The measures. Strict, Relaxed, Token, BinaryToken and BinaryStrict are those
// of the i2b2 2014 script.
const (
	Strict       Measure = "strict"        // category, offsets and type
	Relaxed      Measure = "relaxed"       // strict, but the end may differ by two code points
	Token        Measure = "token"         // runs of ASCII letters and digits, with category and type
	BinaryToken  Measure = "binary token"  // the same runs, whatever the type
	BinaryStrict Measure = "binary strict" // offsets, whatever the type
	Blind        Measure = "blind token"   // tokens of package token that touch a span, whatever the type
	Character    Measure = "character"     // code points within spans, whatever the type
	NER          Measure = "ner"           // MEDDOCAN subtrack 1: label and offsets
	Spans        Measure = "spans"         // MEDDOCAN subtrack 2A: offsets
	Merged       Measure = "merged spans"  // MEDDOCAN subtrack 2B: offsets, spans joined across punctuation
)

// Subset is the set of types that a metric is over.
type Subset string

// The subsets.
const (
	All             Subset = "all"
	HIPAAScript     Subset = "hipaa"            // as the i2b2 2014 script counts it: ID/IDNUM never belongs
	HIPAADocumented Subset = "hipaa documented" // as its README says: with ID/IDNUM
)

// Metric is one measure over all documents.
type Metric struct {
	Measure  Measure `json:"measure"`
	Subset   Subset  `json:"subset"`
	Category string  `json:"category,omitempty"` // in ByCategory
	Label    string  `json:"label,omitempty"`    // in ByType, upper case
	Official string  `json:"official,omitempty"` // heading of the i2b2 2014 script's report, its spelling kept
	Counts
	Micro     Rates      `json:"micro"`
	Macro     Macro      `json:"macro"`
	Intervals *Intervals `json:"intervals,omitempty"` // of Micro; nil without resamples
}

// Macro holds means over documents. As in the i2b2 2014 script, 0/0 counts as
// 0, so a document without PHI lowers both; F1 is that of the two means; the
// deviations are those of the population.
type Macro struct {
	Rates
	PrecisionSD float64 `json:"precision_sd"`
	RecallSD    float64 `json:"recall_sd"`
}

// Interval is a 95 % percentile interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Intervals are bootstrap intervals over documents.
type Intervals struct {
	Precision Interval `json:"precision"`
	Recall    Interval `json:"recall"`
	F1        Interval `json:"f1"`
}

// MEDDOCAN holds the three official scores of that task. Micro rates are the
// official ones.
type MEDDOCAN struct {
	NER    Metric `json:"ner"`
	Spans  Metric `json:"spans"`
	Merged Metric `json:"merged"`
}

// Leak is MEDDOCAN's leak score: misses per sentence, given the number of
// sentences of all documents. The official script takes it from the line
// counts of annotated_corpora/sentence_splitted. 0 sentences give 0.
func (m MEDDOCAN) Leak(sentences int) float64 { return ratio(m.NER.FN, sentences) }

// DocumentRecall counts, among the documents with PHI, those without a miss.
// Types are ignored but in Strict.
type DocumentRecall struct {
	WithPHI int `json:"with_phi"`
	Touched int `json:"touched"` // each gold span overlaps a system span
	Covered int `json:"covered"` // no letter or digit of a gold span stands outside of all system spans
	Strict  int `json:"strict"`  // each gold span found with its offsets and type
}

// Share is the share of documents with PHI in which nothing was missed, by the
// measure that matters to a patient: Covered. 0 where no document has PHI.
func (d DocumentRecall) Share() float64 { return ratio(d.Covered, d.WithPHI) }

// OverRedaction tells how much was taken from text that is no PHI. Tokens are
// those of package token, line ends left out.
type OverRedaction struct {
	Spans       int     `json:"spans"`        // system spans that touch no gold span
	FreeTokens  int     `json:"free_tokens"`  // tokens outside of gold spans
	LostTokens  int     `json:"lost_tokens"`  // of those, tokens within system spans
	PerThousand float64 `json:"per_thousand"` // spans per 1,000 free tokens
	Share       float64 `json:"share"`        // lost tokens / free tokens
}

// Confusion counts pairs of gold and system labels. Counts has one row for
// each label of Labels, gold, and one column for each, system. Spans are
// paired one to one, a set on each side (duplicates collapse).
type Confusion struct {
	Labels   []string `json:"labels"` // upper case, in the order of Result.ByType
	Counts   [][]int  `json:"counts"`
	Missing  []int    `json:"missing"`  // gold spans without a partner, by label
	Spurious []int    `json:"spurious"` // system spans without a partner, by label
}

// Curve is precision against recall of strict matches as the threshold on the
// score falls. Scores are rounded to 1/1000; spans without a score are in the
// last point.
type Curve struct {
	Label  string  `json:"label"` // upper case; empty for all types together
	Gold   int     `json:"gold"`
	Points []Point `json:"points"` // falling threshold
}

// Point is one point of a curve: the system spans of at least that score.
type Point struct {
	Threshold float64 `json:"threshold"`
	TP        int     `json:"tp"`
	FP        int     `json:"fp"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// KindCount counts mistakes of one kind. Label is the gold label, or the
// system's where the kind is Spurious.
type KindCount struct {
	Kind  Kind   `json:"kind"`
	Label string `json:"label"`
	Count int    `json:"count"`
}

// CauseCount counts false negatives and false positives by probable cause, as
// table 7 of Trienes et al. 2020 does. Sums are those of the strict measure.
type CauseCount struct {
	Cause Cause `json:"cause"`
	FN    int   `json:"fn"`
	FP    int   `json:"fp"`
}
