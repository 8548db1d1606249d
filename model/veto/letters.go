package veto

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// abbreviations of medicine of three letters and more: two are somebody's
// initials too often.
var medicalAbbreviations = names.Set(`aaa abg abi acei acs adhd adl adls aicd aids aka alif amb ami aniox aras arb ards arf asd ast avm
	avnrt avr bka bph bpp bso bun cabg cad capd cbc ccu cea cfu chf cia ckd cml cmv cns copd cpap cppd crrt csf cta cva cvvh cxr dexa dka
	dlbcl dmards dnr dvt dvts ebv ecg echo ecmo eeg egd ekg emg eomi ercp esbl esrd etoh eus evar fev ffp fna fobt fvc gerd gist gtt hcc hctz
	hcv heent hfpef hfref hiv hpi hpv hsv htn ibd ibs icd icp ihss inr ivc ivdu ivf jvd jvp lad lafb lbbb lbp lcx ldh ldl lft lfts lima lle
	lpfb lue lul lll lvad lvef lvh lvot mca mgus mri mrsa mssa mvr nash ncat nicu niddm iddm npo nsaid nsaids nsclc nsr nstemi nsvt nwb ocd
	orif osa pacu pad pci pcwp peg pegj perrl perrla pet pfo pfts picc pid plif pna pnd ppi prbc prbcs psa psvt pta ptca ptsd ptx pud pvc
	pvcs pvd pwb rad rbbb rca rle rll rom rue rul rvr rvh sah sbo sbrt sca scc sclc sdh sgot sgpt siadh sirs sle sob ssri stemi svt tah tavr
	tbi tee tia tias tkr tka tha thr tips tlif tlso tmj tpn tsh ttdwb tte ttp ttwb turp turbt uri uti utis vad vats vfib vre vsd vtach vte
	vzv wbat wbc wnl wpw toradol hida hit abd avpu rrr mmm ctab ctap cvvhd doe`)

// signers are who writes capitals behind a note.
var signers = names.Set("by dictated signed initials author transcribed typed cc dr per dt tt d t job attending resident")

// isAbbreviation reports whether the span is abbreviations of medicine: in
// capitals, not alone on its line, where a writer's initials would stand, and
// joined to nothing but further ones.
func isAbbreviation(p *spot, t phi.Type) bool {
	switch t.Category() {
	case "NAME", "LOCATION":
	default:
		return false
	}
	switch p.span() {
	case "OD", "OS", "OU": // of the eyes: "20/25 OU"
		start := p.tokens[p.i].Start
		if strings.Contains(p.text[max(0, start-7):start], "20/") {
			return true
		}
	}
	if t.Category() == "NAME" && (isRoute(p) || isService(p)) {
		return true
	}
	if len(p.before) == 0 && len(p.after) == 0 || among(p.before, 3, signers) {
		return false
	}
	for k := p.ci; k <= p.cj; k++ {
		w := p.tokens[k]
		switch {
		case w.Text(p.text) == "Et" && strings.HasPrefix(p.text[w.End:], "OH"), w.Text(p.text) == "OH" &&
			strings.HasSuffix(p.text[:w.Start], "Et"):
		case w.Class == token.Upper && medicalAbbreviations[names.Fold(w.Text(p.text))]:
		case w.Class == token.Symbol && strings.Contains("/,+&-", w.Text(p.text)):
		default:
			return false
		}
	}
	return true
}

// routes are how and in what a dose is given, in two letters.
var routes = names.Set("iv im in io it po pr sc sq sl td cc ml mg")

// isRoute reports whether two letters stand behind a dose: "labetalol 20 IV", "5 mg IM".
func isRoute(p *spot) bool {
	if p.ci != p.cj || !routes[names.Fold(p.chunk)] || len(p.before) == 0 {
		return false
	}
	k := p.ci - 1
	if p.text[p.tokens[k].End:p.tokens[p.ci].Start] != " " {
		return false // of another column
	}
	if k > 0 && lexicon.IsUnit(p.tokens[k].Text(p.text)) {
		k--
	}
	return p.tokens[k].Class == token.Digits
}

// services are those who treat in a ward besides physicians and nurses.
var services = names.Set("pt ot rt st sw slp")

// isService reports whether the span is of services with slashes between: "PT/OT".
func isService(p *spot) bool {
	words := strings.Split(p.chunk, "/")
	for _, w := range words {
		if !services[names.Fold(w)] || w != strings.ToUpper(w) {
			return false
		}
	}
	return len(words) > 1
}

// isTumble holds for a fall that is no season: "after the fall".
func isTumble(p *spot, t phi.Type) bool {
	if t != phi.Date || names.Fold(p.chunk) != "fall" || len(p.before) == 0 {
		return false
	}
	switch p.before[0] {
	case "a", "this", "his", "her", "another", "witnessed", "mechanical", "no", "of":
		return true
	case "the":
		switch at(p.before, 1) {
		case "after", "since", "from", "before", "to", "of", "about", "with":
			return true
		}
	}
	return false
}
