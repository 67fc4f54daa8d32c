//! Source lines that Python and Node print with their frames. Recorded with Python 3.11 and Node 20, unless a test
//! says otherwise.

use super::*;

/// `line|source` of each frame, throw first.
fn sources(text: &str) -> Vec<String> {
    let source = |frame: &Frame<'_>| {
        format!("{}|{}", frame.line.unwrap_or_default(), frame.context_line.unwrap_or("-"))
    };
    parse(text).frames.iter().map(source).collect()
}

const CHAINED: &str = r#"Traceback (most recent call last):
  File "/srv/plain.py", line 12, in load
    total({"items": {"a": {"price": 1}}})
  File "/srv/plain.py", line 2, in price
    return cart["items"][code]["price"] * 2
           ~~~~~~~~~~~~~^^^^^^
KeyError: 'b'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/plain.py", line 16, in <module>
    load()
  File "/srv/plain.py", line 14, in load
    raise RuntimeError("no total") from cause
RuntimeError: no total
"#;

#[test]
fn python_frames_have_the_line_beneath_them() {
    let thrown = ["14|raise RuntimeError(\"no total\") from cause", "16|load()"];
    assert_eq!(sources(CHAINED), thrown);
    let cause = causes(CHAINED, None)[0].stack;
    let marked =
        [r#"2|return cart["items"][code]["price"] * 2"#, r#"12|total({"items": {"a": {"price": 1}}})"#];
    assert_eq!(sources(cause), marked);
    assert_eq!(sources(&CHAINED.replace('\n', "\r\n")), thrown);
    let without_heading = r#"File "/a.py", line 1, in f
    g()
  File "/a.py", line 2, in g
    h()"#;
    assert_eq!(sources(without_heading), ["2|h()", "1|g()"], "trimmed around");
}

#[test]
fn python_frames_of_groups_have_lines_behind_their_bars() {
    let text = r#"  + Exception Group Traceback (most recent call last):
  |   File "/srv/group.py", line 10, in <module>
  |     run()
  |   File "/srv/group.py", line 9, in run
  |     raise ExceptionGroup("tasks failed", errors)
  | ExceptionGroup: tasks failed (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/group.py", line 7, in run
    |     try: task()
    |          ^^^^^^
    |   File "/srv/group.py", line 1, in stock
    |     def stock(): raise ValueError("out of stock")
    |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    | ValueError: out of stock
    +---------------- 2 ----------------
    | Traceback (most recent call last):
    |   File "/srv/group.py", line 7, in run
    |   File "/srv/group.py", line 3, in mail
    | KeyError: 'address'
    +------------------------------------
"#;
    assert_eq!(sources(text), ["9|raise ExceptionGroup(\"tasks failed\", errors)", "10|run()"]);
    let members = causes(text, None);
    assert_eq!(
        sources(members[0].stack),
        ["1|def stock(): raise ValueError(\"out of stock\")", "7|try: task()"]
    );
    assert_eq!(sources(members[1].stack), ["3|-", "7|-"]);
    // The group's own frame may be without source, too.
    let bare = "  + Exception Group Traceback (most recent call last):
  |   File \"/a.py\", line 3, in <module>
  +-+---------------- 1 ----------------
    | ValueError: 1
    +------------------------------------";
    assert_eq!(sources(bare), ["3|-"]);
}

#[test]
fn python_lines_that_are_not_source_are_ignored() {
    let recursion = "Traceback (most recent call last):
  File \"/srv/rec.py\", line 4, in <module>
    depth(0)
  File \"/srv/rec.py\", line 2, in depth
    return depth(n + 1) + 1
           ^^^^^^^^^^^^
  File \"<string>\", line 1, in <module>
  [Previous line repeated 996 more times]
RecursionError: maximum recursion depth exceeded";
    assert_eq!(sources(recursion), ["1|-", "2|return depth(n + 1) + 1", "4|depth(0)"]);
    let syntax = "Traceback (most recent call last):
  File \"/srv/usesyn.py\", line 1, in <module>
    import syn
  File \"/srv/syn.py\", line 1
    def f(:
          ^
SyntaxError: invalid syntax";
    assert_eq!(sources(syntax), ["1|def f(:", "1|import syn"]);
    let empty = "  File \"/srv/syn.py\", line 1\n    \n    ^\nSyntaxError: x";
    assert_eq!(sources(empty), ["1|-"]);
    let marked = "  File \"/srv/syn.py\", line 1\n    ~~^~~\nSyntaxError: x";
    assert_eq!(sources(marked), ["1|-"], "markers are no source");
    let message =
        "  File \"/srv/a.py\", line 1, in f\n  beneath\n  File \"/srv/a.py\", line 2, in g\nError: x";
    assert_eq!(sources(message), ["2|-", "1|-"], "not deeper than the frame");
}

/// As the documentation of 3.13 shows it.
#[test]
fn python_calls_of_several_lines_keep_the_first() {
    let text = "Traceback (most recent call last):
  File \"/srv/a.py\", line 5, in <module>
    total(
    ~~~~~^
        cart,
        ^^^^^
    ...<2 lines>...
    )
    ^
  File \"/srv/a.py\", line 2, in total
    return (cart
            | other)
ValueError: x";
    assert_eq!(sources(text), ["2|return (cart", "5|total("]);
}

#[test]
fn python_lines_are_bounded_by_characters() {
    let code = "ü".repeat(MAX_SOURCE + 1);
    let text = format!("  File \"/a.py\", line 1, in f\n    {code}\n");
    let parsed = parse(&text);
    let kept = parsed.frames[0].context_line.unwrap_or_default();
    assert_eq!(kept.chars().count(), MAX_SOURCE);
}

/// By the sources of Rich 13 and Loguru 0.7.
#[test]
fn python_lines_in_the_boxes_of_loggers_are_read() {
    let rich = "╭─────────────── Traceback (most recent call last) ────────────────╮
│ /srv/app/main.py:31 in checkout                                  │
│                                                                  │
│   30 def checkout():                                             │
│ ❱ 31     total()                                                 │
│   32                                                             │
│                                                                  │
│ /srv/app/cart.py:17 in total                                     │
│                                                                  │
│ ❱ 18     not of this frame                                       │
╰──────────────────────────────────────────────────────────────────╯
ValueError: cart is empty";
    assert_eq!(sources(rich), ["17|-", "31|total()"]);
    let loguru = "Traceback (most recent call last):

> File \"/srv/app/main.py\", line 31, in checkout
    total()
    └ <function total at 0x7f>

  File \"/srv/app/cart.py\", line 17, in total
    raise ValueError";
    assert_eq!(sources(loguru), ["17|raise ValueError", "31|total()"]);
}

#[test]
fn node_prints_the_line_that_threw_above_an_uncaught_error() {
    let text = "/srv/pay.js:2
  throw new TypeError(\"no \" + cart);
  ^

TypeError: no cart
    at pay (/srv/pay.js:2:9)
    at pay (/srv/pay.js:2:9)
    at Object.<anonymous> (/srv/pay.js:4:1)

Node.js v20.20.2";
    assert_eq!(sources(text), ["2|throw new TypeError(\"no \" + cart);", "2|-", "4|-"]);
    assert_eq!(
        parse_with_message(text, Some("no cart")).frames[0].context_line,
        parse(text).frames[0].context_line
    );
    let module = text.replace("/srv/", "file:///srv/").replace("\n  ^", "\n        ^");
    assert_eq!(sources(&module)[0], "2|throw new TypeError(\"no \" + cart);");
    for (what, with) in
        [("/srv/pay.js:2\n", "/srv/pay.js:7\n"), ("  ^\n", "  x\n"), ("/srv/pay.js:2\n", "/srv/other.js:2\n")]
    {
        let other = text.replacen(what, with, 1);
        assert_eq!(sources(&other), ["2|-", "2|-", "4|-"], "{other}");
    }
}
