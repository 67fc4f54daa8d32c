//! Hostile uploads are refused or converted, always within limits and without a panic.

use super::super::{Budget, MapError, convert};
use super::{Random, identity};

fn try_convert(bytes: &[u8]) -> Result<Vec<u8>, MapError> {
    let mut out = Vec::new();
    let result = convert(bytes, &Budget::default(), &mut out);
    if let Err(error) = &result {
        assert!(error.is_upload_fault(), "{error}");
    }
    result.map(|_| out)
}

#[test]
fn nested_json_does_not_overflow_the_stack() {
    let deep = 1_000_000;
    let (open, close) = ("[".repeat(deep), "]".repeat(deep));
    let cases = [
        open.clone(),
        format!("{open}{close}"),
        format!(r#"{{"version":3,"mappings":"","x":{open}{close}}}"#),
        format!(r#"{{"version":3,"mappings":"","x":{}"#, r#"{"a":"#.repeat(deep)),
        format!(r#"{{"version":3,"mappings":"","names":{open}{close}}}"#),
        format!(r#"{{"version":3,"mappings":"","sources":{open}{close}}}"#),
        format!(r#"{{"version":{open}{close}}}"#),
        r#"{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":"#.repeat(100_000),
    ];
    for case in &cases {
        let _ = try_convert(case.as_bytes());
    }
}

#[test]
fn mutated_maps_never_panic() {
    let mut random = Random(0xF0_22ED);
    let plain = identity("a.tsx", "export const A = memo(() => <b>{x('é')}</b>);\nclass B { c() {} }");
    let sections =
        format!(r#"{{"version":3,"sections":[{{"offset":{{"line":0,"column":3}},"map":{plain}}}]}}"#);
    let pieces: [&[u8]; 12] = [
        b"\"",
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b";",
        b"\\ud800",
        b"null",
        b"99999999999",
        b"gggggg",
        b"sections",
    ];
    let mut converted = 0;
    for round in 0..2000 {
        let mut bytes = if round % 2 == 0 { &plain } else { &sections }.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] = b"ACDgIA,;+/"[random.below(10) as usize],
                2 => drop(bytes.splice(at..at, pieces[random.below(12) as usize].iter().copied())),
                _ => {
                    let end = (at + random.below(20) as usize).min(bytes.len());
                    bytes.drain(at..end);
                }
            }
        }
        converted += usize::from(try_convert(&bytes).is_ok());
    }
    assert!(converted > 200, "only {converted} mutants were maps: nothing was tested");
}

#[test]
fn floods_are_refused_or_stay_small() {
    let strings = |n: usize| format!("[{}\"\"]", "\"\",".repeat(n));
    let sources = format!(r#"{{"version":3,"mappings":"","sources":{}}}"#, strings(1_000_000));
    assert!(matches!(try_convert(sources.as_bytes()), Err(MapError::OverBudget { .. })));
    let names = format!(r#"{{"version":3,"mappings":"","names":{}}}"#, strings(1_000_000));
    assert!(try_convert(names.as_bytes()).is_ok());
    let mappings = format!(r#"{{"version":3,"mappings":"{}"}}"#, "C,".repeat(1_000_000));
    let compact = try_convert(mappings.as_bytes()).expect("ordered mappings are streamed");
    assert!(compact.len() < mappings.len());
    let lines = format!(r#"{{"version":3,"mappings":"{}A"}}"#, ";".repeat(1_000_000));
    assert!(try_convert(lines.as_bytes()).expect("lines take nothing").len() < 1000);
    let unordered = format!(r#"{{"version":3,"mappings":"{}"}}"#, "E,D,".repeat(2_100_000));
    assert!(matches!(try_convert(unordered.as_bytes()), Err(MapError::OverBudget { .. })));
    let root = format!(
        r#"{{"version":3,"mappings":"","sourceRoot":"{}","sources":{}}}"#,
        "r".repeat(100_000),
        strings(1000)
    );
    assert!(matches!(try_convert(root.as_bytes()), Err(MapError::OverBudget { .. })));
}
