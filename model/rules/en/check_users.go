package en

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// noUsers are words that follow "user", "login" or "signed by" and are no
// log-in, in lower case.
var noUsers = pattern.Words(`period comma colon slash paragraph call of page screen name names id since for with and or who denies
	reports in is was are has had friendly guide manual account accounts info information password problem problems issue issues none
	unknown na patient patients pt proxy mother father parent parents guardian wife husband spouse family attending provider physician
	doctor nurse staff team resident fellow np pa md do rn triage clinic home office pharmacy phone iphone ipad mobile lab work school
	hospital web portal email daily weekly now today currently heavy former current past active chronic long occasional regular tobacco
	iv cannabis marijuana opioid alcohol drug bars stress stuff it this that the a an her his their my our as to at on by from
	electronic system auto automatically interface machine device consent self other someone everyone both agency secretary clerk scribe
	author reviewer dictation transcription error note notes letter friends groups group page pages app pages post posts live
	marketplace messages message dating account`)

// checkUserLabel wants a log-in: a digit or a mark in it, or a colon, bracket
// or name of a system before it.
func checkUserLabel(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	for len(s) > 0 && strings.IndexByte("._-", s[len(s)-1]) >= 0 {
		s = s[:len(s)-1]
	}
	c.End = c.Start + len(s)
	low := strings.ToLower(s)
	if len(s) < 3 || noUsers[low] || noNames[low] || pattern.Units[low] {
		return false
	}
	if pattern.CountDigits(s) > 0 || strings.ContainsAny(s, "_.") && !strings.HasSuffix(s, ".") {
		return true
	}
	label := strings.ToLower(text[c.From:c.Start])
	if strings.ContainsAny(label, ":=@") {
		return !pattern.Capital(s) || pattern.AllCapital(s)
	}
	opened := pattern.ByteAt(text, c.From-1) == '(' || strings.ContainsAny(label, "([") || strings.HasPrefix(label, "emis")
	named := strings.HasPrefix(label, "username") || strings.HasPrefix(label, "user name") || strings.HasPrefix(label, "logged")
	closed := pattern.LineEnd(text, c.End) || pattern.ByteAt(text, c.End) == ')' || pattern.ByteAt(text, c.End) == ']'
	return (opened || named) && closed && s == low
}

// checkUserDerived wants a log-in made of a name that stands before it: the
// initial and the surname, or the surname and the initial.
func checkUserDerived(text string, c *pattern.Candidate) bool {
	return madeOfNames(strings.TrimRight(c.Text(text), "0123456789"), text[max(0, c.Start-120):c.Start])
}

// madeOfNames reports whether the log-in u, in lower case, is made of names in
// the text before it.
func madeOfNames(u, before string) bool {
	if len(u) < 4 || !mayDerive(u, before) {
		return false
	}
	var names [16]string
	n := 0
	for len(before) > 0 && n < len(names) {
		i := strings.IndexFunc(before, unicode.IsLetter)
		if i < 0 {
			break
		}
		before = before[i:]
		j := strings.IndexFunc(before, func(r rune) bool {
			return !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’'
		})
		if j < 0 {
			j = len(before)
		}
		names[n] = letters(before[:j])
		n++
		before = before[j:]
		if n == len(names) && len(before) > 0 { // keep the latest
			copy(names[:], names[1:])
			n--
		}
	}
	for i := 0; i+1 < n; i++ {
		// The surname follows the given name or its initial at once, or comes first.
		if derived(u, names[i], names[i+1]) || derived(u, names[i+1], names[i]) {
			return true
		}
	}
	return false
}

// mayDerive reports whether text holds, whatever the case and with marks in
// between, three letters that begin the surname of which a log-in u is made:
// its first or those behind an initial. It is quick, and most words fail it.
func mayDerive(u, text string) bool {
	var last [3]byte
	for i := range len(text) {
		b := text[i]
		if b >= utf8.RuneSelf {
			return true // let letters see
		}
		if b |= 0x20; b < 'a' || b > 'z' {
			continue
		}
		last = [3]byte{last[1], last[2], b}
		if s := string(last[:]); s == u[:3] || s == u[1:4] {
			return true
		}
	}
	return false
}

// jsonKey reports whether what ends at end is the name of a field in JSON.
func jsonKey(text string, end int) bool { return strings.HasPrefix(text[end:], "\":") }

