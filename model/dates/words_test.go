package dates

import "testing"

// checkAll shifts each expression, and by zero as well.
func checkAll(t *testing.T, ref Reference, list []moved) {
	t.Helper()
	for _, c := range list {
		c.check(t, ref)
		if same, _ := Shift(c.in, 0, ref); same != c.in {
			t.Errorf("Shift(%q, 0) = %q", c.in, same)
		}
	}
}

var march2018 = Reference{NoteDay: DaysFromCivil(2018, 3, 10), HasNoteDay: true}

func TestQuarters(t *testing.T) {
	checkAll(t, march2018, []moved{
		{"Q1 2014", 28, "Q1 2014"}, {"Q1 2014", 91, "Q2 2014"}, {"Q4 2014", 91, "Q1 2015"}, {"q3 '14", -182, "q1 '14"},
		{"1Q14", 91, "2Q14"}, {"4Q2014", 91, "1Q2015"}, {"Q2/14", 91, "Q3/14"}, {"2014Q1", 364, "2015Q1"}, {"2014-Q3", 91, "2014-Q4"},
		{"first quarter of 2014", 182, "third quarter of 2014"}, {"Third Quarter 2014", 91, "Fourth Quarter 2014"},
		{"1st quarter 2014", 91, "2nd quarter 2014"},
		{"2nd qtr of '14", 91, "3rd qtr of '14"}, {"Q4 2014 - Q1 2015", 91, "Q1 2015 - Q2 2015"}, {"Q1/Q2 2014", 91, "Q2/Q3 2014"},
		{"Q3", 91, "Q4"},
		{"primer trimestre de 2014", 91, "segundo trimestre de 2014"}, {"tercer trimestre", 91, "cuarto trimestre"},
	})
	for _, s := range []string{"Q5 2014", "Q0", "5Q14", "Q1 0", "quarter", "fifth quarter of 2014", "march quarter 2014", "Q12"} {
		if out, ok := Shift(s, 91, march2018); ok {
			t.Errorf("Shift(%q) = %q, want a refusal", s, out)
		}
	}
}

func TestNumbersInWords(t *testing.T) {
	checkAll(t, march2018, []moved{
		{"the third of May", 28, "the thirty-first of May"}, {"the twenty first of May", 1, "the twenty second of May"},
		{"May Third", 20, "May Twenty-third"},
		{"TWENTY-FIRST OF MAY", 3, "TWENTY-FOURTH OF MAY"}, {"the thirtieth of June", 1, "the first of July"},
		{"May third, two thousand and nine", 28, "May thirty-first, two thousand and nine"},
		{"two thousand and nine", 364, "two thousand and ten"},
		{"Two thousand nine", 364, "Two thousand ten"}, {"two thousand fourteen", -3650, "two thousand four"},
		{"two thousand", -364, "nineteen ninety-nine"},
		{"nineteen ninety-four", 3650, "two thousand four"}, {"nineteen ninety four", 364, "nineteen ninety five"},
		{"nineteen eighteen", 728, "nineteen twenty"},
		{"twenty-fourteen", 364, "twenty-fifteen"}, {"Twenty Fourteen", 364, "Twenty Fifteen"}, {"twenty oh nine", 364, "twenty ten"},
		{"twenty ten", -364, "two thousand nine"},
		{"nineteen oh five", 364, "nineteen oh six"}, {"nineteen hundred", 364, "nineteen oh one"},
		{"twenty twenty-one", 364, "twenty twenty-two"},
		{"August thirty first nineteen eighty", 7, "September seventh nineteen eighty"},
		{"the eighties", 3650, "the nineties"}, {"nineteen eighties", 3650, "nineteen nineties"}, {"Nineties", 3650, "2000s"},
		{"mid-90s", -3650, "mid-80s"},
		{"'90s", -3650, "'80s"}, {"the 1990s", 3650, "the 2000s"}, {"1980s and 1990s", -3650, "1970s and 1980s"}, {"Summers", 182, "Winters"},
	})
	for _, s := range []string{"twenty", "two thousand cats", "nineteen", "thirty second of May", "eleven", "May two thousand third of"} {
		if out, ok := Shift(s, 91, march2018); ok {
			t.Errorf("Shift(%q) = %q, want a refusal", s, out)
		}
	}
}

// TestSpelledYears: every year in words is read as that year, in each style.
func TestSpelledYears(t *testing.T) {
	for y := 1800; y < 2100; y++ {
		for lang := range numLanguages {
			for _, sp := range []spelling{{}, {thousand: true}, {thousand: true, and: true}, {oh: true, pair: "-"}, {pair: "-", tens: " "}} {
				s := spellYear(y, lang, sp)
				f, err := Parse(s, Reference{})
				if err != nil || f.f.res[0].year != y || f.Language() != lang && lang == Spanish {
					t.Fatalf("%q, written for %d, reads otherwise: %v", s, y, err)
				}
			}
		}
	}
}

