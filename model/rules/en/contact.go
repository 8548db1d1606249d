package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// Triggered are the patterns that begin at no clear token; see trigger.
var Triggered = []pattern.Rule{
	{
		Name: "email", Type: phi.Email, Score: 0.99,
		Expr:  `[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._%+'’-]*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,24}\b`,
		Match: []string{"mail [[m.ibarra@example.org]].", "<[[awelmi83@example.net]]>", "[[José.Núñez+x@clínica.example]],"},
		Never: []string{"seen @ 1400", "gave 2@bedtime", "a@b"},
	},
	{
		Name: "url", Type: phi.URL, Score: 0.99,
		Expr:  `(?i:https?|ftps?|sftp|webcal)://[^\s<>"“”\[\]{}|]+`,
		Match: []string{"see [[https://avonside.example/sickle/travel]].", "([[http://10.1.2.3:8080/x?id=7]])"},
		Never: []string{"ratio 3://4"},
	},
	{
		Name: "host", Type: phi.URL, Score: 0.95,
		Expr: `(?i:www\.(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}|(?:[\p{L}\p{N}-]+\.)+(?:com|org|net|edu|gov|mil|info|biz|example|` +
			`nhs\.uk|(?:co|org|ac|gov)\.uk|(?:com|org|edu|gov|net)\.au|(?:co|org|govt|ac)\.nz|gc\.ca))\b(?::\d{2,5})?` +
			`(?:/[^\s<>"“”\[\]{}|]*)?`,
		Match: []string{
			"([[www.shandiin-silver.example]]), found", "on [[portal.huroncrest.example/hearttx]]", "at [[results.trust.nhs.uk]].",
		},
		Never: []string{"b.i.d. and q.h.s.", "well.Continue", "p.o.med", "stable.Information given"},
	},
}

// contactRules are network addresses and log-ins.
var contactRules = []pattern.Rule{
	{
		Name: "ipv4", Type: phi.IPAddress, Score: 0.95, Check: checkIPv4,
		Expr: `(\d{1,3}(?:\.\d{1,3}){3})\b(?:/\d{1,2}\b|:\d{2,5}\b)?`,
		Match: []string{"WORKSTATION [[10.42.7.118]]", "from [[192.0.2.44]], ok", "to [[10.42.7.118]]:8080", "in [[192.0.2.44]]/24",
			"[[192.0.2.44]],[[192.0.2.45]]"},
		Never: []string{"OID 1.2.840.10008.1.2", "v 300.1.1.1", "1.2.3.4.5"},
	},
	{
		Name: "ipv6", Type: phi.IPAddress, Score: 0.95, Check: checkIPv6,
		Expr:  `(?i:[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7})\b`,
		Match: []string{"from [[2001:db8:0:1::7a]] at"},
		Never: []string{"at 10:42:11", "ratio 1:2:3:4"},
	},
	{
		Name: "mac", Type: phi.Device, Score: 0.95, Check: checkMAC,
		Expr:  `(?i:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5})\b`,
		Match: []string{"adapter [[00:1B:44:11:3A:B7]]"},
		Never: []string{"10-20-30", "taper 60-50-40-30-20-10"},
	},
	{
		Name: "username", Type: phi.Username, Score: 0.85,
		Expr:  `(?i:user(?:<s>?name|<s>?id)?|log-?<s>?[io]n)<is>([A-Za-z][A-Za-z._-]{1,15}\d[A-Za-z0-9._-]*)\b`,
		Match: []string{"(nurse, login [[moduya11]])", "User: [[dquill2]]", "user id [[k.patel03]]"},
		Never: []string{"user of 2 canes", "user reports", "login page"},
	},
	{
		Name: "email-spoken", Type: phi.Email, Score: 0.93, Check: checkSpokenEmail,
		Expr: `(?:\(at\)|\[at\]|\(a\)|\b(?i:at)\b)<s>?[A-Za-z0-9-]+(?:(?:,?<s>(?i:dot)<s>|\.)[A-Za-z]{1,12}(?:<s>[a-z]\b)?){1,3}`,
		Match: []string{
			"email to [[pippa dot lowes at example dot com]] that", "☑  [[rodmuise(a)example.ca]]\n", "F · [[ild(at)nbh.example.ca]]\n",
			"or write to [[armand dot t at example dot ca]] full",
		},
		Never: []string{"seen at clinic.Next week", "look at me dot", "pain at rest dot phrase", "at home dot"},
	},
}

