//! What a run sends to the server: its output, and its end.

use super::{Run, RunResult};
use crate::cli::runner::protocol::Finish;
use crate::cli::runner::server::{Pauses, Refusal, Server};
use serde::Serialize;
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end is reported again while the server cannot be reached.
const REPORTED: Duration = Duration::from_mins(30);
/// How long the last request of a report may take.
const LAST: Duration = Duration::from_secs(1);
/// How long the sender waits for output at a time.
const QUIET: Duration = Duration::from_secs(1);

impl Run<'_> {
    /// Sends output until it ends. A failed batch is sent again; the server counts it once by its number.
    pub(super) fn send(&self) {
        let (mut sequence, mut pauses) = (0_u64, Pauses::new());
        while let Some(entries) = self.outbox.next(QUIET) {
            if entries.is_empty() {
                continue;
            }
            let body = json!({ "lease": self.job.lease, "sequence": sequence, "entries": entries });
            match self.server.post::<Value>(&self.path("output"), &body) {
                Ok(_) => {
                    sequence += entries.len() as u64;
                    self.outbox.sent(entries.len());
                    pauses = Pauses::new();
                }
                Err(Refusal::Lost(_) | Refusal::Token(_)) => {
                    self.control.lose();
                    return self.outbox.lose();
                }
                Err(Refusal::Final(why)) => {
                    // The server refuses these entries, but may accept others.
                    crate::cli::note(&format!("{}: output was refused: {why}", self.job.session_id));
                    self.outbox.sent(entries.len());
                }
                Err(refusal) => thread::sleep(pauses.next(&refusal)),
            }
        }
    }

    /// Reports the end; see [`report`].
    pub(super) fn finish(&self, done: RunResult) -> bool {
        let mask = |text: String| self.masker.mask(&text);
        let told = std::mem::take(&mut *self.told());
        let finish = Finish {
            lease: self.job.lease.clone(),
            seen: self.control.heard(),
            outcome: done.outcome,
            exit_code: done.exit_code,
            reason: done.reason.map(mask),
            branch: done.branch,
            head_commit: done.head,
            base_commit: done.base,
            files_changed: done.files,
            summary: told.summary.map(mask),
            title: told.title.map(mask),
            pull_request_url: told.pull_request_url,
            patch: done.patch,
            held: done.held,
            held_commit: done.held_commit,
            cost_usd: Some(self.usage.cost(told.cost_usd)).filter(|cost| *cost > 0.0),
            tokens: self.usage.tokens(),
        };
        report(self.server, &self.job.session_id, &finish, REPORTED)
    }
}

/// Reports a session's end until the server has received it, for `most` (at least one second for the last request).
/// Returns whether it has.
pub(super) fn report(server: &Server, session: &str, end: &impl Serialize, most: Duration) -> bool {
    let path = format!("sessions/{session}/finish");
    let (started, mut pauses) = (Instant::now(), Pauses::new());
    let left = || most.saturating_sub(started.elapsed());
    loop {
        match server.post_within::<Value>(&path, end, left().max(LAST)) {
            Ok(_) => return true,
            Err(refusal @ Refusal::Passing { .. }) if !left().is_zero() => {
                thread::sleep(pauses.next(&refusal).min(left()));
            }
            Err(refusal) => {
                crate::cli::note(&format!("{session}: {}", refusal.text()));
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::sync::Arc;

    #[test]
    fn a_silent_server_holds_up_a_report_no_longer_than_the_report_may_take() {
        // Nobody accepts its connections.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", silent.local_addr().unwrap());
        let server = Server::new(&url, "rt_x", Arc::new(tokio::runtime::Runtime::new().unwrap())).unwrap();
        let started = Instant::now();
        assert!(!report(&server, "session", &json!({}), Duration::from_millis(100)));
        assert!(started.elapsed() < Duration::from_secs(15), "less than one request may take");
    }
}
