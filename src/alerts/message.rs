//! A message in the form that each kind of channel takes. Names and titles come from outside: they are cut, and any
//! markup in them is escaped.

use super::target::{ChannelKind, Target, topic};
use super::template::{NAMES, fill};
use crate::delivery::details::Details;
use crate::delivery::hook::Hook;
use crate::text::line;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Characters of a title and of a text.
const TITLE_MAX: usize = 250;
const TEXT_MAX: usize = 1_000;
/// Characters of a title, including those added to escape markup: Discord refuses a longer one.
const DISCORD_TITLE_MAX: usize = 256;

/// Bytes of an ntfy message: ntfy turns a longer one into a file, or refuses it.
const NTFY_MAX: usize = 4_000;

/// A message to send.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Message {
    /// Such as `issue.created`.
    pub kind: String,
    pub rule: String,
    pub project: (i64, String),
    pub title: String,
    pub text: String,
    /// The page of the Web app.
    pub url: String,
    /// The issue's details; `null` if the message is about no issue.
    pub issue: Value,
    /// Messages that were left out before this one.
    pub suppressed: i64,
    pub at: Timestamp,
    /// Filled in when it is sent.
    #[serde(skip)]
    pub details: Details,
}

impl Message {
    /// The title, as one line.
    pub fn title(&self) -> String {
        line(&self.title, TITLE_MAX)
    }

    fn text(&self) -> String {
        let more = match self.suppressed {
            0 => String::new(),
            1 => " (1 more message was left out before)".to_owned(),
            more => format!(" ({more} more messages were left out before)"),
        };
        format!("{}{more}", line(&self.text, TEXT_MAX))
    }

    /// The values of a template's names.
    fn values(&self) -> [(&'static str, String); NAMES.len()] {
        let of_issue = |name: &str| match &self.issue[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        NAMES.map(|name| {
            let value = match name {
                "kind" => self.kind.clone(),
                "rule" => self.rule.clone(),
                "project" => self.project.1.clone(),
                "title" => self.title(),
                "text" => self.text(),
                "url" => self.url.clone(),
                "time" => self.at.to_string(),
                "stack" => self.details.stack.join("\n"),
                "logs" => self.details.logs.join("\n"),
                of_the_issue => of_issue(of_the_issue),
            };
            (name, value)
        })
    }

    /// The request that delivers the message to a channel.
    pub fn hook(&self, kind: ChannelKind, target: &Target) -> Hook {
        let mut url = target.url.clone();
        let body = match kind {
            ChannelKind::Webhook => self.standard(),
            ChannelKind::Slack => json!({ "text": self.slack() }),
            ChannelKind::Discord => self.discord(),
            ChannelKind::Teams => self.teams(),
            ChannelKind::Ntfy => {
                let known = url::Url::parse(&url).ok().and_then(|url| topic(&url));
                let (server, topic) = known.unwrap_or_else(|| (url.clone(), String::new()));
                url = server;
                json!({ "topic": topic, "title": self.title(), "message": self.ntfy(), "click": self.url })
            }
            ChannelKind::Template => fill(target.template.as_ref().unwrap_or(&Value::Null), &self.values()),
        };
        let authorization = target.token.as_ref().map(|token| format!("Bearer {token}"));
        Hook { url, body: body.to_string(), authorization, secret: target.secret.clone() }
    }

    fn standard(&self) -> Value {
        json!({
            "type": self.kind,
            "timestamp": self.at,
            "data": {
                "rule": self.rule,
                "project": { "id": self.project.0, "name": self.project.1 },
                "title": self.title(),
                "text": self.text(),
                "url": self.url,
                "issue": self.issue,
                "stack": self.details.stack,
                "logs": self.details.logs,
                "suppressed": self.suppressed,
            },
        })
    }

    /// Slack treats `<`, `>` and `&` as markup; `*bold*` and the like do no harm. Services that accept the same form
    /// (Mattermost, Rocket.Chat) also know Markdown links and mention people by a plain `@`: a zero-width space
    /// between the characters prevents both.
    fn slack(&self) -> String {
        let plain = |text: &str| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            text.replace("](", "]\u{200b}(").replace('@', "@\u{200b}")
        };
        // `|` would end the link's address.
        let title = plain(&self.title()).replace('|', "¦");
        format!("<{}|{title}>\n{}{}", self.url, plain(&self.text()), plain(&block(&self.details)))
    }

    fn ntfy(&self) -> String {
        let (text, details) = (self.text(), self.details.text());
        match details.is_empty() || text.len() + details.len() + 2 > NTFY_MAX {
            true => text,
            false => format!("{text}\n\n{details}"),
        }
    }

    fn discord(&self) -> Value {
        let title = cut_markdown(without_markdown(&self.title()), DISCORD_TITLE_MAX);
        let text = without_markdown(&self.text()) + &block(&self.details);
        json!({
            "embeds": [{ "title": title, "url": self.url, "description": text, "timestamp": self.at }],
            // Without this, a title could mention everybody.
            "allowed_mentions": { "parse": [] },
        })
    }

    fn teams(&self) -> Value {
        let block = |text: String, weight: &str| json!({ "type": "TextBlock", "text": text, "weight": weight, "wrap": true });
        let plain = |text: String| without_markdown(&text);
        let mut body = vec![block(plain(self.title()), "Bolder"), block(plain(self.text()), "Default")];
        let details = self.details.text();
        if !details.is_empty() {
            // A card ignores single line breaks.
            let lines: Vec<String> = details.lines().map(without_markdown).collect();
            let text = lines.join("\n\n");
            body.push(json!({ "type": "TextBlock", "text": text, "fontType": "Monospace", "size": "Small", "wrap": true }));
        }
        json!({
            "type": "message",
            "attachments": [{
                "contentType": "application/vnd.microsoft.card.adaptive",
                "content": {
                    "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                    "type": "AdaptiveCard",
                    "version": "1.4",
                    "body": body,
                    "actions": [{ "type": "Action.OpenUrl", "title": "Open", "url": self.url }],
                },
            }],
        })
    }
}

/// The details as a Markdown code block that nothing inside can end.
fn block(details: &Details) -> String {
    let text = details.text().replace('`', "'");
    if text.is_empty() { text } else { format!("\n```\n{text}\n```") }
}

/// Escapes Markdown, so that links, emphasis, code, mentions and headings are shown as plain text.
fn without_markdown(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        // The last three are markup only at the beginning.
        let is_markup = "\\[]()<>*_~`|".contains(character) || at == 0 && "#-+".contains(character);
        plain.extend(is_markup.then_some('\\'));
        plain.push(character);
    }
    plain
}

/// Cuts escaped text to a length without splitting an escape.
fn cut_markdown(text: String, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let cut = &text[..end];
    let escapes = cut.chars().rev().take_while(|character| *character == '\\').count();
    cut[..end - escapes % 2].to_owned()
}

#[cfg(test)]
mod tests;
