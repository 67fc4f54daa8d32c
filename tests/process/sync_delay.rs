//! A disk with slow syncs: many requests must share one.

use crate::instance::{Instance, METRICS};
use crate::journal::{Journal, Load};
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, skipped};
use crate::strace::{SYNCS, Strace, missing};
use std::time::Duration;

const EVENTS_PER_SECOND: f64 = 1_000.0;
/// The events of five requests: however slow the machine is, as many wait during each sync.
const EVENTS_A_SYNC: f64 = 5.0 * BATCH as f64;
const BATCH: usize = 20;
const P99: Duration = Duration::from_secs(1);
/// The fault of the calls: 50 ms, in µs.
const DELAY: &str = "delay_exit=50000";

fn slow(seconds: u64, environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(&[&[METRICS], environment].concat());
    let journal = Journal::default();
    let strace = Strace::attach(&instance.world.server, SYNCS, DELAY)?;
    let load = Load { connections: 24, batch: Some(BATCH) };
    let elapsed = journal.stream(&instance, load, || std::thread::sleep(Duration::from_secs(seconds)));
    let (rate, p99) = (journal.acknowledged() as f64 / elapsed.as_secs_f64(), journal.p99());
    drop(strace);
    let shared = instance.metric("mayday_intake_group_events_sum")?
        / instance.metric("mayday_intake_group_events_count")?;
    ensure(shared >= EVENTS_A_SYNC, || format!("only {shared:.0} events share a sync"))?;
    ensure(!is_soak() || rate >= EVENTS_PER_SECOND, || format!("only {rate:.0} events a second"))?;
    ensure(p99 < patience(P99), || format!("99 of 100 within {p99:?} only"))?;
    let found = journal.check(&instance)?;
    Ok(Report::default()
        .with("events a sync", shared as u64)
        .with("events/s", rate as u64)
        .with("p99 ms", p99.as_millis())
        .with("found", found))
}

#[test]
fn a_slow_disk_is_shared_by_many() {
    match missing() {
        Some(why) => skipped(why),
        None => kept(slow(if is_soak() { 60 } else { 3 }, &[])),
    }
}

#[test]
fn a_sync_for_each_request_is_noticed() {
    match missing() {
        Some(why) => skipped(why),
        None => broken(slow(3, &[("MAYDAY_SABOTAGE", "no_group_commit")]), "only"),
    }
}
