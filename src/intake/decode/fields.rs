//! Takes fields out of a tree. Each refusal names the path, what was expected and what was received; each cut
//! is noted. Paths are formatted only when needed.

use crate::error::{Error, Result};
use crate::text;
use crate::wire::json::Json;
use std::borrow::Cow;
use std::fmt::Display;

/// The most cut paths that are noted.
const CUTS_MAX: usize = 50;

#[derive(Default)]
pub(crate) struct Fields {
    pub(crate) truncated: Vec<String>,
}

impl Fields {
    /// Notes that a field was cut.
    pub(crate) fn cut(&mut self, path: impl Display) {
        let path = path.to_string();
        if self.truncated.len() < CUTS_MAX && !self.truncated.contains(&path) {
            self.truncated.push(path);
        }
    }

    pub(crate) fn clip<'a>(&mut self, text: Cow<'a, str>, max: usize, path: impl Display) -> Cow<'a, str> {
        let (text, cut) = text::clip(text, max);
        if cut {
            self.cut(path);
        }
        text
    }

    /// A text of at most `max` characters; the rest is cut.
    pub(crate) fn text<'a>(
        &mut self,
        tree: &mut Json<'a>,
        prefix: impl Display,
        name: &str,
        max: usize,
    ) -> Result<Option<Cow<'a, str>>> {
        match tree.take(name) {
            None => Ok(None),
            Some(Json::String(text)) if text.len() <= max => Ok(Some(text)),
            Some(Json::String(text)) => Ok(Some(self.clip(text, max, format_args!("{prefix}{name}")))),
            Some(other) => Err(wrong(format_args!("{prefix}{name}"), "a text", &other)),
        }
    }

    /// A text that is kept exactly as sent: 1 to `max` characters, or refused.
    pub(crate) fn exact<'a>(
        &mut self,
        tree: &mut Json<'a>,
        name: &str,
        max: usize,
    ) -> Result<Option<Cow<'a, str>>> {
        match tree.take(name) {
            None => Ok(None),
            Some(Json::String(text)) => match text.chars().count() {
                1.. if text.len() <= max || text.chars().count() <= max => Ok(Some(text)),
                length => {
                    Err(Error::invalid(format!("{name}: expected 1 to {max} characters, got {length}")))
                }
            },
            Some(other) => Err(wrong(name, "a text", &other)),
        }
    }

    /// An id: a text, or a number, which is kept as text.
    pub(crate) fn id<'a>(
        &mut self,
        tree: &mut Json<'a>,
        prefix: impl Display,
        name: &str,
        max: usize,
    ) -> Result<Option<Cow<'a, str>>> {
        match tree.take(name) {
            None => Ok(None),
            Some(Json::Number(number)) => Ok(Some(Cow::Owned(number.to_string()))),
            Some(Json::String(text)) => {
                let text = self.clip(text, max, format_args!("{prefix}{name}"));
                Ok(Some(text).filter(|text| !text.is_empty()))
            }
            Some(other) => Err(wrong(format_args!("{prefix}{name}"), "a text", &other)),
        }
    }

    pub(crate) fn expect_text<'a>(&mut self, value: Json<'a>, path: impl Display) -> Result<Cow<'a, str>> {
        match value {
            Json::String(text) => Ok(text),
            other => Err(wrong(path, "a text", &other)),
        }
    }

    /// A text, number or boolean, as text.
    pub(crate) fn scalar_text<'a>(&mut self, value: Json<'a>, path: impl Display) -> Result<Cow<'a, str>> {
        match value {
            Json::String(text) => Ok(text),
            Json::Number(number) => Ok(Cow::Owned(number.to_string())),
            Json::Bool(value) => Ok(Cow::Owned(value.to_string())),
            other => Err(wrong(path, "a text", &other)),
        }
    }

    /// A boolean.
    pub(crate) fn flag(
        &mut self,
        tree: &mut Json<'_>,
        prefix: impl Display,
        name: &str,
    ) -> Result<Option<bool>> {
        match tree.take(name) {
            None => Ok(None),
            Some(Json::Bool(value)) => Ok(Some(value)),
            Some(other) => Err(wrong(format_args!("{prefix}{name}"), "true or false", &other)),
        }
    }

    /// A line or column; 0 and numbers over 32 bits count as unknown.
    pub(crate) fn position(
        &mut self,
        tree: &mut Json<'_>,
        prefix: impl Display,
        name: &str,
    ) -> Result<Option<u32>> {
        match tree.take(name) {
            None => Ok(None),
            Some(Json::Number(number)) => {
                let position = number.as_u64().and_then(|number| u32::try_from(number).ok());
                Ok(position.filter(|position| *position > 0))
            }
            Some(other) => Err(wrong(format_args!("{prefix}{name}"), "a whole number", &other)),
        }
    }

    /// An object; `null` if it is missing.
    pub(crate) fn object<'a>(&mut self, tree: &mut Json<'a>, name: &str) -> Result<Json<'a>> {
        Ok(self.optional_object(tree, "", name)?.unwrap_or(Json::Null))
    }

    pub(crate) fn optional_object<'a>(
        &mut self,
        tree: &mut Json<'a>,
        prefix: impl Display,
        name: &str,
    ) -> Result<Option<Json<'a>>> {
        tree.take(name).map(|value| self.expect_object(value, format_args!("{prefix}{name}"))).transpose()
    }

    pub(crate) fn expect_object<'a>(&mut self, value: Json<'a>, path: impl Display) -> Result<Json<'a>> {
        match value {
            Json::Object(_) => Ok(value),
            other => Err(wrong(path, "an object", &other)),
        }
    }

    /// An array; empty if it is missing.
    pub(crate) fn array<'a>(
        &mut self,
        tree: &mut Json<'a>,
        prefix: impl Display,
        name: &str,
    ) -> Result<Vec<Json<'a>>> {
        match tree.take(name) {
            None => Ok(Vec::new()),
            Some(Json::Array(items)) => Ok(items),
            Some(other) => Err(wrong(format_args!("{prefix}{name}"), "an array", &other)),
        }
    }

    /// Keeps the fields of an object that fit into the remaining room, in order; any other value is kept
    /// whole or not at all.
    pub(crate) fn fit<'a>(&mut self, value: Json<'a>, path: impl Display, room: &mut usize) -> Json<'a> {
        let given = match value {
            Json::Object(given) => given,
            Json::Null => return Json::Null,
            other => match room.checked_sub(size(&other)) {
                Some(left) => {
                    *room = left;
                    return other;
                }
                None => {
                    self.cut(path);
                    return Json::Null;
                }
            },
        };
        let mut kept = Vec::with_capacity(given.len());
        for (name, value) in given {
            let size = name.len() + 4 + size(&value);
            if size > *room {
                self.cut(format_args!("{path}.{}", text::shown(&name, 64)));
                continue;
            }
            *room -= size;
            kept.push((name, value));
        }
        Json::Object(kept)
    }
}

/// Bytes of a value as JSON, escapes not counted.
fn size(value: &Json<'_>) -> usize {
    match value {
        Json::Null | Json::Bool(_) => 5,
        Json::Number(_) => 12,
        Json::String(text) => text.len() + 3,
        Json::Array(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + 2,
        Json::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() + 4 + size(value)).sum::<usize>() + 2
        }
    }
}

fn wrong(path: impl Display, expected: &str, got: &Json<'_>) -> Error {
    Error::invalid(format!(
        "{}: expected {expected}, got {}",
        text::shown(&path.to_string(), 256),
        got.describe()
    ))
}
