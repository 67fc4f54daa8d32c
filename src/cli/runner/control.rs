//! A thread that renews a session's lease and receives what people and the server want of the session.

use super::git::Check;
use super::protocol::{Message, Mode, Renewed, SessionCommand};
use super::room::usage::Usage;
use super::server::{self, Pauses, Refusal, Server};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often the lease is renewed at the latest, which also receives messages. A short lease is renewed earlier.
const ASK: Duration = Duration::from_secs(5);

/// The state of a session, shared with its run.
#[derive(Default)]
pub(super) struct Control {
    /// Another runner has the session, or nobody: nothing may be pushed or reported.
    lost: AtomicBool,
    /// People requested a stop.
    stop: AtomicBool,
    pause: Mutex<Pause>,
    /// The session may only read, so nothing may be pushed.
    reads: AtomicBool,
    /// The runner is stopping.
    pub(super) hand_back: AtomicBool,
    messages: Mutex<Messages>,
    usage: OnceLock<Arc<Usage>>,
    renewing: Mutex<Renewing>,
    changed: Condvar,
}

/// The pauses of a session.
#[derive(Default)]
struct Pause {
    /// Since when it is paused.
    since: Option<Instant>,
    /// How long those that are over took.
    before: Duration,
}

/// The state of the renewing thread.
#[derive(Default)]
struct Renewing {
    /// What the run is doing now.
    phase: Option<&'static str>,
    /// Something is to be sent before the next renewal is due.
    is_due: bool,
    is_over: bool,
}

/// Messages from people.
#[derive(Default)]
struct Messages {
    /// Those that no turn has received.
    new: Vec<Message>,
    /// The highest id ever received.
    heard: i64,
    /// There are no more turns: further messages are not acknowledged.
    is_over: bool,
}

/// Why a run must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    Lost,
    Stopped,
    HandedBack,
}

impl Control {
    pub(super) fn halt(&self) -> Option<Halt> {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        match () {
            () if is(&self.lost) => Some(Halt::Lost),
            () if is(&self.stop) => Some(Halt::Stopped),
            () if is(&self.hand_back) => Some(Halt::HandedBack),
            () => None,
        }
    }

