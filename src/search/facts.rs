//! The facts of a log entry: fields with exact values by which it can be found, besides its words.

use super::words::normalise;
use crate::event::log_entry::{Entry, Level};
use crate::event::trace;
use crate::wire::json::Name;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// The longest value, in bytes; a longer one is cut at a character boundary, and so are the values in a
/// query.
pub const VALUE_MAX: usize = 200;
/// The longest path of an attribute, in bytes; one with a longer path, or a NUL in it, cannot be searched
/// for.
pub const PATH_MAX: usize = 200;
/// The number of attributes of an entry that can be searched for: the first ones.
pub const LEAVES_MAX: usize = 100;

/// The prefix of an attribute's path.
const ATTRIBUTES: &str = "attributes.";

/// Passes on each field with its value, in the form of [`normalise`]; a field may occur more than once.
pub fn facts(environment: &str, release: Option<&str>, entry: &Entry<'_>, mut emit: impl FnMut(&str, &str)) {
    let trace = entry.trace_id.as_deref().map(trace::comparable);
    let texts = [
        ("environment", Some(environment)),
        ("release", release),
        ("logger", entry.logger_name.as_deref()),
        ("user", entry.user_id.as_deref()),
        ("user", entry.user_email.as_deref()),
        ("account", entry.account_id.as_deref()),
        ("account", entry.account_name.as_deref()),
        ("trace", trace.as_deref()),
        ("span", entry.span_id.as_deref()),
        ("file", entry.file_path.as_deref()),
        ("function", entry.function_name.as_deref()),
    ];
    emit("level", entry.level.as_str());
    emit("template", &template_id(&entry.template));
    let mut buffer = String::new();
    for (field, text) in texts {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            fold_value(text, &mut buffer);
            emit(field, &buffer);
        }
    }
    if let Some(attributes) = &entry.attributes {
        let path = ATTRIBUTES.to_owned();
        let mut leaves = Leaves { path, value: buffer, left: LEAVES_MAX, emit: &mut emit };
        // An error means that the last leaf was reached, or that the JSON was not written by our decoder.
        let _ = leaves.deserialize(&mut serde_json::Deserializer::from_str(attributes));
    }
}

/// The id of a template in facts and URLs: 16 hexadecimal digits.
pub fn template_id(template: &str) -> String {
    let hash = blake3::hash(template.as_bytes()).to_hex();
    hash[..16].to_owned()
}

/// The form of a value in facts.
pub fn value_of(text: &str) -> String {
    let mut value = String::new();
    fold_value(text, &mut value);
    value
}

fn fold_value(text: &str, into: &mut String) {
    into.clear();
    if text.is_ascii() {
        into.push_str(&text[..text.len().min(VALUE_MAX)]);
        into.make_ascii_lowercase();
        return;
    }
    normalise(text, VALUE_MAX, |_| true, into);
}

/// The field that a query's key refers to; `None` if it is not a field.
///
/// Keys may be in any case, except for the path of an attribute, which must be exactly as sent.
pub fn field_of(name: &str) -> Option<Cow<'static, str>> {
    const KEYS: [(&str, &[&str]); 11] = [
        ("level", &["level", "severity"]),
        ("logger", &["logger", "logger_name"]),
        ("user", &["user", "user_id", "user_email", "user.id", "user.email"]),
        ("account", &["account", "account_id", "account_name", "account.id", "account.name"]),
        ("trace", &["trace", "trace_id"]),
        ("span", &["span", "span_id"]),
        ("environment", &["environment", "env"]),
        ("release", &["release"]),
        ("file", &["file", "file_path"]),
        ("function", &["function", "function_name"]),
        ("template", &["template"]),
    ];
    for prefix in [ATTRIBUTES, "attr."] {
        if let Some((head, path)) = name.split_at_checked(prefix.len())
            && head.eq_ignore_ascii_case(prefix)
        {
            return (1..=PATH_MAX).contains(&path.len()).then(|| Cow::Owned(format!("{ATTRIBUTES}{path}")));
        }
    }
    let known = KEYS.iter().find(|(_, keys)| keys.iter().any(|key| key.eq_ignore_ascii_case(name)));
    known.map(|(field, _)| Cow::Borrowed(*field))
}

/// A double as RFC 8785 and browsers write it: `2.0` is `2`, and `1e3` is `1000`.
struct Double(f64);

impl fmt::Display for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.abs() {
            0.0 => f.write_str("0"),
            1e-6..1e21 => self.0.fmt(f),
            large if large >= 1e21 => f.write_str(&format!("{:e}", self.0).replacen('e', "e+", 1)),
            _ => write!(f, "{:e}", self.0),
        }
    }
}

/// A query's value for an attribute as the number that it is, if the index spells that number in another way.
pub fn asked_number(field: &str, text: &str) -> Option<String> {
    let has_space = text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
    if !field.starts_with(ATTRIBUTES) || text.len() > VALUE_MAX || has_space {
        return None;
    }
    let number: serde_json::Number = serde_json::from_str(text).ok()?;
    let spelled = match number.as_f64() {
        Some(double) if number.is_f64() => Double(double).to_string(),
        _ => number.to_string(),
    };
    (spelled != text).then_some(spelled)
}

/// A query's value in the form that the field uses: `warning` is the level `warn`.
pub fn asked_value(field: &str, text: &str) -> String {
    match Level::parse(text) {
        Some(level) if field == "level" => level.as_str().to_owned(),
        _ if field == "trace" => value_of(&trace::comparable(text)),
        _ => value_of(text),
    }
}

/// Passes on the leaves of a tree while it is read.
struct Leaves<'e, F> {
    /// The path of the field being read.
    path: String,
    value: String,
    left: usize,
    emit: &'e mut F,
}

impl<F: FnMut(&str, &str)> Leaves<'_, F> {
    fn text<E: de::Error>(&mut self, text: &str) -> Result<(), E> {
        fold_value(text, &mut self.value);
        self.leaf()
    }

    fn shown<E: de::Error>(&mut self, value: impl fmt::Display) -> Result<(), E> {
        self.value.clear();
        // Writing to memory cannot fail.
        let _ = write!(self.value, "{value}");
        self.leaf()
    }

    fn leaf<E: de::Error>(&mut self) -> Result<(), E> {
        let is_asked_for = self.path.len() <= ATTRIBUTES.len() + PATH_MAX && !self.path.contains('\0');
        if !self.value.is_empty() && is_asked_for {
            (self.emit)(&self.path, &self.value);
            self.left -= 1;
        }
        if self.left == 0 { Err(E::custom("the last leaf")) } else { Ok(()) }
    }
}

impl<'de, F: FnMut(&str, &str)> DeserializeSeed<'de> for &mut Leaves<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(&str, &str)> Visitor<'de> for &mut Leaves<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.shown(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.shown(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.shown(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.shown(Double(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        while access.next_element_seed(&mut *self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let outer = self.path.len();
        while let Some(Name(name)) = access.next_key()? {
            if outer > ATTRIBUTES.len() {
                self.path.push('.');
            }
            self.path.push_str(&name);
            access.next_value_seed(&mut *self)?;
            self.path.truncate(outer);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
