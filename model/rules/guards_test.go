package rules

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// medicine are phrases of notes that hold no PHI. They must come through
// untouched, alone and within a sentence.
var medicine = strings.Split(strings.TrimSpace(`
strength 5/5 throughout
motor 4/5 in the left deltoid
power 3/5 proximally, 4+/5 distally
2/6 systolic murmur at the base
Grade 3/6 holosystolic murmur
a III/VI murmur, grade 2/6
GCS 14/15
GCS 15/15 on arrival
GCS of 12/15, E3 V4 M5
MMSE 28/30
MoCA 22/30 today
PHQ-9 15/27, GAD-7 12/21
Apgars 8/9
Apgar 9 and 9 at 1 and 5 minutes
pain 7/10
pain 6/10 w/ cough, down to 3/10
BP 128/74
BP 142/84 in the right arm and 138/84 in the left
158/92 hr 94 rr 20 97.9 96% ra
T 98.6 F, HR 72
Temp 101.2 F
temp 99 F orally
1/2 tab daily
take 1/2 tablet at bedtime
1/2 ppd still
1 1/2 tablets
24 2/7 weeks
born at 39 0/7 weeks
ex 33 5/7 weeker
34+4 primip
3/7 hx of cough
6/52 history of back pain
r/v in 6/52
2/12 ago
TCI 3/12
L4-5 disc
L4-L5 and L5-S1
C5-6 and C6-7 stenosis
T12-L1 compression
S1-S2
Hgb 14.2, Plt 250
WBC 11.4, Hgb 9.8, Hct 29.4
K 3.7 -> 4.1
Na 138, K 4.2, Cl 102, HCO3 24
creatinine 1.1 (ref 0.6-1.2)
troponin 0.09 -> 1.42 (2h)
platelets 150-400
ref range 3.5-5.0
A1c 8.6
INR 2.3, goal 2-3
glucose 188, 164, 201
metformin 1000 mg BID
heparin bolus 4000 then 12/kg/h
heparin 5000 units SC
insulin glargine 20 units
oxycodone 5 mg, #15
amoxicillin 500 mg, #30, 2 refills
dispense #60
vancomycin 1.25 g q12h
epinephrine 1:1000
lidocaine 1% 10 mL
0.9% NaCl at 125 mL/h
2000 mL over 24 hours
1950 mL of urine
viral load 1500000 copies
colonies 100000 CFU
20/40
VA 20/20 OD, 20/25 OS
20/200 OS
-1.25 x 085
-2.50 +1.00 x 180
+21.5 D lens
6/9 and 6/12 unaided
IOP 14/15
N/C ratio
may repeat in 5 minutes
may increase to 10 mg
patient may 2-3 times a day
he may have been
march fractures of the foot
as may be needed
mark on the skin
will follow
gray sputum
hope to discharge soon
arrived at 1922
paged at 2015
called at 2010
meds given 0830
from 0700 to 1900
at 10:15
seen at 20:41
2:30 pm
1930 rec'd report
16F Foley
an 18 F sheath
14 French chest tube
placed a 6F catheter
walked 50 m
walked 300 ft
wt 93.4 kg
4.1 kg up
EF 45 to 50%
CABG x3
10/12 nodes negative
3/18 nodes positive
5/18 lymph nodes
Gleason 3+4=7
pT2 pN0
T1N0M0
ER 8/8, PR 7/8
O2 sat 95%
sats 92-94% on 2L
she sat up in bed
pt sat 20 min in chair
sun exposure
newly wed
mon ami
dec appetite
MAR reviewed
OCT shows thinning
Parkinson's disease
Babinski downgoing
Foley draining
Graves' disease
Colles' fracture
Hodgkin lymphoma
Wernicke encephalopathy
Apgar score
Sister Mary Joseph nodule
Christmas disease
MS Contin 30 mg
MR angiogram of the head
MR spectroscopy
the 5th digit
the 3rd metatarsal
2nd toe
first degree block
1st degree AV block
50th percentile
CN II-XII intact
2-3 beers
5-10 years
x 3 days
q4-6h
Q 12 h
POD 2
HD 3
2 weeks ago
for 3 months
age-appropriate
gestational age 32 weeks
bone age
serial ECGs
serial exams
lot of pain
a whole lot
case discussed
case reviewed with team
order placed
lab results pending
line placed
chart reviewed
MRN pending
phone call returned
fax pending
account of events
plan: continue
Plan 1) CT
policy discussed
member of the team
pin site clean
growth plate
volar plate
reg diet
CD20 positive
HLA-B27
SARS-CoV-2 PCR
COVID-19
vitamin B12
factor VIII
BRCA1
HER2 3+
Ki-67 20%
p53
G2P1001
G1P0
Braden 17
NIHSS 4
NYHA III
ASA 2
Mallampati 2
Tanner 4
ASIA D
MELD 18
PaO2/FiO2 200
FiO2 0.4
PEEP 5
TV 450
pH 7.31
pCO2 44
lactate 2.1
HR 80s
HR in the 60s
BP 110s/70s
SBP 94
sats in the 90s
200-400 mg
10-20 mg
1000-2000 mL
250-500 mL
3.5 x 28 mm at 14 atm
2 x 3 cm
10x10x12 mm
`), "\n")

func TestGuards(t *testing.T) {
	m := mustNew(t).NewMatcher()
	if len(medicine) < 100 {
		t.Errorf("%d phrases, want 100 or more", len(medicine))
	}
	for _, phrase := range medicine {
		for _, text := range []string{phrase, "Exam: " + phrase + ".", "\n- " + phrase + ",\n", "was noted; " + phrase + " and stable"} {
			for _, s := range m.Tag(nil, text, token.Tokenize(nil, text)) {
				t.Errorf("%q: %s %q", text, s.Type, text[s.Start:s.End])
			}
		}
	}
}
