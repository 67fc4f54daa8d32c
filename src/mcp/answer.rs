//! Answers of a size that a model can take, in which text from outside is marked.

use super::shape::Record;
use crate::context::{OUTSIDE_BEGINS, OUTSIDE_ENDS};
use crate::text::{clip, visible};
use serde_json::Value;

/// Characters of an answer.
pub const ANSWER_MAX: usize = 25_000;
/// Characters of what is told: what names the cursor takes some more.
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

/// A text of both kinds.
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

    /// Lines that it has so far.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Takes back all lines but the first ones.
    pub fn truncate(&mut self, lines: usize) {
        self.lines.truncate(lines);
    }

    /// Characters that it takes, with marks around each part from outside.
    pub fn length(&self) -> usize {
        let lines = self.lines.iter().map(|line| line.text.chars().count() + 1);
        let begins = |place: usize| place == 0 || !self.lines[place - 1].is_outside;
        let parts =
            (0..self.lines.len()).filter(|place| self.lines[*place].is_outside && begins(*place)).count();
        lines.sum::<usize>() + parts * (OUTSIDE_BEGINS.len() + OUTSIDE_ENDS.len() + 2)
    }

    /// All of it that an answer has room for.
    pub fn text(&self) -> String {
        let (mut text, mut used, mut is_open) = (String::new(), 0, false);
        for line in &self.lines {
            used += line.text.chars().count() + 1;
            // Whatever begins will also end.
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

/// What a tool tells: as text for a model, and as an object for a program.
#[derive(Debug)]
pub struct Told {
    pub text: String,
    pub value: Value,
}

impl Told {
    /// The same with what to call for the rest.
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

/// A row of a list: its text, and what the fields of its object are read from.
pub type Row = (String, Value);

/// The form of a list, and what the field with its rows is called.
pub type ListOf = (&'static Record, &'static str);

/// A list: its head, as many of its rows as fit both as text and as objects, and how many those are. The text of rows is
/// from outside; `facts` are the other fields.
pub fn list((record, name): ListOf, head: &str, mut facts: Value, rows: Vec<Row>) -> (Told, usize) {
    let (texts, sources): (Vec<String>, Vec<Value>) = rows.into_iter().unzip();
    let (text, shown) = lines(head, &texts);
    facts[name] = sources.into_iter().take(shown).collect();
    let value = record.of(&facts);
    let fits = value[name].as_array().map_or(0, Vec::len);
    let text = if fits < shown { lines(head, &texts[..fits]).0 } else { text };
    (Told { text, value }, fits)
}

/// The head and as many rows as fit.
fn lines(head: &str, rows: &[String]) -> (String, usize) {
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
    (answer.text(), shown)
}

#[cfg(test)]
mod tests;
