//! The list of a project's replays, and who may read it.

use super::{chunk, events, replay, send, send_chunk, start, whole};
use crate::support::{Project, Value, json};

fn list(project: &Project, query: &str) -> Vec<String> {
    let answer = project.owner.get(&project.path(&format!("/replays{query}"))).send().expect(200);
    let replays = answer["replays"].as_array().unwrap();
    replays.iter().map(|replay| replay["session_id"].as_str().unwrap().to_owned()).collect()
}

/// Three replays, one a minute.
fn three(project: &Project) {
    for (index, session) in ["first", "second", "third"].into_iter().enumerate() {
        let mut sent = whole(session);
        let at = start() - 600_000 + index as i64 * 120_000;
        (sent["start_timestamp"], sent["end_timestamp"]) = (json!(at), json!(at + 60_000));
        if session == "second" {
            sent["user"] = json!({"email": "Bob@example.com"});
            sent["events"][0]["data"]["href"] = json!("https://shop.example/Checkout?step=2");
        }
        let id = send(project, &sent);
        replay(project, &id, 1);
    }
}

#[test]
fn replays_are_listed_newest_first_and_narrowed() {
    let project = Project::new();
    assert_eq!(list(&project, ""), Vec::<String>::new());
    three(&project);
    for (query, expected) in [
        ("", vec!["third", "second", "first"]),
        ("?limit=1&offset=1", vec!["second"]),
        ("?user=BOB", vec!["second"]),
        ("?url=checkout", vec!["second"]),
        ("?user=nobody", vec![]),
        ("?release=1.4.2&environment=production&limit=2", vec!["third", "second"]),
        ("?has_error=true", vec![]),
        ("?has_error=false&user=ada", vec!["third", "first"]),
    ] {
        assert_eq!(list(&project, query), expected, "{query}");
    }
    for (query, part) in [
        ("?limit=0", "limit"),
        ("?limit=101", "limit"),
        ("?has_error=maybe", "has_error"),
        ("?period=31d", "period: expected 1h to 720h"),
    ] {
        project.owner.get(&project.path(&format!("/replays{query}"))).send().refuse(422, part);
    }
}

#[test]
fn environments_of_replays_are_listed_without_any_events_of_them() {
    let project = Project::new();
    let environments = || {
        let answer = project.owner.get(&project.path("/replays/environments")).send().expect(200);
        answer["environments"].clone()
    };
    assert_eq!(environments(), json!([]));
    for (after, environment) in [(0, "staging"), (2, "qa"), (1, "production"), (3, "staging")] {
        let mut sent = whole(environment);
        let at = start() - 600_000 + after * 60_000;
        (sent["start_timestamp"], sent["end_timestamp"]) = (json!(at), json!(at + 30_000));
        (sent["environment"], sent["window_id"]) = (json!(environment), json!(after.to_string()));
        replay(&project, &send(&project, &sent), 1);
    }
    assert_eq!(environments(), json!(["staging", "qa", "production"]), "those of the newest first");
    let other = Project::new();
    assert_eq!(
        other.owner.get(&other.path("/replays/environments")).send().expect(200)["environments"],
        json!([])
    );
    // Those of events are others.
    let answer = project.owner.get(&project.path("/environments")).send().expect(200);
    assert_eq!(answer["environments"], json!([]));
}

#[test]
fn replays_are_found_by_pages_that_were_not_loaded_while_they_were_recorded() {
    let project = Project::new();
    // Other recorders may tell the page beside the events alone.
    let mut beside = whole("beside");
    beside["url"] = json!("https://shop.example/Offers");
    beside["events"].as_array_mut().unwrap().remove(0);
    let mut within = whole("within");
    let payload = json!({"from": "https://shop.example/cart", "to": "https://shop.example/Pay"});
    let went = json!({"type": 5, "timestamp": start() + 600, "data": {"tag": "mayday.navigation", "payload": payload}});
    within["events"].as_array_mut().unwrap().push(went);
    for sent in [beside, within] {
        let id = send(&project, &sent);
        replay(&project, &id, 1);
    }
    assert_eq!(list(&project, "?url=offers"), ["beside"]);
    assert_eq!(list(&project, "?url=/pay"), ["within"]);
    assert_eq!(list(&project, "?url=/cart"), ["within"]);
    assert_eq!(list(&project, "?url=/thanks"), Vec::<String>::new());
}

