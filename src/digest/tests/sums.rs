//! What a batch adds to counters besides its issues: busy hours, releases, source maps.

use super::*;
use crate::ids::IssueId;
use crate::issues::sql::{self, Filter, Sort, list};
use crate::issues::{Change, Status};
use crate::store::Page;
use crate::time::{HOUR, MINUTE};

/// The age of an issue that is no longer young.
const HISTORY: i64 = 30 * HOUR;

fn digest(bench: &Bench) {
    let mut worker = bench.worker();
    while worker.step().unwrap() {}
}

/// Adds events so many milliseconds ago.
fn add(bench: &Bench, count: usize, ago: i64, release: Option<&str>) {
    let at = Timestamp::now().plus(-ago);
    for _ in 0..count {
        bench.add(&json!({"message": "x", "timestamp": at.to_string(), "release": release}));
    }
}

fn escalating(bench: &Bench) -> i64 {
    bench.count("select count(*) from issues where escalating_at is not null")
}

#[test]
fn events_of_past_hours_never_make_an_issue_escalate() {
    let bench = bench();
    // Quiet issues beside it: the limit of a young issue is 10 here.
    for quiet in ["a", "b", "c", "d", "e", "a", "b", "c", "d", "e"] {
        let at = Timestamp::now().plus(-3 * HOUR).to_string();
        bench.add(&json!({"message": quiet, "timestamp": at}));
    }
    for ago in 1..3 {
        add(&bench, 40, ago * HOUR, None);
    }
    digest(&bench);
    assert_eq!(escalating(&bench), 0);
    assert_eq!(bench.count("select event_count from issues where message = 'x'"), 80);
}

#[test]
fn the_event_that_reaches_the_limit_makes_it_escalate() {
    let bench = bench();
    add(&bench, 1, HISTORY, None);
    // Twice as many as needed, because an hour may begin in between.
    for step in 0..20 {
        add(&bench, 1, 0, None);
        digest(&bench);
        assert!(step >= 9 || escalating(&bench) == 0, "after {} events", step + 1);
    }
    assert_eq!(escalating(&bench), 1);
    assert_eq!(bench.count("select count(*) from activity where kind = 'escalating'"), 1);
    assert_eq!(bench.count("select data ->> 'limit' from activity where kind = 'escalating'"), 10);
}

#[test]
fn an_issue_that_regresses_in_a_batch_can_escalate_in_it() {
    let bench = bench();
    add(&bench, 1, HISTORY, None);
    digest(&bench);
    bench
        .main
        .write_blocking(|tx| Ok(tx.execute("update issues set status = 'resolved', resolved_at = 0", ())?))
        .unwrap();
    add(&bench, 40, 0, Some("2"));
    digest(&bench);
    assert_eq!(escalating(&bench), 1);
    assert_eq!(bench.count("select count(*) from activity where kind = 'regressed' and release = '2'"), 1);
    assert_eq!(bench.count("select count(*) from activity"), 2);
}

/// Asserts that the stored sums of releases equal those of the facets.
fn assert_counts(bench: &Bench) {
    let kept = "select version, event_count, issue_count, first_event_at, last_event_at
                from release_counts where event_count > 0";
    let summed = "select v.value, sum(f.count), count(*), min(f.first_seen), max(f.last_seen)
                  from facets k join issue_facets f on f.facet_id = k.id
                  join facet_values v on v.id = f.value_id where k.name = 'release' group by 1";
    for (one, other) in [(kept, summed), (summed, kept)] {
        let query = format!("select count(*) from ({one} except {other})");
        let differences: i64 =
            bench.main.readers.read_blocking(|c| Ok(c.query_row(&query, (), |row| row.get(0))?)).unwrap();
        assert_eq!(differences, 0, "{query}");
    }
}

