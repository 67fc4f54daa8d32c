//! Stacks that were recorded from JavaScriptCore and Hermes: see `tests/fixtures/stacks/engines.mjs`.

use super::*;
use std::collections::BTreeMap;

#[derive(serde::Deserialize)]
struct RecordedStacks {
    stacks: BTreeMap<String, String>,
}

#[track_caller]
fn check(json: &str, flavor: Flavor, has_header: bool, place: impl Fn(&str) -> bool) {
    let recorded: RecordedStacks = serde_json::from_str(json).unwrap();
    assert_eq!(recorded.stacks.len(), 17);
    for (case, stack) in &recorded.stacks {
        let parsed = parse_with_message(stack, Some(case));
        assert_eq!(parsed.platform, flavor, "{stack}");
        assert_eq!(parsed.frames.len(), stack.lines().count() - usize::from(has_header), "{stack}");
        assert!(parsed.frames[0].url.is_some_and(&place), "{stack}");
        for frame in &parsed.frames {
            assert_eq!(frame.url.is_some(), frame.line.is_some() && frame.column.is_some(), "{frame:?}");
        }
    }
}

const SCRIPT: &str = "https://shop.example/names.js";

#[test]
fn stacks_of_javascriptcore_are_read_in_full() {
    let json = include_str!("../../../../tests/fixtures/stacks/javascriptcore.json");
    check(json, Flavor::JavaScriptCore, false, |url| url == SCRIPT);
}

#[test]
fn stacks_of_hermes_are_read_in_full() {
    check(include_str!("../../../../tests/fixtures/stacks/hermes.json"), Flavor::Hermes, true, |url| {
        url == SCRIPT
    });
}

#[test]
fn stacks_of_hermes_bytecode_are_read_in_full() {
    let json = include_str!("../../../../tests/fixtures/stacks/hermes-bytecode.json");
    check(json, Flavor::Hermes, true, |url| url == "names.hbc");
}
