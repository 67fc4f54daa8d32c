//! What a replay tells of its browser's clock.

use super::{chunk, events, post, replay, send, start, whole};
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

/// Sends a replay by a clock that is so many milliseconds ahead; the replay.
fn sent_by(project: &Project, session: &str, ahead: i64) -> Value {
    let path = format!("/api/v1/replays?sent={}", start() + 120_000 + ahead);
    let answer = post(project, &path, &whole(session)).expect(202);
    replay(project, answer["replay_id"].as_str().unwrap(), 1)
}

#[test]
fn a_client_that_says_when_it_sends_shows_by_how_much_its_clock_is_off() {
    let project = Project::new();
    let lag = |session: &str, ahead: i64| sent_by(&project, session, ahead)["clock_lag_ms"].as_i64();
    // What the request is on its way adds to it.
    let ahead = lag("ahead", 10_000).unwrap();
    assert!((-10_000..-2_000).contains(&ahead), "{ahead}");
    let behind = lag("behind", -20_000).unwrap();
    assert!((20_000..60_000).contains(&behind), "{behind}");
    assert_eq!(lag("held up", -4_000), None, "one request may be on its way for so long");
    assert_eq!(lag("right", 1_000), None, "as far off as any request is on its way");
}

#[test]
fn the_list_says_the_same_of_a_clock_as_the_replay_itself() {
    let project = Project::new();
    let mut early = whole("early");
    early["events"] = events(start() + 300_000);
    let sent = [
        sent_by(&project, "told", 10_000),
        replay(&project, &send(&project, &early), 1),
        replay(&project, &send(&project, &whole("right")), 1),
    ];
    let is_off = sent.each_ref().map(|replay| replay["clock_lag_ms"].is_i64());
    assert_eq!(is_off, [true, true, false]);
    let list = project.owner.get(&project.path("/replays")).send().expect(200);
    for replay in sent {
        let is_it = |listed: &&Value| listed["replay_id"] == replay["replay_id"];
        let listed = list["replays"].as_array().unwrap().iter().find(is_it).unwrap();
        assert_eq!(listed.get("clock_lag_ms"), replay.get("clock_lag_ms"), "{listed}");
    }
}

#[test]
fn the_replay_of_an_event_has_the_difference_of_the_clocks() {
    let project = Project::new();
    let mut event = Project::throw(None);
    (event["session_id"], event["window_id"]) = (json!("of event"), json!("w"));
    // In the middle: the replay begins later than this by as long as it takes to digest the event.
    event["timestamp"] = json!(start() + 30_000);
    let event = project.digest(&event);
    let sent = sent_by(&project, "of event", 10_000);
    let path = format!("/api/v1/events/{}/replay", event["event_id"].as_str().unwrap());
    let read = project.owner.get(&path).send().expect(200);
    assert_eq!(read["replay_id"], sent["replay_id"]);
    assert!(read["clock_lag_ms"].is_i64() && read["clock_lag_ms"] == sent["clock_lag_ms"], "{read}");
}

#[test]
fn what_is_no_time_is_refused() {
    let project = Project::new();
    for bad in ["soon", "-1", "1.5", "4102444800000", ""] {
        post(&project, &format!("/api/v1/replays?sent={bad}"), &whole("bad")).refuse(422, "sent");
        let path = format!("/api/v1/replays/chunk?sent={bad}");
        post(&project, &path, &chunk("bad", 0, None)).refuse(422, "sent");
    }
    post(&project, "/api/v1/replays?sent=1&sent=2", &whole("bad")).refuse(422, "sent");
    assert_eq!(project.owner.get(&project.path("/replays")).send().expect(200)["total"], 0);
}
