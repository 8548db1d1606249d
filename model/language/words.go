package language

import "strings"

// codes are the languages that can be told, by ISO 639-1.
var codes = [...]string{"de", "en", "es", "fr", "it", "nl", "pt"}

var names = map[string]string{
	"de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch", "pt": "Portuguese",
}

// words are, for each of codes, the commonest words that say nothing of what a
// text is about, and those that clinical notes cannot do without. They are
// written without accents.
var words = [len(codes)]string{
	`der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind war waren wird werden wurde
	wurden worden hat haben hatte bei mit nach vor von vom zu zum zur aus auf an am im in fur fuer uber ueber unter durch gegen ohne seit bis
	sich sie er es wir ihr ihre auch noch nur sehr als wie wenn dass da so bereits sowie etwa keinerlei beim
	patientin beschwerden befund schmerzen jahre jahren tage tagen wochen links rechts unauffallig aufnahme entlassung stellte zeigte`,
	`the of and to in an is was were are be been being with for from on at by as or but not no his her he she it they their this that these
	those which who has have had will would should could can may if when while after before during without over under than then there
	so any all also only into out up about other
	patient patients denies history pain left right normal year old days weeks follow states noted given today well per
	chest blood home mild daily clear exam hx yo prn bid refill knee back due since`,
	`el la los las un una unos unas de del al pero no ni se es son fue fueron era estaba esta estan ha han habia hay con sin por para
	en entre sobre desde hasta tras ante segun que cual quien como cuando donde si su sus le les lo nos muy mas menos ya tambien este
	esta estos ese esa otro otra durante
	paciente anos dias meses semanas dolor exploracion antecedentes tratamiento izquierda izquierdo derecha derecho refiere acude presenta
	realiza`,
	`le la les un une des du de et ou mais ne pas ni est sont etait etaient ete ont avait avec sans pour par dans sur sous en au aux entre
	chez depuis jusqu avant apres que qui dont ou si son sa ses leur leurs il elle ils elles nous on ce cet cette ces plus moins tres aussi
	ainsi lors
	patiente douleur douleurs ans jours semaines mois gauche droite droit examen traitement antecedents absence presente`,
	`il lo la gli le un uno una di del dello della dei degli delle da dal dalla dai in nel nella nei nelle con su sul sulla per tra fra
	ma non ne si che chi cui come quando se sono era erano stato stata stati ha hanno aveva al allo alla ai agli alle suo sua suoi anche
	piu meno molto questo questa dopo prima senza durante circa
	paziente dolore dolori anni giorni settimane mesi sinistra sinistro destra destro esame terapia riferisce presenta nega`,
	`de het een en of maar niet geen is zijn was waren werd werden wordt worden heeft hebben had bij met na naar van voor vanaf tot te ten ter
	uit op aan in om over onder door tegen zonder sinds dat die dit deze wie wat als dan ook nog al zeer meer minder er zij hij ze haar hem
	hun wel reeds tevens
	patient patiente klachten pijn jaar dagen weken maanden links rechts onderzoek behandeling opname ontslag`,
	`os as um uma uns umas de do da dos das em no na nos nas ao aos ou mas nao nem com sem por pelo pela pelos pelas para entre sobre
	desde ate apos que qual quem como quando onde se seu sua seus suas lhe ele ela eles isso este esta esse essa muito mais menos ja tambem
	foi foram era estava sao esta ha tem tinha ser
	paciente doente utente anos dias meses semanas dor dores esquerda esquerdo direita direito exame antecedentes tratamento refere apresenta
	nega`,
}

// owners has the languages of each word, by index in codes.
var owners = func() map[string][]int {
	all := map[string][]int{}
	for i, list := range words {
		for _, w := range strings.Fields(list) {
			if of := all[w]; len(of) == 0 || of[len(of)-1] != i { // some stand twice
				all[w] = append(of, i)
			}
		}
	}
	return all
}()
