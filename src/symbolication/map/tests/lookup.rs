//! Positions, context, file names and the shape of answers, by hand.

use super::super::paths::file_name;
use super::{compact, identity};

#[test]
fn positions_are_one_based_and_stay_on_their_line() {
    // Line 1: column 5 → a.js 1:1. Line 2: nothing. Line 3: column 1 → a.js 1:3, named "n".
    let map = compact(r#"{"version":3,"sources":["a.js"],"names":["n"],"mappings":"IAAA;;AAAEA"}"#).open();
    assert_eq!(map.lookup(1, 4), None, "before the first mapping");
    let first = map.lookup(1, 5).expect("mapped");
    assert_eq!((first.file, first.line, first.column), ("a.js", 1, 1));
    assert_eq!((first.function, first.identifier), (None, None));
    assert_eq!(map.lookup(1, u32::MAX), Some(first), "until the end of the line");
    assert_eq!(map.lookup(2, 1), None, "a line without mappings");
    let third = map.lookup(3, 9).expect("mapped");
    assert_eq!((third.line, third.column, third.identifier), (1, 3, Some("n")));
    assert_eq!(map.lookup(4, 1), None, "past the last line");
    assert_eq!(map.lookup(0, 1), None);
    assert_eq!(map.lookup(1, 0), None);
    assert_eq!(map.context(&third, 5).map(|_| ()), None, "no sourcesContent");
    assert_eq!((map.source_count(), map.mapping_count(), map.content_count()), (1, 2, 0));
}

#[test]
fn code_without_a_source_has_no_position() {
    let map = compact(r#"{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA,C,CAAC"}"#).open();
    assert!(map.lookup(1, 1).is_some());
    assert_eq!(map.lookup(1, 2), None);
    assert!(map.lookup(1, 3).is_some());
}

#[test]
fn of_two_mappings_at_one_position_the_later_wins() {
    let map = compact(r#"{"version":3,"sources":["a","b"],"mappings":"AAAA,ACAA,A,AAAA"}"#);
    assert_eq!(map.summary.mappings, 1);
    assert_eq!(map.open().lookup(1, 1).expect("mapped").file, "b");
}

#[test]
fn mappings_out_of_order_are_sorted() {
    // Columns 10, then 5.
    let map = compact(r#"{"version":3,"sources":["a"],"mappings":"UAAU,LAAL"}"#).open();
    assert_eq!(map.lookup(1, 6).expect("mapped").column, 6);
    assert_eq!(map.lookup(1, 11).expect("mapped").column, 11);
    assert_eq!(map.lookup(1, 5), None);
}

#[test]
fn context_gives_the_lines_around() {
    let source: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let map = compact(&identity("a.txt", &source)).open();
    let at = |line: u32| {
        let generated = source.lines().take(line as usize - 1).map(|l| l.len() + 1).sum::<usize>();
        map.lookup(1, generated as u32 + 1).expect("mapped")
    };
    let middle = map.context(&at(10), 2).expect("context");
    assert_eq!(middle.pre(), ["line 8", "line 9"]);
    assert_eq!(middle.line(), "line 10");
    assert_eq!(middle.post(), ["line 11", "line 12"]);
    assert_eq!(middle.first_line(), 8);
    let first = map.context(&at(1), 5).expect("context");
    assert_eq!((first.pre().len(), first.line(), first.post().len()), (0, "line 1", 5));
    let last = map.context(&at(20), 5).expect("context");
    assert_eq!(last.pre().len(), 5);
    assert_eq!((last.line(), last.post()), ("line 20", &[][..]), "nothing follows the last line");
    let many = map.context(&at(10), 1000).expect("context");
    assert_eq!((many.pre().len(), many.post().len()), (super::super::MAX_CONTEXT, 8));
    assert_eq!(map.context(&at(3), 0).expect("context").line(), "line 3");
}

#[test]
fn no_empty_line_follows_the_last_line_break() {
    let cases: [(&str, &[&str]); 7] = [
        ("a\nb\nc\n", &["b", "c"]),
        ("a\nb\nc", &["b", "c"]),
        ("a\r\nb\r\n", &["b"]),
        ("a\rb\r", &["b"]),
        ("a\n\n", &[""]),
        ("a\n", &[]),
        ("a", &[]),
    ];
    for (source, expected) in cases {
        let map = compact(&identity("a.txt", source)).open();
        let context = map.context(&map.lookup(1, 1).expect("mapped"), 5).expect("context");
        assert_eq!((context.line(), context.post()), ("a", expected), "{source:?}");
    }
}

#[test]
fn lines_end_at_lf_crlf_and_cr_only() {
    let source = "a\r\nb\rc\n\nd\u{2028}e\u{85}f\u{c}g\r";
    let map = compact(&identity("a.txt", source)).open();
    let mut location = map.lookup(1, 1).expect("mapped");
    location.line = 5;
    let context = map.context(&location, 8).expect("context");
    assert_eq!(context.pre(), ["a", "b", "c", ""]);
    assert_eq!(context.line(), "d\u{2028}e\u{85}f\u{c}g");
    assert!(context.post().is_empty());
    location.line = 7;
    assert!(map.context(&location, 8).is_none());
}

#[test]
fn a_long_line_is_cut_at_a_character() {
    for pad in 0..4 {
        let source = format!("{}{}", "x".repeat(pad), "😀".repeat(20_000));
        let map = compact(&identity("a.txt", &source)).open();
        let context = map.context(&map.lookup(1, 1).expect("mapped"), 1).expect("context");
        let line = context.line();
        assert!(line.len() > (64 << 10) - 6 && line.len() <= 64 << 10 && source.starts_with(line));
    }
}

#[test]
fn an_empty_text_is_a_text() {
    let map =
        compact(r#"{"version":3,"sources":["a","b"],"sourcesContent":["",null],"mappings":"AAAA,CCAA"}"#)
            .open();
    assert_eq!(map.content_count(), 1);
    let with = map.lookup(1, 1).expect("mapped");
    assert_eq!(map.context(&with, 5).expect("context").line(), "");
    assert_eq!(map.source_text(with.source), Some(""));
    let without = map.lookup(1, 2).expect("mapped");
    assert!(map.context(&without, 5).is_none());
    assert_eq!(map.source_text(without.source), None);
}

#[test]
fn a_map_without_mappings_is_valid() {
    for json in [
        r#"{"version":3,"sources":[],"names":[],"mappings":""}"#,
        r#"{"version":3,"mappings":";;,,;"}"#,
        r#"{"version":3,"sources":null,"names":null,"sourceRoot":null,"mappings":""}"#,
        r#"{"version":3,"sections":[]}"#,
    ] {
        let map = compact(json).open();
        assert_eq!(map.lookup(1, 1), None);
        assert_eq!(map.mapping_count(), 0);
    }
}

#[test]
fn guards_before_the_json_are_skipped() {
    let json = r#"{"version":3,"sources":["a"],"mappings":"AAAA"}"#;
    for prefix in ["\u{feff}", ")]}'\n", ")]}',\r\n", ")]}\n", "\u{feff})]}'\n", " \n"] {
        let map = compact(&format!("{prefix}{json}")).open();
        assert!(map.lookup(1, 1).is_some(), "{prefix:?}");
    }
}

#[test]
fn half_a_surrogate_pair_does_not_spoil_the_map() {
    let map = compact(
        r#"{"version":3,"sources":["a.js"],"sourcesContent":["x = '\ud83d' + '\ud83d\ude00'"],"mappings":"AAAA"}"#,
    )
    .open();
    let context = map.context(&map.lookup(1, 1).expect("mapped"), 0).expect("context");
    assert!(context.line().starts_with("x = '\u{fffd}"));
    assert!(context.line().ends_with("'😀'"));
}

#[test]
fn file_names_lose_what_the_build_added() {
    for (root, source, expected) in [
        ("", "src/a.ts", "src/a.ts"),
        ("", "./src/a.ts", "src/a.ts"),
        ("", "../../src/a.ts", "src/a.ts"),
        ("", ".././/a.ts", "a.ts"),
        ("", "webpack:///./src/a.ts", "src/a.ts"),
        ("", "webpack:///src/a.ts", "src/a.ts"),
        ("", "webpack://app/./src/a.ts", "src/a.ts"),
        ("", "webpack://_N_E/../node_modules/b/c.js", "node_modules/b/c.js"),
        ("", "webpack://@scope/app/./src/a.ts", "src/a.ts"),
        ("", "webpack://@scope/app/../lib/a.ts", "lib/a.ts"),
        ("", "webpack://@scope/app/webpack/bootstrap", "webpack/bootstrap"),
        ("", "webpack://@scope/a.ts", "a.ts"),
        ("", "webpack://@scope", "@scope"),
        ("", "turbopack:///[project]/src/a.ts", "src/a.ts"),
        ("", "turbopack:///[project]/./src/a.ts", "src/a.ts"),
        ("", "turbopack://[project]/src/a.ts", "src/a.ts"),
        ("", "turbopack:///[turbopack]/browser/a.ts", "turbopack:///[turbopack]/browser/a.ts"),
        ("", "turbopack:///[project]/", "turbopack:///[project]/"),
        ("", "webpack:///webpack/bootstrap", "webpack/bootstrap"),
        ("", "webpack:////home/me/a.ts", "/home/me/a.ts"),
        ("", "webpack:///webpack:///src/a.ts", "src/a.ts"),
        ("", "webpack://app/webpack://app/./src/a.ts", "src/a.ts"),
        ("", "webpack-internal:///(rsc)/./src/a.tsx", "src/a.tsx"),
        ("", "webpack://_N_E/(app-pages-browser)/./src/a.tsx", "src/a.tsx"),
        ("", "webpack:///./src/a.vue?1a2b", "src/a.vue"),
        ("", "src/a.vue?vue&type=script&lang=ts", "src/a.vue"),
        ("", "webpack:///./node_modules/ts-loader/index.js??ref--1!./src/a.ts?x", "src/a.ts"),
        ("", "webpack:///./src/a.ts + 3 modules", "src/a.ts"),
        ("", "src/(group)/a.ts", "src/(group)/a.ts"),
        ("", "/abs/a.ts", "/abs/a.ts"),
        ("", "https://x.y/a.ts", "https://x.y/a.ts"),
        ("", "..", ".."),
        ("", "../", "../"),
        ("", "...a", "...a"),
        ("src", "a.ts", "src/a.ts"),
        ("src/", "a.ts", "src/a.ts"),
        ("./src/", "a.ts", "src/a.ts"),
        ("webpack:///", "./src/a.ts", "src/a.ts"),
        ("webpack://app/", "src/a.ts", "src/a.ts"),
        ("webpack://@scope/app/", "./src/a.ts", "src/a.ts"),
        ("turbopack:///[project]/", "src/a.ts", "src/a.ts"),
        ("src", "/abs/a.ts", "/abs/a.ts"),
        ("src", "webpack:///./a.ts", "a.ts"),
        ("src", "C:\\a.ts", "C:\\a.ts"),
        ("src", "é.ts", "src/é.ts"),
        ("https://x.y/r", "a.ts", "https://x.y/r/a.ts"),
    ] {
        assert_eq!(file_name(root, source), expected, "{root:?} {source:?}");
    }
    let map =
        compact(r#"{"version":3,"sourceRoot":"./r","sources":["../a.ts",null],"mappings":"AAAA,CCAA"}"#)
            .open();
    assert_eq!(map.lookup(1, 1).expect("mapped").file, "r/../a.ts");
    assert_eq!(map.lookup(1, 2).expect("mapped").file, "");
    assert_eq!(map.sources().map(|(_, file)| file).collect::<Vec<_>>(), ["r/../a.ts", ""]);
}

#[test]
fn sections_are_laid_out_by_their_offsets() {
    let inner = |file: &str| {
        format!(r#"{{"version":3,"sources":["{file}"],"names":["{file}N"],"mappings":"AAAAA;AACA"}}"#)
    };
    let json = format!(
        r#"{{"version":3,"sections":[
            {{"offset":{{"line":0,"column":0}},"map":{a}}},
            {{"offset":{{"line":1,"column":10}},"map":{b}}},
            {{"offset":{{"line":5,"column":3}},"map":{{"version":3,"sections":[
                {{"offset":{{"line":0,"column":2}},"map":{c}}}]}}}}]}}"#,
        a = inner("a"),
        b = inner("b"),
        c = inner("c"),
    );
    let map = compact(&json).open();
    let at = |line, column| map.lookup(line, column).map(|l| (l.file, l.line, l.identifier));
    assert_eq!(at(1, 1), Some(("a", 1, Some("aN"))));
    assert_eq!(at(2, 10), Some(("a", 2, None)));
    assert_eq!(at(2, 11), Some(("b", 1, Some("bN"))));
    assert_eq!(at(3, 1), Some(("b", 2, None)), "the column counts on the first line only");
    assert_eq!(at(6, 5), None);
    assert_eq!(at(6, 6), Some(("c", 1, Some("cN"))));
    assert_eq!(map.source_count(), 3);
}
