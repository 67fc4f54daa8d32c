//! What releases have in environments, as the digest counts it.

use super::*;
use crate::ids::IssueId;
use crate::releases::compare::sql::compare;
use crate::releases::sql::{ReleaseFilter, environments, get_health, last, list};
use crate::releases::{ENVIRONMENTS_MAX, ReleaseHealth};
use crate::store::{Page, Transaction};
use crate::time::{DAY, HOUR};

const TABLES: [&str; 4] = [
    "release_environments",
    "release_environment_issues",
    "release_environment_users",
    "release_environment_hours",
];

fn digest(bench: &Bench) {
    let mut worker = bench.worker();
    while worker.step().unwrap() {}
}

/// Adds an event of so many hours ago.
fn send(
    bench: &Bench,
    (message, release): (&str, &str),
    (environment, user): (&str, &str),
    (now, hours): (Timestamp, i64),
) {
    let time = now.plus(-hours * HOUR).to_string();
    let user = json!({"id": user});
    bench.add(&json!({"message": message, "release": release, "environment": environment, "user": user, "timestamp": time}));
}

fn listed(bench: &Bench, environment: &str, hours: Option<(i64, i64)>) -> Vec<ReleaseHealth> {
    let environment = Some(environment.to_owned());
    let filter = ReleaseFilter { environment, hours, ..ReleaseFilter::default() };
    let page = Page { limit: 100, offset: 0 };
    let read = bench.main.readers.read_blocking(|c| list(c, PROJECT, &filter, page));
    let (mut found, total) = read.unwrap();
    assert_eq!(found.len() as i64, total);
    found.sort_by(|one, other| one.version.cmp(&other.version));
    found
}

/// Version, events, issues, users, and events within the hours.
type Listed = (String, i64, i64, i64, Option<i64>);

fn rows(bench: &Bench, environment: &str, hours: Option<(i64, i64)>) -> Vec<Listed> {
    let row = |one: ReleaseHealth| {
        let counts = (one.figures.event_count, one.figures.issue_count, one.figures.user_count);
        (one.version, counts.0, counts.1, counts.2, one.events_within)
    };
    listed(bench, environment, hours).into_iter().map(row).collect()
}

fn row(version: &str, (events, issues, users): (i64, i64, i64), within: Option<i64>) -> Listed {
    (version.to_owned(), events, issues, users, within)
}

/// Two issues in two releases and two environments, in two batches.
fn fill(bench: &Bench, now: Timestamp) {
    send(bench, ("a", "1"), ("production", "u1"), (now, 50));
    send(bench, ("a", "1"), ("production", "u2"), (now, 0));
    send(bench, ("b", "1"), ("production", "u1"), (now, 0));
    send(bench, ("a", "1"), ("staging", "u1"), (now, 0));
    send(bench, ("a", "2"), ("staging", "u3"), (now, 30));
    digest(bench);
    send(bench, ("b", "1"), ("production", "u1"), (now, 0));
    digest(bench);
}

#[test]
fn a_release_counts_its_events_issues_and_users_in_an_environment() {
    let (bench, now) = (bench(), Timestamp::now());
    fill(&bench, now);
    assert_eq!(rows(&bench, "production", None), [row("1", (4, 2, 2), None)]);
    assert_eq!(rows(&bench, "staging", None), [row("1", (1, 1, 1), None), row("2", (1, 1, 1), None)]);
    assert!(rows(&bench, "qa", None).is_empty());
    let day = Some((now.hour() - 23, now.hour()));
    assert_eq!(rows(&bench, "production", day), [row("1", (4, 2, 2), Some(3))]);
    assert_eq!(rows(&bench, "staging", day), [row("1", (1, 1, 1), Some(1))]);
    let figures = &listed(&bench, "production", None)[0].figures;
    let times = [figures.first_event_at, figures.last_event_at].map(|at| at.map(Timestamp::millis));
    assert_eq!(times, [Some(now.millis() - 50 * HOUR), Some(now.millis())]);
}

