//! The content of a mail, and how plain text and HTML (in the frame `page.html`) are made from it. The placeholders
//! of the frame are filled in one pass, so that a value cannot contain another placeholder.

use super::link::Link;

const FRAME: &str = include_str!("page.html");
/// Marks where details are inserted when a mail is sent. Texts never contain this character.
const PLACE: &str = "\u{1}";
const FOOTER: &str = "Mayday, error monitoring";

/// A part of a mail. All texts are plain, and escaped here.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Title(String),
    Text(String),
    /// The next step: a button, and in plain text a separate line after `lead`.
    Action {
        lead: &'static str,
        label: &'static str,
        link: Link,
    },
    /// An optional link.
    Aside {
        label: &'static str,
        link: Link,
    },
    Item {
        title: String,
        link: Link,
    },
    /// Lines of code.
    Lines {
        title: &'static str,
        lines: Vec<String>,
    },
    /// Where details are inserted.
    Details,
}

pub(super) fn text(parts: &[Part]) -> String {
    let mut text = blocks(parts);
    text.extend(["-- \n", FOOTER, "\n"]);
    text
}

/// A text with parts in place of the details' mark.
pub(super) fn with_text(text: &str, parts: &[Part]) -> String {
    text.replace(PLACE, &blocks(parts))
}

/// The same for HTML.
pub(super) fn with_html(html: &str, parts: &[Part]) -> String {
    let parts: Vec<String> = parts.iter().map(part).collect();
    html.replace(PLACE, &parts.join("\n"))
}

/// The parts, each followed by an empty line.
fn blocks(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Title(words) | Part::Text(words) => text.push_str(words),
            Part::Action { lead: "", link, .. } => text.push_str(link.as_str()),
            Part::Action { lead, link, .. } => text.extend([*lead, "\n", link.as_str()]),
            Part::Aside { label, link } => text.extend([*label, ":\n", link.as_str()]),
            Part::Item { title, link } => text.extend(["- ", title.as_str(), "\n  ", link.as_str()]),
            Part::Lines { title, lines } => {
                text.extend([*title, ":"]);
                lines.iter().for_each(|line| text.extend(["\n    ", line.as_str()]));
            }
            Part::Details => {
                text.push_str(PLACE);
                continue;
            }
        }
        text.push_str("\n\n");
    }
    text
}

pub(super) fn html(subject: &str, parts: &[Part]) -> String {
    let parts: Vec<String> = parts.iter().map(part).collect();
    fill(FRAME, |place| match place {
        "subject" => escape(subject),
        "parts" => parts.join("\n"),
        "footer" => escape(FOOTER),
        _ => String::new(),
    })
}

/// Each text gets its own direction, whatever it begins with.
fn part(part: &Part) -> String {
    match part {
        Part::Title(words) => format!("<h1 dir=\"auto\">{}</h1>", escape(words)),
        Part::Text(words) => format!("<p dir=\"auto\">{}</p>", escape(words)),
        Part::Action { label, link, .. } => {
            format!("<p><a class=\"button\" href=\"{}\">{}</a></p>", escape(link.as_str()), escape(label))
        }
        Part::Aside { label, link } => {
            format!("<p class=\"quiet\"><a href=\"{}\">{}</a></p>", escape(link.as_str()), escape(label))
        }
        Part::Item { title, link } => format!(
            "<p class=\"item\" dir=\"auto\"><a href=\"{}\">{}</a></p>",
            escape(link.as_str()),
            escape(title)
        ),
        Part::Lines { title, lines } => {
            let lines: String = lines.iter().map(|line| format!("<div>{}</div>", escape(line))).collect();
            let title = escape(title);
            format!("<p class=\"quiet above\">{title}</p>\n<div class=\"lines\" dir=\"ltr\">{lines}</div>")
        }
        Part::Details => PLACE.to_owned(),
    }
}

/// Replaces each `{{name}}` with its `value`.
fn fill(frame: &str, value: impl Fn(&str) -> String) -> String {
    let mut filled = String::with_capacity(2 * frame.len());
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((place, after)) = after.split_once("}}") else { break };
        filled.push_str(before);
        filled.push_str(&value(place));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Escapes text for HTML, between tags and in quoted attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
