//! Decodes a body: first its key, then a batch of entries.
//!
//! There are two steps, because the key and the project's rate are checked between them: [`open`] builds no
//! tree and counts the entries; [`Body::decode`] reads them. An error in the body as a whole is refused, an
//! unusable entry is dropped and counted, and an optional field of the wrong type counts as missing.

mod body;
mod fields;

use super::{limits, template};
use crate::error::{Error, Result};
use crate::event::log_entry::{Batch, Entry};
use crate::intake::decode::environment_of;
use crate::scrubbing::Scrubber;
use crate::text;
use crate::wire::json::Json;
pub use body::{Body, open};
use fields::Fields;
use std::borrow::Cow;

/// The result of decoding a batch.
#[derive(Debug)]
pub struct Decoded<'a> {
    pub batch: Batch<'a>,
    /// Unusable entries.
    pub dropped: usize,
    /// Number of secrets that were removed.
    pub scrubbed: u32,
}

impl<'a> Body<'a> {
    /// Reads the entries, removes secrets, and makes templates for entries without one. `environment`, that
    /// of the key, is the default for a batch that names none.
    ///
    /// # Errors
    /// 422 naming what is wrong with the body: the errors of [`Body::count`], and those of environment and
    /// release.
    pub fn decode(self, scrubber: &Scrubber, environment: Option<&str>) -> Result<Decoded<'a>> {
        let count = self.count()?;
        let named = shared("environment", self.environment, limits::ENVIRONMENT)?;
        let release = shared("release", self.release, limits::RELEASE)?;
        let mut scrubbed = 0;
        let read = |entry: &&'a str| entry_of(entry, scrubber, &mut scrubbed);
        let entries: Vec<Entry<'a>> = self.entries.iter().filter_map(read).collect();
        let dropped = count - entries.len();
        let environment = named.unwrap_or_else(|| environment_of(environment));
        Ok(Decoded { batch: Batch { environment, release, entries }, dropped, scrubbed })
    }
}

/// A text that all entries share; `None` if it is missing or empty.
fn shared<'a>(name: &str, given: Option<Json<'a>>, max: usize) -> Result<Option<Cow<'a, str>>> {
    match given {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text::clip(text, max).0).filter(|text| !text.is_empty())),
        Some(other) => Err(Error::invalid(format!("{name}: expected a text, got {}", other.describe()))),
    }
}

/// Parses an entry; `None` if it is unusable.
fn entry_of<'a>(json: &'a str, scrubber: &Scrubber, scrubbed: &mut u32) -> Option<Entry<'a>> {
    let mut given = Fields::parse(json)?;
    let mut message = fields::message(given.message)?;
    let sent = fields::text(given.template, limits::TEMPLATE);
    let name = |given| fields::text(given, limits::NAME);
    let identity = |given| fields::text(given, limits::IDENTITY);
    let mut entry = Entry {
        timestamp: fields::timestamp(&given.timestamp)?.micros(),
        level: fields::level(&given.level)?,
        attributes: fields::attributes(given.attributes, scrubber, scrubbed)?,
        trace_id: fields::id(given.trace_id),
        span_id: fields::id(given.span_id),
        user_id: given.user.take("id").and_then(fields::id),
        user_email: given.user.take("email").and_then(identity),
        account_id: given.account.take("id").and_then(fields::id),
        account_name: given.account.take("name").and_then(identity),
        logger_name: name(given.logger_name),
        file_path: name(given.file_path),
        function_name: name(given.function_name),
        line_number: fields::line(&given.line_number),
        message: Cow::Borrowed(""),
        template: Cow::Borrowed(""),
    };
    *scrubbed += scrubber.clean_text(&mut message);
    entry.template = template_of(sent, &message, scrubber, scrubbed);
    entry.message = message;
    for text in others(&mut entry).into_iter().flatten() {
        *scrubbed += scrubber.clean_text(text);
    }
    Some(entry)
}

/// Made from the message after its secrets are removed.
fn template_of<'a>(
    sent: Option<Cow<'a, str>>,
    message: &Cow<'a, str>,
    scrubber: &Scrubber,
    scrubbed: &mut u32,
) -> Cow<'a, str> {
    match (sent, message) {
        (Some(mut template), _) => {
            *scrubbed += scrubber.clean_text(&mut template);
            template
        }
        (None, Cow::Borrowed(message)) => template::make(message),
        (None, Cow::Owned(message)) => Cow::Owned(template::make(message).into_owned()),
    }
}

/// The ids of trace and span stay as they were sent, as those of events do: the entries of a trace are found by its id.
fn others<'e, 'a>(entry: &'e mut Entry<'a>) -> [&'e mut Option<Cow<'a, str>>; 7] {
    [
        &mut entry.user_id,
        &mut entry.user_email,
        &mut entry.account_id,
        &mut entry.account_name,
        &mut entry.logger_name,
        &mut entry.file_path,
        &mut entry.function_name,
    ]
}

#[cfg(test)]
mod tests;
