# Everything happens in .venv; a target sets up what it needs, once, and again only when the requirements change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=
BENCH_ARGS ?=
ATTACK_ARGS ?=
REQUIREMENTS := pyproject.toml constraints.txt

.PHONY: demo test check format bench attack lowest sbom docs clean

demo: $(VENV)/.ready-demo
	$(BIN)/hoscpool demo

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

check: $(VENV)/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.ready-bench
	for suite in motifs objective fit classify cluster scale science; do $(BIN)/hoscpool bench $$suite $(BENCH_ARGS) || exit $$?; done

# damaged files and faults, within an hour; ATTACK_ARGS="files --profile quick" for less
attack: $(VENV)/.ready-attack
	PYTHONPATH=tests $(BIN)/python -m attack $(ATTACK_ARGS)

# the tests with the lowest versions that pyproject.toml allows, and the list of what an installation brings; both have
# environments of their own in build/
lowest:
	PYTHON=$(PYTHON) .ci/lowest

sbom:
	PYTHON=$(PYTHON) .ci/sbom

docs: $(VENV)/.ready-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build site demo .coverage .mypy_cache .pytest_cache .ruff_cache

# torch comes first and alone: pinned, so that no other package drags in another build of it
$(VENV)/.ready-base: $(REQUIREMENTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet torch -c constraints.txt
	touch $@

$(VENV)/.ready-demo: $(VENV)/.ready-base
	$(BIN)/python -m pip install --quiet --editable . -c constraints.txt
	touch $@

$(VENV)/.ready-dev: $(VENV)/.ready-base
	$(BIN)/python -m pip install --quiet --editable '.[parquet,excel,distributed,bench,dev]' -c constraints.txt
	touch $@ $(VENV)/.ready-demo

# a peer of the benchmarks, without its dependencies: it asks for torch-scatter, which would be compiled from source
$(VENV)/.ready-bench: $(VENV)/.ready-dev
	$(BIN)/python -m pip install --quiet --no-deps torch-geometric-pool -c constraints.txt
	touch $@

# the fuzzer that follows code coverage has no wheels for some systems; without it the attack is guided by outcomes
$(VENV)/.ready-attack: $(VENV)/.ready-dev
	-$(BIN)/python -m pip install --quiet --only-binary :all: atheris -c constraints.txt
	touch $@

$(VENV)/.ready-docs: $(VENV)/.ready-base
	$(BIN)/python -m pip install --quiet --editable '.[docs]' -c constraints.txt
	touch $@
