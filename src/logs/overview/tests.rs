use super::*;
use crate::ids::ProjectId;

const LAST: i64 = 253_402_300_799_999;

fn scope(start: i64, end: i64) -> Scope {
    let (start, end) = (Timestamp::from_millis(start), Timestamp::from_millis(end));
    Scope { project: ProjectId(1), start, end, query: None }
}

fn refused(scope: &Scope, given: &str) -> String {
    let told = length(scope, Some(given)).unwrap_err();
    assert!(matches!(told, Error::Invalid { .. }), "{told:?}");
    told.to_string()
}

#[test]
fn a_range_has_about_sixty_intervals() {
    for (span, expected) in [
        (0, SECOND),
        (MINUTE, SECOND),
        (5 * MINUTE, 5 * SECOND),
        (HOUR, MINUTE),
        (DAY, 30 * MINUTE),
        (7 * DAY, 3 * HOUR),
        (30 * DAY, 12 * HOUR),
        (365 * DAY, 7 * DAY),
    ] {
        assert_eq!(length(&scope(0, span), None).unwrap(), expected, "{span}");
        assert_eq!(length(&scope(0, span), Some("")).unwrap(), expected, "{span}");
    }
    for span in (0..46).map(|power| (1_i64 << power).min(LAST)) {
        let scope = scope(12_345, 12_345 + span);
        let steps = starts(&scope, length(&scope, None).unwrap()).len();
        assert!((1..=62).contains(&steps), "{steps} steps for {span} ms");
    }
}

#[test]
fn a_length_is_in_seconds_and_makes_at_most_five_hundred_intervals() {
    let hour = scope(0, HOUR - 1);
    assert_eq!(length(&hour, Some("60")).unwrap(), MINUTE);
    assert_eq!(length(&hour, Some("86400")).unwrap(), DAY);
    for wrong in ["0", "-1", "1.5", "x", "NaN", "1e3", "99999999999999999999", " 60"] {
        assert!(refused(&hour, wrong).starts_with("interval: expected a whole number of seconds"), "{wrong}");
    }
    assert_eq!(length(&scope(0, 500 * SECOND - 1), Some("1")).unwrap(), SECOND);
    assert!(refused(&scope(0, 500 * SECOND), "1").contains("at most 500 intervals, got 501"));
    assert!(refused(&scope(0, LAST), "86400").contains("at most 500 intervals"));
}

#[test]
fn intervals_begin_at_whole_lengths_and_cover_the_range() {
    let begin = |start: i64, end: i64, length: i64| -> Vec<i64> {
        starts(&scope(start, end), length).into_iter().map(Timestamp::millis).collect()
    };
    assert_eq!(begin(0, 0, SECOND), [0]);
    assert_eq!(begin(1_500, 3_000, SECOND), [1_000, 2_000, 3_000]);
    assert_eq!(begin(1_500, 2_999, SECOND), [1_000, 2_000]);
    for (start, end) in [(7, 7 + HOUR), (1_795_000_000_123, 1_795_086_400_000), (0, LAST)] {
        let length = length(&scope(start, end), None).unwrap();
        let steps = begin(start, end, length);
        assert!(steps[0] <= start && start < steps[0] + length);
        let last = steps[steps.len() - 1];
        assert!(last <= end && end < last + length, "{last} {end}");
        assert!(steps.windows(2).all(|pair| pair[1] - pair[0] == length) && steps[0] % length == 0);
    }
}

#[test]
fn every_level_has_a_count() {
    let counts = by_level([1, 2, 3, 4, 5, 6]);
    assert_eq!(counts.values().sum::<u64>(), 21);
    assert_eq!((counts[&Level::Trace], counts[&Level::Fatal]), (1, 6));
    assert_eq!(by_level([0; 6]).len(), 6);
}
