//! More clients than there are file descriptors.

use crate::crowd::Idler;
use crate::instance::Instance;
use crate::journal::{Journal, Load};
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, sabotage, within};
use crate::resources::limit_descriptors;
use std::time::Duration;

const DESCRIPTORS: usize = 256;
/// From when they are free again.
const RECOVERED: Duration = Duration::from_secs(5);

/// Connections use up every descriptor while others send events; then they are closed.
fn exhausted(rounds: usize, environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(environment);
    let server = &instance.world.server;
    limit_descriptors(server, DESCRIPTORS as u64);
    let journal = Journal::default();
    let mut outcome = Ok(());
    let streaming = journal.stream(&instance, Load::MIXED, || {
        outcome = (0..rounds).try_for_each(|_| round(&instance, &journal));
    });
    outcome?;
    ensure(!server.has_ended(), || "the process ended".to_owned())?;
    let rate = journal.check_rate(streaming)?;
    let found = journal.check(&instance)?;
    let report = Report::default().with("rounds", rounds).with("rate", rate).with("found", found);
    Ok(report.with("told to come again", journal.told_to_come_again()))
}

fn round(instance: &Instance, journal: &Journal) -> Result<(), String> {
    let server = &instance.world.server;
    let ended = || "the process ended for want of file descriptors".to_owned();
    let open = |number| Idler::open(server, number, None, "", &[]).ok();
    let idle: Vec<Idler> = (0..DESCRIPTORS + 50).map_while(open).collect();
    // The server closes one of so many only because it has no descriptors left.
    within(patience(RECOVERED), "an idle connection to be ended", || {
        (server.has_ended() || idle.iter().any(Idler::is_ended)).then_some(())
    })?;
    // Long enough for it to try in vain.
    std::thread::sleep(Duration::from_millis(500));
    ensure(!server.has_ended(), ended)?;
    let before = journal.acknowledged();
    drop(idle);
    within(patience(RECOVERED), "intake to come back", || {
        (server.has_ended() || journal.acknowledged() > before + 100).then_some(())
    })?;
    ensure(!server.has_ended(), ended)
}

#[test]
fn without_file_descriptors_the_server_waits_and_loses_nothing() {
    kept(exhausted(if is_soak() { 20 } else { 2 }, &[]));
}

#[test]
fn a_server_that_ends_for_want_of_descriptors_is_noticed() {
    broken(exhausted(1, &sabotage("accept_error_ends")), "the process ended");
}
