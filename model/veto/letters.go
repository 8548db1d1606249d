package veto

import (
	"strings"

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
	vzv wbat wbc wnl wpw toradol hida hit abd avpu rrr mmm ctab ctap cvvhd doe
	pcp pcm olt oltx ddlt ldlt rtc poa dpoa hcpoa mpoa dni dnar polst molst snf ltac ltach alf irf amu hdu itu cdu sau mau sicu micu
	picu scbu snicu bwx dft dfts fmt emdr cbt dbt mdt mdts mdm amd bmt hsct gvhd crs icans tls nec rop ivh pda bpd iugr sga aga lga
	pprom prom svd nsvd ltcs lscs ebl qbl lmp nst afi hellp fhr vbac tolac gbs utd cmp bmp pth crp esr anca dsdna rnp ssa ccp hla pra
	dsa ebna bkv pjp ntm mdr xdr cpe vap clabsi cauti ssi abpa fess bppv tmd pvr ivp kub esld hrs sbp mrcp hvpg mafld masld nafld pbc
	psc eoe gord rygb vsg tep tapp tsa rtsa acl pcl mcl lcl crpp iff dhs vac npwt stsg ftsg tcar tevar mci iadl dlb ftd psp nmo mog
	vns dbs ivig plex ssep evd ich cvt tpa tnk lkw nihss pmdd gad mdd bpad saps dts ciwa sud`)

// paired are abbreviations of two letters with a sign between.
var paired = map[string]bool{"L&D": true, "O&G": true, "H&P": true, "I&D": true, "D&C": true, "D&E": true, "T&A": true, "A&E": true,
	"M&M": true, "I&O": true, "I/O": true, "N/V": true, "C&S": true, "R&M": true, "U&E": true, "O&P": true, "V/Q": true, "A/P": true}

// between are words that may stand between abbreviations: "OLT for NASH".
var between = names.Set("for with and or of on s/p vs")

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
	if len(p.before) == 0 && len(p.after) == 0 || among(p.before, 3, signers) {
		return false
	}
	if paired[p.chunk] {
		return true
	}
	for k := p.ci; k <= p.cj; k++ {
		w := p.tokens[k]
		switch {
		case w.Text(p.text) == "Et" && strings.HasPrefix(p.text[w.End:], "OH"), w.Text(p.text) == "OH" &&
			strings.HasSuffix(p.text[:w.Start], "Et"):
		case w.Class == token.Upper && medicalAbbreviations[names.Fold(w.Text(p.text))]:
		case w.Class == token.Symbol && strings.Contains("/,+&-", w.Text(p.text)), k > p.ci && k < p.cj && between[w.Text(p.text)]:
		default:
			return false
		}
	}
	return true
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
