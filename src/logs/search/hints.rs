//! Explains why a search found nothing: which of its parts match nothing, and what would be found instead.

use crate::error::Result;
use crate::search::query::Node;
use crate::search::view::View;
use crate::search::words::is_signs;
use crate::search::{Order, Scope};
use serde::Serialize;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The most parts of a search that are checked.
const PARTS_MAX: usize = 8;
/// No count is started after this time.
const TIME_MAX: Duration = Duration::from_secs(1);

/// A part of a search that no entry of the time range has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SearchHint {
    /// As a search writes it.
    pub part: String,
    /// A search that finds entries instead; `null`: none is known.
    pub instead: Option<String>,
    /// How many it finds.
    pub found: u64,
}

/// The parts of a search that match no entry by themselves; empty if each part matches some, but no entry matches
/// all. Parts that take too long or fail are left out, because the search itself has its answer.
pub fn hints(view: &View, scope: &Scope) -> Vec<SearchHint> {
    let Some(query) = &scope.query else { return Vec::new() };
    let until = Instant::now() + TIME_MAX;
    let mut hints = Vec::new();
    for part in parts_of(query).into_iter().take(PARTS_MAX).take_while(|_| Instant::now() < until) {
        if !matches!(count(view, scope, part), Ok(0)) {
            continue;
        }
        let mut hint = SearchHint { part: written(part), instead: None, found: 0 };
        for other in others(part).into_iter().take_while(|_| Instant::now() < until) {
            if let Ok(found @ 1..) = count(view, scope, &other) {
                (hint.instead, hint.found) = (Some(written(&other)), found);
                break;
            }
        }
        hints.push(hint);
    }
    hints
}

/// The conditions that every entry must meet.
fn parts_of(query: &Node) -> Vec<&Node> {
    match query {
        Node::All(parts) => parts.iter().flat_map(parts_of).collect(),
        Node::Words { .. } | Node::Fact { .. } | Node::Any(_) => vec![query],
        Node::Not(_) | Node::Nothing => Vec::new(),
    }
}

fn count(view: &View, scope: &Scope, part: &Node) -> Result<u64> {
    let scope = Scope { query: Some(part.clone()), ..scope.clone() };
    Ok(view.page(&scope, Order::Newest, 0, 1)?.1)
}

/// Possible corrections: a longer word or value with this beginning, the words of a phrase in any order, or a value
/// as a word of the message.
fn others(part: &Node) -> Vec<Node> {
    match part {
        Node::Words { words, .. } if words.iter().all(|word| is_signs(word)) => Vec::new(),
        Node::Words { words, open } => {
            let opened = (!open).then(|| Node::Words { words: words.clone(), open: true });
            let each = words.iter().map(|word| Node::Words { words: vec![word.clone()], open: false });
            let apart = (words.len() > 1).then(|| Node::All(each.collect()));
            opened.into_iter().chain(apart).collect()
        }
        Node::Fact { field, value, open } => {
            let opened = Node::Fact { field: field.clone(), value: value.clone(), open: true };
            let mut words = Vec::new();
            crate::search::words::words(value, |word, _, _| words.push(word.to_owned()));
            let said = (!words.is_empty()).then_some(Node::Words { words, open: false });
            (!open).then_some(opened).into_iter().chain(said).collect()
        }
        _ => Vec::new(),
    }
}

/// A condition in the search language.
fn written(node: &Node) -> String {
    let star = |open: bool| if open { "*" } else { "" };
    match node {
        Node::Words { words, open } if words.len() == 1 => format!("{}{}", words[0], star(*open)),
        Node::Words { words, open } => format!("\"{}\"{}", words.join(" "), star(*open)),
        Node::Fact { field, value, open } => {
            let plain = value.chars().all(|c| c.is_alphanumeric() || "-_.@/".contains(c));
            let value = if plain { value.clone() } else { quoted(value) };
            let is_bare = field.chars().all(|c| c.is_alphanumeric() || "-_.@/".contains(c));
            let field = if is_bare { field.clone() } else { quoted(field) };
            format!("{field}:{value}{}", star(*open))
        }
        Node::All(parts) => parts.iter().map(written).collect::<Vec<_>>().join(" "),
        // The notations of one id.
        Node::Any(parts) if matches!(parts.first(), Some(Node::Fact { field, open: true, .. }) if field == "trace") => {
            written(&parts[0])
        }
        Node::Any(parts) => {
            let grouped = |part: &Node| match part {
                Node::All(_) => format!("({})", written(part)),
                part => written(part),
            };
            parts.iter().map(grouped).collect::<Vec<_>>().join(" OR ")
        }
        Node::Not(inner) => format!("-({})", written(inner)),
        Node::Nothing => String::new(),
    }
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::parse;

    #[test]
    fn a_written_condition_is_parsed_back() {
        for query in [
            "disk",
            "disk*",
            "\"disk full\"",
            "\"disk fu\"*",
            "user:42",
            "user:\"a \\\"b\\\" \\\\\"",
            "user:auth0*",
            "\"attributes.my key\":forty*",
            "(disk full) OR (slow query)",
        ] {
            let node = parse(query).unwrap().unwrap();
            assert_eq!(parse(&written(&node)).unwrap().unwrap(), node, "{query}");
        }
    }
}
