//! Limits how much of each kind one target gets: invitations, which others send, must not block a link to set a new
//! password.

use super::Channel;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_hours(1);

/// Channel, target and kind.
type CapKey = (Channel, String, String);

/// The times of recent deliveries to each target, within the last hour. Kept in memory, so a restart starts over.
#[derive(Debug, Default)]
pub(super) struct Caps(HashMap<CapKey, VecDeque<Instant>>);

impl Caps {
    /// Counts a delivery, or returns how long it has to wait.
    pub(super) fn take(
        &mut self,
        channel: Channel,
        target: &str,
        kind: &str,
        now: Instant,
    ) -> Result<(), Duration> {
        self.forget(now);
        let times = self.0.entry((channel, target.to_owned(), kind.to_owned())).or_default();
        match times.front() {
            Some(first) if times.len() >= channel.limits().each_hour => {
                Err(HOUR.saturating_sub(now.saturating_duration_since(*first)).max(Duration::from_secs(1)))
            }
            _ => {
                times.push_back(now);
                Ok(())
            }
        }
    }

    /// Uncounts a delivery that did not arrive.
    pub(super) fn give_back(&mut self, channel: Channel, target: &str, kind: &str) {
        if let Some(times) = self.0.get_mut(&(channel, target.to_owned(), kind.to_owned())) {
            times.pop_back();
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
