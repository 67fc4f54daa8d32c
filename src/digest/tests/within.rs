//! Issues within an environment and a period, as counted by the digest.

use super::*;
use crate::ids::IssueId;
use crate::issues::sql::counts::add_to_environment_hour;
use crate::issues::sql::within::environments;
use crate::issues::sql::{Filter, Sort, list, total};
use crate::issues::within::{Limits, Period, Within};
use crate::issues::{FACET_VALUES_MAX, FACETS_MAX, Issue};
use crate::store::Page;
use crate::time::HOUR;

fn digest(bench: &Bench) {
    let mut worker = bench.worker();
    while worker.step().unwrap() {}
}

/// Adds events of so many hours ago.
fn add(bench: &Bench, now: Timestamp, events: &[(&str, &str, i64)]) {
    for (message, environment, hours) in events {
        let time = now.plus(-hours * HOUR).to_string();
        bench.add(&json!({"message": message, "environment": environment, "timestamp": time}));
    }
    digest(bench);
}

fn limits(environment: Option<&str>, period: Option<&str>) -> Option<Limits> {
    Limits::of(environment.map(str::to_owned), period.map(|period| Period::parse(period).unwrap()))
}

/// The issues of a list sorted by events, and its total.
fn listed(bench: &Bench, limits: Option<Limits>, query: &str, now: Timestamp) -> (Vec<Issue>, i64) {
    let mut filter = Filter::of_project(PROJECT);
    filter.query(query, None).unwrap();
    filter.limit(limits);
    sorted(bench, &filter, Sort::Events, now)
}

fn sorted(bench: &Bench, filter: &Filter, sort: Sort, now: Timestamp) -> (Vec<Issue>, i64) {
    let page = (sort, Page { limit: 100, offset: 0 });
    bench.main.readers.read_blocking(|c| list(c, &Texts::default(), filter, page, now)).unwrap()
}

/// Their messages and listed numbers of events.
fn within(bench: &Bench, limits: Option<Limits>, query: &str, now: Timestamp) -> Vec<(String, i64)> {
    let (issues, total) = listed(bench, limits, query, now);
    assert_eq!(issues.len() as i64, total);
    issues.into_iter().map(|issue| (issue.message, issue.within.unwrap().event_count)).collect()
}

fn pairs(expected: &[(&str, i64)]) -> Vec<(String, i64)> {
    expected.iter().map(|(message, events)| ((*message).to_owned(), *events)).collect()
}

/// An environment, a period, and the expected titles and counts.
type Case = (Option<&'static str>, Option<&'static str>, &'static [(&'static str, i64)]);

#[test]
fn a_list_counts_and_orders_by_the_events_within_its_limits() {
    let (bench, now) = (bench(), Timestamp::now());
    let a = [("a", "production", 0), ("a", "production", 30), ("a", "production", 30), ("a", "staging", 700)];
    let b = [("b", "staging", 0), ("b", "staging", 1), ("b", "production", 100)];
    add(&bench, now, &[&a[..], &b[..], &[("c", "production", 650)][..]].concat());
    let cases: [Case; 9] = [
        (Some("production"), None, &[("a", 3), ("c", 1), ("b", 1)]),
        (Some("staging"), None, &[("b", 2), ("a", 1)]),
        (None, Some("24h"), &[("b", 2), ("a", 1)]),
        (None, Some("25d"), &[("b", 3), ("a", 3)]),
        (Some("production"), Some("24h"), &[("a", 1)]),
        (Some("production"), Some("7d"), &[("a", 3), ("b", 1)]),
        (Some("staging"), Some("25d"), &[("b", 2)]),
        (Some("gone"), Some("30d"), &[]),
        (Some("gone"), None, &[]),
    ];
    for (environment, period, expected) in cases {
        let found = within(&bench, limits(environment, period), "", now);
        assert_eq!(found, pairs(expected), "{environment:?} {period:?}");
    }
    // Together with words and look-ups.
    let day = || limits(None, Some("24h"));
    assert_eq!(within(&bench, day(), "environment:production -b", now), pairs(&[("a", 1)]));
    assert!(within(&bench, day(), "is:resolved", now).is_empty());
    assert!(listed(&bench, None, "", now).0.iter().all(|issue| issue.within.is_none()));
}

#[test]
fn each_order_of_a_list_has_the_same_issues_with_the_same_counts() {
    let (bench, now) = (bench(), Timestamp::now());
    // The hour after this one is in no period yet.
    let next = [("c", "production", -1), ("d", "production", -1), ("d", "production", 3)];
    let events = [("a", "production", 0), ("a", "production", 1), ("a", "staging", 30), ("b", "staging", 2)];
    add(&bench, now, &[&events[..], &next[..]].concat());
    for (environment, expected) in
        [(None, &[("a", 2), ("b", 1), ("d", 1)][..]), (Some("production"), &[("a", 2), ("d", 1)][..])]
    {
        let mut filter = Filter::of_project(PROJECT);
        filter.limit(limits(environment, Some("24h")));
        for sort in [Sort::Events, Sort::LastSeen, Sort::FirstSeen, Sort::Users] {
            let (issues, total) = sorted(&bench, &filter, sort, now);
            let mut counts: Vec<_> =
                issues.into_iter().map(|issue| (issue.message, issue.within.unwrap().event_count)).collect();
            counts.sort();
            assert_eq!((counts, total), (pairs(expected), expected.len() as i64), "{environment:?} {sort:?}");
        }
    }
}

