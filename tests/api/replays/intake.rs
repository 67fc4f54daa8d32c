//! Which parts of replays are accepted, and which refused.

use super::{chunk, events, files, parts, post, replay, send, send_chunk, start, whole};
use crate::errors::encodings::{bombs, brotli, gzip, zlib, zstd};
use crate::support::project::encoded;
use crate::support::{Project, Value, json};

#[test]
fn a_whole_replay_is_read_as_it_was_sent() {
    let project = Project::new();
    let sent = whole("one");
    let id = send(&project, &sent);
    let replay = replay(&project, &id, 1);
    for (name, expected) in [
        ("session_id", json!("one")),
        ("start_timestamp", sent["start_timestamp"].clone()),
        ("end_timestamp", sent["end_timestamp"].clone()),
        ("duration_ms", json!(60_000)),
        ("has_full_snapshot", json!(true)),
        ("environment", json!("production")),
        ("release", json!("1.4.2")),
        ("rrweb_version", json!("2.1.6")),
        ("urls", json!(["https://shop.example/cart"])),
        ("user", sent["user"].clone()),
        ("total_chunks", json!(1)),
        ("is_complete", json!(true)),
        ("is_live", json!(false)),
        ("event_count", json!(3)),
        ("click_count", json!(1)),
        ("errors", json!([])),
    ] {
        assert_eq!(replay[name], expected, "{name}: {replay}");
    }
    let path = format!("/api/v1/replays/{id}/events");
    assert_eq!(project.owner.get(&path).send().expect(200), sent["events"]);
}

#[test]
fn parts_may_arrive_in_any_order_and_twice() {
    let project = Project::new();
    let ids: Vec<String> =
        [2, 1, 2, 0, 1].map(|index| send_chunk(&project, &chunk("any", index, Some(3)))).to_vec();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let replay = replay(&project, &ids[0], 3);
    assert_eq!((&replay["is_complete"], &replay["event_count"]), (&json!(true), &json!(3)));
    assert_eq!(
        (&replay["release"], &replay["missing_chunks"]),
        (&json!("2"), &json!([])),
        "the metadata came late"
    );
    assert_eq!(parts(&project, &ids[0], 0).0, [0, 1, 2]);
}

#[test]
fn a_replay_is_read_while_its_parts_still_arrive() {
    let project = Project::new();
    let id = send_chunk(&project, &chunk("live", 0, None));
    send_chunk(&project, &chunk("live", 2, None));
    assert_eq!(replay(&project, &id, 2)["is_live"], true);
    assert_eq!(parts(&project, &id, 0), (vec![0], "1".to_owned()), "up to the first that is missing");
    send_chunk(&project, &chunk("live", 1, Some(3)));
    assert_eq!(replay(&project, &id, 3)["is_complete"], true);
    assert_eq!(parts(&project, &id, 1), (vec![1, 2], "3".to_owned()));
    assert_eq!(parts(&project, &id, 3), (vec![], "3".to_owned()));
}

#[test]
fn a_replay_is_complete_only_with_every_part_from_the_first() {
    let project = Project::new();
    let id = send_chunk(&project, &chunk("late", 1, Some(3)));
    let replay_of_one = replay(&project, &id, 1);
    assert_eq!((&replay_of_one["is_complete"], &replay_of_one["release"]), (&json!(false), &Value::Null));
    assert_eq!(parts(&project, &id, 0), (vec![], "0".to_owned()), "the first one may still come");
    assert_eq!(parts(&project, &id, 1), (vec![1], "2".to_owned()));
    // The expected number of parts, but not all of them: number 3 does not replace number 0.
    send_chunk(&project, &chunk("late", 3, None));
    send_chunk(&project, &chunk("late", 2, Some(3)));
    let found = replay(&project, &id, 3);
    assert_eq!((&found["is_complete"], &found["total_chunks"]), (&json!(false), &json!(4)), "{found}");
    assert_eq!((&found["is_live"], &found["missing_chunks"]), (&json!(true), &json!([0])), "{found}");
    assert_eq!(parts(&project, &id, 0), (vec![], "0".to_owned()));
    send_chunk(&project, &chunk("late", 0, None));
    let whole = replay(&project, &id, 4);
    assert_eq!((&whole["is_complete"], &whole["missing_chunks"]), (&json!(true), &json!([])), "{whole}");
    assert_eq!(parts(&project, &id, 0), (vec![0, 1, 2, 3], "4".to_owned()));
}

