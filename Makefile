# What a person types. Needs Rust 1.95 (cargo), Node 20 (npm) and a C compiler; the browser tests
# need Chromium. `.ci/run` installs what Debian has of these.

CARGO ?= cargo
NPM ?= npm
# Where `make run` keeps its data; start over by removing it.
DATA ?= ./data
LISTEN ?= 127.0.0.1:8000
# Where `make demo` keeps what it makes up; it starts over each time.
DEMO_DATA ?= ./data-demo

WEB_SOURCES = Cargo.toml $(shell find assets -path assets/node_modules -prune -o -path assets/dist -prune -o -type f ! -path assets/.built -print)

# Set by `make test`: Clippy compiles our own crate then and lints as it goes, so that what it depends on is
# compiled once instead of checked first.
LINTING =

.PHONY: help build run demo test format lint lint-web test-rust test-web test-browser bench soak clean

help:
	@echo "make run      build all and start the server ($(DATA), $(LISTEN))"
	@echo "make demo     the same with made-up projects and errors to look at ($(DEMO_DATA))"
	@echo "make build    target/release/mayday with the Web app baked in"
	@echo "make test     format, lints, Rust, Web and browser tests"
	@echo "make lint     format and lints only"
	@echo "make bench    the performance report (minutes, on a quiet machine)"
	@echo "make soak     the long fault tests"

build: assets/.built
	$(CARGO) build --release --locked

run: build
	./target/release/mayday serve --data-dir $(DATA) --listen $(LISTEN)

demo: build
	node tests/demo/main.mjs --binary ./target/release/mayday --data $(DEMO_DATA) --listen $(LISTEN)

# The Web app; rebuilt when a source is newer.
assets/node_modules/.installed: assets/package-lock.json
	@command -v $(NPM) >/dev/null || { echo "npm is missing: install Node.js 20 or newer"; exit 1; }
	$(NPM) --prefix assets ci --no-audit --no-fund
	@touch $@

assets/.built: assets/node_modules/.installed $(WEB_SOURCES)
	$(NPM) --prefix assets run build
	@touch $@

test: LINTING = RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings
test: format lint-web test-rust test-web test-browser

lint: format lint-web
	$(CARGO) clippy --locked --all-targets -- -D warnings

format:
	$(CARGO) fmt --check

lint-web: assets/.built
	$(NPM) --prefix assets run check

test-rust: assets/.built
	$(LINTING) $(CARGO) build --locked $(if $(LINTING),--all-targets)
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(LINTING) $(CARGO) nextest run --locked --no-fail-fast; \
	else \
		$(LINTING) $(CARGO) test --locked --no-fail-fast; \
	fi

test-web: assets/.built
	$(NPM) --prefix assets test

test-browser: assets/.built
	$(LINTING) $(CARGO) build --locked
	$(NPM) --prefix tests/browser test

bench: build
	$(CARGO) bench --locked --bench load
	$(CARGO) bench --locked --bench resolve

# Kills, failing disks and floods for minutes each, one after the other; the short ones run with `make test`.
# They print their seeds: MAYDAY_SEED=… runs one again.
soak: assets/.built
	$(CARGO) build --locked
	MAYDAY_SOAK=1 $(CARGO) test --locked --test process -- --nocapture --test-threads=1
	cd tests/browser && node prepare.mjs && MAYDAY_SOAK=1 node --test --test-timeout=600000 calls.test.mjs calls-live.test.mjs
	cd tests/browser && MAYDAY_SOAK=1 node --test --test-timeout=600000 --test-name-pattern="the tail takes" logs.test.mjs

clean:
	$(CARGO) clean
	rm -rf assets/dist assets/.built assets/node_modules tests/browser/node_modules tests/browser/.venv tests/browser/output \
		tests/fixtures/app/node_modules tests/fixtures/app/dist tests/demo/app/dist
