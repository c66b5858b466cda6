# Every task of the project by name. Newcomers need `make demo` and `make test` only.

PYTHON ?= python3
BIN := .venv/bin
FORM ?= samples/sales-slip.jpg
CASES ?= ../shared/roundtrip/cases
DATABASES ?= ../shared/nl2sql
NATS := $(shell sed -n 's/.*image: nats:\([0-9.]*\).*/\1/p' k8s/base/nats.yaml)

# Tests of one file mostly stay together, for the sake of what they share: an engine, a server, a started system.
PYTEST := $(BIN)/pytest -q --numprocesses auto --maxprocesses 4 --dist worksteal

# The tests start some hundred processes, each of which would compile the program again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo demo-data demo-task web web-pictures test test-all test-failed test-nats attack fuzz fuzz-web lint docs site wheel-check samples picture measure measure-tasks measure-sql prompts bench bench-smoke soak users bench-roundtrip bench-sql clean

help:  ## show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install what is missing: system packages, .venv, the report engine
	@$(PYTHON) tools/setup.py $(FOR)

demo: setup  ## build a report from the sample photo, into out/
	@$(BIN)/bandsmith build $(FORM) --out out/

demo-task: setup  ## carry out a task in a calendar with recorded replies of a model, and draw the calendar before and after
	@$(BIN)/python -m samples.task out/task

demo-data: setup  ## draw a small shop database as the source "shop": ask it, analyse it, and fill a report from it
	@$(BIN)/python -m samples.shop_demo out/shop

web: setup  ## open the page in the browser, with the sample photo
	@$(BIN)/bandsmith web --attach $(FORM)

test: setup  ## run the fast tests
	@$(PYTEST) -m "not slow"

test-all: FOR = tests
test-all: setup  ## run all tests
	@$(PYTEST)

test-failed: setup  ## run the tests again that failed last, one after another
	@$(BIN)/pytest -q --last-failed --last-failed-no-failures none

test-nats: FOR = tests
test-nats: setup  ## tests of the bus, on the nats-server version of k8s/ and compose.yaml; needs Go
	@GOBIN=$(CURDIR)/out/nats-$(NATS) go install github.com/nats-io/nats-server/v2@v$(NATS)
	@BANDSMITH_NATS_SERVER=$(CURDIR)/out/nats-$(NATS)/nats-server $(BIN)/pytest -q tests/contracts/bus tests/shared \
		tests/gateway tests/faults tests/cluster tests/integration tests/k8s

attack: setup  ## try every hostile template, document, reply and message of the project
	@$(BIN)/pytest -q tests/attack tests/shared/test_confined.py

fuzz: setup  ## read 2,000 damaged documents, other ones each time: FILES=500
	@BANDSMITH_FUZZ_FILES=$(or $(FILES),2000) $(BIN)/pytest -q tests/attack/test_uploads.py -k damaged --timeout 3600

fuzz-web: FOR = tests
fuzz-web: setup  ## send 10,000 made up requests to the HTTP interface; EXAMPLES=50 sends fewer
	@FUZZ_EXAMPLES=$(or $(EXAMPLES),250) $(BIN)/pytest -q -rP tests/web/test_fuzz.py

lint: setup  ## check style and types
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

docs: setup  ## update the generated parts of docs/
	@$(BIN)/python -m tools.docs

site: FOR = site
site: setup  ## build the manual as a website in out/site
	@$(BIN)/python -m tools.site

wheel-check: setup  ## build the wheel, install it in a clean environment and use it
	@$(BIN)/python -m tools.wheel_check

samples: setup  ## draw the forms in samples/ again
	@$(BIN)/python samples/draw.py

picture: demo  ## update the picture in README.md from the demo
	@$(BIN)/python -m tools.picture

web-pictures: FOR = tests
web-pictures: setup  ## take the pictures of the page in docs/ again
	@$(BIN)/python -m tools.web_pictures

measure: setup  ## measure accuracy over whole corpora; fails when it is lower than before: ARGS=--write STRANGERS=latest
	@$(BIN)/python -m benchmarks.accuracy $(ARGS)
	@$(BIN)/python -m benchmarks.strangers $(if $(STRANGERS),--corpus tests/strangers/$(STRANGERS))

measure-tasks: setup  ## carry out 40 tasks with the configured language model, and count what was done as asked: ARGS="--only 1-10"
	@$(BIN)/python -m benchmarks.tasks $(ARGS)

measure-sql: setup  ## ask the questions of a file with the configured language model, for a judge: ARGS="QUESTIONS DATABASES --out FOLDER"
	@$(BIN)/python -m benchmarks.sql_by_hand $(ARGS)

prompts: setup  ## ask the configured language model every case of the prompts, and print a table: ARGS=modification
	@$(BIN)/python -m tools.prompt_cases $(ARGS)

bench: FOR = bench
bench: setup  ## measure speed, as ratios within one run
	@$(BIN)/python -m benchmarks $(ARGS)

bench-smoke: FOR = bench
bench-smoke: setup  ## run every benchmark with its smallest size
	@$(BIN)/python -m benchmarks --smoke

bench-sql: setup  ## measure questions on real databases: DATABASES=folder ARGS="--questions 50"
	@$(BIN)/python -m benchmarks.sql $(DATABASES) $(ARGS)

soak: FOR = bench
soak: setup  ## run for half an hour and plot the memory of each service in docs/soak.svg: ARGS="--minutes 30"
	@$(BIN)/python -m benchmarks.soak $(ARGS)

users: FOR = tests
users: setup  ## let fifty users talk at once for ten minutes: SECONDS=60
	@BANDSMITH_USERS_SECONDS=$(or $(SECONDS),600) $(BIN)/pytest -q -m slow tests/faults/test_fifty_users.py

bench-roundtrip: setup  ## score templates against known originals: CASES=folder ARGS=--write
	@$(BIN)/python -m benchmarks.roundtrip $(CASES) $(ARGS)

clean:  ## remove everything that was built or installed
	rm -rf .venv .bandsmith out .mypy_cache .ruff_cache .pytest_cache
