//! A body → its key, then a batch of entries.
//!
//! Two steps, since the key and the project's rate stand between them: [`open`] makes no tree, and counts the
//! entries; [`Body::decode`] reads them. What is wrong with the whole is refused, an entry that cannot be used is
//! dropped and counted, and an optional field of another type is as good as missing.

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

/// What a batch came to.
#[derive(Debug)]
pub struct Decoded<'a> {
    pub batch: Batch<'a>,
    /// Entries that cannot be used.
    pub dropped: usize,
    /// Secrets that were removed.
    pub scrubbed: u32,
}

impl<'a> Body<'a> {
    /// Reads the entries, removes what is secret, and makes templates where there are none. A batch that names no
    /// environment is of `environment`, that of its key.
    ///
    /// # Errors
    /// 422 naming what of the body cannot be used: those of [`Body::count`], and of environment and release.
    pub fn decode(self, scrubber: &Scrubber, environment: Option<&str>) -> Result<Decoded<'a>> {
        let count = self.count()?;
        let mut named = shared("environment", self.environment, limits::ENVIRONMENT)?;
        let mut release = shared("release", self.release, limits::RELEASE)?;
        let shared = [&mut named, &mut release].into_iter().flatten();
        let mut scrubbed = shared.map(|label| scrubber.clean_label(label)).sum();
        let read = |entry: &&'a str| entry_of(entry, scrubber, &mut scrubbed);
        let entries: Vec<Entry<'a>> = self.entries.iter().filter_map(read).collect();
        let dropped = count - entries.len();
        let environment = named.unwrap_or_else(|| environment_of(environment));
        Ok(Decoded { batch: Batch { environment, release, entries }, dropped, scrubbed })
    }
}

/// A text that all entries share; none when it is missing or empty.
fn shared<'a>(name: &str, given: Option<Json<'a>>, max: usize) -> Result<Option<Cow<'a, str>>> {
    match given {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text::clip(text, max).0).filter(|text| !text.is_empty())),
        Some(other) => Err(Error::invalid(format!("{name}: expected a text, got {}", other.describe()))),
    }
}

/// The entry that a text is; none when it cannot be used.
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

/// Made of what is left of the message when its secrets are gone.
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

fn others<'e, 'a>(entry: &'e mut Entry<'a>) -> [&'e mut Option<Cow<'a, str>>; 9] {
    [
        &mut entry.trace_id,
        &mut entry.span_id,
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
