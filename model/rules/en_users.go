package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// englishUsers are log-ins and the initials of who dictated and typed.
var englishUsers = []rule{
	{
		name: "username-label", typ: phi.Username, score: 0.93, check: checkUserLabel,
		expr:  `(?i:user<s>?name|user<s>?id|user|log-?<s>?[io]n(?:<s>id)?|logged<s>in<s>as|uid|netid|account<s>name|emis<s>user|screen<s>name|handle|skype|instagram|twitter|snapchat|facebook|whatsapp|discord|telegram)\b(?:<s>?(?:[:=(\[]|is\b|as\b)){0,2}<s>*@?([A-Za-z][A-Za-z0-9._-]{2,24})\b`,
		match: []string{"(EMIS user [[scadw]])", "login: [[tdolan4]]", "username [[k.patel]] ", "Instagram @[[wild_rose_88]]", "login [[grice.o]]\n", "(user [[gdesaiw]])", "logged in as [[kbrandt]]."},
		never: []string{"user of canes", "login page", "IV drug user denies", "user since 1998", "user: none", "handle bars", "handle stress", "a former user and", "on Facebook daily", "user friendly", "User Guide", "opioid user with", "(user)"},
	},
	{
		name: "username-after-degree", typ: phi.Username, score: 0.9, check: checkUserDerived,
		expr:  `\b(?:MD|DO|RN|RNC|RMN|RM|LPN|NP|FNP|PA|PA-C|CNM|PharmD|RPh|MBBS|MBChB|MB<s>BS|FRCPC|FRCPA|FRCSC|FRCR|FACC|FACS|FRACGP|CCRN|CCTC|OCN|CNS|RD|RRT|DPM|DDS|MSW|LCSW|LSW|PGY-?\d|rn|md|[01]\d[0-5]\d|2[0-3][0-5]\d)\b[,.]?<s>{1,6}[(\[/]?<s>?([a-z]{4,14}\d{0,4}|[a-z]{2,12}\d{1,4})\b`,
		match: []string{"N. Obiora-Lund MD, [[nobioral]]\n", "T. Dolan RN  [[tdolan4]]", "Winston Abara MD FRCPC  [[wabara2]]", "O. Nnamani RN, CCRN   [[onnama01]]", "Y Al-Dabbagh MBChB FRCPA    ([[yaldabbagh]])", "F. Adesanya, RN [[adesanf]]"},
		never: []string{"Dr Smith MD, states", "L. Stith RN notified family", "J Smith MD smith", "A. Patel MD patient"},
	},
	{
		name: "username-derived", typ: phi.Username, score: 0.88, check: checkUserShape,
		expr:  `\B\d{1,4}\b`,
		match: []string{"D Xiong MD\n[[dxiong2]] closed enc", "T. Krol, secretary\n[[tkrol1]] / ok", "dxiong MD\n[[dxiong2]] closed", "read it back. [[jtrent4]]\n"},
		never: []string{"T. Grade\nstage2 tumour", "ok. stage2\n", "for type2\n", "grade3 oedema", "covid19", "D Smith\nday2", "type2 diabetes"},
	},
	{
		name: "username-signed", typ: phi.Username, score: 0.92, check: checkUserSigned,
		expr:  `(?i:(?:electronically|digitally)<s>(?:signed|released|reviewed|authenticated|verified|cosigned|filed)(?:<s>by)?|e-?signed(?:<s>by)?|entered<s>by|released<s>by|sent<s>from|signed<s>by)<s>?:?<s>*([A-Z]{4,12}\d{0,3}|[a-z]{5,14}\d{0,4}|[a-z]{2,6}\d{2,5})\b`,
		match: []string{"Electronically signed by [[OYELM2]] at 2/11", "Electronically released by [[isiddiqi]] 11/20/2020", "entered by [[jo2117]] ", "sent from [[htranmer2]]"},
		never: []string{"signed by patient", "signed by proxy", "signed by NURSE", "Electronically signed by attending", "sent from triage", "sent from clinic", "sent from home today", "entered by pharmacy 3/4", "electronically signed by provider on 3/4/19"},
	},
	{
		name: "username-brackets", typ: phi.Username, score: 0.88, check: checkUserBracket,
		expr:  `[\[(]<s>?([a-z]{2,8}\d{1,4})<s>?[\])]`,
		match: []string{"note ([[jd2117]]) filed"},
		never: []string{"(p53)", "(x3)", "(day2)", "(grade2)", "(pt2)", "(stage4)", "(q12)", "(b12)", "(t2)", "(her2)", "(hba1)", "(covid19)", "(sars2)"},
	},
	{
		name: "dictation-author", typ: phi.Doctor, score: 0.88, check: checkDictation,
		expr:  `\b([A-Z][A-Za-z]{1,4}|[A-Z](?:\.[A-Z]){1,2}\.?)<s>?[/:]<s>?[a-z]{2,3}(?:/[A-Z0-9]+)?\b`,
		match: []string{"MD, FACC\n[[LH]]/mtq\n", "Regards\n\n[[RapG]]/mw    Hosp. No.", "Dictated by Dr A Smith\n[[JS]]/mk D: 1/2/19", "Isadora Quennell, MD FRCPC\n[[IQ]]:vt\n", "Yours sincerely\nJ Smith\n[[SMacQ]]/pd/K7719204"},
		never: []string{"SOB/cp\n", "CV/rs: clear\n", "PT/inr 2.3", "BP/hr stable", "MD\nHEENT/neck: supple", "MD\nRR/sat ok\n", "MD\nCTA/bl\n"},
	},
	{
		name: "dictation-typist", typ: phi.Doctor, score: 0.88, check: checkTypist,
		expr:  `\b[A-Z][A-Za-z]{1,4}<s>?[/:]<s>?([a-z]{2,3})\b`,
		match: []string{"MD, FACC\nLH/[[mtq]]\n", "Yours sincerely\n\nRapG/[[mw]]    Hosp. No.", "Dictated by Dr A Smith\nJS/[[mk]] D: 1/2/19"},
		never: []string{"SOB/cp\n", "PT/inr 2.3", "MD\nRR/sat ok\n"},
	},
	{
		name: "typed-by", typ: phi.Doctor, score: 0.88, check: checkTyped,
		expr:  `\b(?i:dictated|typed|transcribed|transcriptionist|transcriber|typist|scribed|scribe|dict|trans|tr)(?:<s>by)?<s>?[:]?<s>{1,2}([A-Z]{2,4}|[a-z]{2,3})\b`,
		match: []string{"Dictated [[FQH]] / tr", "transcribed [[bm]]\n", "TYPED [[EK]]\n", "Typed by: [[jls]] ", "dictated by [[JS]] D: 3/4 T: 3/5"},
		never: []string{"typed and screened", "dictated by the fellow", "typed MD", "TR jet", "tr pr noted", "trans tib", "dictated but not read", "typed in ED", "scribe for me", "TYPED OR", "dictated at 1410", "dictated not read", "tr ap"},
	},
	{
		name: "initials-degree", typ: phi.Doctor, score: 0.82, check: checkInitialsDegree,
		expr:  `([A-Z]{2,3}|[A-Z]\.[A-Z]\.|[a-z]{2})[,]?<s>{1,2}(?i:RN|LPN|FNP|NP|PA-C|PA|MD|DO|CNM|RPh|MSW|SLP|OTR|DPT|RD|RRT|CNA|LCSW|SW|MA)\b`,
		match: []string{"she call.\n[[AP]] FNP\n", "at example\n[[kb]] rn\n", "ok\n[[JT]], RN"},
		never: []string{"call\nED RN\n", "\nICU RN took report", "\nby rn\n", "\nPT MD aware", "\nOR RN notified", "\nno rn\n"},
	},
	{
		name: "initials-last", typ: phi.Doctor, score: 0.76, check: checkInitialsLast,
		expr:  `\b([A-Z]{2,3}|[A-Z]\.[A-Z](?:-[A-Z])?\.|[A-Z]Mac?[A-Z]|[A-Z]Mc[A-Z][a-z]?)\.?\s*\z`,
		match: []string{"inpt\n-[[VS]]\n", "docket.\n\n[[FR]]\n", "13:06.\n[[YB]]", "Mon 29th.\n\n[[SMcT]]"},
		never: []string{"Allergies\nNKA\n", "Code\nDNR\n", "Meds\nASA", "Dispo\nED\n", "Imaging\nCT", "Feet:\nOK"},
	},
}
