//! Parts of session replays: from a body to what is stored.

use mayday::event::replay::{DURATION_MAX, PIECES_MAX, SEGMENTS_MAX, Segment};
use mayday::fuzzing;
use mayday::scrubbing::{Scrubber, Scrubbing};
use serde_json::Value;
use std::sync::LazyLock;

static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| Scrubbing::default().compile());

pub(crate) fn target(data: &[u8]) {
    for is_chunk in [false, true] {
        match fuzzing::accept_replay(&SCRUBBER, is_chunk, data) {
            Ok((segment, events)) => stored(data, &segment, &events),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn stored(body: &[u8], segment: &Segment, events: &[u8]) {
    let text = std::str::from_utf8(events).expect("text");
    let count = segment.summary.events as usize;
    // Deeper than a tree may be read: each by its outside.
    let list = format!("[{text}]");
    let parts: Vec<&serde_json::value::RawValue> = serde_json::from_str(&list).expect("an array");
    assert_eq!(parts.len(), count);
    assert_eq!(text.len(), segment.summary.plain_bytes as usize + count.saturating_sub(1));
    assert!(
        segment.summary.clicks as usize <= count && segment.summary.urls.len() <= mayday::replays::URLS_MAX
    );
    if let (Some(first), Some(last)) = (segment.summary.first, segment.summary.last) {
        assert!((0..=DURATION_MAX).contains(&(last - first)));
    }
    assert!(segment.piece.index < segment.piece.count && segment.piece.count <= PIECES_MAX);
    assert!(segment.index < SEGMENTS_MAX && segment.total.is_none_or(|total| segment.index < total));
    for id in [Some(&segment.replay_id), segment.session_id.as_ref(), segment.window_id.as_ref()] {
        let length = id.map_or(1, |id| id.chars().count());
        assert!((1..=128).contains(&length), "an id of {length} characters");
    }
    if let Some(metadata) = &segment.metadata {
        assert!((0..=DURATION_MAX).contains(&(metadata.end - metadata.start)));
    }
    let json = serde_json::to_vec(segment).unwrap();
    assert_eq!(serde_json::from_slice::<Segment>(&json).unwrap(), *segment, "as the journal has it");
    again(text, count);
    // What our own reader takes, every reader takes, apart from nesting.
    if let Ok(tree) = serde_json::from_slice::<Value>(body) {
        assert_eq!(tree["events"].as_array().map(Vec::len), Some(count));
    }
}

/// What is stored has no secrets left.
fn again(text: &str, count: usize) {
    let body = format!(r#"{{"session_id":"s","window_id":"w","chunk_index":1,"events":[{text}]}}"#);
    let (segment, events) = fuzzing::accept_replay(&SCRUBBER, true, body.as_bytes()).expect("its own events");
    assert_eq!((segment.summary.events as usize, segment.scrubbed), (count, 0));
    assert_eq!(events, text.as_bytes());
}
