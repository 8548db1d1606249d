package deid

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

// Link says that a patient id is linked to another one, whose offset and surrogates
// hold for both: of the same person, such as the id that a record was merged into, or
// of somebody who shares names and dates, such as the mother of a newborn.
type Link struct {
	Patient, To string
	Same        bool // one person
}

// Links are all links between patient ids. Each id leads to one other at most, so that
// what it leads to in the end, and with it every result, depends neither on the order of
// links nor on which ids have notes. A nil *Links has none. It is safe for concurrent
// use.
type Links struct {
	to      map[string]Link
	members map[string][]string // ids that lead to one, itself included, in order; by that id
}

// LinkError says what is wrong with a link, without an id in it.
type LinkError struct {
	Index int // of the link, from 0
	Why   error
}

func (e *LinkError) Error() string { return fmt.Sprintf("link %d: %v", e.Index+1, e.Why) }

func (e *LinkError) Unwrap() error { return e.Why }

// NewLinks returns the links of a list. A link without an id, of an id to itself, of one
// id to two others, and links in a circle are a LinkError.
func NewLinks(all []Link) (*Links, error) {
	l := &Links{to: map[string]Link{}, members: map[string][]string{}}
	for i, link := range all {
		var why error
		switch before, twice := l.to[link.Patient]; {
		case strings.TrimSpace(link.Patient) == "" || strings.TrimSpace(link.To) == "":
			why = errors.New("an id is null or empty")
		case link.Patient == link.To:
			why = errors.New("it links an id to itself")
		case twice && before.To != link.To:
			why = errors.New("its patient is linked to another id already; link each id to one, and that one to the next")
		case twice && before.Same != link.Same:
			why = errors.New("the same two ids are linked as one person and as two")
		}
		if why != nil {
			return nil, &LinkError{i, why}
		}
		l.to[link.Patient] = link
	}
	for i, link := range all {
		id := link.Patient
		for n := 0; ; n++ {
			next, ok := l.to[id]
			if !ok {
				break
			}
			if id = next.To; n > len(l.to) {
				return nil, &LinkError{i, errors.New("from its patient the links lead in a circle; one id has to be the one that the others follow")}
			}
		}
		l.members[id] = append(l.members[id], id, link.Patient)
	}
	for id, ids := range l.members {
		slices.Sort(ids)
		l.members[id] = slices.Compact(ids)
	}
	return l, nil
}

// Len returns how many ids are linked to another.
func (l *Links) Len() int {
	if l == nil {
		return 0
	}
	return len(l.to)
}

// Group returns the id whose offset and surrogates hold for a patient: the patient's
// own where it is linked to none.
func (l *Links) Group(id string) string {
	if l != nil {
		for link, ok := l.to[id]; ok; link, ok = l.to[id] {
			id = link.To
		}
	}
	return id
}

// Person returns the id that a person is released under.
func (l *Links) Person(id string) string {
	if l != nil {
		for link, ok := l.to[id]; ok && link.Same; link, ok = l.to[id] {
			id = link.To
		}
	}
	return id
}

// People returns the ids that links release persons under in place of others.
func (l *Links) People() (all []string) {
	if l == nil {
		return nil
	}
	for _, link := range l.to {
		if link.Same {
			all = append(all, link.To)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Apply puts a note of a linked patient with those of the others.
func (l *Links) Apply(n *Note) {
	if l == nil || n.Orphan {
		return
	}
	id, group := n.Patient, l.Group(n.Patient)
	if n.Linked = l.members[group]; n.Linked == nil {
		return
	}
	n.Patient, n.Person = group, l.Person(id)
}

// Who returns the person that a note is about: Person, or of a patient who is linked to
// nobody Patient.
func (n *Note) Who() string {
	if n.Person != "" {
		return n.Person
	}
	return n.Patient
}

// personOf returns the one person that notes are about, "" for several.
func personOf(notes []*Note) string {
	for _, n := range notes[1:] {
		if n.Person != notes[0].Person {
			return ""
		}
	}
	return notes[0].Person
}

// ResolvePeople is Resolve for a patient and whoever is linked to the patient: what was
// found or is known of one holds for all, but days and births are each person's own. It
// returns a plan for each person, by Note.Who. Known identifiers name the person. A panic
// over the days of one holds back the notes of that person.
func ResolvePeople(s Settings, notes []*Note, known []lexicon.Identifiers) map[string]Plan {
	plan := Resolve(s, notes, known, nil)
	if plan.Person != "" || notes[0].Person == "" {
		return map[string]Plan{notes[0].Who(): plan}
	}
	of := map[string][]*Note{}
	for _, n := range notes {
		of[n.Person] = append(of[n.Person], n)
	}
	plans := map[string]Plan{}
	for person, all := range of {
		_, rows := withoutRows(all)
		own := slices.DeleteFunc(slices.Clone(known), func(k lexicon.Identifiers) bool { return k.PatientID != person })
		var days calendar
		for _, n := range all {
			days.add(n)
		}
		p := plan
		if !spared("lived", person, func() { p.lived(s, &days, rows, own) }) {
			p = plan
			for _, n := range all {
				if n.Spans = nil; n.Failure == "" {
					n.Failure = ReasonResolveFailed
				}
			}
		}
		p.Person = person
		plans[person] = p
	}
	return plans
}
