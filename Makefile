# Two commands for a start: `make issue` and `make test`. Both set up all they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
QUIET_PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

.DEFAULT_GOAL := help
.PHONY: help issue test lint bench lock picture clean

help: ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Digest needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: .ci/requirements.txt pyproject.toml $(VENV)/bin/python
	$(QUIET_PIP) -r .ci/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: .ci/requirements-dev.txt $(VENV)/.run
	$(QUIET_PIP) -r .ci/requirements-dev.txt
	@touch $@

issue: $(VENV)/.run ## build and publish this week's issue from content/ into outbox/
	@# A file that cannot be read (exit 1) is told and stops nothing but the exit code.
	@$(BIN)/digest build; code=$$?; [ $$code -le 1 ] || exit $$code; $(BIN)/digest publish && exit $$code

test: $(VENV)/.dev ## run the tests
	$(BIN)/python -m pytest $(PYTEST)

lint: $(VENV)/.dev ## check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev ## measure speed beside a peer, as ratios
	$(BIN)/python tests/bench/run.py

picture: $(VENV)/.dev ## take the README's picture anew (needs Chromium)
	$(BIN)/python tests/browser/picture.py

lock: $(VENV)/.dev ## write the lock files anew: hashes, no addresses
	$(BIN)/pip-compile --quiet --upgrade --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --extra setup --output-file .ci/requirements.txt pyproject.toml
	$(BIN)/pip-compile --quiet --upgrade --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --extra setup --extra dev --constraint .ci/requirements.txt --output-file .ci/requirements-dev.txt pyproject.toml

clean: ## remove what was made anew: the environment and caches, not content, outbox or private
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage
