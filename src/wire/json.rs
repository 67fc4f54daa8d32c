//! JSON as a tree that borrows from the body.
//!
//! It costs half as much as `serde_json::Value` (no copies of strings without escapes, no hashing), and
//! provides what a typed parse does not: the path and kind of a wrong value, and a limit on nesting.

pub mod shallow;

#[cfg(test)]
mod tests;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// The deepest nesting of arrays and objects accepted.
pub const DEPTH_MAX: usize = 64;
/// The most values accepted, on all levels together. A value of two bytes takes up to 240 in the tree, so
/// this many take 50 MB at worst.
pub const VALUES_MAX: usize = 200_000;

const TOO_DEEP: &str = "nested deeper than 64 levels";
const TOO_MANY: &str = "has more than 200000 values";

#[derive(Debug, Clone, Default, PartialEq)]
pub enum Json<'a> {
    #[default]
    Null,
    Bool(bool),
    Number(serde_json::Number),
    String(Cow<'a, str>),
    Array(Vec<Json<'a>>),
    /// In the order sent; if a name is given twice, the last one counts.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// Why a body cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    #[error("is {TOO_DEEP}")]
    TooDeep,
    #[error("{TOO_MANY}")]
    TooMany,
    #[error("{0}")]
    Syntax(serde_json::Error),
}

impl<'a> Json<'a> {
    /// # Errors
    /// If it is not JSON in UTF-8, is nested deeper than [`DEPTH_MAX`], or has more values than
    /// [`VALUES_MAX`].
    pub fn parse(text: &'a [u8]) -> Result<Self, ParseError> {
        // Checking all bytes at once is faster than checking each string; the error says where.
        match std::str::from_utf8(text) {
            Ok(text) => Self::read(serde_json::Deserializer::from_str(text)),
            Err(_) => Self::read(serde_json::Deserializer::from_slice(text)),
        }
    }

    fn read<R: serde_json::de::Read<'a>>(
        mut deserializer: serde_json::Deserializer<R>,
    ) -> Result<Self, ParseError> {
        let room = Cell::new(VALUES_MAX + 1);
        let tree = Seed { levels: DEPTH_MAX, room: &room }.deserialize(&mut deserializer);
        tree.and_then(|tree| deserializer.end().map(|()| tree)).map_err(|error| match error.classify() {
            serde_json::error::Category::Data if room.get() == 0 => ParseError::TooMany,
            serde_json::error::Category::Data => ParseError::TooDeep,
            _ => ParseError::Syntax(error),
        })
    }

    /// What a value is, for a message: `the number 5`, `an object`.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => format!("`{value}`"),
            Self::Number(value) => format!("the number {value}"),
            Self::String(text) => format!("the text `{}`", crate::text::shown(text, 48)),
            Self::Array(items) => format!("an array of {}", items.len()),
            Self::Object(_) => "an object".into(),
        }
    }

    /// Removes and returns a field of an object; `null` counts as missing.
    pub fn take(&mut self, name: &str) -> Option<Json<'a>> {
        let Self::Object(fields) = self else { return None };
        let value =
            std::mem::replace(&mut fields.iter_mut().rfind(|(field, _)| field == name)?.1, Self::Null);
        (value != Self::Null).then_some(value)
    }

    /// Whether an object has a field that is not `null`.
    pub fn has(&self, name: &str) -> bool {
        let Self::Object(fields) = self else { return false };
        fields.iter().rfind(|(field, _)| field == name).is_some_and(|(_, value)| *value != Self::Null)
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Array(items) => items.is_empty(),
            Self::Object(fields) => fields.is_empty(),
            _ => false,
        }
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => value.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(fields) => serializer.collect_map(fields.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // What is read this way was counted when it was accepted.
        Seed { levels: DEPTH_MAX, room: &Cell::new(usize::MAX) }.deserialize(deserializer)
    }
}

#[derive(Clone, Copy)]
struct Seed<'r> {
    levels: usize,
    /// The number of values that may still follow, plus one.
    room: &'r Cell<usize>,
}

impl Seed<'_> {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| E::custom(TOO_DEEP))?;
        Ok(Self { levels, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        self.room.set(self.room.get().saturating_sub(1));
        if self.room.get() == 0 {
            return Err(de::Error::custom(TOO_MANY));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(serde_json::Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json<'de>, A::Error> {
        let inner = self.inner()?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json<'de>, A::Error> {
        let inner = self.inner()?;
        let mut fields = Vec::new();
        while let Some(Name(name)) = access.next_key()? {
            fields.push((name, access.next_value_seed(inner)?));
        }
        Ok(Json::Object(fields))
    }
}

/// An object's key, or any text; borrowed if it has no escapes. (A bare `Cow` in an `Option` is always
/// copied.)
#[derive(Deserialize)]
pub(crate) struct Name<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// For `Option<Cow>`: serde copies a `Cow` in an `Option`, and one in a renamed field.
pub(crate) fn optional<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Cow<'a, str>>, D::Error> {
    Ok(Option::<Name<'a>>::deserialize(deserializer)?.map(|Name(text)| text))
}

/// The same for `Vec<Cow>`.
pub(crate) fn list<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Cow<'a, str>>, D::Error> {
    Ok(Vec::<Name<'a>>::deserialize(deserializer)?.into_iter().map(|Name(text)| text).collect())
}
