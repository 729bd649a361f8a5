# Everything a newcomer needs: `make run` and `make test`. Only Python 3.11 and make are presupposed.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
STATIC := $(shell find static templates games/catalogue/*/static games/catalogue/*/templates -type f 2>/dev/null)
# More than twice as many as cores: half of what tests do is wait for servers and browsers. With five, two cores are busy.
WORKERS ?= 5

# Folders with hardly a test for `make quick`: to collect them takes longer than to run it.
UNSEEN := $(addprefix tests/,browser serving chaos play operation deploy management accounts \
	tournaments/views tournaments/flow tournaments/api tournaments/admin)

SPELLED := README.md Makefile pyproject.toml manage.py .ci/run docs templates config games tournaments static types \
	tests benchmarks chaos deploy

# The games of this repository register as those of others do: by the entry points in pyproject.toml.
REGISTER = PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

export PORT
export DATA_DIR

.PHONY: run test quick check audit bench chaos migrate build build-static demo demo-club messages extract clean

run: $(VENV)/.base build ## environment, dependencies, database, demo data, server
	@exec $(MANAGE) serve --prepare

test: $(VENV)/.dev messages ## every test this machine can run; says what it leaves out, and the slowest twenty
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q --durations 20 $(ARGS)

quick: $(VENV)/.dev messages ## rules, bots, draws, scores, records, words: no database, server or browser, nothing slow
	$(BIN)/python -m pytest -n 2 --dist worksteal -q -m "not served and not stored and not slow" $(UNSEEN:%=--ignore=%) $(ARGS)

check: $(VENV)/.dev messages ## format, lint, spelling in three languages, plain words, types (of Python and of scripts), layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell $(SPELLED)
	$(BIN)/python -m config.spelling
	$(BIN)/python -m pytest -q tests/words/test_words.py tests/words/test_glossary.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m config.script_types
	$(MANAGE) makemigrations --check --dry-run

audit: $(VENV)/.dev ## known weaknesses of the pinned packages; fails, too, if one of them could not be looked up
	$(BIN)/pip-audit --strict --disable-pip --require-hashes -r requirements/base.txt

chaos: $(VENV)/.dev messages build-static ## 1,300 games while everything under them is killed (at most 25 minutes)
	$(BIN)/python -m chaos $(ARGS)

bench: $(VENV)/.dev messages build-static ## figures of docs/performance.md, measured here
	$(BIN)/python -m benchmarks $(ARGS)

# pip comes last: an environment that was left half made (Debian without python3-venv, Ctrl-C) is made again.
$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Menagerie needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(VENV)/bin/pip requirements/base.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/base.txt
	$(REGISTER)
	@touch $@

$(VENV)/.dev: $(VENV)/bin/pip requirements/dev.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(REGISTER)
	@touch $(VENV)/.base $@

build: messages build-static

messages: $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po)) ## translations, compiled

%.mo: %.po | $(VENV)/.base
	@$(BIN)/pybabel --quiet compile --use-fuzzy -i $< -o $@

build-static: build/static/staticfiles.json

build/static/staticfiles.json: $(STATIC) $(VENV)/.base
	@rm -rf build/static.new
	@STATIC_ROOT=build/static.new $(MANAGE) collectstatic --noinput --verbosity 0
	@$(BIN)/python -m config.build build/static.new build/static
	@rm -rf build/static.new

migrate: $(VENV)/.base
	@$(MANAGE) migrate --noinput --verbosity 0

demo-club: $(VENV)/.base migrate ## a made-up club to look around in
	@$(MANAGE) demo_club

demo: $(VENV)/.base migrate
	@$(MANAGE) demo

extract: $(VENV)/.base ## collect what can be translated into locale/*/LC_MESSAGES/django.po
	$(BIN)/python -m config.extraction

clean:
	rm -rf build
