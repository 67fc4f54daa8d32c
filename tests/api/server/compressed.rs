//! Answers of the dashboard on the wire.

use crate::support::{Project, Stream, Value, json};
use std::io::Read as _;

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
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed.bytes()).read_to_string(&mut text).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["total"], plain.value()["total"]);
    for answer in [plain, packed] {
        assert_eq!(
            answer.header("vary").map(|vary| vary.contains("accept-encoding")),
            Some(true),
            "{answer:?}"
        );
    }
    let small = ask("/api/v1/me", "gzip");
    assert_eq!((small.status(), small.header("content-encoding")), (200, None));
    let stream = Stream::open(&project.owner, &project.path("/stream"), &[("accept-encoding", "gzip")]);
    assert_eq!(stream.header("content-encoding"), None);
}
