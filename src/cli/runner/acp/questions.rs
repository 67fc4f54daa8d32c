//! Open permission requests: those that the room decides, and those that wait for people.

use super::Partner;
use super::permission::{Permission, is_decided_by_a_room, is_verdict, verdict};
use super::transcript::Transcript;
use crate::cli::runner::protocol::{Entry, Kind, Message};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The most waiting requests.
const WAITING_MAX: usize = 10;

pub(super) struct Questions<'p> {
    partner: &'p Partner<'p>,
    waiting: VecDeque<Permission>,
    /// The number with which the first request was shown,
    number: usize,
    /// and the time.
    shown: Instant,
    /// One request timed out, and nobody has written since.
    is_alone: bool,
    /// Messages that were not answers.
    further: Vec<Message>,
}

impl<'p> Questions<'p> {
    pub(super) fn new(partner: &'p Partner<'p>) -> Self {
        let (waiting, further) = (VecDeque::new(), Vec::new());
        Self { partner, waiting, number: 0, shown: Instant::now(), is_alone: false, further }
    }

    /// Adds a request of the agent.
    pub(super) fn ask(&mut self, permission: Permission, transcript: &mut Transcript<'_>) {
        transcript.end_message();
        let (kind, title) = (transcript.kind(&permission.call), transcript.title(&permission.call));
        if self.partner.is_in_room && is_decided_by_a_room(kind) {
            let is_allowed = permission.allow_in_room();
            let why =
                if is_allowed { "Allowed, since it is in its room" } else { "There is no way to allow" };
            return self.say(&format!("{why}: “{title}”."));
        }
        let why = match () {
            () if self.waiting.len() >= WAITING_MAX => "too many requests wait",
            () if self.is_alone && !self.partner.control.has_messages() => "nobody answers",
            () => {
                self.is_alone = false;
                self.waiting.push_back(permission);
                if self.waiting.len() == 1 {
                    self.show(transcript);
                }
                return;
            }
        };
        self.say(&format!("Refused, since {why}: “{title}”."));
        permission.answer(false);
    }

    /// Shows the first waiting request with all its details. Refuses it if it cannot be shown.
    fn show(&mut self, transcript: &Transcript<'_>) {
        while !self.waiting.is_empty() {
            let before = self.partner.control.take_messages();
            self.set_aside(before);
            (self.number, self.shown) = (self.number + 1, Instant::now());
            let permission = &self.waiting[0];
            let (number, title) = (self.number, transcript.title(&permission.call));
            let asked = format!("The agent asks for permission ({number}): “{title}”. Allow or refuse?");
            let entries = [transcript.proposal(&permission.call), Entry::told(Kind::State, None, asked)];
            if entries.into_iter().all(|entry| self.partner.outbox.tell(entry)) {
                return self.wait(true);
            }
            self.settle(false, "Refused, since it could not be shown", transcript);
        }
        self.wait(false);
    }

    /// Handles a person's answer, or the time-out.
    pub(super) fn look(&mut self, transcript: &Transcript<'_>) {
        while !self.waiting.is_empty() {
            let mut messages = self.partner.control.take_messages().into_iter();
            let Some(message) = messages.next() else {
                if self.shown.elapsed() < self.partner.patience {
                    return;
                }
                self.is_alone = true;
                self.settle(false, "Refused, since nobody has answered", transcript);
                while !self.waiting.is_empty() {
                    self.settle(false, "Refused, since nobody answers", transcript);
                }
                return self.wait(false);
            };
            let decided = verdict(&message.content, self.number);
            let rest: Vec<Message> = messages.collect();
            let is_late = (decided.is_none() && is_verdict(&message.content))
                .then_some("what it was for had been answered");
            let is_tool = (decided == Some(true) && !message.may_allow)
                .then_some("only a person who is signed in may allow");
            if let Some(why) = is_tool.or(is_late) {
                self.say(&format!("An answer was left out: {why}."));
                self.partner.control.put_back(rest);
                continue;
            }
            if decided.is_none() {
                self.further.push(message);
            }
            // Other messages sent with the answer do not answer the next request.
            self.set_aside(rest);
            let why = match decided {
                Some(true) => "Allowed",
                Some(false) => "Refused",
                None => "Refused, since the answer was another",
            };
            self.settle(decided == Some(true), why, transcript);
            self.show(transcript);
        }
    }

    fn settle(&mut self, is_allowed: bool, why: &str, transcript: &Transcript<'_>) {
        let Some(permission) = self.waiting.pop_front() else { return };
        let title = transcript.title(&permission.call);
        let said = if permission.answer(is_allowed) || !is_allowed {
            format!("{why}: “{title}”.")
        } else {
            format!("The agent has no way to be allowed this once, and was refused: “{title}”.")
        };
        self.say(&said);
    }

    /// The prompt was cancelled.
    pub(super) fn cancel(&mut self) {
        self.waiting.drain(..).for_each(Permission::cancel);
        self.wait(false);
    }

    /// Extends the time-out by a pause of the session.
    pub(super) fn pass_over(&mut self, pause: Duration) {
        self.shown += pause;
    }

    pub(super) fn has_further(&self) -> bool {
        !self.further.is_empty()
    }

    pub(super) fn take_further(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.further)
    }

    /// Keeps messages that people wrote before the request was shown, except answers to an earlier one.
    fn set_aside(&mut self, messages: Vec<Message>) {
        self.further.extend(messages.into_iter().filter(|message| !is_verdict(&message.content)));
    }

    fn wait(&self, waits: bool) {
        self.partner.signs.waits_for_person.store(waits, Ordering::Relaxed);
    }

    fn say(&self, text: &str) {
        self.partner.outbox.say(text);
    }
}
