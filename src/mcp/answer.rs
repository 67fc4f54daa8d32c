//! Answers of a size that a model can handle, in which text from outside is marked.

use super::shape::Record;
use crate::context::{OUTSIDE_BEGINS, OUTSIDE_ENDS};
use crate::text::{clip, visible};
use serde_json::Value;

/// Characters of an answer.
pub const ANSWER_MAX: usize = 25_000;
/// Characters of the content; the line with the cursor takes a few more.
const ROOM: usize = 24_500;
/// Characters of a line in an excerpt.
const SHORT_MAX: usize = 500;
/// Characters of a line; a longer one is broken.
const LINE_MAX: usize = 2_000;
/// The indentation of text from outside.
const INDENT: &str = "    ";

/// A line, and whether it came from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    is_outside: bool,
    text: String,
}

/// A text with lines of both kinds.
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

    /// Adds the beginning of a text from outside under a heading, with a limit for each line and one for all lines
    /// together.
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

    /// The number of lines so far.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Removes all lines but the first ones.
    pub fn truncate(&mut self, lines: usize) {
        self.lines.truncate(lines);
    }

    /// The number of characters, with the marks around text from outside.
    pub fn length(&self) -> usize {
        let lines = self.lines.iter().map(|line| line.text.chars().count() + 1);
        let begins = |place: usize| place == 0 || !self.lines[place - 1].is_outside;
        let parts =
            (0..self.lines.len()).filter(|place| self.lines[*place].is_outside && begins(*place)).count();
        lines.sum::<usize>() + parts * (OUTSIDE_BEGINS.len() + OUTSIDE_ENDS.len() + 2)
    }

    /// As much of the text as an answer has room for.
    pub fn text(&self) -> String {
        let (mut text, mut used, mut is_open) = (String::new(), 0, false);
        for line in &self.lines {
            used += line.text.chars().count() + 1;
            // A mark that is opened must also fit when it is closed.
            if line.is_outside && !is_open {
                used += OUTSIDE_BEGINS.len() + OUTSIDE_ENDS.len() + 2;
            }
            if used > ROOM {
                break;
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
        text
    }
}

/// The beginning of a long line.
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

/// Makes lines that cannot pass for Mayday's own: indented, and without other line breaks and invisible characters.
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

/// The result of a tool: text for a model, and an object for a program.
#[derive(Debug)]
pub struct ToolResult {
    pub text: String,
    pub value: Value,
}

impl ToolResult {
    /// Adds the cursor for the rest.
    pub fn with_cursor(mut self, next: Option<String>) -> Self {
        match next {
            Some(next) => {
                self.text.push_str(
                    "\nThere is more: call this tool again with the same arguments and\nNext cursor: ",
                );
                self.text.push_str(&next);
                self.text.push('\n');
                self.value["next_cursor"] = next.into();
            }
            None => self.text.push_str("\nThis is all.\n"),
        }
        self
    }
}

/// A row of a list: its text, and the source of its object's fields.
pub type Row = (String, Value);

/// The type of a list's result, and the name of the field with its rows.
pub type ListOf = (&'static Record, &'static str);

/// A list: its head, as many rows as fit both as text and as objects, and their number. The text of rows is from
/// outside; `facts` has the other fields.
pub fn list((record, name): ListOf, head: &str, mut facts: Value, rows: Vec<Row>) -> (ToolResult, usize) {
    let (texts, sources): (Vec<String>, Vec<Value>) = rows.into_iter().unzip();
    let (text, shown) = lines(head, &texts);
    facts[name] = sources.into_iter().take(shown).collect();
    let value = record.of(&facts);
    let fits = value[name].as_array().map_or(0, Vec::len);
    let text = if fits < shown { lines(head, &texts[..fits]).0 } else { text };
    (ToolResult { text, value }, fits)
}

/// The head, and as many rows as fit.
fn lines(head: &str, rows: &[String]) -> (String, usize) {
    let (mut answer, mut used, mut shown) = (Answer::default(), 0, 0);
    answer.own(head);
    for row in rows {
        let row = clip(row.as_str().into(), ROOM / 2).0;
        // Each line is indented, and long ones are broken.
        used += row.chars().count() + row.lines().count() * (INDENT.len() + 1) + row.len() / LINE_MAX * 50;
        if used > ROOM - 2_000 && shown > 0 {
            break;
        }
        answer.outside(&row);
        shown += 1;
    }
    (answer.text(), shown)
}

#[cfg(test)]
mod tests;
