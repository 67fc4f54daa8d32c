use std::time::{Duration, Instant};

use super::*;

const SAMPLES: [&str; 12] = [
    "Error: a (b)\n    at async f [as g] (https://x/a.js:1:2)\n    at eval (eval at h (eval at i \
     (/a.js:1:2), <anonymous>:3:4), <anonymous>:5:6)\n    at wasm://wasm/1:wasm-function[1]:0x1a",
    "f/<@https://x/@a/b@1.js:1:2\nasync*g@x.js line 3 > eval:1:1\n[native code]\n@data:a,b:1:2\n",
    "TypeError: é\n    at f (address at index.android.bundle:1:2)\n    at g (native)\n",
    "Traceback (most recent call last):\n  File \"ü.py\", line 3, in f\n    x\nError: y\n",
    "a.rb:3:in 'f': “m” (E)\n\t1: from b.rb:4:in `g'\n\tfrom c.rb:5:in 'h'",
    "E: m\n\tat a.b.C.m(F.java:12) ~[x.jar:1]\n\tat d.E.f(Native Method)\nCaused by: x\n",
    "goroutine 1 [running]:\nmain.f(0x1, ...)\n\t/a/b.go:12 +0x1d\ncreated by g in goroutine 2\n\t/c.go:1\n",
    "A: m in /a.php:1\nStack trace:\n#0 /b.php(2): C->d()\n#1 {main}\n\nNext E: n in /f.php:3\nStack trace:\n#0 {main}",
    "A.B: m\n ---> C.D: n\n   at E.F() in /g.cs:line 1\n   --- End of inner exception stack trace ---\n   at H.I(J k)",
    "Thread 0 crashed:\n0 [ra] 0x1f a() + 1 in b at /c.swift:1:2\n1   D  0x0001ff e + 2 (F.swift:3)\ng.swift:4: Fatal error: h",
    "thread 'main' panicked at src/a.rs:1:2:\nb\nthread 'c' panicked at 'd', src/e.rs:3:4",
    "stack backtrace:\n   0: a::b::h0123456789abcdef\n             at ./src/x.rs:1:2\n  1: 0x1 - c\n",
];

/// What every result promises.
fn check(text: &str) {
    let parsed = parse(text);
    assert!(parsed.frames.len() <= MAX_FRAMES);
    assert_eq!(parsed.frames.is_empty(), parsed.platform == Flavor::Unknown, "{text:?}");
    for frame in &parsed.frames {
        assert!(frame.function.is_none_or(|name| !name.is_empty() && name.len() <= MAX_FUNCTION));
        assert!(frame.context_line.is_none_or(|line| !line.is_empty() && line.chars().count() <= MAX_SOURCE));
        assert!(frame.url.is_none_or(|url| !url.is_empty() && url.len() <= MAX_URL));
    }
    for cause in causes(text, None) {
        assert!(cause.stack.len() <= text.len());
    }
}

/// Deterministic numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

#[test]
fn mutated_stacks_never_panic() {
    let pieces: Vec<char> = "@(:) /<\n\t>.0129ae\\\"'`é“\0\r,[]*$".chars().collect();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..20_000 {
        let mut text: Vec<char> = SAMPLES[round % SAMPLES.len()].chars().collect();
        for _ in 0..=numbers.below(6) {
            let at = numbers.below(text.len());
            match numbers.below(4) {
                0 => drop(text.remove(at)),
                1 => text[at] = pieces[numbers.below(pieces.len())],
                2 => text.insert(at, pieces[numbers.below(pieces.len())]),
                _ => text.truncate(at.max(8)),
            }
        }
        check(&text.iter().collect::<String>());
    }
}

#[test]
fn every_prefix_and_suffix_parses() {
    for sample in SAMPLES {
        for (at, _) in sample.char_indices() {
            check(&sample[..at]);
            check(&sample[at..]);
        }
    }
}

/// Half a mebibyte of each of these takes some milliseconds in a test build; anything quadratic would take minutes.
#[test]
fn hostile_half_mebibytes_take_linear_time() {
    for piece in [
        "at at at (((",
        "    at (eval at (",
        "at f (",
        "\n    at f (",
        "\n    at ",
        "\n",
        "\nat (((",
        "@",
        "a@",
        "\na@b",
        "\n@http://",
        ":1",
        "@x:1:2 > eval line 3",
        " line 3 > ",
        "Traceback (most recent call last):\n",
        "+ Exception Group Traceback (most recent call last):\n",
        "File \"",
        "\nFile \"a\", line 1, in b",
        "\", line ",
        ":in '",
        "\n:in '",
        "\n1: from x:in `",
        "\na.rb:1:in 'x': ",
        "goroutine 1 [x]:\n",
        "goroutine 1 [x]:\nf(\n\t",
        "stack backtrace:\n",
        "\n1: a",
        "\n1: a\n at ./b.rs:1",
        "\nat a.b(c.java:1)",
        "at a.b(",
        ") ~[",
        "[native code]\n",
        "é",
        "Caused by: ",
        "\nCaused by: a\n\tat b",
        "\n [cause]: ",
        "\nDuring handling of the above exception, another exception occurred:\n",
        "\n\nNext a: b\nStack trace:\n",
        "\n ---> ",
        " ---> a\n   at b.c()\n--- End of inner exception stack trace ---",
        "\na.rb:1:in 'x': y (Z)\n\tfrom a.rb:1:in 'x'",
        "\n#0 /a.php(1): b(",
        "#0 ) : eval()'d code(",
        " in /a.php on line 1",
        "\n   at a.b(c d) in e:line 1",
        "at a.b(",
        "\n0 0x1 a in b at ",
        "0   a   0x0001ff b + 1 (",
        "thread 'panicked at ', ",
        "\npanicked at 'x",
        ".swift:",
        ": file ",
        "data:,",
        "wasm:0x1",
        "0x",
    ] {
        for (head, size) in [("", 1 << 19), ("    at f (", 1 << 17), ("f@", 1 << 17)] {
            let text = format!("{head}{}", piece.repeat(size / piece.len()));
            let start = Instant::now();
            check(&text);
            parse_with_message(&text, Some(&text[..text.floor_char_boundary(text.len() / 2)]));
            parse_with_message(&text, Some(&format!("{piece}\n")));
            assert!(start.elapsed() < Duration::from_mins(2), "{head:?} {piece:?}");
        }
    }
}

#[test]
fn deep_javascript_stacks_keep_the_innermost() {
    let lines: String = (1..=1000).map(|line| format!("\n    at f (/a.js:{line}:1)")).collect();
    let parsed = parse(&lines);
    assert_eq!(parsed.frames.len(), MAX_FRAMES);
    assert_eq!(parsed.frames[0].line, Some(1));
}

#[test]
fn long_names_and_addresses_are_cut_at_a_character() {
    let text = format!("E\n    at {}x ({}/a.js:1:2)", "é".repeat(2000), "/é".repeat(4000));
    check(&text);
    assert_eq!(parse(&text).frames.len(), 1);
}

#[test]
fn numbers_out_of_range_are_not_frames() {
    assert!(parse("E\n    at f (/a.js:99999999999:1)").frames.is_empty());
    assert!(parse("E\n    at f (/a.js:-1:1)").frames.is_empty());
}

#[test]
fn unknown_text_has_no_frames() {
    for text in ["", "\n", "Error: ENOENT: no such file or directory, open '/nope'", "é@ü", "at "] {
        check(text);
        assert_eq!(parse(text).platform, Flavor::Unknown);
    }
}
