package surrogate

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// TestCheckDigits: what could reach somebody is wrong on purpose, what only
// names a thing is right.
func TestCheckDigits(t *testing.T) {
	for i := range 200 {
		p := patient(t, "k", fmt.Sprint(i), Options{})
		if got := replace(p, phi.License, "1234567893"); luhnOf("80840"+got) == got[9] { // the register's own example
			t.Errorf("the NPI %s could be real", got)
		}
		if got := replace(p, phi.License, "DEA AB1234563"); deaCheck(got[4:]) == got[12] || got[:4] != "DEA " {
			t.Errorf("the DEA number %s could be real", got)
		}
		if got := alnum(replace(p, phi.Account, "4111 1111 1111 1111")); luhnOf(got) == got[15] {
			t.Errorf("the card %s could be real", got)
		}
		if got := replace(p, phi.Vehicle, "1M8GDM9AXKP042788"); !vin(got) {
			t.Errorf("the VIN %s has a wrong check digit", got)
		}
		if got := replace(p, phi.HealthPlan, "943 476 5919"); nhsCheck(alnum(got)) == alnum(got)[9] || len(got) != 12 {
			t.Errorf("the NHS number became %s", got)
		}
		if got := replace(p, phi.Phone, "999 730 2158"); strings.Contains(got, "555 01") || nhsCheck(alnum(got)) == alnum(got)[9] ||
			len(got) != 12 {
			t.Errorf("an NHS number taken for a telephone became %s", got)
		}
		if got := replace(p, phi.IDNum, "1234567T"); ppsCheck(got+"W") == got[7] || len(got) != 8 {
			t.Errorf("the Irish number became %s", got)
		}
		if got := replace(p, phi.HealthPlan, "046 454 286"); luhnOf(alnum(got)) == alnum(got)[8] || len(got) != 11 {
			t.Errorf("the Canadian number became %s", got)
		}
		ssn := replace(p, phi.SSN, "123-45-6789")
		if ssn[0] != '9' || ssn[4] >= '5' {
			t.Errorf("the social security number %s could be issued", ssn)
		}
	}
	p := patient(t, "k", "p", Options{})
	if a, b := replace(p, phi.License, "1234567893"), replace(p, phi.IDNum, "NPI 1234567893"); b != "NPI "+a {
		t.Errorf("one number became %s and %s", a, b)
	}
}

// TestReserved: contacts and addresses are those set aside for examples.
func TestReserved(t *testing.T) {
	forms := []struct {
		typ  phi.Type
		in   string
		want string
	}{
		{phi.Phone, "(201) 555-0138", `^\([2-9]\d\d\) 555-01\d\d$`}, {phi.Phone, "+1 415-867-5309", `^\+1 [2-9]\d\d-555-01\d\d$`},
		{phi.Phone, "867-5309", `^555-01\d\d$`}, {phi.Phone, "415-867-5309 0921", `^[2-9]\d\d-555-01\d\d \d{4}$`},
		{phi.Phone, "020 8123 4567", `^(020 7946 0\d\d\d|028 9649 6\d\d\d|029 2018 0\d\d\d|01\d\d 49\d 0\d\d\d|01632 960\d\d\d)$`},
		{phi.Phone, "0113 234 5678", `^(020 7946 0\d\d\d|028 9649 6\d\d\d|029 2018 0\d\d\d|01\d\d 49\d 0\d\d\d|01632 960\d\d\d)$`},
		{phi.Phone, "07911 123456", `^07700 900\d\d\d$`}, {phi.Phone, "+44 (0)7911 123456", `^\+44 \(0\)7700 900\d\d\d$`},
		{phi.Phone, "0412 345 678", `^049\d \d{3} \d{3}$`}, {phi.Phone, "(02) 9123 4567", `^\(0[2378]\) 5550 \d{4}$`},
		{phi.Phone, "+61 2 9123 4567", `^\+61 [2378] 5550 \d{4}$`},
		{phi.IPAddress, "10.1.2.3", `^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$`}, {phi.IPAddress, "10.1.2.3:8080",
			`^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+:8080$`},
		{phi.IPAddress, "fe80::1", `^2001:db8::[0-9a-f]{4}$`}, {phi.IPAddress, "2001:4860:4860:0:0:0:0:8888",
			`^2001:db8:([0-9a-f]{4}:){5}[0-9a-f]{4}$`},
		{phi.Device, "3C:22:FB:10:20:30", `^00:00:5E:00:53:[0-9A-F]{2}$`}, {phi.IDNum, "3c-22-fb-10-20-30", `^00-00-5e-00-53-[0-9a-f]{2}$`},
		{phi.Email, "x.y@clinic.org", `@[a-z]+\.example\.(com|org|net)$`}, {phi.URL, "https://clinic.org/a1",
			`^https://[a-z]+\.example\.(com|org|net)/[a-z]\d$`},
		// A span merged of an address and a URL keeps nothing of the address.
		{phi.URL, "a.b@hosp.org; http://hosp.org/a1", `^http://[a-z]+\.example\.(com|org|net)/[a-z]\d$`},
		{phi.ZIP, "LS6 2AB", `^[A-Z]{1,2}\d \d[ABD-HJLNP-UW-Z]{2}$`}, {phi.ZIP, "E14 7XD", `^[A-Z]{1,2}\d\d \d[ABD-HJLNP-UW-Z]{2}$`},
		{phi.ZIP, "sw1a 1aa", `^[a-z]{1,2}\d[a-z] \d[a-z]{2}$`}, {phi.ZIP, "LS6", `^[A-Z]{1,2}\d$`},
		{phi.ZIP, "K1A 0B1", `^[ABCEGHJ-NPRSTV]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d$`}, {phi.ZIP, "2000", `^[02-7][0-6]\d\d$`},
		{phi.ZIP, "87505-1234", `^\d{5}-\d{4}$`},
	}
	for _, f := range forms {
		re := regexp.MustCompile(f.want)
		for i := range 40 {
			p := patient(t, "k", fmt.Sprint(i), Options{})
			got := replace(p, f.typ, f.in)
			if !re.MatchString(got) || got == f.in {
				t.Errorf("%s %q became %q, want %s", f.typ, f.in, got, f.want)
				break
			}
		}
	}
}
