package veto

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

//go:embed lists/eponyms.txt
var eponymList string

// eponyms are the words of lists/eponyms.txt, which says what each part is.
var eponyms = func() (e struct{ alone, diseases, people, nouns map[string]bool }) {
	lines := func(want string) map[string]bool {
		var words strings.Builder
		for line := range strings.Lines(eponymList) {
			if head, rest, ok := strings.Cut(line, ": "); ok && head == want {
				words.WriteString(rest + " ")
			}
		}
		return names.Set(words.String())
	}
	e.alone, e.diseases, e.people, e.nouns = lines("alone"), lines("diseases"), lines("people"), lines("nouns")
	return e
}()

// eponymPhrases returns the pairs and scales of the list as lines of phrases:
// pairs as they are, scales with a grade behind.
func eponymPhrases() string {
	var b strings.Builder
	for line := range strings.Lines(eponymList) {
		head, rest, _ := strings.Cut(line, ": ")
		for _, item := range strings.Fields(rest) {
			item = strings.ReplaceAll(item, "_", " ")
			switch head {
			case "pairs":
				b.WriteString(item + "\n")
			case "scales":
				b.WriteString(item + " " + grades + "\n")
			}
		}
	}
	return b.String()
}

// grades are what stands behind the name of a scale.
const grades = "#|i|ii|iii|iv|v|vi|ia|ib|ic|iia|iib|iic|iiia|iiib|iiic|iva|ivb|a|b|c|d|e|grade|stage|class|score|type"

// isEponym holds for a name of the list of eponyms that is nobody's here: alone,
// with a possessive s, or before a noun of medicine; and for any one name before
// such a noun where no s makes it somebody's: "Hadfield sign".
func isEponym(p *spot, t phi.Type) bool {
	if c := t.Category(); c != "NAME" && c != "LOCATION" {
		return false
	}
	j, possessed := p.j, false
	if p.j > p.i+1 && possessive(p.text, p.tokens, p.j) { // within the span
		j, possessed = p.j-2, true
	} else if p.j+2 < len(p.tokens) && possessive(p.text, p.tokens, p.j+2) && !p.tokens[p.j+1].Space {
		possessed = true
	}
	alone, listed, diseases, words := true, true, true, 0
	for k := p.i; k <= j; k++ {
		if !token.IsLetters(p.tokens[k].Class) {
			if p.tokens[k].Class == token.Digits {
				return false
			}
			continue
		}
		end := min(runEnd(p.tokens, k), j)
		w := names.Fold(p.text[p.tokens[k].Start:p.tokens[end].End])
		if k == p.i || p.tokens[k-1].Text(p.text) != "-" {
			words++
		}
		alone = alone && eponyms.alone[w]
		diseases = diseases && (eponyms.alone[w] || eponyms.diseases[w])
		listed = listed && (eponyms.alone[w] || eponyms.diseases[w] || eponyms.people[w])
		k = end
	}
	if words == 0 || words > 3 {
		return false
	}
	behind := max(j, p.j) + 1
	if possessed && j == p.j {
		behind += 2
	}
	noun, letters := p.wordAt(behind)
	switch {
	case listed && (sureNouns[noun] || eponyms.nouns[noun]):
		return true
	case noun == "classification" || noun == "criteria":
		return words == 1 // of a place, too: "Vancouver classification"
	case words == 1 && p.scored(j):
		return true
	case sureNouns[noun] || eponyms.nouns[noun]:
		return t.Category() == "NAME" && words == 1 && !measures[noun] && (sureNouns[noun] || !possessed)
	case possessed && diseases && !alone:
		return !letters || within[noun]
	case alone:
		return !p.named() && !acts[noun] && !(states[noun] && !findings[p.wordBehind(behind)])
	}
	return false
}

// scored reports whether what ends at token j is a score with its value and what
// that is out of behind it: "Norton 14/20".
func (p *spot) scored(j int) bool {
	if j+3 >= len(p.tokens) || p.tokens[j+1].Class != token.Digits || p.tokens[j+2].Text(p.text) != "/" {
		return false
	}
	out, err := strconv.Atoi(p.tokens[j+3].Text(p.text))
	return err == nil && outOfIs(names.Fold(p.text[p.tokens[p.i].Start:p.tokens[j].End]), out)
}

// wordAt returns the folded word of token k, "" where it begins with a capital,
// and whether it is one of letters and on the same line.
func (p *spot) wordAt(k int) (word string, letters bool) {
	if k < len(p.tokens) && p.tokens[k].Text(p.text) == "-" {
		k++
	}
	if k >= len(p.tokens) || !token.IsLetters(p.tokens[k].Class) {
		return "", false
	}
	if p.tokens[k].Class != token.Lower {
		return "", true
	}
	return p.tokens[k].Text(p.text), true
}

// wordBehind returns the folded word of the token behind token k.
func (p *spot) wordBehind(k int) string {
	w, _ := p.wordAt(k + 1)
	return w
}

// named reports whether the word right before the span begins with a capital
// and is not the first of its line or sentence, as a given name would.
func (p *spot) named() bool {
	k := p.i - 1
	if k < 1 || !p.tokens[p.i].Space || !token.IsLetters(p.tokens[k].Class) || p.tokens[k].Class == token.Lower ||
		p.tokens[k].Class == token.Upper && p.tokens[k].End-p.tokens[k].Start > 1 {
		return false
	}
	before := p.tokens[k-1]
	return before.Class != token.Newline && !strings.Contains(".:;", before.Text(p.text))
}

// sureNouns are those that nobody has: "Todd's paresis".
var sureNouns = names.Set(`sign paresis phenomenon maneuver manoeuvre criteria triad tetrad triangle fascia ligament formula equation
	anomaly classification`)

// measures are nouns that people have numbers of: "Ana score 5".
var measures = names.Set("score scores scale index grade grading stage staging chart view position technique inventory questionnaire")

// acts are what people do and diseases do not, states what both do, but signs and
// scales with findings behind; within is what goes on behind a disease's name.
var (
	acts = names.Set(`said says saying reports reported reporting states stated denies denied complains complained presents presented
		presenting came comes went called calls lives lived works worked wants wanted asks asked told tells agrees agreed who whose seen`)
	states   = names.Set("is was has had will would can could")
	findings = names.Set(`positive negative absent present normal abnormal equivocal downgoing upgoing intact high low suspected likely
		unlikely excluded confirmed treated stable not now`)
	within = names.Set("and or with without on in since at for from vs but not now as by was is has")
)
