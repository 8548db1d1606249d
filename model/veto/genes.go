package veto

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// genes are symbols that need no word beside them; those that could be
// somebody's initials are not here.
var genes = names.Set(`brca brca1 brca2 tp53 jak2 mthfr cftr kras nras hras braf egfr ros1 erbb2 bcr abl abl1 pml rara flt3 npm1 idh1 idh2
	calr mpl mlh1 msh2 msh6 pms2 epcam palb2 chek2 atm pten stk11 cdh1 cdkn2a runx1 cebpa asxl1 tet2 dnmt3a sf3b1 etv6 myc bcl2 bcl6 tert
	notch1 pik3ca kit pdgfra fgfr2 fgfr3 ntrk1 vhl smad4 mutyh apoe apoe4 hfe fbn1 myh7 mybpc3 scn5a kcnq1 kcnh2 ryr2 lmna ttn pkd1 pkd2 smn1
	dmd fmr1 htt atxn3 sod1 c9orf72 lrrk2 gba snca mapt psen1 gjb2 mecp2 pah galt acadm g6pd hbb hba1 ugt1a1 cyp2c19 cyp2d6 cyp2c9 vkorc1
	tpmt dpyd hla mefv serpina1 f5 f8 f9 fv pcsk9 ldlr apob sdhb sdhd ret men1 nf1 nf2 tsc1 tsc2 pd leiden`)

// variantForm is a change of protein or DNA: V617F, C677T, F508del, c.743G>A.
var variantForm = regexp.MustCompile(`^(?:[A-Z]\d{1,4}(?:[A-Z*]|del|dup|fs|ins)|[cgpm]\.[A-Za-z0-9_>*+=()-]+)$`)

// sureVariant is a change that nothing else is written as: F508del, Q39fs, G542X.
var sureVariant = regexp.MustCompile(`^[ACDEFGHIKLMNPQRSTVWY]\d{1,4}(?:del|dup|fs|ins|\*)$`)

// inherited are words around a variant whose gene is not told: "carries G542X".
var inherited = names.Set(`carries carry carrier carriers carrying mutation mutations mutated variant variants allele alleles genotype
	homozygous heterozygous homozygote heterozygote inherited`)

// isGene reports whether all of the widened span is genes and variants, and
// one gene is among them or before them, or it is certain that they are variants.
func isGene(p *spot, _ phi.Type) bool {
	fields := strings.Fields(p.chunk)
	gene := false
	for _, f := range fields {
		f = strings.TrimRight(f, ",;")
		switch {
		case sureVariant.MatchString(f):
			gene = true
		case isVariants(f):
			gene = gene || strings.Contains(f, "/") || among(p.before, 2, inherited) || among(p.after, 2, inherited)
		case isGeneSymbol(f):
			gene = true
		case inherited[names.Fold(f)]:
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

// isVariants reports whether a word is changes with slashes between, as the two
// copies of a gene are written: F508del/G542X.
func isVariants(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if !variantForm.MatchString(part) {
			return false
		}
	}
	return true
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
