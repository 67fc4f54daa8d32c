//! Whether an entry meets a condition, and where in its message: for entries that are not in the index yet.

use super::Node;
use crate::event::log_entry::Entry;
use crate::search::facts::facts;
use crate::search::words::{parts, signs, words};
use std::ops::Range;

/// Whether an entry of a batch with this environment and release meets the condition.
pub fn matches(node: &Node, environment: &str, release: Option<&str>, entry: &Entry<'_>) -> bool {
    let mut seen = EntryTerms::default();
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
    let mut seen = EntryTerms::default();
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

/// A word of a message, and what else is found at its place: its parts, and the signs after it.
struct Word {
    whole: Spelling,
    others: Vec<Spelling>,
}

/// A word in the text of all, and where it is in the message.
struct Spelling {
    text: Range<usize>,
    place: Range<usize>,
}

/// What an entry can be found by.
#[derive(Default)]
struct EntryTerms {
    /// All words, and what stands at the place of each.
    text: String,
    words: Vec<Word>,
    facts: Vec<(String, String)>,
}

impl EntryTerms {
    fn read(&mut self, message: &str) {
        words(message, |word, start, end| {
            let whole = self.spelling(word, start..end);
            let mut others = Vec::new();
            parts(&message[start..end], |part, from, to| {
                others.push(self.spelling(part, start + from..start + to));
            });
            self.words.push(Word { whole, others });
        });
        signs(message, |sign, start, end| {
            let spelling = self.spelling(sign, start..end);
            let before = self.words.partition_point(|word| word.whole.place.end <= start);
            match self.words.get_mut(before.saturating_sub(1)) {
                Some(word) => word.others.push(spelling),
                None => self.words.push(Word { whole: spelling, others: Vec::new() }),
            }
        });
    }

    fn spelling(&mut self, word: &str, place: Range<usize>) -> Spelling {
        let from = self.text.len();
        self.text.push_str(word);
        Spelling { text: from..self.text.len(), place }
    }

    fn fulfils(&self, node: &Node) -> bool {
        match node {
            Node::All(parts) => parts.iter().all(|part| self.fulfils(part)),
            Node::Any(parts) => parts.iter().any(|part| self.fulfils(part)),
            Node::Not(inner) => !self.fulfils(inner),
            Node::Nothing => false,
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
            phrase
                .iter()
                .zip(&self.words[*start..])
                .enumerate()
                .all(|(at, (asked, word))| self.spelled(word, asked, open && at == last).is_some())
        })
    }

    /// The spelling of a word that is asked for.
    fn spelled<'w>(&self, word: &'w Word, asked: &str, open: bool) -> Option<&'w Spelling> {
        std::iter::once(&word.whole).chain(&word.others).find(|spelling| {
            let text = &self.text[spelling.text.clone()];
            if open { text.starts_with(asked) } else { text == asked }
        })
    }

    fn collect(&self, node: &Node, into: &mut Vec<Range<usize>>) {
        match node {
            Node::All(parts) | Node::Any(parts) => parts.iter().for_each(|part| self.collect(part, into)),
            Node::Words { words, open } => {
                let last = words.len().saturating_sub(1);
                for at in self.hits(words, *open) {
                    let place = |index: usize| {
                        let open = *open && index == last;
                        self.spelled(&self.words[at + index], &words[index], open).map(|found| &found.place)
                    };
                    into.extend(place(0).zip(place(last)).map(|(first, end)| first.start..end.end));
                }
            }
            Node::Not(_) | Node::Nothing | Node::Fact { .. } => {}
        }
    }
}
