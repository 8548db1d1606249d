// Package loop goes the whole way of a site on the examples, from the first run to the
// report that is signed, with the built program and a robot that reviews in a real
// browser: make loop. It checks what must hold, and writes the tutorial of it.
package loop

import "strings"

// step is a command as the tutorial has it, for bash in the root of the repository.
type step struct {
	name, command string
	status        int       // that it ends with
	review        *reviewed // by a robot meanwhile; nil for most
}

// reviewed says what a robot reviews.
type reviewed struct {
	gold     string  // table of gold annotations
	skips    float64 // share of the marks that it does not make
	pictures bool
}

const (
	unseenGold = "examples/unseen/gold.parquet"
	houseGold  = "out-loop/house/gold.parquet"
)

// steps are all commands, in order.
var steps = []step{
	{name: "check", command: `palimpsest check --config examples/loop/first.yaml`},
	{name: "first", command: `palimpsest run --config examples/loop/first.yaml`},
	{name: "review", command: `palimpsest review --config examples/loop/first.yaml --reviewer ann --notes 40 --stratify note_type`,
		review: &reviewed{gold: unseenGold}},
	{name: "export", command: `palimpsest review --config examples/loop/first.yaml --export out-loop/held/reviewed`},
	{name: "estimate", command: `palimpsest estimate --config examples/loop/first.yaml --json out-loop/held/estimate.json`},
	{name: "review-erring", command: `palimpsest review --config examples/loop/first.yaml --reviewer bob --notes 40 --stratify note_type \
    --reviews out-loop/held/review-of-bob`, review: &reviewed{gold: unseenGold, skips: 0.1}},
	{name: "estimate-erring", command: `palimpsest estimate --config examples/loop/first.yaml --reviews out-loop/held/review-of-bob \
    --json out-loop/held/estimate-of-bob.json`},
	{name: "canaries", command: `palimpsest canaries --config examples/loop/first.yaml --json out-loop/held/canaries.json`},
	{name: "refused", command: `palimpsest run --config examples/loop/first.yaml --gate examples/loop/gate.yaml \
    --output out-loop/out/release --private out-loop/held/release`, status: 65},
	{name: "second", command: `palimpsest run --config examples/loop/second.yaml`},
	{name: "stale", command: `palimpsest run --config examples/loop/second.yaml --gate examples/loop/gate.yaml \
    --output out-loop/out/release --private out-loop/held/release`, status: 65},
	{name: "review-second", command: `palimpsest review --config examples/loop/second.yaml --reviewer ann --notes 40 --stratify note_type`,
		review: &reviewed{gold: unseenGold}},
	{name: "estimate-second", command: `palimpsest estimate --config examples/loop/second.yaml --json out-loop/held/estimate.json`},
	{name: "canaries-second", command: `palimpsest canaries --config examples/loop/second.yaml --json out-loop/held/canaries.json`},
	{name: "passed", command: `palimpsest run --config examples/loop/second.yaml --gate examples/loop/gate.yaml \
    --output out-loop/out/release --private out-loop/held/release`},
	{name: "attack", command: `palimpsest attack --config examples/loop/second.yaml --release out-loop/out/release \
    --json out-loop/held/attack.json`},
	{name: "report", command: `palimpsest report --config examples/loop/second.yaml \
    --output out-loop/out/release --private out-loop/held/release \
    --estimate out-loop/held/estimate.json --canaries out-loop/held/canaries.json --attack out-loop/held/attack.json \
    --former out-loop/out/trial-1 --release_date 2026-01-31`},
	{name: "house", command: `palimpsest convert --from marked --to parquet --input examples/house/test --output out-loop/house
palimpsest run --config examples/loop/house.yaml`},
	{name: "review-house", command: `palimpsest review --config examples/loop/house.yaml --reviewer ann --notes 60`,
		review: &reviewed{gold: houseGold, pictures: true}},
	{name: "estimate-house", command: `palimpsest estimate --config examples/loop/house.yaml --json out-loop/held/house-estimate.json`},
	{name: "refused-house", command: `palimpsest run --config examples/loop/house.yaml --gate examples/loop/house-gate.yaml \
    --output out-loop/out/house-release --private out-loop/held/house-release`, status: 65},
	{name: "adapt", command: `palimpsest adapt --from en-clinical-accurate --format marked --notes examples/house/adapt \
    --test examples/house/test --output out-loop/house-model --json out-loop/held/adapt.json`},
	{name: "odd", command: `go run ./tools/house odd --out out-loop/odd-notes
palimpsest adapt --from en-clinical-accurate --format marked --notes out-loop/odd-notes \
    --output out-loop/odd-model --json out-loop/held/odd.json`, status: 65},
	{name: "adapted", command: `palimpsest run --config examples/loop/house-adapted.yaml`},
	{name: "review-adapted", command: `palimpsest review --config examples/loop/house-adapted.yaml --reviewer ann --notes 60`,
		review: &reviewed{gold: houseGold}},
	{name: "estimate-adapted", command: `palimpsest estimate --config examples/loop/house-adapted.yaml \
    --json out-loop/held/house-estimate.json`},
	{name: "passed-house", command: `palimpsest run --config examples/loop/house-adapted.yaml --gate examples/loop/house-gate.yaml \
    --output out-loop/out/house-release --private out-loop/held/house-release`},
}

// stepNamed returns a step.
func stepNamed(name string) (step, bool) {
	for _, s := range steps {
		if s.name == name {
			return s, true
		}
	}
	return step{}, false
}

// option returns what a step's command says behind a flag, or "".
func (s step) option(flag string) string {
	words := strings.Fields(strings.ReplaceAll(s.command, "\\\n", " "))
	for i, w := range words[:len(words)-1] {
		if w == flag {
			return words[i+1]
		}
	}
	return ""
}
