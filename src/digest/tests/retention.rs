//! Counting what is stored, and removing the oldest.

use super::*;
use crate::events;
use crate::retention::RetentionLimits;
use crate::time::DAY;
use crate::usage::DataAmount;

/// Days since the epoch.
const FIRST: i64 = 20_000;

fn now() -> Timestamp {
    Timestamp::from_millis((FIRST + 10) * DAY + 1)
}

fn limits(days: Option<u64>, count: Option<u64>) -> RetentionLimits {
    RetentionLimits { days, count, megabytes: None }
}

fn total(bench: &Bench) -> DataAmount {
    bench.main.readers.read_blocking(|c| events::sql::DAYS.total(c, PROJECT)).unwrap()
}

/// What is stored, counted row by row.
fn counted(bench: &Bench) -> DataAmount {
    let bytes = bench.count("select coalesce(sum(length(payload)), 0) from events");
    DataAmount { count: bench.count("select count(*) from events"), bytes }
}

/// Adds an event as if it had been received at that time, and digests it.
fn receive(bench: &Bench, at: Timestamp, event: &Value) {
    let body = event.to_string();
    let accepted = decode::event(decode::parse(body.as_bytes()).unwrap(), None, at).unwrap();
    bench.store(Row::new(&bench.main.packer, PROJECT, &accepted).unwrap());
    let mut worker = bench.worker();
    while worker.step().unwrap() {}
}

/// An event on each of ten days; the first five are thrown elsewhere.
fn ten_days() -> Bench {
    let bench = bench();
    for day in 0..10 {
        let place = if day < 5 { "old" } else { "new" };
        let stack = format!("E: x\n    at {place} (https://a.example/{place}.js:1:1)");
        let event =
            json!({"fingerprint": ["one"], "exception": {"type": "E", "message": "x", "stack": stack}});
        receive(&bench, Timestamp::from_millis((FIRST + day) * DAY), &event);
    }
    bench
}

/// Removes a few at a time until nothing is left to remove.
fn remove(bench: &Bench, limits: RetentionLimits) -> i64 {
    let mut all = 0;
    loop {
        let piece = move |tx: &Transaction<'_>| events::sql::oldest::remove(tx, PROJECT, &limits, now(), 2);
        let removed = bench.main.write_blocking(piece).unwrap();
        all += removed.count;
        assert_eq!(total(bench), counted(bench));
        if removed.count == 0 {
            return all;
        }
    }
}

#[test]
fn what_is_stored_is_counted_and_the_oldest_days_are_removed() {
    let bench = ten_days();
    assert_eq!(total(&bench), counted(&bench));
    assert_eq!(total(&bench).count, 10);
    assert_eq!(remove(&bench, limits(None, None)), 0);
    assert_eq!(remove(&bench, limits(Some(7), None)), 3);
    assert_eq!(bench.count("select count(*) from stacks"), 2);
    // Only the newer stack is still used.
    assert_eq!(remove(&bench, limits(None, Some(5))), 2);
    assert_eq!(bench.count("select count(*) from stacks"), 1);
    assert_eq!(remove(&bench, limits(None, Some(0))), 5);
    assert_eq!(total(&bench), DataAmount::default());
    assert_eq!(bench.count("select count(*) from stacks"), 0);
    // The issue stays as it was.
    assert_eq!(bench.count("select event_count from issues"), 10);
    assert_eq!(bench.count("select count(*) from issue_hours"), 10);
}

#[test]
fn deleting_an_issue_takes_its_events_out_of_the_count() {
    let bench = ten_days();
    bench.main.write_blocking(|tx| Ok(tx.execute("delete from issues", ()).map(drop)?)).unwrap();
    assert_eq!((total(&bench), counted(&bench)), (DataAmount::default(), DataAmount::default()));
}

#[test]
fn an_event_that_was_sent_twice_is_counted_once() {
    let bench = bench();
    for _ in 0..3 {
        receive(&bench, now(), &json!({"event_id": "a", "message": "x"}));
    }
    assert_eq!(total(&bench), counted(&bench));
    assert_eq!(total(&bench).count, 1);
}