    pub(super) fn lose(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    pub(super) fn set_mode(&self, mode: Mode) {
        self.reads.store(mode == Mode::Read, Ordering::Relaxed);
    }

    /// Sets the usage that is sent with each renewal.
    pub(super) fn set_usage(&self, usage: Arc<Usage>) {
        drop(self.usage.set(usage));
    }

    fn renewal(&self, lease: &str) -> Value {
        let mut body = json!({ "lease": lease, "seen": self.heard() });
        if let Some(phase) = self.renewing().phase {
            body["phase"] = json!(phase);
        }
        if let Some(usage) = self.usage.get() {
            (body["tokens"], body["cost_usd"]) = (json!(usage.tokens()), json!(usage.cost(None)));
        }
        body
    }

    pub(super) fn only_reads(&self) -> bool {
        self.reads.load(Ordering::Relaxed)
    }

    pub(super) fn is_paused(&self) -> bool {
        self.pause().since.is_some()
    }

    /// How long the session has been paused, all in all.
    pub(super) fn paused(&self) -> Duration {
        let pause = self.pause();
        pause.before + pause.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn end_pause(&self) {
        let mut pause = self.pause();
        let took = pause.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        pause.before += took;
    }

    fn pause(&self) -> MutexGuard<'_, Pause> {
        self.pause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the messages that have arrived.
    pub(super) fn take_messages(&self) -> Vec<Message> {
        std::mem::take(&mut self.messages().new)
    }

    /// Puts back messages that the agent was not given; they come first again.
    pub(super) fn put_back(&self, messages: Vec<Message>) {
        drop(self.messages().new.splice(..0, messages));
    }

    /// Whether there are messages that no turn has received.
    pub(super) fn has_messages(&self) -> bool {
        !self.messages().new.is_empty()
    }

    /// Takes the messages for a run that is about to end, with those that the server still has. If there are none, no
    /// message is acknowledged from then on.
    pub(super) fn last_messages(&self, server: &Server, session: (&str, &str)) -> Vec<Message> {
        self.fetch_messages(server, session);
        let mut messages = self.messages();
        messages.is_over = messages.new.is_empty();
        std::mem::take(&mut messages.new)
    }

    fn messages(&self) -> MutexGuard<'_, Messages> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews the lease until no more messages come, because the server sends only some at once. If it cannot be
    /// reached, those that it has come too late.
    fn fetch_messages(&self, server: &Server, (session, lease): (&str, &str)) {
        while self.halt().is_none() {
            // The renewing thread may hear the same ones first.
            let before = self.heard();
            match self.post(server, session, lease) {
                Ok(Some(renewed)) => self.hear(renewed),
                Err(Refusal::Lost(_) | Refusal::Token(_)) => return self.lose(),
                Ok(None) | Err(_) => return,
            }
            if self.heard() == before {
                return;
            }
        }
    }

    /// Keeps new messages: the server repeats all of them until they are acknowledged.
    pub(super) fn hear_messages(&self, messages: Vec<Message>) {
        let mut known = self.messages();
        for message in messages {
            if message.id > known.heard && !known.is_over {
                known.heard = message.id;
                known.new.push(message);
            }
        }
    }

    pub(super) fn heard(&self) -> i64 {
        self.messages().heard
    }

    /// Stops the renewing thread.
    pub(super) fn end(&self) {
        self.renewing().is_over = true;
        self.changed.notify_all();
    }

    fn renewing(&self) -> MutexGuard<'_, Renewing> {
        self.renewing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is stopped, or something is to be sent; returns whether it is stopped.
    fn ends_within(&self, wait: Duration) -> bool {
        let is_idle = |renewing: &mut Renewing| !renewing.is_over && !renewing.is_due;
        let waited = self.changed.wait_timeout_while(self.renewing(), wait, is_idle);
        let (mut renewing, _) = waited.unwrap_or_else(PoisonError::into_inner);
        renewing.is_due = false;
        renewing.is_over
    }

    /// Renews the lease until the run has ended or lost the session. The run goes on while the server cannot be
    /// reached: only its answer shows whether another runner has got the session.
    pub(super) fn renew(&self, server: &Server, session: &str, lease: &str, lease_seconds: u64) {
        let mut every = interval(lease_seconds);
        let mut pauses = Pauses::new();
        let mut wait = every;
        while !self.ends_within(wait) {
            let asked = Instant::now();
            match self.post(server, session, lease) {
                Ok(Some(renewed)) => {
                    every = interval(renewed.lease_seconds);
                    pauses = Pauses::new();
                    wait = every.saturating_sub(asked.elapsed());
                    self.hear(renewed);
                }
                Err(Refusal::Lost(_) | Refusal::Token(_)) => return self.lose(),
                Err(refusal) => wait = pauses.next(&refusal).min(every),
                Ok(None) => wait = every,
            }
        }
    }

    /// Reports what the run is doing, now and with each renewal, without waiting.
    pub(super) fn say_phase(&self, phase: &'static str) {
        let mut renewing = self.renewing();
        (renewing.phase, renewing.is_due) = (Some(phase), true);
        self.changed.notify_all();
    }

    /// Makes sure that this runner still has the session. Waits for the server as long as `check` succeeds.
    ///
    /// # Errors
    /// If it does not, or `check` fails.
    pub(super) fn confirm(
        &self,
        server: &Server,
        (session, lease): (&str, &str),
        check: Check<'_>,
    ) -> Result<(), String> {
        let mut pauses = Pauses::new();
        loop {
            check()?;
            match self.post(server, session, lease) {
                Ok(renewed) => {
                    renewed.into_iter().for_each(|renewed| self.hear(renewed));
                    return check();
                }
                Err(Refusal::Lost(_) | Refusal::Token(_)) => {
                    self.lose();
                    return Err("the session is no longer this runner's".to_owned());
                }
                Err(refusal) => std::thread::sleep(pauses.next(&refusal).min(ASK)),
            }
        }
    }

    /// Renews the lease once.
    fn post(&self, server: &Server, session: &str, lease: &str) -> server::Result<Option<Renewed>> {
        server.post(&format!("sessions/{session}/renew"), &self.renewal(lease))
    }

    /// Does what an answer says. If it brings messages, the lease is renewed again at once: there may be more.
    fn hear(&self, renewed: Renewed) {
        self.set_mode(renewed.mode);
        match renewed.wanted {
            Some(SessionCommand::Stop) => {
                self.stop.store(true, Ordering::Relaxed);
                self.end_pause();
            }
            Some(SessionCommand::Pause) => {
                self.pause().since.get_or_insert_with(Instant::now);
            }
            Some(SessionCommand::Resume) => self.end_pause(),
            None => {}
        }
        let before = self.heard();
        self.hear_messages(renewed.messages);
        if self.heard() > before {
            self.renewing().is_due = true;
            self.changed.notify_all();
        }
    }
}

fn interval(lease_seconds: u64) -> Duration {
    ASK.min(Duration::from_secs(lease_seconds) / 3).max(Duration::from_millis(500))
}

#[cfg(test)]
mod tests;