#[test]
fn releases_count_the_same_as_their_facets() {
    let bench = bench();
    for (message, release, ago) in
        [("a", "1", 3), ("a", "1", 1), ("b", "1", 2), ("a", "2", 0), ("c", "2", 9), ("c", "1", 5)]
    {
        let at = Timestamp::now().plus(-ago * MINUTE);
        bench.add(&json!({"message": message, "release": release, "timestamp": at.to_string()}));
        if ago == 2 {
            digest(&bench);
        }
    }
    digest(&bench);
    assert_eq!(
        bench.count("select event_count * 10 + issue_count from release_counts where version = '1'"),
        43
    );
    assert_counts(&bench);
    // Without one of them.
    let id = IssueId(bench.count("select id from issues where message = 'b'"));
    bench.main.write_blocking(move |tx| crate::issues::sql::delete(tx, PROJECT, id)).unwrap();
    assert_eq!(
        bench.count("select event_count * 10 + issue_count from release_counts where version = '1'"),
        32
    );
    assert_eq!(bench.count("select count(*) from issues"), 2);
}

#[test]
fn a_release_that_an_issue_no_longer_accepts_is_not_counted() {
    let bench = bench();
    for release in 0..1_010 {
        bench.add(&json!({"message": "x", "release": format!("r{release}")}));
    }
    digest(&bench);
    assert_eq!(bench.count("select count(*) from release_counts"), crate::issues::FACET_VALUES_MAX);
    assert_counts(&bench);
}

#[test]
fn a_source_map_is_used_once_per_event_however_many_frames_it_resolves() {
    let bench = bench();
    let mut builder = sourcemap::SourceMapBuilder::new(None);
    builder.add(0, 0, 9, 2, Some("src/x.ts"), None, false);
    let mut map = Vec::new();
    builder.into_sourcemap().to_writer(&mut map).unwrap();
    upload(&bench, "1.0", "~/x.js", &map);
    upload(&bench, "1.0", "~/y.js", &map);
    let stack = "E: x\n    at a (https://x.example/x.js:1:1)\n    at b (https://x.example/x.js:1:5)";
    let at = Timestamp::now().plus(-MINUTE);
    for timestamp in [at, at.plus(-MINUTE)] {
        let exception = json!({"type": "E", "message": "x", "stack": stack});
        bench.add(&json!({"release": "1.0", "timestamp": timestamp.to_string(), "exception": exception}));
    }
    digest(&bench);
    assert_eq!(bench.count("select use_count from source_maps where url = '~/x.js'"), 2);
    assert_eq!(bench.count("select last_used_at from source_maps where url = '~/x.js'"), at.millis());
    assert_eq!(
        bench.count("select count(*) from source_maps where last_used_at is null and use_count = 0"),
        1
    );
}

/// Asserts that the stored sums of statuses equal the totals of the list.
fn assert_statuses(bench: &Bench) {
    for query in ["", "is:unresolved", "is:resolved", "status:ignored,resolved", "-is:resolved"] {
        let mut filter = Filter::of_project(PROJECT);
        filter.query(query, None).unwrap();
        let page = (Sort::LastSeen, Page { limit: 100, offset: 0 });
        let read = |c: &Connection| list(c, &Texts::default(), &filter, page, Timestamp::now());
        let (issues, total) = bench.main.readers.read_blocking(read).unwrap();
        assert_eq!(issues.len() as i64, total, "{query}");
    }
}