#[test]
fn bodies_may_be_compressed_and_sent_by_beacons() {
    let project = Project::new();
    for (encoding, pack) in
        [("gzip", gzip as fn(&[u8]) -> Vec<u8>), ("deflate", zlib), ("br", brotli), ("zstd", zstd)]
    {
        let body = project.with_key(&whole(encoding)).to_string();
        let request = project.world.anonymous().post("/api/v1/replays").header("content-encoding", encoding);
        request.body("application/json", pack(body.as_bytes())).send().expect(202);
    }
    let beacon = project.world.anonymous().post("/api/v1/replays");
    beacon
        .body("text/plain;charset=UTF-8", project.with_key(&whole("beacon")).to_string())
        .send()
        .expect(202);
    for (encoding, bomb) in bombs() {
        let request = project.world.anonymous().post("/api/v1/replays").header("content-encoding", encoding);
        let status = request.body("application/json", bomb).send().status();
        assert!((400..500).contains(&status), "{encoding}: {status}");
    }
}

#[test]
fn a_request_has_ten_mib_at_most_as_it_is_sent() {
    let project = Project::new();
    let send = |session: &str, size: usize| {
        let mut sent = project.with_key(&whole(session));
        let rest = sent.to_string().len() + r#","text":"""#.len();
        sent["events"][2]["data"]["text"] = json!("x".repeat(size - rest));
        let request = project.world.anonymous().post("/api/v1/replays");
        request.body("application/json", sent.to_string()).send()
    };
    send("at most", 10 << 20).expect(202);
    send("more", (10 << 20) + 1).refuse(413, "10485760");
}

#[test]
fn nothing_that_a_client_names_is_part_of_a_path() {
    let project = Project::alone();
    let names = ["../../main.db", "/etc/mayday", "..\\..\\main.db", "a/../../b", "%2e%2e%2fmain.db"];
    for name in names {
        let mut sent = whole(name);
        for field in ["window_id", "replay_id", "event_id"] {
            sent[field] = json!(name);
        }
        assert_eq!(send(&project, &sent), name);
        let id = encoded(name);
        assert_eq!(replay(&project, &id, 1)["replay_id"], name);
        let events = project.owner.get(&format!("/api/v1/replays/{id}/events")).send().expect(200);
        assert_eq!(events, sent["events"], "{name}");
    }
    assert_eq!(files(&project), names.len(), "in the folders that the server has named");
}

#[test]
fn the_key_is_checked_before_the_fields() {
    let project = Project::new();
    let send = |body: &Value| project.world.anonymous().post("/api/v1/replays").json(body).send();
    send(&json!({"events": []})).refuse(401, "");
    send(&json!({"api_key": "pk_none", "session_id": 5, "events": []})).refuse(401, "");
    let reading = project.key_for(&["read"]);
    send(&json!({"api_key": reading, "session_id": 5, "events": []})).refuse(403, "");
    send(&json!({"api_key": project.key, "session_id": 5, "events": []})).refuse(422, "session_id");
}

#[test]
fn an_invalid_part_is_refused_and_the_field_named() {
    let project = Project::new();
    let refuse = |name: &str, value: Value, part: &str| {
        let mut body = whole("bad");
        body[name] = value;
        post(&project, "/api/v1/replays", &body).refuse(422, part);
    };
    refuse("events", json!([]), "at least one event");
    refuse("events", json!({}), "array of rrweb events");
    refuse("events", json!([5]), "events[0]");
    refuse("events", json!([{"type": 3}]), "events[0]");
    refuse("window_id", json!(""), "window_id");
    refuse("end_timestamp", json!(start() - 10_000), "after start_timestamp");
    refuse("end_timestamp", json!(start() + 3_700_000), "60 minutes");
    let mut bad = chunk("bad", 0, Some(3));
    bad["chunk_index"] = json!(1_000_000);
    post(&project, "/api/v1/replays/chunk", &bad).refuse(422, "chunk_index");
    bad = chunk("bad", 0, None);
    bad.as_object_mut().unwrap().remove("metadata");
    post(&project, "/api/v1/replays/chunk", &bad).refuse(422, "metadata");
    let text = project.world.anonymous().post("/api/v1/replays").body("application/json", "{\"events\":[");
    text.send().refuse(400, "not JSON");
    assert_eq!(project.owner.get(&project.path("/replays")).send().expect(200)["total"], 0);
}

