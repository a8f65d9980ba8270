# Two commands for a start: `make issue` and `make test`. Both set up all they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where `make judges` puts what the tests ask besides Python.
export DIGEST_NODE_MODULES ?= $(CURDIR)/.ci/node/node_modules
QUIET_PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

.DEFAULT_GOAL := help
.PHONY: help issue test torture lint bench lock picture golden judges clean

help: ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# An environment that was made elsewhere, or was moved, is made anew: its programs name its place.
ifneq ($(shell cat $(VENV)/.made 2>/dev/null),$(CURDIR))
$(shell rm -f $(VENV)/.made $(VENV)/.run $(VENV)/.dev)
endif

# Where Python comes without ensurepip (Debian), pip puts itself into the environment.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Digest needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	@rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV) || { $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }
	@$(BIN)/python -m pip --version >/dev/null
	@printf '%s\n' "$(CURDIR)" > $@

$(VENV)/.run: .ci/requirements.txt pyproject.toml $(VENV)/.made
	$(QUIET_PIP) -r .ci/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: .ci/requirements-dev.txt $(VENV)/.run
	$(QUIET_PIP) -r .ci/requirements-dev.txt
	@touch $@

issue: $(VENV)/.run ## build and publish this week's issue from content/ into outbox/
	@# A file that cannot be read (exit 1) is told and stops nothing but the exit code.
	@$(BIN)/python -m digest build; code=$$?; [ $$code -le 1 ] || exit $$code; $(BIN)/python -m digest publish && exit $$code

test: $(VENV)/.dev ## run the tests
	$(BIN)/python -m pytest $(PYTEST)

torture: $(VENV)/.dev ## kill the program at every change of the disk, tick every minute of months, render 20,000 documents, send past every fault (hours)
	DIGEST_CRASH_STRIDE=1 DIGEST_EVERY_MINUTE=1 DIGEST_FUZZ=20000 DIGEST_KILLS=all DIGEST_READERS=10000 $(BIN)/python -m pytest tests/kill tests/cli/test_cli_crash.py tests/publish/tick/test_publish_tick_late.py tests/render/test_render_fuzz.py tests/real/test_real_dkim_many.py -n 2 $(PYTEST)

judges: ## install what judges the look besides Python, into .ci/node (needs npm)
	npm ci --prefix .ci/node --ignore-scripts --no-audit --no-fund --loglevel=error

lint: $(VENV)/.dev ## check style, types and the direction of imports
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev ## measure speed beside a peer, as ratios
	$(BIN)/python tests/bench/run.py

picture: $(VENV)/.dev ## take the pictures of README and manual anew (needs Chromium)
	$(BIN)/python tests/browser/picture.py

golden: $(VENV)/.dev ## make anew what the look is compared with: structure and pictures (needs Chromium, `make judges`)
	$(BIN)/python tests/look/structure.py --write
	$(BIN)/python tests/look/pictures.py --write

lock: $(VENV)/.dev ## write the lock files anew: hashes, no addresses
	@# The larger one first, since what the tests need may ask for an older version.
	$(BIN)/python -m piptools compile --quiet --upgrade --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --extra setup --extra dev --constraint .ci/oldest.txt --output-file .ci/requirements-dev.txt pyproject.toml
	$(BIN)/python -m piptools compile --quiet --upgrade --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --extra setup --constraint .ci/requirements-dev.txt --output-file .ci/requirements.txt pyproject.toml

clean: ## remove what was made anew: the environment and caches, not content, outbox or private
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage
