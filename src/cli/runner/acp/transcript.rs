//! What an agent says and does, as entries of the transcript.

use super::schema::{
    ContentBlock, ContentChunk, Diff, MessageId, Plan, PlanEntryStatus, SessionUpdate, ToolCall,
    ToolCallContent, ToolCallId, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields, ToolKind, UsageUpdate,
};
use crate::cli::runner::dialect::{Heard, shown};
use crate::cli::runner::output::{Masker, Outbox, Spoken};
use crate::cli::runner::protocol::{Entry, Role};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Bytes of the agent's last words that are kept.
const LAST_WORDS: usize = 64 << 10;
/// Calls that are under way at once.
const CALLS_MAX: usize = 1_000;
/// How long lines are collected.
const TOGETHER: Duration = Duration::from_secs(1);
/// How long the beginning of a line waits for the rest of it, which may be the rest of a secret.
const SILENCE: Duration = Duration::from_secs(2);

/// A tool call under way, as far as it is shown.
#[derive(Default)]
struct Call {
    title: String,
    kind: ToolKind,
    name: Option<String>,
    output: String,
    is_shown: bool,
}

/// What of a tool's input says what it is about.
const TELLING: [&str; 7] = ["command", "filePath", "file_path", "path", "pattern", "url", "query"];

pub(super) struct Transcript<'a> {
    masker: &'a Masker,
    outbox: &'a Outbox,
    /// The checkout and a slash, which paths are shown without.
    place: String,
    words: Spoken<'a>,
    sent: Instant,
    heard: Instant,
    message: Option<MessageId>,
    calls: HashMap<ToolCallId, Call>,
    plan: String,
    /// What was said after the last tool call.
    last_words: String,
    cost_usd: Option<f64>,
    /// Nothing is new: the agent repeats an earlier session.
    pub(super) is_repeated: bool,
}

impl<'a> Transcript<'a> {
    pub(super) fn new(masker: &'a Masker, outbox: &'a Outbox, dir: &Path) -> Self {
        Self {
            masker,
            outbox,
            place: format!("{}/", dir.display()),
            words: Spoken::new(masker, outbox),
            sent: Instant::now(),
            heard: Instant::now(),
            message: None,
            calls: HashMap::new(),
            plan: String::new(),
            last_words: String::new(),
            cost_usd: None,
            is_repeated: false,
        }
    }

    pub(super) fn heard(self) -> Heard {
        let summary = self.last_words.trim();
        Heard { cost_usd: self.cost_usd, summary: (!summary.is_empty()).then(|| summary.to_owned()) }
    }

    pub(super) fn add(&mut self, update: SessionUpdate) {
        if self.is_repeated {
            return;
        }
        match update {
            SessionUpdate::AgentMessageChunk(chunk) => self.say(&chunk),
            SessionUpdate::ToolCall(call) => self.begin(call),
            SessionUpdate::ToolCallUpdate(update) => self.go_on(update),
            SessionUpdate::Plan(plan) => self.plan(&plan),
            SessionUpdate::UsageUpdate(usage) => self.spend(&usage),
            // Thoughts, commands that are on offer, and what is new in the protocol.
            _ => {}
        }
    }

    /// Something that is no message of the protocol.
    pub(super) fn stray(&mut self, line: &str) {
        self.end_message();
        self.words.add(line);
        self.end_message();
    }

    /// Sends words that have waited for long enough.
    pub(super) fn look(&mut self) {
        if self.heard.elapsed() >= SILENCE {
            self.words.end();
        } else if self.sent.elapsed() >= TOGETHER {
            self.words.send();
            self.sent = Instant::now();
        }
    }

    /// Ends what the agent was saying.
    pub(super) fn end_message(&mut self) {
        self.message = None;
        self.words.end();
    }

    fn say(&mut self, chunk: &ContentChunk) {
        let text = match &chunk.content {
            ContentBlock::Text(text) => text.text.as_str(),
            ContentBlock::ResourceLink(link) => link.uri.as_str(),
            _ => return,
        };
        if chunk.message_id != self.message {
            self.words.end();
            self.last_words.clear();
            self.message = chunk.message_id.clone();
        }
        self.heard = Instant::now();
        self.words.add(text);
        let room = LAST_WORDS - self.last_words.len();
        self.last_words.push_str(&text[..text.floor_char_boundary(room)]);
        self.look();
    }

