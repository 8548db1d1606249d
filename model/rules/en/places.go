package en

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// placeRules are streets, boxes, cities and states by each other, wards and rooms.
var placeRules = []pattern.Rule{
	{
		Name: "street", Type: phi.Street, Score: 0.93, Check: checkStreet,
		Expr: `\b(?i:street|st|road|rd|avenue|ave|av|drive|dr|lane|ln|boulevard|blvd|court|ct|place|pl|terrace|ter|way|parkway|pkwy|` +
			`plaza|highway|hwy|` +
			`crescent|cres|circle|cir|row|steps|reach|loop|lp|bend|hollow|wynd|close|mews|gardens|gdns|grove|rise|square|sq|yard|quay|` +
			`trail|trl|alley|knoll|` +
			`bluff|ridge|crossing|landing|link|esplanade|parade|pde|circuit|cct|vale|brae|gate|walk|hill|park|point|view|commons|` +
			`turnpike|tpke|freightway|` +
			`freeway|expressway|pike|path|run|cove|heights|hts|island|springs|green|fold|croft|villas|buildings|house|cottages?|lodge|` +
			`court)\b\.?` +
			`(?:<s>(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West|upper|lower|upr|lwr)\b)?` +
			`(?:,?<s>(?:(?i:apt|apartment|suite|ste|unit|flat|fl|rm|room|level|lot|bldg|building|trlr)\b\.?<s>?#?<s>?` +
			`(?:[A-Z]?\d{1,5}[A-Za-z]?|[A-Z])\b|#<s>?\d+[A-Za-z]?\b|\d{1,3}[A-Z]\b))?`,
		Match: []string{
			"lives at [[14 Atkinson Lane]], Oak", "[[2200 Stettin Mill Drive, Suite 140]], Wausau", "[[389 Fayette Row, Apt 3B]], Perth",
			"[[Flat 22, 9 Ropewright Street]] E14", "[[3/26 Pallister Street]], Oak", "on [[Alder Street]] side",
			"[[71 POCASSET STEPS]]  REAR", "[[1020 N Huerta Ave]], Tucson", "[[8B Mesquite Court]], up", "the [[128th Street]] bus",
			"[[49 Locust Heights Pl]], and", "[[N4471 Tamarack Ridge Rd]], Merrill", "off [[Chaco Wash Rd]].",
			"[[41 tanpit road]] again", "at [[904 Verdugo Crest Dr]], Glendale", "[[300 East Paloverde Plaza, Suite 2]]\n",
			"in [[Martin Luther King Jr. Blvd]] today",
		},
		Never: []string{
			"2 Drive belts", "walks up 14 STEPS", "PT FELL DOWN FLIGHT OF STEPS", "ST depression", "6 Minute Walk", "3 Point Gait",
			"12 Lead View", "2 View Chest", "take 1 tab a different way", "Right Of Way", "lives on the street",
			"saw 2 large stones in a row", "5 Hole Plate", "No. 1 Road To Recovery:", "the road to recovery", "Lateral View",
			"in the Place", "40 Units Per Run", "Dr. Park", "5 Nursing Home",
		},
	},
	{
		Name: "street-fr", Type: phi.Street, Score: 0.92, Check: checkRue,
		Expr: `(?:\d{1,5},?<s>)?(?i:rue|boulevard|boul\.|chemin|avenue|av\.|c[oô]te|rang|mont[ée]e|place|all[ée]e|ruelle)<s>` +
			`(?:(?i:de|du|des|de<s>la|saint|sainte)[- ]|de<s>l['’]|d['’]|l['’]){0,3}<n>(?:[- ]<n>)?` +
			`(?:,<s>(?i:bureau|app\.?|appartement|porte)<s>\d+)?`,
		Match: []string{"[[1180, boulevard Saint-Alcide, bureau 204]], Gatineau", "[[47, rue des Érablières]] in"},
		Never: []string{"avenue of treatment", "in place of Clindamycin", "en place", "boulevard"},
	},
	{
		Name: "po-box", Type: phi.Street, Score: 0.96,
		Expr: `(?i:p\.?<s>?o\.?<s>?box|post<s>office<s>box|g\.?p\.?o\.?<s>box|locked<s>bag|private<s>bag)<s>?#?<s>?\d{1,6}\b|` +
			`(?i:rt|rte|route|rr|rd|hc|star<s>rt)\.?<s>?#?\d{1,3},?<s>(?i:box)<s>?#?\d{1,6}\b`,
		Match: []string{"mail to [[PO Box 118]]\n", "[[P.O. Box 4310]], Cleveland", "[[Rt 1 Box 44]].", "[[RR 2, Box 17]]"},
		Never: []string{"po box of tissues", "route 2 box", "PO 1 tab"},
	},
	{
		Name: "city-zip", Type: phi.City, Score: 0.92, Check: checkCityBack,
		Expr: `\b(?:(?:<st>|<statename>)[.,)]{0,2}<s>{1,4}\d{5}(?:-\d{4})?\b|<province>[.,)]{0,2}<s>{1,4}[A-Z]\d[A-Z]<s>?\d[A-Z]\d\b|` +
			`(?:NSW|VIC|Vic|QLD|Qld|SA|WA|TAS|Tas|ACT)<s>{1,4}\d{4}\b)`,
		Match: []string{
			"[[Kearny]], NJ 07032", "[[Perth Amboy]] NJ 08861", "[[Winnipeg]] MB R3B 2T9", "[[Sunnybank]] QLD 4109",
			"[[Tucson]], Arizona 85701", "[[OTTAWA]] ON  K1R 0B4", "[[St. Paul]], MN 55101", "[[San Jose]], CA 95122",
		},
		Never: []string{"Vitamin OR 12000 units", "Notify MD 12000"},
	},
	{
		Name: "city-state", Type: phi.City, Score: 0.85, Check: checkCityComma,
		Expr: `\b(?:A[KLRZ]|C[AOT]|DE|FL|GA|I[ALN]|K[SY]|MN|MO|N[CDEHJMVY]|OH|RI|S[CD]|T[NX]|UT|VT|W[AIVY]|AB|BC|MB|NB|NS|ON|QC|SK|NSW|` +
			`QLD|VIC|TAS|<statename>|<provincename>|<countryname>)\b`,
		Match: []string{
			"from [[Pasadena]], California", "[[Mobile]], Alabama\n", "[[Surrey]], BC V3W 4K9", "came from [[Iloilo]], Philippines",
			"[[Mandeville]], Jamaica,", "in [[Grand Rapids]], MN",
		},
		Never: []string{"Smith, MD", "Jones, PA", "Wednesday, NY", "Smith, Virginia"},
	},
	{
		Name: "state-zip", Type: phi.State, Score: 0.94, Check: checkStateZIP,
		Expr:  `\b(<st>|<province>|<statename>)[.,)]{0,2}<s>{1,4}(?:\d{5}(?:-\d{4})?\b|[A-Z]\d[A-Z]<s>?\d[A-Z]\d\b|\d{4}\b)`,
		Match: []string{"Kearny, [[NJ]] 07032", "Ottawa [[ON]]  K1R 0B4", "Punchbowl [[NSW]] 2196", "Lafayette, [[Louisiana]] 70503"},
		Never: []string{"PA 12000 units", "ON 2019", "telephone, ID 30855", "SA 2000 mL", "WA 50 m"},
	},
	{
		Name: "state-licence", Type: phi.State, Score: 0.85,
		Expr: `\b(<st>)<s>(?:(?i:lic|licen[cs]e[ds]?|plates?|driver'?s|resident|medicaid|workers'?<s>comp|pmp|pdmp|cures)\b|ID<s>` +
			`(?:card|replaced|number|no))`,
		Match: []string{"DPT   [[NM]] lic PT-06618", "[[AZ]] ID replaced", "[[NJ]] PMP checked"},
		Never: []string{"IN resident's room", "OR plate", "or license", "ME license"},
		Check: checkStateLicence,
	},
	{
		Name: "ward-number", Type: phi.Hospital, Score: 0.85, Check: checkWard, Digits: true,
		Expr:  `\b((?:Ward|WARD|ward)<s>\d{1,3}[A-Z]?(?:<s>(?:North|South|East|West)\b)?)`,
		Match: []string{"on [[Ward 2 North]] at", "[[Ward 11]], bay"},
		Never: []string{"ward 2 units", "Ward 2 weeks", "ward round 2"},
	},
	{
		Name: "room", Type: phi.Room, Score: 0.85, Check: checkRoom,
		Expr: `\b(?i:room|rm|bed|cubicle|bay|bays|chair|station|theatre|suite|ste|resus|stretcher|gurney|hallway|hall|cot|isolette|crib|` +
			`side<s>room|treatment<s>room|exam<s>room|triage<s>room|trauma<s>bay|lab|ensuite)` +
			`(?:<s>(?i:no|number|bed)\b\.?|<s>?[:#])?<s>*([A-Za-z]{0,2}<h>?\d{1,5}(?:<h>?[A-Za-z0-9]{1,3})?|[A-H]\b)\b`,
		Match: []string{
			"Rm [[5114-A]], night", "bed [[T3]]   06", "in room [[417]].", "cubicle [[9]].", "bay [[C]] bed [[4]]", "Suite [[210]]",
			"Room: [[12B]]", "chair [[11]] ",
		},
		Never: []string{"EBUS station 7, pass 1", "SUVmax 3.1 at station 5, no", "length 1 cm, station -2, soft",
			"room air 96%", "RA 94% on room 2 L", "bed rest", "bed 2 weeks", "chair 2 hours", "bed 4 times a day", "bed x2",
			"OOB to chair 3x/day", "lab 3.5", "bed 30 degrees", "bed to chair", "lab 12/3", "Lab 2019", "chair 5/5", "bed A+Ox3",
			"bed 1730", "STE 3MM V2", "wet the bed 3 nights", "Station 4L node", "station 5, 13 mm", "suite 0800",
		},
	},
}

