//! How far a browser's clock is off the server's.
//!
//! A client may say, by its own clock, when it sends a part. Then the difference is known but for the time that the
//! quickest request was on its way. A single request may have been held up for some seconds, so a second part has to
//! agree that a clock is behind, unless that is by more than requests are held up.
//!
//! Of other clients, the receipt of their parts has to show it. No part arrives before its last event has happened: where
//! the times say so, the browser's clock is ahead, by at least that much. A part that arrives late proves nothing by
//! itself, since it may have been gathered for a while, sent again, or kept while the page was offline; what was kept
//! arrives all at once. Parts that keep arriving equally late are those of a clock that is behind.

use crate::time::{MINUTE, SECOND};

/// How far off a clock has to be, in milliseconds, where the client says when it sends: more than requests are usually on
/// their way.
const TOLD_MIN: i64 = 2 * SECOND;
/// Milliseconds by which what two parts say may differ for them to agree.
const TOLD_EQUAL: i64 = 2 * SECOND;
/// How far behind, in milliseconds, a clock is on the word of one part: more than a single request is held up.
const TOLD_ALONE: i64 = 15 * SECOND;

/// How far ahead a clock has to be, in milliseconds: more than entries are gathered and on their way, so that those of the
/// page can be told from those of servers.
const AHEAD_MIN: i64 = 15 * SECOND;
/// How far behind, in milliseconds: above what gathering, retries and slow networks usually take.
const BEHIND_MIN: i64 = MINUTE;
/// Milliseconds by which delays may differ that count as equal: recorders gather for five seconds.
const EQUAL: i64 = 10 * SECOND;
/// Parts with equal delays that it takes, and the milliseconds over which they have to arrive.
const PARTS_MIN: usize = 3;
const PERIOD_MIN: i64 = MINUTE;

/// Milliseconds by which clocks of servers differ: an event may seem to be received as much before it happened.
const SKEW: i64 = 2_500;
/// How long what a page says is gathered and on its way, in milliseconds.
const GATHERED: i64 = 6 * SECOND;
/// By how much, in milliseconds, an event may be less late than the parts if the difference was told, and if it was
/// estimated: parts are gathered for a while.
const SOONER_TOLD: i64 = SECOND;
const SOONER_ESTIMATED: i64 = 15 * SECOND;

/// When the last event of a part happened, by the browser's clock, and when the part was received, by the server's; in
/// milliseconds since the epoch.
pub struct Receipt {
    pub last_at: i64,
    pub received_at: i64,
}

/// How far the browser's clock is behind the server's, in milliseconds; below zero, ahead: by the two least differences
/// that its client told, in order. `None` if they do not show any. Of a clock that was set meanwhile, the time counts at
/// which it was furthest ahead.
pub fn told(differences: &[i64]) -> Option<i64> {
    let (&least, others) = differences.split_first()?;
    // No request arrives before it is sent.
    let is_ahead = least <= -TOLD_MIN;
    let is_agreed = || others.first().is_some_and(|next| next - least <= TOLD_EQUAL);
    let is_behind = || least >= TOLD_ALONE || (least >= TOLD_MIN && is_agreed());
    (is_ahead || is_behind()).then_some(least)
}

/// The same of a client that did not say when it sent anything: the least delay between a part's last event and its
/// receipt.
pub fn estimated(receipts: &[Receipt]) -> Option<i64> {
    let delay =
        |receipt: &Receipt| Delay { of: receipt.received_at - receipt.last_at, at: receipt.received_at };
    let delays: Vec<Delay> = receipts.iter().map(delay).collect();
    let least = delays.iter().map(|delay| delay.of).min()?;
    let is_behind = || least >= BEHIND_MIN && is_steady(&delays, least);
    (least <= -AHEAD_MIN || is_behind()).then_some(least)
}

/// How late a part arrived, and when.
struct Delay {
    of: i64,
    at: i64,
}

/// Whether parts kept arriving about as late as the least late one.
fn is_steady(delays: &[Delay], least: i64) -> bool {
    let equal: Vec<i64> =
        delays.iter().filter(|delay| delay.of - least <= EQUAL).map(|delay| delay.at).collect();
    let period = equal.iter().max().zip(equal.iter().min()).map_or(0, |(last, first)| last - first);
    equal.len() >= PARTS_MIN && period >= PERIOD_MIN
}

