package veto

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// systems are classifications and the form of their codes.
var systems = map[string]*regexp.Regexp{
	"cpt":    regexp.MustCompile(`^\d{4}[\dTF]$`),
	"hcpcs":  regexp.MustCompile(`^[A-V]\d{4}$`),
	"snomed": regexp.MustCompile(`^\d{6,18}$`),
	"loinc":  regexp.MustCompile(`^\d{1,5}-\d$`),
	"drg":    regexp.MustCompile(`^\d{1,3}$`),
	"icd":    regexp.MustCompile(`^(?:[A-Z]\d[\dA-Z](?:\.[\dA-Z]{1,4})?|\d{3}(?:\.\d{1,2})?|V\d\d(?:\.\d{1,2})?)$`),
	"rxnorm": regexp.MustCompile(`^\d{3,7}$`),
	"rxcui":  regexp.MustCompile(`^\d{3,7}$`),
	"omim":   regexp.MustCompile(`^\d{6}$`),
	"cvx":    regexp.MustCompile(`^\d{1,3}$`),
	"apc":    regexp.MustCompile(`^\d{4}$`),
}

var (
	// icdForm has its point: letters and digits alone could be anything.
	icdForm   = regexp.MustCompile(`^[A-TV-Z]\d[\dA-Z]\.(?:\d{1,3}|\d{3}[A-Z]|\d{1,2}[A-Z]\d?|X{1,3}[ADS])$`)
	codeWords = names.Set("code codes coded ct cm pcs dx concept id procedure ms")
)

func isCode(p *spot, t phi.Type) bool {
	fields := strings.Fields(p.text[p.tokens[p.ci].Start:p.tokens[p.cj].End])
	icd := 0
	for _, f := range fields {
		if icdForm.MatchString(strings.TrimRight(f, ",;.")) {
			icd++
		}
	}
	if icd == len(fields) {
		return !cues.Labelled(p.text, p.tokens, p.ci, specimenWords)
	}
	system := systems[names.Fold(fields[0])]
	if system != nil {
		fields = fields[1:]
	} else {
		for k, w := range p.before {
			if system = systems[w]; system != nil || k == 2 || !codeWords[w] && !(len(w) <= 2 && w[0] <= '9') {
				break
			}
		}
	}
	for len(fields) > 0 && codeWords[names.Fold(strings.TrimRight(fields[0], ":#"))] {
		fields = fields[1:]
	}
	return system != nil && len(fields) == 1 && system.MatchString(strings.TrimRight(fields[0], ",;."))
}

var specimenWords = names.Set("accession specimen case path pathology slide lab mrn chart order acct account id")

// genes are symbols that need no word beside them; those that could be
// somebody's initials are not here.
var genes = names.Set(`brca brca1 brca2 tp53 jak2 mthfr cftr kras nras hras braf egfr ros1 erbb2 bcr abl abl1 pml rara flt3 npm1 idh1 idh2 calr mpl
	mlh1 msh2 msh6 pms2 epcam palb2 chek2 atm pten stk11 cdh1 cdkn2a runx1 cebpa asxl1 tet2 dnmt3a sf3b1 etv6 myc bcl2 bcl6 tert notch1
	pik3ca kit pdgfra fgfr2 fgfr3 ntrk1 vhl smad4 mutyh apoe apoe4 hfe fbn1 myh7 mybpc3 scn5a kcnq1 kcnh2 ryr2 lmna ttn pkd1 pkd2 smn1
	dmd fmr1 htt atxn3 sod1 c9orf72 lrrk2 gba snca mapt psen1 gjb2 mecp2 pah galt acadm g6pd hbb hba1 ugt1a1 cyp2c19 cyp2d6 cyp2c9
	vkorc1 tpmt dpyd hla mefv serpina1 f5 f8 f9 fv pcsk9 ldlr apob sdhb sdhd ret men1 nf1 nf2 tsc1 tsc2 pd leiden`)

// variantForm is a change of protein or DNA: V617F, C677T, F508del, c.743G>A.
var variantForm = regexp.MustCompile(`^(?:[A-Z]\d{1,4}(?:[A-Z*]|del|dup|fs|ins)|[cgpm]\.[A-Za-z0-9_>*+=()-]+)$`)

