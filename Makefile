# Palimpsest. `make run` shows it at work on the examples, `make test` tests it;
# both set up what they need, once.

ORT     := .cache/onnxruntime/1.27.0
LIBRARY := $(ORT)/libonnxruntime.so.1.27.0
BINARY  := bin/palimpsest
OUT     ?= out
SCALE_WORK ?= /tmp
SCORES  ?= out-evaluation
PYTHON  ?= python3
# Carriers and lexicons for training; see model/training/README.md.
DATA    ?= ../shared/data

# The key of the example run. It is public: never use it for real notes.
EXAMPLE_KEY := this key is public and for the invented example notes only

.PHONY: help run evaluate evaluate-unseen docs test test-flink test-worker race setup build worker lint lint-infra bench speed scale sizing examples model components clean

help: ## Say what there is to make
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

run: build ## De-identify the example notes into out/ and show some
	@rm -rf $(OUT) $(OUT)-private
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/config.yaml --output $(OUT)
	@go run ./cmd/show --before examples/notes.parquet --after $(OUT)/notes --notes 2

evaluate: build ## Score the job on the held-out example notes, into out-evaluation/
	@rm -rf $(SCORES) && mkdir -m 700 $(SCORES)
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/config.yaml --output $(SCORES)/job
	@go run ./cmd/evaluate --gold examples/gold.parquet --system $(SCORES)/job-private \
		--documents examples/split.json --split test --dictionary notes \
		--html $(SCORES)/evaluation.html --json $(SCORES)/evaluation.json --csv $(SCORES)/evaluation.csv

evaluate-unseen: build ## Score the job on the unseen notes, into out-evaluation/unseen*
	@mkdir -p -m 700 $(SCORES) && rm -rf $(SCORES)/unseen*
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/unseen/config.yaml --output $(SCORES)/unseen
	@go run ./cmd/evaluate --gold examples/unseen/gold.parquet --system $(SCORES)/unseen-private --dictionary notes \
		--html $(SCORES)/unseen.html --json $(SCORES)/unseen.json --csv $(SCORES)/unseen.csv

docs: build ## Write docs/before-after.md from the example notes
	@rm -rf $(OUT) $(OUT)-private && mkdir -p docs
	@PALIMPSEST_EXAMPLE_KEY="$(EXAMPLE_KEY)" $(BINARY) --config examples/config.yaml --output $(OUT)
	@{ cat docs/before-after.head.md; go run ./cmd/show --markdown --before examples/notes.parquet --after $(OUT)/notes --findings $(OUT)-private/findings --notes 20; } > docs/before-after.md

test: setup ## Run every test
	go test -timeout 30m ./...

test-flink: setup ## Compare runs on a real Flink (Java 17, Maven) with runs on Prism
	PALIMPSEST_FLINK=1 go test -count 1 -timeout 60m -v ./pipeline/flink

race: setup ## Run the tests of what is concurrent under the race detector
	go test -race -timeout 30m ./transforms ./onnx ./storage ./schemas ./schemas/table ./model/bilstmcrf ./model/ensemble
	go test -race -timeout 30m ./pipeline -run 'Invariants|Scheduling'

setup: $(LIBRARY) ## Fetch ONNX Runtime (once, into .cache)

$(LIBRARY):
	@infra/onnxruntime/fetch.sh $(ORT)

build: setup ## Build bin/palimpsest
	@go build -o $(BINARY) ./cmd/run

worker: setup ## Build bin/worker, which Dataflow stages, and check that its image can run it
	@infra/docker/worker.sh bin/worker

test-worker: setup ## Start the worker as Beam's boot program does, and run the examples through it
	PALIMPSEST_WORKER=1 go test -count=1 -v -timeout 30m ./infra/docker

lint-infra: ## Lint Dockerfile, scripts, Terraform and Kubernetes files
	@infra/lint.sh

lint: ## Format, vet and staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	go vet ./...
	go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

bench: setup ## Measure tokeniser, rules, network and the whole job
	go run ./cmd/bench

speed: setup ## Measure rules, lists and sweep beside the network; write docs/speed.md
	go run ./cmd/bench --parts --markdown docs/speed.md

scale: build ## Measure how cost grows, into out-scale/; SCALE=full writes docs/scale.md and takes long
ifeq ($(SCALE),full)
	nice go run ./cmd/scale --full --work $(SCALE_WORK) --out docs/scale --text docs/scale.md
else
	nice go run ./cmd/scale --out out-scale
endif

sizing: ## Write docs/sizing.md from what bench and scale measured and the prices in docs/sizing
	{ cat docs/sizing/head.md; go run ./cmd/sizing --markdown; } > docs/sizing.md

examples: ## Make the example Parquet files from examples/source
	go run ./cmd/examples
	go run ./cmd/examples --source examples/unseen/source --out examples/unseen

model: ## Train onnx/models/en-clinical anew (needs PyTorch; see model/training)
	cd model && $(PYTHON) -m training all --data $(abspath $(DATA)) --more_notes training/notes --output ../onnx/models/en-clinical

components: setup ## Measure what each step adds and write docs/components.md
	go run ./cmd/explain --config examples/config.yaml --components docs/components.md
	go run ./cmd/explain --config examples/unseen/config.yaml --gold examples/unseen/gold.parquet --components docs/components-unseen.md

clean: ## Remove what was built and fetched
	rm -rf bin out out-private out-evaluation out-scale .cache