    fn begin(&mut self, call: ToolCall) {
        let fields = ToolCallUpdateFields::new()
            .status(call.status)
            .kind(call.kind)
            .title(call.title)
            .content(call.content)
            .raw_input(call.raw_input)
            .raw_output(call.raw_output);
        self.go_on(ToolCallUpdate::new(call.tool_call_id, fields));
    }

    fn go_on(&mut self, update: ToolCallUpdate) {
        self.end_message();
        self.last_words.clear();
        if self.calls.len() >= CALLS_MAX {
            self.calls.clear();
        }
        let fields = update.fields;
        let call = self.calls.entry(update.tool_call_id.clone()).or_default();
        if let Some(title) = &fields.title {
            call.title = shown(title);
        }
        call.kind = fields.kind.unwrap_or(call.kind);
        if let Some(input) = fields.raw_input.as_ref().filter(|input| is_telling(call.kind, input)) {
            call.name = Some(named(&call.title, input).replace(&self.place, ""));
        }
        if let Some(content) = &fields.content {
            call.output = output(content).replace(&self.place, "");
        }
        let is_over = matches!(fields.status, Some(ToolCallStatus::Completed | ToolCallStatus::Failed));
        let mut entries = Vec::new();
        // Agents name a call first, and say what it is about a moment later.
        if !call.is_shown && (is_over || call.name.is_some()) {
            call.is_shown = true;
            entries.push(call.name.clone().unwrap_or_else(|| call.title.clone()));
        }
        if is_over {
            let failed = if fields.status == Some(ToolCallStatus::Failed) { "failed: " } else { "" };
            let raw =
                fields.raw_output.as_ref().and_then(|raw| raw.as_str().or_else(|| raw["output"].as_str()));
            let output =
                if call.output.is_empty() { shown(raw.unwrap_or_default()) } else { call.output.clone() };
            entries.extend((!output.is_empty()).then(|| format!("{failed}{output}")));
            self.calls.remove(&update.tool_call_id);
        }
        for entry in entries {
            self.outbox.push(Entry::said(Role::Tool, None, self.masker.mask(&entry)));
        }
    }

    fn plan(&mut self, plan: &Plan) {
        let line = |(status, content): (&PlanEntryStatus, &str)| {
            let mark = match status {
                PlanEntryStatus::Completed => "x",
                PlanEntryStatus::InProgress => "…",
                _ => " ",
            };
            format!("- [{mark}] {content}")
        };
        let entries = plan.entries.iter().take(100).map(|entry| line((&entry.status, &entry.content)));
        let plan = shown(&entries.collect::<Vec<_>>().join("\n"));
        if plan != self.plan && !plan.is_empty() {
            self.end_message();
            self.outbox.push(Entry::said(Role::Agent, None, self.masker.mask(&plan)));
            self.plan = plan;
        }
    }

    fn spend(&mut self, usage: &UsageUpdate) {
        let cost = usage.cost.as_ref().filter(|cost| cost.currency.eq_ignore_ascii_case("usd"));
        let amount = cost.map(|cost| cost.amount).filter(|amount| amount.is_finite() && *amount >= 0.0);
        self.cost_usd = amount.or(self.cost_usd);
    }
}

/// What is done, and with what.
fn named(title: &str, input: &Value) -> String {
    match TELLING.iter().find_map(|name| input[name].as_str()) {
        Some(about) if title.contains(about) => title.to_owned(),
        Some(about) => shown(&format!("{title}: {about}")),
        // A title of more than a word tells enough.
        None if title.contains(' ') => title.to_owned(),
        None => shown(&format!("{title}: {input}")),
    }
}

fn output(content: &[ToolCallContent]) -> String {
    let parts = content.iter().filter_map(|content| match content {
        ToolCallContent::Content(content) => match &content.content {
            ContentBlock::Text(text) => Some(text.text.clone()),
            _ => None,
        },
        ToolCallContent::Diff(diff) => Some(of_diff(diff)),
        _ => None,
    });
    shown(&parts.collect::<Vec<_>>().join("\n"))
}

