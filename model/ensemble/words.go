package ensemble

import "strings"

// set makes a set of the words in a list.
func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// particles stand between the words of names and mean nothing alone.
var particles = set(`de da do dos das del della der den van von von la le les el al bin ibn abu
	ter ten zu und and the of st san santa mac mc jr sr ii iii iv dr mr mrs ms miss prof md rn
	phd mom dad mum son wife aunt uncle`)

// common holds names that are ordinary words of clinical English too; they are
// swept for only where they are written with a capital.
var common = set(`abbey abel ace adder amber angel april ash august autumn back bacon bailey baker
	ball banks barber barley barr bass bay beach bean bear bell berry best bill birch bird bishop
	black blade blank blue bolt bond bone bones book booth boots bow bowman box boys branch bright
	brook brooks brown buck bud bull burn burns burr bush butcher butler butter cannon care carol
	carpenter carr case cash castle chance chase cherry christian church clay cliff close clotting
	coal cole cook cooper corn cotton craft crisp cross crow cruise crystal curl curry daisy dale
	dawn day deal dean dear dick dill dose down drew drum duke early east easter eden edge english
	eve faith falls farmer field fields finch fine finger fish fisher flint flower flowers flush
	foot ford forest fox frank free freeman french friend frost gage gale gall gamble game garden
	gay gem gene german giles ginger glass glen glove gold golden good grace graft grant grave
	graves gray green grey groom ground grove guard gum hale hall ham hand hardy hart harvest hay
	hazel head heath heather heel hill hood hope horn house hunt hunter ice iris iron ivy jack
	jade jasmine jay jewel john joint jordan joy jude july june just keen key king kit knight lace
	lake lamb lance land lane laurel law lead leaf lemon lily link little lock long lord love low
	lowe lucky mace major man mark marks marsh martin mason mast may melody mercy miles mill miller
	mint mole moon moor moss mount neck noble norm north oak olive page pain palm park parks patch
	patience pearl penny pepper piper pitt pole pond poole pope porter post potter pound power
	price pride prime prince prior pulse pump quick quill rain rash ray reed reef rice rich ridge
	ring rivers robin rock rod root rose ross rowan ruby ruth sage sales salt sand sands savage
	scales scott seal sell sharp shaw shepherd shin short silver singer skin skinner small smart
	smith snow south speed spring stark star steel stern stone storm story strain street strong
	summer summers swan sweet swift tanner taylor temple tender test thorn tooth tower town trip
	troy tucker turner vale van victor vine violet virgin wade walker wall walls ward warden
	waters way weaver webb weed weeks wells west wheat wheeler white wild will winter wise wolf
	wood woods work worth wright york young yours`)
