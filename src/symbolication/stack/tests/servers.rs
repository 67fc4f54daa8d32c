use super::*;

#[test]
fn python_traceback_is_turned_throw_first() {
    // Python 3.12, with markers below the source lines.
    let text = "Traceback (most recent call last):
  File \"/srv/app/main.py\", line 9, in <module>
    f(1)
  File \"/srv/app/cart.py\", line 3, in f
    return g(n)
           ^^^^
  File \"/srv/venv/lib/python3.12/site-packages/requests/api.py\", line 8, in Session.get
    raise ValueError('bad')
ValueError: bad";
    assert_parsed(
        text,
        Flavor::Python,
        &[
            "Session.get|/srv/venv/lib/python3.12/site-packages/requests/api.py|8|-",
            "f|/srv/app/cart.py|3|-*",
            "<module>|/srv/app/main.py|9|-*",
        ],
    );
}

#[test]
fn python_gives_the_frames_of_the_last_traceback() {
    // Recorded with 3.11.
    let text = "Traceback (most recent call last):
  File \"/a.py\", line 6, in inner
KeyError: 'k'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File \"/a.py\", line 9, in <module>
  File \"/a.py\", line 8, in g
ValueError: bad
value
";
    assert_parsed(text, Flavor::Python, &["g|/a.py|8|-*", "<module>|/a.py|9|-*"]);
}

#[test]
fn python_message_quoting_a_traceback_is_taken_off() {
    let message = "remote\nTraceback (most recent call last):\n  File \"/far.py\", line 1, in far";
    let text =
        format!("Traceback (most recent call last):\n  File \"/a.py\", line 2, in near\nError: {message}\n");
    let parsed = parse_with_message(&text, Some(message));
    assert_eq!(shorts(&parsed), ["near|/a.py|2|-*"]);
}

