package rules

import "github.com/palimpsest-deid/palimpsest/model/phi"

// englishTriggered are the patterns that begin at no clear token; see trigger.
var englishTriggered = []rule{
	{
		name: "email", typ: phi.Email, score: 0.99,
		expr:  `[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._%+'’-]*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,24}\b`,
		match: []string{"mail [[m.ibarra@example.org]].", "<[[awelmi83@example.net]]>", "[[José.Núñez+x@clínica.example]],"},
		never: []string{"seen @ 1400", "gave 2@bedtime", "a@b"},
	},
	{
		name: "url", typ: phi.URL, score: 0.99,
		expr:  `(?i:https?|ftps?|sftp|webcal)://[^\s<>"“”\[\]{}|]+`,
		match: []string{"see [[https://avonside.example/sickle/travel]].", "([[http://10.1.2.3:8080/x?id=7]])"},
		never: []string{"ratio 3://4"},
	},
	{
		name: "host", typ: phi.URL, score: 0.95,
		expr: `(?i:www\.(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}|(?:[\p{L}\p{N}-]+\.)+(?:com|org|net|edu|gov|mil|info|biz|example|` +
			`nhs\.uk|(?:co|org|ac|gov)\.uk|(?:com|org|edu|gov|net)\.au|(?:co|org|govt|ac)\.nz|gc\.ca))\b(?::\d{2,5})?(?:/[^\s<>"“”\[\]{}|]*)?`,
		match: []string{"([[www.shandiin-silver.example]]), found", "on [[portal.huroncrest.example/hearttx]]", "at [[results.trust.nhs.uk]]."},
		never: []string{"b.i.d. and q.h.s.", "well.Continue", "p.o.med", "stable.Information given"},
	},
}

// englishContacts are network addresses and log-ins.
var englishContacts = []rule{
	{
		name: "ipv4", typ: phi.IPAddress, score: 0.95, check: checkIPv4,
		expr:  `(\d{1,3}(?:\.\d{1,3}){3})\b(?:/\d{1,2}\b|:\d{2,5}\b)?`,
		match: []string{"WORKSTATION [[10.42.7.118]]", "from [[192.0.2.44]], ok"},
		never: []string{"OID 1.2.840.10008.1.2", "v 300.1.1.1", "1.2.3.4.5"},
	},
	{
		name: "ipv6", typ: phi.IPAddress, score: 0.95, check: checkIPv6,
		expr:  `(?i:[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7})\b`,
		match: []string{"from [[2001:db8:0:1::7a]] at"},
		never: []string{"at 10:42:11", "ratio 1:2:3:4"},
	},
	{
		name: "mac", typ: phi.Device, score: 0.95, check: checkMAC,
		expr:  `(?i:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5})\b`,
		match: []string{"adapter [[00:1B:44:11:3A:B7]]"},
		never: []string{"10-20-30", "taper 60-50-40-30-20-10"},
	},
	{
		name: "username", typ: phi.Username, score: 0.85,
		expr:  `(?i:user(?:<s>?name|<s>?id)?|log-?<s>?[io]n)<is>([A-Za-z][A-Za-z._-]{1,15}\d[A-Za-z0-9._-]*)\b`,
		match: []string{"(nurse, login [[moduya11]])", "User: [[dquill2]]", "user id [[k.patel03]]"},
		never: []string{"user of 2 canes", "user reports", "login page"},
	},
	{
		name: "email-spoken", typ: phi.Email, score: 0.93, check: checkSpokenEmail,
		expr:  `(?:\(at\)|\[at\]|\(a\)|\b(?i:at)\b)<s>?[A-Za-z0-9-]+(?:(?:,?<s>(?i:dot)<s>|\.)[A-Za-z]{1,12}(?:<s>[a-z]\b)?){1,3}`,
		match: []string{"email to [[pippa dot lowes at example dot com]] that", "☑  [[rodmuise(a)example.ca]]\n", "F · [[ild(at)nbh.example.ca]]\n", "or write to [[armand dot t at example dot ca]] full"},
		never: []string{"seen at clinic.Next week", "look at me dot", "pain at rest dot phrase", "at home dot"},
	},
}

