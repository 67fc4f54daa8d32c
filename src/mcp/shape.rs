//! The types of tool results: each field's type and origin. The client gets them as a JSON schema, and results are
//! built by them.
//!
//! Each object states in `origin` where its own fields come from; a nested object has its own `origin`. The origin
//! belongs to the record's type, so no field can lack one.

pub use crate::context::Origin;
use crate::text::{clip, visible};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The field of each object that states the origin of the others.
pub const ORIGIN: &str = "origin";

/// The type of a field.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// At most this many characters.
    Text(usize),
    /// Any JSON except an empty object, as text of at most this many characters.
    Json(usize),
    Whole,
    Flag,
    Wholes,
    /// At most this many texts, each with a limit of characters.
    Texts(usize, usize),
    Object(&'static Record),
    /// At most this many objects, with a limit of characters in total.
    List(usize, usize, &'static Record),
}

/// A field of a record.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub form: Form,
    pub is_required: bool,
    /// The field's name in the source; `None` if it is built from fields beside it.
    from: Option<&'static str>,
}

impl Field {
    pub const fn required(name: &'static str, form: Form) -> Self {
        Self { name, form, is_required: true, from: Some(name) }
    }

    pub const fn optional(name: &'static str, form: Form) -> Self {
        Self { name, form, is_required: false, from: Some(name) }
    }

    /// A nested object for fields of another origin.
    pub const fn group(name: &'static str, record: &'static Record) -> Self {
        Self { name, form: Form::Object(record), is_required: false, from: None }
    }

    pub const fn from(mut self, name: &'static str) -> Self {
        self.from = Some(name);
        self
    }
}

/// An object whose own fields have one origin.
#[derive(Debug)]
pub struct Record {
    pub origin: Origin,
    pub fields: &'static [Field],
}

impl Record {
    pub const fn new(origin: Origin, fields: &'static [Field]) -> Self {
        Self { origin, fields }
    }

    /// Its JSON schema.
    pub fn schema(&self) -> Map<String, Value> {
        let mut properties = Map::new();
        properties.insert(ORIGIN.to_owned(), json!({ "const": self.origin.as_str() }));
        properties.extend(self.fields.iter().map(|field| (field.name.to_owned(), field.form.schema())));
        let required = self.fields.iter().filter(|field| field.is_required).map(|field| field.name);
        let required: Vec<&str> = std::iter::once(ORIGIN).chain(required).collect();
        let schema = json!({ "type": "object", "properties": properties, "required": required,
            "additionalProperties": false });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// The record of one of its lists.
    pub fn row(&self, list: &str) -> Option<&'static Self> {
        self.fields.iter().filter(|field| field.name == list).find_map(|field| match field.form {
            Form::List(_, _, row) => Some(row),
            _ => None,
        })
    }

    /// The object with the source's fields, within their limits.
    pub fn of(&self, source: &impl Serialize) -> Value {
        self.shaped(&serde_json::to_value(source).unwrap_or_default())
    }

    fn shaped(&self, source: &Value) -> Value {
        let mut object = Map::new();
        object.insert(ORIGIN.to_owned(), self.origin.as_str().into());
        for field in self.fields {
            let value = field.from.map_or(source, |name| &source[name]);
            let shaped = field.form.shaped(value).filter(|shaped| field.from.is_some() || has_more(shaped));
            debug_assert!(shaped.is_some() || !field.is_required, "{} is missing in {source}", field.name);
            object.extend(shaped.map(|shaped| (field.name.to_owned(), shaped)));
        }
        Value::Object(object)
    }
}

/// Whether an object has fields besides its origin.
fn has_more(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.len() > 1)
}

impl Form {
    fn schema(self) -> Value {
        match self {
            Self::Text(most) | Self::Json(most) => json!({ "type": "string", "maxLength": most }),
            Self::Whole => json!({ "type": "integer" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Wholes => json!({ "type": "array", "items": { "type": "integer" } }),
            Self::Texts(most, length) => json!({ "type": "array", "maxItems": most,
                "items": { "type": "string", "maxLength": length } }),
            Self::Object(record) => Value::Object(record.schema()),
            Self::List(most, _, record) => {
                json!({ "type": "array", "maxItems": most, "items": record.schema() })
            }
        }
    }

    /// `None` if the value does not have this type.
    fn shaped(self, value: &Value) -> Option<Value> {
        match self {
            Self::Text(most) => value.as_str().map(|text| clean(text, most).into()),
            Self::Json(most) => {
                let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
                (!is_empty).then(|| clean(&value.to_string(), most).into())
            }
            Self::Whole => value.is_i64().then(|| value.clone()),
            Self::Flag => value.is_boolean().then(|| value.clone()),
            Self::Wholes => value.is_array().then(|| value.clone()),
            Self::Texts(most, length) => {
                let texts = value.as_array()?.iter().filter_map(Value::as_str).take(most);
                Some(texts.map(|text| clean(text, length)).collect())
            }
            Self::Object(record) => value.is_object().then(|| record.shaped(value)),
            Self::List(most, room, record) => {
                let rows = value.as_array()?.iter().take(most);
                Some(fitting(rows.map(|row| record.shaped(row)), room).into())
            }
        }
    }
}

/// Characters of the value's JSON.
pub fn length(value: &Value) -> usize {
    value.to_string().chars().count()
}

/// The first rows that fit; at least one.
fn fitting(rows: impl Iterator<Item = Value>, room: usize) -> Vec<Value> {
    let mut used = 0;
    let fits = |row: &Value| {
        used += length(row) + 1;
        used <= room || used == length(row) + 1
    };
    rows.take_while(fits).collect()
}

/// Shortens an object: while it is too long, removes the last row of its longest list.
pub fn fit(value: &mut Value, most: usize) {
    while length(value) > most {
        let lists = value.as_object_mut().into_iter().flatten().filter_map(|(_, value)| value.as_array_mut());
        let rows = |list: &&mut Vec<Value>| list.iter().map(length).sum::<usize>();
        let Some(longest) = lists.max_by_key(rows).filter(|list| !list.is_empty()) else { return };
        longest.pop();
    }
}

/// At most `most` characters, without invisible ones; a cut text ends in `…`.
fn clean(text: &str, most: usize) -> String {
    // Cut first, because the rest may be long.
    let (text, is_cut) = clip(text.into(), most);
    let mut cleaned = text.lines().map(visible).collect::<Vec<_>>().join("\n");
    if is_cut {
        while cleaned.chars().count() >= most {
            cleaned.pop();
        }
        cleaned.push('…');
    }
    cleaned
}

#[cfg(test)]
mod tests;
