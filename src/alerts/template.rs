//! Custom JSON: a document in whose texts names between `{{` and `}}` are replaced.

use crate::error::{Error, Result};
use crate::text::shown;
use serde_json::Value;

/// The names; a value that an issue does not have is empty.
pub const NAMES: [&str; 13] = [
    "kind",
    "rule",
    "project",
    "title",
    "text",
    "url",
    "time",
    "short_id",
    "culprit",
    "event_count",
    "user_count",
    "stack",
    "logs",
];
/// The deepest nesting of a document.
const DEPTH_MAX: usize = 20;

/// The document with each `{{name}}` in its texts replaced. A value only ever becomes text, so it cannot change the
/// document's structure.
pub fn fill(template: &Value, values: &[(&str, String)]) -> Value {
    match template {
        Value::String(text) => Value::String(replaced(text, values)),
        Value::Array(items) => items.iter().map(|item| fill(item, values)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), fill(value, values))).collect()
        }
        other => other.clone(),
    }
}

fn replaced(text: &str, values: &[(&str, String)]) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find("{{") {
        let Some(end) = rest[start..].find("}}") else { break };
        let name = rest[start + 2..start + end].trim();
        out.push_str(&rest[..start]);
        out.extend(values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str()));
        rest = &rest[start + end + 2..];
    }
    out + rest
}

/// # Errors
/// 422 for an unknown name, or a document that is nested too deeply.
pub fn check(template: &Value) -> Result<()> {
    check_level(template, DEPTH_MAX)
}

fn check_level(template: &Value, left: usize) -> Result<()> {
    if left == 0 {
        return Err(Error::invalid(format!("template: expected at most {DEPTH_MAX} levels")));
    }
    match template {
        Value::String(text) => check_names(text),
        Value::Array(items) => items.iter().try_for_each(|item| check_level(item, left - 1)),
        Value::Object(fields) => fields.values().try_for_each(|value| check_level(value, left - 1)),
        _ => Ok(()),
    }
}

fn check_names(text: &str) -> Result<()> {
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let Some(end) = rest[start..].find("}}") else { break };
        let name = rest[start + 2..start + end].trim();
        if !NAMES.contains(&name) {
            let (known, got) = (NAMES.join(", "), shown(name, 64));
            return Err(Error::invalid(format!(
                "template: expected one of {known} between {{{{ and }}}}, got `{got}`"
            )));
        }
        rest = &rest[start + end + 2..];
    }
    Ok(())
}
