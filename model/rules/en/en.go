package en

import (
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// Pack returns the English pack: notes of North America, the British
// Isles, Australia and New Zealand, without the families named.
func Pack(without ...string) *pattern.Pack {
	p := &pattern.Pack{
		Macros:   pattern.Merged(Macros, placeMacros),
		Suffixes: []string{"MRN", "DOB", "SSN", "NHS", "TEL", "FAX", "NPI", "DEA"},
	}
	return p.Assemble(Families(), without)
}

// Families are the sections of the English pack. Of rules that are
// trusted alike, the earlier one goes first.
func Families() []pattern.Family {
	return []pattern.Family{
		{Name: "contacts", Rules: contactRules, Triggered: Triggered},
		{Name: "phones", Rules: phoneRules},
		{Name: "ids", Rules: idRules},
		{Name: "numeric dates", Rules: numericDateRules},
		{Name: "postcodes", Rules: postcodeRules},
		{Name: "named dates", Rules: namedDateRules},
		{Name: "date words", Rules: dateWordRules},
		{Name: "ages", Rules: ageRules},
		{Name: "names", Rules: nameRules},
		{Name: "users", Rules: userRules},
		{Name: "places", Rules: placeRules},
		{Name: "codes", Rules: codeRules},
		{Name: "registers", Rules: registerRules},
		{Name: "phones of other forms", Rules: otherPhoneRules},
	}
}

// Macros are the parts that the expressions share. Expressions are
// case-sensitive unless they say (?i:...).
var Macros = map[string]string{
	// A blank within a line, and a hyphen or dash.
	"s": `[ \t\x{A0}\x{2009}\x{202F}]`,
	"b": `[ \x{A0}\x{2009}\x{202F}]`, // as "s", without the tab that parts columns
	"h": `[-\x{2010}\x{2011}\x{2013}]`,
	// What stands between a label and its value.
	"is": `<s>*(?:(?i:no|nos|nbr|num|number|id|is|was|as)\b\.?<s>*|[:#=.(]<s>*){0,4}`,
	// The same before a telephone number, which may begin with a bracket.
	"telis": `<s>*(?:(?i:no|nos|nbr|num|number|is|was)\b\.?<s>*|[:#=.]<s>*){0,4}`,
	// The value of a label: letters and digits in groups joined by marks. The
	// checks ask for enough digits.
	"id": `[A-Za-z0-9]+(?:[-./_][A-Za-z0-9]+)*`,
	// As <id>, or groups with single blanks that cannot be another number.
	"idblank": `(?:<id>|[A-Z]{1,3}<s>\d{3,}(?:<h>\d+)*|\d{3}<s>\d{4})\b`,

	"month": `(?i:january|february|march|april|may|june|july|august|september|october|november|december)`,
	"mon":   `(?:<month>|(?i:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?)`,
	// Months that are no other word.
	"sure": `(?i:january|february|april|june|july|august|september|october|november|december)`,
	"day":  `(?:0?[1-9]|[12]\d|3[01])`,
	"th":   `(?:<day>(?:<s>?(?i:st|nd|rd|th)\b)?)`,
	"mm":   `(?:0?[1-9]|1[0-2])`,
	"y4":   `(?:18|19|20)\d\d`,
	// Years in words: "nineteen ninety-four", "two thousand and nine".
	"spokenyear": `(?:(?i:nineteen)[- ](?:(?i:hundred)|(?:(?i:oh)[- ])?<num>)|(?i:two)<s>(?i:thousand)(?:<s>(?:(?i:and)<s>)?<num>)?|` +
		`(?i:twenty)[- ](?i:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)` +
		`(?:[- ](?i:one|two|three|four|five|six|seven|eight|nine))?)`,
	"y":  `(?:<y4>|['’]\d\d|\d\d)`,
	"wd": `(?:(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues|tue|weds|wed|thurs|thur|thu|fri|sat|sun)\b\.?)`,
	"ordword": `(?i:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|` +
		`fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty[- ](?:first|second|third|` +
		`fourth|fifth|sixth|seventh|eighth|ninth)|thirtieth|thirty[- ]first)`,
	// Words after which a month, a year or a season is a date.
	"when": `(?i:in|since|by|until|till|til|of|from|around|about|circa|early|late|mid|last|next|this|end|start|before|after|` +
		`during|through|thru|every|due|dated|exp|expires)`,

	// A telephone number with its separators; the checks count the digits.
	"tel": `\(?\+?\d(?:(?:<s>?[-.()\x{2010}\x{2011}\x{2013}]{1,2}<s>?|<s>)?\d){5,15}`,
	"ext": `(?:,?<s>*(?i:ext|extension|x|bleep)\b?[.:]?<s>*\d{2,6})?`,

	"num": `(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|` +
		`seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)` +
		`(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)`,

	// A name: one word of it, an initial, and a whole one.
	"n":    `\p{Lu}[\p{L}\p{M}]*(?:['’\-\x{2010}][\p{L}\p{M}]+)*\p{L}\p{M}*`,
	"i":    `\p{Lu}\.?`,
	"part": `(?i:van|von|de|del|della|der|den|la|le|da|dos|di|al|el|bin|ter|ap|ab|abu|ibn|mac|st)`,
	"name": `(?:<i><s>{0,2}){0,2}(?:<part><s>){0,2}<n>(?:<s>(?:<i><s>)?(?:<part><s>){0,2}<n>){0,2}`,
}
