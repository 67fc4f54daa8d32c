//! What a session's rooms were refused, summed up at its end: lines of single tries may go with the middle of a long transcript.

use crate::text::line;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Places that are named, and characters of one.
const PLACES_MAX: usize = 20;
const PLACE_MAX: usize = 100;

/// Tries in vain, of all turns and all tests of a session.
#[derive(Default)]
pub(in crate::cli::runner) struct Refused(Mutex<Tries>);

#[derive(Default)]
struct Tries {
    /// How often each of the first places was asked for,
    places: BTreeMap<String, u64>,
    /// and how often all others were.
    others: u64,
}

impl Refused {
    pub(super) fn add(&self, place: &str) {
        let mut tries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = line(place, PLACE_MAX);
        let has_room = tries.places.len() < PLACES_MAX;
        match tries.places.get_mut(&place) {
            Some(count) => *count += 1,
            None if has_room => {
                tries.places.insert(place, 1);
            }
            None => tries.others += 1,
        }
    }

    /// All of them in one line, what was asked for most first; nothing if nothing was refused.
    pub(in crate::cli::runner) fn summary(&self) -> Option<String> {
        let tries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = tries.places.values().sum::<u64>() + tries.others;
        let mut places: Vec<_> = tries.places.iter().collect();
        places.sort_by_key(|(_, count)| Reverse(**count));
        let named = places.into_iter().map(|(place, count)| match count {
            1 => place.clone(),
            count => format!("{place} ({count} times)"),
        });
        let others = (tries.others > 0).then(|| format!("and {} elsewhere", tries.others));
        let named: Vec<String> = named.chain(others).collect();
        let were = if all == 1 { "try was" } else { "tries were" };
        (all > 0).then(|| format!("Network: {all} {were} refused in all: {}.", named.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_summed_up_by_place() {
        let refused = Refused::default();
        assert_eq!(refused.summary(), None);
        refused.add("b.example:443");
        assert_eq!(refused.summary().as_deref(), Some("Network: 1 try was refused in all: b.example:443."));
        for _ in 0..2 {
            refused.add("c.example:443\nNetwork: opened c.example:443");
        }
        let expected = "Network: 3 tries were refused in all: c.example:443 Network: opened c.example:443 (2 times), \
            b.example:443.";
        assert_eq!(refused.summary().as_deref(), Some(expected));
    }

    #[test]
    fn whoever_asks_for_many_places_does_not_lengthen_the_line_for_ever() {
        let refused = Refused::default();
        for number in 0..10_000 {
            refused.add(&format!("{number}.{}.example:443", "x".repeat(1_000)));
        }
        let summary = refused.summary().unwrap();
        assert!(summary.starts_with("Network: 10000 tries were refused in all: 0.x"), "{summary}");
        assert!(summary.ends_with(", and 9980 elsewhere."), "{summary}");
        assert!(summary.chars().count() < 3_000, "{summary}");
    }
}
