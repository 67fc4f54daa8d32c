//! The batch as a whole.

use super::{entry, post, read, store, total, until_total, with};
use crate::errors::encodings::{bombs, brotli, gzip, zlib, zstd};
use crate::support::{Project, Value, json};

#[test]
fn a_batch_has_a_hundred_entries_at_most() {
    let project = Project::new();
    let logs = |count: i64| -> Value { (0..count).map(|number| entry(number, "one of many")).collect() };
    for count in [0, 1, 99, 100] {
        let answer = post(&project, &logs(count)).expect(202);
        assert_eq!(answer, json!({"accepted": count, "dropped": 0}));
    }
    until_total(&project, 200);
    let detail = post(&project, &logs(101)).refuse(422, "100");
    assert!(detail.contains("101") && detail.contains("nothing was stored"), "{detail}");
    post(&project, &logs(10_000)).refuse(422, "10000");
    store(&project, &[entry(0, "later")]);
    assert_eq!(total(&project, ""), 201);
}

#[test]
fn a_malformed_batch_is_refused_and_the_part_named() {
    let project = Project::new();
    for (logs, part) in [
        (json!({}), "logs: expected an array"),
        (json!("x"), "logs: expected an array"),
        (json!(5), "logs: expected an array"),
        (json!(true), "logs: expected an array"),
        (Value::Null, "logs: missing"),
    ] {
        post(&project, &logs).refuse(422, part);
    }
    let send = |fields: Value| {
        let body = with(project.with_key(&json!({"logs": [entry(0, "x")]})), &fields);
        project.world.anonymous().post("/api/v1/logs/batch").json(&body).send()
    };
    send(json!({"environment": 5})).refuse(422, "environment");
    send(json!({"release": ["1"]})).refuse(422, "release");
    assert_eq!(total(&project, ""), 0);
}

#[test]
fn anything_but_json_in_utf8_is_malformed() {
    let project = Project::new();
    let good = project.with_key(&json!({"logs": [entry(0, "a\u{e9}b")]})).to_string();
    let mut latin = good.clone().into_bytes();
    let at = latin.iter().position(|byte| *byte == 0xc3).unwrap();
    latin.splice(at..at + 2, [0xe9]);
    for body in
        [latin, b"{".to_vec(), b"".to_vec(), good.as_bytes()[..40].to_vec(), b"\xef\xbb\xbf{}".to_vec()]
    {
        let answer =
            project.world.anonymous().post("/api/v1/logs/batch").body("application/json", body).send();
        answer.refuse(400, "not JSON");
    }
    let text = project.world.anonymous().post("/api/v1/logs/batch").body("text/html", good.clone());
    text.send().refuse(415, "");
    project
        .world
        .anonymous()
        .post("/api/v1/logs/batch")
        .json(&json!([]))
        .send()
        .refuse(401, "Invalid API key");
    assert_eq!(total(&project, ""), 0);
}

#[test]
fn unpaired_surrogates_are_replaced() {
    let project = Project::new();
    let logs =
        r#""logs":[{"timestamp":"2026-01-01T00:00:00Z","level":"info","message":"a \ud800 b \ude00"}]"#;
    let body = format!(r#"{{"api_key":"{}",{logs}}}"#, project.key);
    let answer = project.world.anonymous().post("/api/v1/logs/batch").body("application/json", body).send();
    assert_eq!(answer.expect(202)["accepted"], 1);
    until_total(&project, 1);
    assert_eq!(read(&project, "")["logs"][0]["message"], "a \u{fffd} b \u{fffd}");
}

#[test]
fn a_body_has_eight_mib_at_most() {
    let project = Project::new();
    let text = project.with_key(&json!({"logs": [entry(0, "x")]})).to_string();
    let send = |size: usize| {
        let padded = format!("{text}{}", " ".repeat(size - text.len()));
        project.world.anonymous().post("/api/v1/logs/batch").body("application/json", padded).send()
    };
    send(8 << 20).expect(202);
    send((8 << 20) + 1).refuse(413, "8388608");
}

#[test]
fn every_encoding_is_accepted() {
    let project = Project::new();
    let encodings = [
        ("gzip", gzip as fn(&[u8]) -> Vec<u8>),
        ("deflate", zlib),
        ("br", brotli),
        ("zstd", zstd),
        ("identity", <[u8]>::to_vec),
    ];
    for (encoding, encode) in encodings {
        let body = project.with_key(&json!({"logs": [entry(0, encoding)]})).to_string();
        let request =
            project.world.anonymous().post("/api/v1/logs/batch").header("content-encoding", encoding);
        let answer = request.body("application/json", encode(body.as_bytes())).send();
        assert_eq!(answer.expect(202)["accepted"], 1, "{encoding}");
        let cut = encode(body.as_bytes());
        let request =
            project.world.anonymous().post("/api/v1/logs/batch").header("content-encoding", encoding);
        request.body("application/json", cut[..cut.len() / 2].to_vec()).send().refuse(400, "");
    }
    until_total(&project, encodings.len() as u64);
    let request = project.world.anonymous().post("/api/v1/logs/batch").header("content-encoding", "lz4");
    request.json(&json!({})).send().refuse(415, "Content-Encoding");
}

#[test]
fn a_bomb_is_too_large() {
    let project = Project::new();
    for (encoding, bomb) in bombs() {
        let request =
            project.world.anonymous().post("/api/v1/logs/batch").header("content-encoding", encoding);
        request.body("application/json", bomb).send().refuse(413, "too large");
    }
}

#[test]
fn environment_and_release_apply_to_the_whole_batch() {
    let project = Project::new();
    store(&project, &[entry(0, "without")]);
    super::store_with(&project, &[entry(1, "with")], &json!({"environment": "Test", "release": "1.0"}));
    super::store_with(&project, &[entry(2, "cut")], &json!({"environment": "e".repeat(65), "release": ""}));
    let list = read(&project, "");
    let of = |at: usize| (list["logs"][at]["environment"].clone(), list["logs"][at]["release"].clone());
    assert_eq!(of(2), (json!("production"), Value::Null));
    assert_eq!(of(1), (json!("Test"), json!("1.0")));
    assert_eq!(of(0), (json!("e".repeat(64)), Value::Null));
}
