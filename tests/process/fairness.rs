//! One project has thousands of events to be digested; another's does not wait for them.

use crate::instance::{Instance, METRICS, Target};
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::connection::Connection;
use crate::support::{Client, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const ANY_RATE: (&str, &str) = ("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", "0");
const CONNECTIONS: usize = 16;
/// Events that wait when the other project sends its own: more than anybody is served ahead of (4,096).
const BACKLOG: f64 = 6_000.0;
/// Tags of an event that no other has: they cost the digest more than the intake.
const TAGS: usize = 60;

/// Sends events until `stop`.
fn flood(client: &Client, target: &Target, number: usize, stop: &AtomicBool) {
    let mut connection = Connection::new(client);
    for nth in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let tags: serde_json::Map<_, _> =
            (0..TAGS).map(|tag| (format!("tag{tag}"), json!(format!("{number} {nth} {tag}")))).collect();
        let event = json!({"api_key": target.key, "message": "one of many", "tags": tags});
        let _ = client.post("/api/v1/errors").json(&event).send_on(&mut connection);
    }
}

/// Sends until so many events wait that they hold up whoever waits behind them.
fn fill(instance: &Instance, target: &Target) -> Result<f64, String> {
    let (stop, client) = (AtomicBool::new(false), instance.world.anonymous());
    std::thread::scope(|scope| {
        for number in 0..CONNECTIONS {
            let (stop, client) = (&stop, &client);
            scope.spawn(move || flood(client, target, number, stop));
        }
        let waits =
            || instance.metric("mayday_digest_backlog_events").ok().filter(|waiting| *waiting >= BACKLOG);
        let filled = within(patience(Duration::from_mins(2)), "events to wait for the digest", waits);
        stop.store(true, Ordering::Relaxed);
        filled
    })
}

fn fairness(environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(&[&[METRICS, ANY_RATE], environment].concat());
    let (client, [many, few, ..]) = (instance.world.anonymous(), instance.targets.as_slice()) else {
        return Err("too few projects".to_owned());
    };
    let waiting = fill(&instance, many)?;
    let event = json!({"api_key": few.key, "message": "of a project with few"});
    let sent = client.post("/api/v1/errors").json(&event).send();
    ensure(sent.status() == 202, || format!("the other project: {sent:?}"))?;
    let start = Instant::now();
    let path = format!("/api/v1/events/{}?project_id={}", sent.value()["event_id"].as_str().unwrap(), few.id);
    let mut connection = Connection::new(&instance.world.owner);
    within(patience(Duration::from_secs(20)), "its event to be digested", || {
        let answer = instance.world.owner.get(&path).send_on(&mut connection).ok()?;
        (answer.status() == 200).then_some(())
    })?;
    let (took, left) = (start.elapsed(), instance.metric("mayday_digest_backlog_events")?);
    ensure(left > waiting / 4.0, || format!("it waited for {} of {waiting} events", waiting - left))?;
    Ok(Report::default().with("waiting", waiting).with("left", left).with("took", format!("{took:?}")))
}

#[test]
fn an_event_of_one_project_does_not_wait_for_thousands_of_another() {
    kept(fairness(&[]));
}

#[test]
fn a_digest_in_order_is_noticed() {
    broken(fairness(&sabotage("digest_in_order")), "it waited for");
}
