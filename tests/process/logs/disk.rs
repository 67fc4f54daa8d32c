//! A full disk, and an index whose writes fail.

use super::stream::Stream;
use crate::disk_full::Ballast;
use crate::instance::Instance;
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, sabotage, skipped, within};
use crate::strace::{Strace, missing};
use crate::support::Server;
use crate::support::disk::can_mount;
use std::time::Duration;

/// MiB.
const DISK: u32 = 96;
const FLOOR: [(&str, &str); 1] = [("SERVICE_DISK_FLOOR_MB", "16")];
/// From when there is room again.
const BACK: Duration = Duration::from_secs(5);
const NOTICED: Duration = Duration::from_secs(5);

/// Fills the disk repeatedly while entries are sent.
fn full(rounds: usize, floor: &[(&str, &str)]) -> Outcome {
    let instance = Instance::of(Server::start_on_disk(DISK, floor));
    let stream = Stream::default();
    let mut outcome = Ok(());
    let streaming = stream.run(&instance, || {
        outcome = indexed(&instance).and_then(|()| (0..rounds).try_for_each(|_| round(&instance, &stream)));
    });
    outcome?;
    stream.send_again(&instance)?;
    let rate = stream.check_rate(streaming)?;
    let found = stream.check(&instance)?;
    let report = Report::default().with("rounds", rounds).with("rate", rate).with("found", found);
    Ok(report.with("told to come again", stream.told_to_come_again()))
}

fn round(instance: &Instance, stream: &Stream) -> Result<(), String> {
    let server = &instance.world.server;
    let before = stream.acknowledged();
    within(patience(Duration::from_secs(20)), "intake", || {
        (stream.acknowledged() > before + 50).then_some(())
    })?;
    // Under the floor.
    let ballast = Ballast::leaving(server, 12);
    refuses(stream)?;
    reads(instance)?;
    // To the last byte.
    Ballast::leaving(server, 0);
    std::thread::sleep(Duration::from_millis(1_500));
    ensure(!server.has_ended(), || "the process ended on a full disk".to_owned())?;
    reads(instance)?;
    stream.check_answers()?;
    ballast.remove();
    let before = stream.acknowledged();
    within(patience(BACK), "intake to come back", || (stream.acknowledged() > before).then_some(()))
}

/// Waits until every batch is refused with the reason.
fn refuses(stream: &Stream) -> Result<(), String> {
    within(patience(NOTICED), "intake to be refused", || {
        let (refused, taken) = (stream.told_to_come_again(), stream.acknowledged());
        std::thread::sleep(Duration::from_millis(300));
        (stream.acknowledged() == taken && stream.told_to_come_again() > refused).then_some(())
    })?;
    stream.check_answers()
}

/// Waits until entries were indexed: a full disk stops that.
fn indexed(instance: &Instance) -> Result<(), String> {
    within(patience(Duration::from_secs(20)), "entries to be found", || reads(instance).ok())
}

/// Entries that were indexed before can be searched.
fn reads(instance: &Instance) -> Result<(), String> {
    let path = format!("/api/v1/projects/{}/logs?search=event", instance.targets[0].id);
    let answer = instance.world.owner.get(&path).send();
    let found = answer.status() == 200 && answer.value()["total"].as_u64() > Some(0);
    ensure(found, || format!("searching on a full disk: {answer:?}"))
}

#[test]
fn a_full_disk_refuses_log_entries_and_recovers_by_itself() {
    if can_mount() {
        kept(full(if is_soak() { 20 } else { 2 }, &FLOOR));
    } else {
        skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
}

/// Some writes of the index fail with ENOSPC under load, in many places.
fn failing_index(rounds: usize, environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(environment);
    let stream = Stream::default();
    let mut outcome = Ok(());
    let streaming = stream.run(&instance, || {
        outcome = (0..rounds).try_for_each(|number| {
            let before = stream.acknowledged();
            let fault = format!("error=ENOSPC:when={}+{}", 1 + number, 3 + number);
            let names = ["index logs", "thrd-tantivy", "segment_updater", "merge_thread"];
            let strace = Strace::attach_to(&instance.world.server, &names, "write,fsync,fdatasync", &fault)?;
            std::thread::sleep(Duration::from_secs(3));
            drop(strace);
            ensure(stream.acknowledged() > before, || "a failing index stops intake".to_owned())
        });
    });
    outcome?;
    ensure(stream.told_to_come_again() == 0, || "a failing index refuses entries".to_owned())?;
    let rate = stream.check_rate(streaming)?;
    let found = stream.check(&instance)?;
    let waited = instance.world.server.output().matches("indexing logs is postponed").count();
    ensure(waited > 0, || "no write failed".to_owned())?;
    Ok(Report::default().with("rate", rate).with("found", found).with("failed", waited))
}

#[test]
fn failing_index_writes_stop_nothing_and_are_caught_up() {
    match missing() {
        Some(why) => skipped(why),
        None => kept(failing_index(if is_soak() { 20 } else { 3 }, &[])),
    }
}

#[test]
fn an_index_that_skips_failed_writes_is_noticed() {
    match missing() {
        Some(why) => skipped(why),
        None => broken(failing_index(3, &sabotage("index_passes_over_errors")), "are lost"),
    }
}
