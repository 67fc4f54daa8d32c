//! Entries that are sent during a fault, and the oracle: acknowledged ⊆ found ⊆ sent, each once.

use crate::instance::{Instance, Target};
use crate::journal::{Name, StopOnDrop, check_names, check_rate, of};
use crate::report::{ensure, patience, within};
use crate::support::connection::Connection;
use crate::support::project::fresh_id;
use crate::support::{Client, Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Simultaneous senders.
const CONNECTIONS: usize = 6;
const PAUSE: Duration = Duration::from_millis(5);
/// Entries that are sent at full speed, and how long a sender waits between two batches then: the oracle reads
/// an export, which shows a million of a project at most.
const FAST: usize = 400_000;
const SLOWLY: Duration = Duration::from_millis(300);
/// How long the index may take for the accepted entries.
const FOUND: Duration = Duration::from_mins(1);

#[derive(Default)]
pub(crate) struct Stream {
    sent: Mutex<BTreeSet<Name>>,
    acknowledged: Mutex<BTreeSet<Name>>,
    /// Batches whose result is unknown.
    open: Mutex<Vec<Batch>>,
    /// Answers that neither acknowledge nor say to retry: there must be none.
    wrong: Mutex<Vec<String>>,
    come_again: AtomicUsize,
}

struct Batch {
    index: usize,
    key: String,
    messages: Vec<String>,
    body: Value,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    pub(crate) fn acknowledged(&self) -> usize {
        lock(&self.acknowledged).len()
    }

    pub(crate) fn told_to_come_again(&self) -> usize {
        self.come_again.load(Ordering::Relaxed)
    }

    /// Sends to all projects until `until` returns; how long that was.
    pub(crate) fn run(&self, instance: &Instance, until: impl FnOnce()) -> Duration {
        let (stop, start) = (AtomicBool::new(false), Instant::now());
        let client = instance.world.anonymous();
        std::thread::scope(|scope| {
            for number in 0..CONNECTIONS {
                let (client, stop) = (&client, &stop);
                scope.spawn(move || self.send_on(client, &instance.targets, number, stop));
            }
            let _stop = StopOnDrop(&stop);
            until();
        });
        start.elapsed()
    }

    fn send_on(&self, client: &Client, targets: &[Target], number: usize, stop: &AtomicBool) {
        let mut connection = Connection::new(client);
        for round in number.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let index = round % targets.len();
            let batch = batch(index, &targets[index].key, round);
            lock(&self.sent).extend(batch.messages.iter().map(|message| (index, message.clone())));
            if let Some(batch) = self.send(client, &mut connection, batch) {
                lock(&self.open).push(batch);
                if connection.is_refused() {
                    return;
                }
                std::thread::sleep(PAUSE);
            }
            if lock(&self.sent).len() > FAST {
                std::thread::sleep(SLOWLY);
            }
        }
    }

    /// Sends the previous batch again if its result is unknown.
    fn send(&self, client: &Client, connection: &mut Connection, batch: Batch) -> Option<Batch> {
        let request = client.post("/api/v1/logs/batch").header("idempotency-key", &batch.key);
        let Ok(answer) = request.json(&batch.body).send_on(connection) else { return Some(batch) };
        match answer.status() {
            202 if answer.value()["accepted"] == batch.messages.len() => {
                lock(&self.acknowledged).extend(batch.messages.into_iter().map(|name| (batch.index, name)));
            }
            // The server stored nothing, and says so.
            503 if answer.header("retry-after").is_some()
                && answer.value()["detail"] == "Log storage temporarily unavailable" =>
            {
                self.come_again.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(PAUSE);
            }
            _ => lock(&self.wrong).push(format!("{answer:?}")),
        }
        None
    }

    /// Repeats the batches whose results are unknown, as clients do.
    pub(crate) fn send_again(&self, instance: &Instance) -> Result<(), String> {
        let client = instance.world.anonymous();
        let mut connection = Connection::new(&client);
        let open = std::mem::take(&mut *lock(&self.open));
        let failed = open.into_iter().any(|batch| self.send(&client, &mut connection, batch).is_some());
        ensure(!failed, || "a batch that is sent again gets no answer".to_owned())
    }

    /// The messages that were acknowledged so far.
    pub(crate) fn acknowledged_names(&self) -> BTreeSet<Name> {
        lock(&self.acknowledged).clone()
    }

    /// Checks the oracle against a search; returns how many entries were found.
    pub(crate) fn check(&self, instance: &Instance) -> Result<usize, String> {
        self.check_answers()?;
        self.check_copy(instance, &self.acknowledged_names())
    }

    /// The same for a copy of the instance, which has to have the entries that were `acknowledged` when it was made.
    pub(crate) fn check_copy(
        &self,
        instance: &Instance,
        acknowledged: &BTreeSet<Name>,
    ) -> Result<usize, String> {
        let mut all = 0;
        for (index, target) in instance.targets.iter().enumerate() {
            let found = found(instance, target)?;
            check_names(&of(acknowledged, index), &found, &of(&lock(&self.sent), index))?;
            all += found.len();
        }
        Ok(all)
    }

    pub(crate) fn check_answers(&self) -> Result<(), String> {
        let wrong = lock(&self.wrong);
        let first = wrong.first().cloned().unwrap_or_default();
        ensure(wrong.is_empty(), || format!("{} wrong answers, first: {first}", wrong.len()))
    }

    pub(crate) fn check_rate(&self, elapsed: Duration) -> Result<String, String> {
        check_rate(self.acknowledged(), elapsed)
    }
}

