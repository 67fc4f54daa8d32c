//! Records of sent and acknowledged events, and the oracle: acknowledged ⊆ found ⊆ sent, each once.

use crate::instance::{Instance, Target};
use crate::report::{ensure, is_soak, p99};
use crate::support::client::Request;
use crate::support::connection::Connection;
use crate::support::project::fresh_id;
use crate::support::{Client, Form, Value, json, maps};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Acknowledgements that a run under faults must have to prove anything.
const ENOUGH: f64 = 50.0;
/// Events of a batch.
const BATCH: usize = 10;
/// The pause after an answer that says to retry.
const PAUSE: Duration = Duration::from_millis(5);

/// (index of the project, id of an event or version of a release)
pub(crate) type Name = (usize, String);

#[derive(Default)]
pub(crate) struct Journal {
    sent: Mutex<BTreeSet<Name>>,
    acknowledged: Mutex<BTreeSet<Name>>,
    releases: Mutex<BTreeSet<Name>>,
    /// Answers that neither acknowledge nor say to retry: there must be none.
    wrong: Mutex<Vec<String>>,
    /// From sending to the acknowledgement.
    times: Mutex<Vec<Duration>>,
    come_again: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a stream of errors is sent.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    /// Simultaneous connections.
    pub(crate) connections: usize,
    /// Events of every batch; `None` alternates single events and small batches.
    pub(crate) batch: Option<usize>,
}

impl Load {
    /// Exceptions, messages, batches and releases by turns.
    pub(crate) const MIXED: Self = Self { connections: 6, batch: None };
}

/// The next request of a connection.
enum Next {
    Events(Vec<Value>),
    /// Of this version.
    Release(String),
}

impl Next {
    /// The ids or the version.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Events(events) => {
                events.iter().map(|event| event["event_id"].as_str().unwrap().to_owned()).collect()
            }
            Self::Release(version) => vec![version.clone()],
        }
    }

    fn request(&self, client: &Client, key: &str) -> Request {
        match self {
            Self::Release(version) => {
                client.bearer(key).post("/api/v1/releases").form(&Form::new().text("version", version))
            }
            Self::Events(events) => match events.as_slice() {
                [event] => client.post("/api/v1/errors").json(event),
                _ => client.post("/api/v1/errors/batch").json(&json!(events)),
            },
        }
    }
}

impl Journal {
    /// Events so far.
    pub(crate) fn acknowledged(&self) -> usize {
        lock(&self.acknowledged).len()
    }

    /// Records an event that something else sent.
    pub(crate) fn note_sent(&self, project: usize, id: &str) {
        lock(&self.sent).insert((project, id.to_owned()));
    }

    pub(crate) fn note_acknowledged(&self, project: usize, id: &str) {
        lock(&self.acknowledged).insert((project, id.to_owned()));
    }

    /// How many requests were told to retry so far.
    pub(crate) fn told_to_come_again(&self) -> usize {
        self.come_again.load(Ordering::Relaxed)
    }

    /// The 99th percentile of the time to an acknowledgement.
    pub(crate) fn p99(&self) -> Duration {
        p99(&lock(&self.times))
    }

    /// Sends to all projects until `until` returns, which may end the server. Returns how long it sent.
    pub(crate) fn stream(&self, instance: &Instance, load: Load, until: impl FnOnce()) -> Duration {
        let stop = AtomicBool::new(false);
        let start = Instant::now();
        let (client, targets) = (instance.world.anonymous(), &instance.targets);
        std::thread::scope(|scope| {
            for number in 0..load.connections {
                let (client, stop) = (&client, &stop);
                scope.spawn(move || self.send_on(client, targets, load, number, stop));
            }
            // Stops the senders even if `until` panics.
            let _stop = StopOnDrop(&stop);
            until();
        });
        start.elapsed()
    }

