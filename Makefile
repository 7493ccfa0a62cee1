PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate --no-emit-index-url

# The files pin everything, dependencies included: nothing is left to resolve, and no version that appears
# later can stand in the way (`--no-deps`).
# Commands that tests and benchmarks start find their modules compiled, as an installation has them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: catalogs demo contest-demo contest-load test test-long coverage lint kernels checked bench chaos rehearsal lock clean fuzz docs

demo: $(VENV)/ready ## the main job on generated data
	$(BIN)/tokumei demo --out demo-out

contest-demo: $(VENV)/ready-contest ## a contest with teams of bots; prints the address
	$(BIN)/tokumei contest demo

contest-load: $(VENV)/ready-dev ## 50 teams × 10 uploads in 5 minutes; percentiles
	$(BIN)/python -m bench.contest_load

test: $(VENV)/ready-dev kernels ## what a newcomer waits for: every room, browser, PostgreSQL, Spark
	TOKUMEI_TESTS=quick $(BIN)/python -m pytest $(PYTEST)

test-long: $(VENV)/ready-dev kernels ## long property runs, chaos, whole contests: what `test` leaves out
	TOKUMEI_TESTS=long $(BIN)/python -m pytest $(PYTEST)

coverage: $(VENV)/ready-dev kernels ## how much of the rooms the quick tests run through (slower than `make test`)
	TOKUMEI_TESTS=quick $(BIN)/python -m pytest --cov=tokumei --cov-report=
	$(BIN)/coverage combine --quiet --keep || true
	$(BIN)/coverage json --quiet -o .coverage.json
	$(BIN)/python tests/coverage_floor.py .coverage.json

lint: $(VENV)/ready-dev ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/core/registered_classes.py >$(VENV)/registered_classes.py
	$(BIN)/mypy $(VENV)/registered_classes.py
	$(BIN)/lint-imports
	$(BIN)/python -m catalogs check

kernels: $(VENV)/kernels ## compile the kernels and catalogs that were changed since they were installed

catalogs: $(VENV)/ready ## bring the message catalogs in line with the code, and compile them
	$(BIN)/python -m catalogs update

checked: $(VENV)/ready-dev kernels ## the kernels' tests in a build that checks every index
	TOKUMEI_KERNELS=checked $(BIN)/python setup.py --quiet build_ext --inplace
	TOKUMEI_TESTS=quick TOKUMEI_KERNELS=checked $(BIN)/python -m pytest tests/kernels tests/pseudonyms/attackers/test_noise_model.py

fuzz: $(VENV)/ready-dev kernels ## 20,000 odd tables, 2,000 odd histories, 20,000 problems for kernels, 10,000 requests to the contest's API
	cd tests && ../$(BIN)/python -m fuzz --tables 20000 --histories 2000
	TOKUMEI_KERNELS=checked $(BIN)/python setup.py --quiet build_ext --inplace
	cd tests && ../$(BIN)/python -m fuzz.kernels --problems 20000
	TOKUMEI_REQUESTS=10000 $(BIN)/python -m pytest tests/apps/contest/api/test_random_requests.py -n 0 -s

docs: $(VENV)/ready-docs ## the documentation as web pages, into site/; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(VENV)/ready-dev kernels ## ratios of ours to a floor, into bench/RESULTS.md
	$(BIN)/python -m bench

chaos: $(VENV)/ready-dev ## kill −9 at random moments: nothing partial, readable, lost, doubled or stuck
	cd tests && ../$(BIN)/python -m fuzz.kills --kills 200
	$(BIN)/python -m bench.chaos --kills 200 --database both

rehearsal: $(VENV)/ready-dev ## contests of 24 bot teams on PostgreSQL, with kills and corrections; the board and its checks
	$(BIN)/python -m bench.rehearsal

lock: $(VENV)/ready-dev ## pin versions and hashes again
	$(INSTALL) uv
	$(COMPILE) --output-file requirements/build.txt requirements/build.in
	$(COMPILE) --output-file requirements/compiler.txt requirements/compiler.in
	$(COMPILE) --output-file requirements/run.txt pyproject.toml
	$(COMPILE) --output-file requirements/contest.txt --extra contest pyproject.toml
	$(COMPILE) --output-file requirements/dev.txt --extra dev pyproject.toml
	$(COMPILE) --output-file requirements/docs.txt --extra docs pyproject.toml

$(VENV)/ready: requirements/build.txt requirements/run.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Tokumei needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --no-deps --require-hashes -r requirements/build.txt -r requirements/run.txt
	command -v $$($(BIN)/python -c 'import os, sysconfig; print((os.environ.get("CC") or sysconfig.get_config_var("CC")).split()[0])') \
	  >/dev/null || \
	  $(INSTALL) --no-deps --require-hashes -r requirements/compiler.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
	touch $@ $(VENV)/kernels

$(VENV)/kernels: $(VENV)/ready setup.py $(wildcard src/tokumei/kernels/*.py src/tokumei/kernels/*/*.py) $(wildcard src/tokumei/locale/*/LC_MESSAGES/*.po)
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

$(VENV)/ready-contest: requirements/contest.txt $(VENV)/ready
	$(INSTALL) --no-deps --require-hashes -r requirements/contest.txt
	touch $@

$(VENV)/ready-dev: requirements/dev.txt $(VENV)/ready
	$(INSTALL) --no-deps --require-hashes -r requirements/dev.txt
	touch $@

$(VENV)/ready-docs: requirements/docs.txt $(VENV)/ready
	$(INSTALL) --no-deps --require-hashes -r requirements/docs.txt
	touch $@

clean:
	rm -rf $(VENV) build site demo-out .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis
