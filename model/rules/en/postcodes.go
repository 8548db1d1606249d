package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// postcodeRules are ZIP codes after a state and postcodes by shape.
var postcodeRules = []pattern.Rule{
	{
		Name: "zip", Type: phi.ZIP, Score: 0.95, Check: checkZIP,
		Expr: `(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|V[TAI]|W[AVIY]|` +
			`(?i:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|` +
			`indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|mass|michigan|minnesota|mississippi|missouri|montana|` +
			`nebraska|nevada|new<s>(?:hampshire|jersey|mexico|york)|(?:north|south)<s>(?:carolina|dakota)|ohio|oklahoma|oregon|` +
			`pennsylvania|rhode<s>island|tennessee|texas|utah|vermont|(?:west<s>)?virginia|washington|wisconsin|wyoming))` +
			`[.,]?<s>{1,4}(\d{5}(?:-\d{4})?)\b`,
		Match: []string{"Kearny, NJ [[07032]], with", "Louisiana [[70503]]", "NY [[10001-4417]].", "San Jose, CA  [[95122]]"},
		Never: []string{"PA 12000 units", "CA 125 35", "IN 10000", "OR 15000 mL", "(telephone, ID 30855)", "interpreter ID 61904"},
	},
	{
		Name: "zip-place", Type: phi.ZIP, Score: 0.72, Check: checkZIPPlace,
		Expr:  `(?:,<s>|(?i:box|apt|unit|no\.?)<s>[0-9A-Z]{1,6},<s>)(?:<n><s>){1,2}(\d{5}(?:-\d{4})?)\b`,
		Match: []string{"Sycamore Bend, Plainfield [[07060]], with", "P.O. Box 1186, Farmington [[87499]],"},
		Never: []string{"WBC, Platelets 85000", "NPO, Heparin 12500 units"},
	},
	{
		Name: "zip-label", Type: phi.ZIP, Score: 0.95,
		Expr:  `(?i:zip(?:<s>?code)?|postal<s>?code|postcode|eircode)<is>(\d{5}(?:-\d{4})?|\d{4}|[A-Z]{1,2}\d[A-Z\d]?<s>?\d[A-Z]{2})\b`,
		Match: []string{"zip [[07032]]", "postcode: [[E14 7XD]]"},
		Never: []string{"zip 12", "postcode pending"},
	},
	{
		Name: "postcode-nsw", Type: phi.ZIP, Score: 0.9,
		Expr:  `(?:NSW|N\.S\.W\.|New<s>South<s>Wales),?<s>{1,4}([12]\d{3})\b`,
		Match: []string{"Punchbowl NSW [[2196]]"},
		Never: []string{"NT 3000", "NSW 12"},
	},
	{
		Name: "postcode-vic", Type: phi.ZIP, Score: 0.9,
		Expr:  `(?:VIC|Vic|Victoria),?<s>{1,4}([38]\d{3})\b`,
		Match: []string{"Oakleigh VIC [[3166]]"},
		Never: []string{"Vic 12", "VIC 2196"},
	},
	{
		Name: "postcode-qld", Type: phi.ZIP, Score: 0.9,
		Expr:  `(?:QLD|Qld|Queensland),?<s>{1,4}([49]\d{3})\b`,
		Match: []string{"Sunnybank Qld [[4108]]     T"},
		Never: []string{"QLD 12", "Queensland 3166"},
	},
	{
		Name: "postcode-au-small", Type: phi.ZIP, Score: 0.85,
		Expr:  `(?:SA<s>{1,4}|WA<s>{1,4}|TAS<s>{1,4}|Tas<s>{1,4}|ACT<s>{1,4})(5[0-7]\d{2}|6[0-7]\d{2}|7[0-4]\d{2}|2[69]\d{2})\b`,
		Match: []string{"Perth WA [[6003]]"},
		Never: []string{"ACT 220", "WA 3 cm"},
	},
	{
		Name: "postcode-uk", Type: phi.ZIP, Score: 0.95, Check: checkPostcode,
		Expr: `\b(?:A[BL]|B[ABDHLNRST]?|C[ABFHMORTVW]|D[ADEGHLNTY]|E[CHNX]?|F[KY]|G[LUY]?|H[ADGPRSUX]|I[GMPV]|JE|K[ATWY]|L[ADELNSU]?|` +
			`M[EKL]?|` +
			`N[EGNPRW]?|O[LX]|P[AEHLOR]|R[GHM]|S[AEGKLMNOPRSTWY]?|T[ADFNQRSW]|UB|W[ACDFNRSV]?|YO|ZE)\d[A-Z\d]?<s>\d[A-Z]{2}\b`,
		Match: []string{"London [[E14 9ZV]]   T", "[[SA19 6ZB]]. Home", "[[M6 9QF]]"},
		Never: []string{"L1 2ND rib", "S1 1ST", "T4 3AB", "M1 0AB2"},
	},
	{
		Name: "eircode", Type: phi.ZIP, Score: 0.85, Check: checkEircode,
		Expr:  `\b[ACDEFHKNPRTVWXY]\d[\dW]<s>[A-Z0-9]{4}\b`,
		Match: []string{"to [[F31 Z0G2]], plain", "[[D08 W2A8]]"},
		Never: []string{"F31 2019", "T12 PAEP", "C50 9000"},
	},
	{
		Name: "postcode-ca", Type: phi.ZIP, Score: 0.95, Check: checkCanadian,
		Expr:  `\b[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][- ]?\d[ABCEGHJ-NPRSTV-Z]\d\b`,
		Match: []string{"QC  [[J8P 7K1]]", "[[K1R0B4]]", "[[M5T 0K9]]"},
		Never: []string{"T1N0M0", "S1S2S3", "T2N1M0", "L3L4L5"},
	},
}
