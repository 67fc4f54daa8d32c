//! Queries of logs: the first line is the query, the rest is a message.

use super::blowup;
use mayday::event::log_entry::{Entry, Level};
use mayday::logs::template;
use mayday::search::query::{self, Node};
use mayday::search::words;

pub(crate) fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (asked, message) = text.split_once('\n').unwrap_or((&text, ""));
    finds_itself(message);
    match query::parse(asked) {
        Ok(Some(node)) => answered(&node, message),
        Ok(None) => {}
        Err(error) => {
            let long = asked.chars().count() > query::QUERY_MAX;
            let expected = if long {
                "search: expected at most 2000 characters"
            } else {
                "search: expected at most 100 terms"
            };
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }
    if data.first() == Some(&b'~') {
        blowup::check(message, |text| {
            template::make(text);
            words::words(text, |_, _, _| {});
        });
    }
}

fn entry(message: &str) -> Entry<'_> {
    Entry {
        timestamp: 0,
        level: Level::Error,
        message: message.into(),
        template: template::make(message),
        attributes: Some(r#"{"order":{"id":1234},"tags":["a","b"]}"#.into()),
        trace_id: Some("ab12".into()),
        span_id: None,
        user_id: Some("42".into()),
        user_email: Some("ann@example.org".into()),
        account_id: None,
        account_name: None,
        logger_name: Some("shop.db".into()),
        file_path: None,
        function_name: None,
        line_number: None,
    }
}

fn answered(node: &Node, message: &str) {
    let entry = entry(message);
    let found = query::matches(node, "production", Some("1.0"), &entry);
    assert_eq!(found, !query::matches(&Node::Not(Box::new(node.clone())), "production", Some("1.0"), &entry));
    let hits = query::highlights(node, message);
    let mut last = 0;
    for hit in &hits {
        assert!(last <= hit.start && hit.start < hit.end && message.get(hit.clone()).is_some(), "{hit:?}");
        last = hit.end;
    }
    match node {
        Node::Words { words, .. } => {
            assert!(
                !words.is_empty()
                    && words.iter().all(|word| !word.is_empty() && word.len() <= words::WORD_MAX)
            );
            assert_eq!(found, !hits.is_empty());
        }
        Node::All(parts) | Node::Any(parts) => assert!(parts.len() >= 2),
        _ => {}
    }
}

/// A message in quotes is found by itself, if it has anything that can be searched for.
fn finds_itself(message: &str) {
    let quoted = format!("\"{}\"", message.replace(['"', '\\'], " "));
    if let Ok(Some(node)) = query::parse(&quoted)
        && node != Node::Nothing
    {
        assert!(query::matches(&node, "production", None, &entry(message)), "{message:?}");
    }
}
