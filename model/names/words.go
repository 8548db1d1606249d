package names

import (
	"maps"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Titles come before names.
var Titles = Set(`mr mrs ms miss mx dr drs doctor prof professor sister nurse patient pt sir lady dame madam rev reverend father fr
	captain sgt sra sr srta dra dña mme mlle madame mademoiselle monsieur pere soeur frere frau herr`)

var DoctorTitles = Set("dr drs doctor prof professor nurse dra")

// Ranks come before names too: of services, churches and courts. Many are words
// of their own ("lt", "major"), so they tell nothing of a text; within a name
// that was found they are no part of it.
var Ranks = Set(`pvt pte pfc cpl lcpl sgt ssgt sfc msgt gysgt sgtmaj csm cpo scpo mcpo wo cwo lt 2lt 1lt ltjg ens capt cpt maj ltc ltcol
	col bg brig maj gen adm vadm radm cdr cmdr lcdr ltcdr cmdre flt sqn wgcdr gpcapt plt amn sra tsgt smsgt cmsgt spc private corporal
	sergeant lieutenant major colonel commander admiral brigadier commodore constable pc officer det detective deputy sheriff inspector chief
	bishop archbishop deacon pastor rabbi imam sheikh shaykh cantor chaplain monsignor msgr cardinal vicar judge hon councillor cllr senator
	coordinator nurse matron consultant registrar midwife paramedic interpreter drs ddr doña herr frau mme mlle monsieur madame señor señora`)

var (
	HospitalHeads = Set(`hospital hospitals infirmary clinic clinics sanatorium hospice hospiz icu ed ward surgery healthcare
		maternity hosp polyclinic`)
	SchoolWords = Set(`school college academy kindergarten preschool study degree senior student students graduate
		freshman sophomore junior teacher teaches grade employer employed bank church mosque temple parish synagogue pharmacy farm
		farms garage insurance club foods market store restaurant bakery airlines`)
)

// FilterOf is the filter of a set of folded words.
func FilterOf(set map[string]bool) *token.Filter {
	var words token.Words
	for w := range set { // the order does not show
		words.Add(w)
	}
	f := words.Filter()
	return &f
}

// union returns the words of some sets.
func union(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// Set makes a set of the words in a list.
func Set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// Particles stand in lower case between the words of names.
var Particles = Set(`van von der den de del della di da do dos das du la le les el al bin bint ibn abu ter ten af av zu`)

// Idle are words that stand in names and tell nothing alone: particles, what
// surnames begin with, titles, degrees and what relatives are called.
var Idle = union(Particles, Set(`and the of st san santa mac mc jr sr ii iii iv dr mr mrs ms miss prof md rn phd
	mom dad mum son wife aunt uncle aunty auntie nana nanna gran granny grandma grandpa grandad granddad mama mamaw papaw
	koro kuia whaea matua kokum`))

// Common holds names that are ordinary words of clinical English too; they are
// swept for only where they are clearly names.
var Common = Set(`abbey abdo abel able ace acute adder admission alt amber and andy angel ant april arms art ash
	assessment august aura autumn back bacon bad bailey baker ball banks barber barley barr bass bath
	bay bea beach bean bear beer bell berry bert best big bilateral bill birch bird bishop black blade
	blank blind block blood blue board bob body bolt bond bone bones book booth boots born boss bottom
	bow bowman box boys brace brain branch bright brook brooks brother brothers brown buck bud bull
	bunch burden burn burns burr bush butcher butler butt butter button bye call candy cane cannon card
	care carol carpenter carr carry case cash castle cat center cervical chance chase check cherry
	child chin chip choice christian chronic chuck church cilla clay clear cliff close clotting coal
	coffee coke cole colon comes constant cook cool cooper corn cotton couch counts cousin cover craft
	crisp cross crow cruise crystal cuff curl current curry daily daisy dale dark daughter dawn day
	days deal dean dear degree desire dick dill discharge doctor don dose dot down dragon drew driver
	drum dry due duke dull duty early east easter eden edge else em english eve even eye factor fair
	faith fall falls family fan farmer fast father favorite fell felt few field fields finch fine
	finger fish fisher fix flint flower flowers flush foot for ford forest form forth forward foster
	fox frank free freeman french friend frost gage gain gale gall gamble game games garden gay gem
	gene german giles ginger given glass glen glove gold golden gon good grace graft grant grass grave
	graves gray green greta grey groom gross ground grove guard guess guest gum guy hair hale hall ham
	hand hardy hart harvest hay hazel head heal heard heart heath heather heel height held her hey high
	hill history holding home hood hope horn house hunt hunter hurt husband ice iris iron its ivy jack
	jade january jasmine jay jean jet jewel job john joint jordan joy jude july june just kay keen key
	kidney king kit kitchen knee knight lace lack lady lake lamb lance land lane large laurel law lay
	lead leaf league leak lean lee left lemon len lesser lex light lily line lines link list little liv
	lock long look loose lord love lovely low lowe lower lucky lumbar lung mac mace main major male man
	many march mark marks marsh martin mask mason mass mast matter max may meals means media medical
	mel melody mercy miles mill miller minor mint miss mo mobile mole moles monday moon moor more
	morning moss mother mount nail name names nan nat near neck ned negative nell new nice nicely nick
	noble noon norm normal north numbers nurse nursing oak old olive orange overall pack page pain pair
	palm pan park parks pass pat patch patience patient peak pearl peg penny people pepper person pet
	pick pillow pink pip piper pitt place plan plant player pleasant pole pond pool poole poor pope
	porter positive post posy potter pound pounds power press pretty price pride priest prime prince
	prior proper pulley pulse pump quick quill race rae rain rand range rash rather ray reach read
	reading ready real reason record red reed reef rice rich ridge riding right ring risk rivers rob
	robin rock rod rolling ron room root roots rose ross rowan ruby rule runner running ruth sage said
	sal sales salt sample sand sands sandy savage say scales scott seal season see self sell senior
	service several severe shake sharp shaw sheets shepherd shin shock shoe short shorter shoulders
	shows si sides silver singer sister situ six skin skinner small smart smith snow sol son sons soon
	south speed spell spina spray spring stable staff stage stairs stand star stark start states steel
	stern stiff still stone stops storm story straight strain strange street strong stuck sub sue
	summer summers sunday super surgical swallow swan sweat sweet swift swing tab tad tanner taylor
	team ted tell temple tender test than this thoracic thorn thrush till tip toll tom tone tooth tower
	town toy trainer treat trip troy true tucker turner ty tylenol under upper val vale valley van vera
	vest vi via vic victor vine violet virgin vital viv wade wait wake walk walker wall walls wally wan
	ward warden wat waters way wear weaver webb weed weekly weeks weight welcome well wells west
	western wheat wheeler white wife wild will win wine winter wise wolf won wood woods word work works
	worth wright written yard york you young younger yours`)

// Eponyms name diseases, signs and devices. Alone they are swept for only
// after a title or within a full name.
var Eponyms = Set(`achilles addison alzheimer apgar asperger babinski baker barrett bartholin bell
	billroth braden broca brugada burkitt charcot cheyne colles coombs crohn cushing doppler down
	duchenne dupuytren epstein eustachian ewing fallopian fanconi fleischner foley fowler gleason
	glasgow golgi gram graves hartmann hashimoto heimlich henoch hirschsprung hodgkin holter
	horner huntington jackson kaposi kawasaki kegel kernig kocher korsakoff lachman langerhans
	lewy lyme mallory marfan mcburney mcmurray meckel meniere miller mohs morton murphy nissen
	norton osler paget parkinson pap pfannenstiel phalen raynaud reiter romberg rorschach ross
	schatzki sjogren snellen stokes sydenham tanner tinel tourette trendelenburg turner valsalva
	virchow waldenstrom wegener weiss wenckebach wernicke whipple willebrand willis wilms wilson
	wood yergason zenker`)

// Tongues are surnames that notes use of languages and sizes ("28 French").
var Tongues = Set(`french english german spanish irish welsh`)

// Degrees stand behind the names of clinicians, without their stops.
var Degrees = Set(`md do rn np pa phd mbbs mbchb frcp frcs frcr frcpc frcpath mrcp mrcgp mrcs facs facp facc faap facog lpn lvn cna dnp
	aprn arnp crnp fnp acnp pac lcsw licsw msw lmsw lsw mft psyd pharmd rph dds dmd dpm od dc dpt ot otr slp ccc rrt rt ma
	cma bsn msn cnm crna mph ms cnp anp rd ldn cde pgy fellow resident attending pt frcpa cct rnc rmn rdn frcsc fracgp
	fracp ccrn ocn cctc faan facep chb mb bch fnp-c pa-c fnp-bc cwocn mba faans faafp cdces`)

// Letters stand behind names too: degrees, colleges, registers and posts of
// several countries and services. Degrees holds those that the taggers look for;
// these matter only within a name that was found.
var Letters = Set(`fracs franzcp franzcog franzcr racgp facrrm fachpm mrcpsych frcpsych mrcs mrcog frcog frcophth frcot frcem mrcem mrcpch
	frcpch ffprhc fficm frca mrcpi frcpi frcsi mrcgp micgp ficgp dch drcog bsc hons msc mscp mcsp hcpc ncm nmc rgn rm rscn rmn rnmh rsw bmbs
	mbbch mdcm ccfp frcdc mccfp aud auda cccslp ccca slpa cota otrl otr pta lcdr usn usa usaf usmc usphs mc ausn mwcnz een en rnz anmac acm
	ahpra sw mcsw cqsw dipsw pdt rd rdn cde cnsc lmhc lpc lpcc lmft lcpc ladc cadc bcba abpp facg fascrs facog faapmr fasn fidsa fccp fchest
	faha fesc fsir fasge agaf frcseng mps bpharm mpharm rph bcps bcpp bcop bcacp emt emtp nrp aemt cnor cpn cen tncc rrtnps cwon wocn ibclc
	cd doula cpm lm cpnp pnp pmhnp whnp agnp agacnp acnpc ncc edd dsw dnsc dba esq jd`)

// Mailboxes are words of addresses that name a desk and nobody.
var Mailboxes = Set(`admin administration info information reception receptionist office frontdesk frontoffice contact contactus enquiries
	inquiries appointments appts booking bookings scheduling billing accounts accountspayable payments records medicalrecords referrals
	referral intake helpdesk help support service services noreply reply donotreply mail webmaster postmaster clinic practice surgery
	pharmacy lab results nurse nursing triage team staff hr jobs press media privacy feedback complaints secretary sec secs registration
	admissions informacion secretaria administracion citas consultas recepcion contacto correo`)

// Abbreviations with stops that are no initials.
var Abbreviations = Set(`am pm po iv im pt md rn us uk bp hr dob er ed or icu id od bid tid qid prn
	npo ad hs ac pc sc sl pr ms ss ra ca va ny nj la ma pa tx fl dc ct mr mrs dr jr sr st ave eg ie
	cc hx rx tx dx sx fx et al no vs`)
