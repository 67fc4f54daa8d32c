//! The other exceptions mentioned in a stack text: those that led to its own.

use super::cause::{Cause, is_name};
use super::line::{find, trim_start};
use super::{dotnet, java, php, python, ruby};

/// What Node prints before the members of an `AggregateError`.
const MEMBERS: &str = "[errors]: [";

/// Whether a line is that one.
pub(super) fn has_members(line: &str) -> bool {
    trim_start(line).starts_with(MEMBERS)
}

/// The causes mentioned in the text of an exception with this message, nearest first: each was caused by the
/// next. The members of an aggregate are among them, one after the other.
pub fn causes<'a>(text: &'a str, message: Option<&str>) -> Vec<Cause<'a>> {
    if php::is_chained(text) {
        return php::causes(text);
    }
    // The members of a group follow its message.
    if python::is_group(text) {
        return python::causes(text);
    }
    let text = super::split(text, message).after;
    if python::is_chained(text) {
        return python::causes(text);
    }
    if find(text, "--- End of inner exception").is_some() || dotnet::has_siblings(text) {
        return dotnet::causes(text);
    }
    if java::is_root_first(text) {
        return java::roots(text);
    }
    if let Some(at) = find(text, MEMBERS) {
        let mut causes = headed(&text[..at]);
        causes.extend(members(&text[at + MEMBERS.len()..]));
        return causes;
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
    sections.filter(|section| !section.starts_with("[CIRCULAR")).map(Cause::of_section).collect()
}

/// The members of an `AggregateError`, each indented like the first.
fn members(text: &str) -> Vec<Cause<'_>> {
    let mut starts = Vec::new();
    let (mut at, mut level, mut end) = (0, None, text.len());
    // Node indents every line of a message like its first.
    let mut has_frame = true;
    for line in text.split_inclusive('\n') {
        let start = trim_start(line);
        let indent = line.len() - start.len();
        if !start.trim().is_empty() {
            let level = *level.get_or_insert(indent);
            if indent < level {
                end = at;
                break;
            }
            let begins = indent == level && !start.starts_with(['}', ']']) && !start.starts_with("at ");
            if begins && (has_frame || is_header(start)) {
                starts.push(at + indent);
                has_frame = false;
            }
            has_frame |= start.starts_with("at ");
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts.iter().zip(ends).map(|(start, end)| Cause::of_section(bare(&text[*start..end]))).collect()
}

/// Without the comma between members, and without the brackets around one that has no stack.
fn bare(member: &str) -> &str {
    let text = member.trim_end().trim_end_matches(',');
    text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(text)
}

fn is_header(line: &str) -> bool {
    line.starts_with('[') || line.split_once(": ").is_some_and(|(kind, _)| is_name(kind))
}
