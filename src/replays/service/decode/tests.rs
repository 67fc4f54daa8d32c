use super::*;
use crate::scrubbing::Scrubbing;
use serde_json::json;

const NOW: &str = "2026-11-21T12:00:00Z";

fn read(head: &Value, form: Form) -> Result<Segment> {
    let now = Timestamp::parse(NOW).unwrap();
    let around = Around { environment: Some("staging"), user_agent: Some("Firefox".into()), now };
    segment(&head.to_string(), form, &Scrubbing::default().compile(), around)
}

fn whole() -> Value {
    json!({"session_id": "s", "window_id": "w", "start_timestamp": "2026-11-21T11:00:00Z",
        "end_timestamp": "2026-11-21T11:05:00Z"})
}

fn chunk() -> Value {
    json!({"session_id": "s", "window_id": "w", "chunk_index": 3})
}

fn refused(mut head: Value, form: Form, name: &str, value: Value) -> String {
    head[name] = value;
    read(&head, form).unwrap_err().to_string()
}

#[test]
fn a_whole_replay_is_its_only_segment() {
    let segment = read(&whole(), Form::Whole).unwrap();
    assert_eq!((segment.index, segment.total), (0, Some(1)));
    assert_eq!(segment.replay_id, derived_id("s", "w"));
    let metadata = segment.metadata.unwrap();
    assert_eq!(metadata.end - metadata.start, 300_000);
    assert_eq!(metadata.environment.as_deref(), Some("staging"));
    assert_eq!(metadata.rrweb_version, None);
}

#[test]
fn the_difference_of_the_clocks_is_what_the_client_says_before_what_arrives() {
    let arrived_at = Timestamp::parse(NOW).unwrap();
    let lag_of = |sent: i64| lag(&sent.to_string(), arrived_at).unwrap();
    assert_eq!(lag_of(arrived_at.millis() - 40), 40);
    assert_eq!(lag_of(arrived_at.millis() + 7_000), -7_000);
    for bad in ["", "now", "1.5", "-1", "4102444800000", "99999999999999999999", "2026-11-21T12:00:00Z"] {
        let refused = lag(bad, arrived_at).unwrap_err().to_string();
        assert!(refused.contains("sent: expected milliseconds"), "{refused}");
    }
}

#[test]
fn the_version_of_the_recorder_is_kept() {
    let mut head = chunk();
    head["metadata"] = whole();
    head["metadata"]["rrweb_version"] = json!("2.1.6");
    let metadata = read(&head, Form::Chunk).unwrap().metadata.unwrap();
    assert_eq!(metadata.rrweb_version.as_deref(), Some("2.1.6"));
}

#[test]
fn a_chunk_needs_metadata_only_at_the_start() {
    assert_eq!(read(&chunk(), Form::Chunk).unwrap().metadata, None);
    assert!(refused(chunk(), Form::Chunk, "chunk_index", json!(0)).starts_with("metadata: missing"));
}

#[test]
fn a_chunk_may_come_in_pieces_of_which_the_first_has_the_metadata() {
    let mut head = chunk();
    assert_eq!(read(&head, Form::Chunk).unwrap().piece, Piece { index: 0, count: 1 });
    head["part"] = json!({"index": 63, "count": 64});
    let segment = read(&head, Form::Chunk).unwrap();
    assert_eq!((segment.piece, segment.name().ends_with("/3.63")), (Piece { index: 63, count: 64 }, true));
    head["chunk_index"] = json!(0);
    assert_eq!(read(&head, Form::Chunk).unwrap().metadata, None);
    let text = refused(head, Form::Chunk, "part", json!({"index": 0, "count": 64}));
    assert!(text.starts_with("metadata: missing"), "{text}");
    // A whole replay has no parts, whatever it says.
    let mut head = whole();
    head["part"] = json!({"index": 1, "count": 2});
    assert_eq!(read(&head, Form::Whole).unwrap().piece, Piece::default());
}

#[test]
fn people_are_kept_without_secrets_and_addresses() {
    let mut head = whole();
    head["user"] = json!({"id": 7, "email": "ada@example.com", "ip_address": "10.1.2.3"});
    head["url"] = json!("https://shop.example/?token=abc123secret");
    let segment = read(&head, Form::Whole).unwrap();
    let metadata = segment.metadata.unwrap();
    assert_eq!(metadata.user, Some(json!({"id": "7", "email": "ada@example.com"})));
    assert!(!metadata.url.unwrap().contains("abc123secret"));
    assert!(segment.scrubbed >= 2);
}

#[test]
fn an_unbelievable_clock_counts_for_the_duration_only() {
    let mut head = whole();
    head["start_timestamp"] = json!(1_000_000_000_000_i64);
    head["end_timestamp"] = json!(1_000_000_060_000_i64);
    let metadata = read(&head, Form::Whole).unwrap().metadata.unwrap();
    let now = Timestamp::parse(NOW).unwrap().millis();
    assert_eq!((metadata.start, metadata.end), (now - 60_000, now));
}

#[test]
fn invalid_fields_are_named() {
    for (text, part) in [
        (refused(whole(), Form::Whole, "session_id", json!("")), "session_id: expected 1 to 128"),
        (refused(whole(), Form::Whole, "window_id", json!(5)), "window_id: expected a text"),
        (
            refused(whole(), Form::Whole, "end_timestamp", json!("2026-11-21T10:00:00Z")),
            "after start_timestamp",
        ),
        (refused(whole(), Form::Whole, "end_timestamp", json!("2026-11-21T12:30:00Z")), "at most 60 minutes"),
        (refused(whole(), Form::Whole, "start_timestamp", json!("soon")), "start_timestamp: expected"),
        (refused(whole(), Form::Whole, "rrweb_version", json!(2)), "rrweb_version: expected a text"),
        (
            refused(whole(), Form::Whole, "rrweb_version", json!("2".repeat(65))),
            "rrweb_version: expected 1 to 64",
        ),
        (refused(chunk(), Form::Chunk, "chunk_index", json!(1_000_000)), "from 0 to 9999"),
        (refused(chunk(), Form::Chunk, "chunk_index", json!(-1)), "from 0 to 9999"),
        (refused(chunk(), Form::Chunk, "total_chunks", json!(3)), "less than total_chunks (3)"),
        (refused(chunk(), Form::Chunk, "metadata", json!([])), "metadata: expected an object"),
        (refused(chunk(), Form::Chunk, "part", json!(1)), "part: expected an object"),
        (refused(chunk(), Form::Chunk, "part", json!({"index": 0})), "part.count: missing; expected 1 to 64"),
        (refused(chunk(), Form::Chunk, "part", json!({"index": -1, "count": 2})), "part.index: expected a"),
        (refused(chunk(), Form::Chunk, "part", json!({"index": 0, "count": 65})), "part.count: expected a"),
        (refused(chunk(), Form::Chunk, "part", json!({"index": 2, "count": 2})), "less than part.count (2)"),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
