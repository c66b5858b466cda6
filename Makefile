# Everything that is done with this project by name. `make demo` and `make test` are all that a newcomer needs.

PYTHON ?= python3
BIN := .venv/bin
FORM ?= samples/sales-slip.jpg
CASES ?= ../shared/roundtrip/cases
NATS := $(shell sed -n 's/.*image: nats:\([0-9.]*\).*/\1/p' k8s/base/nats.yaml)

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all test-nats lint docs samples picture bench soak bench-roundtrip clean

help:  ## show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install what is missing: system packages, .venv, the report engine
	@$(PYTHON) tools/setup.py $(FOR)

demo: setup  ## build a report from the photo of a form that comes with the project, into out/
	@$(BIN)/bandsmith build $(FORM) --out out/

test: setup  ## the fast tests
	@$(BIN)/pytest -q -m "not slow"

test-all: FOR = tests
test-all: setup  ## every test
	@$(BIN)/pytest -q

test-nats: FOR = tests
test-nats: setup  ## what touches the bus, on the nats-server that k8s/ and compose.yaml name; needs Go
	@GOBIN=$(CURDIR)/out/nats-$(NATS) go install github.com/nats-io/nats-server/v2@v$(NATS)
	@BANDSMITH_NATS_SERVER=$(CURDIR)/out/nats-$(NATS)/nats-server $(BIN)/pytest -q tests/contracts/bus tests/shared \
		tests/gateway tests/faults tests/cluster tests/integration tests/k8s

lint: setup  ## style and types
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

docs: setup  ## write what is generated in README.md afresh
	@$(BIN)/python -m tools.docs

samples: setup  ## draw the forms in samples/ afresh
	@$(BIN)/python samples/draw.py

picture: demo  ## take the picture in README.md from the demo afresh
	@$(BIN)/python -m tools.picture

bench: FOR = bench
bench: setup  ## measure the speed, as ratios within one run
	@$(BIN)/python -m benchmarks $(ARGS)

soak: FOR = bench
soak: setup  ## work for half an hour and draw each service's memory into docs/soak.svg: ARGS="--minutes 30"
	@$(BIN)/python -m benchmarks.soak $(ARGS)

bench-roundtrip: setup  ## score templates of pages whose truth is known: CASES=folder ARGS=--write
	@$(BIN)/python -m benchmarks.roundtrip $(CASES) $(ARGS)

clean:  ## remove what was built; the next set-up starts from nothing
	rm -rf .venv .bandsmith out .mypy_cache .ruff_cache .pytest_cache