#[test]
fn issues_of_a_status_are_counted_through_every_change() {
    let bench = bench();
    let change = |status: Status, message: &str| {
        let id = IssueId(bench.count(&format!("select id from issues where message = '{message}'")));
        let change = Change { status: Some(status), ..Change::default() };
        let write = move |tx: &Transaction<'_>| sql::change(tx, PROJECT, id, &change, None, Timestamp::now());
        assert!(bench.main.write_blocking(write).unwrap());
        assert_statuses(&bench);
        id
    };
    assert_statuses(&bench);
    let messages = ["a", "b", "c", "d", "e"];
    messages.iter().for_each(|message| bench.add(&json!({"message": message})));
    digest(&bench);
    change(Status::Resolved, "a");
    change(Status::Resolved, "a");
    change(Status::Ignored, "b");
    change(Status::Resolved, "c");
    change(Status::Unresolved, "c");
    let gone = change(Status::Resolved, "d");
    assert_eq!(bench.count("select count from issue_counts where status = 'resolved'"), 2);
    // It is reopened by the new event.
    bench.add(&json!({"message": "a"}));
    digest(&bench);
    assert_eq!(bench.count("select count from issue_counts where status = 'unresolved'"), 3);
    assert_statuses(&bench);
    assert!(bench.main.write_blocking(move |tx| sql::delete(tx, PROJECT, gone)).unwrap());
    assert_statuses(&bench);
    assert_eq!(bench.count("select sum(count) from issue_counts"), 4);
}

#[test]
fn an_issue_that_is_ignored_for_good_stays_so_in_a_batch_that_reopens_another() {
    let bench = bench();
    ["a", "b"].iter().for_each(|message| bench.add(&json!({"message": message})));
    digest(&bench);
    for (message, ignore_events) in [("a", None), ("b", Some(2))] {
        let id = IssueId(bench.count(&format!("select id from issues where message = '{message}'")));
        let change = Change { status: Some(Status::Ignored), ignore_events, ..Change::default() };
        let write = move |tx: &Transaction<'_>| sql::change(tx, PROJECT, id, &change, None, Timestamp::now());
        assert!(bench.main.write_blocking(write).unwrap());
    }
    for message in ["a", "b", "a", "b", "a", "b", "a"] {
        bench.add(&json!({"message": message, "user": {"id": message}, "environment": "qa"}));
    }
    digest(&bench);
    let count = |wanted: &str| bench.count(&format!("select count(*) from issues where {wanted}"));
    assert_eq!(count("message = 'a' and status = 'ignored' and event_count = 5 and user_count = 1"), 1);
    assert_eq!(count("message = 'b' and status = 'unresolved' and event_count = 4 and user_count = 1"), 1);
    assert_eq!(bench.count("select sum(count) from issue_hours"), 9);
    assert_statuses(&bench);
}

#[test]
fn users_of_a_release_are_counted_once_and_forgotten_with_its_last_event() {
    let bench = bench();
    for (message, release, user) in
        [("a", "1", "u1"), ("a", "1", "u1"), ("b", "1", "u2"), ("a", "2", "u1"), ("b", "1", "u1")]
    {
        bench.add(&json!({"message": message, "release": release, "user": {"id": user}}));
        digest(&bench);
    }
    bench.add(&json!({"message": "a", "release": "1"}));
    digest(&bench);
    let of = |column: &str, version: &str| {
        bench.count(&format!(
            "select coalesce(sum({column}), 0) from release_counts where version = '{version}'"
        ))
    };
    assert_eq!((of("user_count", "1"), of("user_count", "2")), (2, 1));
    assert_eq!(bench.count("select sum(count) from release_hours where release_id = 1"), 5);
    let delete = |message: &str| {
        let id = IssueId(bench.count(&format!("select id from issues where message = '{message}'")));
        bench.main.write_blocking(move |tx| crate::issues::sql::delete(tx, PROJECT, id)).unwrap();
    };
    // The users of single issues are unknown.
    delete("a");
    assert_eq!((of("user_count", "1"), of("user_count", "2")), (2, 0));
    delete("b");
    assert_eq!(of("user_count", "1"), 0);
    for table in ["release_users", "release_hours"] {
        assert_eq!(bench.count(&format!("select count(*) from {table}")), 0, "{table}");
    }
    bench.add(&json!({"message": "a", "release": "1", "user": {"id": "u1"}}));
    digest(&bench);
    assert_eq!(of("user_count", "1"), 1);
}

