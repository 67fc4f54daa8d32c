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

use super::sequence::Part;
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

/// How far the browser's clock is behind the server's, in milliseconds; below zero, ahead. `None` if no difference is
/// known. Of a clock that was set meanwhile, the time counts at which it was furthest ahead.
pub fn lag(parts: &[Part]) -> Option<i64> {
    let mut told: Vec<i64> = parts.iter().filter_map(|part| part.lag).collect();
    told.sort_unstable();
    let Some(&least) = told.first() else { return estimated(parts) };
    // No request arrives before it is sent.
    let is_ahead = least <= -TOLD_MIN;
    let is_agreed = || told.get(1).is_some_and(|next| next - least <= TOLD_EQUAL);
    let is_behind = || least >= TOLD_ALONE || (least >= TOLD_MIN && is_agreed());
    (is_ahead || is_behind()).then_some(least)
}

/// The least delay between a part's last event and its receipt.
fn estimated(parts: &[Part]) -> Option<i64> {
    let delay = |part: &Part| Some(Delay { of: part.received_at - part.last_at?, at: part.received_at });
    let delays: Vec<Delay> = parts.iter().filter_map(delay).collect();
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

    /// Parts that arrived ten minutes late, by the milliseconds that their clock was behind as they were sent.
    fn told(lags: &[Option<i64>]) -> Option<i64> {
        let part = |(place, lag): (usize, &Option<i64>)| Part {
            place: place as i64,
            piece: 0,
            pieces: 1,
            file: None,
            first_at: Some(0),
            last_at: Some(place as i64 * MINUTE),
            snapshot_at: None,
            received_at: (place as i64 + 10) * MINUTE,
            lag: *lag,
            is_damaged: false,
        };
        lag(&lags.iter().enumerate().map(part).collect::<Vec<_>>())
    }

    #[test]
    fn what_the_client_says_counts_from_two_seconds_on_by_the_quickest_request() {
        assert_eq!(told(&[Some(-2_000), Some(-1_300)]), Some(-2_000));
        assert_eq!(told(&[Some(9_000), Some(2_100), Some(2_400)]), Some(2_100));
        assert_eq!(told(&[Some(40_000), Some(1_999)]), None, "the first was on its way for long");
        assert_eq!(told(&[Some(-1_999)]), None);
    }

    #[test]
    fn one_part_that_was_held_up_does_not_make_a_clock_late() {
        assert_eq!(told(&[Some(9_000)]), None);
        assert_eq!(told(&[Some(14_999), None, None]), None);
        assert_eq!(told(&[Some(15_000)]), Some(15_000), "no request is held up for so long");
        assert_eq!(told(&[Some(-9_000)]), Some(-9_000), "none arrives before it is sent");
        assert_eq!(told(&[Some(6_001), Some(4_000)]), None, "both were held up");
        assert_eq!(told(&[Some(6_000), Some(30_000), Some(4_000)]), Some(4_000), "two agree");
    }

    #[test]
    fn what_the_client_says_goes_before_what_the_receipt_shows() {
        assert_eq!(told(&[None; 4]), Some(10 * MINUTE));
        assert_eq!(told(&[Some(30), None, None, None]), None, "they were kept, and the clock is right");
    }

    /// Parts by the seconds of their last event and of their receipt.
    fn of(parts: &[(i64, i64)]) -> Option<i64> {
        let part = |(place, (last, received)): (usize, &(i64, i64))| Part {
            place: place as i64,
            piece: 0,
            pieces: 1,
            file: None,
            first_at: Some(last * SECOND),
            last_at: Some(last * SECOND),
            snapshot_at: None,
            received_at: received * SECOND,
            lag: None,
            is_damaged: false,
        };
        let parts: Vec<Part> = parts.iter().enumerate().map(part).collect();
        lag(&parts).map(|lag| lag / SECOND)
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

    #[test]
    fn parts_without_events_have_no_time() {
        let empty = Part {
            place: 0,
            piece: 0,
            pieces: 1,
            file: None,
            first_at: None,
            last_at: None,
            snapshot_at: None,
            received_at: 5,
            lag: None,
            is_damaged: false,
        };
        assert_eq!(lag(&[empty]), None);
        assert_eq!(lag(&[]), None);
    }
}
