package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// numericDateRules are dates of digits only.
var numericDateRules = []pattern.Rule{
	{
		Name: "date-numeric", Type: phi.Date, Score: 0.97, Check: CheckNumericDate,
		Expr: `(?:<wd>,?<s>{1,2})?(?:\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})|\d{1,2}<h>\d{1,2}<h>(?:\d{4}|\d{2})|\d{1,2}\.\d{1,2}\.` +
			`(?:\d{4}|\d{2})|` +
			`\d{1,2}<s>/<s>\d{1,2}<s>/<s>(?:\d{4}|\d{2}))\b`,
		Match: []string{
			"on [[11/02/2019]].", "dob [[8/30/47]] ", "[[9-23-58]]", "[[02.09.2014]],", "[[tues 3/14/17]]", "[[30 / 11 / 62]]",
			"[[Fri 12/10/2021]]", "D: [[01/13/2019]] 22:57",
		},
		Never: []string{"1.2.840.10008", "30-41-887", "45/46/47", "BP 120/80/10", "10.0.1.2", "0/0/0"},
	},
	{
		Name: "date-iso", Type: phi.Date, Score: 0.97, Check: CheckNumericDate,
		Expr: `<y4>(?:<h>\d{1,2}<h>\d{1,2}|/\d{1,2}/\d{1,2}|\.\d{1,2}\.\d{1,2})` +
			`(?:[Tt]\d\d(?::?\d\d){1,2}(?:[.,]\d{1,9})?(?:[Zz]|[-+]\d\d:?\d\d)?)?\b`, // to the end of a timestamp
		Match: []string{
			"[[2019-11-07]]", "DDN [[1951/09/17]]", "[[2019-11-07T16:42]]", "[[2014-03-04T10:11:12.123Z]]",
			"at [[2014-03-04T10:11:12.5-05:00]],", "[[2014–03–04]]",
		},
		Never: []string{"2019-14-40", "2012-2019"},
	},
	{
		Name: "date-compact", Type: phi.Date, Score: 0.85, Check: checkCompactDate,
		Expr:  `(?:19|20)\d{6}\b`,
		Match: []string{"taken [[20191107]] at"},
		Never: []string{"20191345", "20586391"},
	},
	{
		Name: "date-stamp", Type: phi.Date, Score: 0.96, Check: checkStamp,
		Expr:  `(?:19|20)\d{6}[Tt]?\d{4}(?:\d\d)?(?:[.,]\d{1,9})?(?:[Zz]|[-+]\d{4})?\b`,
		Match: []string{"OBX [[20140304101500]]", "[[20140304T1015]]", "[[20140304101500.123-0500]]", "[[20140304T101500Z]]"},
		Never: []string{"20141304101500", "20140304991500", "1-20140304101500"},
	},
	{
		Name: "date-birth", Type: phi.Date, Score: 0.97, Check: checkBirth,
		Expr: `(?i:d\.?<s>?o\.?<s>?b\.?|date<s>of<s>birth|birth<s>?da(?:te|y)|born|bday|ddn)<is>` +
			`(\d{5,8}|\d{1,4}[-./ ]\d{1,2}[-./ ]\d{2,4}|\d{1,2}<s>?[-./]<s>?\d{1,2}<s>?[-./]<s>?\d{2,4}|<y4>)\b`,
		Match: []string{"DOB [[06121943]]", "dob: [[07 03 58]] F", "D.O.B. [[30 / 11 / 62]]", "dob [[61243]]", "born [[1957]]"},
		Never: []string{"born at 39 weeks", "DOB unknown", "born 3200 g"},
	},
	{
		Name: "date-range", Type: phi.Date, Score: 0.96, Check: checkDateRange,
		Expr:  `\d{1,2}/\d{1,2}(?:/(?:\d{4}|\d{2}))?<s>?(?:<h>|to|thru)<s>?(?:\d{1,2}/)?\d{1,2}/(?:\d{4}|\d{2})\b`,
		Match: []string{"stay [[3/4-6/2018]]", "[[9/12-10/15/18]]", "[[1/13/2019 - 1/22/2019]]", "week of [[3/2-3/8/21]]"},
		Never: []string{"4/5-5/50", "20/40-20/60"},
	},
	{
		Name: "date-month-year", Type: phi.Date, Score: 0.9, Check: checkMonthYear,
		Expr:  `<mm>(?:/|<h>)(?:19|20)\d\d\b`,
		Match: []string{"exp [[04-2020]]", "seen [[9/2019]].", "(OS 20/40, [[3/2021]]"},
		Never: []string{"1/2000 dilution", "13/2019", "2-2050 mL"},
	},
	{
		Name: "date-year-month", Type: phi.Date, Score: 0.8, Check: checkMonthYear,
		Expr:  `(?:19|20)\d\d(?:/|<h>)(?:0[1-9]|1[0-2])\b`,
		Match: []string{"expiring [[2023-05]]"},
		Never: []string{"2012-2019", "2000-10 mL"},
	},
	{
		Name: "date-day-context", Type: phi.Date, Score: 0.85, Check: checkDayMonth,
		Expr: `(?:(?i:on|since|until|till|til|by|dated?|due|seen|adm(?:itted)?|admit|discharged?|dc'?d|d/c'?d?|appt|appointment|visit|` +
			`last|next|` +
			`started|began|begun|stopped|through|thru|clinic|collected|given|sent|removed|exp|note|op|surgery|sx|dos|doa|dod|review` +
			`(?:ed)?|placed|` +
			`inserted|filled|refilled|drawn|recheck|repeat|scheduled|called|cx|cultures?|labs?|ct|mri|cxr|echo|x-?ray|us|film|study|of|` +
			`from|before|after|` +
			`nocs?|nights?|days|resumed|reinstated|quit|signed|lmp|edd|edc|booked|finished|done|off|worked|ended|completed|level|neg|` +
			`onset|addendum|in|out|soc|log|week<s>of|wk<s>of|call|discussed|screen|pcr|fbc|again|missed|extended<s>to|cleared|ob|runs?|` +
			`flight|trough|w/u|for|d|t)\b[:(.]?<s>{0,8})(\d{1,2}/\d{1,2})\b`,
		Match: []string{
			"seen on [[3/4]].", "since [[6/14]], better", "appt [[10/9]] w", "stopped [[2/6]] by", "CXR [[1/9]]: clear", "due [[5/5]].",
		},
		Never: []string{
			"murmur of 2/6", "pain on 5/5", "strength of 4/5", "on 20/40", "labs 128/74", "visit 6/60", "MRI 14/15 GCS",
			"power from 3/5 to 4/5", "since 24/7", "after 1/2 tab", "for 3/7 hx", "given 1/2 tab", "last 6/52", "started 1/2 pack",
			"placed 2/2 aspiration risk", "off 1/2 L", "in 2/6 views", "level 4/5 strength", "neg 0/5",
		},
	},
	{
		Name: "date-day-bare", Type: phi.Date, Score: 0.7, Check: checkDayMonthBare,
		Expr:  `\d{1,2}/\d{1,2}\b`,
		Match: []string{"[[10/14]]  Left heart cath", "[[27/9]] w wife", "([[1/13]])", "x [[18/5]] y"},
		Never: []string{
			"GCS 14/15", "MMSE 28/30", "3/4", "20/40", "PHQ-9 15/27", "12/15", "24/7", "7/10", "SpO2 96/4", "VA 20/10", "murmur 2/6",
			"4/5 strength", "10/10 pain", "14/10/3", "BP 18/12", "18/12 old", "13/7 hx", "20/12", "5/18 nodes", "2/13 nodes positive",
			"1/16 dilution", "98/14", "8/15", "25/30", "13/28 cores",
		},
	},
	{
		Name: "date-day-line", Type: phi.Date, Score: 0.72, Check: checkDayLine,
		Expr:  `\d{1,2}/\d{1,2}\b`,
		Match: []string{"\n  [[7/15]]  OB visit", "\n[[4/7]] stool PCR"},
		Never: []string{"\n5/5 strength", "\n2/6 murmur", "\n1/2 tab", "x 3/4", "\n6/10 pain", "\n- 3/6 SEM"},
	},
	{
		Name: "date-range-short", Type: phi.Date, Score: 0.85, Check: checkRangeShort,
		Expr:  `\d{1,2}/\d{1,2}<s>?<h><s>?\d{1,2}(?:/\d{1,2})?\b`,
		Match: []string{"off [[3/14-3/17]], restarted", "nights [[10/13-14]]   bed", "adm [[11/24 - 12/1]],"},
		Never: []string{"4/5-5/5", "20/30-40", "2/6-3/6", "3-4/5", "14/15-15", "10/20-3/20 nodes"},
	},
	{
		Name: "date-range-uk", Type: phi.Date, Score: 0.85, Check: checkNight,
		Expr:  `(?i:nights?|noc|log|shift|weekend|wknd|stay)<s>{1,3}(\d{1,2}<h>\d{1,2}/\d{1,2}(?:/\d{2,4})?)\b`,
		Match: []string{"night [[12-13/10]]", "overnight log [[5-6/2/19]] (marty"},
		Never: []string{"night 4-5/5"},
	},
	{
		Name: "date-quarter", Type: phi.Date, Score: 0.9,
		Expr:  `\b(?:Q[1-4]|[1-4]Q)[-/ ]?(?:(?:19|20)\d\d|['’]\d\d)\b`, // "4q12" is a band of a chromosome
		Match: []string{"audit of [[3Q2014]] and", "[[Q1 2014]]", "[[1Q 2015]],", "since [[Q4'13]]."},
		Never: []string{"q4h", "Q4 hours", "Q2 5 mg", "Q12", "4Q", "Q1 120 mg", "4Q12"},
	},
	{
		Name: "year-fiscal", Type: phi.Date, Score: 0.9,
		Expr:  `\b(?:Q[1-4][ -]?)?(?:FY|CY)[ -]?(?:(?:19|20)\d\d|['’]?\d\d)\b`,
		Match: []string{"budget of [[FY2014]].", "[[CY 2019]]", "since [[FY19]],", "in [[Q2 FY19]] and", "[[FY'07]]"},
		Never: []string{"FY14000", "CY1"},
	},
	{
		Name: "year-apostrophe", Type: phi.Date, Score: 0.85,
		Expr:  `(?i:in|since|quit|ret(?:ired)?|until|of|from|dx|circa|summer|spring|fall|winter|till?|class<s>of)<s>(['’]\d\d)\b`,
		Match: []string{"discharge in [['93]]. His", "MN since [['94]]."},
		Never: []string{"the '90s band is 5'10"},
	},
	{
		Name: "date-day-time", Type: phi.Date, Score: 0.8, Check: checkDayTime,
		Expr:  `(\d{1,2}/\d{1,2})(?:,|<s>@|<s>at)?<s>{1,3}(?:[01]\d|2[0-3]):?[0-5]\d\b`,
		Match: []string{"[[9/3]] 0641 ", "[[2/11]] at 10:15"},
		Never: []string{"20/40 1200", "14/15 1300"},
	},
	{
		Name: "date-weekday-day", Type: phi.Date, Score: 0.95, Check: checkWeekdayDay,
		Expr:  `<wd>,?<s>{1,2}\d{1,2}[/.]\d{1,2}\b`,
		Match: []string{"appt [[thurs 10/9]]", "[[Fri 8/3]].", "[[Weds 12/05]]", "[[sat 10/11]]. next"},
		Never: []string{"sat 20/40", "sat 98/2", "thurs 3.06 kg"},
	},
	{
		Name: "date-day-weekday", Type: phi.Date, Score: 0.9, Check: checkWeekdayDay,
		Expr:  `\d{1,2}/\d{1,2}<s>{1,2}(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|weds?|thurs?|thu|fri)\b`,
		Match: []string{"phone note [[11/9 thu]]"},
		Never: []string{"days 3, 4"},
	},
	{
		Name: "year-context", Type: phi.Date, Score: 0.9, Check: checkYear,
		Expr: `(?i:<when>|circa|ca?\.|year|class<s>of|born|died|dx(?:'?d)?|diagnosed|retired|married|divorced|widowed|quit|immigrated|` +
			`emigrated|arrived|graduated|between|and|s/p|prior|to)<s>{1,2}` +
			`(?:(?i:the|year|about|around|early|late|mid|approx(?:imately)?)<s>){0,2}((?:19[0-9]|20[0-4])\d)\b`,
		Match: []string{"around [[2012]], not", "died [[2008]] at", "in the year [[1999]]", "married in [[1974]].", "since about [[2011]]"},
		Never: []string{"at 1930", "to 2000 mL", "and 2000 units", "by 2000 kcal", "from 1950 to 2050 mg", "to 1950"},
	},
	{
		Name: "year-range", Type: phi.Date, Score: 0.92, Check: checkYearRange,
		Expr:  `\b(?:19|20)\d\d<s>?(?:<h>|to)<s>?(?:(?:19|20)\d\d|\d\d)\b`,
		Match: []string{"carbimazole [[2014-2016]]", "smoked [[1985 to 2003]]", "[[2012-14]]"},
		Never: []string{"1930-2030 hrs", "2000-2400", "2010-1950", "1900-2000 mL", "2000-10"},
	},
	{
		Name: "decade", Type: phi.Date, Score: 0.92,
		Expr:  `(?:(?i:early|mid|late)<s>?<h>?)?((?:19|20)\d0['’]?s)\b`,
		Match: []string{"in the [[1990s]] he", "late [[1980's]]"},
		Never: []string{"BP 110s", "HR 90s"},
	},
	{
		Name: "decade-short", Type: phi.Date, Score: 0.8, Check: checkDecade,
		Expr:  `(?i:in|since|from|during|until)<s>(?i:the)<s>(?:(?i:early|mid|late)<s>?<h>?)?(['’]?[2-9]0['’]?s)\b`,
		Match: []string{"worked there in the [[80s]].", "since the late [['90s]] he", "during the [[70's]]"},
		Never: []string{"SBP in the 90s", "sats in the 80s on room air", "heart rate was in the 50s", "in the 80s%", "glucose mostly in the 70s"},
	},
	{
		Name: "week-of-year", Type: phi.Date, Score: 0.9,
		Expr:  `\b(?i:wk|week)<s>?\d{1,2}(?:<s>(?i:of)<s>|/|,<s>)<y4>\b`,
		Match: []string{"jab in [[wk 23 of 2019]].", "[[week 7/2020]]"},
		Never: []string{"week 23 gestation", "wk 30 2000 mL of"},
	},
	{
		Name: "day-context", Type: phi.Date, Score: 0.7, Check: checkOrdinalDay,
		Expr:  `(?i:on|by|until|till|til|through|thru|since|before|after|for|from|due|out|to)<s>(?i:the)<s>(<day>(?i:st|nd|rd|th))\b`,
		Match: []string{"through the [[27th]]) staying", "out the [[15th]].", "due the [[22nd]], mom"},
		Never: []string{
			"on the 5th digit", "after the 2nd dose", "to the 3rd metatarsal", "by the 50th percentile", "on the 1st and 2nd toes",
		},
	},
	{
		Name: "day-weekday", Type: phi.Date, Score: 0.9, Check: checkWeekdayDay,
		Expr: `(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|weds?|thurs?|thu|fri|sat|sun)\b,?<s>` +
			`(?:(?i:the)<s>)?<day>(?i:st|nd|rd|th)\b`,
		Match: []string{"NEXT [[Thurs 13th]].", "party [[Sat 2nd]]", "[[fri the 9th]]"},
		Never: []string{"pt sat 3 times"},
	},
	{
		Name: "weekday-number", Type: phi.Date, Score: 0.75, Check: checkWeekdayNumber,
		Expr:  `(?i:mon|tues?|weds?|thurs?|thu|fri|monday|tuesday|wednesday|thursday|friday|saturday|sunday)<s><day>\b`,
		Match: []string{"next [[mon 12]], lab draw"},
		Never: []string{"fri 10 am", "tues 2pm", "Monday 3 tablets", "tue 10:30", "wed 2 x", "Mon 8-10"},
	},
}

