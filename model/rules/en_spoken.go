package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// spokenMacros are the parts of numbers and addresses as they are dictated.
var spokenMacros = map[string]string{
	"digitword": `(?i:oh|zero|nought|one|two|three|four|five|six|seven|eight|nine|niner|double|triple|treble)`,
	"spell":     `(?i:alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliet|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiskey|yankee|zulu|[a-z])`,
	"joint":     `(?i:dash|hyphen|stroke|slash|point|dot)`,
}

// englishDictated are numbers, addresses and forms with a box for each letter.
var englishDictated = []rule{
	{
		name: "spoken-number", typ: phi.IDNum, score: 0.84, check: checkDictated,
		expr: `\b(?i:number|no|chart|record|serial|batch|lot|accession|slip|job|file|council|licen[cs]e|medicare|medicaid|card|ending|extension|ext|bleep|pager|claim|policy|account|mrn|fax|phone|line|cell|mobile|code|sticker<s>is|area<s>code|five<s>five<s>five|triple<s>five)\b(?:<s>(?i:is|number|no|at|on|comma|of|ending|card|the)\b){0,3}[ ,:]{1,2}` +
			`((?:(?:<spell>|<joint>)[ ,-]{1,2}){0,4}<digitword>(?:[ ,-]{1,2}(?:<digitword>|<joint>|<spell>)\b){2,14})\b`,
		match: []string{"chart [[three zero double eight one seven]] accession", "medical council [[four two oh double one nine]] full", "batch [[oh four four seven one alpha alpha]] full", "bleep [[one eight one]] full stop", "serial on the sticker is [[kilo dash nine nine one four]] period"},
		never: []string{"number one two and three", "line one of two", "code one", "card one a day", "no one or two", "number one a b c"},
	},
	{
		name: "email-spoken", typ: phi.Email, score: 0.93, check: checkSpokenEmail,
		expr:  `(?:\(at\)|\[at\]|\(a\)|\b(?i:at)\b)<s>?[A-Za-z0-9-]+(?:(?:,?<s>(?i:dot)<s>|\.)[A-Za-z]{1,12}(?:<s>[a-z]\b)?){1,3}`,
		match: []string{"email to [[pippa dot lowes at example dot com]] that", "☑  [[rodmuise(a)example.ca]]\n", "F · [[ild(at)nbh.example.ca]]\n", "or write to [[armand dot t at example dot ca]] full"},
		never: []string{"seen at clinic.Next week", "look at me dot", "pain at rest dot phrase", "at home dot"},
	},
	{
		name: "url-spoken", typ: phi.URL, score: 0.93,
		expr:  `\b(?i:www|w<s>w<s>w)<s>(?i:dot)<s>[A-Za-z0-9]+(?:<s>(?i:dot)<s>[A-Za-z0-9]+(?:<s>[a-z]\b)?){1,3}(?:<s>(?:(?i:forward)<s>)?(?i:slash)<s>[A-Za-z0-9]+)*`,
		match: []string{"on [[w w w dot pacs dot example dot i e forward slash tullamore]] full"},
		never: []string{"www dot"},
	},
	{
		name: "same-number", typ: phi.Phone, score: 0.88,
		expr:  `\b(?i:same)(?:<s>(?i:as|number|no|start|line|first|three|mine|fax|but|landline)\b){0,4}<s>(?i:but|ending|ends|ends<s>in)<s>(\d{2,4})\b`,
		match: []string{"which is same but [[0142]]. my", "repairs same ending [[51]]. QID", "same number ending [[50]].\n", "fax same but [[0134]]. Organs"},
		never: []string{"same but 2 days", "same as before ending 5"},
	},
	{
		name: "boxed", typ: phi.IDNum, score: 0.9, check: checkBoxed,
		expr:  `\b[A-Z0-9](?:<s>?\|<s>?[A-Z0-9]){4,20}\b`,
		match: []string{"N.I. |[[Q|Q|4|1|0|8|8|3|A]]|\n", "CHI |[[0|4|1|1|8|9|5|5|7|9]]|  ISS"},
		never: []string{"|Y|N|Y|N|Y|N|", "1|2|3", "0|0|1|1|0|0"},
	},
	{
		name: "digits-apart", typ: phi.IDNum, score: 0.85, check: checkApart,
		expr:  `\b(?i:no|number|prov|id|lic|licen[cs]e|reg|cpsid|gmc|nmc|mrn|chart|card|cert|ext|pager|bleep|census|sec)\b<is>(\d(?:[ -]\d){3,11}(?:<s>[A-Z]){0,2})\b`,
		match: []string{"prov [[0 4 4 1 7 2 B X]]  pr", "cpsid [[2 8 8 1 7]]  pager", "ICP no [[4-4-0-9]] /"},
		never: []string{"no 1 2 3", "reg 1 2 3 4 5", "ext 5 5 5 5"},
	},
	{
		name: "imei", typ: phi.Device, score: 0.96,
		expr:  `\b(?i:imei)(?:[:#]|<s>(?i:no|number|is)\b)?<s>{0,2}(\d{2}[ -]?\d{6}[ -]?\d{6}[ -/]{0,3}\d)\b`,
		match: []string{"IMEI [[35 209900 176148 1]]  sim", "IMEI: [[35-209900-176148-1]]"},
		never: []string{"IMEI 35"},
	},
	{
		name: "mac-plain", typ: phi.Device, score: 0.95,
		expr:  `\b(?i:mac)(?:<s>?[:=#]<s>?|<s>(?i:address|addr)<s>)([0-9A-Fa-f]{12})\b`,
		match: []string{"imu.R mac=[[00005E0053A8]] fw"},
		never: []string{"mac=12", "MAC 1.2"},
	},
}