    /// Sends until the server is gone or `stop` is set, over one connection at a time.
    fn send_on(&self, client: &Client, targets: &[Target], load: Load, number: usize, stop: &AtomicBool) {
        let mut connection = Connection::new(client);
        for round in number.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let index = round % targets.len();
            let next = next(&targets[index].key, load, number, round);
            if self.send(client, &mut connection, (index, &targets[index]), next).is_err() {
                if connection.is_refused() {
                    return;
                }
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Sends one request and records the result.
    fn send(
        &self,
        client: &Client,
        connection: &mut Connection,
        (index, target): (usize, &Target),
        next: Next,
    ) -> std::io::Result<()> {
        let names: Vec<Name> = next.names().into_iter().map(|name| (index, name)).collect();
        let known = if matches!(next, Next::Release(_)) {
            &self.releases
        } else {
            lock(&self.sent).extend(names.iter().cloned());
            &self.acknowledged
        };
        let start = Instant::now();
        let answer = next.request(client, &target.key).send_on(connection)?;
        match answer.status() {
            201 | 202 => {
                lock(&self.times).push(start.elapsed());
                lock(known).extend(names);
            }
            // The server is stopping or full, stored nothing, and says so.
            503 if answer.header("retry-after").is_some() => {
                self.come_again.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(PAUSE);
            }
            _ => lock(&self.wrong).push(format!("{answer:?}")),
        }
        Ok(())
    }

    /// The events that were acknowledged so far.
    pub(crate) fn acknowledged_names(&self) -> BTreeSet<Name> {
        lock(&self.acknowledged).clone()
    }

    /// Checks the oracle against the API's answers; returns how many events were found.
    pub(crate) fn check(&self, instance: &Instance) -> Result<usize, String> {
        self.check_answers()?;
        for (index, target) in instance.targets.iter().enumerate() {
            let (made, there) = (of(&lock(&self.releases), index), instance.releases(target)?);
            ensure(made.is_subset(&there), || format!("lost releases: {:?}", made.difference(&there)))?;
        }
        self.check_copy(instance, &self.acknowledged_names())
    }

    /// The same for a copy of the instance, which has to have the events that were `acknowledged` when it was made.
    pub(crate) fn check_copy(
        &self,
        instance: &Instance,
        acknowledged: &BTreeSet<Name>,
    ) -> Result<usize, String> {
        let mut all = 0;
        for (index, target) in instance.targets.iter().enumerate() {
            let found = instance.found(target)?;
            check_names(&of(acknowledged, index), &found, &of(&lock(&self.sent), index))?;
            all += found.len();
        }
        Ok(all)
    }

    /// Every answer so far was an acknowledgement or said to retry.
    pub(crate) fn check_answers(&self) -> Result<(), String> {
        let wrong = lock(&self.wrong);
        let first = wrong.first().cloned().unwrap_or_default();
        ensure(wrong.is_empty(), || format!("{} wrong answers, first: {first}", wrong.len()))
    }

    /// Events a second: enough of them that the run proves something.
    pub(crate) fn check_rate(&self, elapsed: Duration) -> Result<String, String> {
        check_rate(self.acknowledged(), elapsed)
    }
}

/// Acknowledgements a second. A long run with fewer than [`ENOUGH`] a second proves nothing, nor does a short one
/// with fewer than as many in total.
pub(crate) fn check_rate(acknowledged: usize, elapsed: Duration) -> Result<String, String> {
    let rate = acknowledged as f64 / elapsed.as_secs_f64();
    let proves = if is_soak() { rate } else { acknowledged as f64 };
    ensure(proves >= ENOUGH, || format!("{acknowledged} acknowledged, {rate:.0} a second, prove nothing"))?;
    Ok(format!("{rate:.0}/s"))
}

/// The names of one project.
pub(crate) fn of(names: &BTreeSet<Name>, index: usize) -> BTreeSet<String> {
    names.iter().filter(|(of, _)| *of == index).map(|(_, name)| name.clone()).collect()
}

/// Acknowledged ⊆ found ⊆ sent.
pub(crate) fn check_names(
    acknowledged: &BTreeSet<String>,
    found: &BTreeSet<String>,
    sent: &BTreeSet<String>,
) -> Result<(), String> {
    let lost: Vec<&String> = acknowledged.difference(found).collect();
    let (count, all) = (lost.len(), acknowledged.len());
    ensure(lost.is_empty(), || {
        format!("{count} of {all} acknowledged are lost: {:?}", &lost[..count.min(20)])
    })?;
    let made_up: Vec<&String> = found.difference(sent).collect();
    ensure(made_up.is_empty(), || format!("nobody sent these: {made_up:?}"))
}

/// Stops the senders when dropped.
pub(crate) struct StopOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn next(key: &str, load: Load, number: usize, round: usize) -> Next {
    let count = match load.batch {
        Some(events) => events,
        None if number == 0 && round % 16 == 1 => return Next::Release(fresh_id()),
        None if round.is_multiple_of(5) => BATCH,
        None => 1,
    };
    Next::Events((0..count).map(|nth| event(key, round + nth)).collect())
}

/// A message or an exception, of few issues.
fn event(key: &str, nth: usize) -> Value {
    let pad = "x".repeat(300);
    if nth.is_multiple_of(2) {
        let words = ["one", "two", "three"][nth % 3];
        return json!({"api_key": key, "event_id": fresh_id(), "message": format!("Under fire: {words}"), "extra": {"pad": pad}});
    }
    let stack = maps::stack(
        "TypeError: no amount",
        &[("t", "https://shop.example/cart.js", 5), ("c", "https://shop.example/cart.js", 9)],
    );
    json!({"api_key": key, "event_id": fresh_id(), "release": "1", "extra": {"pad": pad},
        "exception": {"type": "TypeError", "message": "no amount", "stack": stack}})
}
