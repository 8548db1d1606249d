package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// dateWordRules are weekdays, holidays and seasons.
var dateWordRules = []pattern.Rule{
	{
		Name: "weekday", Type: phi.Date, Score: 0.93,
		Expr:  `(?i:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b`,
		Match: []string{"on [[Sunday]] mornings", "[[tuesdays]] and [[Fridays]]"},
		Never: []string{"the sundown ward"},
	},
	{
		Name: "weekday-short", Type: phi.Date, Score: 0.85, Check: checkWeekdayShort,
		Expr:  `(?:[Mm]on|[Tt]ues?|[Ww]eds?|[Tt]hurs?|[Tt]hu|[Ff]ri|MON|TUES?|WEDS?|THU(?:RS?)?|FRI)\b`,
		Match: []string{"ck up from [[thurs]].", "[[Mon]]/[[thu]]", "back [[Fri]]", "[[wed]] am"},
		Never: []string{"they wed in", "mon cheri", "to be wed", "MON-810"},
	},
	{
		Name: "weekend-short", Type: phi.Date, Score: 0.8, Check: checkWeekendShort,
		Expr: `(?i:on|next|last|this|by|until|till|til|since|from|every|each|come|due|fri|mon|wed|thurs?|started|came|arrived|after|` +
			`flying|out|party|delivered)<s>?[-,/+ ]<s>?([Ss]at|[Ss]un|SAT|SUN)\b`,
		Match: []string{"since [[sat]].", "started last [[sun]]"},
		Never: []string{"pt sat up", "O2 sat 95", "from sun exposure", "on sat 92%", "in the sun"},
	},
	{
		Name: "weekend-title", Type: phi.Date, Score: 0.78, Check: checkWeekendTitle,
		Expr:  `\b(?:Sat|Sun)\b`,
		Match: []string{"flew out [[Sat]] for", "unit ran [[Sun]] schedule", "level [[Sun]]."},
		Never: []string{"O2 Sat 95", "Sat: 98%", "\nSat up in chair", "awake. Sat up", "Pulse Sat on"},
	},
	{
		Name: "weekday-list", Type: phi.Date, Score: 0.92,
		Expr:  `\b(?:MWF|M/W/F|M-W-F|mwf|TTS|TThS|T/Th/S(?:a|at)?|T-Th-S|TuThSa|M-F|M–F|(?i:mon|tues?)<h>(?i:thurs?|fri|sat|sun))\b`,
		Match: []string{"HD [[MWF]].", "back to [[M-W-F]]", "open [[Mon-Thurs]]", "center [[M-F]]"},
		Never: []string{"M-FISH", "F-M"},
	},
	{
		Name: "holiday", Type: phi.Date, Score: 0.93, Check: checkHoliday,
		Expr: `(?i:(?:christmas|x-?mas)(?:<s>(?:eve|day))?|new<s>year['’]?s?(?:<s>(?:eve|day))?|(?:lunar|chinese)<s>new<s>year|` +
			`thanksgiving(?:<s>day)?|easter(?:<s>(?:sunday|monday|saturday|eve))?|` +
			`halloween|hanukkah|chanukah|passover|ramadan|eid(?:<s>al[- ](?:fitr|adha))?|diwali|vaisakhi|holi|labou?r<s>day|` +
			`memorial<s>day|independence<s>day|` +
			`veterans['’]?<s>day|president['’]?s['’]?<s>day|(?:mlk|martin<s>luther<s>king)(?:<s>jr\.?)?<s>day|columbus<s>day|` +
			`valentine['’]?s(?:<s>day)?|` +
			`(?:st\.?<s>)?pat(?:rick|dy)['’]?s<s>day|paddy['’]?s<s>day|(?:st\.?<s>)?stephen['’]?s<s>day|mother['’]?s<s>day|` +
			`father['’]?s<s>day|boxing<s>day|good<s>friday|` +
			`palm<s>sunday|ash<s>wednesday|mardi<s>gras|cinco<s>de<s>mayo|juneteenth|kwanzaa|yom<s>kippur|rosh<s>hashanah|purim|` +
			`canada<s>day|australia<s>day|` +
			`anzac<s>day|waitangi<s>day|matariki|nowruz|all<s>s(?:aint|oul)s['’]?(?:<s>(?:day|eve))?|guy<s>fawkes(?:<s>night)?|` +
			`bonfire<s>night|shrove<s>tuesday|` +
			`(?:the<s>)?(?:4th|fourth)<s>of<s>july|groundhog<s>day|midsummer|nochebuena|wigilia|yalda|simbang<s>gabi|tết|` +
			`(?:st\.?<s>)nicholas<s>day|bank<s>holiday)\b(?:,?<s>(?:of<s>)?<y4>\b)?`,
		Match: []string{
			"since [[Memorial Day]]", "[[xmas eve]], yellow", "[[Christmas 2019]], passed", "[[new years]] weekend", "[[4th of July]]",
			"[[St. Patrick's Day]]",
		},
		Never: []string{"Christmas disease", "Christmas factor", "a new year-old"},
	},
	{
		Name: "lent", Type: phi.Date, Score: 0.85,
		Expr:  `(?:Lent|Advent|Pentecost)\b(?:<s><y4>\b)?|(?i:lent<s>)<y4>\b`,
		Match: []string{"but [[Lent]]", "since [[lent 2019]]."},
		Never: []string{"was lent a walker"},
	},
	{
		Name: "season-year", Type: phi.Date, Score: 0.95,
		Expr:  `(?:(?i:early|mid|late)<s>?<h>?)?(?i:spring|summer|fall|autumn|winter)(?:<s>(?i:of))?,?<s>(?:<y4>|['’]\d\d)\b`,
		Match: []string{"the [[winter of 2009]] with", "[[spring 2018]]", "[[fall '17]]"},
		Never: []string{"fall in 2 weeks", "fall 3 days"},
	},
	{
		Name: "season", Type: phi.Date, Score: 0.8, Check: checkSeason,
		Expr: `(?i:last|this|next|in|the|since|before|by|every|that|over|during|until|all|early|late|mid)<s>` +
			`((?i:spring|summers?|autumn|winters?))\b`,
		Match: []string{"last [[winter]], which", "in the [[summer]]", "before [[spring]]."},
		Never: []string{"spring water", "in the spring-loaded device", "the fall", "the winter coat"},
	},
	{
		Name: "season-years", Type: phi.Date, Score: 0.95,
		Expr:  `(?i:winter)(?:<s>(?i:of))?<s><y4>(?:/|<h>)(?:<y4>|\d\d)\b`,
		Match: []string{"flu in [[winter 2013-14]]", "the [[Winter of 2013/2014]]"},
		Never: []string{"winter 2 to 3"},
	},
	{
		Name: "quarter", Type: phi.Date, Score: 0.93,
		Expr: `(?:[Qq][1-4]<s>?(?:(?i:of)<s>|/)?(?:<y4>|['’]\d\d)|[1-4]Q<s>?(?:<y4>|['’]\d\d)|<y4><s>?<h>?Q[1-4]|` +
			`(?i:first|second|third|fourth|1st|2nd|3rd|4th)<s>(?i:quarter|qtr)<s>(?:(?i:of)<s>)?<y4>)\b`,
		Match: []string{"seen in [[Q1 2014]]", "[[1Q2014]] visit", "[[first quarter of 2014]]", "[[2014-Q3]].", "[[q2 '15]]"},
		Never: []string{"q4h", "Q2 hours", "4 quadrants", "first quarter dollar", "Q4 30 mg", "FISH 4Q12 NORMAL"},
	},
	{
		Name: "date-week", Type: phi.Date, Score: 0.95,
		Expr:  `(?:19|20)\d\d(?:-W(?:0[1-9]|[1-4]\d|5[0-3])(?:-[1-7])?|W(?:0[1-9]|[1-4]\d|5[0-3])[1-7]?)\b`,
		Match: []string{"week [[2014-W10]]", "[[2014-W10-2]],", "[[2014W102]]"},
		Never: []string{"2014-W60", "2014 WBC"},
	},
	{
		Name: "date-ordinal-glued", Type: phi.Date, Score: 0.95,
		Expr:  `(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)<day>(?i:st|nd|rd|th)\b(?:,?<s>?<y4>\b)?`,
		Match: []string{"seen [[Jan5th]]", "[[OCT31ST, 2014]]"},
		Never: []string{"mar5thing", "DEC10 mg"},
	},
	{
		Name: "date-scanned", Type: phi.Date, Score: 0.9, Check: checkScannedDate,
		Expr:  `\b[0-3OoIl]?[0-9OoIl][-/][0-3OoIl]?[0-9OoIl][-/](?:[12Il][0-9OoIl]{3}|[0-9OoIl]{2})\b`,
		Match: []string{"dob [[O3/l4/2O14]]", "[[l2/25/14]],"},
		Never: []string{"Io/Oo/lIOo", "I/O/Il"},
	},
	{
		Name: "year-words", Type: phi.Date, Score: 0.9, Check: checkYearWords,
		Expr: `<when><s>((?i:nineteen)[- ](?:(?i:hundred|sixties|seventies|eighties|nineties)|(?:(?i:oh)[- ])?<num>)|` +
			`(?i:two<s>thousand)(?:<s>(?:(?i:and)<s>)?<num>)?|` +
			`(?i:twenty)[- ](?:(?i:oh)[- ]<num>|(?i:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|` +
			`twenty)(?:[- ](?i:one|two|three|four|five|six|seven|eight|nine))?))\b`,
		Match: []string{
			"since [[nineteen ninety-four]].", "in [[two thousand and nine]],", "in [[twenty-fourteen]] he",
			"in the nineteen fifties, until [[nineteen eighties]]",
		},
		Never: []string{"about two thousand mL", "around nineteen minutes", "every twenty minutes"},
	},
}
