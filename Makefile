# The commands for people; `make help` lists them. `make run`, `make demo` and `make test` check what they need and
# install it on Debian and Ubuntu (`tools/setup.sh`; MAYDAY_SETUP=no makes it only report what is missing).

SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c

CARGO ?= cargo
NPM ?= npm
# The data directory of `make run`; remove it to start over.
DATA ?= ./data
LISTEN ?= 127.0.0.1:8000
# The data directory of `make demo`, which starts over each time.
DEMO_DATA ?= ./data-demo

# Everything that the Web app is built from; generated files are left out.
WEB_SOURCES = Cargo.toml $(shell find assets -path assets/node_modules -prune -o -path assets/dist -prune -o -type f ! -path assets/.built ! -name schema.d.ts -print)

# Set by `make test`: Clippy then compiles our own crate and lints it on the way, so that dependencies are compiled
# once rather than checked first and compiled later.
LINTING =
# Debian's and Ubuntu's jemalloc saves the tests a minute of compiling our own, which releases use.
JEMALLOC = $(addprefix JEMALLOC_OVERRIDE=,$(firstword $(wildcard /usr/lib/*/libjemalloc_pic.a)))
# A first build is faster without incremental compilation; people who run cargo by hand keep it.
ONCE = $(if $(wildcard target/debug/incremental),,CARGO_INCREMENTAL=0)
# What the browser tests and most of the Rust tests need. The unit tests compile the whole crate a second time, on one
# core, while the browser tests run. Naming tests among the targets gives all of them the same features.
COMPILE = $(LINTING) $(CARGO) build --locked --bins --test api --test fuzz --test process --test tidy
# More than there are cores: tests wait more than they compute.
TEST_THREADS ?= 6
# The process tests, run by nextest if it is installed; arguments select or skip some of them.
RUN = $$($(CARGO) nextest --version >/dev/null 2>&1 && echo nextest run || echo test)
PROCESS = $(CARGO) $(RUN) --locked --no-fail-fast --test process --
# The slowest process tests. `make test-long` runs them, and the browser tests that are tagged @long or stand in
# a file named *.long.test.mjs.
LONG = logs:: slow_clients:: flood:: kill:: malformed:: hostile:: sign_ins:: signals:: deletion:: bodies:: unread:: \
	memory_limit:: revoked::expiry::
# Node sets its output to non-blocking, which would make writes of a cargo that shares it fail.
OWN_PIPE = 2>&1 | cat
# `make test` runs cargo, which has its own jobs, and npm at the same time.
BESIDE = --jobs=2 --no-print-directory

.PHONY: help build run demo test test-all test-long compile format lint lint-web test-rust test-unit test-web \
	test-api-fuzz test-browser test-deploy test-rust-long test-browser-long prepare-browser bench bench-web soak clean

help:
	@echo "make run      build everything and start the server ($(DATA), $(LISTEN))"
	@echo "make demo     the same with sample projects and errors to look at ($(DEMO_DATA))"
	@echo "make build    build target/release/mayday, with the Web app in it"
	@echo "make test     format, lints, Rust, Web and browser tests"
	@echo "make test-long    floods, kills, damaged files, long lists: a few minutes more"
	@echo "make test-api-fuzz    requests generated from the API document, under a minute"
	@echo "make test-deploy  the deployment scripts"
	@echo "make lint     format and lints only"
	@echo "make bench    the performance report (takes minutes; needs a quiet machine)"
	@echo "make bench-web    how fast the Web app loads and answers, in Chromium (two minutes)"
	@echo "make soak     the long fault tests"

build: assets/.built
	$(CARGO) build --release --locked

run:
	@tools/setup.sh run
	@$(MAKE) --no-print-directory build
	./target/release/mayday serve --data-dir $(DATA) --listen $(LISTEN)

demo:
	@tools/setup.sh run
	@$(MAKE) --no-print-directory build
	node tests/demo/main.mjs --binary ./target/release/mayday --data $(DEMO_DATA) --listen $(LISTEN)

# The Web app, rebuilt when a source is newer.
assets/node_modules/.installed: assets/package-lock.json
	@command -v $(NPM) >/dev/null || { echo "npm is missing: install Node.js 20 or newer"; exit 1; }
	$(NPM) --prefix assets ci --no-audit --no-fund
	@touch $@

assets/.built: assets/node_modules/.installed $(WEB_SOURCES)
	$(NPM) --prefix assets run build
	@touch $@

# How `make test` and `make test-long` compile.
SHARED = "LINTING=RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings $(JEMALLOC) $(ONCE)"

test:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory test-all $(SHARED)

test-long:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory test-rust-long $(SHARED)
	@$(MAKE) --no-print-directory test-browser-long $(SHARED)

# The Web app is built before the server that contains it; the rest of npm's work runs beside cargo's.
test-all:
	@$(MAKE) $(BESIDE) format fetched assets/.built
	@$(MAKE) $(BESIDE) compile prepare-browser lint-web test-web
	@$(MAKE) --jobs=3 --no-print-directory test-browser test-rust test-unit

.PHONY: fetched
fetched:
	$(CARGO) fetch --locked --quiet

# MAKEFLAGS is unset so that cargo uses its own jobs, not those of make.
compile: assets/.built
	unset MAKEFLAGS; $(COMPILE)

prepare-browser:
	node tests/browser/prepare.mjs --without-server $(OWN_PIPE)

lint: format lint-web
	$(CARGO) clippy --locked --all-targets -- -D warnings

format:
	$(CARGO) fmt --check

lint-web: assets/.built
	$(NPM) --prefix assets run check $(OWN_PIPE)

# Each test binary is one process, and the API tests share a server in theirs. nextest gives each process test its
# own process and knows which of them must run alone. Everything runs, whatever fails.
test-rust: compile
	@unset MAKEFLAGS; failed=; \
	$(LINTING) $(CARGO) test --locked --no-fail-fast --test api --test tidy --test fuzz -- \
		--test-threads=$(TEST_THREADS) || failed=yes; \
	$(LINTING) $(PROCESS) $(LONG:%=--skip %) || failed=yes; \
	[ -z "$$failed" ]

# Waits until the others have started: while cargo compiles, another call of it is blocked.
test-unit: compile
	@sleep 5; unset MAKEFLAGS; $(LINTING) $(CARGO) test --locked --no-fail-fast --lib --bins -- \
		--test-threads=$(TEST_THREADS)

test-rust-long: compile
	@unset MAKEFLAGS; $(LINTING) $(CARGO) build --locked --benches && $(LINTING) $(PROCESS) $(LONG)

test-web: assets/.built
	$(NPM) --prefix assets test $(OWN_PIPE)

test-browser: compile
	$(NPM) --prefix tests/browser test $(OWN_PIPE)

# Uses the server that the tests have built, with the same flags, so that nothing is compiled twice.
test-api-fuzz:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile $(SHARED)
	python3 tests/api-fuzz/run.py

# The deployment scripts: the configuration in every POSIX shell of this machine, and the stack on podman where that can
# run; it says what is missing elsewhere.
test-deploy:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile $(SHARED)
	node --test --test-reporter=spec tests/deploy/*.test.mjs $(OWN_PIPE)

test-browser-long: compile
	MAYDAY_LONG=1 $(NPM) --prefix tests/browser test $(OWN_PIPE)

bench-web: build prepare-browser
	node tests/browser/bench/main.mjs --binary ./target/release/mayday

bench: build
	$(CARGO) bench --locked --bench load
	$(CARGO) bench --locked --bench resolve

# Kills, failing disks and floods, minutes each, one after the other; their short versions run in `make test`.
# Each prints its seed: MAYDAY_SEED=… repeats a run.
soak: assets/.built
	$(CARGO) build --locked
	MAYDAY_SOAK=1 $(CARGO) test --locked --test process -- --nocapture --test-threads=1
	cd tests/browser && node prepare.mjs && MAYDAY_SOAK=1 npx playwright test --workers=1 calls.test.mjs calls-live.test.mjs
	cd tests/browser && MAYDAY_SOAK=1 npx playwright test --workers=1 --grep="the tail takes" logs.test.mjs

clean:
	$(CARGO) clean
	rm -rf assets/dist assets/.built assets/node_modules tests/browser/node_modules tests/browser/.venv tests/browser/output tests/api-fuzz/.venv \
		tests/fixtures/app/node_modules tests/fixtures/app/dist tests/demo/app/dist
