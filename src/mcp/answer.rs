//! Answers of a size that a model can take, in which text from outside is marked.

use crate::context::{OUTSIDE_BEGINS, OUTSIDE_ENDS};
use crate::error::{Error, Result};
use crate::text::{clip, visible};

/// Characters of an answer.
pub const ANSWER_MAX: usize = 25_000;
/// Characters of a page: what names the cursor takes some more.
const ROOM: usize = 24_500;
/// Characters of a line of an excerpt.
const SHORT_MAX: usize = 500;
/// Characters of a line; a longer one goes on in the next.
const LINE_MAX: usize = 2_000;
/// How far text from outside is indented.
const INDENT: &str = "    ";

/// A line, and whether it came from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    is_outside: bool,
    text: String,
}

/// A text of both kinds, of which pages are shown.
#[derive(Debug, Default)]
pub struct Answer {
    lines: Vec<Line>,
}

impl Answer {
    /// Adds text that Mayday wrote.
    pub fn own(&mut self, text: &str) {
        for text in text.lines() {
            self.lines.push(Line { is_outside: false, text: clip(text.into(), LINE_MAX).0.into_owned() });
        }
    }

    /// Adds text from outside.
    pub fn outside(&mut self, text: &str) {
        self.lines.extend(outside(text));
    }

    /// Adds text from outside under a heading; nothing if it is empty.
    pub fn section(&mut self, heading: &str, text: &str) {
        if !text.trim().is_empty() {
            self.own(&format!("\n## {heading}\n"));
            self.outside(text);
        }
    }

    /// Adds the beginning of a text from outside under a heading: of each line, and of all together at most so many
    /// characters.
    pub fn excerpt(&mut self, heading: &str, text: &str, most: usize) {
        let short: Vec<String> = text.lines().map(short).collect();
        if short.iter().all(|line| line.trim().is_empty()) {
            return;
        }
        self.own(&format!("\n## {heading}\n"));
        let mut left = most;
        for mut line in outside(&short.join("\n")) {
            let length = line.text.chars().count() + 1;
            if length > left {
                line.text = clip(line.text.into(), left).0.into_owned();
                self.lines.push(line);
                self.own("[The rest was left out: it is too long. get_event shows all of an event.]");
                return;
            }
            left -= length;
            self.lines.push(line);
        }
    }

    /// The lines from the one with number `from`, as many as fit, and the number of the next.
    ///
    /// # Errors
    /// 422 if there is no such line.
    pub fn page(&self, from: usize) -> Result<(String, Option<usize>)> {
        if from > 0 && from >= self.lines.len() {
            return Err(Error::invalid("cursor: expected the one that the last answer named"));
        }
        let (mut text, mut used, mut is_open) = (String::new(), 0, false);
        for (place, line) in self.lines.iter().enumerate().skip(from) {
            used += line.text.chars().count() + 1;
            // Whatever begins will also end.
            if line.is_outside && !is_open {
                used += OUTSIDE_BEGINS.len() + OUTSIDE_ENDS.len() + 2;
            }
            if used > ROOM && place > from {
                close(&mut text, is_open);
                return Ok((text, Some(place)));
            }
            if line.is_outside != is_open {
                text.push_str(if line.is_outside { OUTSIDE_BEGINS } else { OUTSIDE_ENDS });
                text.push('\n');
                is_open = line.is_outside;
            }
            text.push_str(&line.text);
            text.push('\n');
        }
        close(&mut text, is_open);
        Ok((text, None))
    }
}

/// The beginning of a line that is long.
fn short(line: &str) -> String {
    match clip(line.into(), SHORT_MAX) {
        (line, true) => format!("{line}…"),
        (line, false) => line.into_owned(),
    }
}

fn close(text: &mut String, is_open: bool) {
    if is_open {
        text.push_str(OUTSIDE_ENDS);
        text.push('\n');
    }
}

/// Lines that cannot pass for Mayday's own: indented, without what ends a line elsewhere or cannot be seen.
fn outside(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for raw in text.lines() {
        let mut rest = visible(raw.strip_prefix(INDENT).unwrap_or(raw));
        loop {
            let (part, is_cut) = clip(rest.as_str().into(), LINE_MAX);
            lines.push(Line { is_outside: true, text: format!("{INDENT}{part}") });
            if !is_cut {
                break;
            }
            rest = rest[part.len()..].to_owned();
        }
    }
    lines
}

/// A list: its head, as many of its rows as fit, and how many those are. Rows are text from outside.
pub fn list(head: &str, rows: &[String]) -> (String, usize) {
    let (mut answer, mut used, mut shown) = (Answer::default(), 0, 0);
    answer.own(head);
    for row in rows {
        let row = clip(row.as_str().into(), ROOM / 2).0;
        // Short lines are indented, and long ones broken.
        used += row.chars().count() + row.lines().count() * (INDENT.len() + 1) + row.len() / LINE_MAX * 50;
        if used > ROOM - 2_000 && shown > 0 {
            break;
        }
        answer.outside(&row);
        shown += 1;
    }
    // It fits: a page has more room than was used.
    let text = answer.page(0).map(|(text, _)| text).unwrap_or_default();
    (text, shown)
}

/// An answer with what to call for the rest.
pub fn with_cursor(mut text: String, next: Option<String>) -> String {
    match next {
        Some(next) => {
            text.push_str("\nThere is more: call this tool again with the same arguments and\nNext cursor: ");
            text.push_str(&next);
            text.push('\n');
        }
        None => text.push_str("\nThis is all.\n"),
    }
    text
}

#[cfg(test)]
mod tests;