#[test]
fn secrets_are_removed_before_anything_is_stored() {
    let project = Project::new();
    let mut sent = whole("secret");
    sent["user"] = json!({"id": "7", "ip_address": "10.1.2.3"});
    sent["events"][1]["data"]["node"] = json!({"attributes": {"type": "password", "value": "hunter2"},
        "textContent": "Card 4111 1111 1111 1111, thanks"});
    let id = send(&project, &sent);
    let replay = replay(&project, &id, 1);
    assert_eq!(replay["user"], json!({"id": "7"}));
    assert_eq!(replay["scrubbed"], 3, "{replay}");
    let events = project.owner.get(&format!("/api/v1/replays/{id}/events")).send().expect(200);
    let node = &events[1]["data"]["node"];
    assert_eq!(node["attributes"]["value"], "[Filtered]");
    assert_eq!(node["textContent"], "Card [Filtered], thanks");
    assert_eq!(events[0], sent["events"][0], "times and sizes stay");
}

#[test]
fn the_last_of_ten_thousand_parts_is_accepted_and_no_further_one() {
    let project = Project::new();
    let id = send_chunk(&project, &chunk("many", 9_999, Some(10_000)));
    assert_eq!(replay(&project, &id, 1)["total_chunks"], 10_000);
    assert_eq!(parts(&project, &id, 9_999), (vec![9_999], "10000".to_owned()));
    post(&project, "/api/v1/replays/chunk", &chunk("many", 10_000, None)).refuse(422, "chunk_index");
}

#[test]
fn events_are_kept_in_the_order_of_sending() {
    let project = Project::new();
    let mut sent = whole("clock");
    let start = start();
    // A clock that was set back in between, and by half an hour.
    sent["events"] = json!([events(start)[0], events(start - 5_000)[1], events(start - 1_800_000)[2]]);
    let id = send(&project, &sent);
    replay(&project, &id, 1);
    assert_eq!(project.owner.get(&format!("/api/v1/replays/{id}/events")).send().expect(200), sent["events"]);
}

/// A part from one time to another, in milliseconds after the start.
fn between(session: &str, index: i64, from: i64, to: i64) -> Value {
    let (mut part, start) = (chunk(session, index, None), start());
    let event = |at: i64| json!({"type": 3, "timestamp": start + at, "data": {"source": 0, "part": index}});
    part["events"] = json!([event(from), event(to)]);
    part
}

