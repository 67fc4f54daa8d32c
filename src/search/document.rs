//! A log entry in the form that tantivy accepts.

use super::fields::{EntryId, Fields, TEMPLATE, place};
use super::terms::{EVERYWHERE, NameSets, write_fact};
use crate::event::log_batch::Plain;
use crate::event::log_entry::Entry;
use crate::ids::ProjectId;
use crate::search::facts::facts;
use crate::time::Timestamp;
use std::iter::Empty;
use std::ops::Range;
use std::sync::Arc;
use tantivy::schema::Field;
use tantivy::schema::document::{self, ReferenceValue, ReferenceValueLeaf};

/// The terms of an entry. One document serves many entries in turn and keeps its buffers.
#[derive(Debug)]
pub(crate) struct Document {
    fields: Fields,
    key: u64,
    id: u64,
    level: u64,
    rest: u64,
    message: String,
    sets: Arc<NameSets>,
    /// The concatenated facts and names of fields, and where each ends.
    facts: Vec<u8>,
    ends: Vec<usize>,
    /// Where the fields' names are in `facts`; used while it is filled.
    names: Vec<Range<usize>>,
    /// The template's id.
    template: String,
}

impl Document {
    pub(crate) fn new(fields: Fields, sets: Arc<NameSets>) -> Self {
        let (message, template) = (String::new(), String::new());
        let (facts, ends, names) = (Vec::new(), Vec::new(), Vec::new());
        Self { fields, key: 0, id: 0, level: 0, rest: 0, message, sets, facts, ends, names, template }
    }

    /// Fills it with an entry.
    pub(crate) fn fill(&mut self, project: ProjectId, id: EntryId, plain: &Plain, entry: &Entry<'_>) {
        (self.key, self.rest) = place(project, Timestamp::from_micros(entry.timestamp));
        self.id = id.0.cast_unsigned();
        self.level = entry.level as u64;
        self.message.clear();
        self.message.push_str(&entry.message);
        self.facts.clear();
        self.ends.clear();
        facts(&plain.environment, plain.release.as_deref(), entry, |field, value| {
            let start = self.facts.len();
            if !EVERYWHERE.contains(&field) {
                self.names.push(start..start + field.len());
            }
            write_fact(&mut self.facts, field, value);
            self.ends.push(self.facts.len());
            if field == TEMPLATE {
                self.template.clear();
                self.template.push_str(value);
            }
        });
        if !self.names.is_empty() {
            self.sets.write(&mut self.facts, &mut self.names, &mut self.ends);
        }
    }

    /// The field and value with this index, in the order of the fields.
    fn at(&self, at: usize) -> Option<(Field, Value<'_>)> {
        let fields = &self.fields;
        Some(match at {
            0 => (fields.key, Value::Number(self.key)),
            1 => (fields.id, Value::Number(self.id)),
            2 => (fields.level, Value::Number(self.level)),
            3 => (fields.rest, Value::Number(self.rest)),
            4 => (fields.template, Value::Bytes(self.template.as_bytes())),
            5 => (fields.words, Value::Text(&self.message)),
            _ => {
                let end = *self.ends.get(at - 6)?;
                let start = if at == 6 { 0 } else { self.ends[at - 7] };
                (fields.facts, Value::Bytes(&self.facts[start..end]))
            }
        })
    }
}

/// What is lent to tantivy, and returned when tantivy drops it.
#[derive(Debug, Clone)]
pub(crate) struct SharedDocument(pub(super) Arc<Document>);

impl tantivy::Document for SharedDocument {
    type Value<'a> = Value<'a>;
    type FieldsValuesIter<'a> = Values<'a>;

    fn iter_fields_and_values(&self) -> Values<'_> {
        Values { document: &self.0, next: 0 }
    }
}

pub(crate) struct Values<'a> {
    document: &'a Document,
    next: usize,
}

impl<'a> Iterator for Values<'a> {
    type Item = (Field, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.document.at(self.next)?;
        self.next += 1;
        Some(found)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Number(u64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> document::Value<'a> for Value<'a> {
    type ArrayIter = Empty<Self>;
    type ObjectIter = Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match self {
            Self::Number(number) => ReferenceValueLeaf::U64(*number),
            Self::Text(text) => ReferenceValueLeaf::Str(text),
            Self::Bytes(bytes) => ReferenceValueLeaf::Bytes(bytes),
        })
    }
}
