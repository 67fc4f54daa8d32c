//! `Idempotency-Key`.

use super::{entry, read, store, total, until_total};
use crate::errors::encodings::gzip;
use crate::support::{Project, Response, Value, json};

fn post(project: &Project, key: &str, logs: &Value) -> Response {
    let body = project.with_key(&json!({"logs": logs}));
    project.world.anonymous().post("/api/v1/logs/batch").header("idempotency-key", key).json(&body).send()
}

#[test]
fn a_repeated_batch_is_stored_once_and_answered_the_same() {
    let project = Project::new();
    let logs = json!([entry(0, "once"), {"level": "info"}, entry(1, "once")]);
    let first = post(&project, "a key", &logs).expect(202);
    assert_eq!(first, json!({"accepted": 2, "dropped": 1}));
    assert_eq!(post(&project, "a key", &logs).expect(202), first);
    until_total(&project, 2);
    store(&project, &[entry(2, "later")]);
    assert_eq!(total(&project, ""), 3);
    post(&project, "another key", &logs).expect(202);
    until_total(&project, 5);
    // Another project's key is another.
    let other = project.other();
    post(&other, "a key", &json!([entry(0, "theirs")])).expect(202);
    until_total(&other, 1);
}

#[test]
fn another_batch_under_the_same_key_is_refused_and_nothing_of_it_is_stored() {
    let project = Project::new();
    let logs = json!([entry(0, "first")]);
    post(&project, "k", &logs).expect(202);
    until_total(&project, 1);
    for another in [json!([entry(0, "another")]), json!([]), json!([entry(0, "first"), entry(0, "second")])] {
        post(&project, "k", &another).refuse(422, "Idempotency-Key");
    }
    // The first one is still recognized.
    assert_eq!(post(&project, "k", &logs).expect(202)["accepted"], 1);
    store(&project, &[entry(1, "later")]);
    assert_eq!(total(&project, ""), 2);
}

#[test]
fn a_repetition_may_be_compressed_otherwise() {
    let project = Project::new();
    let body = project.with_key(&json!({"logs": [entry(0, "once")]})).to_string();
    let post = || project.world.anonymous().post("/api/v1/logs/batch").header("idempotency-key", "k");
    let first = post().body("application/json", body.clone()).send().expect(202);
    let packed = post().header("content-encoding", "gzip").body("application/json", gzip(body.as_bytes()));
    assert_eq!(packed.send().expect(202), first);
}

#[test]
fn a_batch_that_is_sent_twice_at_once_is_stored_once() {
    let project = Project::new();
    let logs: Value = (0..50).map(|number| entry(number, "at once")).collect();
    let answers: Vec<Value> = std::thread::scope(|scope| {
        let send = || post(&project, "the same", &logs).expect(202);
        let senders: Vec<_> = (0..20).map(|_| scope.spawn(send)).collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect()
    });
    assert_eq!(answers, vec![json!({"accepted": 50, "dropped": 0}); 20]);
    until_total(&project, 50);
    store(&project, &[entry(0, "later")]);
    assert_eq!(read(&project, "?search=once")["total"], 50);
}

#[test]
fn a_batch_without_usable_entries_is_recognized_too() {
    let project = Project::new();
    let none = json!([{"level": "info"}]);
    assert_eq!(post(&project, "k", &none).expect(202), json!({"accepted": 0, "dropped": 1}));
    assert_eq!(post(&project, "k", &none).expect(202), json!({"accepted": 0, "dropped": 1}));
    // A refusal is not remembered.
    let many: Value = (0..101).map(|number| entry(number, "x")).collect();
    post(&project, "r", &many).refuse(422, "101");
    assert_eq!(post(&project, "r", &json!([entry(0, "x")])).expect(202)["accepted"], 1);
}

#[test]
fn a_key_has_1_to_255_characters() {
    let project = Project::new();
    let logs = json!([entry(0, "x")]);
    post(&project, "", &logs).refuse(422, "Idempotency-Key");
    post(&project, &"k".repeat(256), &logs).refuse(422, "256");
    post(&project, &"k".repeat(255), &logs).expect(202);
}