#[test]
fn only_the_newest_unregistered_releases_are_counted() {
    let bench = bench();
    let send = |message: &str, release: &str, at: i64| {
        let at = Timestamp::now().plus(-MINUTE + at).to_string();
        bench.add(&json!({"message": message, "release": release, "timestamp": at}));
        digest(&bench);
    };
    send("a", "old", 1);
    send("a", "old", 2);
    send("b", "old", 3);
    send("a", "made", 4);
    send("a", "new", 5);
    let write = |act: fn(&crate::store::Transaction<'_>) -> crate::error::Result<()>| {
        bench.main.write_blocking(act).unwrap();
    };
    write(|tx| crate::releases::sql::create(tx, PROJECT, "made", "~/", Timestamp::now()).map(drop));
    write(|tx| crate::releases::sql::forget_seen(tx, PROJECT, 1, 100).map(drop));
    let events = |version: &str| {
        bench.count(&format!(
            "select coalesce(sum(event_count), 0) from release_counts where version = '{version}'"
        ))
    };
    assert_eq!(["old", "made", "new"].map(events), [0, 1, 1]);
    send("a", "old", 6);
    assert_eq!(events("old"), 4, "all of its events count again");
    write(|tx| crate::releases::sql::forget_seen(tx, PROJECT, 0, 100).map(drop));
    assert_eq!(["old", "made", "new"].map(events), [0, 1, 0]);
    write(|tx| crate::releases::sql::create(tx, PROJECT, "old", "~/", Timestamp::now()).map(drop));
    assert_eq!(events("old"), 4, "those of before it was created, too");
}

#[test]
fn what_unregistered_releases_have_goes_piece_by_piece_before_they_do() {
    let (bench, now) = (bench(), Timestamp::now());
    for (release, user, ago) in
        [("old", "u1", 2), ("old", "u2", 2), ("old", "u3", 2), ("new", "u1", 1), ("new", "u2", 1)]
    {
        let at = now.plus(-ago * MINUTE).to_string();
        bench.add(&json!({"message": "a", "release": release, "environment": "qa", "user": {"id": user},
            "timestamp": at}));
    }
    digest(&bench);
    let tables = [
        "release_users",
        "release_hours",
        "release_environment_users",
        "release_environment_hours",
        "release_environment_issues",
    ];
    let rows =
        || tables.iter().map(|table| bench.count(&format!("select count(*) from {table}"))).sum::<i64>();
    let forget = || {
        let write = |tx: &crate::store::Transaction<'_>| crate::releases::sql::forget_seen(tx, PROJECT, 1, 4);
        bench.main.write_blocking(write).unwrap()
    };
    let mut left = vec![rows()];
    while forget() {
        left.push(rows());
    }
    left.push(rows());
    assert_eq!(left, [16, 12, 8, 7], "at most four at once");
    assert_eq!(bench.count("select count(*) from release_counts where version = 'new'"), 1);
    assert_eq!(bench.count("select count(*) from release_counts"), 1);
    assert_eq!(bench.count("select sum(event_count) from release_environments"), 2);
    assert!(!forget(), "nothing is left");
}

#[test]
fn the_users_of_an_old_release_are_forgotten_but_their_number_stays() {
    let bench = bench();
    for (release, user) in [("old", "u1"), ("old", "u2"), ("new", "u1")] {
        bench.add(&json!({"message": "a", "release": release, "user": {"id": user}}));
    }
    digest(&bench);
    bench
        .main
        .write_blocking(|tx| {
            Ok(tx.execute("update release_counts set last_event_at = 7 where version = 'old'", ())?)
        })
        .unwrap();
    let forget = |at: i64| {
        let until = Timestamp::from_millis(at);
        bench.main.write_blocking(move |tx| crate::releases::sql::forget_users(tx, until, 1)).unwrap()
    };
    assert!(!forget(7));
    assert!(forget(8) && forget(8) && forget(8) && !forget(8), "one by one, and nothing is left");
    assert_eq!(bench.count("select count(*) from release_users"), 1);
    assert_eq!(bench.count("select user_count from release_counts where version = 'old'"), 2);
}
