//! A bound on time that no other limit sets: what is over it gets no function names, and still resolves.

use super::super::budget::Allowance;
use super::super::{Budget, convert};
use super::json;
use std::time::Duration;

/// A map with this many sources, each with one function.
fn map(sources: u32) -> String {
    let mut builder = sourcemap::SourceMapBuilder::new(None);
    for number in 0..sources {
        let id = builder.add_source(&format!("s{number}.js"));
        builder.set_source_contents(id, Some("function f() { g() }"));
        builder.add_raw(0, number * 10, 0, 16, Some(id), None, false);
    }
    json(builder)
}

fn with(time: Duration) -> Budget {
    Budget { scope_time: Allowance::new(time), ..Budget::default() }
}

fn without_names(budget: &Budget, sources: u32) -> u64 {
    let summary = convert(map(sources).as_bytes(), budget, &mut Vec::new()).expect("a valid map");
    assert_eq!((summary.sources, summary.mappings), (u64::from(sources), u64::from(sources)));
    summary.without_scopes
}

#[test]
fn a_map_that_is_slow_to_parse_loses_only_names() {
    assert_eq!(without_names(&with(Duration::MAX), 5), 0);
    assert_eq!(without_names(&with(Duration::ZERO), 5), 5);
    // Any source takes longer than that: the first one is begun, and the others are not.
    let budget = with(Duration::from_nanos(1));
    assert_eq!(without_names(&budget, 5), 4);
    assert_eq!(budget.scope_time.left(), Duration::ZERO);
}

#[test]
fn many_maps_of_one_upload_share_the_time() {
    let budget = with(Duration::from_nanos(1));
    let all: u64 = (0..4).map(|_| without_names(&budget.clone(), 3)).sum();
    assert_eq!(all, 4 * 3 - 1);
    // Another upload has its own.
    assert_eq!(without_names(&Budget::default(), 3), 0);
    assert!(Budget::default().scope_time.left() > Duration::from_secs(60));
}
