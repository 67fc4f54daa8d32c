//! Removes secrets from an event before anything is stored.
//!
//! There are two kinds of secrets: a value whose *name* says so (`password`, `authorization`, …), wherever
//! the two are (a field, a list of headers, JSON inside a text, a query, a line), and text that *looks* like
//! a secret (a card number with a correct check digit, a private key, a Bearer value, a token with a known
//! vendor's prefix, the user part of a URL). Each becomes `[Filtered]` and is counted on the event. IP
//! addresses are removed unless the project keeps them.

mod event;
mod names;
mod patterns;
mod probe;
mod raw;
mod tree;

#[cfg(test)]
pub(crate) mod table;
#[cfg(test)]
mod tests;

use crate::error::{Error, Result};
use crate::event::accepted::Accepted;
use crate::wire::json::Json;
use names::{Names, Says, is_plain, squash};
use patterns::Patterns;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// The replacement for a secret.
pub const FILTERED: &str = "[Filtered]";

/// How many names a project may add, and their longest length in characters.
pub const KEYS_MAX: usize = 100;
pub const KEY_MAX: usize = 64;

/// The shortest name of lower-case letters and digits that may be a secret, in bytes: a card number.
const NAME_MIN: usize = 13;

/// The smallest card number.
const CARD_MIN: u64 = 1_000_000_000_000;

/// A project's choice of what is removed. All on by default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Scrubbing {
    /// Values whose names indicate a secret (password, secret, token, authorization, cookie, api_key …), in
    /// fields and inside texts: JSON, forms and queries, header lines and lists, variables, connection
    /// strings. Also the user and password in a URL.
    pub secret_names: bool,
    /// Card numbers (13 to 19 digits with a correct check digit).
    pub card_numbers: bool,
    /// Private keys in PEM form.
    pub private_keys: bool,
    /// `Bearer …` and `Basic …` values, JSON Web Tokens, and keys with a known prefix (AKIA, ghp_, sk- …).
    pub bearer_tokens: bool,
    /// Keeps IP addresses. Off by default.
    pub keep_ip_addresses: bool,
    /// Additional names whose values are removed: at most 100, of up to 64 characters; case, `-` and `_` are
    /// ignored.
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
    /// 422 if there are too many names, or one is empty or too long.
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

    /// The compiled form, which is applied to events.
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

/// Whether a text contains something in the form of a key, a token or a private key. Names are ignored, because in
/// source code they precede everything.
pub fn has_secret(text: &str) -> bool {
    by_form(text).is_some()
}

/// A text without anything in the form of a key, a token or a private key.
pub fn without_secrets(text: &str) -> String {
    by_form(text).map_or_else(|| text.to_owned(), |(clean, _)| clean)
}

fn by_form(text: &str) -> Option<(String, u32)> {
    let patterns =
        Patterns { card_numbers: false, private_keys: true, tokens: true, named: false, users: false };
    patterns.clean(text, &Names::new(false, false, &[]))
}

/// A project's scrubbing, ready to run.
#[derive(Debug)]
pub struct Scrubber {
    keeps_addresses: bool,
    names: Names,
    patterns: Patterns,
}

impl Scrubber {
    /// Removes secrets and counts them on the event.
    pub fn scrub(&self, event: &mut Accepted<'_>) {
        let mut run = Run { scrubber: self, count: 0 };
        run.event(event);
        event.scrubbed = run.count;
    }

    /// Removes secrets from a text; returns how many there were.
    pub(crate) fn clean_text(&self, text: &mut Cow<'_, str>) -> u32 {
        let mut run = Run { scrubber: self, count: 0 };
        run.text(text);
        run.count
    }

    /// Removes secrets from a tree, by name and by form; returns how many there were.
    pub(crate) fn clean_value(&self, value: &mut Json<'_>) -> u32 {
        let mut run = Run { scrubber: self, count: 0 };
        run.value(value);
        run.count
    }

    /// Removes secrets from the texts of valid JSON of any kind, and tells how many there were; `None` if it is nested
    /// deeper than `levels`.
    pub(crate) fn clean_json<'j>(&self, json: &'j str, levels: usize) -> Option<(Cow<'j, str>, u32)> {
        raw::clean(self, json, levels)
    }

    /// Whether JSON contains no secret, determined without a tree. If this is false, there may still be none.
    pub(crate) fn is_clean(&self, json: &str) -> bool {
        probe::is_clean(self, json)
    }

    /// What the name of a field says about its value.
    fn says(&self, name: &str) -> Option<Says> {
        self.names.says(name)
    }

    /// Whether the value of a field is removed if it is a text.
    fn hides(&self, name: &str) -> bool {
        self.says(name).is_some()
    }

    fn clean(&self, text: &str) -> Option<(String, u32)> {
        self.patterns.clean(text, &self.names)
    }

    /// Cleans a name that is itself a secret; most names are a few lower-case letters and cannot be.
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

    /// Ids that correlate must not be mistaken for card numbers, because ids are numbers, too.
    fn id(&mut self, id: &mut Cow<'_, str>) {
        self.with(id, Patterns { card_numbers: false, ..self.scrubber.patterns });
    }

    fn with(&mut self, text: &mut Cow<'_, str>, patterns: Patterns) {
        if let Some((clean, count)) = patterns.clean(text, &self.scrubber.names) {
            *text = Cow::Owned(clean);
            self.count += count;
        }
    }
}
