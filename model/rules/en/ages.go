package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// ageRules are ages in figures and words; the span is the number alone.
var ageRules = []pattern.Rule{
	{
		Name: "age-old", Type: phi.Age, Score: 0.97, Check: checkAge,
		Expr: `(\d{1,3})<s>?(?:<h><s>?)?(?i:years?|yrs?|yr|y|months?|mos?|mths?|weeks?|wks?|days?|d|m|w)\.?<s>?(?:<h><s>?)?` +
			`(?i:old|of<s>age)\b`,
		Match: []string{
			"[[67]]-year-old man", "[[49]] year old", "[[3]] months old", "[[15]] d old", "[[9]] yrs of age", "[[34]]y old, first",
		},
		Never: []string{"2.5 year old graft", "old 3 years", "120/80 yr old"},
	},
	{
		Name: "age-yo", Type: phi.Age, Score: 0.97, Check: checkAge,
		Expr:  `(\d{1,3})<s>?<h>?(?i:y\.?<s>?/?<s>?o\.?|y/o|yom|yof|yowm|yobf|yowf|yobm)\b`,
		Match: []string{"[[67]]yo M", "[[72]] y/o male", "[[34]] y.o. | MRN", "[[80]]yoF", "[[26]] YO  G1P0"},
		Never: []string{"5 yogurt", "y/o"},
	},
	{
		Name: "age-year-sex", Type: phi.Age, Score: 0.95, Check: checkAge,
		Expr: `(\d{1,3})<s>?(?:y|Y|yr|YR|yrs|YRS|years?|YEARS?|[yY][rR]s?\.)[,/]?<s>{0,2}` +
			`(?:[MFmf]|(?i:male|female|man|woman|boy|girl|lady|gentleman))\b`,
		Match: []string{"[[94]]Y F", "[[7]] YR M   WT", "[[63]] yrs, female"},
		Never: []string{"5 yearly Mammogram"},
	},
	{
		Name: "age-parenthesis", Type: phi.Age, Score: 0.9, Check: checkAge,
		Expr:  `\(<s>?(\d{1,3})<s>?(?i:y|yr|yrs|years|yo)?<s>?\)<s>*(?i:sex|male|female|m|f)\b|\(<s>?\d{1,3}<s>?(?i:y|yrs?|years?)\)`,
		Match: []string{"1946 ([[70]])   MALE", "([[63]]) F"},
		Never: []string{"(3) mild"},
	},
	{
		Name: "age-brackets", Type: phi.Age, Score: 0.88, Check: checkAge,
		Expr:  `\(<s>?(\d{1,3})<s>?(?i:y|yr|yrs|years?)\)`,
		Match: []string{"Aug-1961 ([[57]]y)  ", "([[66]] yrs)"},
		Never: []string{"(3 days)"},
	},
	{
		Name: "age-label", Type: phi.Age, Score: 0.95, Check: checkAgeLabel,
		Expr: `(?i:aged?|age/sex|current<s>age|ages)(?:<s>?[:=]<s>*|<s>{1,20}|<s>(?i:of|is|about|approximately)<s>)` +
			`(?:(?i:of|about|around|approx)<s>)?(\d{1,3})\b`,
		Match: []string{"Age: [[63]]    Unit", "aged [[67]], with", "at age [[45]]", "AGE/SEX  [[55]]/M", "age of [[49]].", "AGED [[49]]."},
		Never: []string{
			"gestational age 24 2/7 weeks", "age 39 weeks gestation", "bone age 12", "age-matched 12", "age 500", "dosage 40",
			"age appropriate",
		},
	},
	{
		Name: "age-words", Type: phi.Age, Score: 0.95,
		Expr:  `\b(<num>)[- ](?i:years?|yrs?|months?|weeks?|days?)[- ](?i:old|of<s>age)\b`,
		Match: []string{"[[Nine]]-year-old with", "[[sixty-seven]] year old", "[[ten]] weeks old and"},
		Never: []string{"two years ago", "five year oldest"},
	},
	{
		Name: "age-words-label", Type: phi.Age, Score: 0.93, Check: checkGestation,
		Expr:  `(?i:aged?|at<s>age|age<s>of|until<s>age|from<s>age)<s>(<num>)\b`,
		Match: []string{"from age [[four]], of", "aged [[three]]", "at the age of [[forty-two]]"},
		Never: []string{"age one-sided", "gestational age twenty weeks"},
	},
	{
		Name: "age-sex", Type: phi.Age, Score: 0.85, Check: checkAgeSex,
		Expr: `(\d{1,3})<s>{0,3}[MFmf]\b`,
		Match: []string{
			"[[71]]m, htn, t2dm", "is a [[67]]F with COPD", "[[58]]M c/o", "TANNOUS   [[57]] M  known diab", "[[82]]F, known copd",
			"\n[[38]]F, 12 days", "9 rings. [[82]]F, known copd", "mrn 50-62-918  [[50]]m\n",
		},
		Never: []string{
			"a 16F Foley", "18 F sheath", "98.6 F", "T 99 F", "10 M solution", "walked 50 m with", "5 m", "placed 14F chest tube",
			"100 m, SpO2", "temp 101 F, HR", "6 F catheter", "20 m walk", "Access: right radial, 6F. Heparin", "No. 10 F", "8 f/u",
			"walked 30 m, no SOB", "3m ago", "12 m follow-up",
		},
	},
	{
		Name: "age-slash-sex", Type: phi.Age, Score: 0.9, Check: checkAge,
		Expr:  `(\d{1,3})<s>?/<s>?[MF]\b`,
		Match: []string{"[[55]]/M", "[[66]]/F   Coll."},
		Never: []string{"120/M2", "5/5/F"},
	},
	{
		Name: "sex-slash-age", Type: phi.Age, Score: 0.85, Check: checkAge,
		Expr:  `\b[MF]<s>?/<s>?(\d{1,3})\b`,
		Match: []string{"M/[[55]]", "F / [[66]] seen"},
		Never: []string{"F/3/4", "M/2 mg"},
	},
	{
		Name: "age-noun", Type: phi.Age, Score: 0.85, Check: checkAge,
		Expr:  `(\d{2,3})<s>{1,2}(?i:year<s>)?(?i:male|female|gentleman|lady)\b`,
		Match: []string{"a [[67]] male with", "[[82]] female"},
		Never: []string{"5 male", "10 females", "12/20 male"},
	},
	{
		Name: "age-decade", Type: phi.Age, Score: 0.9,
		Expr: `(?i:in|into|of|entering)<s>(?i:her|his|their)<s>(?:(?i:early|mid|late)[- ]?(?i:to<s>late<s>)?)?` +
			`(\d0['’]?s|(?i:twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|teens))\b`,
		Match: []string{"in her [[60s]],", "in his early [[40's]]", "in her [[forties]]. Menarche"},
		Never: []string{"sats in the 90s", "HR in the 60s", "in the 90s"},
	},
	{
		Name: "age-death", Type: phi.Age, Score: 0.82, Check: checkAgeEvent,
		Expr: `(?i:died|dead|passed(?:<s>away)?|deceased|d\.|killed|drowned|married|menopause|menarche|retired|widowed|` +
			`orphaned|diagnosed|emigrated|immigrated|stroke|mi|cva|cancer|bypass|heart<s>attack|surgery|crossed|mother|father|first|` +
			`onset|started|quit|mastectomy|stent|overdose|hanged<s>(?:him|her)self|moved<s>here|born)` +
			`(?:<s>[a-z]{2,12}){0,3}?<s>(?i:at|@)<s>(?:(?i:age|about|around|just|only)<s>)?(\d{1,2})\b`,
		Match: []string{"died at [[58]].", "died of infarction at [[44]] in", "menopause at [[50]], never", "MI at [[49]]."},
		Never: []string{
			"died at 10:15", "surgery at 14 atm", "stroke at 7 am", "MI at 0900", "quit at 10 cigs", "started at 5 mg",
			"first at 12 hours", "cancer at 3 o'clock", "died at 39 weeks", "diagnosed at 28/40", "started at 40 units", "first at 2 cm",
		},
	},
	{
		Name: "age-turn", Type: phi.Age, Score: 0.85, Check: checkAgeEvent,
		Expr:  `(?i:turn(?:s|ed|ing)?|is<s>now|she['’]s|he['’]s)<s>(\d{1,3})\b`,
		Match: []string{"before he turns [[67]].", "turned [[90]] last"},
		Never: []string{"turned 90 degrees", "turn 2 hourly", "she's 10 cm", "is now 5/10", "turned 30 minutes"},
	},
	{
		Name: "age-birthday", Type: phi.Age, Score: 0.92,
		Expr:  `(\d{1,3}(?i:st|nd|rd|th))<s>(?i:birthday|b-?day)\b`,
		Match: []string{"her [[74th]] birthday."},
		Never: []string{"2nd birth", "1st day"},
	},
	{
		Name: "age-relative", Type: phi.Age, Score: 0.8, Check: checkAgeRelative,
		Expr: `(?i:wife|husband|hubby|spouse|partner|sons?|daughters?|dtr|dau|(?:grand)?mother|(?:grand)?father|mum|mom|dad|brothers?|` +
			`sisters?|bro|sis|aunt|uncle|cousin|` +
			`child|children|kids|baby|(?:great-?)?grandson|(?:great-?)?granddaughter|twins?|boys?|girls?|niece|nephew|nok|pt<s>is|` +
			`roofer)(?:<s><n>){0,3}(?:<s>\(|,<s>(?:(?i:aged?)<s>)?|<s>)(\d{1,3})(?:[),;.]|<s>(?i:and|with|w/|who|in|y|home))`,
		Match: []string{
			"daughter ([[19]]) who", "mother, [[84]], lives", "son [[15]], well", "granddaughter Camille ([[46]], court",
			"brother Jean-Robert, [[44]], in", "dtr Aroha [[38]] home from",
		},
		Never: []string{"mother 2 cm", "sisters 3 alive", "children 2", "brother 10 mg,", "baby 3.2 kg", "sons 2 in"},
	},
	{
		Name: "age-apposition", Type: phi.Age, Score: 0.76, Check: checkApposition,
		Expr:  `,<s>(\d{1,2}),<s>[a-z]{2,}`,
		Match: []string{"Quang, [[39]], came from", "Lucía, [[71]], lives"},
		Never: []string{"Glucose, 98, high", "Grade, 3, per", "Albumin, 34, low", "at rest, 34, low", "HR, 64, reg", "Jan, 20, no"},
	},
	{
		Name: "age-pronoun", Type: phi.Age, Score: 0.82, Check: checkAgeEvent,
		Expr:  `\b(?:(?i:she|he|who)|(?:Mr|Mrs|Ms|Miss)\.?<s><n>)<s>(?i:is|was)<s>(?:(?i:only|just|now|nearly|almost)<s>)?(\d{1,3})\b`,
		Match: []string{"She is [[63]], menopause", "Mrs. Pettiford is [[94]]. Born", "who is [[87]] and"},
		Never: []string{
			"he is 5/10", "she was 39 weeks", "he was 2 hours late", "she is 5 feet", "she is 2 days post", "he was 98% on RA",
			"she is 10 cm dilated", "he is 104 kilograms",
		},
	},
	{
		Name: "age-when-words", Type: phi.Age, Score: 0.82,
		Expr: `\b(?i:when|since|until|before)<s>(?i:she|he)<s>(?i:was|is|turned)<s>(?:(?i:only|just|about)<s>)?(<num>)` +
			`(?:[,.;]|<s>(?i:her|his|the|and|or))`,
		Match: []string{"When she was [[five]] her mother", "since she was [[nine]], and"},
		Never: []string{"when he was one of"},
	},
	{
		Name: "age-table", Type: phi.Age, Score: 0.8, Check: checkAgeTable,
		Expr: `\b[MF],?<s>{1,8}\|?<s>?(\d{1,3})\b`,
		Match: []string{
			"Radoslaw   M [[39]]   DOB 17/06/83", "STAVROULA    F    [[63]] YRS    DOB", "CARMINE  M  [[74]]   DOB",
			"| M | [[43]] | C04",
		},
		Never: []string{"catheter 16 F 30 cm", "T 99 F 80 pulse", "LUZ M 42-77", "M 10 mg"},
	},
	{
		Name: "age-years-months", Type: phi.Age, Score: 0.9,
		Expr:  `(\d{1,2})y<s>?\d{1,2}m(?:o|th)?\b`,
		Match: []string{"JP [[5]]y1m w mom"},
		Never: []string{"5y ago", "5 yrs 1 m"},
	},
	{
		Name: "age-fraction", Type: phi.Age, Score: 0.9,
		Expr:  `(\d{1,2}/(?:12|52|7))<s>(?i:old)\b`,
		Match: []string{"a [[7/12]] old boy"},
		Never: []string{"7/12 ago"},
	},
	{
		Name: "age-range-words", Type: phi.Age, Score: 0.9, Check: checkAge,
		Expr:  `(\d{1,3})<s>?<h>?(?i:year|yr|month|week)s?<h>(?i:olds?)\b`,
		Match: []string{"two [[4]]-year-olds"},
		Never: []string{"4-year follow-up", "12-month visit"},
	},
	{
		Name: "age-latin", Type: phi.Age, Score: 0.95,
		Expr:  `\b(?i:super-?centenarian|centenarian|nonagenarian|octogenarian|septuagenarian|sexagenarian)s?\b`,
		Match: []string{"a frail [[nonagenarian]] with", "this [[centenarian]],"},
		Never: []string{"centenary hospital", "nonagonal"},
	},
	{
		Name: "age-young", Type: phi.Age, Score: 0.95, Check: checkAge,
		Expr:  `\b(\d{1,3})[- ](?i:years?|yrs?)[- ](?i:young)\b`,
		Match: []string{"is [[94]] years young", "a [[92]]-yr-young lady"},
		Never: []string{"2 years younger", "5 years youngest"},
	},
	{
		Name: "age-nth-year", Type: phi.Age, Score: 0.9,
		Expr:  `\b(?i:her|his|their)<s>((?:[5-9]\d|1[01]\d)(?i:st|nd|rd|th))<s>(?i:year|decade)\b`,
		Match: []string{"now in her [[95th]] year"},
		Never: []string{"his 5th year of residency", "in the 95th year percentile"},
	},
	{
		Name: "age-ninety-words", Type: phi.Age, Score: 0.88,
		Expr: `\b(?i:is|was|turn(?:s|ed|ing)|aged?|nearly|almost|past|over)<s>` +
			`((?i:ninety(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|(?:a|one)<s>hundred(?:<s>and)?` +
			`(?:[- ](?:one|two|three|four|five|six|seven|eight|nine|ten))?))(?:[.,;)]|<s>(?i:and|now|in|next|this|years|who|with))`,
		Match: []string{"she is [[ninety-four]] and", "turned [[one hundred and two]].", "he was [[ninety]], living"},
		Never: []string{"over ninety percent", "was ninety minutes late", "turned ninety degrees and"},
	},
	{
		Name: "age-over", Type: phi.Age, Score: 0.92, Check: checkAgeLabel,
		Expr:  `\b(?i:aged?)<s>?(?:>=?|≥|(?i:over|above|greater<s>than|at<s>least))<s>?(\d{2,3})\b`,
		Match: []string{"age > [[89]] at", "aged over [[90]],", "age ≥[[90]]"},
		Never: []string{"age > 39 weeks", "aged over 2"},
	},
}
