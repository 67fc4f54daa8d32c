//! What a replay tells of its browser's clock.

use super::{events, replay, send, start, whole};
use crate::support::{Project, Value, json};

#[test]
fn a_replay_says_how_far_its_browsers_clock_was_ahead() {
    let project = Project::new();
    let ahead = start() + 300_000;
    let mut sent = whole("ahead");
    (sent["start_timestamp"], sent["end_timestamp"]) = (json!(ahead), json!(ahead + 1_000));
    sent["events"] = events(ahead);
    let mut event = Project::throw(None);
    for name in ["session_id", "window_id"] {
        event[name] = sent[name].clone();
    }
    event["timestamp"] = json!(ahead + 400);
    project.digest(&event);
    let read = replay(&project, &send(&project, &sent), 1);
    // Three minutes, and the half of a second after which the last event happened.
    assert!((-180_500..-120_000).contains(&read["clock_lag_ms"].as_i64().unwrap()), "{read}");
    assert_eq!(read["start_timestamp"], ahead, "times stay the browser's");
    let error = &read["errors"][0];
    let received_at: jiff::Timestamp = error["received_at"].as_str().unwrap().parse().unwrap();
    let early = ahead + 400 - received_at.as_millisecond();
    assert!(error["timestamp"] == ahead + 400 && (120_000..=180_400).contains(&early), "{error}");
}

#[test]
fn a_replay_that_arrives_late_says_nothing_of_the_clock() {
    let project = Project::new();
    let read = replay(&project, &send(&project, &whole("late")), 1);
    assert_eq!(read.get("clock_lag_ms"), Some(&Value::Null), "{read}");
}
