//! One project has thousands of events to be digested; another's does not wait for them.

use crate::instance::{Instance, METRICS, Target};
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::connection::Connection;
use crate::support::{Client, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const CONNECTIONS: usize = 4;
/// Events of a request.
const AT_ONCE: usize = 100;

/// What one project sends.
struct Flood {
    /// The limit of its rate, in events per second; `0` for none.
    rate: &'static str,
    /// Events that are waiting when the other project sends its own.
    backlog: f64,
    /// Events that are accepted at most.
    most: usize,
    /// Tags of an event that no other has: they cost the digest more than the intake.
    tags: usize,
    /// Whether the events of a request are an issue of their own: an issue counts only so many values.
    has_issues: bool,
}

/// Several times the number (4,096) from which on other projects are served first.
const MANY: Flood = Flood { rate: "0", backlog: 20_000.0, most: 120_000, tags: 20, has_issues: false };
/// Fewer than that, at the default rate, which cost as much.
const DEAR: Flood = Flood { rate: "1000", backlog: 2_500.0, most: 4_000, tags: 100, has_issues: true };

impl Flood {
    /// Sends events until `stop`.
    fn send(&self, client: &Client, target: &Target, number: usize, stop: &AtomicBool) {
        let mut connection = Connection::new(client);
        for nth in 0..self.most / AT_ONCE / CONNECTIONS {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let issue = if self.has_issues { json!([format!("{number} {nth}")]) } else { json!([]) };
            let event = |at: usize| {
                let tag = |tag: usize| (format!("tag{tag}"), json!(format!("{number} {nth} {at} {tag}")));
                let tags: serde_json::Map<_, _> = (0..self.tags).map(tag).collect();
                json!({"api_key": target.key, "message": "one of many", "tags": tags, "fingerprint": issue})
            };
            let events = json!((0..AT_ONCE).map(event).collect::<Vec<_>>());
            while !stop.load(Ordering::Relaxed) {
                let sent = client.post("/api/v1/errors/batch").json(&events).send_on(&mut connection);
                if sent.is_ok_and(|answer| answer.status() != 429) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// Sends an event, and returns how many were digested before it could be read.
fn overtaken(instance: &Instance, target: &Target) -> Result<f64, String> {
    let digested = || instance.metric("mayday_digest_digested_total");
    let before = digested()?;
    let event = json!({"api_key": target.key, "message": "of a project with few"});
    let sent = instance.world.anonymous().post("/api/v1/errors").json(&event).send();
    ensure(sent.status() == 202, || format!("the other project: {sent:?}"))?;
    let id = sent.value()["event_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/events/{id}?project_id={}", target.id);
    let mut connection = Connection::new(&instance.world.owner);
    within(patience(Duration::from_mins(2)), "its event to be digested", || {
        let answer = instance.world.owner.get(&path).send_on(&mut connection).ok()?;
        (answer.status() == 200).then_some(())
    })?;
    Ok(digested()? - before)
}

fn fairness(flood: &Flood, environment: &[(&str, &str)]) -> Outcome {
    let rate = ("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", flood.rate);
    let instance = Instance::start_with(&[&[METRICS, rate], environment].concat());
    let (client, [many, few, ..]) = (instance.world.anonymous(), instance.targets.as_slice()) else {
        return Err("too few projects".to_owned());
    };
    let stop = AtomicBool::new(false);
    let (waiting, digested) = std::thread::scope(|scope| {
        for number in 0..CONNECTIONS {
            let (stop, client) = (&stop, &client);
            scope.spawn(move || flood.send(client, many, number, stop));
        }
        let backlog = || instance.metric("mayday_digest_backlog_events").ok();
        let waits = || backlog().filter(|waiting| *waiting >= flood.backlog);
        let seen = within(patience(Duration::from_mins(2)), "events to wait for the digest", waits)
            .and_then(|waiting| Ok((waiting, overtaken(&instance, few)?)));
        stop.store(true, Ordering::Relaxed);
        seen
    })?;
    ensure(digested < waiting / 2.0, || format!("it waited for {digested} events of {waiting}"))?;
    Ok(Report::default().with("waiting", waiting).with("digested meanwhile", digested))
}

#[test]
fn an_event_of_one_project_does_not_wait_for_thousands_of_another() {
    kept(fairness(&MANY, &[]));
}

#[test]
fn an_event_of_one_project_does_not_wait_for_dear_ones_of_another() {
    kept(fairness(&DEAR, &[]));
}

#[test]
fn a_digest_in_order_is_noticed() {
    broken(fairness(&MANY, &sabotage("digest_in_order")), "it waited for");
}

#[test]
fn a_digest_of_dear_events_in_order_is_noticed() {
    broken(fairness(&DEAR, &sabotage("digest_in_order")), "it waited for");
}
