use super::*;

/// Type, message and frames of each cause, nearest first.
#[track_caller]
fn assert_causes(text: &str, message: Option<&str>, expected: &[(&str, &str, &[&str])]) {
    let found = causes(text, message);
    let found: Vec<(&str, &str, Vec<String>)> = found
        .iter()
        .map(|cause| {
            let message = Some(cause.message).filter(|message| !message.is_empty());
            (cause.kind.unwrap_or("-"), cause.message, shorts(&parse_with_message(cause.stack, message)))
        })
        .collect();
    let found: Vec<(&str, &str, Vec<&str>)> = found
        .iter()
        .map(|(kind, message, frames)| (*kind, *message, frames.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<(&str, &str, Vec<&str>)> =
        expected.iter().map(|(kind, message, frames)| (*kind, *message, frames.to_vec())).collect();
    assert_eq!(found, expected);
}

/// Recorded with 17, with a suppressed exception that has a cause of its own.
const JAVA: &str = "java.lang.RuntimeException: outer
\tat com.shop.Cart.save(Cart.java:2)
\tat com.shop.Main.main(Main.java:9)
\tSuppressed: java.io.IOException: close
\t\tat com.shop.Late.close(Late.java:1)
\tCaused by: java.io.IOException: of the suppressed
\t\tat com.shop.Late.flush(Late.java:2)
Caused by: java.lang.IllegalStateException: two
lines
\tat com.shop.Disk.write(Disk.java:1)
\t... 1 more
Caused by: java.lang.NullPointerException
\tat com.shop.Disk.open(Disk.java:7)
\t... 2 more";

#[test]
fn java_causes_follow_their_marks() {
    let expected: &[(&str, &str, &[&str])] = &[
        ("java.lang.IllegalStateException", "two\nlines", &["com.shop.Disk.write|Disk.java|1|-*"]),
        ("java.lang.NullPointerException", "", &["com.shop.Disk.open|Disk.java|7|-*"]),
    ];
    assert_causes(JAVA, Some("outer"), expected);
    assert_causes(JAVA, None, expected);
    let first = causes(JAVA, None)[0].stack;
    assert_eq!(parse(first).common, 1);
    let own = parse_with_message(JAVA, Some("outer"));
    assert_eq!(own.frames.len(), 2);
    assert_eq!(own.common, 0);
}

#[test]
fn a_message_that_quotes_causes_has_none() {
    let text = "java.lang.E: remote\nCaused by: java.lang.F: far\n\tat com.far.X.y(X.java:1)\n\tat com.near.X.y(X.java:1)";
    let message = "remote\nCaused by: java.lang.F: far\n\tat com.far.X.y(X.java:1)";
    assert_causes(text, Some(message), &[]);
}

#[test]
fn python_prints_causes_before_their_effects() {
    let text = "Traceback (most recent call last):
  File \"/a.py\", line 1, in read
KeyError: 'k'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File \"/b.py\", line 2, in load
shop.errors.CartError: two
lines

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File \"/c.py\", line 3, in main
ValueError: bad
";
    assert_causes(
        text,
        Some("bad"),
        &[
            ("shop.errors.CartError", "two\nlines", &["load|/b.py|2|-*"]),
            ("KeyError", "'k'", &["read|/a.py|1|-*"]),
        ],
    );
    assert_parsed(text, Flavor::Python, &["main|/c.py|3|-*"]);
}

#[test]
fn csharp_prints_inner_exceptions_first() {
    let text = "System.Exception: outer
 ---> Shop.CartException: middle
 ---> System.IO.IOException: inner
   at Shop.Disk.Write() in /srv/Disk.cs:line 1
   --- End of inner exception stack trace ---
   at Shop.Cart.Save() in /srv/Cart.cs:line 2
   --- End of inner exception stack trace ---
   at Shop.Program.Main() in /srv/Program.cs:line 3";
    let expected: &[(&str, &str, &[&str])] = &[
        ("Shop.CartException", "middle", &["Shop.Cart.Save|/srv/Cart.cs|2|-*"]),
        ("System.IO.IOException", "inner", &["Shop.Disk.Write|/srv/Disk.cs|1|-*"]),
    ];
    assert_causes(text, Some("outer"), expected);
    assert_causes(&text.replace("\n --->", " --->"), Some("outer"), expected);
    assert_parsed(text, Flavor::DotNet, &["Shop.Program.Main|/srv/Program.cs|3|-*"]);
}

#[test]
fn php_prints_previous_exceptions_first() {
    let text = "KeyError: bad in /srv/a.php:1
Stack trace:
#0 /srv/b.php(2): read()
#1 {main}

Next CartError: bad in /srv/b.php:5
Stack trace:
#0 {main}";
    let cause: &[&str] = &["read|/srv/a.php|1|-*", "{main}|/srv/b.php|2|-*"];
    assert_causes(text, Some("bad"), &[("KeyError", "bad", cause)]);
    for message in [None, Some("bad")] {
        assert_eq!(shorts(&parse_with_message(text, message)), ["{main}|/srv/b.php|5|-*"]);
    }
}

#[test]
fn ruby_prints_causes_behind() {
    let text = "/a.rb:5:in 'load': outer (RuntimeError)
\tfrom /a.rb:1:in '<main>'
/b.rb:2:in 'read': inner (KeyError)
\tfrom /a.rb:1:in '<main>'";
    let frames: &[&str] = &["read|/b.rb|2|-*", "<main>|/a.rb|1|-*"];
    assert_causes(text, Some("outer"), &[("KeyError", "inner", frames)]);
    assert_causes(text, None, &[("KeyError", "inner", frames)]);
}

#[test]
fn node_prints_causes_among_properties() {
    let text = "Error: outer
    at a (/a.js:1:2) {
  code: 'E',
  [cause]: TypeError: inner
      at b (/b.js:1:2) {
    [cause]: RangeError: innermost
        at c (/c.js:1:2)
  }
}";
    assert_causes(
        text,
        Some("outer"),
        &[("TypeError", "inner", &["b|/b.js|1|2*"]), ("RangeError", "innermost", &["c|/c.js|1|2*"])],
    );
    assert_parsed(text, Flavor::V8, &["a|/a.js|1|2*"]);
}

#[test]
fn text_without_causes_has_none() {
    for text in [
        "",
        "Caused by: ",
        "[cause]: ",
        "\n\nNext ",
        "--- End of inner exception",
        "\tfrom x",
        JAVA[..60].trim(),
    ] {
        assert_causes(text, None, &[]);
    }
}

#[test]
fn members_of_a_group_of_python_are_causes() {
    let text = "  + Exception Group Traceback (most recent call last):
  |   File \"/srv/app/main.py\", line 12, in handle
  |     async with asyncio.TaskGroup() as group:
  | ExceptionGroup: unhandled errors in a TaskGroup (3 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File \"/srv/app/stock.py\", line 28, in find
    |     stock[sku]
    | IndexError: 3
    |
    | During handling of the above exception, another exception occurred:
    |
    | Traceback (most recent call last):
    |   File \"/srv/app/stock.py\", line 30, in reserve
    |     raise KeyError(sku)
    | KeyError: 'sku-17'
    +---------------- 2 ----------------
    | Exception Group Traceback (most recent call last):
    |   File \"/srv/app/mail.py\", line 9, in send
    | ExceptionGroup: nested (1 sub-exception)
    +-+---------------- 1 ----------------
      | ConnectionRefusedError: [Errno 111] Connection refused
      +------------------------------------
    +---------------- 3 ----------------
    | ValueError: bad
    +------------------------------------
";
    assert_parsed(text, Flavor::Python, &["handle|/srv/app/main.py|12|-*"]);
    assert_causes(
        text,
        Some("unhandled errors in a TaskGroup (3 sub-exceptions)"),
        &[
            ("KeyError", "'sku-17'", &["reserve|/srv/app/stock.py|30|-*"]),
            ("ExceptionGroup", "nested (1 sub-exception)", &["send|/srv/app/mail.py|9|-*"]),
            ("ConnectionRefusedError", "[Errno 111] Connection refused", &[]),
            ("ValueError", "bad", &[]),
        ],
    );
}

#[test]
fn members_of_an_aggregate_of_node_are_causes() {
    let text = "AggregateError [ECONNREFUSED]: \n    at connectMultiple (node:net:1134:18)
    at async connect (/srv/app/db.js:14:9) {
  code: 'ECONNREFUSED',
  [errors]: [
    Error: connect ECONNREFUSED ::1:5432
        at createConnectionError (node:net:1677:14) {
      errno: -111,
      code: 'ECONNREFUSED'
    },
    Error: connect ECONNREFUSED 127.0.0.1:5432
        at dial (/srv/app/pool.js:88:3) {
      errno: -111
    }
  ]
}";
    assert_parsed(text, Flavor::V8, &["connectMultiple|node:net|1134|18", "connect|/srv/app/db.js|14|9~*"]);
    let expected: &[(&str, &str, &[&str])] = &[
        ("Error", "connect ECONNREFUSED ::1:5432", &["createConnectionError|node:net|1677|14"]),
        ("Error", "connect ECONNREFUSED 127.0.0.1:5432", &["dial|/srv/app/pool.js|88|3*"]),
    ];
    assert_causes(text, None, expected);
    // `Promise.any` has no frames.
    let bare = "AggregateError: All promises were rejected\n  [errors]: [\n    Error: a\n        at f (/a.js:1:2)\n  ]\n}";
    assert_parsed(bare, Flavor::Unknown, &[]);
    assert_causes(bare, Some("All promises were rejected"), &[("Error", "a", &["f|/a.js|1|2*"])]);
}

#[test]
fn siblings_of_an_inner_exception_are_causes() {
    let text = "System.AggregateException: One or more errors occurred. (a) (b)
 ---> System.IO.IOException: a
   at Shop.Disk.Write() in /srv/Disk.cs:line 1
   --- End of inner exception stack trace ---
   at Shop.Cart.Save() in /srv/Cart.cs:line 2
 ---> (Inner Exception #1) System.Exception: b
   at Shop.Other.Run() in /srv/Other.cs:line 3<---
";
    let expected: &[(&str, &str, &[&str])] = &[
        ("System.IO.IOException", "a", &["Shop.Disk.Write|/srv/Disk.cs|1|-*"]),
        ("System.Exception", "b", &["Shop.Other.Run|/srv/Other.cs|3|-*"]),
    ];
    assert_causes(text, None, expected);
}

#[test]
fn loggers_shorten_and_turn_round_the_chain_of_the_jvm() {
    let shortened = "x.A: outer
\tat com.shop.Cart.save(Cart.java:2)
\tat com.shop.Main.main(Main.java:9)
Caused by: x.B: inner
\tat com.shop.Disk.write(Disk.java:1) [2 skipped]
\t... 2 common frames omitted";
    assert_causes(shortened, None, &[("x.B", "inner", &["com.shop.Disk.write|Disk.java|1|-*"])]);
    assert_eq!(parse(causes(shortened, None)[0].stack).common, 2);
    let root_first = "x.C: root
\tat com.shop.Disk.open(Disk.java:7)
\tat com.shop.Main.main(Main.java:9)
Wrapped by: x.B: middle
\tat com.shop.Disk.write(Disk.java:1)
\t... 1 common frames omitted
Wrapped by: x.A: outer
\tat com.shop.Cart.save(Cart.java:2)
\t... 1 common frames omitted";
    assert_parsed(root_first, Flavor::Java, &["com.shop.Cart.save|Cart.java|2|-*"]);
    assert_eq!(parse(root_first).common, 1);
    let expected: &[(&str, &str, &[&str])] = &[
        ("x.B", "middle", &["com.shop.Disk.write|Disk.java|1|-*"]),
        ("x.C", "root", &["com.shop.Disk.open|Disk.java|7|-*", "com.shop.Main.main|Main.java|9|-*"]),
    ];
    assert_causes(root_first, Some("outer"), expected);
}
