//! PHP, C#, Swift, and what Ruby, Rust and Node print around the throw.

use super::*;

#[test]
fn ruby_keeps_the_frame_before_the_message() {
    for (function, open) in [("foo", '`'), ("Object#foo", '\'')] {
        let text =
            format!("/a.rb:3:in {open}{function}': bad (ArgumentError)\n\tfrom /a.rb:7:in {open}<main>'");
        let frames = [&format!("{function}|/a.rb|3|-*"), "<main>|/a.rb|7|-*"];
        assert_with_message(&text, "bad", Flavor::Ruby, &frames);
        assert_parsed(&text, Flavor::Ruby, &frames);
    }
    let alone = "/a.rb:3:in `foo': bad (ArgumentError)";
    assert_with_message(alone, "bad", Flavor::Ruby, &["foo|/a.rb|3|-*"]);
}

#[test]
fn ruby_gives_the_frames_of_the_first_exception() {
    let text = "/a.rb:5:in `rescue in load': outer (RuntimeError)
\tfrom /a.rb:1:in `<main>'
/b.rb:2:in `read': inner (KeyError)
\tfrom /a.rb:1:in `<main>'";
    assert_parsed(text, Flavor::Ruby, &["rescue in load|/a.rb|5|-*", "<main>|/a.rb|1|-*"]);
}

/// As PHP 8.2 prints it.
const PHP: &str = "PHP Fatal error:  Uncaught Acme\\CartError: no cart in /srv/app/src/Cart.php:12
Stack trace:
#0 /srv/app/src/Checkout.php(34): Acme\\Cart->total(Array, 'x')
#1 [internal function]: Acme\\Checkout->Acme\\{closure}(Object(Acme\\Item))
#2 /srv/app/vendor/symfony/http-kernel/HttpKernel.php(163): array_map(Object(Closure), Array)
#3 /srv/app/public/index.php(3) : eval()'d code(1): Acme\\Kernel::run()
#4 /srv/app/public/index.php(3): eval()
#5 {main}
  thrown in /srv/app/src/Cart.php on line 12";

#[test]
fn php_frames_have_the_function_around_their_place() {
    let frames = [
        "Acme\\Cart->total|/srv/app/src/Cart.php|12|-*",
        "Acme\\Checkout->Acme\\{closure}|/srv/app/src/Checkout.php|34|-*",
        "array_map|-|-|-",
        "Acme\\Kernel::run|/srv/app/vendor/symfony/http-kernel/HttpKernel.php|163|-",
        "eval|/srv/app/public/index.php|3|-*",
        "{main}|/srv/app/public/index.php|3|-*",
    ];
    assert_parsed(PHP, Flavor::Php, &frames);
    let header = "Acme\\CartError: no cart in /srv/app/src/Cart.php:12\n";
    let plain = format!("{header}{}", &PHP[PHP.find("Stack trace").unwrap_or(0)..]);
    assert_with_message(&plain, "no cart", Flavor::Php, &frames);
}

#[test]
fn php_without_a_trace_has_its_place() {
    assert_parsed(
        "PHP Warning:  Undefined variable $x in /srv/app/a.php on line 12",
        Flavor::Php,
        &["-|/srv/app/a.php|12|-*"],
    );
    let text = "Error: no in /srv/a.php:3\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 3";
    assert_with_message(text, "no", Flavor::Php, &["{main}|/srv/a.php|3|-*"]);
}

#[test]
fn csharp_frames_are_read() {
    let text = "System.InvalidOperationException: no cart
   at Shop.Cart.<TotalAsync>d__3.MoveNext() in /srv/Shop/Cart.cs:line 12
--- End of stack trace from previous location ---
   at Shop.Program.Main(String[] args) in C:\\Shop Files\\Program.cs:line 7
   at System.Runtime.CompilerServices.TaskAwaiter.ThrowForNonSuccess(Task task)
   at Microsoft.AspNetCore.Hosting.WebHost.Run()";
    let frames = [
        "Shop.Cart.<TotalAsync>d__3.MoveNext|/srv/Shop/Cart.cs|12|-*",
        "Shop.Program.Main|C:\\Shop Files\\Program.cs|7|-~*",
        "System.Runtime.CompilerServices.TaskAwaiter.ThrowForNonSuccess|-|-|-",
        "Microsoft.AspNetCore.Hosting.WebHost.Run|-|-|-",
    ];
    assert_parsed(text, Flavor::DotNet, &frames);
    assert_with_message(text, "no cart", Flavor::DotNet, &frames);
}

#[test]
fn csharp_gives_the_frames_of_the_outer_exception() {
    let text = "System.Exception: outer
 ---> System.IO.IOException: inner
   at Shop.Disk.Write() in /srv/Disk.cs:line 1
   --- End of inner exception stack trace ---
   at Shop.Cart.Save() in /srv/Cart.cs:line 2
 ---> (Inner Exception #1) System.Exception: other
   at Shop.Other.Run() in /srv/Other.cs:line 3<---";
    assert_parsed(text, Flavor::DotNet, &["Shop.Cart.Save|/srv/Cart.cs|2|-*"]);
}

#[test]
fn mono_frames_are_read() {
    let text = "System.Exception: x
  at Shop.Cart.Total (System.String s) [0x00012] in /srv/Cart.cs:34 
  at Shop.Program.Main () <0x7f12 + 0x00034> in <filename unknown>:0 ";
    assert_parsed(text, Flavor::DotNet, &["Shop.Cart.Total|/srv/Cart.cs|34|-*", "Shop.Program.Main|-|-|-*"]);
}

#[test]
fn csharp_is_distinguished_from_similar_notations() {
    let text = "System.Exception: x\n   at Shop.Cart.Total(String s) in C:\\x.cs:line 12";
    assert_parsed(text, Flavor::DotNet, &["Shop.Cart.Total|C:\\x.cs|12|-*"]);
    let java = "x.E: m\n   at com.acme.Cart.total(Unknown Source)\n   at com.acme.Cart.run(Cart.java:3)";
    assert_eq!(parse(java).platform, Flavor::Java);
    let v8 = "Error: x\n   at Promise.all (index 0)\n   at Cart.total (/srv/cart.js:1:2)";
    assert_eq!(parse(v8).platform, Flavor::V8);
}

#[test]
fn swift_backtraces_are_read() {
    let text = "Crash: System trap at 0x0000555500001234

Thread 0 \"shop\" crashed:

0 [inlined] [system] 0x0000555500001234 _assertionFailure(_:_:file:line:flags:) in libswiftCore.so
1 0x0000555500001300 Cart.total() + 12 in shop at /srv/Sources/Cart.swift:5:3
2 [ra] 0x0000555500001400 static Main.$main() + 9 in shop at /<compiler-generated>
3 [ra] [system] 0x00007f0000001400 __libc_start_call_main + 128 in libc.so.6

Thread 1:
0 0x0000555500009999 other() + 1 in shop at /srv/Sources/Other.swift:1:1";
    assert_parsed(
        text,
        Flavor::Swift,
        &[
            "_assertionFailure(_:_:file:line:flags:)|-|-|-",
            "Cart.total()|/srv/Sources/Cart.swift|5|3*",
            "static Main.$main()|-|-|-*",
            "__libc_start_call_main|-|-|-",
        ],
    );
    let short = "0 0x000055 foo() + 12 in app at /srv/main.swift:5:3";
    assert_parsed(short, Flavor::Swift, &["foo()|/srv/main.swift|5|3*"]);
    let friendly =
        "Thread 0 crashed:\n\n0 reallyBad() in crash at /srv/crash.swift:4:15\n\n     4│   let p = 0x10";
    assert_parsed(friendly, Flavor::Swift, &["reallyBad()|/srv/crash.swift|4|15*"]);
}

#[test]
fn crash_reports_of_apple_are_read() {
    let text = "Thread 3:
0   libsystem_kernel.dylib        \t0x00000001c0a1b2c4 mach_msg_trap + 8

Thread 0 Crashed:
0   libswiftCore.dylib            \t0x00000001a2b3c4d5 _assertionFailure(_:_:file:line:flags:) + 312
1   Shop                          \t0x0000000104f3c1a8 Cart.total() + 184 (Cart.swift:12)
2   UIKitCore                     \t0x0000000182f3c1a8 -[UIApplication _run] + 1036
3   Shop                          \t0x0000000104f3c2b0 $s4Shop4mainyyF + 20

Thread 1:
0   libsystem_kernel.dylib        \t0x00000001c0a1b2c4 mach_msg_trap + 8";
    assert_parsed(
        text,
        Flavor::Swift,
        &[
            "_assertionFailure(_:_:file:line:flags:)|-|-|-",
            "Cart.total()|Cart.swift|12|-*",
            "-[UIApplication _run]|-|-|-",
            "$s4Shop4mainyyF|-|-|-*",
        ],
    );
}

#[test]
fn swift_fatal_errors_have_their_place() {
    let frames = ["-|shop/Cart.swift|5|-*"];
    for text in
        ["shop/Cart.swift:5: Fatal error: no cart", "Fatal error: no cart: file shop/Cart.swift, line 5"]
    {
        assert_parsed(text, Flavor::Swift, &frames);
        assert_with_message(text, "no cart", Flavor::Swift, &frames);
    }
}

#[test]
fn rust_panics_without_a_backtrace_have_their_place() {
    let now = "thread 'main' panicked at src/main.rs:4:5:\nno cart\nnote: run with `RUST_BACKTRACE=1`";
    let before = "thread 'main' panicked at 'no cart', src/main.rs:4:5\nnote: run with `RUST_BACKTRACE=1`";
    let numbered = "thread 'main' (19512) panicked at src/main.rs:4:5:\nno cart";
    let bare = "panicked at src/main.rs:4:5:\nno cart";
    for text in [now, before, numbered, bare] {
        assert_parsed(text, Flavor::Rust, &["-|src/main.rs|4|5*"]);
        assert_with_message(text, "no cart", Flavor::Rust, &["-|src/main.rs|4|5*"]);
    }
    let lines = "thread 'main' panicked at 'two\nlines', src/main.rs:4:5";
    assert_parsed(lines, Flavor::Rust, &["-|src/main.rs|4|5*"]);
}

#[test]
fn node_frames_before_properties_and_without_columns_are_read() {
    assert_v8("foo (/srv/a.js:1:2) {", "foo|/srv/a.js|1|2*");
    assert_v8("foo (file.js:10)", "foo|file.js|10|-*");
    assert_v8("/srv/a.js:10", "-|/srv/a.js|10|-*");
    assert_v8("emit (node:events:513)", "emit|node:events|513|-");
    assert_v8("foo (https://x.example/a.js:10)", "foo|https://x.example/a.js|10|-*");
    for prose in
        ["at noon (12:30)", "at risk (see note:3)", "at http://x.example:8080", "at host (x.example)"]
    {
        assert_eq!(parse(prose).platform, Flavor::Unknown, "{prose}");
    }
}

#[test]
fn a_truncated_stack_says_so() {
    let line = |n: usize| format!("\n    at f (/a.js:{n}:1)");
    for (frames, cut) in [(MAX_FRAMES, false), (MAX_FRAMES + 1, true)] {
        let parsed = parse(&(1..=frames).map(line).collect::<String>()).cut;
        assert_eq!(parsed, cut, "{frames} frames");
    }
    let python = "  File \"/a.py\", line 1, in f\n".repeat(MAX_FRAMES + 1);
    let parsed = parse(&python);
    assert_eq!((parsed.frames.len(), parsed.cut), (MAX_FRAMES, true));
}