/// Seconds.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

fn batch(index: usize, key: &str, round: usize) -> Batch {
    let messages: Vec<String> = (0..1 + round % 20).map(|_| fresh_id()).collect();
    let entry = |message: &String| {
        json!({"timestamp": now(), "level": (["info", "error"][round % 2]), "message": message,
            "trace_id": format!("t{round}"), "attributes": {"pad": "x".repeat(200), "round": round}})
    };
    let logs: Vec<Value> = messages.iter().map(entry).collect();
    Batch { index, key: fresh_id(), body: json!({"api_key": key, "logs": logs}), messages }
}

/// Waits until all entries accepted before can be searched; returns the message that shows it.
fn settle(instance: &Instance, target: &Target) -> Result<String, String> {
    let message = format!("settled{}", fresh_id().replace('-', ""));
    let logs = json!([{"timestamp": now(), "level": "info", "message": message}]);
    let body = json!({"api_key": target.key, "logs": logs});
    within(patience(Duration::from_secs(20)), "intake to take an entry", || {
        let answer = instance.world.anonymous().post("/api/v1/logs/batch").json(&body).try_send().ok()?;
        (answer.status() == 202).then_some(())
    })?;
    let path = format!("/api/v1/projects/{}/logs?search={message}", target.id);
    within(patience(FOUND), "what was accepted to be found", || {
        let answer = instance.world.owner.get(&path).try_send().ok()?;
        (answer.status() == 200 && answer.value()["total"] == 1).then_some(())
    })?;
    Ok(message)
}

/// The messages of all entries of a project, each once and as many as counted.
pub(crate) fn found(instance: &Instance, target: &Target) -> Result<BTreeSet<String>, String> {
    let probe = settle(instance, target)?;
    let logs = format!("/api/v1/projects/{}/logs", target.id);
    let total = instance.world.owner.get(&format!("{logs}?search=event+OR+{probe}")).send().expect(200);
    let export = instance.world.owner.get(&format!("{logs}/export?limit=1000000")).send();
    ensure(export.status() == 200, || format!("{export:?}"))?;
    let mut found = BTreeSet::new();
    for line in export.text().lines() {
        let entry: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let message = entry["message"].as_str().unwrap_or_default().to_owned();
        ensure(!found.contains(&message), || format!("{message} is doubled"))?;
        found.insert(message);
    }
    ensure(found.remove(&probe), || "the last one is lost".to_owned())?;
    // Those of other tests, which the word below does not find.
    found.retain(|message| !message.starts_with("settled") && !message.starts_with("needle"));
    let counted = total["total"].as_u64().unwrap_or(0);
    ensure(counted == found.len() as u64 + 1, || {
        format!("{} entries are exported, {} are found by a word", found.len(), counted - 1)
    })?;
    Ok(found)
}
