//! Removes secrets from an event before anything is stored.
//!
//! Two ways to be a secret: a value whose *name* says so (`password`, `authorization`, …), wherever the two stand (a
//! field, a list of headers, JSON within a text, a query, a line), and text that *looks* like one (a card number with
//! a right check digit, a private key, a Bearer value, a token that begins as those of some maker, the user of an
//! address). Each becomes `[Filtered]` and is counted on the event. IP addresses are dropped unless the project
//! keeps them.

mod event;
mod names;
mod patterns;
mod probe;
mod tree;

#[cfg(test)]
pub(crate) mod table;
#[cfg(test)]
mod tests;

use crate::error::{Error, Result};
use crate::event::accepted::Accepted;
use crate::wire::json::Json;
use names::{Names, is_plain, squash};
use patterns::Patterns;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// What stands in the place of a secret.
pub const FILTERED: &str = "[Filtered]";

/// Names a project may add, and their characters.
pub const KEYS_MAX: usize = 100;
pub const KEY_MAX: usize = 64;

/// Bytes of a name of small letters and digits that may be a secret: a card's number.
const NAME_MIN: usize = 13;

/// No card number is less.
const CARD_MIN: u64 = 1_000_000_000_000;

/// A project's choice of what is removed. All on by default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Scrubbing {
    /// Values of names that tell of secrets: password, secret, token, authorization, cookie, api_key … of fields, and
    /// within texts: JSON, forms and queries, header lines and lists, variables, connection strings.
    /// Also the user and password in an address.
    pub secret_names: bool,
    /// Card numbers (13 to 19 digits with a right check digit).
    pub card_numbers: bool,
    /// Private keys in PEM form.
    pub private_keys: bool,
    /// `Bearer …` and `Basic …` values, JSON Web Tokens, and keys known by how they begin (AKIA, ghp_, sk- …).
    pub bearer_tokens: bool,
    /// Keeps IP addresses. Off by default.
    pub keep_ip_addresses: bool,
    /// More names whose values are removed: at most 100 of 64 characters; case, `-` and `_` ignored.
    pub keys: Vec<String>,
}

impl Default for Scrubbing {
    fn default() -> Self {
        Self {
            secret_names: true,
            card_numbers: true,
            private_keys: true,
            bearer_tokens: true,
            keep_ip_addresses: false,
            keys: Vec::new(),
        }
    }
}

impl Scrubbing {
    /// # Errors
    /// 422 when there are too many names, or one is empty or too long.
    pub fn check(&self) -> Result<()> {
        if self.keys.len() > KEYS_MAX {
            return Err(Error::invalid(format!(
                "settings.scrubbing.keys: expected at most {KEYS_MAX} names"
            )));
        }
        for (index, key) in self.keys.iter().enumerate() {
            if squash(key).is_empty() || key.chars().count() > KEY_MAX {
                return Err(Error::invalid(format!(
                    "settings.scrubbing.keys[{index}]: expected 1 to {KEY_MAX} characters with a letter or digit"
                )));
            }
        }
        Ok(())
    }

    /// The form that events are run through.
    pub fn compile(&self) -> Scrubber {
        let names = Names::new(self.secret_names, !self.keep_ip_addresses, &self.keys);
        let patterns = Patterns {
            card_numbers: self.card_numbers,
            private_keys: self.private_keys,
            tokens: self.bearer_tokens,
            named: !names.are_none(),
            users: self.secret_names,
        };
        Scrubber { keeps_addresses: self.keep_ip_addresses, names, patterns }
    }
}

/// A project's scrubbing, ready to run.
#[derive(Debug)]
pub struct Scrubber {
    keeps_addresses: bool,
    names: Names,
    patterns: Patterns,
}

impl Scrubber {
    /// Removes what is secret and counts it on the event.
    pub fn scrub(&self, event: &mut Accepted<'_>) {
        let mut run = Run { scrubber: self, count: 0 };
        run.event(event);
        event.scrubbed = run.count;
    }

    /// Removes what is secret from a text; how many there were.
    pub(crate) fn clean_text(&self, text: &mut Cow<'_, str>) -> u32 {
        let mut run = Run { scrubber: self, count: 0 };
        run.text(text);
        run.count
    }

    /// Removes the name of an environment or a release that shows a secret; how many there were. What is left is within
    /// its limit.
    pub(crate) fn clean_label(&self, label: &mut Cow<'_, str>) -> u32 {
        let mut run = Run { scrubber: self, count: 0 };
        run.label(label);
        run.count
    }

    /// Removes what is secret from a tree, by name and by looks; how many there were.
    pub(crate) fn clean_value(&self, value: &mut Json<'_>) -> u32 {
        let mut run = Run { scrubber: self, count: 0 };
        run.value(value);
        run.count
    }

    /// Whether JSON has nothing that is secret, looked at without a tree. What is not clean may have nothing either.
    pub(crate) fn is_clean(&self, json: &str) -> bool {
        probe::is_clean(self, json)
    }

    /// Whether the value of a field goes, whatever it is.
    fn hides(&self, name: &str) -> bool {
        self.names.says(name).is_some()
    }

    fn clean(&self, text: &str) -> Option<(String, u32)> {
        self.patterns.clean(text, &self.names)
    }

    /// A name that shows a secret itself: most are of a few small letters.
    fn clean_name(&self, name: &str) -> Option<(String, u32)> {
        if name.len() < NAME_MIN && is_plain(name) { None } else { self.clean(name) }
    }
}

/// One pass over an event, a text or a tree.
struct Run<'s> {
    scrubber: &'s Scrubber,
    count: u32,
}

impl Run<'_> {
    fn text(&mut self, text: &mut Cow<'_, str>) {
        self.with(text, self.scrubber.patterns);
    }

    /// What correlates must not be taken for a card's number: ids are numbers, too.
    fn id(&mut self, id: &mut Cow<'_, str>) {
        self.with(id, Patterns { card_numbers: false, ..self.scrubber.patterns });
    }

    fn label(&mut self, label: &mut Cow<'_, str>) {
        let before = self.count;
        self.id(label);
        if self.count > before {
            *label = Cow::Borrowed(FILTERED);
        }
    }

    fn with(&mut self, text: &mut Cow<'_, str>, patterns: Patterns) {
        if let Some((clean, count)) = patterns.clean(text, &self.scrubber.names) {
            *text = Cow::Owned(clean);
            self.count += count;
        }
    }
}