#[test]
fn deleting_an_issue_removes_its_environment_counts() {
    let (bench, now) = (bench(), Timestamp::now());
    fill(&bench, now);
    let id = IssueId(bench.count("select id from issues where message = 'a'"));
    let delete_some = move |tx: &Transaction<'_>| crate::issues::sql::delete_some(tx, PROJECT, id);
    while bench.main.write_blocking(delete_some).unwrap() {}
    bench.main.write_blocking(move |tx| crate::issues::sql::delete(tx, PROJECT, id)).unwrap();
    // Whose events they were is not known by issue.
    assert_eq!(rows(&bench, "production", None), [row("1", (2, 1, 2), None)]);
    assert!(rows(&bench, "staging", None).is_empty());
    let id = IssueId(bench.count("select id from issues where message = 'b'"));
    bench.main.write_blocking(move |tx| crate::issues::sql::delete(tx, PROJECT, id)).unwrap();
    for table in TABLES {
        assert_eq!(bench.count(&format!("select count(*) from {table}")), 0, "{table}");
    }
}

#[test]
fn users_and_hours_of_an_environments_last_issue_go_piece_by_piece() {
    let (bench, now) = (bench(), Timestamp::now());
    fill(&bench, now);
    for user in ["u4", "u5", "u6"] {
        send(&bench, ("b", "1"), ("qa", user), (now, 0));
    }
    digest(&bench);
    let id = IssueId(bench.count("select id from issues where message = 'b'"));
    let forget = move |tx: &Transaction<'_>| environments::forget_issue(tx, PROJECT, id, 2);
    let users = "select count(*) from release_environment_users u
        join release_environments e on e.id = u.environment_id where e.environment = 'qa'";
    let mut left = vec![bench.count(users)];
    while bench.main.write_blocking(forget).unwrap() {
        left.push(bench.count(users));
    }
    left.dedup();
    assert_eq!(left, [3, 1, 0], "at most two at once");
    // Of environments with another issue, they are not known by issue, and stay.
    assert_eq!(rows(&bench, "production", None), [row("1", (2, 1, 2), None)]);
    assert!(rows(&bench, "qa", None).is_empty());
}

#[test]
fn users_and_hours_of_a_releases_last_issue_go_piece_by_piece() {
    let (bench, now) = (bench(), Timestamp::now());
    for (message, release, user) in
        [("a", "1", "u1"), ("a", "1", "u2"), ("a", "1", "u3"), ("a", "2", "u1"), ("b", "2", "u2")]
    {
        send(&bench, (message, release), ("qa", user), (now, 0));
    }
    digest(&bench);
    let id = IssueId(bench.count("select id from issues where message = 'a'"));
    let forget = move |tx: &Transaction<'_>| last::forget_issue(tx, PROJECT, id, 2);
    let of = |column: &str, release: &str| {
        bench.count(&format!("select {column} from release_counts where version = '{release}'"))
    };
    let kept = "(select count(*) from release_users where release_id = id)
        + (select count(*) from release_hours where release_id = id)";
    let mut left = vec![of(kept, "1")];
    while bench.main.write_blocking(forget).unwrap() {
        left.push(of(kept, "1"));
    }
    assert_eq!(left, [4, 2, 0], "at most two at once");
    assert_eq!((of("user_count", "1"), of("event_count", "1")), (0, 3));
    // The other release has another issue, too.
    assert_eq!((of("user_count", "2"), of(kept, "2")), (2, 3));
    // Should that happen in the first one meanwhile, its users count again.
    send(&bench, ("b", "1"), ("qa", "u1"), (now, 0));
    digest(&bench);
    assert!(!bench.main.write_blocking(forget).unwrap(), "it is no longer the last");
    assert_eq!((of("user_count", "1"), of(kept, "1")), (1, 2));
}

#[test]
fn environments_of_releases_go_with_their_project() {
    let bench = bench();
    fill(&bench, Timestamp::now());
    while bench.main.write_blocking(|tx| crate::projects::sql::delete_some(tx, PROJECT)).unwrap() {}
    for table in ["release_environment_issues", "release_environment_users", "release_environment_hours"] {
        assert_eq!(bench.count(&format!("select count(*) from {table}")), 0, "{table}");
    }
}

