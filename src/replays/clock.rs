//! How far a browser's clock is off the server's, as far as the receipt of a replay's parts shows.
//!
//! No part arrives before its last event has happened: where the times say so, the browser's clock is ahead, by at least
//! that much. A part that arrives late proves nothing by itself, since it may have been gathered for a while, sent again,
//! or kept while the page was offline; what was kept arrives all at once. Parts that keep arriving equally late are those
//! of a clock that is behind.

use super::sequence::Part;
use crate::time::{MINUTE, SECOND};

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

/// How far the browser's clock is behind the server's, in milliseconds; below zero, ahead: the least delay between a
/// part's last event and its receipt. `None` if that shows no difference. Of a clock that was set meanwhile, the time
/// counts at which it was furthest ahead.
pub fn lag(parts: &[Part]) -> Option<i64> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
        };
        assert_eq!(lag(&[empty]), None);
        assert_eq!(lag(&[]), None);
    }
}
