package dates

func fixed(month, day int) rule             { return rule{month: month, day: day} }
func floating(month, nth, weekday int) rule { return rule{month: month, nth: nth, weekday: weekday} }
func ofEaster(offset int) rule              { return rule{easter: true, offset: offset} }
func ofTishri(offset int) rule              { return rule{lunar: hebrewCalendar, offset: offset} }
func ofIslam(month, day int) rule           { return rule{lunar: islamicCalendar, month: month, day: day} }
func plus(r rule, days int) rule            { r.offset += days; return r }

// holidays are all that are known. Names are in lower case without apostrophes
// and full stops, with single blanks for blanks and hyphens.
var holidays = func() (all []holiday) {
	langs := uint8(inEnglish)
	add := func(r rule, names ...string) { all = append(all, holiday{rule: r, langs: langs, names: names}) }

	// Several countries.
	add(fixed(12, 25), "christmas", "christmas day", "xmas", "xmas day", "x mas")
	add(fixed(12, 24), "christmas eve", "xmas eve", "wigilia")
	add(fixed(12, 26), "boxing day", "st stephens day", "st stephens", "stephens day", "kwanzaa")
	add(fixed(12, 6), "st nicholas day")
	add(fixed(12, 31), "new years eve", "new year eve", "nye", "hogmanay")
	add(fixed(1, 1), "new years day", "new years", "new year", "new year day")
	add(fixed(1, 6), "epiphany", "three kings day", "twelfth night")
	add(fixed(2, 2), "groundhog day")
	add(fixed(2, 14), "valentines", "valentines day", "valentine day", "st valentines day")
	add(fixed(3, 17), "st patricks day", "saint patricks day", "st pattys day", "st paddys day", "st patricks", "paddys day", "pattys day",
		"patricks day")
	add(fixed(4, 1), "april fools", "april fools day", "april fool day")
	add(fixed(4, 22), "earth day")
	add(fixed(5, 1), "may day")
	add(fixed(6, 24), "midsummer", "midsummers day", "midsummer day")
	add(fixed(10, 31), "halloween", "hallowe en")
	add(fixed(11, 1), "all saints day", "all saints", "all hallows")
	add(fixed(11, 2), "all souls day", "all souls")
	add(floating(5, 2, 0), "mothers day", "mother day")
	add(floating(6, 3, 0), "fathers day", "father day")
	add(floating(9, 1, 1), "labor day", "labour day")

	// United States.
	add(fixed(7, 4), "independence day")
	add(fixed(6, 14), "flag day")
	add(fixed(6, 19), "juneteenth")
	add(fixed(11, 11), "veterans day", "veteran day", "armistice day", "remembrance day")
	add(floating(11, 4, 4), "thanksgiving", "thanksgiving day", "turkey day")
	add(floating(11, 4, 4), "american thanksgiving", "us thanksgiving")
	add(plus(floating(11, 4, 4), -1), "thanksgiving eve")
	add(plus(floating(11, 4, 4), 1), "black friday")
	add(plus(floating(11, 4, 4), 4), "cyber monday")
	add(floating(1, 3, 1), "mlk day", "mlk", "mlk jr day", "martin luther king day", "martin luther king jr day", "martin luther king")
	add(floating(2, 3, 1), "presidents day", "president day")
	add(floating(5, -1, 1), "memorial day")
	add(floating(10, 2, 1), "columbus day", "indigenous peoples day")

	// Canada.
	add(fixed(7, 1), "canada day")
	add(floating(10, 2, 1), "canadian thanksgiving")
	add(rule{month: 5, day: 24, weekday: 1, nth: onOrBefore}, "victoria day")
	add(floating(8, 1, 1), "civic holiday")
	add(floating(2, 3, 1), "family day")
	add(fixed(9, 30), "national day for truth and reconciliation", "truth and reconciliation day", "orange shirt day")

	// United Kingdom and Ireland.
	add(fixed(1, 25), "burns night")
	add(fixed(3, 1), "st davids day")
	add(fixed(4, 23), "st georges day")
	add(fixed(11, 30), "st andrews day")
	add(fixed(11, 5), "guy fawkes", "guy fawkes night", "bonfire night")
	add(ofEaster(-21), "mothering sunday")
	add(floating(5, 1, 1), "early may bank holiday", "may day bank holiday")
	add(floating(5, -1, 1), "spring bank holiday", "late may bank holiday", "whitsun bank holiday")
	add(floating(8, -1, 1), "summer bank holiday", "august bank holiday", "late summer bank holiday")
	add(ofEaster(1), "easter bank holiday")
	add(floating(11, 2, 0), "remembrance sunday")

	// Australia and New Zealand.
	add(fixed(1, 26), "australia day")
	add(fixed(4, 25), "anzac day")
	add(fixed(2, 6), "waitangi day")
	add(floating(6, 2, 1), "kings birthday", "queens birthday")
	add(floating(11, 1, 2), "melbourne cup day", "melbourne cup")

	// Around Easter.
	add(ofEaster(0), "easter", "easter sunday", "easter day")
	add(ofEaster(1), "easter monday")
	add(ofEaster(-1), "easter saturday", "holy saturday", "easter eve")
	add(ofEaster(-2), "good friday")
	add(ofEaster(-3), "maundy thursday", "holy thursday")
	add(ofEaster(-7), "palm sunday")
	add(ofEaster(-46), "ash wednesday", "lent")
	add(ofEaster(-47), "mardi gras", "shrove tuesday", "pancake day", "fat tuesday")
	add(ofEaster(39), "ascension day")
	add(ofEaster(49), "pentecost", "whit sunday")
	add(ofEaster(60), "corpus christi")
	langs = 0
	add(rule{month: 12, day: 24, weekday: 0, nth: onOrBefore, offset: -21}, "advent")

	// Of other calendars, and alike in all languages.
	add(ofTishri(0), "rosh hashanah", "rosh hashana", "rosh ha shanah")
	add(ofTishri(9), "yom kippur")
	add(rule{lunar: hanukkahCalendar}, "hanukkah", "chanukah", "hanukah", "hannukah", "januca", "janucá")
	add(ofTishri(-193), "purim")
	add(ofTishri(-163), "passover", "pesach", "pésaj", "pesaj")
	add(ofIslam(9, 1), "ramadan", "ramadhan", "ramadán")
	add(ofIslam(10, 1), "eid", "eid al fitr", "eid ul fitr", "end of ramadan")
	add(ofIslam(12, 10), "eid al adha", "eid ul adha")
	add(rule{table: lunarNewYear}, "lunar new year", "chinese new year", "tết", "tet", "seollal", "año nuevo chino")
	add(rule{table: diwali}, "diwali", "deepavali", "divali")
	add(fixed(3, 20), "nowruz", "norooz")
	add(fixed(4, 14), "vaisakhi", "baisakhi")
	add(fixed(12, 21), "yalda")
	add(fixed(12, 24), "nochebuena", "noche buena")

	// Spanish.
	langs = inSpanish
	add(fixed(12, 25), "navidad", "día de navidad", "dia de navidad", "navidades")
	add(fixed(12, 28), "día de los inocentes", "dia de los inocentes", "santos inocentes")
	add(fixed(12, 31), "nochevieja", "noche vieja", "fin de año")
	add(fixed(1, 1), "año nuevo", "ano nuevo", "día de año nuevo")
	add(fixed(1, 6), "día de reyes", "dia de reyes", "reyes", "epifanía", "epifania", "reyes magos")
	add(fixed(2, 14), "san valentín", "san valentin")
	add(fixed(3, 19), "san josé", "san jose", "día del padre", "dia del padre")
	add(floating(5, 1, 0), "día de la madre", "dia de la madre")
	add(fixed(5, 1), "día del trabajo", "dia del trabajo", "día del trabajador", "dia del trabajador")
	add(fixed(6, 24), "san juan")
	add(fixed(7, 7), "san fermín", "san fermin")
	add(fixed(7, 25), "día de santiago", "dia de santiago")
	add(fixed(8, 15), "la asunción", "asunción de la virgen", "virgen de agosto")
	add(fixed(9, 11), "la diada")
	add(fixed(10, 12), "día de la hispanidad", "dia de la hispanidad", "fiesta nacional", "el pilar", "día del pilar")
	add(fixed(11, 1), "todos los santos", "día de todos los santos")
	add(fixed(11, 2), "día de los muertos", "dia de los muertos", "día de muertos", "dia de muertos")
	add(fixed(12, 6), "día de la constitución", "dia de la constitucion")
	add(fixed(12, 8), "inmaculada", "la inmaculada", "inmaculada concepción")
	add(ofEaster(0), "domingo de resurrección", "domingo de resurreccion", "domingo de pascua", "pascua", "pascuas")
	add(ofEaster(1), "lunes de pascua")
	add(ofEaster(-1), "sábado santo", "sabado santo")
	add(ofEaster(-2), "viernes santo")
	add(ofEaster(-3), "jueves santo", "semana santa")
	add(ofEaster(-7), "domingo de ramos")
	add(ofEaster(-46), "miércoles de ceniza", "miercoles de ceniza", "cuaresma")
	add(ofEaster(-47), "carnaval", "carnavales", "martes de carnaval")
	add(ofEaster(49), "pentecostés", "pentecostes")
	add(ofEaster(60), "corpus")
	return all
}()
