# Everything a newcomer needs: make demo, make test. Python 3.11, pip and make are enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ARGS ?=

.PHONY: demo test quick lint browser bench bench-full golden clean

demo: $(READY)  ## set everything up and show what Dowse does (make demo ARGS=--no-serve)
	@$(BIN)/dowse demo $(ARGS)

test: $(READY) lint browser  ## set everything up and run every test
	$(BIN)/python -m pytest -n 2 --dist loadgroup

quick: $(READY)  ## the tests to run before each commit, without the slow proofs
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow"

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

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Dowse needs Python 3.11 or newer; name one with make PYTHON=python3.11")'
	@echo "setting up $(VENV) (a minute, once)"
	@$(PYTHON) -m venv $(VENV) || { echo "python3 cannot make a virtual environment: install the package python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) .bench .pytest_cache .mypy_cache .ruff_cache .hypothesis
