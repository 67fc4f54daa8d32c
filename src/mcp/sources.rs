//! Sources of result fields that the Web app's routes do not return in this form.

use crate::context::untrusted;
use crate::events::{Event, ExceptionView, FrameView};
use crate::issues::Tag;
use crate::releases::Release;
use crate::text::clip;
use serde_json::{Value, json};

/// Characters of a field's value; a longer one is split.
const PIECE: usize = 1_900;
/// The depth to which further values are listed separately.
const DEPTH_MAX: usize = 8;

pub fn exception(number: usize, exception: &ExceptionView) -> Value {
    json!({ "number": number, "type": exception.kind, "message": exception.message })
}

/// A frame, with its source if requested.
pub fn frame(exception: usize, frame: &FrameView, with_code: bool) -> Value {
    let mut source = json!({ "exception": exception, "in_app": frame.in_app, "function": frame.function,
        "url": frame.url, "line": frame.line, "column": frame.column });
    let code = |target: &mut Value, at: u32, before: &[String], line: &Option<String>, after: &[String]| {
        if with_code && line.is_some() {
            target["code_from_line"] = at.saturating_sub(u32::try_from(before.len()).unwrap_or(0)).into();
            target["code"] = before.iter().chain(line).chain(after).map(String::as_str).collect();
        }
    };
    let at = frame.line.unwrap_or(1);
    code(&mut source, at, &frame.pre_context, &frame.context_line, &frame.post_context);
    if let Some(found) = &frame.resolved {
        let mut original = json!({ "file": found.file, "function": found.function, "line": found.line,
            "column": found.column });
        code(&mut original, found.line, &found.pre_context, &found.context_line, &found.post_context);
        source["original"] = original;
    }
    source
}

pub fn release(seen: &str, release: &Release) -> Value {
    let mut source = serde_json::to_value(release).unwrap_or_default();
    source["seen"] = seen.into();
    source
}

/// Leaves out users.
pub fn tags(tags: &[Tag]) -> Vec<Value> {
    let others = tags.iter().filter(|tag| !matches!(tag.facet.as_str(), "user" | "account"));
    let source = |tag: &Tag| {
        let values: Vec<&str> = tag.values.iter().map(|value| value.value.as_str()).collect();
        json!({ "total": tag.total, "unique": tag.unique, "key": tag.key, "values": values })
    };
    others.map(source).collect()
}

/// The further values of an event by path, in pieces if they are long.
pub fn fields(event: &Event) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for (number, exception) in untrusted::chain(event).enumerate() {
        // The frames show the same.
        if let Some(stack) = exception.stack.as_deref().filter(|_| exception.frames.is_empty()) {
            add(&mut fields, &format!("exceptions[{number}].stack"), stack);
        }
    }
    flatten(&mut fields, String::new(), &untrusted::rest(event), 0);
    fields
}

fn flatten(fields: &mut Vec<(String, String)>, path: String, value: &Value, depth: usize) {
    let of = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Null => {}
        Value::Object(values) if depth < DEPTH_MAX => {
            values.iter().for_each(|(name, value)| flatten(fields, of(name), value, depth + 1));
        }
        Value::Array(values) if depth < DEPTH_MAX => {
            let numbered = values.iter().enumerate();
            numbered.for_each(|(at, value)| flatten(fields, format!("{path}[{at}]"), value, depth + 1));
        }
        Value::String(text) => add(fields, &path, text),
        other => add(fields, &path, &other.to_string()),
    }
}

fn add(fields: &mut Vec<(String, String)>, path: &str, value: &str) {
    let mut rest = value;
    loop {
        let piece = clip(rest.into(), PIECE).0;
        fields.push((path.to_owned(), piece.to_string()));
        rest = &rest[piece.len()..];
        if rest.is_empty() {
            return;
        }
    }
}
