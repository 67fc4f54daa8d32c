//! kill -9 in the middle of a stream of log entries.

use super::stream::Stream;
use crate::instance::Instance;
use crate::report::{Outcome, Random, Report, broken, is_soak, kept, sabotage, skipped};
use crate::strace::{Strace, missing};
use crate::support::{World, eventually};
use rustix::process::Signal;
use std::time::Duration;

/// Kills at random moments; unanswered batches are repeated. With `slow`, every write to a file takes 10 ms longer,
/// so that more kills hit between two steps of the server's work.
fn kills(count: usize, slow: bool, environment: &[(&str, &str)]) -> Outcome {
    let mut random = Random::seeded();
    let mut instance = Instance::start_with(environment);
    let stream = Stream::default();
    let mut streaming = Duration::ZERO;
    for _ in 0..count {
        let before = stream.acknowledged();
        let pause = Duration::from_millis(50 + random.below(1_500) as u64);
        let strace = slow.then(|| Strace::attach(&instance.world.server, "pwrite64", "delay_enter=10000"));
        let strace = strace.transpose()?;
        streaming += stream.run(&instance, || {
            eventually("the first acknowledgements", || (stream.acknowledged() > before + 20).then_some(()));
            std::thread::sleep(pause);
            instance.world.server.signal(Signal::KILL);
        });
        drop(strace);
        (instance, _) = instance.after(World::kill_and_restart);
        stream.send_again(&instance)?;
    }
    let rate = stream.check_rate(streaming)?;
    let found = stream.check(&instance)?;
    Ok(Report::default().with("kills", count).with("rate", rate).with("found", found))
}

#[test]
fn acknowledged_log_entries_are_found_once_after_kills() {
    kept(kills(if is_soak() { 100 } else { 10 }, false, &[]));
}

#[test]
fn log_entries_that_are_answered_before_they_are_written_are_noticed() {
    match missing() {
        Some(why) => skipped(why),
        None => broken(kills(8, true, &sabotage("answer_before_commit")), "are lost"),
    }
}