#[test]
fn the_trend_within_limits_has_its_events_and_no_others() {
    let (bench, now) = (bench(), Timestamp::now());
    add(
        &bench,
        now,
        &[("a", "production", 0), ("a", "staging", 0), ("a", "production", 40), ("a", "production", 0)],
    );
    let trend = |environment, period| {
        let (issues, _) = listed(&bench, limits(environment, period), "", now);
        let within = issues.into_iter().next().unwrap().within.unwrap();
        (within.trend, within.bar_hours)
    };
    let (day, hours) = trend(Some("production"), None);
    assert_eq!((day.len(), day[23], day.iter().sum::<i64>(), hours), (24, 2, 2, 1));
    let (day, _) = trend(None, Some("24h"));
    assert_eq!((day[23], day.iter().sum::<i64>()), (3, 3));
    let (week, hours) = trend(Some("production"), Some("7d"));
    assert_eq!((week.len(), week[27], week[21], week.iter().sum::<i64>(), hours), (28, 2, 1, 3, 6));
}

#[test]
fn a_list_of_an_environment_says_and_orders_by_when_it_was_seen_there() {
    let (bench, now) = (bench(), Timestamp::now());
    let a = [("a", "staging", 0), ("a", "production", 5), ("a", "production", 9), ("a", "staging", 90)];
    add(&bench, now, &[&a[..], &[("b", "production", 3), ("b", "production", 40), ("b", "qa", 50)]].concat());
    let seen = |environment, period, sort| {
        let mut filter = Filter::of_project(PROJECT);
        filter.limit(limits(environment, period));
        let count = |c: &Connection| total(c, &Texts::default(), &filter, &mut None);
        let total = bench.main.readers.read_blocking(count).unwrap();
        let (issues, all) = sorted(&bench, &filter, sort, now);
        assert_eq!(total, all, "counted alone");
        let hours = |at: Timestamp| now.hour() - at.hour();
        let times = |own: Within| (hours(own.first_seen), hours(own.last_seen));
        let seen = issues.into_iter().map(|issue| (issue.message, times(issue.within.unwrap())));
        seen.collect::<Vec<_>>()
    };
    let expected = |all: [(&str, (i64, i64)); 2]| all.map(|(message, times)| (message.to_owned(), times));
    let production = Some("production");
    let b_first = expected([("b", (40, 3)), ("a", (9, 5))]);
    assert_eq!(seen(production, None, Sort::LastSeen), b_first);
    assert_eq!(seen(production, None, Sort::FirstSeen), expected([("a", (9, 5)), ("b", (40, 3))]));
    assert_eq!(seen(production, Some("24h"), Sort::LastSeen), b_first, "first seen before the period");
    // Without an environment, an issue was seen when it was seen anywhere.
    assert_eq!(seen(None, Some("24h"), Sort::LastSeen), expected([("a", (90, 0)), ("b", (50, 3))]));
    assert_eq!(seen(None, Some("24h"), Sort::FirstSeen), expected([("b", (50, 3)), ("a", (90, 0))]));
}

#[test]
fn environments_are_listed_by_their_newest_event() {
    let (bench, now) = (bench(), Timestamp::now());
    let names = || {
        let found = bench.main.readers.read_blocking(|c| environments(c, PROJECT)).unwrap();
        found.into_iter().map(|environment| environment.name).collect::<Vec<_>>()
    };
    assert_eq!(names(), Vec::<String>::new());
    add(&bench, now, &[("a", "old", 5), ("a", "new", 1), ("b", "older", 9), ("b", "old", 7)]);
    assert_eq!(names(), ["new", "old", "older"]);
    add(&bench, now, &[("b", "older", 0)]);
    assert_eq!(names(), ["older", "new", "old"]);
    add(&bench, now, &[("b", "older", 20), ("c", "new", 30)]);
    assert_eq!(names(), ["older", "new", "old"], "late events make none older");
}

#[test]
fn an_environment_goes_with_the_last_issue_that_has_it() {
    let (bench, now) = (bench(), Timestamp::now());
    add(&bench, now, &[("a", "both", 3), ("b", "both", 1), ("b", "only", 2)]);
    delete(&bench, "b");
    let left = bench.main.readers.read_blocking(|c| environments(c, PROJECT)).unwrap();
    let left: Vec<_> = left.into_iter().map(|each| (each.name, each.last_seen.hour())).collect();
    assert_eq!(left, [("both".to_owned(), now.hour() - 1)], "it was seen then, whatever became of the issue");
    delete(&bench, "a");
    assert_eq!(bench.count("select count(*) from environments"), 0);
    add(&bench, now, &[("c", "both", 5)]);
    assert_eq!(bench.count("select count(*) from environments"), 1);
}