// phoneRules are telephone, pager and fax numbers.
var phoneRules = []pattern.Rule{
	{
		Name: "fax", Type: phi.Fax, Score: 0.98, Check: checkTel, Digits: true,
		Expr: `(?i:(?:tele)?fax(?:ed)?|facsimile|fx|t[eé]l[eé]c(?:opieur)?)(?:<s>+(?i:to|at|on|it))?<telis>(?:(?i:to|at|on)<s>+)?` +
			`(<tel><ext>)`,
		Match: []string{
			"fax [[(201) 555-0174]]", "faxed to [[973-555-0156]].", "Fax: [[02 5550 4128]]", "Téléc. [[819 555-0163]]",
			"fx [[401 555 0177]]",
		},
		Never: []string{"fx 5 ribs", "faxed 2 pages", "fax on 12/03/2019"},
	},
	{
		Name: "fax-to", Type: phi.Fax, Score: 0.96, Check: checkFaxTo, Digits: true,
		Expr:  `(?i:fax(?:ed)?|fx)\b[^\n.;\d]+(<tel>)`,
		Match: []string{"faxed txp summary to [[559-555-0114]]. ", "faxed to Limehouse Reach on [[020 7946 0188]]."},
		Never: []string{"fax pending, call 201-555-0148", "faxed on Monday 12/03/2019"},
	},
	{
		Name: "fax-letter", Type: phi.Fax, Score: 0.96, Check: checkTel10, Digits: true,
		Expr:  `\bF[:.]?<s>{0,3}(<tel>)`,
		Match: []string{"T 020 7946 0400  F [[020 7946 0419]]", "F: [[(251) 555-0141]]"},
		Never: []string{"F 16 100", "67 F 120"},
	},
	{
		Name: "phone-label", Type: phi.Phone, Score: 0.97, Check: checkTel, Digits: true,
		Expr: `(?i:tel(?:ephone)?(?:<s>no)?|phone[ds]?|ph|cell|mobile|mob|cb|call(?:ed)?(?:<s>?back)?|ring|rang|contact|home|work|` +
			`office|desk|pager|pgr|paged?|` +
			`beeper|bleep|hotline|helpline|landline|switchboard|line|direct|answering|t[eé]l)<telis>(?:(?i:on|at|to)<s>+)?(<tel><ext>)`,
		Match: []string{
			"cell [[(813) 555-0162]] on", "cb# [[201 555 0138]]", "mob [[0491570110]]", "pager [[201-555-0119]]",
			"Tel [[020 7946 0400 ext 2217]]", "Ring on [[01632 960677]].",
		},
		Never: []string{"phone 12/03/2019 1410", "home 2 L O2", "call 911", "work 2012-2019", "called 1410", "line 2 cm"},
	},
	{
		Name: "phone-letter", Type: phi.Phone, Score: 0.93, Check: checkTel10, Digits: true,
		Expr:  `\b(?i:h|c|w|t|m|p)[:.]?<s>{0,3}(<tel><ext>)`,
		Match: []string{"T [[020 7946 0400 ext 2217]]   F", "M [[0491 570 156]]", "c: [[715 555 0166]]"},
		Never: []string{"luz m   42-77-019   38f", "t 37.2 120 80"},
	},
	{
		Name: "pager", Type: phi.Phone, Score: 0.9,
		Expr:  `(?i:pager|pgr|paged?|beeper|bleep(?:ed)?|extension|ext|local|speed<s>?dial)<is>((?i:x<s>?)?\d{3,6})\b`,
		Match: []string{"bleep [[0471]], says", "ext [[4486]]", "(PAGE [[4417]]) AT", "Ext. [[x4107]]", "Pager [[31187]]."},
		Never: []string{"ext rotation 40", "page 2", "local 1% lidocaine", "paged at 1410", "paged 1030, 555", "ext 0355. says"},
		Check: checkPager,
	},
	{
		Name: "extension", Type: phi.Phone, Score: 0.8,
		Expr:  `\b[xX]\d{4,5}\b`,
		Match: []string{"desk [[x5520]], came"},
		Never: []string{"mag x40", "x1000 cells", "2x4402"},
		Check: checkExtension,
	},
	{
		Name: "phone-us", Type: phi.Phone, Score: 0.95, Check: checkNANP,
		Expr: `(?:\+?1[-. ]{0,2})?(?:\(\d{3}\)<s>{0,2}|\d{3}(?:<b>|<h>|[./]){1,2})\d{3}(?:<b>|<h>|\.){1,2}\d{4}\b<ext>`,
		Match: []string{
			"[[(201) 555-0186]], done", "[[440.555.0153]]", "[[1-800-555-0139]] got", "[[818-555-0178 x14]]", "[[(508)555-0148]]",
			"call [[715 555 0166]]", "on [[(201) 555–0186]]", "at [[201 555 0186]], [[201-555-0187]]/[[201-555-0188]]",
		},
		Never: []string{"100-200-3000", "01 555 0166"},
	},
	{
		Name: "phone-us-digits", Type: phi.Phone, Score: 0.7, Check: checkNANP,
		Expr:  `\(?\d{10}\)?\b`,
		Match: []string{"from [[4015550161]] at"},
		Never: []string{"1000000000", "0015550161"},
	},
	{
		Name: "phone-us-local", Type: phi.Phone, Score: 0.75, Check: checkLocal,
		Expr:  `[2-9]\d{2}[-.]\d{4}\b`,
		Match: []string{"wifes - [[555-0161]]  occ"},
		Never: []string{"250-1000 mg", "400-2000", "200-1200 mL/day", "12-555-0161"},
	},
	{
		Name: "phone-trunk", Type: phi.Phone, Score: 0.93, Check: checkTrunk,
		Expr: `\(?0\d{1,4}\)?(?:[-. ]{1,3}\d{3,6}){1,2}\b<ext>`,
		Match: []string{
			"[[07700 900285]] - not", "[[020 7946 0731]].", "[[02 5550 4000]].", "[[0491 570 156]]", "[[0800 555 0127]]",
			"[[07-555-0136]]", "[[01632 960900 bleep 0382]]", "[[0800 555 0127]] 24/7",
		},
		Never: []string{"0097-44-182", "07 03 58", "0.5 100 200", "02 sat 95", "0506-1183"},
	},
	{
		Name: "phone-trunk-digits", Type: phi.Phone, Score: 0.8,
		Expr:  `0[1-9]\d{8,9}\b`,
		Match: []string{"mob [[0491570158]]. kept", "[[07700900285]]"},
		Never: []string{"0012345678", "01234567"},
	},
	{
		Name: "phone-toll", Type: phi.Phone, Score: 0.85,
		Expr:  `\b(?:1[38]00<s>\d{3}<s>\d{3}|13<s>\d{2}<s>\d{2})\b`,
		Match: []string{"ring [[1800 555 013]]"},
		Never: []string{"1200 555 013", "1800 kcal"},
	},
	{
		Name: "phone-international", Type: phi.Phone, Score: 0.96, Check: checkTel, Digits: true,
		Expr:  `\+\d{1,3}(?:[-. ]{0,2}\(?\d{1,5}\)?){2,6}<ext>`,
		Match: []string{"[[+353 20 915 4467]] 12/03/2019", "[[+353 20 915 4467]].", "[[+14015550138]]", "[[+44 (0)1632 960722]]"},
		Never: []string{"+21.5 D", "+1 edema", "+ 3 4 5"},
	},
}
