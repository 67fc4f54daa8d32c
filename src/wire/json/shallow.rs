//! Reads parts of JSON without building a tree: what is skipped costs no memory.

use super::{Name, ParseError};
use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The items of an array, unparsed.
#[derive(Debug)]
pub struct Items<'a> {
    /// At most as many as were requested.
    pub items: Vec<&'a RawValue>,
    /// Whether there are more, which were not read.
    pub more: bool,
}

/// The first `max` items of a JSON array; `None` if the text is something else.
///
/// # Errors
/// If it is not JSON in UTF-8.
pub fn items(text: &[u8], max: usize) -> Result<Option<Items<'_>>, ParseError> {
    if text.trim_ascii_start().first() != Some(&b'[') {
        return Ok(None);
    }
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let mut found = Items { items: Vec::new(), more: false };
    match (Collect { found: &mut found, max }).deserialize(&mut deserializer) {
        _ if found.more => Ok(Some(found)),
        read => read.and_then(|()| deserializer.end()).map(|()| Some(found)).map_err(ParseError::Syntax),
    }
}

/// A string field of a JSON object. If a name is given twice, the last one counts.
///
/// # Errors
/// If it is not JSON in UTF-8.
pub fn text_field<'a>(text: &'a [u8], name: &str) -> Result<Option<Cow<'a, str>>, ParseError> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let is_object = text.trim_ascii_start().first() == Some(&b'{');
    let found = if is_object {
        Field(name).deserialize(&mut deserializer)
    } else {
        IgnoredAny::deserialize(&mut deserializer).map(|_| None)
    };
    let value = found.and_then(|value| deserializer.end().map(|()| value)).map_err(ParseError::Syntax)?;
    Ok(value.and_then(|value| serde_json::from_str(value.get()).ok()).map(|Name(text)| text))
}

struct Collect<'f, 'a> {
    found: &'f mut Items<'a>,
    max: usize,
}

impl<'de> DeserializeSeed<'de> for Collect<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Collect<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of at most {}", self.max)
    }

    /// Leftover items end the parse with an error from the deserializer.
    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        while let Some(item) = access.next_element()? {
            if self.found.items.len() == self.max {
                self.found.more = true;
                return Ok(());
            }
            self.found.items.push(item);
        }
        Ok(())
    }
}

struct Field<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for Field<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Field<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(Name(name)) = access.next_key()? {
            if name == self.0 {
                found = Some(access.next_value()?);
            } else {
                access.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}
