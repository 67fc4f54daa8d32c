//! Answers of the dashboard on the wire.

use crate::replays::{replay, send, whole};
use crate::support::{Project, Response, Stream, Value, json};
use std::io::Read as _;

/// What a compressed answer says.
fn unpacked(answer: &Response) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(answer.bytes()).read_to_string(&mut text).unwrap();
    text
}

/// A cache must not give the one form to a client that asked for the other.
fn depends_on_the_encoding(answer: &Response) {
    let vary = answer.header("vary").unwrap_or_default().to_ascii_lowercase();
    assert!(vary.contains("accept-encoding"), "{answer:?}");
}

#[test]
fn only_large_json_is_compressed_and_only_for_clients_that_accept_it() {
    let project = Project::new();
    for number in 0..5 {
        project.digest(&json!({"message": format!("failure {}", "abcde".repeat(number + 1))}));
    }
    let ask = |path: &str, encoding: &str| project.owner.get(path).header("accept-encoding", encoding).send();
    let list = project.path("/issues");
    let (plain, packed) = (ask(&list, "identity"), ask(&list, "gzip, deflate, br, zstd"));
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
    assert!(
        plain.bytes().len() > 2 * packed.bytes().len(),
        "{} {}",
        plain.bytes().len(),
        packed.bytes().len()
    );
    assert_eq!(serde_json::from_str::<Value>(&unpacked(&packed)).unwrap()["total"], plain.value()["total"]);
    [plain, packed].iter().for_each(depends_on_the_encoding);
    let small = ask("/api/v1/me", "gzip");
    assert_eq!((small.status(), small.header("content-encoding")), (200, None));
    let stream = Stream::open(&project.owner, &project.path("/stream"), &[("accept-encoding", "gzip")]);
    assert_eq!(stream.header("content-encoding"), None);
}

#[test]
fn the_events_of_a_replay_are_compressed_as_they_are_streamed() {
    let project = Project::new();
    let mut sent = whole("packed");
    // More than is read of a file at once.
    sent["events"][2]["data"]["text"] = json!("once more ".repeat(100_000));
    let id = send(&project, &sent);
    replay(&project, &id, 1);
    let path = format!("/api/v1/replays/{id}/events?project_id={}", project.id);
    let ask = |encoding: &str| project.owner.get(&path).header("accept-encoding", encoding).send();
    let packed = ask("gzip, deflate, br, zstd");
    assert_eq!((packed.status(), packed.header("content-encoding")), (200, Some("gzip")));
    assert_eq!((packed.header("x-first-chunk"), packed.header("x-next-chunk")), (Some("0"), Some("1")));
    assert!(packed.bytes().len() < 100_000, "{}", packed.bytes().len());
    depends_on_the_encoding(&packed);
    for encoding in ["identity", "br, zstd", "gzip;q=0"] {
        let plain = ask(encoding);
        assert_eq!(plain.header("content-encoding"), None, "{encoding}");
        depends_on_the_encoding(&plain);
        assert_eq!(plain.expect(200), sent["events"], "{encoding}");
        assert!(plain.text() == unpacked(&packed), "{encoding}");
    }
}
