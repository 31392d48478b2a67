# Everything a newcomer needs: make demo, make test. Python 3.11, pip and make are enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROGRAM := $(VENV)/.program
READY := $(VENV)/.ready
ARGS ?=

# Three test processes for two cores: some tests wait for a server or a browser. Bytecode is kept even where the environment
# says not to: each of the many processes that tests start would compile the whole program again.
TEST_PYTHON := PYTHONDONTWRITEBYTECODE= $(BIN)/python
PYTEST := $(TEST_PYTHON) -m pytest -n 3 --dist loadgroup

.PHONY: demo test quick proofs lint browser bench bench-full golden clean

demo: $(PROGRAM)  ## install the program and show what Dowse does (make demo ARGS=--no-serve)
	@$(BIN)/dowse demo $(ARGS)

test: $(READY) lint browser  ## set everything up and run every test but the proofs
	$(PYTEST) -m "not proof"

quick: $(READY)  ## the tests to run before each commit, without the slow ones
	$(PYTEST) -m "not slow and not proof"

proofs: $(READY) browser  ## the slow proofs whose subject has changed since they last passed (ARGS=--all: all of them)
	$(TEST_PYTHON) -m tests.proofs $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

browser:  ## Debian's chromium, curl and lynx, for the tests that compare what they see
	@command -v chromium >/dev/null && command -v curl >/dev/null && command -v lynx >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing chromium, curl and lynx (a minute, once)"; \
		apt-get update -qq >/dev/null && apt-get install -y -qq --no-install-recommends chromium curl lynx >/dev/null; \
	else \
		echo "no chromium, curl or lynx here: the tests that need them are skipped; as root: apt-get install chromium curl lynx"; \
	fi

bench: $(READY)  ## measure; results go to bench/results and docs/bench
	$(BIN)/python -m bench $(ARGS)

bench-full: $(READY)
	$(BIN)/python -m bench --all $(ARGS)

golden: $(READY)  ## what the program gives out beside what was recorded: equal, or explained (two minutes)
	$(BIN)/python -m bench.golden compare $(ARGS)

$(PROGRAM): pyproject.toml constraints.txt  ## the program alone: some 140 MB
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Dowse needs Python 3.11 or newer; name one with make PYTHON=python3.11")'
	@echo "setting up $(VENV) (half a minute, once)"
	@$(PYTHON) -m venv $(VENV) || { echo "python3 cannot make a virtual environment: install the package python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

$(READY): $(PROGRAM)  ## the program with the tools of the tests: 1.1 GB
	@echo "adding the tools of the tests to $(VENV) (a minute, once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) .bench .pytest_cache .mypy_cache .ruff_cache .hypothesis
