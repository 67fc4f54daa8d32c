//! Sixty searches that take long, of issues and of logs: whoever signs in meanwhile does not wait for them.

use crate::instance::Instance;
use crate::logs::stream::now;
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::{EMAIL, PASSWORD, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Searches at once.
const SEARCHES: usize = 60;
/// Answers after which all searches are under way.
const UNDER_WAY: usize = 4;
/// One after the other: one may find a connection in time although searches take every one, but not all of them.
const SIGN_INS: usize = 20;

/// Log entries that are searched.
const ENTRIES: usize = 5_000;
const ENTRIES_AT_ONCE: usize = 100;

/// What is searched for, below `/api/v1/projects/{id}/`.
const ISSUES: &str = "issues?query=one%20-another";
/// Each word is in every entry, and each page is far down.
const LOGS: &str = "logs?search=payment%20dec*%20-never&offset=4000&limit=500";

/// Stores log entries, and waits until they are found.
fn fill_logs(instance: &Instance) -> Result<(), String> {
    let (world, target) = (&instance.world, &instance.targets[0]);
    for batch in 0..ENTRIES / ENTRIES_AT_ONCE {
        let entry = |nth: usize| {
            let message = format!("payment {batch} {nth} failed: card declined");
            json!({"timestamp": now(), "level": "info", "message": message})
        };
        let entries: Vec<_> = (0..ENTRIES_AT_ONCE).map(entry).collect();
        let sent = world
            .anonymous()
            .post("/api/v1/logs/batch")
            .json(&json!({"api_key": target.key, "logs": entries}));
        sent.send().expect(202);
    }
    let path = format!("/api/v1/projects/{}/logs?search=card&limit=1", target.id);
    within(patience(Duration::from_mins(1)), "all entries to be found", || {
        let found = world.owner.get(&path).send();
        (found.status() == 200 && found.value()["total"] == ENTRIES).then_some(())
    })
}

/// With `slow_searches` in `switches`, each search takes four seconds, however fast the machine is.
fn searches(switches: &'static str, what: &str) -> Outcome {
    let instance = Instance::start_with(&sabotage(switches));
    let world = &instance.world;
    if what == LOGS && switches.is_empty() {
        fill_logs(&instance)?;
    }
    let path = format!("/api/v1/projects/{}/{what}", instance.targets[0].id);
    let (stop, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let search = || {
        while !stop.load(Ordering::Relaxed) {
            // Those that wait too long for their turn are told so.
            let status = world.owner.get(&path).try_send().map_or(0, |answer| answer.status());
            answered.fetch_add(usize::from(matches!(status, 200 | 503)), Ordering::Relaxed);
        }
    };
    let sign_ins = || {
        for _ in 0..SIGN_INS {
            let answer = world.sign_in(EMAIL, PASSWORD);
            ensure(answer.status() == 200, || format!("a sign-in waited for searches: {answer:?}"))?;
        }
        Ok::<(), String>(())
    };
    std::thread::scope(|scope| {
        (0..SEARCHES).for_each(|_| drop(scope.spawn(search)));
        let begun = || (answered.load(Ordering::Relaxed) >= UNDER_WAY).then_some(());
        let outcome = within(patience(Duration::from_secs(30)), "searches to be answered", begun);
        let outcome = outcome.and_then(|()| sign_ins());
        stop.store(true, Ordering::Relaxed);
        outcome
    })?;
    let answered = answered.into_inner();
    Ok(Report::default().with("signed in", SIGN_INS).with("searches answered", answered))
}

#[test]
fn sixty_slow_searches_do_not_hold_up_a_sign_in() {
    kept(searches("slow_searches", ISSUES));
}

#[test]
fn sixty_slow_searches_of_logs_do_not_hold_up_a_sign_in() {
    kept(searches("slow_searches", LOGS));
}

/// As fast as they are, one after the other.
#[test]
fn sixty_searches_of_real_logs_do_not_hold_up_a_sign_in() {
    kept(searches("", LOGS));
}

#[test]
fn searches_that_take_every_connection_are_noticed() {
    broken(searches("slow_searches,lists_take_every_connection", ISSUES), "a sign-in waited for searches");
}
