# Needs make, Python 3.11 or newer with its venv module, and a package registry that pip reaches.
#
#   make demo    set up .venv, decide the claims of the files under proofs/, save what was found and check it again
#   make test    run the whole test suite
#   make lint    ruff and mypy
#   make bench   the slow sweeps and timings
#   make fuzz    verdicts of all kinds against an independent oracle: N= cases, SEED= the first (make fuzz N=1 SEED=417 shows case 417)
#   make certificates   the records beside the mechanism files: those that are missing or out of date are made anew
#   make clean   remove .venv and everything that was built

# Tried in this order; the first that is new enough and can make a venv is used.  Say PYTHON=/path/to/python to name one.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11

# The claims that `make demo` decides: mechanism files, each with the answers that it expects.
DEMO ?= $(addprefix proofs/paper/,linear-query-ex-sum.toml linear-query-universal.toml regression-8.toml regression-8-upper.toml \
  swap-dp-limit.toml swap-dp-formula.toml swap-dp-moves.toml size.toml publish-demands.toml)
SAVED := build/demo

.PHONY: demo test lint bench fuzz certificates clean
.DEFAULT_GOAL := demo
.DELETE_ON_ERROR:

demo: .venv/.ready-cvc5
	@test -n "$(DEMO)" || { echo "make demo: there is no mechanism file under proofs/" >&2; exit 1; }
	@rm -rf $(SAVED) && mkdir -p $(SAVED)
	@for file in $(DEMO); do \
	  saved=$(SAVED)/$$(echo "$${file#proofs/}" | sed 's|/|-|g; s|\.toml$$||').json; \
	  echo "\$$ ahdp-verify verify $$file --expect --save $$saved"; \
	  .venv/bin/ahdp-verify verify "$$file" --expect --save "$$saved" || exit; \
	done
	@echo "\$$ ahdp-verify recheck $(SAVED)/*.json"
	@.venv/bin/ahdp-verify recheck $(SAVED)/*.json

test: .venv/.ready-all
	.venv/bin/python -m pytest -q -n 2 --dist worksteal

lint: .venv/.ready-all
	.venv/bin/python -m ruff check .
	.venv/bin/python -m mypy --strict ahdp_verify

bench: .venv/.ready-all
	.venv/bin/python bench/run.py

fuzz: .venv/.ready-all
	.venv/bin/python -m fuzz.run --cases $(or $(N),2000) $(if $(SEED),--seed $(SEED))

certificates: .venv/.ready-all
	.venv/bin/python proofs/store.py

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp names the extra that .venv has; the second builds on the first, so that two never run pip at once.
.venv/.ready-cvc5: pyproject.toml .venv/bin/python
.venv/.ready-all: .venv/.ready-cvc5
.venv/.ready-cvc5 .venv/.ready-all:
	@echo "Setting up .venv with the extra '$(patsubst .ready-%,%,$(@F))' (a minute or two, only the first time)" >&2
	@.venv/bin/python -m pip install -qq --disable-pip-version-check -e '.[$(patsubst .ready-%,%,$(@F))]' \
	  || { echo "make: pip could not install what is needed; its own message is above. Run make again to go on; if it stays so, make clean first." >&2; exit 1; }
	@touch $@

.venv/bin/python:
	@for python in $(PYTHON); do \
	  if "$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    exec "$$python" -m venv --clear .venv; \
	  fi; \
	done; \
	echo "make: ahdp_verify needs Python 3.11 or newer with its venv module (on Debian: python3-venv); none of these is that: $(PYTHON). Name one with: make PYTHON=/path/to/python" >&2; \
	exit 1