// isGene reports whether all of the widened span is genes and variants, and
// one gene is among them or before them.
func isGene(p *spot, _ phi.Type) bool {
	fields := strings.Fields(p.chunk)
	gene := false
	for _, f := range fields {
		f = strings.TrimRight(f, ",;")
		switch {
		case variantForm.MatchString(f):
		case isGeneSymbol(f):
			gene = true
		case f == "homozygous", f == "heterozygous", f == "homozygote", f == "heterozygote":
		default:
			return false
		}
	}
	if !gene && p.ci > 0 && p.tokens[p.ci-1].Class != token.Newline {
		before := strings.Fields(p.text[p.tokens[max(0, p.ci-walk)].Start:p.tokens[p.ci].Start])
		gene = len(before) > 0 && isGeneSymbol(strings.Trim(before[len(before)-1], "(,:"))
	}
	return gene
}

func isGeneSymbol(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '/' || r == ':' })
	for _, part := range parts {
		if part != strings.ToUpper(part) && part != "Leiden" || !genes[names.Fold(part)] {
			return false
		}
	}
	return len(parts) > 0
}

// isScoreName reports whether a name is that of a score: "Norton 14/20".
func isScoreName(p *spot, _ phi.Type) bool {
	if p.i != p.j || outOf[names.Fold(p.chunk)] == nil || p.cj+3 >= len(p.tokens) {
		return false
	}
	a, b := p.tokens[p.cj+1], p.tokens[p.cj+3]
	if a.Class != token.Digits || p.tokens[p.cj+2].Text(p.text) != "/" || b.Class != token.Digits || b.Space {
		return false
	}
	n, err := strconv.Atoi(b.Text(p.text))
	return err == nil && outOfIs(names.Fold(p.chunk), n)
}

// compoundForm is a sponsor's code of a compound.
var (
	compoundForm  = regexp.MustCompile(`^(?:ABBV|ABT|ACY|AMG|AZD|BAY|BI|BMS|CC|GDC|GSK|INCB|JNJ|LY|MEDI|MK|ONO|PF|REGN|RG|RO|SAR|TAK|UCB|VX)-?\d{3,8}$`)
	compoundWords = names.Set("trial study arm drug dose inhibitor cohort protocol mg given held started infusion")
)

func isCompound(p *spot, _ phi.Type) bool {
	return compoundForm.MatchString(p.chunk) && among(p.after, 3, compoundWords)
}

// instruments are the last words of the names of scales and the like.
var instruments = names.Set("inventory questionnaire instrument checklist criteria scale survey assessment")

// isInstrument reports whether a place's name begins the name of a scale: at
// most six capitalised words up to one, with nothing but blanks between.
func isInstrument(p *spot, t phi.Type) bool {
	switch t.Category() {
	case "NAME", "LOCATION":
		// "Vancouver classification", "Toronto bedside scale"
		if p.next() == "classification" || p.next() == "bedside" && instruments[at(p.after, 1)] {
			return true
		}
	}
	switch t {
	case phi.Hospital, phi.Organization, phi.City, phi.State, phi.Country, phi.LocationOther:
	default:
		return false
	}
	for k, n := p.i, 0; k < len(p.tokens) && n < 6; k, n = k+1, n+1 {
		w := p.tokens[k]
		f := names.Fold(w.Text(p.text))
		switch {
		case n > 1 && k >= p.j && instruments[f]:
			return true
		case names.HospitalHeads[f], names.SchoolWords[f], f == "medical", f == "center", f == "department":
			return false
		case w.Class == token.Title, w.Class == token.Lower && (f == "and" || f == "of" || f == "for"):
		default:
			return false
		}
	}
	return false
}

// isKaryotype holds for a karyotype and for what is done to a chromosome:
// "46,XY", "del(5q)", "t(9;22)".
func isKaryotype(p *spot, _ phi.Type) bool {
	switch names.Fold(p.span()) {
	case "xx", "xy":
		return strings.HasSuffix(p.text[:p.tokens[p.i].Start], "46,")
	case "del", "dup", "inv", "ins", "der", "idic", "add", "t":
		return strings.HasPrefix(p.text[p.tokens[p.j].End:], "(")
	}
	return false
}

// isNoAddress holds for what the network takes for a network address and has
// neither three stops nor two colons.
func isNoAddress(p *spot, t phi.Type) bool {
	s := p.span()
	return t == phi.IPAddress && strings.Count(s, ".") < 3 && strings.Count(s, ":") < 2
}
