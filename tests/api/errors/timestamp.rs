//! An event's time: the timestamp that was sent if it is plausible, else the time of receipt.

use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

fn from_now(seconds: i64) -> String {
    Timestamp::now().saturating_add(SignedDuration::from_secs(seconds)).unwrap().to_string()
}

fn millis(value: &Value) -> i64 {
    value.as_str().unwrap().parse::<Timestamp>().unwrap().as_millisecond()
}

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

#[test]
fn a_plausible_timestamp_is_kept() {
    let project = Project::new();
    for sent in [from_now(-10), from_now(HOUR - 600), from_now(-30 * DAY + 600)] {
        let event = project.digest(&json!({"message": "x", "timestamp": sent}));
        assert_eq!(millis(&event["timestamp"]), sent.parse::<Timestamp>().unwrap().as_millisecond());
        assert_eq!((&event["timestamp_replaced"], &event["sent_timestamp"]), (&json!(false), &Value::Null));
    }
}

#[test]
fn an_unbelievable_time_is_replaced_and_still_shown() {
    let project = Project::new();
    for sent in
        [from_now(HOUR + 600), from_now(-30 * DAY - 600), "1999-12-31T23:59:59Z".into(), "yesterday".into()]
    {
        let event = project.digest(&json!({"message": "x", "timestamp": sent}));
        assert_eq!(event["timestamp"], event["received_at"], "{sent}");
        assert_eq!((&event["timestamp_replaced"], &event["sent_timestamp"]), (&json!(true), &json!(sent)));
    }
}

#[test]
fn a_missing_or_unusable_time_is_the_receipt_time() {
    let project = Project::new();
    let before = Timestamp::now().as_millisecond();
    for sent in [Value::Null, json!(true), json!([]), json!({}), json!(""), json!(-1), json!(1e300)] {
        let event = project.digest(&json!({"message": "x", "timestamp": sent}));
        assert_eq!(event["timestamp"], event["received_at"], "{sent}");
        assert_eq!(event["timestamp_replaced"], true, "{sent}");
        assert!((before..=Timestamp::now().as_millisecond()).contains(&millis(&event["received_at"])));
    }
}

#[test]
fn offsets_and_numbers_are_understood() {
    let project = Project::new();
    let now = Timestamp::now().as_millisecond() / 1000 * 1000;
    let utc = Timestamp::from_millisecond(now).unwrap().to_string();
    let east = Timestamp::from_millisecond(now + 7_200_000).unwrap().to_string().replace('Z', "+02:00");
    for sent in [json!(utc), json!(east), json!(utc.replace('Z', ".000Z")), json!(now), json!(now / 1000)] {
        let event = project.digest(&json!({"message": "x", "timestamp": sent}));
        assert_eq!(millis(&event["timestamp"]), now, "{sent}");
        assert!(event["timestamp"].as_str().unwrap().ends_with(".000Z"), "{event}");
    }
}