#[test]
fn python_exception_group_gives_its_own_frames() {
    let text = "  + Exception Group Traceback (most recent call last):
  |   File \"/a.py\", line 3, in <module>
  |     raise ExceptionGroup('two', errors)
  | ExceptionGroup: two (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File \"/a.py\", line 9, in member
    | ValueError: 1
    +------------------------------------";
    assert_parsed(text, Flavor::Python, &["<module>|/a.py|3|-*"]);
}

#[test]
fn python_recursion_keeps_the_innermost() {
    let mut text = "Traceback (most recent call last):\n".to_owned();
    for line in 1..=900 {
        text += &format!("  File \"/a.py\", line {line}, in f\n    f()\n");
    }
    let parsed = parse(&text);
    assert_eq!(parsed.frames.len(), MAX_FRAMES);
    assert_eq!(parsed.frames[0].line, Some(900));
    assert_eq!(parsed.frames[MAX_FRAMES - 1].line, Some(651));
}

#[test]
fn ruby_backtraces_of_both_quotes_are_read() {
    let text = "/srv/app/models/cart.rb:3:in 'Cart#total': boom (RuntimeError)
\tfrom /srv/app/main.rb:8:in `block in run'
\tfrom /usr/lib/ruby/gems/3.3.0/gems/rack-3.0.8/lib/rack/handler.rb:20:in `each'
\tfrom <internal:kernel>:187:in `loop'
\tfrom /srv/app/main.rb:12:in `<main>'";
    assert_parsed(
        text,
        Flavor::Ruby,
        &[
            "Cart#total|/srv/app/models/cart.rb|3|-*",
            "block in run|/srv/app/main.rb|8|-*",
            "each|/usr/lib/ruby/gems/3.3.0/gems/rack-3.0.8/lib/rack/handler.rb|20|-",
            "loop|<internal:kernel>|187|-",
            "<main>|/srv/app/main.rb|12|-*",
        ],
    );
}

#[test]
fn ruby_numbered_form_is_turned_throw_first() {
    let text = "Traceback (most recent call last):
\t2: from main.rb:12:in `<main>'
\t1: from main.rb:8:in `run'
cart.rb:3:in `total': boom (RuntimeError)";
    let frames = ["total|cart.rb|3|-*", "run|main.rb|8|-*", "<main>|main.rb|12|-*"];
    assert_parsed(text, Flavor::Ruby, &frames);
}

#[test]
fn java_gives_the_frames_above_the_cause() {
    // Recorded with 17.
    let text = "java.lang.RuntimeException: outer
\tat T.lambda$main$1(T.java:2)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
\tat app//com.shop.Cart$Companion.total(Cart.kt:12) ~[shop.jar:1.2.3]
\tat com.shop.Cart.<init>(Unknown Source)
\tSuppressed: java.io.IOException: close
\t\tat com.shop.Late.close(Late.java:1)
Caused by: java.lang.IllegalStateException: boom
\tat T.a(T.java:1)
\t... 8 more
";
    assert_parsed(
        text,
        Flavor::Java,
        &[
            "T.lambda$main$1|T.java|2|-*",
            "java.base/java.util.ArrayList.forEach|ArrayList.java|1511|-",
            "java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0|-|-|-",
            "app//com.shop.Cart$Companion.total|Cart.kt|12|-*",
            "com.shop.Cart.<init>|-|-|-*",
        ],
    );
}

#[test]
fn go_gives_the_first_goroutine() {
    let text = "panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.(*Server).handle(0xc000012345, {0x1, 0x2})
\t/srv/app/server.go:12 +0x1d
net/http.(*conn).serve(0xc0000b4000)
\t/usr/local/go/src/net/http/server.go:1995 +0x612
github.com/acme/lib.Do(...)
\t/root/go/pkg/mod/github.com/acme/lib@v1.2.3/do.go:8
created by main.start in goroutine 7
\t/srv/app/main.go:40 +0x9f

goroutine 2 [select]:
main.other()
\t/srv/app/other.go:1 +0x1
exit status 2";
    assert_parsed(
        text,
        Flavor::Go,
        &[
            "main.(*Server).handle|/srv/app/server.go|12|-*",
            "net/http.(*conn).serve|/usr/local/go/src/net/http/server.go|1995|-",
            "github.com/acme/lib.Do|/root/go/pkg/mod/github.com/acme/lib@v1.2.3/do.go|8|-",
            "main.start|/srv/app/main.go|40|-~*",
        ],
    );
}

#[test]
fn go_handler_above_the_panic_is_foreign() {
    let text = "goroutine 1 [running]:
runtime/debug.Stack()
\t/usr/local/go/src/runtime/debug/stack.go:24 +0x5e
main.recoverer()
\t/srv/app/recover.go:9 +0x2a
panic({0x45f, 0x48})
\t/usr/local/go/src/runtime/panic.go:770 +0x132
main.crash()
\t/srv/app/crash.go:3 +0x11
";
    assert_parsed(
        text,
        Flavor::Go,
        &[
            "runtime/debug.Stack|/usr/local/go/src/runtime/debug/stack.go|24|-",
            "main.recoverer|/srv/app/recover.go|9|-",
            "panic|/usr/local/go/src/runtime/panic.go|770|-",
            "main.crash|/srv/app/crash.go|3|-*",
        ],
    );
}

/// Recorded with rustc 1.95.
const RUST: &str = "
thread 'main' (19512) panicked at p.rs:1:43:
index out of bounds: the len is 1 but the index is 3
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
   2: p::inner
             at ./p.rs:1:43
   3: p::main::{{closure}}
             at ./p.rs:2:29
   4: _start
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
";

#[test]
fn rust_backtrace_is_read() {
    let library = "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library";
    assert_parsed(
        RUST,
        Flavor::Rust,
        &[
            &format!("__rustc::rust_begin_unwind|{library}/std/src/panicking.rs|689|5"),
            &format!("core::panicking::panic_fmt|{library}/core/src/panicking.rs|80|14"),
            "p::inner|./p.rs|1|43*",
            "p::main::{{closure}}|./p.rs|2|29*",
            "_start|-|-|-",
        ],
    );
}

#[test]
fn rust_backtrace_without_heading_is_recognized_by_its_pairs() {
    let (_, pairs) = RUST.split_once("stack backtrace:\n").unwrap_or_default();
    assert_eq!(parse(pairs), parse(RUST));
}

#[test]
fn rust_full_backtrace_loses_addresses() {
    let text = "stack backtrace:
   0:     0x55ccf5c25e3a - std[e28293b1aa0f68bd]::sys::backtrace::_print_fmt
                               at /rustc/5980/library/std/src/sys/backtrace.rs:74:9
   1:     0x55ccf5c25e3a - <p[c1f1a4ba060b9bfa]::Cart>::total
                               at ./p.rs:1:43";
    assert_parsed(
        text,
        Flavor::Rust,
        &[
            "std[e28293b1aa0f68bd]::sys::backtrace::_print_fmt\
             |/rustc/5980/library/std/src/sys/backtrace.rs|74|9",
            "<p[c1f1a4ba060b9bfa]::Cart>::total|./p.rs|1|43*",
        ],
    );
}

#[test]
fn prose_with_parentheses_is_not_taken_for_java() {
    assert_eq!(parse("failed\nat shop.example (staging)").platform, Flavor::Unknown);
}

#[test]
fn javascript_message_with_numbered_lines_stays_v8() {
    assert_parsed("1: first\nat /x.js:1:2", Flavor::V8, &["-|/x.js|1|2*"]);
    let text = "Error: two problems\n  1: first\n    at real (/x.js:1:2)";
    assert_parsed(text, Flavor::V8, &["real|/x.js|1|2*"]);
}
