package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// userRules are log-ins and the initials of who dictated and typed.
var userRules = []pattern.Rule{
	{
		Name: "username-label", Type: phi.Username, Score: 0.93, Check: checkUserLabel,
		Expr: `(?i:user<s>?name|user<s>?id|user|log-?<s>?[io]n(?:<s>id)?|logged<s>in<s>as|uid|netid|account<s>name|emis<s>user|` +
			`screen<s>name|handle|skype|instagram|twitter|snapchat|facebook|whatsapp|discord|telegram)\b` +
			`(?:<s>?(?:[:=(\[]|is\b|as\b)){0,2}<s>*@?([A-Za-z][A-Za-z0-9._-]{2,24})\b`,
		Match: []string{
			"(EMIS user [[scadw]])", "login: [[tdolan4]]", "username [[k.patel]] ", "Instagram @[[wild_rose_88]]", "login [[grice.o]]\n",
			"(user [[gdesaiw]])", "logged in as [[kbrandt]].",
		},
		Never: []string{
			"user of canes", "login page", "IV drug user denies", "user since 1998", "user: none", "handle bars", "handle stress",
			"a former user and", "on Facebook daily", "user friendly", "User Guide", "opioid user with", "(user)",
		},
	},
	{
		Name: "dictation-author", Type: phi.Doctor, Score: 0.88, Check: checkDictation,
		Expr: `\b([A-Z][A-Za-z]{1,4}|[A-Z](?:\.[A-Z]){1,2}\.?)<s>?[/:]<s>?[a-z]{2,3}(?:/[A-Z0-9]+)?\b`,
		Match: []string{
			"MD, FACC\n[[LH]]/mtq\n", "Regards\n\n[[RapG]]/mw    Hosp. No.", "Dictated by Dr A Smith\n[[JS]]/mk D: 1/2/19",
			"Isadora Quennell, MD FRCPC\n[[IQ]]:vt\n", "Yours sincerely\nJ Smith\n[[SMacQ]]/pd/K7719204",
		},
		Never: []string{
			"SOB/cp\n", "CV/rs: clear\n", "PT/inr 2.3", "BP/hr stable", "MD\nHEENT/neck: supple", "MD\nRR/sat ok\n", "MD\nCTA/bl\n",
		},
	},
}
