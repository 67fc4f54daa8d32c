//! Finds secrets in a text, by their form or by a name in front of them. Each pattern takes one pass, and
//! only if a glance says that there may be something. Texts come from anybody, so no pass looks at a byte
//! more than 64 times.

mod addresses;
mod cards;
mod glance;
mod named;
mod pem;
mod positions;
mod schemes;
mod tokens;

use super::FILTERED;
use super::names::Names;
use glance::Glance;
use std::ops::Range;

/// The most passes over a text that contains secrets. The second finds nothing, unless the text was made for
/// it.
const PASSES_MAX: usize = 4;

/// What to look for in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patterns {
    pub(super) card_numbers: bool,
    pub(super) private_keys: bool,
    pub(super) tokens: bool,
    /// Values with a name in front of them.
    pub(super) named: bool,
    /// Users in URLs, if names are on as well.
    pub(super) users: bool,
}

impl Patterns {
    /// The text without its secrets, and how many there were; `None` if there were none. The result contains
    /// no secrets.
    pub(super) fn clean(self, text: &str, names: &Names) -> Option<(String, u32)> {
        let (mut clean, mut count) = self.once(text, names)?;
        // Removing a value may bring a name next to another value.
        for _ in 1..PASSES_MAX {
            let Some((again, more)) = self.once(&clean, names) else { break };
            (clean, count) = (again, count + more);
        }
        Some((clean, count))
    }

    fn once(self, text: &str, names: &Names) -> Option<(String, u32)> {
        self.look(text, names, Glance::of(text))
    }

    fn look(self, text: &str, names: &Names, glance: Glance) -> Option<(String, u32)> {
        let mut found = Vec::new();
        if self.card_numbers {
            cards::find(text, &mut found);
        }
        if self.private_keys && glance.marks() {
            pem::find(text, &mut found);
        }
        if self.tokens && glance.schemes() {
            schemes::find(text, &mut found);
        }
        if self.tokens && glance.marks() {
            tokens::find(text, &mut found);
        }
        if self.named && glance.marks() {
            named::flags::find(text, names, &mut found);
        }
        if self.named {
            named::xml::find(text, names, &mut found);
        }
        if self.named && glance.separators() {
            named::find(text, names, self.users && glance.users(), &mut found);
        }
        if found.is_empty() { None } else { Some(replace(text, found)) }
    }
}

fn replace(text: &str, mut found: Vec<Range<usize>>) -> (String, u32) {
    found.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let (mut clean, mut end, mut count) = (String::with_capacity(text.len()), 0, 0);
    for range in found {
        if range.start >= end {
            clean.push_str(&text[end..range.start]);
            clean.push_str(FILTERED);
            count += 1;
        }
        end = end.max(range.end);
    }
    clean.push_str(&text[end..]);
    (clean, count)
}

#[cfg(test)]
mod tests;
