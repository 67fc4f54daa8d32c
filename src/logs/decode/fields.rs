//! Reads the fields of an entry as they were sent.

use crate::event::log_entry::Level;
use crate::logs::limits;
use crate::scrubbing::Scrubber;
use crate::text;
use crate::time::Timestamp;
use crate::wire::json::{DEPTH_MAX, Json, Name, ParseError};
use memchr::memchr2_iter;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The fields of an entry; [`Json::Null`] if one is missing. If a field is given twice, the last one counts.
#[derive(Default)]
pub(super) struct Fields<'a> {
    pub(super) timestamp: Json<'a>,
    pub(super) level: Json<'a>,
    pub(super) message: Json<'a>,
    pub(super) template: Json<'a>,
    /// Unparsed.
    pub(super) attributes: Option<&'a str>,
    pub(super) trace_id: Json<'a>,
    pub(super) span_id: Json<'a>,
    pub(super) user: Json<'a>,
    pub(super) account: Json<'a>,
    pub(super) logger_name: Json<'a>,
    pub(super) file_path: Json<'a>,
    pub(super) function_name: Json<'a>,
    pub(super) line_number: Json<'a>,
}

impl<'a> Fields<'a> {
    /// `None` if the text is not an object, is too long, is nested too deeply, or contains a number out of
    /// range (`1e400`).
    pub(super) fn parse(json: &'a str) -> Option<Self> {
        if json.len() > limits::ENTRY_BYTES || is_too_deep(json) {
            return None;
        }
        let mut fields = Self::default();
        serde_json::Deserializer::from_str(json).deserialize_map(&mut fields).ok()?;
        Some(fields)
    }
}

/// A number, see [`Timestamp::from_number`], or ISO 8601.
pub(super) fn timestamp(given: &Json<'_>) -> Option<Timestamp> {
    match given {
        Json::String(text) => Timestamp::parse(text),
        Json::Number(number) => Timestamp::from_number(number.as_f64()?),
        _ => None,
    }
}

pub(super) fn level(given: &Json<'_>) -> Option<Level> {
    match given {
        Json::String(text) => Level::parse(text),
        _ => None,
    }
}

/// A text; a number or boolean is accepted as text.
pub(super) fn message(given: Json<'_>) -> Option<Cow<'_, str>> {
    match given {
        Json::String(text) => Some(text),
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        Json::Bool(value) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}

/// A text, cut to its limit; `None` if it is empty or not a string.
pub(super) fn text(given: Json<'_>, max: usize) -> Option<Cow<'_, str>> {
    let Json::String(text) = given else { return None };
    Some(text::clip(text, max).0).filter(|text| !text.is_empty())
}

/// An id: a text, or a number, which is kept as text.
pub(super) fn id(given: Json<'_>) -> Option<Cow<'_, str>> {
    match given {
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        other => text(other, limits::ID),
    }
}

/// At least 1; numbers over 32 bits count as unknown.
pub(super) fn line(given: &Json<'_>) -> Option<u32> {
    let Json::Number(number) = given else { return None };
    number.as_u64().and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0)
}

/// The JSON text of an object without secrets; unchanged if it has none. `Some(None)` if there are no
/// attributes, `None` if they cannot be parsed.
pub(super) fn attributes<'a>(
    sent: Option<&'a str>,
    scrubber: &Scrubber,
    scrubbed: &mut u32,
) -> Option<Option<Cow<'a, str>>> {
    let Some(sent) = sent.filter(|sent| *sent != "null") else { return Some(None) };
    let is_object = sent.starts_with('{');
    if is_object && sent[1..].trim_ascii_start() == "}" {
        return Some(None);
    }
    // Most have no secrets, which can be determined without a tree.
    if is_object && scrubber.is_clean(sent) {
        return Some(Some(Cow::Borrowed(sent)));
    }
    let mut tree = Json::parse(sent.as_bytes()).ok()?;
    if !is_object {
        tree = Json::Object(vec![(Cow::Borrowed("value"), tree)]);
    }
    *scrubbed += scrubber.clean_value(&mut tree);
    serde_json::to_string(&tree).ok().map(|text| Some(Cow::Owned(text)))
}

/// Whether an entry, itself a level, is nested too deeply; most have too few brackets for that.
fn is_too_deep(json: &str) -> bool {
    memchr2_iter(b'{', b'[', json.as_bytes()).nth(DEPTH_MAX).is_some()
        && matches!(Json::parse(json.as_bytes()), Err(ParseError::TooDeep))
}

impl<'de> Visitor<'de> for &mut Fields<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = access.next_key()? {
            let field = match &*name {
                "timestamp" => &mut self.timestamp,
                "level" => &mut self.level,
                "message" => &mut self.message,
                "template" => &mut self.template,
                "trace_id" => &mut self.trace_id,
                "span_id" => &mut self.span_id,
                "user" => &mut self.user,
                "account" => &mut self.account,
                "logger_name" => &mut self.logger_name,
                "file_path" => &mut self.file_path,
                "function_name" => &mut self.function_name,
                "line_number" => &mut self.line_number,
                "attributes" => {
                    self.attributes = Some(access.next_value::<&RawValue>()?.get());
                    continue;
                }
                _ => {
                    access.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            *field = access.next_value()?;
        }
        Ok(())
    }
}
