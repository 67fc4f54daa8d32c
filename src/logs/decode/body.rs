//! The outer level of a body: its key, the fields that all entries share, and the extent of each entry.

use crate::error::{Error, Result};
use crate::logs::limits;
use crate::wire::json::{Json, Name};
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A JSON body, parsed only as far as its key. If a field is given twice, the last one counts.
#[derive(Debug, Default)]
pub struct Body<'a> {
    /// The key; `None` if it is missing or not a string.
    pub key: Option<Cow<'a, str>>,
    pub(super) environment: Option<Json<'a>>,
    pub(super) release: Option<Json<'a>>,
    /// At most as many entries as a batch may have.
    pub(super) entries: Vec<&'a str>,
    /// The number of entries sent; or what is there instead of an array.
    count: Option<Result<usize, String>>,
}

/// Finds the key of a body and counts its entries.
///
/// # Errors
/// 400 if it is not JSON in UTF-8.
pub fn open(body: &[u8]) -> Result<Body<'_>> {
    let refuse = |cause: &dyn fmt::Display| Error::malformed(format!("The body is not JSON: {cause}"));
    // Checks all bytes at once: parts that are not parsed would not be checked later.
    let text = std::str::from_utf8(body).map_err(|error| refuse(&error))?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut found = Body::default();
    let read = if text.trim_ascii_start().starts_with('{') {
        deserializer.deserialize_map(Outside(&mut found))
    } else {
        // There is no key, so nobody has to be told what is wrong with it.
        deserializer.deserialize_ignored_any(IgnoredAny).map(|_| ())
    };
    read.and_then(|()| deserializer.end()).map_err(|error| refuse(&error))?;
    Ok(found)
}

impl Body<'_> {
    /// How many entries were sent.
    ///
    /// # Errors
    /// 422 if `logs` is missing, not an array, or too long.
    pub fn count(&self) -> Result<usize> {
        let most = limits::ENTRIES;
        match &self.count {
            Some(Ok(count)) if *count <= most => Ok(*count),
            Some(Ok(count)) => Err(Error::invalid(format!(
                "logs: expected at most {most} entries, got {count}; nothing was stored"
            ))),
            Some(Err(got)) => Err(Error::invalid(format!("logs: expected an array of entries, got {got}"))),
            None => Err(Error::invalid("logs: missing; expected an array of entries")),
        }
    }
}

/// Fills a [`Body`].
struct Outside<'b, 'a>(&'b mut Body<'a>);

impl<'de> Visitor<'de> for Outside<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let body = self.0;
        while let Some(Name(name)) = access.next_key()? {
            match &*name {
                "logs" => {
                    let logs: Entries<'de> = access.next_value()?;
                    (body.entries, body.count) = (logs.entries, logs.count);
                }
                "api_key" => body.key = text_of(access.next_value()?),
                "environment" => body.environment = scalar(access.next_value()?),
                "release" => body.release = scalar(access.next_value()?),
                _ => drop(access.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str(raw.get()).ok().map(|Name(text)| text)
}

/// A scalar value; arrays and objects are not parsed.
fn scalar(raw: &RawValue) -> Option<Json<'_>> {
    match raw.get().as_bytes().first() {
        Some(b'{') => Some(Json::Object(Vec::new())),
        Some(b'[') => Some(Json::Array(Vec::new())),
        // What cannot be parsed is a number outside the range of floating-point numbers.
        _ => Some(Json::parse(raw.get().as_bytes()).unwrap_or(Json::Number(0.into()))),
    }
}

/// The value of `logs`.
struct Entries<'a> {
    entries: Vec<&'a str>,
    count: Option<Result<usize, String>>,
}

impl<'de> serde::Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Inside)
    }
}

struct Inside;

impl Inside {
    fn wrong<'a, E>(got: &Json<'_>) -> Result<Entries<'a>, E> {
        Ok(Entries { entries: Vec::new(), count: Some(Err(got.describe())) })
    }
}

impl<'de> Visitor<'de> for Inside {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Entries<'de>, A::Error> {
        let mut entries = Vec::with_capacity(limits::ENTRIES);
        while entries.len() < limits::ENTRIES
            && let Some(entry) = access.next_element::<&'de RawValue>()?
        {
            entries.push(entry.get());
        }
        let mut count = entries.len();
        if count == limits::ENTRIES {
            while access.next_element::<IgnoredAny>()?.is_some() {
                count += 1;
            }
        }
        Ok(Entries { entries, count: Some(Ok(count)) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Entries<'de>, A::Error> {
        while access.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Self::wrong(&Json::Object(Vec::new()))
    }

    fn visit_unit<E>(self) -> Result<Entries<'de>, E> {
        Ok(Entries { entries: Vec::new(), count: None })
    }

    fn visit_bool<E>(self, value: bool) -> Result<Entries<'de>, E> {
        Self::wrong(&Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Entries<'de>, E> {
        Self::wrong(&Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Entries<'de>, E> {
        Self::wrong(&Json::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Entries<'de>, E> {
        Self::wrong(&serde_json::Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Entries<'de>, E> {
        Self::wrong(&Json::String(Cow::Borrowed(text)))
    }
}
