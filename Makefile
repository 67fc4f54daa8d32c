# What a person types. `make run`, `make demo` and `make test` look for what they need and install it on Debian
# and Ubuntu (`tools/setup.sh`; MAYDAY_SETUP=no only says what is missing).

SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c

CARGO ?= cargo
NPM ?= npm
# Where `make run` keeps its data; start over by removing it.
DATA ?= ./data
LISTEN ?= 127.0.0.1:8000
# Where `make demo` keeps what it makes up; it starts over each time.
DEMO_DATA ?= ./data-demo

# What is made from the sources is none of them.
WEB_SOURCES = Cargo.toml $(shell find assets -path assets/node_modules -prune -o -path assets/dist -prune -o -type f ! -path assets/.built ! -name schema.d.ts -print)

# Set by `make test`: Clippy compiles our own crate then and lints as it goes, so that what it depends on is
# compiled once instead of checked first.
LINTING =
# Debian's and Ubuntu's jemalloc spares a minute of compiling our own, which is what releases have.
JEMALLOC = $(addprefix JEMALLOC_OVERRIDE=,$(firstword $(wildcard /usr/lib/*/libjemalloc_pic.a)))
# A first build ends sooner without what later ones would save: whoever calls cargo by hand has that.
ONCE = $(if $(wildcard target/debug/incremental),,CARGO_INCREMENTAL=0)
# What the browser tests and most of the Rust tests need. The unit tests compile the whole crate once more, on one
# core: that goes on beside the browser tests. With a test among the targets, all have the same features.
COMPILE = $(LINTING) $(CARGO) build --locked --bins --test api --test fuzz --test process --test tidy
# Tests wait more than they compute.
TEST_THREADS ?= 6
# The tests of the process, by nextest where it is; what follows names some or skips some.
RUN = $$($(CARGO) nextest --version >/dev/null 2>&1 && echo nextest run || echo test)
PROCESS = $(CARGO) $(RUN) --locked --no-fail-fast --test process --
# What takes longest of the tests of the process: `make test-long` has it, and the browser tests tagged
# @long or in a file named so.
LONG = logs:: slow_clients:: flood:: kill:: malformed:: hostile:: sign_ins:: bodies:: unread::
# Node lets what it writes to block nobody, and cargo beside it cannot write there then.
OWN_PIPE = 2>&1 | cat
# What runs at the same time in `make test`: cargo, which has jobs of its own, and npm.
BESIDE = --jobs=2 --no-print-directory

.PHONY: help build run demo test test-all test-long compile format lint lint-web test-rust test-unit test-web \
	test-api-fuzz test-browser test-rust-long test-browser-long prepare-browser bench soak clean

help:
	@echo "make run      build all and start the server ($(DATA), $(LISTEN))"
	@echo "make demo     the same with made-up projects and errors to look at ($(DEMO_DATA))"
	@echo "make build    target/release/mayday with the Web app baked in"
	@echo "make test     format, lints, Rust, Web and browser tests"
	@echo "make test-long    floods, kills, damaged files, long lists: some minutes more"
	@echo "make test-api-fuzz    made-up requests by the API document, under a minute"
	@echo "make lint     format and lints only"
	@echo "make bench    the performance report (minutes, on a quiet machine)"
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

# The Web app; rebuilt when a source is newer.
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

# The Web app comes before the server, which carries it; the rest of npm's work goes on beside cargo's.
test-all:
	@$(MAKE) $(BESIDE) format fetched assets/.built
	@$(MAKE) $(BESIDE) compile prepare-browser lint-web test-web
	@$(MAKE) --jobs=3 --no-print-directory test-browser test-rust test-unit

.PHONY: fetched
fetched:
	$(CARGO) fetch --locked --quiet

# Cargo's jobs are its own, not those of make.
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

# Each binary is one process, and the tests of the API share a server. Those of `process` get a process each from
# nextest, which also knows which of them must be alone. All run, whatever fails.
test-rust: compile
	@unset MAKEFLAGS; failed=; \
	$(LINTING) $(CARGO) test --locked --no-fail-fast --test api --test tidy --test fuzz -- \
		--test-threads=$(TEST_THREADS) || failed=yes; \
	$(LINTING) $(PROCESS) $(LONG:%=--skip %) || failed=yes; \
	[ -z "$$failed" ]

# Once the others have begun: what cargo compiles keeps its next call waiting.
test-unit: compile
	@sleep 5; unset MAKEFLAGS; $(LINTING) $(CARGO) test --locked --no-fail-fast --lib --bins -- \
		--test-threads=$(TEST_THREADS)

test-rust-long: compile
	@unset MAKEFLAGS; $(LINTING) $(CARGO) build --locked --benches && $(LINTING) $(PROCESS) $(LONG)

test-web: assets/.built
	$(NPM) --prefix assets test $(OWN_PIPE)

test-browser: compile
	$(NPM) --prefix tests/browser test $(OWN_PIPE)

# The server that the tests have built, with lints where `make test` did: nothing is compiled twice.
test-api-fuzz:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile $(SHARED)
	python3 tests/api-fuzz/run.py

test-browser-long: compile
	MAYDAY_LONG=1 $(NPM) --prefix tests/browser test $(OWN_PIPE)

bench: build
	$(CARGO) bench --locked --bench load
	$(CARGO) bench --locked --bench resolve

# Kills, failing disks and floods for minutes each, one after the other; the short ones run with `make test`.
# They print their seeds: MAYDAY_SEED=… runs one again.
soak: assets/.built
	$(CARGO) build --locked
	MAYDAY_SOAK=1 $(CARGO) test --locked --test process -- --nocapture --test-threads=1
	cd tests/browser && node prepare.mjs && MAYDAY_SOAK=1 npx playwright test --workers=1 calls.test.mjs calls-live.test.mjs
	cd tests/browser && MAYDAY_SOAK=1 npx playwright test --workers=1 --grep="the tail takes" logs.test.mjs

clean:
	$(CARGO) clean
	rm -rf assets/dist assets/.built assets/node_modules tests/browser/node_modules tests/browser/.venv tests/browser/output tests/api-fuzz/.venv \
		tests/fixtures/app/node_modules tests/fixtures/app/dist tests/demo/app/dist
