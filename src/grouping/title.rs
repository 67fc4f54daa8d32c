//! Titles and culprits of issues.

use super::{GroupFrame, file_name, function};

/// Longest title and culprit, in characters, the ellipsis counted.
const LONGEST: usize = 200;

/// `Type: message`, with the message's first non-blank line, cut to 200 characters. A message that begins
/// with its type does not get it twice; without either, the title is `Error`.
pub fn title(exception_type: Option<&str>, message: Option<&str>) -> String {
    let kind = first_line(exception_type);
    let message = first_line(message);
    let message = match message.strip_prefix(kind).and_then(|rest| rest.strip_prefix(": ")) {
        Some(rest) if !kind.is_empty() => rest,
        _ => message,
    };
    match (kind, message) {
        ("", "") => "Error".to_owned(),
        ("", text) | (text, "") => shorten(text),
        (kind, message) => shorten(&format!("{}: {}", shorten(kind), shorten(message))),
    }
}

/// Where the error was thrown: `function (file)`, `file` or `function` of the in-app frame nearest the throw,
/// or of any frame if none is in-app, cleaned as for grouping. `None` without a usable frame.
pub fn culprit(frames: &[GroupFrame<'_>]) -> Option<String> {
    let own = frames.iter().filter(|frame| frame.in_app).find_map(describe);
    own.or_else(|| frames.iter().find_map(describe))
}

fn describe(frame: &GroupFrame<'_>) -> Option<String> {
    let function = function::clean(frame.function.unwrap_or_default());
    let file = file_name::normalise(frame.file.unwrap_or_default());
    match (&*function, &*file) {
        ("", "") => None,
        ("", text) | (text, "") => Some(shorten(text)),
        (function, file) => Some(shorten(&format!("{function} ({file})"))),
    }
}

fn first_line(text: Option<&str>) -> &str {
    let lines = text.unwrap_or_default().lines();
    lines.map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

/// At most [`LONGEST`] characters, control characters as spaces.
fn shorten(text: &str) -> String {
    let mut rest = text.chars().map(|char| if char.is_control() { ' ' } else { char });
    let mut short: String = rest.by_ref().take(LONGEST).collect();
    if rest.next().is_some() {
        short.pop();
        short.push('…');
    }
    short
}
