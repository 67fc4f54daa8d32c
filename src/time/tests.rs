use super::*;

#[test]
fn writes_milliseconds_and_z() {
    let time = Timestamp::parse("2026-11-21T10:00:00.5+02:00").unwrap();
    assert_eq!(time.to_string(), "2026-11-21T08:00:00.500Z");
    assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
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
    for millis in [f64::NAN, f64::INFINITY, -1.0, 1e18] {
        assert_eq!(Timestamp::from_millis_f64(millis), None, "{millis}");
    }
}
