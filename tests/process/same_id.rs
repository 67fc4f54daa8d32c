//! One event that is sent many times, as by clients that get no answer and retry.

use crate::instance::Instance;
use crate::report::{Outcome, Report, broken, ensure, kept, sabotage};
use crate::support::connection::Connection;
use crate::support::project::encoded;
use crate::support::{World, json};
use std::collections::BTreeSet;
use std::sync::Barrier;

/// Clients that send it at the same time.
const AT_ONCE: usize = 100;
/// Times that each of them sends it.
const EACH: usize = 2;
/// Ids that look like a token, a card number and a password.
const SECRET_IDS: [&str; 3] =
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "4111111111111111", "password=hunter2"];

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

/// Sends events several times whose ids look like secrets: each is stored once, under its id.
fn secret_ids(environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(environment);
    let (client, target) = (instance.world.anonymous(), &instance.targets[0]);
    for id in SECRET_IDS {
        let event = json!({"api_key": target.key, "event_id": id, "message": "x"});
        for _ in 0..3 {
            let answer = client.post("/api/v1/errors").json(&event).send();
            ensure(answer.status() == 202, || format!("{id}: {answer:?}"))?;
        }
    }
    let found = instance.found(target)?;
    let sent = BTreeSet::from(SECRET_IDS.map(str::to_owned));
    ensure(found == sent, || format!("stored under other ids: {found:?}"))?;
    for id in SECRET_IDS {
        let path = format!("/api/v1/events/{}?project_id={}", encoded(id), target.id);
        let answer = instance.world.owner.get(&path).send();
        ensure(answer.status() == 200, || format!("{id} is not found by its id: {answer:?}"))?;
    }
    Ok(Report::default().with("ids", found.len()))
}

#[test]
fn an_event_whose_id_looks_like_a_secret_is_stored_once_under_that_id() {
    kept(secret_ids(&[]));
}

#[test]
fn ids_that_scrubbing_replaces_are_noticed() {
    broken(secret_ids(&sabotage("replace_secret_ids")), "stored under other ids");
}

#[test]
fn a_repeated_event_is_stored_once_and_every_answer_is_a_success() {
    kept(same_id(&[]));
}

#[test]
fn repeated_events_that_are_not_recognized_are_noticed() {
    broken(same_id(&sabotage("no_dedup")), "doubled");
}
