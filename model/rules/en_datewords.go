package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// englishDateWords are weekdays, holidays and seasons.
var englishDateWords = []rule{
	{
		name: "weekday", typ: phi.Date, score: 0.93,
		expr:  `(?i:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b`,
		match: []string{"on [[Sunday]] mornings", "[[tuesdays]] and [[Fridays]]"},
		never: []string{"the sundown ward"},
	},
	{
		name: "weekday-short", typ: phi.Date, score: 0.85, check: checkWeekdayShort,
		expr:  `(?:[Mm]on|[Tt]ues?|[Ww]eds?|[Tt]hurs?|[Tt]hu|[Ff]ri|MON|TUES?|WEDS?|THU(?:RS?)?|FRI)\b`,
		match: []string{"ck up from [[thurs]].", "[[Mon]]/[[thu]]", "back [[Fri]]", "[[wed]] am"},
		never: []string{"they wed in", "mon cheri", "to be wed", "MON-810"},
	},
	{
		name: "weekend-short", typ: phi.Date, score: 0.8, check: checkWeekendShort,
		expr:  `(?i:on|next|last|this|by|until|till|til|since|from|every|each|come|due|fri|mon|wed|thurs?|started|came|arrived|after|flying|out|party|delivered)<s>?[-,/+ ]<s>?([Ss]at|[Ss]un|SAT|SUN)\b`,
		match: []string{"since [[sat]].", "started last [[sun]]"},
		never: []string{"pt sat up", "O2 sat 95", "from sun exposure", "on sat 92%", "in the sun"},
	},
	{
		name: "weekend-title", typ: phi.Date, score: 0.78, check: checkWeekendTitle,
		expr:  `\b(?:Sat|Sun)\b`,
		match: []string{"flew out [[Sat]] for", "unit ran [[Sun]] schedule", "level [[Sun]]."},
		never: []string{"O2 Sat 95", "Sat: 98%", "\nSat up in chair", "awake. Sat up", "Pulse Sat on"},
	},
	{
		name: "weekday-list", typ: phi.Date, score: 0.88,
		expr:  `\b(?:MWF|M/W/F|M-W-F|mwf|TTS|TThS|T/Th/S(?:a|at)?|T-Th-S|TuThSa|M-F|M–F|(?i:mon|tues?)<h>(?i:thurs?|fri|sat|sun))\b`,
		match: []string{"HD [[MWF]].", "back to [[M-W-F]]", "open [[Mon-Thurs]]", "center [[M-F]]"},
		never: []string{"M-FISH", "F-M"},
	},
	{
		name: "holiday", typ: phi.Date, score: 0.93, check: checkHoliday,
		expr: `(?i:(?:christmas|x-?mas)(?:<s>(?:eve|day))?|new<s>year['’]?s?(?:<s>(?:eve|day))?|(?:lunar|chinese)<s>new<s>year|thanksgiving(?:<s>day)?|easter(?:<s>(?:sunday|monday|saturday|eve))?|` +
			`halloween|hanukkah|chanukah|passover|ramadan|eid(?:<s>al[- ](?:fitr|adha))?|diwali|vaisakhi|holi|labou?r<s>day|memorial<s>day|independence<s>day|` +
			`veterans['’]?<s>day|president['’]?s['’]?<s>day|(?:mlk|martin<s>luther<s>king)(?:<s>jr\.?)?<s>day|columbus<s>day|valentine['’]?s(?:<s>day)?|` +
			`(?:st\.?<s>)?pat(?:rick|dy)['’]?s<s>day|paddy['’]?s<s>day|(?:st\.?<s>)?stephen['’]?s<s>day|mother['’]?s<s>day|father['’]?s<s>day|boxing<s>day|good<s>friday|` +
			`palm<s>sunday|ash<s>wednesday|mardi<s>gras|cinco<s>de<s>mayo|juneteenth|kwanzaa|yom<s>kippur|rosh<s>hashanah|purim|canada<s>day|australia<s>day|` +
			`anzac<s>day|waitangi<s>day|matariki|nowruz|all<s>s(?:aint|oul)s['’]?(?:<s>(?:day|eve))?|guy<s>fawkes(?:<s>night)?|bonfire<s>night|shrove<s>tuesday|` +
			`(?:the<s>)?(?:4th|fourth)<s>of<s>july|groundhog<s>day|midsummer|nochebuena|wigilia|yalda|simbang<s>gabi|tết|(?:st\.?<s>)nicholas<s>day|bank<s>holiday)\b(?:,?<s>(?:of<s>)?<y4>\b)?`,
		match: []string{"since [[Memorial Day]]", "[[xmas eve]], yellow", "[[Christmas 2019]], passed", "[[new years]] weekend", "[[4th of July]]", "[[St. Patrick's Day]]"},
		never: []string{"Christmas disease", "Christmas factor", "a new year-old"},
	},
	{
		name: "lent", typ: phi.Date, score: 0.85,
		expr:  `(?:Lent|Advent|Pentecost)\b(?:<s><y4>\b)?|(?i:lent<s>)<y4>\b`,
		match: []string{"but [[Lent]]", "since [[lent 2019]]."},
		never: []string{"was lent a walker"},
	},
	{
		name: "season-year", typ: phi.Date, score: 0.95,
		expr:  `(?:(?i:early|mid|late)<s>?<h>?)?(?i:spring|summer|fall|autumn|winter)(?:<s>(?i:of))?,?<s>(?:<y4>|['’]\d\d)\b`,
		match: []string{"the [[winter of 2009]] with", "[[spring 2018]]", "[[fall '17]]"},
		never: []string{"fall in 2 weeks", "fall 3 days"},
	},
	{
		name: "season", typ: phi.Date, score: 0.8, check: checkSeason,
		expr:  `(?i:last|this|next|in|the|since|before|by|every|that|over|during|until|all|early|late|mid)<s>((?i:spring|summers?|autumn|winters?))\b`,
		match: []string{"last [[winter]], which", "in the [[summer]]", "before [[spring]]."},
		never: []string{"spring water", "in the spring-loaded device", "the fall", "the winter coat"},
	},
	{
		name: "season-years", typ: phi.Date, score: 0.95,
		expr:  `(?i:winter)(?:<s>(?i:of))?<s><y4>(?:/|<h>)(?:<y4>|\d\d)\b`,
		match: []string{"flu in [[winter 2013-14]]", "the [[Winter of 2013/2014]]"},
		never: []string{"winter 2 to 3"},
	},
	{
		name: "quarter", typ: phi.Date, score: 0.93,
		expr:  `(?:[Qq][1-4]<s>?(?:(?i:of)<s>|/)?(?:<y4>|['’]\d\d)|[1-4]Q<s>?(?:<y4>|['’]\d\d)|<y4><s>?<h>?Q[1-4]|(?i:first|second|third|fourth|1st|2nd|3rd|4th)<s>(?i:quarter|qtr)<s>(?:(?i:of)<s>)?<y4>)\b`,
		match: []string{"seen in [[Q1 2014]]", "[[1Q2014]] visit", "[[first quarter of 2014]]", "[[2014-Q3]].", "[[q2 '15]]"},
		never: []string{"q4h", "Q2 hours", "4 quadrants", "first quarter dollar", "Q4 30 mg", "FISH 4Q12 NORMAL"},
	},
	{
		name: "date-week", typ: phi.Date, score: 0.95,
		expr:  `(?:19|20)\d\d(?:-W(?:0[1-9]|[1-4]\d|5[0-3])(?:-[1-7])?|W(?:0[1-9]|[1-4]\d|5[0-3])[1-7]?)\b`,
		match: []string{"week [[2014-W10]]", "[[2014-W10-2]],", "[[2014W102]]"},
		never: []string{"2014-W60", "2014 WBC"},
	},
	{
		name: "date-ordinal-glued", typ: phi.Date, score: 0.95,
		expr:  `(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)<day>(?i:st|nd|rd|th)\b(?:,?<s>?<y4>\b)?`,
		match: []string{"seen [[Jan5th]]", "[[OCT31ST, 2014]]"},
		never: []string{"mar5thing", "DEC10 mg"},
	},
	{
		name: "date-scanned", typ: phi.Date, score: 0.9, check: checkScannedDate,
		expr:  `\b[0-3OoIl]?[0-9OoIl][-/][0-3OoIl]?[0-9OoIl][-/](?:[12Il][0-9OoIl]{3}|[0-9OoIl]{2})\b`,
		match: []string{"dob [[O3/l4/2O14]]", "[[l2/25/14]],"},
		never: []string{"Io/Oo/lIOo", "I/O/Il"},
	},
	{
		name: "year-words", typ: phi.Date, score: 0.9, check: checkYearWords,
		expr: `<when><s>((?i:nineteen)[- ](?:(?i:hundred|sixties|seventies|eighties|nineties)|(?:(?i:oh)[- ])?<num>)|(?i:two<s>thousand)(?:<s>(?:(?i:and)<s>)?<num>)?|` +
			`(?i:twenty)[- ](?:(?i:oh)[- ]<num>|(?i:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)(?:[- ](?i:one|two|three|four|five|six|seven|eight|nine))?))\b`,
		match: []string{"since [[nineteen ninety-four]].", "in [[two thousand and nine]],", "in [[twenty-fourteen]] he", "in the nineteen fifties, until [[nineteen eighties]]"},
		never: []string{"about two thousand mL", "around nineteen minutes", "every twenty minutes"},
	},
}
