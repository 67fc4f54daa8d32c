//! Whether an entry meets a condition, and where in its message: for entries that are not in the index yet.

use super::Node;
use crate::event::log_entry::Entry;
use crate::search::facts::facts;
use crate::search::words::words;
use std::ops::Range;

/// Whether an entry of a batch with this environment and release meets the condition.
pub fn matches(node: &Node, environment: &str, release: Option<&str>, entry: &Entry<'_>) -> bool {
    let mut seen = Seen::default();
    if asks(node, |node| matches!(node, Node::Words { .. })) {
        seen.read(&entry.message);
    }
    if asks(node, |node| matches!(node, Node::Fact { .. })) {
        facts(environment, release, entry, |field, value| {
            seen.facts.push((field.to_owned(), value.to_owned()));
        });
    }
    seen.fulfils(node)
}

/// The parts of a message that the words of the condition match, in order and without overlaps. Excluded
/// words match nothing.
pub fn highlights(node: &Node, message: &str) -> Vec<Range<usize>> {
    let mut seen = Seen::default();
    seen.read(message);
    let mut found = Vec::new();
    seen.collect(node, &mut found);
    found.sort_unstable_by_key(|range| (range.start, range.end));
    found.dedup_by(|next, kept| {
        let overlaps = next.start < kept.end;
        kept.end = if overlaps { kept.end.max(next.end) } else { kept.end };
        overlaps
    });
    found
}

/// Whether some part of a condition satisfies `is`.
fn asks(node: &Node, is: fn(&Node) -> bool) -> bool {
    match node {
        Node::All(parts) | Node::Any(parts) => parts.iter().any(|part| asks(part, is)),
        Node::Not(inner) => asks(inner, is),
        leaf => is(leaf),
    }
}

/// What an entry can be found by.
#[derive(Default)]
struct Seen {
    /// All words, and the range of each.
    text: String,
    words: Vec<Range<usize>>,
    /// The range of each in the message.
    places: Vec<Range<usize>>,
    facts: Vec<(String, String)>,
}

impl Seen {
    fn read(&mut self, message: &str) {
        words(message, |word, start, end| {
            let from = self.text.len();
            self.text.push_str(word);
            self.words.push(from..self.text.len());
            self.places.push(start..end);
        });
    }

    fn fulfils(&self, node: &Node) -> bool {
        match node {
            Node::All(parts) => parts.iter().all(|part| self.fulfils(part)),
            Node::Any(parts) => parts.iter().any(|part| self.fulfils(part)),
            Node::Not(inner) => !self.fulfils(inner),
            Node::Words { words, open } => self.hits(words, *open).next().is_some(),
            Node::Fact { field, value, open } => self.facts.iter().any(|(known, given)| {
                known == field && if *open { given.starts_with(value) } else { given == value }
            }),
        }
    }

    /// The indexes of the words at which the phrase begins.
    fn hits(&self, phrase: &[String], open: bool) -> impl Iterator<Item = usize> {
        let last = phrase.len().saturating_sub(1);
        let ends = (self.words.len() + 1).saturating_sub(phrase.len().max(1));
        (0..ends).filter(move |start| {
            phrase.iter().zip(&self.words[*start..]).enumerate().all(|(at, (asked, place))| {
                let word = &self.text[place.clone()];
                if open && at == last { word.starts_with(asked.as_str()) } else { word == asked }
            })
        })
    }

    fn collect(&self, node: &Node, into: &mut Vec<Range<usize>>) {
        match node {
            Node::All(parts) | Node::Any(parts) => parts.iter().for_each(|part| self.collect(part, into)),
            Node::Words { words, open } => {
                let last = words.len().saturating_sub(1);
                let hits = self.hits(words, *open);
                into.extend(hits.map(|at| self.places[at].start..self.places[at + last].end));
            }
            Node::Not(_) | Node::Fact { .. } => {}
        }
    }
}