#[test]
fn environments_go_with_their_project() {
    let (bench, now) = (bench(), Timestamp::now());
    add(&bench, now, &[("a", "both", 3), ("b", "both", 1), ("b", "only", 2)]);
    assert_eq!(bench.count("select count(*) from environments"), 2);
    while bench.main.write_blocking(|tx| crate::projects::sql::delete_some(tx, PROJECT)).unwrap() {}
    bench.main.write_blocking(|tx| crate::projects::sql::delete(tx, PROJECT).map(drop)).unwrap();
    for table in ["environments", "facet_values", "issue_environment_hours"] {
        assert_eq!(bench.count(&format!("select count(*) from {table}")), 0, "{table}");
    }
}

/// Deletes the issue with a message.
fn delete(bench: &Bench, message: &str) {
    let id = IssueId(bench.count(&format!("select id from issues where message = '{message}'")));
    let delete_some = move |tx: &Transaction<'_>| crate::issues::sql::delete_some(tx, PROJECT, id);
    while bench.main.write_blocking(delete_some).unwrap() {}
    bench.main.write_blocking(move |tx| crate::issues::sql::delete(tx, PROJECT, id)).unwrap();
}

#[test]
fn an_environment_that_an_issue_does_not_accept_has_no_hours() {
    let (bench, now) = (bench(), Timestamp::now());
    let names: Vec<String> = (0..FACET_VALUES_MAX + 5).map(|number| format!("preview-{number:04}")).collect();
    let events: Vec<_> = names.iter().map(|name| ("a", name.as_str(), 0)).collect();
    add(&bench, now, &events);
    let count = |sql: &str| bench.count(sql);
    assert_eq!(count("select count(*) from issue_environment_hours"), FACET_VALUES_MAX);
    assert_eq!(count("select sum(count) from issue_hours"), FACET_VALUES_MAX + 5);
    let id = IssueId(count("select id from issues"));
    let tags = bench.main.readers.read_blocking(|c| crate::issues::sql::tags(c, id)).unwrap();
    let full: Vec<_> = tags.iter().map(|tag| (tag.key.as_str(), tag.unique, tag.is_full)).collect();
    assert_eq!(full, [("environment", FACET_VALUES_MAX, true)], "it says that there may be more");
}

#[test]
fn an_issue_that_accepts_no_more_values_says_so_of_each_tag() {
    let (bench, now) = (bench(), Timestamp::now());
    add(&bench, now, &[("a", "production", 0)]);
    let id = IssueId(bench.count("select id from issues"));
    let is_full = |values: i64| {
        let fill =
            move |tx: &Transaction<'_>| Ok(tx.execute("update issues set facet_count = ?1", [values])?);
        bench.main.write_blocking(fill).unwrap();
        let tags = bench.main.readers.read_blocking(|c| crate::issues::sql::tags(c, id)).unwrap();
        tags.iter().map(|tag| (tag.facet.clone(), tag.is_full)).collect::<Vec<_>>()
    };
    assert_eq!(is_full(FACETS_MAX - 1), [("environment".to_owned(), false)]);
    assert_eq!(is_full(FACETS_MAX), [("environment".to_owned(), true)]);
}

#[test]
fn hours_of_environments_are_deleted_with_their_issue() {
    let (bench, now) = (bench(), Timestamp::now());
    add(&bench, now, &[("a", "production", 0), ("b", "production", 0), ("b", "staging", 3)]);
    assert_eq!(bench.count("select sum(count) from issue_environment_hours"), 3);
    let id = IssueId(bench.count("select id from issues where message = 'b'"));
    let delete_some = move |tx: &Transaction<'_>| crate::issues::sql::delete_some(tx, PROJECT, id);
    while bench.main.write_blocking(delete_some).unwrap() {}
    assert_eq!(bench.count("select sum(count) from issue_environment_hours"), 1, "before the issue goes");
    bench.main.write_blocking(move |tx| crate::issues::sql::delete(tx, PROJECT, id)).unwrap();
    assert_eq!(bench.count("select count(*) from issues"), 1);
    while bench.main.write_blocking(|tx| crate::projects::sql::delete_some(tx, PROJECT)).unwrap() {}
    assert_eq!(bench.count("select count(*) from issue_environment_hours"), 0);
}

#[test]
fn hours_of_environments_that_no_list_reads_are_deleted() {
    let (bench, now) = (bench(), Timestamp::now());
    add(&bench, now, &[("a", "production", 0)]);
    let (issue, value) = (IssueId(1), bench.count("select value_id from issue_environment_hours"));
    let hours = [720, 719].map(|back| now.hour() - back);
    bench
        .main
        .write_blocking(move |tx| {
            hours.iter().try_for_each(|hour| add_to_environment_hour(tx, issue, value, *hour, 1))
        })
        .unwrap();
    assert_eq!(bench.count("select count(*) from issue_environment_hours"), 3);
    add(&bench, now, &[("a", "production", 0)]);
    assert_eq!(bench.count("select count(*) from issue_environment_hours"), 2);
}