#[test]
fn replays_are_limited_to_those_that_began_in_a_period() {
    let project = Project::new();
    for (session, hours) in [("days", 50), ("yesterday", 22), ("now", 0)] {
        let mut sent = whole(session);
        let at = start() - hours * 3_600_000;
        (sent["start_timestamp"], sent["end_timestamp"]) = (json!(at), json!(at + 1_000));
        sent["events"] = events(at);
        let id = send(&project, &sent);
        replay(&project, &id, 1);
    }
    for (query, expected) in [
        ("?period=", vec!["now", "yesterday", "days"]),
        ("?period=30d", vec!["now", "yesterday", "days"]),
        ("?period=24h", vec!["now", "yesterday"]),
        ("?period=24h&limit=1&offset=1", vec!["yesterday"]),
        ("?period=2h&environment=production", vec!["now"]),
        ("?period=2h&environment=qa", vec![]),
    ] {
        assert_eq!(list(&project, query), expected, "{query}");
    }
    let counted = project.owner.get(&project.path("/replays?period=24h")).send().expect(200);
    assert_eq!(counted["total"], 2);
}

#[test]
fn a_replay_is_seen_only_by_those_of_its_project() {
    let project = Project::new();
    let id = send(&project, &whole("mine"));
    replay(&project, &id, 1);
    let path = format!("/api/v1/replays/{id}");
    for rest in ["", "/events"] {
        project.world.anonymous().get(&format!("{path}{rest}")).send().refuse(401, "");
        let key = project.world.bearer(&project.key_for(&["read"]));
        key.get(&format!("{path}{rest}")).send().expect(200);
        let other = project.other();
        let key = project.world.bearer(&other.key_for(&["read"]));
        key.get(&format!("{path}{rest}?project_id={}", project.id)).send().refuse(404, "");
        project.ci().get(&format!("{path}{rest}")).send().refuse(403, "");
    }
    for unknown in ["none", "..%2F..%2Fmain.db", "%00"] {
        project.owner.get(&format!("/api/v1/replays/{unknown}")).send().refuse(404, "");
    }
}

#[test]
fn an_id_in_two_projects_needs_the_project() {
    let (project, sent) = (Project::new(), whole("same"));
    let other = project.other();
    let named: Value = {
        let mut sent = sent;
        sent["replay_id"] = json!(crate::support::project::fresh_id());
        sent
    };
    let id = send(&project, &named);
    assert_eq!(id, send(&other, &named));
    replay(&project, &id, 1);
    replay(&other, &id, 1);
    let detail = project.owner.get(&format!("/api/v1/replays/{id}")).send().refuse(409, "project_id");
    assert!(detail.contains(&other.id.to_string()), "{detail}");
}

#[test]
fn a_replay_is_read_from_the_latest_picture_before_a_moment() {
    let project = Project::new();
    let (begun, mut id) = (start(), String::new());
    for index in 0..6 {
        let mut sent = chunk("seek", index, Some(6));
        let at = begun + index * 10_000;
        let kind = if index % 2 == 0 { 2 } else { 3 };
        sent["events"] = json!([
            {"type": 4, "timestamp": at, "data": {"part": index, "href": "https://shop.example/"}},
            {"type": kind, "timestamp": at + 10, "data": {"part": index}},
        ]);
        id = send_chunk(&project, &sent);
    }
    replay(&project, &id, 6);
    let from = |at: &str| {
        let path = format!("/api/v1/replays/{id}/events?project_id={}&at={at}", project.id);
        let answer = project.owner.get(&path).send();
        let first = answer.header("x-first-chunk").unwrap_or_default().to_owned();
        let events = answer.expect(200);
        assert_eq!(events[0]["data"]["part"].to_string(), first);
        first
    };
    for (at, expected) in [("0", 0), ("20009", 0), ("20010", 2), ("39999", 2), ("40010", 4), ("3900000", 4)] {
        assert_eq!(from(at), expected.to_string(), "{at}");
    }
    for query in ["at=-1", "at=3900001", "at=soon", "at=1&from_chunk=0"] {
        project.owner.get(&format!("/api/v1/replays/{id}/events?{query}")).send().refuse(422, "at");
    }
}
