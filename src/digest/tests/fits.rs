//! Matching one issue against a filter agrees with the list of issues that match.

use super::*;
use crate::issues::sql::{Filter, Sort, fits, list};
use crate::store::Page;

const QUERIES: [&str; 18] = [
    "ant",
    "-ant",
    "ant -bee",
    "is:new",
    "-is:new",
    "is:high-value",
    "level:error,info",
    "-level:error",
    "environment:staging",
    "-environment:staging",
    "release:1.0 ant",
    "first_release:1.0",
    "-first_release:1.0",
    "tag.k:v",
    "has:tag.k",
    "user:u@example.com",
    "-has:account",
    "assignee:none priority:high",
];

#[test]
fn an_issue_matches_a_filter_if_it_is_in_its_list() {
    let bench = bench();
    for event in [
        json!({"message": "ant", "environment": "staging", "release": "1.0", "tags": {"k": "v"}}),
        json!({"message": "ant and bee", "level": "error", "release": "2.0", "tags": {"k": "w"}}),
        json!({"message": "cat", "user": {"id": "7", "email": "u@example.com"}, "account": {"id": "a"}}),
        json!({"exception": {"type": "E", "message": "dog"}, "environment": "staging"}),
    ] {
        bench.add(&event);
    }
    while bench.worker().step().unwrap() {}
    let judge = |c: &Connection| {
        for query in QUERIES {
            let mut filter = Filter::of_project(PROJECT);
            filter.query(query, None)?;
            let page = (Sort::FirstSeen, Page { limit: 100, offset: 0 });
            let (listed, _) = list(c, &Texts::default(), &filter, page, Timestamp::now())?;
            let mut listed: Vec<i64> = listed.iter().map(|issue| issue.id.0).collect();
            listed.sort_unstable();
            let fitting = (1..=4).filter(|id| fits(c, &filter, crate::ids::IssueId(*id)).unwrap());
            assert_eq!(fitting.collect::<Vec<_>>(), listed, "{query}");
        }
        Ok(())
    };
    bench.main.readers.read_blocking(judge).unwrap();
}
