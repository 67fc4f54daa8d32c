//! A thread that renews a session's lease and receives what people and the server want of the session.

use super::git::Check;
use super::protocol::{Message, Mode, Renewed, Wanted};
use super::room::usage::Usage;
use super::server::{Pauses, Refusal, Server};
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
    pause: AtomicBool,
    /// The session may only read, so nothing may be pushed.
    reads: AtomicBool,
    /// The runner is stopping.
    pub(super) hand_back: AtomicBool,
    messages: Mutex<Messages>,
    usage: OnceLock<Arc<Usage>>,
    renewing: Mutex<Renewing>,
    changed: Condvar,
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
        self.pause.load(Ordering::Relaxed)
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

    /// Takes the messages for a run that is about to end. If there are none, no message is acknowledged from then on.
    pub(super) fn last_messages(&self) -> Vec<Message> {
        let mut messages = self.messages();
        messages.is_over = messages.new.is_empty();
        std::mem::take(&mut messages.new)
    }

    fn messages(&self) -> MutexGuard<'_, Messages> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
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
            let body = self.renewal(lease);
            let answer = server.post::<Renewed>(&format!("sessions/{session}/renew"), &body);
            match answer {
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
            let body = self.renewal(lease);
            match server.post::<Renewed>(&format!("sessions/{session}/renew"), &body) {
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

    fn hear(&self, renewed: Renewed) {
        self.set_mode(renewed.mode);
        match renewed.wanted {
            Some(Wanted::Stop) => self.stop.store(true, Ordering::Relaxed),
            Some(Wanted::Pause) => self.pause.store(true, Ordering::Relaxed),
            Some(Wanted::Resume) => self.pause.store(false, Ordering::Relaxed),
            None => {}
        }
        self.hear_messages(renewed.messages);
    }
}

fn interval(lease_seconds: u64) -> Duration {
    ASK.min(Duration::from_secs(lease_seconds) / 3).max(Duration::from_millis(500))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: i64) -> Message {
        Message { id, content: id.to_string(), may_allow: true }
    }

    #[test]
    fn a_phase_is_sent_at_once_and_with_each_renewal() {
        let control = Control::default();
        assert_eq!(control.renewal("l")["phase"], Value::Null);
        control.say_phase("working");
        let asked = Instant::now();
        assert!(!control.ends_within(Duration::from_secs(60)));
        assert!(asked.elapsed() < Duration::from_secs(30), "nothing was awaited");
        assert_eq!(control.renewal("l")["phase"], "working");
        assert_eq!(control.renewal("l")["phase"], "working");
        control.end();
        assert!(control.ends_within(Duration::ZERO));
    }

    #[test]
    fn a_message_is_given_to_a_turn_or_not_acknowledged() {
        let control = Control::default();
        control.hear_messages(vec![message(3), message(5)]);
        control.hear_messages(vec![message(5)]);
        assert_eq!(control.take_messages().len(), 2);
        // A message that arrives during the delivery gets a turn,
        control.hear_messages(vec![message(6)]);
        assert_eq!((control.last_messages().len(), control.heard()), (1, 6));
        control.hear_messages(vec![message(7)]);
        assert_eq!((control.last_messages().len(), control.heard()), (1, 7));
        // and a later one is left to the server.
        assert!(control.last_messages().is_empty());
        control.hear_messages(vec![message(8)]);
        assert!(control.take_messages().is_empty());
        assert_eq!(control.heard(), 7);
    }
}