// englishPhones are telephone, pager and fax numbers.
var englishPhones = []rule{
	{
		name: "fax", typ: phi.Fax, score: 0.98, check: checkTel, digits: true,
		expr:  `(?i:(?:tele)?fax(?:ed)?|facsimile|fx|t[eé]l[eé]c(?:opieur)?)(?:<s>+(?i:to|at|on|it))?<telis>(?:(?i:to|at|on)<s>+)?(<tel><ext>)`,
		match: []string{"fax [[(201) 555-0174]]", "faxed to [[973-555-0156]].", "Fax: [[02 5550 4128]]", "Téléc. [[819 555-0163]]", "fx [[401 555 0177]]"},
		never: []string{"fx 5 ribs", "faxed 2 pages", "fax on 12/03/2019"},
	},
	{
		name: "fax-to", typ: phi.Fax, score: 0.96, check: checkFaxTo, digits: true,
		expr:  `(?i:fax(?:ed)?|fx)\b[^\n.;\d]+(<tel>)`,
		match: []string{"faxed txp summary to [[559-555-0114]]. ", "faxed to Limehouse Reach on [[020 7946 0188]]."},
		never: []string{"fax pending, call 201-555-0148", "faxed on Monday 12/03/2019"},
	},
	{
		name: "fax-letter", typ: phi.Fax, score: 0.96, check: checkTel10, digits: true,
		expr:  `\bF[:.]?<s>{0,3}(<tel>)`,
		match: []string{"T 020 7946 0400  F [[020 7946 0419]]", "F: [[(251) 555-0141]]"},
		never: []string{"F 16 100", "67 F 120"},
	},
	{
		name: "phone-label", typ: phi.Phone, score: 0.97, check: checkTel, digits: true,
		expr: `(?i:tel(?:ephone)?(?:<s>no)?|phone[ds]?|ph|cell|mobile|mob|cb|call(?:ed)?(?:<s>?back)?|ring|rang|contact|home|work|office|desk|pager|pgr|paged?|` +
			`beeper|bleep|hotline|helpline|landline|switchboard|line|direct|answering|t[eé]l)<telis>(?:(?i:on|at|to)<s>+)?(<tel><ext>)`,
		match: []string{"cell [[(813) 555-0162]] on", "cb# [[201 555 0138]]", "mob [[0491570110]]", "pager [[201-555-0119]]", "Tel [[020 7946 0400 ext 2217]]", "Ring on [[01632 960677]]."},
		never: []string{"phone 12/03/2019 1410", "home 2 L O2", "call 911", "work 2012-2019", "called 1410", "line 2 cm"},
	},
	{
		name: "phone-letter", typ: phi.Phone, score: 0.93, check: checkTel10, digits: true,
		expr:  `\b(?i:h|c|w|t|m|p)[:.]?<s>{0,3}(<tel><ext>)`,
		match: []string{"T [[020 7946 0400 ext 2217]]   F", "M [[0491 570 156]]", "c: [[715 555 0166]]"},
		never: []string{"luz m   42-77-019   38f", "t 37.2 120 80"},
	},
	{
		name: "pager", typ: phi.Phone, score: 0.9,
		expr:  `(?i:pager|pgr|paged?|beeper|bleep(?:ed)?|extension|ext|local|speed<s>?dial)<is>((?i:x<s>?)?\d{3,6})\b`,
		match: []string{"bleep [[0471]], says", "ext [[4486]]", "(PAGE [[4417]]) AT", "Ext. [[x4107]]", "Pager [[31187]]."},
		never: []string{"ext rotation 40", "page 2", "local 1% lidocaine", "paged at 1410", "paged 1030, 555", "ext 0355. says"},
		check: checkPager,
	},
	{
		name: "extension", typ: phi.Phone, score: 0.8,
		expr:  `\b[xX]\d{4,5}\b`,
		match: []string{"desk [[x5520]], came"},
		never: []string{"mag x40", "x1000 cells", "2x4402"},
		check: checkExtension,
	},
	{
		name: "phone-us", typ: phi.Phone, score: 0.95, check: checkNANP,
		expr:  `(?:\+?1[-. ]{0,2})?(?:\(\d{3}\)<s>{0,2}|\d{3}[-. /\x{2010}\x{2011}]{1,2})\d{3}[-. \x{2010}\x{2011}]{1,2}\d{4}\b<ext>`,
		match: []string{"[[(201) 555-0186]], done", "[[440.555.0153]]", "[[1-800-555-0139]] got", "[[818-555-0178 x14]]", "[[(508)555-0148]]", "call [[715 555 0166]]"},
		never: []string{"100-200-3000", "01 555 0166"},
	},
	{
		name: "phone-us-digits", typ: phi.Phone, score: 0.7, check: checkNANP,
		expr:  `\(?\d{10}\)?\b`,
		match: []string{"from [[4015550161]] at"},
		never: []string{"1000000000", "0015550161"},
	},
	{
		name: "phone-us-local", typ: phi.Phone, score: 0.75, check: checkLocal,
		expr:  `[2-9]\d{2}[-.]\d{4}\b`,
		match: []string{"wifes - [[555-0161]]  occ"},
		never: []string{"250-1000 mg", "400-2000", "200-1200 mL/day", "12-555-0161"},
	},
	{
		name: "phone-trunk", typ: phi.Phone, score: 0.93, check: checkTrunk,
		expr:  `\(?0\d{1,4}\)?(?:[-. ]{1,3}\d{3,6}){1,2}\b<ext>`,
		match: []string{"[[07700 900285]] - not", "[[020 7946 0731]].", "[[02 5550 4000]].", "[[0491 570 156]]", "[[0800 555 0127]]", "[[07-555-0136]]", "[[01632 960900 bleep 0382]]", "[[0800 555 0127]] 24/7"},
		never: []string{"0097-44-182", "07 03 58", "0.5 100 200", "02 sat 95", "0506-1183"},
	},
	{
		name: "phone-trunk-digits", typ: phi.Phone, score: 0.8,
		expr:  `0[1-9]\d{8,9}\b`,
		match: []string{"mob [[0491570158]]. kept", "[[07700900285]]"},
		never: []string{"0012345678", "01234567"},
	},
	{
		name: "phone-toll", typ: phi.Phone, score: 0.85,
		expr:  `\b(?:1[38]00<s>\d{3}<s>\d{3}|13<s>\d{2}<s>\d{2})\b`,
		match: []string{"ring [[1800 555 013]]"},
		never: []string{"1200 555 013", "1800 kcal"},
	},
	{
		name: "phone-international", typ: phi.Phone, score: 0.96, check: checkTel, digits: true,
		expr:  `\+\d{1,3}(?:[-. ]{0,2}\(?\d{1,5}\)?){2,6}<ext>`,
		match: []string{"[[+353 20 915 4467]].", "[[+14015550138]]", "[[+44 (0)1632 960722]]"},
		never: []string{"+21.5 D", "+1 edema", "+ 3 4 5"},
	},
}
