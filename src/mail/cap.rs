//! Limits how much mail of each kind one person gets: invitations, which others send, must not block a link
//! to set a new password.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Mails of a kind to one recipient within any hour; further ones wait. Kept in memory, so a restart starts
/// over.
pub const PER_HOUR: usize = 60;
const HOUR: Duration = Duration::from_hours(1);

/// When mail was sent to whom within the last hour.
#[derive(Default)]
pub struct Caps(HashMap<(String, String), VecDeque<Instant>>);

impl Caps {
    /// Counts a mail, or says how long it has to wait.
    pub fn take(&mut self, recipient: &str, kind: &str, now: Instant) -> Result<(), Duration> {
        self.forget(now);
        let times = self.0.entry((recipient.to_owned(), kind.to_owned())).or_default();
        match times.front() {
            Some(first) if times.len() >= PER_HOUR => {
                Err(HOUR.saturating_sub(now.saturating_duration_since(*first)).max(Duration::from_secs(1)))
            }
            _ => {
                times.push_back(now);
                Ok(())
            }
        }
    }

    fn forget(&mut self, now: Instant) {
        self.0.retain(|_, times| {
            while times.front().is_some_and(|first| now.saturating_duration_since(*first) >= HOUR) {
                times.pop_front();
            }
            !times.is_empty()
        });
    }
}
