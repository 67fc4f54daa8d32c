//! The messages that uploaders get.

use super::super::{Budget, Flaws, MapError};
use super::{compact, refusal, refusal_under};

fn told(json: &str) -> String {
    let error = refusal(json.as_bytes());
    assert!(error.is_upload_fault());
    error.to_string()
}

#[test]
fn invalid_json_is_reported_with_its_position() {
    assert_eq!(told(""), "not JSON: EOF while parsing a value at line 1 column 0");
    assert_eq!(told("<html>"), "not JSON: expected value at line 1 column 1");
    assert_eq!(told("{\n\"version\":3,\n}"), "not JSON: trailing comma at line 3 column 1");
    assert_eq!(told(")]}'\n{\"a\":]"), "not JSON: expected value at line 2 column 6");
    assert_eq!(told(r#"{"version":3} x"#), "not JSON: trailing characters at line 1 column 15");
    let error = refusal(b"{\"a\":\"\xff\"}");
    assert_eq!(error.to_string(), "not JSON: invalid UTF-8 at byte 6");
}

#[test]
fn json_that_is_not_a_source_map_is_reported_by_field() {
    for (json, message) in [
        ("[]", "the upload must be an object"),
        ("3", "the upload must be an object"),
        ("{}", r#"missing "version" (it must be 3)"#),
        (r#"{"version":2}"#, r#""version" must be 3, got 2"#),
        (r#"{"version":[1]}"#, r#""version" must be 3, got [1]"#),
        (r#"{"version":3}"#, r#"missing "mappings""#),
        (r#"{"version":3,"mappings":[]}"#, r#""mappings" must be a string, got array"#),
        (r#"{"version":3,"mappings":"","sources":{}}"#, r#""sources" must be an array, got object"#),
        (r#"{"version":3,"mappings":"","sources":["a",5]}"#, r#""sources[1]" must be a string, got number"#),
        (
            r#"{"version":3,"mappings":"","sources":["a"],"sourcesContent":[true]}"#,
            r#""sourcesContent[0]" must be a string, got boolean"#,
        ),
        (r#"{"version":3,"mappings":"","names":"x"}"#, r#""names" must be an array, got string"#),
        (r#"{"version":3,"sections":{}}"#, r#""sections" must be an array, got object"#),
        (r#"{"version":3,"sections":[{"map":{}}]}"#, r#"sections[0]: missing field `offset`"#),
        (
            r#"{"version":3,"sections":[{"offset":{"line":0,"column":0},"url":"x"}]}"#,
            r#"sections[0] has no "map" (links by "url" are not followed)"#,
        ),
        (
            r#"{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3}}]}"#,
            r#"missing "sections[0].map.mappings""#,
        ),
        (
            r#"{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":7}]}"#,
            r#"sections[0].map must be an object"#,
        ),
        (
            r#"{"version":3,"sections":[{"offset":{"line":9,"column":4},"map":{"version":3,"mappings":""}},
                {"offset":{"line":9,"column":3},"map":{"version":3,"mappings":""}}]}"#,
            "sections[1] begins at line 9, column 3, before the section in front of it (line 9, column 4): \
             sections must be in order",
        ),
    ] {
        assert_eq!(told(json), format!("not a source map: {message}"), "{json}");
    }
}

#[test]
fn a_bad_mapping_is_reported_by_position_if_no_other_is_usable() {
    for (mappings, message) in [
        ("C;C,!", "generated line 2, segment 2: '!' is not a base64 digit"),
        ("\u{e9}", "generated line 1, segment 1: byte 0xc3 is not a base64 digit"),
        ("AA", "generated line 1, segment 1: 2 numbers, expected 1, 4 or 5"),
        ("AAAAAA", "generated line 1, segment 1: more than 5 numbers"),
        ("A,g", "generated line 1, segment 2: the last number is cut short"),
        ("A,g;A", "generated line 1, segment 2: the last number is cut short"),
        ("ggggggggC", "generated line 1, segment 1: a number has more than 32 bits"),
        ("ACAA", "generated line 1, segment 1: source index 1 is out of range: the map has 1 sources"),
        ("ADAA", "generated line 1, segment 1: source index -1 is out of range: the map has 1 sources"),
        ("AADA", "generated line 1, segment 1: original line -1 is negative"),
        ("AAAD", "generated line 1, segment 1: original column -1 is negative"),
        (";D", "generated line 2, segment 1: generated column -1 is negative"),
        ("A,+/////H", "generated line 1, segment 2: generated column 4294967295 is beyond 4294967294"),
    ] {
        let json = format!(r#"{{"version":3,"sources":["a"],"mappings":"{mappings}"}}"#);
        assert_eq!(told(&json), format!("bad mappings: {message}"), "{mappings}");
    }
    let json = r#"{"version":3,"sections":[{"offset":{"line":9,"column":0},
        "map":{"version":3,"mappings":";!"}}]}"#;
    assert_eq!(
        told(json),
        "bad mappings of sections[0].map: generated line 2, segment 1: '!' is not a base64 digit"
    );
}

#[test]
fn the_usable_part_of_a_bad_mapping_is_used() {
    let with = |mappings: &str| {
        compact(&format!(r#"{{"version":3,"sources":["a.js"],"names":["x"],"mappings":"{mappings}"}}"#))
    };
    // Each is at column 11, and another at column 21.
    for (bad, problem) in [
        ("UCAA,UDEI", "source index 1 is out of range: the map has 1 sources"),
        ("UAFA,UAIA", "original line -2 is negative"),
        ("UAAD,UAAE", "original column -1 is negative"),
        ("UA,UAEI", "2 numbers, expected 1, 4 or 5"),
        ("UAAAAA,UAEI", "more than 5 numbers"),
    ] {
        let map = with(&format!("AAAA,{bad};AAAA"));
        let warning = format!("bad mappings: generated line 1, segment 2: {problem}");
        assert_eq!(map.summary.flaws.to_string(), warning, "{bad}");
        let opened = map.open();
        assert!(opened.lookup(1, 10).is_some() && opened.lookup(1, 15).is_none(), "{bad}");
        assert!(opened.lookup(1, 21).is_some() && opened.lookup(2, 1).is_some(), "{bad}");
    }
    // A segment's source counts even if its position is wrong.
    let negative = with("AAAA,HACA,UACA");
    assert_eq!(negative.open().lookup(1, 8).map(|found| found.line), Some(3), "{:?}", negative.summary);
    let unnamed = with("AAAAA,UAEIC");
    let warning =
        "bad mappings: generated line 1, segment 2: name index 1 is out of range: the map has 1 names";
    assert_eq!(unnamed.summary.flaws.to_string(), warning);
    let opened = unnamed.open();
    let place =
        |column| opened.lookup(1, column).map(|found| (found.line, found.identifier.map(str::to_owned)));
    assert_eq!(place(1), Some((1, Some("x".to_owned()))));
    assert_eq!(place(11), Some((3, None)), "the position is right");
    let twice = with("AAAA,UCAA,UAAA,UDAA").summary.flaws;
    assert!(twice.to_string().ends_with("the map has 1 sources, and 1 more"), "{twice}");
    // Numbers add up, so what follows one that cannot be read could be anywhere.
    let cut = with("AAAA;AAAA,C!;AAAA");
    let warning =
        "bad mappings: generated line 2, segment 2: '!' is not a base64 digit; what follows is not mapped";
    assert_eq!(cut.summary.flaws.to_string(), warning);
    assert!(cut.open().lookup(2, 1).is_some() && cut.open().lookup(3, 1).is_none());
    let padded = with("gggggggAAAA,ggggggggA");
    assert_eq!((padded.summary.flaws, padded.summary.mappings), (Flaws::default(), 1));
}

#[test]
fn the_first_ten_bad_mappings_are_listed_and_all_counted() {
    let part = r#"{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA,UC,UC;UC,UC,UC,UC,UC,UC,UC,UC,UC,UC"}"#;
    let told = compact(part).summary.flaws;
    assert_eq!((told.warnings.len(), told.warning_count), (10, 12));
    let places: Vec<_> = told.warnings.iter().map(|flaw| (flaw.line, flaw.segment)).collect();
    assert_eq!(places[..4], [(1, 2), (1, 3), (2, 1), (2, 2)]);
    assert_eq!(told.warnings[0].what, "2 numbers, expected 1, 4 or 5");
    let indexed =
        format!(r#"{{"version":3,"sections":[{{"offset":{{"line":0,"column":0}},"map":{part}}}]}}"#);
    let told = compact(&indexed).summary.flaws;
    assert_eq!(told.warnings[0].section.as_deref(), Some("sections[0].map"));
    assert!(
        told.to_string().starts_with("bad mappings of sections[0].map: generated line 1, segment 2"),
        "{told}"
    );
}

#[test]
fn each_limit_is_reported_by_name() {
    let budget = Budget {
        sources: 2,
        names: 2,
        sections: 2,
        section_depth: 1,
        unordered_mappings: 2,
        function_name_bytes: 5,
        ..Budget::default()
    };
    let section = r#"{"offset":{"line":0,"column":0},"map":{"version":3,"mappings":""}}"#;
    let nested = format!(
        r#"{{"version":3,"sections":[{{"offset":{{"line":0,"column":0}},"map":{{"version":3,"sections":[{section}]}}}}]}}"#
    );
    let cases = [
        (
            r#"{"version":3,"sources":["a","b","c"],"mappings":""}"#.to_owned(),
            "too many sources: 3, the limit is 2",
        ),
        (
            r#"{"version":3,"names":["a","b","c"],"mappings":""}"#.to_owned(),
            "too many names: 3, the limit is 2",
        ),
        (
            format!(r#"{{"version":3,"sections":[{section},{section},{section}]}}"#),
            "too many sections: 3, the limit is 2",
        ),
        (nested, "too many levels of sections: 2, the limit is 1"),
        (
            r#"{"version":3,"mappings":"C,C,D"}"#.to_owned(),
            "too many mappings out of order: 3, the limit is 2",
        ),
        (
            r#"{"version":3,"sources":["a.js"],"sourcesContent":["function abcdef(){}"],"mappings":""}"#
                .to_owned(),
            "too many bytes of function names: 6, the limit is 5",
        ),
    ];
    for (json, message) in cases {
        let error = refusal_under(json.as_bytes(), &budget);
        assert!(matches!(error, MapError::OverBudget { .. }), "{error}");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_full_disk_is_not_the_uploaders_fault() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let json = br#"{"version":3,"mappings":""}"#;
    let error = super::super::convert(json, &Budget::default(), &mut Full).expect_err("full");
    assert!(matches!(error, MapError::Write(_)) && !error.is_upload_fault());
}
