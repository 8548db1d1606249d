package dates

import (
	"regexp"
	"strings"
)

// What reads like a date to a careless eye and is none. Each expression must
// fit the whole text, so that no date hides in it.
var (
	amount = `(?:\d{1,3}(?:\.\d{1,2})?(?:\s?(?:-|to)\s?\d{1,3})?|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|` +
		`several|couple(?:\s+of)?|many|some)`
	span  = `(?:min(?:ute)?s?|h(?:ou)?rs?|h|days?|d|nights?|w(?:ee)?ks?|w|mo(?:nth)?s?|mths?|m|y(?:ea)?rs?|y|trimesters?|decades?|shifts?)`
	parts = `(?:morning|afternoon|evening|night|am|pm|noon|midnight)`

	relativeForms = regexp.MustCompile(`(?i)^\s*(?:` +
		// today, tomorrow morning, the day before yesterday, tonight, now
		`(?:the\s+day\s+(?:before|after)\s+)?(?:today|yesterday|tomorrow|tonight|tonite)(?:\s+` + parts + `)?|now|` +
		`(?:this|the\s+(?:next|previous|following|same)|next|last|that|previous|following|each|every)\s+(?:` + parts +
		`|day|week|month|year|weekend|shift|visit)|overnight|` +
		// POD#3, HD 4, DOL 2, day 3, week 12, DOS
		`(?:post-?\s?op(?:erative)?\s+day|pod|hod|hd|dol|icu\s+day|hospital\s+day|day(?:\s+of\s+life)?|week|wk|month|cycle|c|visit)\s*(?:#|` +
		`no\.?)?\s*[+-]?\d{1,3}(?:\s*d(?:ay)?\s*\d{1,3})?|` +
		// x 2 weeks, for 3 days, 3 weeks ago, within 24 h, 2-3 days post-op
		`(?:(?:x|for|in|within|over|after|about|approx\.?|approximately|every|q|the\s+(?:last|past|next)|last|past|next|~|>|<|≥|≤)\s*){0,3}` +
		amount + `[\s-]*` + span +
		`(?:[\s-]+(?:ago|prior|before|after|later|earlier|old|from\s+now|hence|post-?\s?op|gestation|pregnant|duration|course|total|apart|` +
		`each|per\s+week))?|` +
		// q8h, qid, q4-6h prn, bid x 7 days
		`q\.?\s?(?:\d{1,2}(?:\s?-\s?\d{1,2})?\s?(?:h(?:rs?)?|hours?|d(?:ays?)?|w(?:k|eeks?)?|m(?:in)?|mo)|[dh]s?|am|pm|hs|id|od|wk|` +
		`week(?:ly)?)(?:\s+prn)?|[bt]\.?i\.?d\.?|prn|daily|weekly|monthly|yearly|` +
		// first trimester, 24 2/7 weeks, 24+2, 24w2d
		`(?:first|second|third|1st|2nd|3rd)\s+trimester|\d{1,2}\s+[0-6]/7(?:\s*(?:` + span + `|ga))?|\d{1,2}\s?\+\s?[0-6](?:/7|/40)?|` +
		`\d{1,2}\s?w(?:k|eeks?)?\s?(?:and\s+)?[0-6]\s?d(?:ays?)?|[1-9]\d?/(?:7|52|12)\s+(?:ago|hx|history|old)|` +
		// 3/5 strength, 1/2 tab, 2/6 murmur, 10/10 pain, 120/80 mmHg, 20/40
		`(?:(?:bp|va|gcs|mmse|moca|strength|power|pain|motor|apgar|murmur|grade|score)\s*:?\s*)?\d{1,3}/\d{1,3}\s+(?:strength|power|murmur|` +
		`pain|tab(?:let)?s?|pack|ppd|cup|bottle|strips?|nodes?|cores?|lymph\s+nodes|positive|systolic(?:\s+murmur)?|sem|hsm|mm\s?hg|points?|` +
		`scale)|` +
		`(?:bp|va|gcs|mmse|moca|strength|power|pain|motor|apgar|murmur|grade|score)\s*:?\s*\d{1,3}/\d{1,3}|\d{2,3}/\d{2,3}\s*mm\s?hg|` +
		`\d{3}/\d{2,3}|` +
		// Spanish: ayer, hoy, mañana, hace 3 semanas, durante 2 días, cada 8 horas
		`(?:hoy|ayer|anteayer|mañana|pasado\s+mañana|anoche)(?:\s+por\s+la\s+(?:mañana|tarde|noche))?|` +
		`(?:hace|durante|por|en|cada|x|tras)\s+(?:\d{1,3}|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\s*(?:minutos?|horas?|h|` +
		`días?|dias?|d|noches?|semanas?|sem|mes(?:es)?|años?)|` +
		`(?:la\s+semana|el\s+mes|el\s+año)\s+(?:pasad[oa]|próxim[oa]|que\s+viene)` +
		`)\s*\.?\s*$`)
)

// relative reports whether s is a time relative to the note, a duration, a
// dose interval, a score or a measure.
// Ninety years and more could be an age that must not show, and are none.
func relative(s string) bool {
	if len(s) > 60 || !relativeForms.MatchString(s) {
		return false
	}
	old := false
	for i := 0; i < len(s); i++ {
		start := i
		for digitAt(s, i) {
			i++
		}
		old = old || number(s[start:i]) >= 90
	}
	return !old || !strings.ContainsAny(s, "yYñÑ")
}
