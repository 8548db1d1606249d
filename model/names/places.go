package names

import (
	"strings"
)

var Countries = setOf(`USA, US, United States, UK, United Kingdom, England, Scotland, Wales, Ireland, Northern Ireland, Canada,
	Australia, New Zealand, Spain, España, Mexico, México, Argentina, Chile, Colombia, Finland, Sweden, Norway,
	Denmark, Iceland, France, Germany, Italy, Portugal, Poland, Greece, Turkey, Iran, Iraq, Israel, Egypt, Nigeria, Ghana,
	Kenya, Ethiopia, India, Pakistan, Bangladesh, Nepal, China, Japan, Korea, Vietnam, Philippines, Brazil, Peru, Ecuador,
	Guatemala, Honduras, El Salvador, Nicaragua, Cuba, Haiti, Jamaica, Ukraine, Russia, Netherlands, Belgium, Switzerland`)

// StateNames holds the states, territories and provinces, and their codes.
var StateNames = setOf(`Alabama=AL, Alaska=AK, Arizona=AZ, Arkansas=AR, California=CA, Colorado=CO,
	Connecticut=CT, Delaware=DE, Florida=FL, Georgia=GA, Hawaii=HI, Idaho=ID, Illinois=IL, Indiana=IN,
	Iowa=IA, Kansas=KS, Kentucky=KY, Louisiana=LA, Maine=ME, Maryland=MD, Massachusetts=MA,
	Michigan=MI, Minnesota=MN, Mississippi=MS, Missouri=MO, Montana=MT, Nebraska=NE, Nevada=NV,
	New Hampshire=NH, New Jersey=NJ, New Mexico=NM, New York=NY, North Carolina=NC, North Dakota=ND,
	Ohio=OH, Oklahoma=OK, Oregon=OR, Pennsylvania=PA, Rhode Island=RI, South Carolina=SC,
	South Dakota=SD, Tennessee=TN, Texas=TX, Utah=UT, Vermont=VT, Virginia=VA, Washington=WA,
	West Virginia=WV, Wisconsin=WI, Wyoming=WY, District of Columbia=DC, Puerto Rico=PR, Guam=GU,
	American Samoa=AS, Virgin Islands=VI, Ontario=ON, Quebec=QC, Nova Scotia=NS, New Brunswick=NB,
	Manitoba=MB, British Columbia=BC, Prince Edward Island=PE, Saskatchewan=SK, Alberta=AB,
	Newfoundland=NL, Newfoundland and Labrador=NL, Northwest Territories=NT, Yukon=YT, Nunavut=NU,
	Aguascalientes, Baja California, Baja California Sur, Campeche, Chiapas, Chihuahua, Coahuila,
	Colima, Durango, Guanajuato, Guerrero, Hidalgo, Jalisco, Michoacán, Morelos, Nayarit, Nuevo León,
	Oaxaca, Puebla, Querétaro, Quintana Roo, San Luis Potosí, Sinaloa, Sonora, Tabasco, Tamaulipas,
	Tlaxcala, Veracruz, Yucatán, Zacatecas, New South Wales=NSW, Victoria=VIC, Queensland=QLD, Western Australia=WA, South Australia=SA,
	Tasmania=TAS, Northern Territory=NT, Australian Capital Territory=ACT,
	Ala, Ariz, Ark, Calif, Colo, Conn, Del, Fla, Ill, Ind, Kans, Mass, Mich, Minn, Miss, Mont, Nebr,
	Nev, Okla, Ore, Penn, Penna, Tenn, Tex, Wash, Wis, Wisc, Wyo, Ont, Que, Alta, Sask`)

// setOf makes a folded set of a list with commas; "name=code" are two.
func setOf(list string) map[string]bool {
	m := map[string]bool{}
	for _, item := range strings.Split(list, ",") {
		for _, w := range strings.Split(item, "=") {
			m[strings.Join(strings.Fields(Fold(w)), " ")] = true
		}
	}
	return m
}
