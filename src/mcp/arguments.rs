//! The arguments of a tool: their types, as a JSON schema for the client and as a check for calls.

use crate::error::{Error, Result};
use crate::text::shown;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A positive whole number.
    Id,
    /// A whole number from 1 to this maximum.
    Count(u64),
    /// At most this many characters.
    Text(usize),
    /// One of these.
    Choice(&'static [&'static str]),
}

/// An argument of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
    pub about: &'static str,
}

impl Argument {
    pub const fn required(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, is_required: true, about }
    }

    pub const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, is_required: false, about }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Id => json!({ "type": "integer", "minimum": 1 }),
            Kind::Count(most) => json!({ "type": "integer", "minimum": 1, "maximum": most }),
            Kind::Text(most) => json!({ "type": "string", "maxLength": most }),
            Kind::Choice(choices) => json!({ "type": "string", "enum": choices }),
        };
        schema["description"] = self.about.into();
        schema
    }

    /// The value as in a query string; `None` if it is not given.
    fn read(&self, value: &Value) -> Result<Option<String>> {
        let text = match value {
            Value::Null => return Ok(None),
            Value::String(text) if text.trim().is_empty() && !self.is_required => return Ok(None),
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                return Err(self.wrong(&value.to_string()));
            }
        };
        let number = text.parse::<i64>().ok();
        let fits = match self.kind {
            Kind::Id => number.is_some_and(|number| number >= 1),
            Kind::Count(most) => number.is_some_and(|number| number >= 1 && number.cast_unsigned() <= most),
            Kind::Text(most) => !text.contains('\0') && text.chars().count() <= most,
            Kind::Choice(choices) => choices.contains(&text.as_str()),
        };
        if fits { Ok(Some(text)) } else { Err(self.wrong(&text)) }
    }

    fn wrong(&self, got: &str) -> Error {
        let expected = match self.kind {
            Kind::Id => "a whole number from 1, such as a list of this server names".to_owned(),
            Kind::Count(most) => format!("a whole number from 1 to {most}"),
            Kind::Text(most) => format!("text of at most {most} characters"),
            Kind::Choice(choices) => format!("one of {}", choices.join(", ")),
        };
        Error::invalid(format!("{}: expected {expected}, got `{}`", self.name, shown(got, 64)))
    }
}

/// The JSON schema of all arguments of a tool.
pub fn schema(arguments: &[Argument]) -> Map<String, Value> {
    let properties: Map<String, Value> =
        arguments.iter().map(|argument| (argument.name.to_owned(), argument.schema())).collect();
    let required: Vec<&str> =
        arguments.iter().filter(|argument| argument.is_required).map(|argument| argument.name).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required,
        "additionalProperties": false });
    schema.as_object().cloned().unwrap_or_default()
}

/// Arguments that passed the check.
#[derive(Debug, Default)]
pub struct CheckedArguments(BTreeMap<&'static str, String>);

impl CheckedArguments {
    /// # Errors
    /// 422 naming an argument that is unknown, missing or invalid.
    pub fn read(known: &'static [Argument], given: &Map<String, Value>) -> Result<Self> {
        if let Some(name) = given.keys().find(|name| known.iter().all(|argument| argument.name != *name)) {
            let names: Vec<&str> = known.iter().map(|argument| argument.name).collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let name = shown(name, 64);
            return Err(Error::invalid(format!("there is no argument `{name}`; this tool takes {known}")));
        }
        let mut read = BTreeMap::new();
        for argument in known {
            let value = given.get(argument.name).unwrap_or(&Value::Null);
            match argument.read(value)? {
                Some(text) => drop(read.insert(argument.name, text)),
                None if argument.is_required => {
                    return Err(Error::invalid(format!(
                        "{}: missing; it is {}",
                        argument.name, argument.about
                    )));
                }
                None => {}
            }
        }
        Ok(Self(read))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A required argument.
    ///
    /// # Errors
    /// 422 if it was not declared as required.
    pub fn text(&self, name: &str) -> Result<&str> {
        self.get(name).ok_or_else(|| Error::invalid(format!("{name}: missing")))
    }

    /// A required id.
    ///
    /// # Errors
    /// As [`CheckedArguments::text`].
    pub fn id(&self, name: &str) -> Result<i64> {
        self.text(name)?.parse().map_err(|_| Error::invalid(format!("{name}: expected a whole number")))
    }

    /// The cursor of a list or text that is counted from its start; 0 without one.
    ///
    /// # Errors
    /// 422 if it is not a cursor from an answer.
    pub fn cursor(&self) -> Result<usize> {
        let Some(cursor) = self.get("cursor") else { return Ok(0) };
        let wrong = || Error::invalid("cursor: expected the one that the last answer named");
        cursor.parse::<usize>().ok().filter(|cursor| *cursor <= 1_000_000).ok_or_else(wrong)
    }

    /// Some of the arguments, and further ones, as the parameters of a route.
    ///
    /// # Errors
    /// 422 if the route has other parameters.
    pub fn query<T: serde::de::DeserializeOwned>(
        &self,
        names: &[&str],
        added: &[(&str, String)],
    ) -> Result<T> {
        let own = names.iter().filter_map(|name| Some(((*name).to_owned(), self.get(name)?.into())));
        let added = added.iter().map(|(name, value)| ((*name).to_owned(), value.as_str().into()));
        let all: Map<String, Value> = own.chain(added).collect();
        serde_json::from_value(Value::Object(all)).map_err(|error| Error::invalid(error.to_string()))
    }
}

#[cfg(test)]
mod tests;