#[test]
fn a_release_has_a_limited_number_of_environments_and_of_hours() {
    let (bench, now) = (bench(), Timestamp::now());
    for number in 0..ENVIRONMENTS_MAX + 5 {
        send(&bench, ("a", "1"), (&format!("preview-{number:03}"), "u"), (now, 0));
    }
    digest(&bench);
    assert_eq!(bench.count("select count(*) from release_environments"), ENVIRONMENTS_MAX);
    assert_eq!(bench.count("select event_count from release_counts"), ENVIRONMENTS_MAX + 5);
    let hours = "select count(*) from release_environment_hours";
    let old = "update release_environment_hours set hour = hour - 720";
    bench.main.write_blocking(move |tx| Ok(tx.execute(old, ())?)).unwrap();
    send(&bench, ("a", "1"), ("preview-000", "u"), (now, 0));
    digest(&bench);
    assert_eq!(bench.count(hours), ENVIRONMENTS_MAX, "one went and one came");
}

#[test]
fn a_comparison_in_an_environment_says_when_its_hours_are_gone() {
    let (bench, now) = (bench(), Timestamp::now());
    send(&bench, ("a", "1"), ("qa", "u"), (now, 2));
    send(&bench, ("a", "1"), ("qa", "u"), (now, 0));
    digest(&bench);
    let compared = |environment: Option<&'static str>| {
        let read = bench.main.readers.read_blocking(|c| {
            let release = get_health(c, PROJECT, "1", environment)?.unwrap();
            compare(c, environment, release, None, now)
        });
        let release = read.unwrap().release;
        (release.compared_events, release.events_per_hour.is_some())
    };
    assert_eq!(compared(Some("qa")), (Some(2), true));
    assert_eq!(compared(Some("none")), (Some(0), true));
    // As if it had come out long before its last event.
    for table in ["release_counts", "release_environments"] {
        let begin = format!("update {table} set first_event_at = first_event_at - {}", 40 * DAY);
        bench.main.write_blocking(move |tx| Ok(tx.execute(&begin, ())?)).unwrap();
    }
    assert_eq!(compared(Some("qa")), (None, false));
    assert_eq!(compared(None), (Some(0), true), "without an environment, all hours are kept");
}

#[test]
fn a_base_whose_events_all_come_after_the_compared_hours_has_none_in_them() {
    let (bench, now) = (bench(), Timestamp::now());
    for release in ["1", "2"] {
        send(&bench, ("a", release), ("qa", "u"), (now, 0));
    }
    digest(&bench);
    // As if that had been long before.
    let begin = |release: &str, days: i64| {
        let first = format!(
            "update release_environments set first_event_at = first_event_at - {}
             where release_id = (select id from release_counts where version = '{release}')",
            days * DAY
        );
        bench.main.write_blocking(move |tx| Ok(tx.execute(&first, ())?)).unwrap();
    };
    let compared = || {
        let read = bench.main.readers.read_blocking(|c| {
            let [release, base] = ["2", "1"].map(|version| get_health(c, PROJECT, version, Some("qa")));
            compare(c, Some("qa"), release?.unwrap(), base?, now)
        });
        let found = read.unwrap();
        (found.release.compared_events, found.base.unwrap().compared_events)
    };
    begin("2", 60);
    begin("1", 40);
    assert_eq!(compared(), (None, Some(0)), "the base came out later");
    begin("1", 40);
    assert_eq!(compared(), (None, None), "it came out before, and its hours are gone");
}

#[test]
fn who_the_users_were_in_an_environment_is_forgotten_and_how_many_stays() {
    let (bench, now) = (bench(), Timestamp::now());
    fill(&bench, now);
    let until = now.plus(DAY);
    let forget = move |tx: &Transaction<'_>| crate::releases::sql::forget_users(tx, until, 1);
    while bench.main.write_blocking(forget).unwrap() {}
    assert_eq!(bench.count("select count(*) from release_environment_users"), 0);
    assert_eq!(rows(&bench, "production", None), [row("1", (4, 2, 2), None)]);
}
