//! Issues grouped by the former rule keep their events.

use super::*;
use crate::digest::prepare::PreparedEvent;
use crate::grouping::FINGERPRINT_VERSION;
use crate::ids::IssueId;
use crate::issues::sql::{self, fingerprints};

const CHROME: &str = "TypeError: no\n    at Cart.total (https://shop.example/app.js:1:2)";
const SAFARI: &str = "total@https://shop.example/app.js:1:2";

fn thrown(id: &str, stack: &str) -> Value {
    json!({"event_id": id, "exception": {"type": "TypeError", "message": "no", "stack": stack}})
}

/// The result of preparing an accepted event.
fn prepared(bench: &Bench, id: &str) -> PreparedEvent {
    let mut worker = bench.worker();
    let pending = bench.intake.after(0, 10, 1 << 20).unwrap();
    let pending = pending.into_iter().find(|pending| pending.event_id == id).unwrap();
    PreparedEvent::new(&worker.reader, &bench.main.packer, &mut worker.resolver, &pending).unwrap()
}

/// The number of events of the only issue that has fingerprints by this version of the rule alone.
fn events_of(bench: &Bench, version: u16) -> i64 {
    bench.count(&format!(
        "select event_count from issues i where not exists (
             select 1 from issue_fingerprints where issue_id = i.id and version <> {version})"
    ))
}

/// Turns the existing issues into ones grouped by the former rule, as an older server made them.
fn age(bench: &Bench, id: &str) {
    let prepared = prepared(bench, id);
    let (former, newest) = (prepared.former_fingerprint(), prepared.fingerprint);
    assert_ne!(former, newest, "the rules differ here");
    bench.worker().step().unwrap();
    bench
        .main
        .write_blocking(move |tx| {
            let query = "update issue_fingerprints set fingerprint = ?1, version = 1 where fingerprint = ?2";
            assert_eq!(tx.execute(query, (former, newest))?, 1);
            Ok(())
        })
        .unwrap();
}

#[test]
fn an_issue_of_the_former_rule_keeps_its_events() {
    let bench = bench();
    bench.add(&thrown("a", CHROME));
    age(&bench, "a");
    bench.add(&thrown("b", CHROME));
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues"), 1);
    assert_eq!(bench.count("select event_count from issues"), 2);
}

#[test]
fn it_gets_the_fingerprint_by_the_newest_rule_as_well() {
    let bench = bench();
    bench.add(&thrown("a", CHROME));
    age(&bench, "a");
    bench.add(&thrown("b", CHROME));
    bench.worker().step().unwrap();
    let newest = prepared(&bench, "b").fingerprint;
    let versions =
        "select group_concat(version) = '1,2' and count(distinct issue_id) = 1 from issue_fingerprints";
    assert_eq!(bench.count(versions), 1);
    // The former rule is no longer needed.
    let delete = "delete from issue_fingerprints where version = 1";
    bench.main.write_blocking(move |tx| Ok(tx.execute(delete, ())?)).unwrap();
    bench.add(&thrown("c", CHROME));
    bench.worker().step().unwrap();
    assert_eq!(prepared(&bench, "c").fingerprint, newest);
    assert_eq!(bench.count("select event_count from issues"), 3);
}

#[test]
fn many_fingerprints_lead_to_one_issue_and_are_deleted_with_it() {
    let bench = bench();
    for id in ["a", "b"] {
        bench.add(&json!({"event_id": id, "fingerprint": [id], "message": "x"}));
    }
    let other = prepared(&bench, "b").fingerprint;
    let make = move |tx: &Transaction<'_>| {
        let now = Timestamp::now();
        let step =
            "insert into issues (id, project_id, number, title, culprit, type, message, level, first_seen,
            last_seen, created_at, updated_at) values (7, 1, 9, '', '', '', '', 'error', 0, 0, 0, 0)";
        tx.execute(step, ())?;
        for version in [FINGERPRINT_VERSION, FINGERPRINT_VERSION + 1] {
            fingerprints::add(tx, IssueId(7), (PROJECT, version, other), now)?;
        }
        Ok(())
    };
    bench.main.write_blocking(make).unwrap();
    let first = prepared(&bench, "a").fingerprint;
    let join = move |tx: &Transaction<'_>| {
        fingerprints::add(tx, IssueId(7), (PROJECT, FINGERPRINT_VERSION, first), Timestamp::now())
    };
    bench.main.write_blocking(join).unwrap();
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select event_count from issues"), 2, "both, and no other issue was made");
    assert_eq!(bench.count("select count(*) from issue_fingerprints where issue_id = 7"), 3);
    // A fingerprint that refers to an existing issue stays.
    bench
        .main
        .write_blocking(move |tx| {
            let key = (PROJECT, FINGERPRINT_VERSION, first);
            fingerprints::add(tx, IssueId(8), key, Timestamp::now())
        })
        .unwrap();
    assert_eq!(bench.count("select count(*) from issue_fingerprints where issue_id = 7"), 3);
    bench.main.write_blocking(|tx| sql::delete(tx, PROJECT, IssueId(7)).map(drop)).unwrap();
    assert_eq!(bench.count("select count(*) from issue_fingerprints"), 0);
    bench.add(&json!({"event_id": "c", "fingerprint": ["a"], "message": "x"}));
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select event_count from issues where id > 7"), 1, "it begins anew");
}

#[test]
fn it_keeps_them_even_if_the_newest_rule_created_an_issue_meanwhile() {
    let bench = bench();
    bench.add(&thrown("a", CHROME));
    age(&bench, "a");
    // The same issue as the first by the newest rule, but a different one by the former rule.
    bench.add(&thrown("b", SAFARI));
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues"), 2);
    for id in ["c", "d"] {
        bench.add(&thrown(id, CHROME));
    }
    bench.add(&thrown("e", SAFARI));
    bench.worker().step().unwrap();
    assert_eq!((events_of(&bench, 1), events_of(&bench, 2)), (3, 2));
}

#[test]
fn without_issues_of_the_former_rule_browsers_share_an_issue() {
    let bench = bench();
    for (id, stack) in [("a", CHROME), ("b", SAFARI)] {
        bench.add(&thrown(id, stack));
    }
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues"), 1);
    assert_eq!(bench.count("select count(*) from issue_fingerprints where version = 2"), 1);
}