func TestSpanish(t *testing.T) {
	checkAll(t, march2018, []moved{
		{"4 de marzo de 2014", 28, "1 de abril de 2014"}, {"4 de Marzo del 2014", 28, "1 de Abril del 2014"},
		{"marzo de 2014", 28, "abril de 2014"}, {"MARZO 2014", 28, "ABRIL 2014"},
		{"martes, 4 de marzo de 2014", 29, "miércoles, 2 de abril de 2014"}, {"mié 5 ene 2014", 3, "sáb 8 ene 2014"},
		{"SÁBADO 8 DE MARZO", 4, "MIÉRCOLES 12 DE MARZO"},
		{"sabado 8 de marzo", 1, "domingo 9 de marzo"}, {"domingos", 6, "sábados"}, {"1º de mayo", 7, "8º de mayo"},
		{"1.º de mayo de 2014", 28, "29.º de mayo de 2014"},
		{"primero de mayo de 2014", 3, "cuatro de mayo de 2014"}, {"el cuatro de marzo de dos mil catorce", 28,
			"el primero de abril de dos mil catorce"},
		{"treinta y uno de mayo de mil novecientos noventa y nueve", 1, "primero de junio de mil novecientos noventa y nueve"},
		{"del 4 al 6 de marzo de 2014", 7, "del 11 al 13 de marzo de 2014"}, {"del 4 al 6 de marzo de 2014", 26,
			"del 30 de marzo al 1 de abril de 2014"},
		{"4 y 5 de marzo", 28, "1 y 2 de abril"}, {"entre el 4 y el 6 de marzo de 2014", 7, "entre el 11 y el 13 de marzo de 2014"},
		{"ene-feb 2014", 31, "feb-mar 2014"},
		{"15 de diciembre de 2013 a las 10:15", 28, "12 de enero de 2014 a las 10:15"}, {"septiembre de 2014", 31, "octubre de 2014"},
		{"setiembre", 31, "octubre"},
		{"primavera de 2010", 91, "verano de 2010"}, {"Otoño 2013", 91, "Invierno 2014"}, {"invierno 2013-14", 364, "invierno 2014-15"},
		{"los años noventa", -3650, "los años ochenta"}, {"años 90", -3650, "años 80"}, {"la década de 1990", -3650, "la década de 1980"},
		{"década de los 80", 3650, "década de los 90"},
		{"Navidad", 28, "22 de enero"}, {"Nochebuena de 2014", 28, "21 de enero de 2015"}, {"Semana Santa", 28, "26 de abril"},
		{"Viernes Santo de 2014", 7, "25 de abril de 2014"},
		{"a principios de marzo de 2014", 28, "a principios de abril de 2014"}, {"desde 2009", 364, "desde 2010"},
		{"octubre-07", 364, "octubre-08"}, {"enero 98", -31, "diciembre 97"}, {"cinco de mayo", 1, "seis de mayo"},
	})
	spanish := march2018
	spanish.Language = Spanish
	checkAll(t, spanish, []moved{{"04/03/2014", 28, "01/04/2014"}, {"4-mar-14", 28, "1-abr-14"}, {"4-MAR-2014", 28, "1-ABR-2014"},
		{"sep-04", 31, "oct-04"}, {"4/3", 28, "1/4"}, {"March 4, 2014", 28, "April 1, 2014"}})
	checkAll(t, march2018, []moved{{"4-mar-14", 28, "1-apr-14"}, {"sep-04", 31, "oct-05"}, {"04/03/2014", 28, "05/01/2014"}})
	for _, s := range []string{"4 de March de 2014", "jueves March 4", "cuarenta de mayo", "primero mil", "32 de marzo",
		"31 de abril de 2014"} {
		if out, ok := Shift(s, 28, march2018); ok {
			t.Errorf("Shift(%q) = %q, want a refusal", s, out)
		}
	}
}

// TestScanned are forms that a scanner or a hurried hand left.
func TestScanned(t *testing.T) {
	us := march2018
	us.DayFirst = No
	checkAll(t, us, []moved{
		{"O3/l4/2O14", 28, "04/11/2014"}, {"03/O4/2014", 28, "04/01/2014"}, {"3/I4/14", 28, "4/11/14"}, {"2O14-03-04", 28, "2014-04-01"},
		{"l2/25/20l4", 28, "1/22/2015"},
		{"03 / 04 / 2014", 28, "04 / 01 / 2014"}, {"3 /4/2014", 28, "4 /1/2014"}, {"Mar.4,2014", 28, "Apr.1,2014"}, {"MAR4", 28, "APR1"},
		{"Jan5th", 28, "Feb2nd"}, {"4MAR2014", 28, "1APR2014"},
		{"4MAR14", 28, "1APR14"}, {"2014.03.04", 28, "2014.04.01"}, {"03042014", 28, "04012014"},
		{"March\u00a04,\u00a02014", 28, "April\u00a01,\u00a02014"}, {"2014—03—04", 28, "2014—04—01"}, {"04–Mar–14", 28, "01–Apr–14"},
		{"3\u20114\u20112014", 28, "4\u20111\u20112014"}, {"3／4／2014", 28, "4／1／2014"},
	})
	for _, s := range []string{"SO/lO", "Ill/Oil", "SOS 2014", "2014年3月4日", "٣/٤/٢٠١٤", "3/４/2014", "B/I/O", "O3/l4", "Is/So/2014x"} {
		if out, ok := Shift(s, 28, us); ok {
			t.Errorf("Shift(%q) = %q, want a refusal", s, out)
		}
	}
}

// TestSixDigits are read where the order is declared or only one is possible.
func TestSixDigits(t *testing.T) {
	for _, c := range []struct {
		in   string
		ref  Reference
		want string
	}{
		{"140304", Reference{DayFirst: Yes}, "110404"}, {"030414", Reference{DayFirst: No}, "040114"},
		{"030414", Reference{DayFirst: Yes}, "010514"}, {"032599", Reference{}, "042299"}, {"201403", Reference{}, "201404"},
		{"140304", Reference{}, ""}, {"030414", Reference{}, ""}, {"999999", Reference{}, ""}, {"123456", Reference{}, ""},
	} {
		if got, ok := Shift(c.in, 28, c.ref); got != c.want || ok != (c.want != "") {
			t.Errorf("Shift(%q) = %q, %v; want %q (%+v)", c.in, got, ok, c.want, c.ref)
		}
	}
}
