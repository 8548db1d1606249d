package surrogate

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What stands for somebody's work is of its kind: an occupation, a place of work, or
// something that people do, in the same form of the verb; and a tag where none of
// them is sure.
func TestWorkIsReplacedByItsKind(t *testing.T) {
	l := load()
	for _, c := range []struct {
		kind     []string
		surfaces string
	}{
		{l.places["profession"], "plumber/crane man/xray tech/lunch lady/barista/line lead/park ranger/farm hand/sewing machine operator"},
		{l.places["pupil"], "third grader/Vietnamese-American third grader/eighth-grader/kindergartner/pupil"},
		{l.places["student"], "second-year law student/LPN student/student"},
		{l.places["workplace"], "salon/pecan orchard/hog farm/motel/power plant/family restaurant"},
		{l.work.activities[presentForm], "drives a taxi/hauls logs/sews school uniforms/parks cars/" +
			"programs five-axis mills/hangs drywall/brews beer/works the kill floor/works on the tills/teaches third grade"},
		{l.work.activities[ingForm], "cleaning windows/rubber tapping/welding"},
		{l.work.activities[pastForm], "shod horses/washed windows"},
		{nil, "grain/teaches/man/school bus/hotshot/packing house/roofing company/parking garages/parks department/stocks and bonds/" +
			"managed care/nurse in training/retired from farming/farm co-op/dairy co-operative/tech/health care/works/restaurants/dump truck"},
	} {
		for _, s := range strings.Split(c.surfaces, "/") {
			got := replace(patient(t, "k", "p", Options{}), phi.Profession, s)
			if c.kind == nil && got != "[PROFESSION]" || c.kind != nil && !slices.Contains(c.kind, got) {
				t.Errorf("%q became %q", s, got)
			}
		}
	}
	got := replace(patient(t, "k", "p", Options{}), phi.Profession, "Co-owns a salon")
	if place, ok := strings.CutPrefix(got, "Co-owns a "); !ok || !slices.Contains(l.places["workplace"], place) {
		t.Errorf("co-owning a salon became %q", got)
	}
	for _, s := range []string{"RN", "rn", "EMT", "LPN"} {
		if got := replace(patient(t, "k", "p", Options{}), phi.Profession, s); got != strings.ToLower(got) || !startsWithVowel(got) {
			t.Errorf("an %s became %q", s, got)
		}
	}
	for s, want := range map[string]string{
		"Law student": "S", "LPN student": "s", "Vietnamese-American third grader": "p", "Third grader": "P",
	} {
		if got := replace(patient(t, "k", "p", Options{}), phi.Profession, s); (got[0] < 'a') != (want < "a") {
			t.Errorf("%s became %q", s, got)
		}
	}
	for _, s := range []string{"third graders", "pupils", "law students", "schoolboys"} {
		if got := replace(patient(t, "k", "p", Options{}), phi.Profession, s); !strings.HasSuffix(got, "s") {
			t.Errorf("%s became %q", s, got)
		}
	}
	if got := replace(patient(t, "k", "p", Options{}), phi.Profession, "MILL WORKER"); got != strings.ToUpper(got) {
		t.Errorf("MILL WORKER became %q", got)
	}
}
