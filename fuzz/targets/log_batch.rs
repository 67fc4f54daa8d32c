//! Batches of log entries: from a body to what is stored and found.

use bytes::Bytes;
use mayday::event::log_entry::{Batch, Entry};
use mayday::fuzzing;
use mayday::logs::{decode, limits, template};
use mayday::scrubbing::{Scrubber, Scrubbing};
use mayday::search::{facts, words};
use serde_json::Value;
use std::sync::LazyLock;

static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| Scrubbing::default().compile());

pub(crate) fn target(data: &[u8]) {
    let body = fuzzing::mend(Bytes::copy_from_slice(data));
    let Ok(open) = decode::open(&body) else {
        assert!(!is_readable(&body), "JSON is refused");
        return;
    };
    let count = open.count();
    match open.decode(&SCRUBBER, None) {
        Ok(decoded) => {
            let count = count.expect("a count");
            assert!(count <= limits::ENTRIES && decoded.batch.entries.len() + decoded.dropped == count);
            stored(&decoded.batch);
            decoded.batch.entries.iter().for_each(checked);
        }
        Err(error) => {
            let text = error.to_string();
            assert!(
                ["logs: ", "environment: ", "release: "].iter().any(|path| text.starts_with(path)),
                "{text}"
            );
        }
    }
}

/// JSON in UTF-8, of numbers and nesting that every reader takes.
fn is_readable(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok()
}

fn stored(batch: &Batch<'_>) {
    let stored = postcard::to_allocvec(batch).unwrap();
    assert_eq!(postcard::from_bytes::<Batch<'_>>(&stored).unwrap(), *batch);
    assert!(!batch.environment.is_empty() && batch.environment.chars().count() <= limits::ENVIRONMENT);
}

fn checked(entry: &Entry<'_>) {
    assert!((0..253_402_300_800_000_000).contains(&entry.timestamp), "{}", entry.timestamp);
    assert!(entry.template.chars().count() <= limits::TEMPLATE);
    assert!(entry.line_number != Some(0));
    if let Some(attributes) = &entry.attributes {
        let tree: Value = serde_json::from_str(attributes).expect("JSON");
        assert!(tree.is_object());
    }
    for text in
        [&entry.logger_name, &entry.user_id, &entry.trace_id, &entry.account_name].into_iter().flatten()
    {
        assert!(
            !text.is_empty() && text.chars().count() <= limits::IDENTITY + 10 * "[Filtered]".len(),
            "{text}"
        );
    }
    let mut count = 0;
    facts::facts("production", None, entry, |field, value| {
        count += 1;
        assert!(!value.is_empty() && value.len() <= facts::VALUE_MAX && !field.is_empty());
    });
    assert!((3..=facts::LEAVES_MAX + 13).contains(&count), "{count} facts");
    let mut last = 0;
    words::words(&entry.message, |word, start, end| {
        assert!(!word.is_empty() && word.len() <= words::WORD_MAX && last <= start && start < end);
        assert!(entry.message.get(start..end).is_some());
        last = end;
    });
    let made = template::make(&entry.message);
    assert!(made.chars().count() <= template::TEMPLATE_MAX.max(entry.message.chars().count()));
}
