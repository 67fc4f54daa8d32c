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
WEB_SOURCES = Cargo.toml $(shell find assets -path assets/node_modules -prune -o -path assets/dist -prune -o -path assets/client/dist -prune -o -type f ! -path assets/.built ! -path assets/client/LICENSE ! -path assets/client/README.md ! -name schema.d.ts -print)

# Set by `make test`: Clippy then compiles our own crate and lints it on the way, so that dependencies are compiled
# once rather than checked first and compiled later.
LINTING =
# Debian's and Ubuntu's jemalloc saves the tests a minute of compiling our own, which releases use. The shell looks for
# it, because make would do so before setup.sh installs it.
JEMALLOC = $$(ls /usr/lib/*/libjemalloc_pic.a 2>/dev/null | head -n 1 | sed 's/^/JEMALLOC_OVERRIDE=/')
# A first build is faster without incremental compilation; people who run cargo by hand keep it. Cargo makes the directory
# in either case.
ONCE = $(if $(wildcard target/debug/incremental/*),,CARGO_INCREMENTAL=0)
# What the browser tests and most of the Rust tests need. Naming tests among the targets gives all of them the same features.
COMPILE = $(LINTING) $(CARGO) build --locked --bins --test api --test fuzz --test process --test tidy
# The unit tests are the whole crate a second time: both use one core for a minute, so they are compiled beside each other.
COMPILE_ALL = $(LINTING) $(CARGO) test --locked --no-run --lib --bins --test api --test fuzz --test process --test tidy
# Names a test that hangs, and ends it.
WATCH = node tools/watch-tests.mjs
# More than there are cores: tests wait more than they compute.
TEST_THREADS ?= 6
# The process tests; arguments select or skip some of them.
PROCESS = tools/process-tests.sh
# Tests for Node's own runner. The limit is a file's: one that something keeps open fails, too. The second reporter names the
# tests without a result, and makes the run fail. Never --test-force-exit: a file then exits before all its results are written.
NODE_TEST = node --test --test-reporter=spec --test-reporter-destination=stdout \
	--test-reporter=./tools/missing-tests.mjs --test-reporter-destination=stdout
# The slowest process tests. `make test-long` runs them; but for their twins, which show that the others can fail:
# `make test-night` runs those. The twins of the other process tests are in `make test-long`, too.
LONG = logs:: slow_clients:: flood:: fairness:: streams:: kill:: malformed:: hostile:: sign_ins:: searches:: signals:: notifications:: inbox:: alerts:: mail:: deletion:: \
	bodies:: uploads:: unread:: memory_limit:: revoked:: retention:: replays:: disk_full:: damage:: room:: agents:: \
	runner::long:: runner::obeying::all:: runner::acp:: runner::cancel:: runner::caps:: runner::code_hosts:: $(HUGE) runner::load:: runner::held:: runner::set_up:: \
	runner::pauses::a_pause_during runner::untrusted::an_agent_that_stops \
	backup::kills:: backup::under_load:: backup::schedule:: late_maps::
TWINS = noticed
# These, too: they fill gigabytes.
HUGE = runner::large::
# The slowest unit and API tests, which `make test-long` runs, too.
LONG_UNIT = server::tests::no_route_goes server::tests::snapshot search::tests:: stack::tests::hostile \
	map::tests::damage map::tests::hostile grouping::tests::message scrubbing::patterns
LONG_API = openapi::routes::every access:: auth:: hostile:: logs::pages mcp::pages organizations:: notifications:: projects::disk sourcemaps::
# `make test-outside` runs these.
EXCHANGING = connections:: alerts::
# Those of them that are about memory and fair shares run after the others.
ALONE = flood:: memory_limit:: hostile:: bodies:: unread:: slow_clients:: the_largest_replays
# Node sets its output to non-blocking, which would make writes of a cargo that shares it fail.
OWN_PIPE = 2>&1 | cat
# `make test` runs cargo, which has its own jobs, and npm at the same time.
BESIDE = --jobs=2 --no-print-directory

# What people call: `make help` has a line for each (tests/tools/make-help.test.mjs).
.PHONY: help run demo build clean quick lint test test-long test-pages test-others test-deploy test-outside \
	test-api-fuzz test-agents test-browser-others test-browser-alone test-night test-peers format lint-web test-rust \
	test-unit test-web test-tools test-browser bench bench-web soak image ci-image cut release
# Parts of these.
.PHONY: test-all compile compile-all compile-long exchanges test-rust-long test-slow test-rust-alone \
	test-rust-twins test-browser-night test-browser-more prepare-browser

help:
	@echo "make run                    build and start the server (DATA=$(DATA), LISTEN=$(LISTEN))"
	@echo "make demo                   start it with sample projects and errors (DEMO_DATA=$(DEMO_DATA))"
	@echo "make build                  build target/release/mayday, with the Web app in it"
	@echo "make clean                  remove what was built or installed in this folder; data stays"
	@echo
	@echo "make quick                  check format and lints, run fast tests; before each commit (1 min)"
	@echo "make lint                   check format and lints only"
	@echo "make test                   check format and lints, run all tests but the slow ones (12 min)"
	@echo "make test-long              floods, kills, damaged files, the longest browser tests (8 min)"
	@echo "make test-pages             most pages of the Web app, in a browser (10 min)"
	@echo "make test-others            test-deploy and, beside it, the three below it (6 min)"
	@echo "make test-deploy            the deployment scripts, behind Caddy and with containers (4 min)"
	@echo "make test-outside           requests to GitHub and others, against their API documents (1 min)"
	@echo "make test-api-fuzz          requests generated from our own API document (1 min)"
	@echo "make test-agents            real agents mend a bug; a script stands in for the model (2 min)"
	@echo "make test-browser-others    the client in Firefox, long replays and live ones (2 min)"
	@echo "make test-browser-alone     pages that are dear to record, an hour of a real page (3 min)"
	@echo "make test-night             before a release: test-pages, test-peers and what takes longest"
	@echo "make test-peers             source maps beside another symbolicator (compiles for minutes)"
	@echo
	@echo "make format                 a part of lint: the format of the Rust code"
	@echo "make lint-web               a part of lint: format, lints and types of the Web app"
	@echo "make test-rust              a part of test: API, process and fuzz tests, rules for the sources"
	@echo "make test-unit              a part of test: unit tests of the server"
	@echo "make test-web               a part of test: unit tests of the Web app and the browser client"
	@echo "make test-tools             a part of test: tests of the programs in tools/"
	@echo "make test-browser           a part of test: browser tests"
	@echo
	@echo "make bench                  the performance report (some minutes, on a quiet machine)"
	@echo "make bench-web              how fast the Web app loads and answers, in Chromium (2 min)"
	@echo "make soak                   the long fault tests: kills, failing disks, floods (minutes each)"
	@echo
	@echo "make image                  build the container image that deploy/ runs (BINARY=, BASE=, ENGINE=)"
	@echo "make ci-image               build one for pipelines: a shell and the binary (docs/ci.md)"
	@echo "make cut VERSION=X.Y.Z      set the version, and its date in CHANGELOG.md"
	@echo "make release VERSION=X.Y.Z  build all that is released, with checksums: target/release-X.Y.Z"

build: assets/.built
	$(CARGO) build --release --locked

# BINARY= names one that is built already; BASE=, ENGINE= and BUILD_FLAGS= are for tools/release.sh.
BUILT = $(if $(BINARY),,build)
IMAGE ?= mayday:server-v$(shell sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml)

image: $(BUILT)
	@tools/release.sh image $(IMAGE)

CI_IMAGE ?= $(subst mayday:,mayday-ci:,$(IMAGE))

ci-image: $(BUILT)
	@tools/release.sh ci-image $(CI_IMAGE)

cut:
	@tools/release.sh cut "$(VERSION)"

# What is missing is said before ten minutes of compiling.
release:
	@tools/release.sh check "$(VERSION)"
	@$(if $(BUILT),$(MAKE) --no-print-directory $(BUILT))
	@tools/release.sh release "$(VERSION)"

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

# How `make test` and `make test-long` compile. Panics name their places without debugging information, too.
SHARED = "LINTING=RUSTC_WORKSPACE_WRAPPER=$(CURDIR)/tools/rustc-lint.sh CLIPPY_ARGS=-Dwarnings $(JEMALLOC) $(ONCE) \
	CARGO_PROFILE_DEV_DEBUG=false"

test:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory test-all $(SHARED)

test-long:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile-long prepare-browser $(SHARED)
	@$(MAKE) --jobs=2 --no-print-directory --keep-going test-rust-long test-beside $(SHARED)
	@$(MAKE) --no-print-directory test-rust-alone $(SHARED)

test-night:
	@tools/setup.sh test-pages
	@$(MAKE) --no-print-directory --keep-going test-pages test-browser-night test-rust-twins test-peers $(SHARED)

# The Web app is built before the server that contains it; the rest of npm's work runs beside cargo's.
test-all:
	@$(MAKE) $(BESIDE) format fetched assets/.built
	@$(MAKE) $(BESIDE) compile-all prepare-browser lint-web test-web test-tools
	@$(MAKE) --jobs=3 --no-print-directory test-browser test-rust test-unit

.PHONY: fetched
fetched:
	$(CARGO) fetch --locked --quiet

# MAKEFLAGS is unset so that cargo uses its own jobs, not those of make.
compile: assets/.built
	unset MAKEFLAGS; $(COMPILE)

compile-all: assets/.built
	unset MAKEFLAGS; $(COMPILE_ALL)

prepare-browser:
	node tests/browser/prepare.mjs --without-server $(OWN_PIPE)

# Before each commit: what needs no build of the server. A minute, once everything has been compiled.
quick:
	@tools/setup.sh test
	@$(MAKE) $(BESIDE) lint test-web
	$(CARGO) test --locked --quiet --test tidy

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
	$(LINTING) $(WATCH) $(CARGO) test --locked --no-fail-fast --test api --test tidy --test fuzz -- \
		$(LONG_API:%=--skip %) $(EXCHANGING:%=--skip %) --test-threads=$(TEST_THREADS) || failed=yes; \
	$(LINTING) $(PROCESS) --skip $(TWINS) $(LONG:%=--skip %) || failed=yes; \
	[ -z "$$failed" ]

# Waits until the others have started: while cargo compiles, another call of it is blocked.
test-unit: compile
	@sleep 5; unset MAKEFLAGS; $(LINTING) $(WATCH) $(CARGO) test --locked --no-fail-fast --lib --bins -- \
		$(LONG_UNIT:%=--skip %) --test-threads=$(TEST_THREADS)

# Benches are only compiled.
compile-long: compile
	@unset MAKEFLAGS; $(LINTING) $(CARGO) build --locked --benches

test-rust-long: compile-long
	@unset MAKEFLAGS; failed=; \
	$(LINTING) $(PROCESS) $(LONG) --skip $(TWINS) $(HUGE:%=--skip %) $(ALONE:%=--skip %) || failed=yes; \
	$(LINTING) $(PROCESS) $(TWINS) $(LONG:%=--skip %) || failed=yes; \
	[ -z "$$failed" ]

# What needs the processor, beside the process tests, which mostly wait.
.PHONY: test-beside
test-beside: compile-long
	@failed=; for each in test-browser-more test-slow; do $(MAKE) --no-print-directory $$each || failed=yes; done; [ -z "$$failed" ]

# The slowest of the library and of the API.
test-slow: compile-long
	@unset MAKEFLAGS; failed=; \
	$(LINTING) $(WATCH) $(CARGO) test --locked --no-fail-fast --test api -- $(LONG_API) --test-threads=$(TEST_THREADS) || failed=yes; \
	$(LINTING) $(WATCH) $(CARGO) test --locked --no-fail-fast --lib -- $(LONG_UNIT) --test-threads=$(TEST_THREADS) || failed=yes; \
	[ -z "$$failed" ]

test-rust-alone: compile-long
	@unset MAKEFLAGS; $(LINTING) $(PROCESS) $(ALONE) --skip $(TWINS)

test-rust-twins: compile
	@unset MAKEFLAGS; $(LINTING) $(PROCESS) $(TWINS) $(HUGE)

test-web: assets/.built
	$(NPM) --prefix assets test $(OWN_PIPE)

# The programs of tools/.
test-tools:
	$(NODE_TEST) --test-timeout=60000 tests/tools/*.test.mjs $(OWN_PIPE)

test-browser: compile
	$(NPM) --prefix tests/browser test $(OWN_PIPE)

# Uses the server that the tests have built, with the same flags, so that nothing is compiled twice.
test-api-fuzz:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile $(SHARED)
	timeout --kill-after=10 5m python3 tests/api-fuzz/run.py

# The deployment scripts: the configuration in every POSIX shell of this machine, the server behind Caddy, and the stack on
# podman where that can run; it says what was not tried, and how long each part took.
test-deploy:
	@tools/setup.sh deploy
	@$(MAKE) --no-print-directory compile $(SHARED)
	tests/deploy/run.sh $(OWN_PIPE)

# Our look-ups in source maps beside Sentry's. Compiles its library, and ours once more: some minutes.
test-peers: assets/.built
	$(CARGO) test --locked --features bench-peers --test peers -- --nocapture

# Real agents work for a runner, one of them through the model gateway. Fetches their packages, and the gateway's, once.
test-agents:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile $(SHARED)
	$(NPM) --prefix tests/agents ci --no-audit --no-fund --ignore-scripts $(OWN_PIPE)
	timeout --kill-after=10 9m $(NODE_TEST) --test-timeout=500000 tests/agents/*.test.mjs $(OWN_PIPE)

# What is asked of other services, and what stands in for them in the tests, is held to the services' own documents, from npm.
test-outside:
	@tools/setup.sh test
	@$(MAKE) $(BESIDE) exchanges tests/outside/node_modules/.installed $(SHARED)
	MAYDAY_EXCHANGES=$(EXCHANGES) $(NODE_TEST) --test-timeout=120000 tests/outside/*.test.mjs $(OWN_PIPE)

# The deployment, which mostly waits for containers, beside those that are short.
test-others:
	@tools/setup.sh deploy
	@$(MAKE) --no-print-directory compile $(SHARED)
	@$(MAKE) --jobs=2 --no-print-directory --keep-going test-deploy test-short

.PHONY: test-short
test-short:
	@failed=; for each in test-outside test-api-fuzz test-agents; do $(MAKE) --no-print-directory $$each || failed=yes; done; [ -z "$$failed" ]

# Of the package only one of its ten documents is used, and they take 400 MB.
tests/outside/node_modules/.installed: tests/outside/package-lock.json
	$(NPM) --prefix tests/outside ci --no-audit --no-fund --ignore-scripts $(OWN_PIPE)
	@cd $(@D)/@octokit/openapi/generated && find . -name '*.json' ! -name api.github.com.json -delete
	@touch $@

# What the tests of connections and alerts ask of the stand-ins, and are answered.
EXCHANGES = $(CURDIR)/target/exchanges
exchanges: compile
	@rm -rf $(EXCHANGES) && mkdir -p $(EXCHANGES)
	@unset MAKEFLAGS; MAYDAY_EXCHANGES=$(EXCHANGES) $(LINTING) $(WATCH) $(CARGO) test --locked --test api -- \
		--test-threads=$(TEST_THREADS) $(EXCHANGING)

# Those that are tagged @pages or stand in a file named *.pages.test.mjs.
test-pages:
	@tools/setup.sh test-pages
	@$(MAKE) --no-print-directory compile prepare-browser $(SHARED)
	MAYDAY_PAGES=1 $(NPM) --prefix tests/browser test $(OWN_PIPE)

# The longest of those that every change is tried by; process tests, which mostly wait, run beside them.
test-browser-more: compile
	MAYDAY_MORE=1 $(NPM) --prefix tests/browser test $(OWN_PIPE)

# Some of those of `test-pages` and `test-night` that mostly wait. Firefox is installed by `make test-pages` or, in CI, by
# `make test-others`; without it, its test says that it skips. Never beside the deployment: containers change the machine's
# network, and Chromium ends its requests then (ERR_NETWORK_CHANGED).
test-browser-others:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile $(SHARED)
	MAYDAY_OTHERS=1 $(NPM) --prefix tests/browser test $(OWN_PIPE)

# Those that take whole processors, one after the other (`alone` in tests/browser/playwright.config.mjs).
test-browser-alone:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory compile $(SHARED)
	MAYDAY_ALONE=1 $(NPM) --prefix tests/browser test $(OWN_PIPE)

test-browser-night: compile
	MAYDAY_NIGHT=1 $(NPM) --prefix tests/browser test $(OWN_PIPE)

bench-web: build prepare-browser
	node tests/browser/bench/main.mjs --binary ./target/release/mayday

bench: build prepare-browser
	$(CARGO) bench --locked --bench load
	$(CARGO) bench --locked --features bench-peers --bench resolve
	node tests/browser/bench/replays.mjs --binary ./target/release/mayday

# Kills, failing disks and floods, minutes each, one after the other; their short versions run in `make test`.
# Each prints its seed: MAYDAY_SEED=… repeats a run.
soak: assets/.built
	$(CARGO) build --locked
	MAYDAY_SOAK=1 $(CARGO) test --locked --test process -- --nocapture --test-threads=1
	cd tests/browser && node prepare.mjs && MAYDAY_SOAK=1 npx playwright test --workers=1 calls.test.mjs calls-live.test.mjs
	cd tests/browser && MAYDAY_SOAK=1 npx playwright test --workers=1 --grep="the tail takes" logs.test.mjs

clean:
	$(CARGO) clean
	rm -rf assets/dist assets/client/dist assets/.built assets/node_modules tests/browser/node_modules tests/agents/node_modules tests/outside/node_modules tests/browser/.venv tests/browser/.venv-mcp-* tests/browser/output tests/api-fuzz/.venv tests/deploy/.venv tests/deploy/.venv-gateway \
		tests/fixtures/app/node_modules tests/fixtures/app/dist tests/demo/app/dist