// lettersBack moves the span back over letters from lo to hi and returns how
// many; 0 where there are more than most, or where they are part of a word.
func lettersBack(text string, c *pattern.Candidate, lo, hi byte, most int) int {
	n := 0
	for c.Start > 0 && text[c.Start-1] >= lo && text[c.Start-1] <= hi && n <= most {
		c.Start--
		n++
	}
	if n > most || c.Start > 0 && pattern.IsWord(pattern.LastRune(text[:c.Start])) {
		return 0
	}
	return n
}

// letters returns the letters of s in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// derived reports whether u is made of a given name and a surname.
func derived(u, given, surname string) bool {
	if given == "" || len(surname) < 3 {
		return false
	}
	rest, ok := strings.CutPrefix(u, given[:1])
	if ok && len(rest) >= 3 && strings.HasPrefix(surname, rest) {
		return true
	}
	rest, ok = strings.CutSuffix(u, given[:1])
	return ok && len(rest) >= 3 && strings.HasPrefix(surname, rest)
}

// checkDictation wants the line of initials that closes a dictated letter:
// alone, or before a job number or the times of dictation, and with a signature
// above it.
func checkDictation(text string, c *pattern.Candidate) bool {
	return pattern.LineStart(text, c.Start) && dictated(text, c.To, c.From) && !noInitials[strings.ToLower(strings.Trim(c.Text(text), "."))]
}

// dictated reports whether text[to:] ends the line or tells of dictation, and
// whether the lines above sign a letter.
func dictated(text string, to, from int) bool {
	i := pattern.SkipBlanks(text, to)
	rest := text[i:]
	if pattern.ByteAt(text, to) == '/' {
		j := to + 1
		for j < len(text) && pattern.ASCIIWordByte(text[j]) {
			j++
		}
		rest = text[pattern.SkipBlanks(text, j):]
	}
	tail := rest == "" || rest[0] == '\n' || rest[0] == '\r'
	for _, p := range [...]string{"D:", "T:", "d:", "t:", "DD", "DT", "Job", "job", "JOB", "Doc", "Hosp", "Conf", "cc", "CC", "#"} {
		tail = tail || strings.HasPrefix(rest, p)
	}
	if !tail {
		return false
	}
	above := strings.ToLower(text[max(0, from-250):from])
	for _, p := range [...]string{"sincerely", "regards", "dictat", "signed", "wishes", "faithfully", "thank you", "fracgp", "fac", "frc"} {
		if strings.Contains(above, p) {
			return true
		}
	}
	for _, w := range strings.FieldsFunc(above, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if w == "md" || w == "do" || w == "mbbs" || w == "mbchb" || w == "dr" || w == "np" || w == "phd" {
			return true
		}
	}
	return false
}

// noInitials are short forms of notes that are nobody's initials, in lower case.
var noInitials = pattern.Words(`ed er or icu ccu micu sicu nicu picu hdu pacu snf ltc pt ot st rt md do rn np pa ma rd sw cm us usa uk
	ct mr mri xr cxr ekg ecg eeg emg echo pet cta mra us dx hx rx tx sx fx pa lat iv im po pr sc sl ng bp hr rr o2 ra sat na k cl co bun
	cr wbc rbc hgb hct plt inr pt ptt bnp tsh a1c lft cbc bmp cmp ua nad wnl nkda nka dnr dni full code asa nsr afib chf cad copd ckd
	esrd dm htn hld mi cva tia dvt pe uti uri gerd heent cv resp abd gi gu msk neuro psych ext skin gen hpi pmh psh fh sh ros pe cc s o
	a p imp a/p sob cp n/v n v d c/o f/u s/p r/o w/u d/c no yes ok the and for not but with from into that this than then she his her
	him was are has had can may who why how day new old one two out off per via due to of in on at by as is it if so up we he me my be
	us an mom dad son bed lab qd bid tid qid prn hs ac pc am pm cta rrr ctab perrl eomi jvp jvd mmm ntnd nt nd bs lle rle lue rue le ue
	bka aka tah bso rom wfl poc los anc afb mrn dob ssn tel fax dos doa edd ga lmp tr ar mvr avr tavr ef lv rv lvef rvsp vt vf svt pvc
	pac bbb si hi ah vh od os ou va iop nil mls abx ngt foley npo tpn ivf end eom eos tbd tba pcp gp ob gyn ent aj hb ig ca mg ph ok kub
	fob ro po io xx xxx nec ii iii iv dc ad hd pd na un wt ht bmi sao spo`)
