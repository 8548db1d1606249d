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
}