// placeMacros are the names of states and countries. Some are names of
// people or things too; the checks tell.
var placeMacros = map[string]string{
	"st":       `(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|V[TAI]|W[AVIY])`,
	"province": `(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PEI?|QC|SK|YT|NSW|N\.S\.W\.|VIC|Vic|QLD|Qld|SA|WA|TAS|Tas|ACT)`,
	"statename": `(?i:alabama|alaska|american<s>samoa|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|guam|` +
		`hawai['’]?i|idaho|illinois|` +
		`indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|` +
		`nebraska|nevada|new<s>(?:hampshire|jersey|mexico|york)|(?:north|south)<s>(?:carolina|dakota)|ohio|oklahoma|oregon|` +
		`pennsylvania|rhode<s>island|tennessee|texas|utah|vermont|(?:west<s>)?virginia|washington|wisconsin|wyoming)`,
	"provincename": `(?:Alberta|British<s>Columbia|Manitoba|New<s>Brunswick|Newfoundland|Nova<s>Scotia|Nunavut|Ontario|` +
		`Prince<s>Edward<s>Island|Qu[eé]bec|Saskatchewan|Yukon|` +
		`New<s>South<s>Wales|Queensland|South<s>Australia|Tasmania|Western<s>Australia)`,
	"countryname": `(?i:afghanistan|albania|algeria|angola|argentina|armenia|australia|austria|azerbaijan|bahamas|bahrain|bangladesh|` +
		`barbados|belarus|belgium|belize|benin|bhutan|bolivia|` +
		`bosnia|botswana|brazil|brunei|bulgaria|burkina<s>faso|burma|burundi|cambodia|cameroon|canada|cape<s>verde|chad|chile|china|` +
		`colombia|congo|costa<s>rica|croatia|cuba|cyprus|` +
		`czech<s>republic|denmark|djibouti|dominica|dominican<s>republic|ecuador|egypt|el<s>salvador|england|eritrea|estonia|ethiopia|` +
		`fiji|finland|france|gabon|gambia|germany|ghana|greece|` +
		`grenada|guatemala|guinea|guyana|haiti|honduras|hong<s>kong|hungary|iceland|india|indonesia|iran|iraq|ireland|israel|italy|` +
		`ivory<s>coast|jamaica|japan|jordan|kazakhstan|kenya|kosovo|kuwait|` +
		`kyrgyzstan|laos|latvia|lebanon|lesotho|liberia|libya|lithuania|luxembourg|macedonia|madagascar|malawi|malaysia|maldives|mali|` +
		`malta|mauritania|mauritius|mexico|moldova|mongolia|` +
		`montenegro|morocco|mozambique|myanmar|namibia|nepal|netherlands|new<s>zealand|nicaragua|niger|nigeria|north<s>korea|` +
		`northern<s>ireland|norway|oman|pakistan|palestine|panama|papua<s>new<s>guinea|` +
		`paraguay|peru|philippines|poland|portugal|puerto<s>rico|qatar|romania|russia|rwanda|samoa|saudi<s>arabia|scotland|senegal|` +
		`serbia|sierra<s>leone|singapore|slovakia|slovenia|somalia|` +
		`south<s>africa|south<s>korea|south<s>sudan|spain|sri<s>lanka|sudan|suriname|sweden|switzerland|syria|taiwan|tajikistan|` +
		`tanzania|thailand|togo|tonga|trinidad|tunisia|turkey|t[uü]rkiye|` +
		`turkmenistan|uganda|ukraine|united<s>arab<s>emirates|united<s>kingdom|united<s>states(?:<s>of<s>america)?|uruguay|uzbekistan|` +
		`venezuela|viet<s>?nam|wales|yemen|zambia|zimbabwe)|U\.?S\.A\.?|USA|U\.K\.|UK`,
}