/// The lines that a change takes away and adds; those around them are left out.
fn of_diff(diff: &Diff) -> String {
    let old: Vec<&str> = diff.old_text.as_deref().unwrap_or_default().lines().collect();
    let new: Vec<&str> = diff.new_text.lines().collect();
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[same..], &new[same..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - last], &new[..new.len() - last]);
    let removed = old.iter().map(|line| format!("-{line}"));
    let added = new.iter().map(|line| format!("+{line}"));
    let path = std::iter::once(diff.path.display().to_string());
    path.chain(removed).chain(added).collect::<Vec<_>>().join("\n")
}

/// Whether an input says what a call is about: some agents tell where a command runs before which one it is.
fn is_telling(kind: ToolKind, input: &Value) -> bool {
    match kind {
        ToolKind::Execute => input["command"].is_string(),
        _ => input.as_object().is_none_or(|fields| !fields.is_empty()) && !input.is_null(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a transcript has after these updates, and what was heard.
    fn entries(updates: &[Value]) -> (Vec<(Role, String)>, Heard) {
        let (masker, outbox) = (Masker::new(["hunter2hunter2".to_owned()]), Outbox::default());
        let mut transcript = Transcript::new(&masker, &outbox, Path::new("/work/repo"));
        for update in updates {
            transcript.add(serde_json::from_value(update.clone()).unwrap());
        }
        transcript.end_message();
        let heard = transcript.heard();
        outbox.close();
        let sent = outbox.next(Duration::ZERO).unwrap_or_default();
        (sent.into_iter().map(|entry| (entry.role, entry.content)).collect(), heard)
    }

    fn says(text: &str) -> Value {
        json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } })
    }

    #[test]
    fn chunks_become_sentences_and_secrets_in_them_are_masked() {
        let (entries, heard) = entries(&[says("The key is hun"), says("ter2hunter2, they"), says(" say.")]);
        assert_eq!(entries, [(Role::Agent, "The key is [masked], they say.".to_owned())]);
        assert_eq!(heard.summary.as_deref(), Some("The key is hunter2hunter2, they say."));
    }

    #[test]
    fn a_call_is_shown_with_its_command_and_its_output() {
        let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "title": "bash", "kind": "execute",
            "status": "pending", "rawInput": { "cwd": "/work/repo" } });
        let goes_on = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "in_progress",
            "rawInput": { "command": "ls /work/repo/src" } });
        let ends = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "completed",
            "content": [{ "type": "content", "content": { "type": "text", "text": "a\nb" } }] });
        let (entries, heard) =
            entries(&[says("I look."), call, goes_on.clone(), goes_on, ends, says("Done.")]);
        let tool = |text: &str| (Role::Tool, text.to_owned());
        let agent = |text: &str| (Role::Agent, text.to_owned());
        assert_eq!(entries, [agent("I look."), tool("bash: ls src"), tool("a\nb"), agent("Done.")]);
        assert_eq!(heard.summary.as_deref(), Some("Done."));
    }

    #[test]
    fn a_change_is_shown_by_its_lines() {
        let edit = json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "title": "Edit shop.js", "kind": "edit",
            "status": "completed",
            "content": [{ "type": "diff", "path": "/work/repo/shop.js", "oldText": "a\nb\nc", "newText": "a\nB\nc" }] });
        let (entries, _) = entries(&[edit]);
        let tool = |text: &str| (Role::Tool, text.to_owned());
        assert_eq!(entries, [tool("Edit shop.js"), tool("shop.js\n-b\n+B")]);
    }

    #[test]
    fn plans_are_shown_when_they_change_and_costs_are_heard() {
        let plan = |status: &str| {
            json!({ "sessionUpdate": "plan",
                "entries": [{ "content": "Look", "priority": "high", "status": status }] })
        };
        let usage = json!({ "sessionUpdate": "usage_update", "used": 10, "size": 100,
            "cost": { "amount": 0.25, "currency": "USD" } });
        let thought =
            json!({ "sessionUpdate": "agent_thought_chunk", "content": { "type": "text", "text": "hm" } });
        let (entries, heard) =
            entries(&[plan("pending"), plan("pending"), thought, plan("completed"), usage]);
        let agent = |text: &str| (Role::Agent, text.to_owned());
        assert_eq!(entries, [agent("- [ ] Look"), agent("- [x] Look")]);
        assert_eq!(heard.cost_usd, Some(0.25));
    }
}
