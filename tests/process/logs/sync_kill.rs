//! kill -9 at the n-th sync of the log index's writer, and of the writer of `logs.db`.

use super::stream::Stream;
use crate::instance::Instance;
use crate::report::{Outcome, Report, broken, is_soak, kept, sabotage, skipped, within};
use crate::strace::{SYNCS, Strace, missing};
use crate::support::World;
use rustix::process::Signal;
use std::time::Duration;

/// A commit of the index has some 14 of them, a second after the other.
const REACHED: Duration = Duration::from_mins(1);

/// Threads that write the index, and those that write a database.
const INDEX: [&str; 4] = ["index logs", "thrd-tantivy", "segment_updater", "merge_thread"];
const DATABASE: [&str; 1] = ["write logs"];
/// The thread that writes the content of a commit: syncs are counted for each thread, and this one has the fewest.
const COMMITS: [&str; 1] = ["segment_updater"];

/// For each number one life of the server, which ends as one of its threads enters that sync.
fn kills_at_syncs(threads: &[&str], numbers: &[usize], environment: &[(&str, &str)]) -> Outcome {
    let mut instance = Instance::start_with(environment);
    let stream = Stream::default();
    let mut streaming = Duration::ZERO;
    for number in numbers {
        let mut outcome = Ok(());
        streaming += stream.run(&instance, || outcome = kill_at(&instance, threads, *number));
        outcome?;
        (instance, _) = instance.after(World::kill_and_restart);
        stream.send_again(&instance)?;
    }
    let rate = stream.check_rate(streaming)?;
    let found = stream.check(&instance)?;
    Ok(Report::default().with("kills", numbers.len()).with("rate", rate).with("found", found))
}

fn kill_at(instance: &Instance, threads: &[&str], number: usize) -> Result<(), String> {
    let server = &instance.world.server;
    let fault = format!("signal=KILL:when={number}");
    let _strace = Strace::attach_to(server, threads, SYNCS, &fault)?;
    let reached = within(REACHED, &format!("sync {number}"), || server.has_ended().then_some(()));
    if reached.is_err() {
        server.signal(Signal::KILL);
    }
    reached
}

fn numbers(short: &[usize], long: usize) -> Vec<usize> {
    if is_soak() { (1..=long).collect() } else { short.to_vec() }
}

#[test]
fn kills_at_any_sync_of_the_log_index_lose_and_double_nothing() {
    match missing() {
        Some(why) => skipped(why),
        None => {
            kept(kills_at_syncs(&INDEX, &numbers(&[1, 3, 6, 7, 9], 60), &[]));
            kept(kills_at_syncs(&COMMITS, &numbers(&[1, 2, 3], 20), &[]));
        }
    }
}

#[test]
fn kills_at_any_sync_of_the_log_database_lose_and_double_nothing() {
    match missing() {
        Some(why) => skipped(why),
        None => kept(kills_at_syncs(&DATABASE, &numbers(&[1, 2, 5, 20, 100], 100), &[])),
    }
}

#[test]
fn an_index_position_kept_beside_the_commit_is_noticed() {
    match missing() {
        Some(why) => skipped(why),
        None => {
            let switch = sabotage("index_position_beside_commit");
            broken(kills_at_syncs(&COMMITS, &[1, 2, 3, 4], &switch), "are lost");
        }
    }
}
