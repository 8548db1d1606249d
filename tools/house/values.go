package main

import (
	"fmt"
	"strings"
	"time"
)

// of draws a member of the staff, the same one for a name throughout the note.
func (w *writer) of(name, kind string) member {
	initials := w.once("staff "+name, func() string {
		m := w.member(kind)
		for range 20 { // nobody speaks of themselves, unless there is nobody else
			if m != w.author || kind == "consultant" {
				break
			}
			m = w.member(kind)
		}
		return m.initials
	})
	for _, m := range w.staff {
		if m.initials == initials {
			return m
		}
	}
	return member{}
}

// roles are the names of members of staff in holes, by their kind.
var roles = map[string]string{"n2": "nurse", "n3": "nurse", "d2": "doctor", "rg": "radiographer", "rad": "radiologist",
	"rad2": "radiologist",
	"th":   "therapist", "ph": "pharmacist", "phin": "pharmacist", "sw": "socialworker", "cons2": "consultant"}

// spoken are people of elsewhere, whom the house names in passing.
var spoken = map[string][]string{"micro": {"Dr Kestrel", "Dr Odhiambo", "Prof Wye"}, "receptionist": {"Mo", "Jan", "Lesley", "Bex"},
	"nick": {"Dolly", "Skip", "Bunny", "Chalky", "Mac"}}

