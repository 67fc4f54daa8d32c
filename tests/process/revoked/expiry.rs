//! Nothing signals that a session or a token has expired: each stream checks for it.

use super::places::{Place, busy};
use super::streams::{Open, STREAMS};
use super::ways;
use crate::report::{Outcome, Report, broken, kept};

/// A session and a token that expire.
fn expired(sabotaged: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let clock = folder.path().join("clock");
    std::fs::write(&clock, "0").unwrap();
    let environment = [("MAYDAY_CLOCK_OFFSET", clock.to_str().unwrap()), ("MAYDAY_SABOTAGE", sabotaged)];
    let place = Place::of_one_organization(&environment);
    busy(&place, || {
        let mut open = Vec::new();
        for client in ways::expiring(&place) {
            for (_, kind) in STREAMS {
                open.push(Open::new(&place, &client, kind)?);
            }
        }
        std::fs::write(&clock, ways::AFTER_EXPIRY.to_string()).unwrap();
        let count = open.len();
        open.into_iter().try_for_each(Open::ends_at_the_next_heartbeat)?;
        Ok(Report::default().with("streams that ended", count))
    })
}

#[test]
fn streams_end_soon_after_access_expires() {
    kept(expired(""));
}

#[test]
fn access_that_does_not_expire_is_noticed() {
    broken(expired("access_for_ever"), "after it had expired");
}