#[test]
fn a_clock_that_jumps_loses_no_part_and_makes_no_replay_longer_than_an_hour() {
    let project = Project::new();
    let (hour, day) = (3_600_000, 86_400_000);
    send_chunk(&project, &between("jump", 0, 0, 10_000));
    for (index, from) in [(1, 50 * hour), (2, -20 * day), (3, -3 * hour), (4, 12_000)] {
        send_chunk(&project, &between("jump", index, from, from + 5_000));
    }
    let id = send_chunk(&project, &between("jump", 5, 59 * 60_000, 60 * 60_000));
    let found = replay(&project, &id, 6);
    assert!(found["duration_ms"].as_i64().unwrap() <= hour, "{found}");
    assert_eq!(parts(&project, &id, 0).0, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
}

/// A part with events so long after the start, with metadata of a second if it is the first.
fn timed(session: &str, then: i64, index: i64, times: &[i64]) -> Value {
    let mut part = chunk(session, index, None);
    if index == 0 {
        part["metadata"]["start_timestamp"] = json!(then);
        part["metadata"]["end_timestamp"] = json!(then + 1_000);
    }
    let event = |at: &i64| json!({"type": 3, "timestamp": then + at, "data": {"source": 0, "part": index}});
    part["events"] = times.iter().map(event).collect();
    part
}

#[test]
fn a_part_without_events_does_not_change_the_time() {
    let project = Project::new();
    let then = start() - 600_000;
    for (name, parts) in [
        ("end", vec![(0, vec![0]), (1, vec![])]),
        ("begin", vec![(0, vec![]), (1, vec![500])]),
        ("backwards", vec![(1, vec![]), (0, vec![10])]),
        ("late head", vec![(1, vec![]), (2, vec![400, 700]), (0, vec![])]),
        ("nothing", vec![(2, vec![]), (0, vec![]), (1, vec![])]),
    ] {
        let ids: Vec<String> = parts
            .iter()
            .map(|(index, times)| send_chunk(&project, &timed(name, then, *index, times)))
            .collect();
        let found = replay(&project, &ids[0], parts.len() as i64);
        assert_eq!(found["duration_ms"], 1_000, "{name}: {found}");
        assert_eq!(found["start_timestamp"], then, "{name}: {found}");
    }
    // Without metadata, the events alone decide.
    send_chunk(&project, &timed("headless", then, 1, &[]));
    let id = send_chunk(&project, &timed("headless", then, 2, &[100, 300]));
    assert_eq!(replay(&project, &id, 2)["duration_ms"], 200);
}

#[test]
fn an_hour_over_all_parts_is_the_most() {
    let project = Project::new();
    let minute = 60_000;
    send_chunk(&project, &between("long", 0, -60 * minute, -20 * minute));
    // 21 minutes more are too many, 20 are not.
    send_chunk(&project, &between("long", 1, -20 * minute, minute));
    let id = send_chunk(&project, &between("long", 2, -20 * minute, 0));
    replay(&project, &id, 2);
    assert_eq!(parts(&project, &id, 2).0, [2, 2]);
    assert_eq!(parts(&project, &id, 1).0, Vec::<i64>::new(), "the second one was dropped");
    post(&project, "/api/v1/replays/chunk", &between("long", 3, 0, 61 * minute)).refuse(422, "60 minutes");
}

#[test]
fn a_part_whose_metadata_exceeds_the_longest_duration_is_not_refused_for_that() {
    let project = Project::new();
    let mut part = chunk("idle", 0, None);
    // The page was idle: the start in the metadata is older than the events of the part.
    part["metadata"]["start_timestamp"] = json!(start() - 70 * 60_000);
    let id = send_chunk(&project, &part);
    assert_eq!(replay(&project, &id, 1)["duration_ms"], 60 * 60_000);
    assert_eq!(parts(&project, &id, 0).0, [0]);
}

#[test]
fn a_person_who_signs_in_during_the_recording_is_named_and_found() {
    let project = Project::new();
    let signed_in = |index: i64, user: Value| {
        let mut part = chunk("sign-in", index, None);
        part["metadata"] =
            json!({"start_timestamp": start(), "end_timestamp": start() + 1_000, "user": user});
        send_chunk(&project, &part)
    };
    signed_in(0, Value::Null);
    signed_in(1, json!({"email": "Ada@example.com"}));
    let id = signed_in(2, Value::Null);
    assert_eq!(replay(&project, &id, 3)["user"]["email"], "Ada@example.com");
    assert_eq!(project.owner.get(&project.path("/replays?user=ada@")).send().expect(200)["total"], 1);
}

#[test]
fn text_that_is_not_utf_8_is_refused_in_every_field() {
    let project = Project::new();
    let body = project.with_key(&whole("utf-8")).to_string();
    for place in ["shop.example/cart\"", "utf-8", "\"timestamp\""] {
        let at = body.find(place).unwrap();
        let bytes = [&body.as_bytes()[..at], b"\xff\xfe", &body.as_bytes()[at..]].concat();
        let request = project.world.anonymous().post("/api/v1/replays").body("application/json", bytes);
        request.send().refuse(400, "");
    }
    // Unpaired surrogates are legal JSON, and a page may well contain them.
    let halves = body.replace("shop.example/cart", "shop.example/\\ud83dcart").replace("Ada@", "Ada\\ude00@");
    let request = project.world.anonymous().post("/api/v1/replays").body("application/json", halves);
    let id = request.send().expect(202)["replay_id"].as_str().unwrap().to_owned();
    assert_eq!(replay(&project, &id, 1)["user"]["email"], "Ada\u{fffd}@example.com");
}

#[test]
fn a_project_sets_what_is_scrubbed_from_its_replays() {
    let project = Project::new();
    let settings = json!({"settings": {"scrubbing": {"keys": ["voucher"], "keep_ip_addresses": true}}});
    project.owner.patch(&project.path("")).json(&settings).send().expect(200);
    let mut sent = whole("settings");
    sent["user"] = json!({"id": "7", "ip_address": "10.1.2.3"});
    sent["events"][1]["data"]["node"] = json!({"attributes": {"voucher": "HALF", "class": "big"}});
    let id = send(&project, &sent);
    let read = replay(&project, &id, 1);
    assert_eq!((&read["user"]["ip_address"], &read["scrubbed"]), (&json!("10.1.2.3"), &json!(1)), "{read}");
    let events = project.owner.get(&format!("/api/v1/replays/{id}/events")).send().expect(200);
    assert_eq!(events[1]["data"]["node"]["attributes"], json!({"voucher": "[Filtered]", "class": "big"}));
}
