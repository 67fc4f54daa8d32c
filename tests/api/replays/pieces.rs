//! Chunks that are larger than a request: sent in parts, and put together by chunk and part.

use super::{chunk, parts, post, replay, send_chunk, start};
use crate::errors::encodings::gzip;
use crate::support::{Project, Value, json};

/// A part of chunk 1. The first one has a picture of the page; all have the same time, as recorders send them.
fn piece(session: &str, index: i64, count: i64) -> Value {
    let (at, kind) = (start() + 1_000, if index == 0 { 2 } else { 3 });
    let mut piece = chunk(session, 1, None);
    piece["part"] = json!({"index": index, "count": count});
    piece["events"] = json!([{"type": kind, "timestamp": at, "data": {"source": 0, "part": 10 + index}}]);
    piece
}

/// Chunk 0, the parts of chunk 1, and chunk 2, which is the last.
fn all(session: &str) -> [Value; 5] {
    let [first, last] = [chunk(session, 0, None), chunk(session, 2, Some(3))];
    [first, piece(session, 0, 3), piece(session, 1, 3), piece(session, 2, 3), last]
}

#[test]
fn parts_of_a_chunk_are_put_together_in_any_order_and_arrive_twice() {
    let project = Project::new();
    let all = all("pieces");
    for index in [4, 3, 1, 3, 0, 2, 1] {
        send_chunk(&project, &all[index]);
    }
    let id = send_chunk(&project, &all[0]);
    let replay = replay(&project, &id, 3);
    let expected = json!({"is_complete": true, "total_chunks": 3, "event_count": 5, "missing_chunks": []});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(replay[name], *value, "{name}: {replay}");
    }
    assert_eq!(parts(&project, &id, 0), (vec![0, 10, 11, 12, 2], "3".to_owned()));
    assert_eq!(parts(&project, &id, 1).0, [10, 11, 12, 2]);
    // The picture begins with the first part, from which a later moment is drawn.
    let path = format!("/api/v1/replays/{id}/events?project_id={}&at=60000", project.id);
    assert_eq!(project.owner.get(&path).send().header("x-first-chunk"), Some("1"));
}

#[test]
fn a_chunk_that_lacks_a_part_is_missing_and_waited_for_while_the_replay_is_live() {
    let project = Project::new();
    let all = all("waits");
    let id = send_chunk(&project, &all[0]);
    for index in [1, 3, 4] {
        send_chunk(&project, &all[index]);
    }
    let found = replay(&project, &id, 2);
    assert_eq!((&found["is_complete"], &found["missing_chunks"]), (&json!(false), &json!([1])), "{found}");
    assert_eq!(parts(&project, &id, 0), (vec![0], "1".to_owned()));
    send_chunk(&project, &all[2]);
    assert_eq!(replay(&project, &id, 3)["is_complete"], true);
    assert_eq!(parts(&project, &id, 1), (vec![10, 11, 12, 2], "3".to_owned()));
}

#[test]
fn parts_that_name_another_count_than_their_chunk_are_dropped() {
    let project = Project::new();
    let whole = [chunk("counts", 0, None), chunk("counts", 1, None)];
    for body in [&whole[0], &piece("counts", 0, 2), &piece("counts", 1, 3), &whole[1]] {
        send_chunk(&project, body);
    }
    let id = send_chunk(&project, &piece("counts", 1, 2));
    assert_eq!(replay(&project, &id, 2)["event_count"], 3);
    assert_eq!(parts(&project, &id, 0).0, [0, 10, 11]);
}

#[test]
fn what_is_no_part_is_refused() {
    let project = Project::new();
    for (part, word) in [
        (json!({"index": 2, "count": 2}), "part.index"),
        (json!({"index": 0, "count": 65}), "part.count"),
        (json!({"index": 0.5, "count": 2}), "part.index"),
        (json!({"count": 2}), "part.index"),
        (json!([0, 2]), "part: expected an object"),
    ] {
        let mut body = chunk("bad", 1, None);
        body["part"] = part;
        post(&project, "/api/v1/replays/chunk", &body).refuse(422, word);
    }
    let mut first = chunk("bad", 0, None);
    first.as_object_mut().unwrap().remove("metadata");
    first["part"] = json!({"index": 0, "count": 2});
    post(&project, "/api/v1/replays/chunk", &first).refuse(422, "metadata");
    first["part"] = json!({"index": 1, "count": 2});
    send_chunk(&project, &first);
}

#[test]
fn secrets_are_removed_from_each_part_and_deleted_replays_take_none() {
    let project = Project::new();
    let [first, .., last] = all("secret");
    let mut secret = piece("secret", 1, 2);
    secret["events"][0]["data"]["adds"] = json!([{"parentId": 5, "nextId": null, "node": {"type": 2, "id": 7,
        "attributes": {"password": "hunter2"}, "childNodes": []}}]);
    for body in [&first, &secret, &last] {
        send_chunk(&project, body);
    }
    let id = send_chunk(&project, &piece("secret", 0, 2));
    assert_eq!(replay(&project, &id, 3)["scrubbed"], 1);
    let path = format!("/api/v1/replays/{id}");
    let events = project.owner.get(&format!("{path}/events")).send().expect(200);
    assert_eq!(events[2]["data"]["adds"][0]["node"]["attributes"]["password"], "[Filtered]", "{events}");
    project.owner.delete(&path).send().expect(204);
    send_chunk(&project, &secret);
    project.digest(&json!({"message": "so the part is digested, too"}));
    project.owner.get(&path).send().refuse(404, "");
}

#[test]
fn a_page_that_is_larger_than_an_event_may_be_is_accepted_in_parts() {
    let project = Project::new();
    let send = |body: &Value| {
        let packed = gzip(project.with_key(body).to_string().as_bytes());
        let request = project.world.anonymous().post("/api/v1/replays/chunk");
        request.header("content-encoding", "gzip").body("application/json", packed).send()
    };
    let large = |index: i64, megabytes: usize| {
        let mut piece = piece("large", index, 6);
        piece["events"][0]["data"]["text"] = json!("word ".repeat(megabytes * 200_000));
        piece
    };
    send(&large(0, 17)).refuse(413, "16 MiB");
    send(&chunk("large", 0, None)).expect(202);
    let accepted = |index| send(&large(index, 3)).expect(202)["replay_id"].as_str().unwrap().to_owned();
    let ids: Vec<String> = (0..6).map(accepted).collect();
    assert_eq!(replay(&project, &ids[0], 2)["event_count"], 7);
    assert_eq!(parts(&project, &ids[0], 1).0, [10, 11, 12, 13, 14, 15]);
}
