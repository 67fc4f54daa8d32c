//! Sixty searches that take long: whoever signs in meanwhile does not wait for them.

use crate::instance::Instance;
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::{EMAIL, PASSWORD};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Searches at once.
const SEARCHES: usize = 60;
/// Answers after which all searches are under way.
const UNDER_WAY: usize = 4;
/// One after the other: one may find a connection in time although searches take every one, but not all of them.
const SIGN_INS: usize = 20;

/// `switches` has `slow_searches`, with which each search takes four seconds, however fast the machine is.
fn searches(switches: &'static str) -> Outcome {
    let instance = Instance::start_with(&sabotage(switches));
    let world = &instance.world;
    let path = format!("/api/v1/projects/{}/issues?query=one%20-another", instance.targets[0].id);
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
    kept(searches("slow_searches"));
}

#[test]
fn searches_that_take_every_connection_are_noticed() {
    broken(searches("slow_searches,lists_take_every_connection"), "a sign-in waited for searches");
}
