//! One event that is sent many times, as by clients that get no answer and retry.

use crate::instance::Instance;
use crate::report::{Outcome, Report, broken, ensure, kept, sabotage};
use crate::support::connection::Connection;
use crate::support::{World, json};
use std::sync::Barrier;

/// Clients that send it at the same time.
const AT_ONCE: usize = 100;
/// Times that each of them sends it.
const EACH: usize = 2;

fn same_id(environment: &[(&str, &str)]) -> Outcome {
    let mut instance = Instance::start_with(environment);
    send_at_once(&instance)?;
    for happen in [World::restart, World::kill_and_restart] {
        (instance, _) = instance.after(happen);
        send_at_once(&instance)?;
    }
    let found = instance.found(&instance.targets[0])?;
    ensure(found.len() == 1, || format!("doubled: stored {} times", found.len()))?;
    // Other projects have their own ids.
    let other = instance.found(&instance.targets[1])?;
    ensure(other.is_empty(), || format!("stored elsewhere: {other:?}"))?;
    Ok(Report::default().with("sent", AT_ONCE * EACH * 3).with("stored", found.len()))
}

/// Sends one event from many connections at the same time; every answer must be a success.
fn send_at_once(instance: &Instance) -> Result<(), String> {
    let barrier = Barrier::new(AT_ONCE);
    let client = instance.world.anonymous();
    let event = json!({"api_key": instance.targets[0].key, "event_id": "again-and-again", "message": "x"});
    let send = || {
        let mut connection = Connection::new(&client);
        barrier.wait();
        let statuses = (0..EACH).map(|_| client.post("/api/v1/errors").json(&event).send_on(&mut connection));
        statuses.map(|answer| answer.map_or(0, |answer| answer.status())).collect::<Vec<u16>>()
    };
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(send)).collect();
        senders.into_iter().flat_map(|sender| sender.join().unwrap()).collect()
    });
    ensure(statuses.iter().all(|status| *status == 202), || format!("not all succeeded: {statuses:?}"))
}

#[test]
fn a_repeated_event_is_stored_once_and_every_answer_is_a_success() {
    kept(same_id(&[]));
}

#[test]
fn repeated_events_that_are_not_recognized_are_noticed() {
    broken(same_id(&sabotage("no_dedup")), "doubled");
}
