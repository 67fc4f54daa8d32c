//! The other exceptions mentioned in a stack text: those that led to its own.

use super::cause::Cause;
use super::line::{find, trim_start};
use super::{dotnet, php, python, ruby};

/// The causes mentioned in the text of an exception with this message, nearest first: each was caused by the
/// next.
pub fn causes<'a>(text: &'a str, message: Option<&str>) -> Vec<Cause<'a>> {
    if php::is_chained(text) {
        return php::causes(text);
    }
    let text = super::split(text, message).after;
    if python::is_chained(text) {
        return python::causes(text);
    }
    if find(text, "--- End of inner exception").is_some() {
        return dotnet::causes(text);
    }
    let marked = find(text, "aused by: ").is_some() || find(text, "[cause]: ").is_some();
    if marked && find(text, "at ").is_some() {
        return headed(text);
    }
    if find(text, "\tfrom ").is_some() { ruby::causes(text) } else { Vec::new() }
}

/// Causes that follow a marker. `Caused by: ` counts only at the start of a line; an indented one belongs to
/// a suppressed exception. Node's `[cause]: ` is indented further for each one.
fn headed(text: &str) -> Vec<Cause<'_>> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut depth) = (0, 0);
    for line in text.split_inclusive('\n') {
        let indent = line.len() - trim_start(line).len();
        let marks =
            [("Caused by: ", indent == 0), ("caused by: ", indent == 0), ("[cause]: ", indent > depth)];
        let found = marks.iter().find(|(mark, counts)| *counts && line[indent..].starts_with(mark));
        if let Some((mark, _)) = found {
            starts.push((at, at + indent + mark.len()));
            depth = indent;
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(line, _)| *line).chain([text.len()]);
    let sections = starts.iter().zip(ends).map(|((_, start), end)| text[*start..end].trim_end());
    sections.filter(|section| !section.starts_with("[CIRCULAR")).map(section).collect()
}

/// The header ends before the first frame; without frames it is one line.
fn section(text: &str) -> Cause<'_> {
    let mut end = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = trim_start(line);
        if at > 0 && (start.starts_with("at ") || start.starts_with("... ")) {
            end = Some(at);
            break;
        }
        at += line.len();
    }
    let first = || find(text, "\n").unwrap_or(text.len());
    Cause::new(&text[..end.unwrap_or_else(first)], text)
}
