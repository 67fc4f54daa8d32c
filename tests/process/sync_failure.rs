//! Failing syncs: the disk is broken, and its content is unknown.

use crate::instance::Instance;
use crate::journal::{Journal, Load};
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, skipped, within};
use crate::strace::{SYNCS, Strace, missing};
use crate::support::World;
use std::time::{Duration, Instant};

/// From the first failure to the end of the process.
const ENDED: Duration = Duration::from_secs(1);
/// How long a server is watched that keeps running.
const GOES_ON: Duration = Duration::from_secs(4);

/// Lets every sync of the disk fail under load, some times over.
fn failures(times: usize, limit: Duration, environment: &[(&str, &str)]) -> Outcome {
    let mut instance = Instance::start_with(environment);
    let journal = Journal::default();
    let (mut streaming, mut longest) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..times {
        let mut outcome = Ok(Duration::ZERO);
        let before = journal.acknowledged();
        streaming +=
            journal.stream(&instance, Load::MIXED, || outcome = fail(&instance, &journal, before, limit));
        longest = longest.max(outcome?);
        (instance, _) = instance.after(World::kill_and_restart);
    }
    let rate = journal.check_rate(streaming)?;
    let found = journal.check(&instance)?;
    let refused = journal.told_to_come_again();
    ensure(refused > 0, || "no request in flight was told to come again".to_owned())?;
    let report = Report::default().with("failures", times).with("rate", rate).with("found", found);
    Ok(report.with("told to come again", refused).with("longest ms", longest.as_millis()))
}

/// How long the server took to end.
fn fail(instance: &Instance, journal: &Journal, before: usize, limit: Duration) -> Result<Duration, String> {
    let server = &instance.world.server;
    within(patience(Duration::from_secs(20)), "acknowledgements", || {
        (journal.acknowledged() > before + 50).then_some(())
    })?;
    let _strace = Strace::attach(server, SYNCS, "error=EIO")?;
    let start = Instant::now();
    within(limit, "the process to end after a failed sync", || server.has_ended().then_some(()))?;
    let (took, status) = (start.elapsed(), server.wait());
    ensure(!status.success(), || format!("ended with {status}, as if all were well"))?;
    Ok(took)
}

#[test]
fn a_failed_sync_ends_the_process_and_loses_nothing() {
    match missing() {
        Some(why) => skipped(why),
        None => kept(failures(if is_soak() { 20 } else { 2 }, patience(ENDED), &[])),
    }
}

#[test]
fn going_on_after_a_failed_sync_is_noticed() {
    match missing() {
        Some(why) => skipped(why),
        None => broken(
            failures(1, GOES_ON, &[("MAYDAY_SABOTAGE", "retry_after_failed_sync")]),
            "in vain for the process to end",
        ),
    }
}
