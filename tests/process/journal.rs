//! What was sent and what was acknowledged, and the oracle: acknowledged ⊆ found ⊆ sent, each once.

use crate::support::project::fresh_id;
use crate::support::{Client, Project, Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Below this a run under faults proves nothing.
const ACKNOWLEDGED_PER_SECOND: f64 = 50.0;

#[derive(Default)]
pub(crate) struct Journal {
    sent: Mutex<BTreeSet<String>>,
    acknowledged: Mutex<BTreeSet<String>>,
    /// Refusals that are neither an acknowledgement nor "come again": there must be none.
    wrong: Mutex<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal {
    pub(crate) fn acknowledged(&self) -> usize {
        lock(&self.acknowledged).len()
    }

    /// Sends from several clients at once until `until` returns, which ends the server in some way.
    /// How long the server took events.
    pub(crate) fn stream(&self, client: &Client, key: &str, until: impl FnOnce()) -> Duration {
        let stop = AtomicBool::new(false);
        let start = Instant::now();
        std::thread::scope(|scope| {
            for number in 0..6 {
                let stop = &stop;
                // Every third sends batches.
                let batch = if number % 3 == 0 { 10 } else { 1 };
                scope.spawn(move || while !stop.load(Ordering::Relaxed) && self.send(client, key, batch) {});
            }
            until();
            stop.store(true, Ordering::Relaxed);
            start.elapsed()
        })
    }

    /// Sends events; `false` when the server is gone.
    fn send(&self, client: &Client, key: &str, count: usize) -> bool {
        let ids: Vec<String> = (0..count).map(|_| fresh_id()).collect();
        lock(&self.sent).extend(ids.iter().cloned());
        let event = |id: &String| json!({"api_key": key, "event_id": id, "message": "under fire", "extra": {"pad": "x".repeat(300)}});
        let events: Vec<Value> = ids.iter().map(event).collect();
        let request = match events.as_slice() {
            [event] => client.post("/api/v1/errors").json(event),
            _ => client.post("/api/v1/errors/batch").json(&json!(events)),
        };
        match request.try_send() {
            Err(_) => false,
            Ok(answer) if answer.status() == 202 => {
                lock(&self.acknowledged).extend(ids);
                true
            }
            // Stopping or full: nothing of it is stored, and that is said.
            Ok(answer) if answer.status() == 503 && answer.header("retry-after").is_some() => true,
            Ok(answer) => {
                lock(&self.wrong).push(format!("{answer:?}"));
                true
            }
        }
    }

    /// Holds the oracle against what the API shows.
    pub(crate) fn check(&self, project: &Project) {
        assert_eq!(*lock(&self.wrong), [""; 0]);
        // A last one: all before it have been digested once it is there.
        project.digest(&json!({"message": "under fire"}));
        let (sent, acknowledged) = (lock(&self.sent), lock(&self.acknowledged));
        let is_there = |id: &&String| {
            let path = format!("/api/v1/events/{id}?project_id={}", project.id);
            project.owner.get(&path).send().status() == 200
        };
        let lost: Vec<&String> = acknowledged.iter().filter(|id| !is_there(id)).collect();
        assert!(
            lost.is_empty(),
            "{} of {} acknowledged events are lost: {lost:?}",
            lost.len(),
            acknowledged.len()
        );
        let found = acknowledged.len() + sent.difference(&acknowledged).filter(is_there).count();
        let issue = project.issue();
        assert_eq!(issue["event_count"], found + 1, "counted otherwise than found");
        let events =
            project.owner.get(&format!("{}/events?limit=1", project.issue_path(&issue))).send().expect(200);
        assert_eq!(events["total"], found + 1);
    }

    pub(crate) fn check_rate(&self, elapsed: Duration) {
        let rate = self.acknowledged() as f64 / elapsed.as_secs_f64();
        eprintln!("{} acknowledged in {elapsed:?}: {rate:.0} a second", self.acknowledged());
        assert!(rate >= ACKNOWLEDGED_PER_SECOND, "{rate:.0} acknowledged a second prove nothing");
    }
}
