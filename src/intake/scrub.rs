//! Removes secrets from an event before anything is stored.
//!
//! Two ways to be a secret: a value whose *name* says so (`password`, `authorization`, …), and text
//! that *looks* like one (a card number with a right check digit, a private key, a Bearer value, a
//! secret-named parameter or the password of an address). Each becomes `[Filtered]` and is counted on the event. IP
//! addresses are dropped unless the project keeps them.

mod names;
mod patterns;
mod probe;

#[cfg(test)]
mod tests;

use super::accepted::{Accepted, Breadcrumb, Exception, SentFrame};
use super::json::Json;
use crate::error::{Error, Result};
use names::{is_ip_name, is_secret_name, squash};
use patterns::Patterns;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// What stands in the place of a secret.
pub const FILTERED: &str = "[Filtered]";

/// Names a project may add, and their characters.
pub const KEYS_MAX: usize = 100;
pub const KEY_MAX: usize = 64;

/// No card number is less.
const CARD_MIN: u64 = 1_000_000_000_000;

/// A project's choice of what is removed. All on by default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Scrubbing {
    /// Values of keys that name secrets: password, secret, token, authorization, cookie, api_key …
    /// Also the user and password in an address.
    pub secret_names: bool,
    /// Card numbers (13 to 19 digits with a right check digit).
    pub card_numbers: bool,
    /// Private keys in PEM form.
    pub private_keys: bool,
    /// `Bearer …` values.
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
        let keys = self.keys.iter().map(|key| squash(key).into_owned()).collect();
        let patterns = Patterns {
            card_numbers: self.card_numbers,
            private_keys: self.private_keys,
            bearer_tokens: self.bearer_tokens,
            credentials: self.secret_names,
        };
        Scrubber {
            secret_names: self.secret_names,
            keep_ip_addresses: self.keep_ip_addresses,
            keys,
            patterns,
        }
    }
}

/// A project's scrubbing, ready to run.
#[derive(Debug)]
pub struct Scrubber {
    secret_names: bool,
    keep_ip_addresses: bool,
    keys: Vec<String>,
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

    /// Removes what is secret from a tree, by name and by looks; how many there were.
    pub(crate) fn clean_value(&self, value: &mut Json<'_>) -> u32 {
        let mut run = Run { scrubber: self, count: 0 };
        run.value(value);
        run.count
    }

    /// Whether JSON has nothing that is secret, looked at without a tree; what cannot be read has.
    pub(crate) fn is_clean(&self, json: &str) -> bool {
        probe::is_clean(self, json)
    }

    /// Whether the value of a field goes, whatever it is.
    fn hides(&self, name: &str) -> bool {
        let squashed = squash(name);
        (!self.keep_ip_addresses && is_ip_name(&squashed)) || self.names_secret(&squashed)
    }

    fn clean(&self, text: &str) -> Option<(String, u32)> {
        self.patterns.clean(text, |name| self.names_secret(&squash(name)))
    }

    fn names_secret(&self, squashed: &str) -> bool {
        (self.secret_names && is_secret_name(squashed)) || self.keys.iter().any(|key| key == squashed)
    }
}

struct Run<'s> {
    scrubber: &'s Scrubber,
    count: u32,
}

impl Run<'_> {
    fn event(&mut self, event: &mut Accepted<'_>) {
        if let Some(user) = &mut event.user {
            if !self.scrubber.keep_ip_addresses && user.ip_address.take().is_some() {
                self.count += 1;
            }
            for text in
                [&mut user.id, &mut user.email, &mut user.username, &mut user.name].into_iter().flatten()
            {
                self.text(text);
            }
        }
        let texts = [&mut event.message, &mut event.url, &mut event.user_agent, &mut event.sent_timestamp];
        texts.into_iter().flatten().for_each(|text| self.text(text));
        if let Some(account) = &mut event.account {
            [&mut account.id, &mut account.name].into_iter().flatten().for_each(|text| self.text(text));
        }
        for value in [&mut event.tags, &mut event.extra, &mut event.contexts] {
            self.value(value);
        }
        event.fingerprint.iter_mut().for_each(|part| self.text(part));
        event.breadcrumbs.iter_mut().for_each(|crumb| self.breadcrumb(crumb));
        let mut exception = event.exception.as_mut();
        while let Some(current) = exception {
            self.exception(current);
            exception = current.cause.as_deref_mut();
        }
    }

    fn exception(&mut self, exception: &mut Exception<'_>) {
        let texts = [&mut exception.kind, &mut exception.message, &mut exception.stack];
        texts.into_iter().flatten().for_each(|text| self.text(text));
        exception.frames.iter_mut().for_each(|frame| self.frame(frame));
    }

    fn frame(&mut self, frame: &mut SentFrame<'_>) {
        let lines =
            frame.pre_context.iter_mut().chain(&mut frame.context_line).chain(&mut frame.post_context);
        lines.for_each(|line| self.text(line));
        if let Some(url) = &mut frame.url {
            self.text(url);
        }
    }

    fn breadcrumb(&mut self, crumb: &mut Breadcrumb<'_>) {
        let texts = [&mut crumb.category, &mut crumb.message, &mut crumb.kind];
        texts.into_iter().flatten().for_each(|text| self.text(text));
        self.value(&mut crumb.data);
    }

    fn value(&mut self, value: &mut Json<'_>) {
        match value {
            Json::String(text) => self.text(text),
            Json::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Json::Object(fields) => fields.iter_mut().for_each(|(name, value)| self.field(name, value)),
            Json::Number(number) if number.as_u64().is_some_and(|number| number < CARD_MIN) => {}
            Json::Number(number) => {
                let mut text = Cow::Owned(number.to_string());
                let before = self.count;
                self.text(&mut text);
                if self.count > before {
                    *value = Json::String(text);
                }
            }
            Json::Null | Json::Bool(_) => {}
        }
    }

    fn field(&mut self, name: &str, value: &mut Json<'_>) {
        if !matches!(value, Json::Null | Json::Bool(_)) && self.scrubber.hides(name) {
            *value = Json::String(Cow::Borrowed(FILTERED));
            self.count += 1;
            return;
        }
        self.value(value);
    }

    fn text(&mut self, text: &mut Cow<'_, str>) {
        if let Some((clean, count)) = self.scrubber.clean(text) {
            *text = Cow::Owned(clean);
            self.count += count;
        }
    }
}
