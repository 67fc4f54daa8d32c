//! A long answer in pages, each with the same parts as text and as objects.

use super::answer::{Answer, ToolResult};
use super::results::ROWS;
use super::shape::{Record, length};
use serde_json::Value;

/// Characters of a page's text.
const TEXT: usize = 23_500;

/// A part of an answer; its text is from outside.
#[derive(Debug)]
pub struct Part {
    /// The heading above this and similar parts.
    pub heading: &'static str,
    /// The list in the result that contains it.
    pub list: &'static str,
    pub text: String,
    pub source: Value,
}

/// As many parts as fit, from number `from` on; beyond the last one, none. `facts` has the other fields, including the
/// lists, which are empty.
pub fn page(record: &Record, head: &str, mut facts: Value, parts: Vec<Part>, from: usize) -> ToolResult {
    let (mut answer, mut used, mut heading, mut next) = (Answer::default(), 0, "", None);
    answer.own(head);
    for (number, part) in parts.into_iter().enumerate().skip(from) {
        let before = answer.lines();
        used += record.row(part.list).map_or(0, |row| length(&row.of(&part.source)) + 1);
        if part.heading != heading {
            answer.own(&format!("\n## {}\n", part.heading));
            heading = part.heading;
        }
        answer.outside(&part.text);
        if number > from && (used > ROWS || answer.length() > TEXT) {
            answer.truncate(before);
            next = Some(number.to_string());
            break;
        }
        if let Some(list) = facts[part.list].as_array_mut() {
            list.push(part.source);
        }
    }
    ToolResult { text: answer.text(), value: record.of(&facts) }.with_cursor(next)
}

#[cfg(test)]
mod tests;
