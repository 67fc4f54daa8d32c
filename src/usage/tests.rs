use super::*;

#[test]
fn growth_is_that_of_the_last_fortnight() {
    assert_eq!(growth(&[]), None);
    assert_eq!(growth(&[(10, 500)]), None, "one day says nothing");
    assert_eq!(growth(&[(10, 500), (12, 900)]), Some(200));
    assert_eq!(growth(&[(10, 900), (12, 500)]), Some(-200));
    // What was long ago does not count, and neither do days without figures.
    assert_eq!(growth(&[(0, 1_000_000), (20, 100), (34, 1_500)]), Some(100));
}

#[test]
fn a_forecast_needs_growth_and_an_end_in_sight() {
    assert_eq!(full_in_days(1_000, Some(100)), Some(10));
    assert_eq!(full_in_days(-5, Some(100)), Some(0), "below the floor already");
    for growth in [None, Some(0), Some(-1)] {
        assert_eq!(full_in_days(1_000, growth), None);
    }
    assert_eq!(full_in_days(1 << 50, Some(1)), None);
}

#[test]
fn days_are_written_as_dates() {
    assert_eq!(date(0), "1970-01-01");
    assert_eq!(date(Timestamp::parse("2026-11-23T23:59:59Z").unwrap().day()), "2026-11-23");
}

#[test]
fn kinds_are_read_as_they_are_written() {
    for kind in DataKind::ALL {
        assert_eq!(DataKind::parse(kind.as_str()), Some(kind));
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
    }
    assert_eq!(DataKind::parse("x"), None);
}