// value fills a hole.
func (w *writer) value(name string) (string, error) {
	if base, at := w.shifted(name); base == "datedot" {
		return mark("DATE", at.Format("02.01")), nil
	} else if base != "" {
		return mark("DATE", at.Format("02.01.06")), nil
	}
	plain := strings.TrimRight(name, "0123456789")
	switch name {
	case "pt", "ptfirst":
		return mark("PATIENT", first(w.name)), nil
	case "ptlast":
		return mark("PATIENT", strings.ToUpper(last(w.name))), nil
	case "ptcaps":
		return mark("PATIENT", strings.ToUpper(last(w.name))+", "+first(w.name)), nil
	case "ptdear":
		title := map[string]string{"F": "Mrs", "M": "Mr"}[w.sex]
		return title + " " + mark("PATIENT", last(w.name)), nil
	case "sexletter":
		return w.sex, nil
	case "Sexhe":
		return map[string]string{"F": "She", "M": "He"}[w.sex], nil
	case "mrn":
		return mark("MEDICALRECORD", w.mrn), nil
	case "nhs":
		return mark("HEALTHPLAN", w.nhs), nil
	case "dob":
		return mark("DATE", w.born.Format("02.01.2006")), nil
	case "age":
		return mark("AGE", fmt.Sprint(int(w.at.Sub(w.born).Hours()/24/365.25))), nil
	case "addr":
		return mark("STREET", w.address), nil
	case "addr2":
		return mark("STREET", fmt.Sprintf("%d %s", 1+w.random.IntN(60), pick(w.random, w.streets))), nil
	case "addr0":
		_, street, _ := strings.Cut(w.address, " ")
		return mark("STREET", street), nil
	case "town":
		return mark("CITY", w.town[0]), nil
	case "town2":
		return mark("CITY", pick(w.random, w.towns)[0]), nil
	case "pc":
		return mark("ZIP", w.code), nil
	case "kin":
		return mark("PATIENT", w.kin), nil
	case "kinfirst":
		return mark("PATIENT", first(w.kin)), nil
	case "kinrel":
		return w.relation, nil
	case "kintel":
		return mark("PHONE", w.phone), nil
	case "job", "job0":
		return mark("PROFESSION", w.job), nil
	case "Job":
		return mark("PROFESSION", strings.ToUpper(w.job[:1])+w.job[1:]), nil
	case "employer0":
		if w.employer == "" {
			return "self-employed", nil
		}
		return mark("ORGANIZATION", w.employer), nil
	case "gp", "gpdear":
		return "Dr " + mark("DOCTOR", strings.TrimPrefix(w.surgery[1], "Dr ")), nil
	case "surgery":
		return mark("HOSPITAL", w.surgery[0]), nil
	case "surgery0":
		return "the " + mark("HOSPITAL", strings.TrimPrefix(w.surgery[0], "The ")), nil
	case "surgtel":
		return mark("PHONE", w.once(name, func() string { return fmt.Sprintf("01632 960%03d", 110+10*len(w.surgery[0])%80) })), nil
	case "site":
		return article("HOSPITAL", pick(w.random, w.sites)), nil
	case "place":
		return article("LOCATION-OTHER", pick(w.random, w.places)), nil
	case "ward":
		return w.wardName(w.ward, false), nil
	case "wardshort":
		return w.wardName(w.ward, true), nil
	case "wardshort2":
		return w.wardName(pick(w.random, w.wards), true), nil
	case "bed":
		return mark("ROOM", fmt.Sprint(w.bed)), nil
	case "bed0":
		return mark("ROOM", fmt.Sprint(1+w.random.IntN(24))), nil
	case "bleep":
		return mark("PHONE", fmt.Sprint(4100+7*len(w.author.name)+int(w.author.name[0])%7)), nil
	case "bleep2":
		return mark("PHONE", fmt.Sprint(4100+w.random.IntN(300))), nil
	case "ext", "ext2":
		return mark("PHONE", fmt.Sprint(2200+w.random.IntN(60))), nil
	case "gmc":
		return mark("LICENSE", fmt.Sprint(7000000+1013*len(w.author.name))), nil
	case "acc":
		return mark("IDNUM", "SKX"+w.at.Format("06")+fmt.Sprintf("%06d", w.random.IntN(1000000))), nil
	case "callno", "valno", "equip", "panel":
		prefix := map[string]string{"callno": "AL", "valno": "V", "equip": "NRS-", "panel": "DH/"}[name]
		return mark("IDNUM", prefix+fmt.Sprintf("%05d", w.random.IntN(100000))), nil
	case "nino":
		return mark("IDNUM", "QQ "+fmt.Sprintf("%06d", w.random.IntN(1000000))+" C"), nil
	case "time", "time0":
		return fmt.Sprintf("%02d%02d", 7+w.random.IntN(14), 5*w.random.IntN(12)), nil
	case "adm":
		return mark("DATE", w.once(name, func() string { return w.at.AddDate(0, 0, -2-w.random.IntN(9)).Format("02.01.06") })), nil
	case "adm+1":
		if _, err := w.value("adm"); err != nil {
			return "", err
		}
		at, err := time.Parse("02.01.06", w.drawn["adm"])
		return mark("DATE", at.AddDate(0, 0, 1).Format("02.01.06")), err
	case "dayname", "dayname0":
		return mark("DATE", pick(w.random, days)), nil
	case "month":
		return mark("DATE", w.at.AddDate(0, -1-w.random.IntN(8), 0).Month().String()), nil
	case "monthnext":
		return mark("DATE", w.at.AddDate(0, 2, 0).Month().String()), nil
	case "monthyear":
		return mark("DATE", w.at.AddDate(0, -3-w.random.IntN(60), 0).Format("Jan 2006")), nil
	case "year", "year2":
		return mark("DATE", fmt.Sprint(1985+w.random.IntN(38))), nil
	case "holiday":
		return mark("DATE", pick(w.random, []string{"Easter", "Christmas", "Whitsun", "Boxing Day", "Bonfire Night"})), nil
	case "exam":
		return pick(w.random, []string{"Chest radiograph", "CT pulmonary angiogram", "Ultrasound abdomen", "Left hip", "CT head",
			"MRI knee"}), nil
	case "clinicline":
		return pick(w.random, []string{"Department of Medicine for Older People", "Fracture clinic", "Cardiology", "Rheumatology"}), nil
	case "auth":
		return mark("DOCTOR", w.author.name), nil
	case "authin":
		return mark("DOCTOR", w.author.initials), nil
	case "authreq":
		return mark("DOCTOR", w.of("d2", "doctor").initials), nil
	case "cons":
		return "Dr " + mark("DOCTOR", w.cons.name), nil
	case "cons0":
		return mark("DOCTOR", w.cons.name), nil
	case "consin":
		return mark("DOCTOR", w.cons.initials), nil
	case "consln":
		return "Dr " + mark("DOCTOR", last(w.cons.name)), nil
	case "consln2":
		return mark("DOCTOR", last(w.of("cons2", "consultant").name)), nil
	case "consin2":
		return mark("DOCTOR", w.of("cons2", "consultant").initials), nil
	case "sec":
		return mark("DOCTOR", w.of("sec", "secretary").initials), nil
	case "secname":
		return mark("DOCTOR", w.of("sec", "secretary").name), nil
	case "secfirst":
		return mark("DOCTOR", first(w.of("sec", "secretary").name)), nil
	}
	if list := spoken[name]; list != nil {
		s := w.once(name, func() string { return pick(w.random, list) })
		kind := "DOCTOR"
		if name == "nick" {
			kind = "PATIENT"
		}
		if title, rest, ok := strings.Cut(s, " "); ok {
			return title + " " + mark(kind, rest), nil
		}
		return mark(kind, s), nil
	}
	return w.colleague(plain, name)
}

// colleague fills holes such as n3first, d2in and d2full: who, and in which form.
func (w *writer) colleague(plain, name string) (string, error) {
	for _, form := range []string{"first", "full", "in"} {
		who, ok := strings.CutSuffix(plain, form)
		if !ok || roles[who] == "" {
			continue
		}
		m := w.of(who+name[len(plain):], roles[who])
		switch form {
		case "first":
			return mark("DOCTOR", first(m.name)), nil
		case "full":
			return mark("DOCTOR", m.name), nil
		}
		return mark("DOCTOR", m.initials), nil
	}
	return "", fmt.Errorf("there is nothing for {%s}", name)
}

// wardName is a ward as the house calls it. One that is a number is a room.
func (w *writer) wardName(x ward, short bool) string {
	name := x.name
	if short {
		name = x.short
	}
	if rest, ok := strings.CutPrefix(name, "Ward 6"); ok {
		return "Ward " + mark("ROOM", "6"+rest)
	}
	if name == "6B" {
		return mark("ROOM", name)
	}
	return article("HOSPITAL", name)
}
