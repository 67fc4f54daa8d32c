//! Issues of the rule before keep their events.

use super::*;

const CHROME: &str = "TypeError: no\n    at Cart.total (https://shop.example/app.js:1:2)";
const SAFARI: &str = "total@https://shop.example/app.js:1:2";

fn thrown(id: &str, stack: &str) -> Value {
    json!({"event_id": id, "exception": {"type": "TypeError", "message": "no", "stack": stack}})
}

/// Turns the issues that there are into ones of the rule before, as a server of that time made them.
fn age(bench: &Bench, id: &'static str) {
    let mut worker = bench.worker();
    let pending = bench.intake.after(0, 10, 1 << 20).unwrap();
    let pending = pending.into_iter().find(|pending| pending.event_id == id).unwrap();
    let prepared = Prepared::new(&worker.reader, &bench.main.packer, &mut worker.resolver, &pending).unwrap();
    let (former, newest) = (prepared.former_fingerprint(), prepared.fingerprint);
    assert_ne!(former, newest, "the rules differ here");
    worker.step().unwrap();
    bench
        .main
        .write_blocking(move |tx| {
            let query = "update issues set fingerprint = ?1, fingerprint_version = 1 where fingerprint = ?2";
            assert_eq!(tx.execute(query, (former, newest))?, 1);
            Ok(())
        })
        .unwrap();
}

#[test]
fn an_issue_of_the_rule_before_keeps_its_events() {
    let bench = bench();
    bench.add(&thrown("a", CHROME));
    age(&bench, "a");
    bench.add(&thrown("b", CHROME));
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues"), 1);
    assert_eq!(bench.count("select event_count from issues"), 2);
}

#[test]
fn it_keeps_them_though_an_issue_of_the_newest_rule_came_between() {
    let bench = bench();
    bench.add(&thrown("a", CHROME));
    age(&bench, "a");
    // One with the first by the newest rule, and another one by the rule before.
    bench.add(&thrown("b", SAFARI));
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues"), 2);
    for id in ["c", "d"] {
        bench.add(&thrown(id, CHROME));
    }
    bench.add(&thrown("e", SAFARI));
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select event_count from issues where fingerprint_version = 1"), 3);
    assert_eq!(bench.count("select event_count from issues where fingerprint_version = 2"), 2);
}

#[test]
fn without_issues_of_the_rule_before_engines_are_one_issue() {
    let bench = bench();
    for (id, stack) in [("a", CHROME), ("b", SAFARI)] {
        bench.add(&thrown(id, stack));
    }
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues where fingerprint_version = 2"), 1);
}
