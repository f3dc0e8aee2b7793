# The few commands of the project. `make run` is all that a person needs.
PYTHON ?= python3
VENV := .venv
SETUP := $(PYTHON) packaging/setup/setup_environment.py
TEST_FLAGS ?=

.PHONY: help run setup setup-tests test check shots bench faults clean

help:
	@echo "make run     set up (the first time) and open AICO Desktop"
	@echo "make setup   set up only"
	@echo "make test    every check and every test"
	@echo "make check   style, types and borders between the parts"
	@echo "make shots   pictures of the window, in shots/"
	@echo "make bench   the measured numbers"
	@echo "make faults  hundreds of kills and restarts"
	@echo "make clean   remove what set-up and tests made; what AICO remembers stays"

run: setup
	@$(VENV)/bin/aico

setup:
	@$(SETUP)

setup-tests:
	@$(SETUP) --with-tests

test: check
	@$(VENV)/bin/python -m pytest $(TEST_FLAGS)

check: setup-tests
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

shots: setup-tests
	@$(VENV)/bin/python -m benchmarks.screenshots

bench: setup-tests
	@$(VENV)/bin/python -m benchmarks.latency

faults: setup-tests
	@$(VENV)/bin/python -m pytest tests/faults --fault-rounds 300

clean:
	@rm -rf $(VENV) .setup.lock .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis shots build *.egg-info
