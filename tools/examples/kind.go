package main

import (
	"errors"
	"strings"
)

// kindRules turn an author's kind of note, in free words, into the note_type
// that a warehouse would hold. The first rule of which a word stands in the
// kind decides, so the special come before the general: the kind "nursing
// telephone encounter" is a telephone encounter.
var kindRules = []struct {
	noteType string
	words    []string // all lower case
}{
	{"discharge summary", []string{"discharge summary", "immediate discharge letter"}},
	{"patient message", []string{"portal message", "message thread", "reception message", "after-visit instructions", "texts pasted",
		"voicemail"}},
	{"telephone encounter", []string{"telephone", "phone", "after-hours", "on-call vad page", "t-con"}},
	{"referral letter", []string{"referral letter", "referral, letter", "screening referral"}},
	{"therapy note", []string{"physical therapy", "physiotherapy", "occupational therapy", "speech"}},
	{"radiology report", []string{"radiology report", "imaging report", "brain report", "ct radiology", "doppler report", "ultrasound"}},
	{"pathology report", []string{"pathology", "histocompatibility"}},
	{"psychiatry note", []string{"psychiatr", "psycholog", "behavioral health", "crisis team"}},
	{"optometry and ophthalmology note", []string{"optometry", "ophthalmolog"}},
	{"dental note", []string{"dental"}},
	{"operative and procedure report", []string{"operative", "operation note", "implant report", "catheterisation", "fistulogram",
		"endoscopy", "procedure note", "echocardiogram"}},
	{"social work and case management", []string{"social work", "case management", "prior authorization", "genetic counseling"}},
	{"pharmacy note", []string{"pharmacy", "pharmacist"}},
	{"meeting record", []string{"multidisciplinary", "committee", "mdt"}},
	{"emergency note", []string{"emergency", "urgent care", "ambulance", "ems run", "sick call"}},
	{"letter", []string{"letter"}},
	{"clinic note", []string{"newborn nursery", "podiatry", "prenatal"}},
	{"nursing note", []string{"nurs", "midwi", "birth summary", "health visitor", "hospice", "device", "labor and delivery triage",
		"education checklist"}},
	{"consultation", []string{"consult", "admission", "icu transfer", "anaesthetic"}},
	{"clinic note", []string{"visit", "clinic", "gp ", "general practice", "progress note", "provider note", "primary care", "neurology",
		"newborn", "review", "note"}},
}

// noteType returns the note_type of a kind. An unknown kind is an error, so
// that no note ends up under a wrong heading unseen.
func noteType(kind string) (string, error) {
	kind = strings.ToLower(kind)
	for _, rule := range kindRules {
		for _, word := range rule.words {
			if strings.Contains(kind, word) {
				return rule.noteType, nil
			}
		}
	}
	return "", errors.New("no note type fits this kind of note; add a rule to kindRules in tools/examples/kind.go")
}