// namedDateRules are dates with the name of a month.
var namedDateRules = []pattern.Rule{
	{
		Name: "date-day-month", Type: phi.Date, Score: 0.97, Check: checkNamedDate,
		Expr: `(?:<wd>,?<s>{1,2}(?:(?i:the)<s>)?)?<th>(?:<s>?(?:<h>|to|&|and|/)<s>?<th>)?(?:<s>(?i:of)<s>|<s>|<h>|/|\.)?<mon>` +
			`(?:[-., /\x{2013}]{1,3}<y>)?\b`,
		Match: []string{
			"[[Tuesday, 4 March 2014]]", "[[13-Aug-1961]]", "[[3rd April 2014]]", "on [[17 Nov]]", "[[2nd of May]]", "[[12/NOV/1989]]",
			"[[Tues 31st Oct]] 19:41", "MRI [[17 March]] 31 mm",
		},
		Never: []string{"2 may be"},
	},
	{
		Name: "date-named-range", Type: phi.Date, Score: 0.97,
		Expr:  `<th><s>?<h>?<mon>(?:<s><y>)?<s>?(?:<h>|to|until)<s>?<th><s>?<h>?<mon>(?:,?<s><y>)?\b`,
		Match: []string{"[[9 Feb - 1 Mar 2017]]", "[[30 June to 2 July]]"},
		Never: []string{"May to have"},
	},
	{
		Name: "date-glued", Type: phi.Date, Score: 0.95,
		Expr:  `<day>(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:\d{4}|\d{2})\b`,
		Match: []string{"[[06Jun83]]", "on [[4MAR2014]]"},
		Never: []string{"5mar1"},
	},
	{
		Name: "date-month-day", Type: phi.Date, Score: 0.95, Check: checkNamedDate,
		Expr: `(?:<wd>,?<s>{1,2})?<mon><s>{0,2}<h>?<th>(?:<s>?(?:<h>|to|thru|through|until|&|and|/)<s>?(?:<mon><s>)?<th>)?\b` +
			`(?:,?<s>?<y4>|,?<s>['’]\d\d)?\b`,
		Match: []string{
			"[[January 13, 2019]]", "[[SEP 2,1946]]", "[[Monday, June 12]]", "[[April 5-19]]", "[[March 4 through 9, 2014]]",
			"[[June 30 to July 12, 2021]]", "ran [[Jan 28-Feb 3]]", "[[May 27th]]", "[[nov 14 '58]]",
		},
		Never: []string{"may 5 mg", "March 4 times", "may 10 percent", "Mar 2 tabs", "dec 5 %", "DEC 10 mg", "may 2-3 weeks"},
	},
	{
		Name: "date-month-day-yy", Type: phi.Date, Score: 0.9, Check: checkNamedDate,
		Expr:  `<mon><s><th>,?<s>\d\d\b`,
		Match: []string{"dob [[nov 14 58]]", "[[MAR 12, 19]]", "[[Oct 12]] 20/40"},
		Never: []string{"may 12.5 mg"},
	},
	{
		Name: "date-of-month-year", Type: phi.Date, Score: 0.95, Check: checkNamedDate,
		Expr: `(?:(?i:early|mid|late|end<s>of)<s>?<h>?)?(<mon>(?:<s>?[-,/'’\x{2013}]?<s>?|<s>(?i:of)<s>)(?:<mon><s>)?(?:<y4>|['’]\d\d))\b`,
		Match: []string{
			"[[Nov. 2016]]", "[[September 2018]]", "in [[August '14]]", "[[Mar-2012]]", "late [[March 2020]]", "[[May 2014]]",
			"[[Sept-Oct 2023]]",
		},
		Never: []string{"may 2000 mL", "Mar 1950 mg", "march 2000 steps"},
	},
	{
		Name: "date-months", Type: phi.Date, Score: 0.9,
		Expr:  `(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:<h>|/)<mon>(?:<s><y4>)?\b`,
		Match: []string{"here [[Sept-Oct 2023]]", "off [[Jan/Feb]]"},
		Never: []string{"may and march"},
	},
	{
		Name: "month", Type: phi.Date, Score: 0.9,
		Expr:  `(?:(?i:early|mid|late)<s>?<h>?)?(<sure>)\b`,
		Match: []string{"in [[June]].", "mid-[[August]]; I", "flu shot from [[October]]", "late [[January]]."},
		Never: []string{"may walk", "march on", "augustine"},
	},
	{
		Name: "month-context", Type: phi.Date, Score: 0.82, Check: checkMonthContext,
		Expr: `<when><s>(?:(?i:the|late|early|mid|end|start|of|middle|in)<s>?<h>?){0,3}` +
			`((?i:may|march|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))\b`,
		Match: []string{"since [[may]]. wont", "by [[March]].", "in [[Nov]]", "until [[sept]]", "dates by [[march]]"},
		Never: []string{"in OCT there", "since may have", "before may be", "on MAR", "this may help", "next may need", "after march past"},
	},
	{
		Name: "month-paren", Type: phi.Date, Score: 0.82,
		Expr: `[(>]<s>?((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|` +
			`dec)\.?)<s>?[),;:]`,
		Match: []string{"A1c 7.2 ([[Mar]]),", "ferritin 12 ([[aug]])"},
		Never: []string{"(OCT)", "(MAR)", "(may repeat)"},
	},
	{
		Name: "month-day-words", Type: phi.Date, Score: 0.95,
		Expr:  `<month><s>(?:(?i:the)<s>)?<ordword>\b(?:,?<s><y4>\b)?`,
		Match: []string{"on [[January eighteenth]] two", "[[July seventh]].", "[[August thirty first]] nineteen"},
		Never: []string{"may first try"},
		Check: checkNamedWords,
	},
	{
		Name: "day-in-words", Type: phi.Date, Score: 0.93,
		Expr: `<ordword><s>(?i:of)<s><month>(?:,?<s>(?:<y4>|<spokenyear>))?\b`,
		Match: []string{
			"on the [[third of June]], home", "[[first of December]]", "the [[third of May two thousand and nine]] for",
			"[[second of March, nineteen ninety-four]].",
		},
		Never: []string{"second of three"},
	},
}