/// When an event happened by the browser's clock, in milliseconds since the epoch. One that was received about as early or
/// late as the parts were goes by that clock; another one, and one whose time was replaced, goes by the server's.
pub fn by_browser(at: i64, received_at: i64, lag: Option<i64>) -> i64 {
    let Some(lag) = lag else { return at };
    let delay = received_at - at;
    let is_browsers = if lag < 0 {
        delay < (lag + GATHERED).max(-SKEW)
    } else {
        delay >= lag - if lag < BEHIND_MIN { SOONER_TOLD } else { SOONER_ESTIMATED }
    };
    if is_browsers { at } else { at - lag }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_client_says_counts_from_two_seconds_on_by_the_quickest_request() {
        assert_eq!(told(&[-2_000, -1_300]), Some(-2_000));
        assert_eq!(told(&[2_100, 2_400]), Some(2_100));
        assert_eq!(told(&[1_999, 40_000]), None, "one was on its way for long");
        assert_eq!(told(&[-1_999]), None);
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn one_part_that_was_held_up_does_not_make_a_clock_late() {
        assert_eq!(told(&[9_000]), None);
        assert_eq!(told(&[14_999]), None);
        assert_eq!(told(&[15_000]), Some(15_000), "no request is held up for so long");
        assert_eq!(told(&[-9_000]), Some(-9_000), "none arrives before it is sent");
        assert_eq!(told(&[4_000, 6_001]), None, "both were held up");
        assert_eq!(told(&[4_000, 6_000]), Some(4_000), "two agree");
    }

    /// Parts by the seconds of their last event and of their receipt.
    fn of(parts: &[(i64, i64)]) -> Option<i64> {
        let receipt = |(last, received): &(i64, i64)| Receipt {
            last_at: last * SECOND,
            received_at: received * SECOND,
        };
        estimated(&parts.iter().map(receipt).collect::<Vec<_>>()).map(|lag| lag / SECOND)
    }

    #[test]
    fn a_clock_is_ahead_where_a_part_arrives_before_it_happened() {
        assert_eq!(of(&[(1_000, 820)]), Some(-180));
        assert_eq!(of(&[(1_000, 1_010), (1_010, 840), (1_200, 1_021)]), Some(-179), "the least");
        assert_eq!(of(&[(1_000, 985)]), Some(-15));
        assert_eq!(of(&[(1_000, 986)]), None, "that may be any two clocks");
        assert_eq!(of(&[(4_000_000_000, 0)]), Some(-4_000_000_000));
    }

    #[test]
    fn a_clock_is_behind_where_parts_keep_arriving_equally_late() {
        assert_eq!(of(&[(0, 183), (30, 210), (35, 221), (65, 246)]), Some(180));
        // One was sent again much later.
        assert_eq!(of(&[(0, 183), (5, 900), (30, 210), (65, 245)]), Some(180));
        assert_eq!(of(&[(0, 59), (30, 89), (60, 119)]), None, "less than a minute");
        assert_eq!(of(&[(0, 183), (60, 243)]), None, "two parts");
        assert_eq!(of(&[(0, 183), (5, 188), (50, 233)]), None, "not for long");
    }

    #[test]
    fn what_was_kept_and_sent_late_says_nothing_of_the_clock() {
        assert_eq!(of(&[]), None, "no part has events");
        assert_eq!(of(&[(0, 600)]), None);
        // The page was offline: all at once.
        assert_eq!(of(&[(0, 600), (5, 601), (10, 602), (15, 603), (20, 604), (90, 691)]), None);
        assert_eq!(of(&[(0, 300), (5, 301), (10, 302), (100, 102)]), None, "the last one came at once");
        // The network takes half as much as is recorded.
        let slow: Vec<_> = (0..20).map(|part| (5 * part, 100 + 10 * part)).collect();
        assert_eq!(of(&slow), None);
    }

    #[test]
    fn an_event_of_either_clock_is_found_by_the_browsers() {
        // Ten seconds behind, and an event after a minute of the server's time.
        assert_eq!(by_browser(50_000, 60_200, Some(10_000)), 50_000, "the page's");
        assert_eq!(by_browser(60_000, 60_200, Some(10_000)), 50_000, "a server's");
        assert_eq!(by_browser(70_000, 60_200, Some(-10_000)), 70_000, "the page's");
        assert_eq!(by_browser(60_000, 60_200, Some(-10_000)), 70_000, "a server's");
        assert_eq!(by_browser(60_000, 90_000, None), 60_000);
        let minutes = by_browser(0, 3 * MINUTE - 10 * SECOND, Some(3 * MINUTE));
        assert_eq!(minutes, 0, "parts were gathered for longer");
    }
}
