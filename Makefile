# Heliograph: `make help` lists what there is.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: help build serve test check conformance audits differential hostile bench bench-restart \
    bench-stalled bench-tls sim fuzz soak test-thread test-address lint format clean packages \
    test-packages

# What `make sim` runs: one seed with its whole trace, or so many seeds from FIRST on.
SEED ?=
SEEDS ?= 200
FIRST ?= 1

# How many clients `make bench-restart` connects, and how long the hub takes to stop.
CLIENTS ?= 5000
DRAIN ?= 3

# How long `make fuzz` takes over each target, and which.
SECONDS ?= 60
TARGET ?= all

# What `make differential` compares: the fixed cases, or for SECONDS from a seed that is new each time.
ifeq ($(origin SECONDS),command line)
DIFFERENTIAL := --seconds $(SECONDS) --first $(shell date +%s)0
else
DIFFERENTIAL := --cases 4000 --result Tests/Differential/results.json
endif

# How long `make soak` goes on.
MINUTES ?= 10

# Where `make serve` listens and keeps its data, and what it serves.
HOST ?= 127.0.0.1
PORT ?= 8080
DATA ?= ./data
SCHEMA ?= Examples/IsolationNation/schema.graphql

# Which WebSocket conformance cases: quick (247), all (517), or patterns such as '9.* 12.1.1'.
CASES ?= quick

hub := .build/release/heliograph
swift_files := Package.swift Sources Tests Examples

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 24

build: packages ## build the hub: .build/release/heliograph
	@echo "==> Building $(hub)"
	@start=$$SECONDS; swift build --configuration release --product heliograph --quiet; \
	echo "Built $(hub) in $$((SECONDS - start)) s."

serve: build ## serve the example schema (HOST, PORT, DATA, SCHEMA)
	@exec $(hub) serve "$(SCHEMA)" --host "$(HOST)" --port "$(PORT)" --data "$(DATA)"

test: test-packages build lint conformance differential ## everything that a change must pass, end to end
	@scripts/python-environments
	@swift build --configuration release --product IsolationNationBot --quiet
	@scripts/run-tests
	@Tests/Fuzz/run 5

check: lint ## lint and all tests that need no outside programs
	@scripts/run-tests --skip EndToEndTests

hostile: packages ## what hostile documents cost, against an honest one of the same size
	@swift build --configuration release --product HostileBench --quiet
	@.build/release/HostileBench

conformance: test-packages ## WebSocket conformance of both roles against what is committed (CASES=all)
	@scripts/python-environments conformance
	@swift build --configuration release --product websocket-echo --quiet
	@echo "==> Running the WebSocket conformance cases: $(CASES)"
	@set -f; .build/venv-conformance/bin/python Tests/Conformance/run.py $(CASES)

differential: test-packages ## compare the GraphQL engine with graphql-core (4,000 fixed cases, or SECONDS=60)
	@scripts/python-environments differential
	@swift build --configuration release --product DifferentialEngine --quiet
	@echo "==> Comparing the GraphQL engine with graphql-core"
	@.build/venv-differential/bin/python Tests/Differential/run $(DIFFERENTIAL)

audits: test-packages build ## put the 61 audits of GraphQL over HTTP to the built hub (UPDATE=1)
	@HELIOGRAPH_WRITE_AUDITS="$(UPDATE)" scripts/run-tests --filter AuditTableTests

bench: test-packages build ## measure the hub beside bare C and node (BENCH_JSON=file: for machines too)
	@swift build --configuration release --product PrepareBench --quiet
	@kept=0; Tests/Bench/run || kept=1; Tests/Bench/queries || kept=1; exit $$kept

bench-restart: build ## restart the hub under CLIENTS=5000 connected clients, over DRAIN=3 seconds
	@Tests/Bench/restart --clients "$(CLIENTS)" --drain-seconds "$(DRAIN)"

bench-stalled: build ## measure what stalled readers cost the others, under each policy
	@Tests/Bench/stalled

bench-tls: build ## measure how much memory a client takes that is connected by TLS
	@Tests/Bench/tls

sim: ## simulate the hub: SEED=123 shows one run, SEEDS=1000 (FIRST=1) runs many
	@scripts/run-simulation "$(SEED)" "$(FIRST)" "$(SEEDS)"

fuzz: test-packages ## let libFuzzer loose on the decoders (SECONDS=60 each, TARGET=all)
	@Tests/Fuzz/run $(SECONDS) $(TARGET)

soak: build ## visit the hub with all sorts of clients (MINUTES=10), then see whether all is as before
	@Tests/Soak/run --minutes $(MINUTES)

test-thread: test-packages ## all tests under the thread sanitizer
	@scripts/python-environments
	@scripts/run-sanitized thread

test-address: test-packages ## all tests under the address sanitizer
	@scripts/python-environments
	@scripts/run-sanitized address

lint: ## look for formatting and style faults
	@echo "==> Checking the style"
	@swift format lint --strict --recursive --parallel $(swift_files)

format: ## format the Swift files in place
	@swift format --in-place --recursive --parallel $(swift_files)

clean: ## remove what was built
	@rm -rf .build

packages:
	@scripts/check-toolchain
	@scripts/install-packages build

test-packages:
	@scripts/check-toolchain
	@scripts/install-packages test
