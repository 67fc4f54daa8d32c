use super::*;

#[test]
fn writes_milliseconds_and_z() {
    let time = Timestamp::parse("2026-11-21T10:00:00.5+02:00").unwrap();
    assert_eq!(time.to_string(), "2026-11-21T08:00:00.500Z");
    assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
}

#[test]
fn writes_microseconds_where_there_are_any() {
    for (text, shown) in [
        ("2026-11-21T10:00:00.123456Z", "2026-11-21T10:00:00.123456Z"),
        ("2026-11-21T10:00:00.000001Z", "2026-11-21T10:00:00.000001Z"),
        ("2026-11-21T10:00:00.123000Z", "2026-11-21T10:00:00.123Z"),
        ("2026-11-21T10:00:00.123400Z", "2026-11-21T10:00:00.123400Z"),
        ("2026-11-21T10:00:00.12345Z", "2026-11-21T10:00:00.123450Z"),
        ("2026-11-21T10:00:00.120000Z", "2026-11-21T10:00:00.120Z"),
        ("2026-11-21T10:00:00.1234567Z", "2026-11-21T10:00:00.123456Z"),
    ] {
        assert_eq!(Timestamp::parse(text).unwrap().to_string(), shown);
    }
    for (number, micros) in [
        (1_764_000_000.123_456, 1_764_000_000_123_456),
        (1_764_000_000_123.457, 1_764_000_000_123_457),
        (0.000_001, 1),
    ] {
        assert_eq!(Timestamp::from_number(number).map(Timestamp::micros), Some(micros), "{number}");
    }
    assert_eq!(Timestamp::from_micros(1_999).millis(), 1);
    assert_eq!(Timestamp::from_millis(i64::MAX), Timestamp::from_micros(i64::MAX));
}

#[test]
fn takes_a_time_without_offset_as_utc() {
    assert_eq!(Timestamp::parse("2026-11-21T10:00:00"), Timestamp::parse("2026-11-21T10:00:00Z"));
}

#[test]
fn refuses_what_is_no_time_or_outside_1970_to_9999() {
    for text in ["", "yesterday", "1969-12-31T23:59:59Z", "-000001-01-01T00:00:00Z", "2026-13-01T00:00:00Z"] {
        assert_eq!(Timestamp::parse(text), None, "{text}");
    }
}

#[test]
fn goes_to_the_last_millisecond_of_9999() {
    for (text, shown) in [
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.9999999", "9999-12-31T23:59:59.999999Z"),
        ("9999-12-31T20:00:00-03:59", "9999-12-31T23:59:00.000Z"),
        ("9999-12-30T22:00:00.001Z", "9999-12-30T22:00:00.001Z"),
    ] {
        assert_eq!(Timestamp::parse(text).map(|time| time.to_string()).as_deref(), Some(shown), "{text}");
    }
    for text in ["9999-12-31T20:00:00-04:00", "9999-12-31T23:59:60.5-00:01", "10000-01-01T00:00:00Z"] {
        assert_eq!(Timestamp::parse(text), None, "{text}");
    }
}

#[test]
fn a_number_is_seconds_or_else_milliseconds() {
    for (number, millis) in [
        (0.0, 0),
        (1.5, 1_500),
        (1_764_000_000.123, 1_764_000_000_123),
        (1e11, 100_000_000_000_000),
        (253_402_300_799.999, 253_402_300_799_999),
        (1e12, 1_000_000_000_000),
        (1_764_000_000_123.0, 1_764_000_000_123),
        (253_402_300_799_999.0, 253_402_300_799_999),
    ] {
        assert_eq!(Timestamp::from_number(number).map(Timestamp::millis), Some(millis), "{number}");
    }
    let wrong =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 253_402_300_800.0, 253_402_300_800_000.0, 1e18];
    for number in wrong {
        assert_eq!(Timestamp::from_number(number), None, "{number}");
    }
}
