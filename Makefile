# What CI runs is what you run. `make demo` and `make test` are all a fresh clone
# needs.

GO ?= go
export CGO_ENABLED ?= 0
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
PACKAGES = ./...
FUZZTIME ?= 30s
MODELS ?= 100000
SYSTEMS ?= 10000
SEED ?= 1
SOAK ?= 10
BENCHES = explore translate ltsa deadlock conform armc reach clp c magic
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE = golang.org/x/tools/cmd/deadcode@v0.52.0

CPROGRAMS ?= 100

.PHONY: build demo setup setup-browser test soak soak-models soak-components soak-suites soak-cluster soak-c planted race lint portable fuzz bench clean

# What urfave/cli needs for manual pages, which are not made by it here, is most of what a
# start would initialise.
TAGS = urfave_cli_no_docs

build: ## the tool, as bin/seltl, and bin/seltl-cluster, which is a module of its own
	$(GO) build -tags $(TAGS) -ldflags '-X github.com/seltl/seltl/internal/cmdline.Version=$(VERSION)' -o bin/seltl ./cmd/seltl
	cd cluster && $(GO) build -tags $(TAGS) -ldflags '-X github.com/seltl/seltl/internal/cmdline.Version=$(VERSION)' -o ../bin/seltl-cluster ./cmd/seltl-cluster

demo: build ## build the tool and verify a sample model
	bin/seltl verify specs/first.lks "G(press & dark -> X lit)"

setup: ## install what the tests need beside Go (SPIN and Z3)
	sh scripts/setup

setup-browser: ## install what the tests of pages need (chromium); without it they are skipped
	sh scripts/setup-browser

test: setup ## everything that must pass, in a few minutes
	$(GO) vet $(PACKAGES)
	cd cluster && $(GO) vet ./...
	$(GO) test -timeout 30m $(PACKAGES)
	cd cluster && $(GO) test -timeout 30m ./...

soak: soak-suites soak-models soak-components ## hours

soak-suites: ## every differential suite, SOAK times as long as in make test: make soak-suites SOAK=100
	SELTL_SOAK=$(SOAK) $(GO) test -timeout 24h -count=1 $(PACKAGES)
	cd cluster && SELTL_SOAK=$(SOAK) $(GO) test -timeout 24h -count=1 ./...

soak-cluster: ## seltl-cluster killed, stopped, cut off and lied to, from outside: make soak-cluster SOAK=2
	cd cluster && SELTL_SOAK=$(SOAK) $(GO) test -timeout 24h -count=1 -v ./trials

soak-models: ## the meaning of 100,000 random models: make soak-models SEED=7 MODELS=1000
	SELTL_MODELS=$(MODELS) SELTL_SEED=$(SEED) $(GO) test -timeout 24h -count=1 -v -run 'TestEngine|TestEquivalent' ./internal/testing/semantics
	SELTL_MODELS=$$(( ($(MODELS) + 99) / 100 )) SELTL_SEED=$(SEED) $(GO) test -timeout 24h -count=1 -v -run TestEnumeration ./internal/testing/semantics

soak-components: ## the meaning of 10,000 random systems of C components: make soak-components SEED=7 SYSTEMS=1000
	SELTL_SYSTEMS=$(SYSTEMS) SELTL_SEED=$(SEED) $(GO) test -timeout 24h -count=1 -v -run TestEngine ./internal/testing/semantics/components

planted: ## faults planted one at a time, each of which the suites must notice: over an hour
	SELTL_PLANTED=all $(GO) test -timeout 6h -count=1 -v ./internal/testing/planted

soak-c: ## random C programs: gcc, the front end's machine, harnesses, memory under gcc's sanitizer; verdicts under all options against all inputs, mutants of certificates; some 100 times CPROGRAMS: make soak-c CPROGRAMS=10
	SELTL_SOAK=$(CPROGRAMS) $(GO) test -timeout 24h -count=1 -run 'MachineGCC|WordsMachine|Harness' ./c/cfront ./c/machine ./c/encode
	SELTL_SOAK=$(CPROGRAMS) $(GO) test -timeout 24h -count=1 -run 'TestReachC(Exhaustive|Options|Mutants)|TestMemory' ./check/programs

race: ## the race detector needs a C compiler, and time: product alone takes over 10 minutes
	CGO_ENABLED=1 $(GO) test -race -short -timeout 40m $(PACKAGES)
	cd cluster && CGO_ENABLED=1 $(GO) test -race -short -timeout 40m ./...

lint: ## formats, vet, staticcheck, and what nothing reaches, in both modules at once: the cluster reaches what the core has for it
	@test -z "$$(gofmt -l .)" || { echo "not gofmt-clean:"; gofmt -l .; exit 1; }
	$(GO) vet $(PACKAGES)
	cd cluster && $(GO) vet ./...
	$(GO) run $(STATICCHECK) $(PACKAGES)
	cd cluster && $(GO) run $(STATICCHECK) ./...
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	printf 'go %s\nuse (\n%s\n%s/cluster\n)\n' "$$($(GO) mod edit -json | sed -n 's/.*"Go": "\(.*\)".*/\1/p')" "$(CURDIR)" "$(CURDIR)" > "$$work/go.work" && \
	dead=$$(GOWORK="$$work/go.work" $(GO) run $(DEADCODE) -test $(PACKAGES) ./cluster/...) || exit 1; \
	test -z "$$dead" || { echo "no command and no test reaches:"; echo "$$dead"; exit 1; }

portable: ## both modules for other systems and words: built, and vetted where words are others
	for m in . cluster; do (cd $$m && GOARCH=arm64 $(GO) vet ./... && GOOS=windows $(GO) build ./... && GOOS=darwin $(GO) build ./...) || exit 1; done

fuzz: ## every fuzz target for FUZZTIME
	sh scripts/fuzz $(FUZZTIME)

bench: $(BENCHES:%=bench-%) ## every benchmark, see bench/README.md; over an hour

bench-explore: ## against SPIN and LTSmin, with plots: make bench-explore LTSMIN=folder
	$(GO) run ./bench/explore -plots docs $(if $(LTSMIN),-ltsmin $(LTSMIN))

bench-%: ## one of them: make bench-translate
	$(GO) run ./bench/$*

clean:
	rm -rf bin dist
