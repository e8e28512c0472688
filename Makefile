# Needs make, Python 3.11 or newer with its venv module, and a package registry that pip reaches.
#
#   make demo    set up .venv, decide the claims of the files under proofs/, save what was found and check it again
#   make test    run the whole test suite
#   make docs    the pages in docs/ and the Python interface as a site, without a network; prints where its first page is
#   make lint    ruff and mypy
#   make checks  every check of the kernel and of proofs/recheck taken away in turn, and forged records put to the rest
#   make bench   one table of timings, beside those of peers (bench/history.json keeps them), and the slow sweeps
#   make fuzz    verdicts of all kinds against an independent oracle: N= cases, SEED= the first (make fuzz N=1 SEED=417 shows case 417), WORKERS= processes or SCHEDULER= a Dask cluster
#   make count   lines of code: the kernel and its core, search, the rest, tests
#   make lock    requirements-dev.lock anew: the newest releases that pyproject.toml allows, with their hashes
#   make certificates   the records beside the mechanism files: those that are missing or out of date are made anew
#   make clean   remove .venv and everything that was built

# Tried in this order; the first that is new enough and can make a venv is used.  Say PYTHON=/path/to/python to name one.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11

# The claims that `make demo` decides: mechanism files, each with the answers that it expects.
DEMO ?= $(patsubst %,proofs/paper/%.toml,linear-query-three-records linear-query-universal \
  linear-regression-d-8 linear-regression-upper-triangle-d-8 demand-weighted-mean-limit \
  demand-weighted-mean-coupled-records demand-weighted-mean-all-records exact-size publish-demands) \
  $(patsubst %,proofs/field/%.toml,above-threshold sparse-vector-little-noise)
SAVED := build/demo
UV := 0.13.9

# Every command starts Pythons: where they keep no bytecode, each of them compiles the whole package again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test docs lint checks bench fuzz count lock certificates clean
.DEFAULT_GOAL := demo
.DELETE_ON_ERROR:
.NOTPARALLEL:

demo: .venv/.ready-cvc5
	@test -n "$(DEMO)" || { echo "make demo: there is no mechanism file under proofs/" >&2; exit 1; }
	@rm -rf $(SAVED)
	.venv/bin/ahdp-verify verify $(DEMO) --expect --save $(SAVED)/
	.venv/bin/ahdp-verify recheck $(SAVED) $(addprefix --file ,$(DEMO))
	@.venv/bin/python tools/demo_summary.py $(SAVED)

test: .venv/.ready-all
	.venv/bin/python -m pytest -q -n 2 --dist worksteal

docs: .venv/.ready-all
	@.venv/bin/python docs/builder/reference.py
	@rm -rf build/docs
	@.venv/bin/python -m sphinx -W --keep-going -q -b html -d build/doctrees docs build/docs
	@echo "The documentation is in build/docs; open build/docs/index.html in a browser."

lint: .venv/.ready-all
	.venv/bin/python -m ruff check .
	.venv/bin/python -m ruff format --check .
	.venv/bin/python -m mypy --strict ahdp_verify bench/*.py tools/*.py

checks: .venv/.ready-all
	.venv/bin/python checks/run.py

bench: .venv/.ready-bench
	.venv/bin/python bench/run.py
	.venv/bin/python bench/sweeps.py

fuzz: .venv/.ready-all
	.venv/bin/python -m fuzz.run --cases $(or $(N),2000) $(if $(SEED),--seed $(SEED)) $(if $(WORKERS),--workers $(WORKERS)) $(if $(SCHEDULER),--scheduler $(SCHEDULER))

certificates: .venv/.ready-all
	.venv/bin/python tools/store.py

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# `make demo` takes what pyproject.toml allows, as a user does; everything else takes the very releases of requirements-dev.lock.
HELP := pip could not install what is needed; its own message is above. Run make again to go on; if it stays so, make clean first.

.venv/.ready-cvc5: pyproject.toml .venv/bin/python
	@echo "Setting up .venv with the extra 'cvc5' (a minute or two, only the first time)" >&2
	@.venv/bin/python -m pip install -qq --disable-pip-version-check -e '.[cvc5]' || { echo "make: $(HELP)" >&2; exit 1; }
	@touch $@

.venv/.ready-all: requirements-dev.lock pyproject.toml .venv/bin/python
	@echo "Setting up .venv with the releases of requirements-dev.lock (a minute or two, only the first time)" >&2
	@{ .venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock \
	  && .venv/bin/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e .; } || { echo "make: $(HELP)" >&2; exit 1; }
	@touch $@

# The accountants that make bench compares with.
.venv/.ready-bench: .venv/.ready-all
	@.venv/bin/python -m pip install -qq --disable-pip-version-check -e '.[bench]' || { echo "make: $(HELP)" >&2; exit 1; }
	@touch $@

# For every Python from 3.11 on, and every system.
count: .venv/.ready-all
	.venv/bin/python bench/count.py

lock: .venv/bin/python
	@test -x build/lock/bin/uv || { .venv/bin/python -m venv build/lock && build/lock/bin/python -m pip install -qq --disable-pip-version-check uv==$(UV); }
	@printf 'hatchling>=1.27\neditables>=0.5\n' | build/lock/bin/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url --extra all pyproject.toml - -o build/requirements-dev.lock
	@{ echo "# Made by make lock: what make test, make lint and make bench install, for every Python from 3.11 on."; cat build/requirements-dev.lock; } > requirements-dev.lock

.venv/bin/python:
	@for python in $(PYTHON); do \
	  if "$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    exec "$$python" -m venv --clear .venv; \
	  fi; \
	done; \
	echo "make: ahdp_verify needs Python 3.11 or newer with its venv module (on Debian: python3-venv); none of these is that: $(PYTHON). Name one with: make PYTHON=/path/to/python" >&2; \
	exit 1
