//! Alerts through kill -9 at every step from an event to its message: a new issue leaves a signal, a consumer queues
//! a message for it, and the message goes to the receiver under one id.

use crate::report::{Outcome, Report, ensure, is_soak, kept, patience, skipped, within};
use crate::signals::{MailApi, Moment, TOLD, kill_at};
use crate::strace::missing;
use crate::support::{Value, World, json};
use std::collections::BTreeSet;

/// Kills the server at these syncs of its writer, each in a new process; every issue causes one message.
fn kills_between_event_and_message(kills: &[usize]) -> Outcome {
    let receiver = MailApi::start("New issue");
    let mut world = World::start_with(&[("SERVICE_ALERTS_ALLOW_PRIVATE_URLS", "true")]);
    let path = format!("{}/projects", world.organization_path());
    let project = world.owner.post(&path).json(&json!({"name": "Shop"})).send().expect(201)["id"].clone();
    let path = format!("/api/v1/projects/{project}");
    let made = |rest: &str, body| world.owner.post(&format!("{path}/{rest}")).json(&body).send().expect(201);
    let key = made("api-keys", json!({"name": "tests"}))["key"].clone();
    let channel = made("alert-channels", json!({"name": "Hook", "kind": "webhook", "url": receiver.url}));
    made("alert-rules", json!({"name": "New", "condition": {"type": "new"}, "channels": [channel["id"]]}));
    let mut sent = 0;
    for number in kills {
        kill_at(&world.server, Moment::Sync(*number), || {
            // One that is not answered is sent again after the restart, as clients do.
            let is_answered = send(&world, &key, sent + 1);
            if is_answered {
                sent += 1;
                let is_told = || (receiver.told() >= sent || world.server.has_ended()).then_some(());
                within(patience(TOLD), "the message", is_told)?;
            }
            Ok(is_answered)
        })?;
        world = world.kill_and_restart();
        within(patience(TOLD), "the messages", || (receiver.told() >= sent).then_some(()))?;
    }
    ensure(send(&world, &key, sent + 1), || "the last event was not answered".to_owned())?;
    sent += 1;
    within(patience(TOLD), "the last message", || (receiver.told() >= sent).then_some(()))?;
    // The server finishes deliveries in progress and begins no others.
    world.server.stop();
    let titles: BTreeSet<String> =
        receiver.all().iter().map(|body| body["data"]["title"].to_string()).collect();
    let told = receiver.told();
    ensure(sent > kills.len() / 2, || format!("{sent} events prove nothing"))?;
    ensure(told == sent && titles.len() == sent, || {
        format!("{sent} issues were told of by {told} messages of {} titles", titles.len())
    })?;
    Ok(Report::default().with("kills", kills.len()).with("issues", sent).with("messages", told))
}

/// Whether an event that makes a new issue is accepted.
fn send(world: &World, key: &Value, number: usize) -> bool {
    let id = format!("event-{number}");
    let body = json!({"api_key": key, "event_id": id, "message": id, "fingerprint": [id]});
    world.anonymous().post("/api/v1/errors").json(&body).try_send().is_ok_and(|answer| answer.status() == 202)
}

#[test]
fn a_rules_message_is_sent_once_whatever_step_is_killed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let kills: Vec<usize> = (1..=if is_soak() { 40 } else { 6 }).collect();
    kept(kills_between_event_and_message(&kills));
}
