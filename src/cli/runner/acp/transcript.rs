//! Turns an agent's messages and tool calls into entries of the transcript.

use super::lines::ID_MAX;
use super::schema::{
    ContentBlock, ContentChunk, Diff, MessageId, Plan, PlanEntryStatus, SessionUpdate, ToolCall,
    ToolCallContent, ToolCallId, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields, ToolKind, UsageUpdate,
};
use crate::cli::runner::dialect::{TurnOutput, shown};
use crate::cli::runner::output::{Masker, Outbox, Spoken};
use crate::cli::runner::protocol::{Entry, Role};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Bytes kept of the agent's last message.
const LAST_WORDS: usize = 64 << 10;
/// Characters of a call's title.
const TITLE_MAX: usize = 300;
/// Lines compared to show a change.
const DIFF_MAX: usize = 2_000;
/// The most tool calls in progress.
const CALLS_MAX: usize = 1_000;
/// How long lines are collected into one entry.
const TOGETHER: Duration = Duration::from_secs(1);
/// How long an unfinished line is held back, because it may end within a secret.
const SILENCE: Duration = Duration::from_secs(2);

/// A tool call in progress, and what was shown of it.
#[derive(Default)]
struct Call {
    title: String,
    kind: ToolKind,
    name: Option<String>,
    output: String,
    is_shown: bool,
}

/// The fields of a tool's input that say what it does.
const TELLING: [&str; 7] = ["command", "filePath", "file_path", "path", "pattern", "url", "query"];

pub(super) struct Transcript<'a> {
    masker: &'a Masker,
    outbox: &'a Outbox,
    /// The checkout's path with a slash, which is removed from displayed paths.
    place: String,
    words: Spoken<'a>,
    sent: Instant,
    heard: Instant,
    /// The last output was not a protocol message.
    is_stray: bool,
    message: Option<MessageId>,
    calls: HashMap<ToolCallId, Call>,
    plan: String,
    /// The text after the last tool call.
    last_words: String,
    /// The session's cost, as the agent reports it,
    cost_usd: Option<f64>,
    /// and what it had cost before this process, in US dollars.
    pub(super) cost_before: Option<f64>,
    /// The agent is replaying an earlier session, so nothing is new.
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
            is_stray: false,
            message: None,
            calls: HashMap::new(),
            plan: String::new(),
            last_words: String::new(),
            cost_usd: None,
            cost_before: None,
            is_repeated: false,
        }
    }

    pub(super) fn heard(self) -> TurnOutput {
        let summary = self.last_words.trim();
        TurnOutput {
            cost_usd: self.new_cost_usd(),
            summary: (!summary.is_empty()).then(|| summary.to_owned()),
        }
    }

    pub(super) fn cost_usd(&self) -> Option<f64> {
        self.cost_usd
    }

    /// The cost of this process, if the agent reports one.
    pub(super) fn new_cost_usd(&self) -> Option<f64> {
        self.cost_usd.map(|cost| (cost - self.cost_before.unwrap_or(0.0)).max(0.0))
    }

    /// The kind of a call, possibly from the message that started it.
    pub(super) fn kind(&self, call: &ToolCallUpdate) -> ToolKind {
        let known = || self.calls.get(&call.tool_call_id).map(|call| call.kind);
        call.fields.kind.or_else(known).unwrap_or_default()
    }

    /// A one-line description of a call, safe within quotation marks.
    pub(super) fn title(&self, call: &ToolCallUpdate) -> String {
        crate::text::line(&self.name(call), TITLE_MAX).replace(['“', '”', '"'], "'")
    }

    /// A description of a call with its command and changes, to ask for permission.
    pub(super) fn proposal(&self, call: &ToolCallUpdate) -> Entry {
        let changes = call.fields.content.as_deref().map(|content| self.shown(&output(content)));
        let parts = [Some(self.name(call)), changes];
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        Entry::said(Role::Tool, None, parts.join("\n"))
    }

    fn name(&self, call: &ToolCallUpdate) -> String {
        let known = self.calls.get(&call.tool_call_id);
        let title = call.fields.title.clone().or_else(|| known.map(|call| call.title.clone()));
        let title = title.unwrap_or_else(|| "something that it does not name".to_owned());
        match (&call.fields.raw_input, known) {
            (Some(input), _) => self.shown(&named(&title, input, &self.place)),
            (None, Some(Call { name: Some(name), .. })) => name.clone(),
            (None, _) => self.shown(&title),
        }
    }

    /// Masks secrets and cuts the text, in this order: half a secret would not be recognized.
    fn shown(&self, text: &str) -> String {
        shown(&self.masker.mask(text).replace(&self.place, ""))
    }

    /// A new prompt begins.
    pub(super) fn begin_prompt(&mut self) {
        self.last_words.clear();
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
            // Thoughts, available commands, and unknown kinds.
            _ => {}
        }
    }

    /// Output that is not a protocol message.
    pub(super) fn stray(&mut self, line: &str) {
        if !self.is_stray {
            self.end_message();
            self.is_stray = true;
        }
        self.heard = Instant::now();
        self.words.add(line);
        self.words.add("\n");
        self.look();
    }

    /// Sends text that has waited long enough.
    pub(super) fn look(&mut self) {
        if self.heard.elapsed() >= SILENCE {
            self.words.end();
        } else if self.sent.elapsed() >= TOGETHER {
            self.words.send();
            self.sent = Instant::now();
        }
    }

    /// Ends the agent's current message.
    pub(super) fn end_message(&mut self) {
        self.message = None;
        self.is_stray = false;
        self.words.end();
    }

    fn say(&mut self, chunk: &ContentChunk) {
        let text = match &chunk.content {
            ContentBlock::Text(text) => text.text.as_str(),
            ContentBlock::ResourceLink(link) => link.uri.as_str(),
            _ => return,
        };
        let id = chunk.message_id.clone().filter(|id| id.0.len() <= ID_MAX);
        if id != self.message || self.is_stray {
            self.end_message();
            self.last_words.clear();
            self.message = id;
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
        let (id, fields) = (update.tool_call_id, update.fields);
        if id.0.len() > ID_MAX {
            return;
        }
        if self.calls.len() >= CALLS_MAX {
            self.calls.clear();
        }
        let mut call = self.calls.remove(&id).unwrap_or_default();
        self.take(&mut call, &fields);
        let is_over = matches!(fields.status, Some(ToolCallStatus::Completed | ToolCallStatus::Failed));
        // Agents first name a call, and send its input a moment later.
        if !call.is_shown && (is_over || call.name.is_some()) {
            call.is_shown = true;
            self.tell_tool(call.name.as_ref().unwrap_or(&call.title));
        }
        if !is_over {
            self.calls.insert(id, call);
            return;
        }
        let raw = fields.raw_output.as_ref().and_then(|raw| raw.as_str().or_else(|| raw["output"].as_str()));
        let output = if call.output.is_empty() { self.shown(raw.unwrap_or_default()) } else { call.output };
        if !output.is_empty() {
            let failed = if fields.status == Some(ToolCallStatus::Failed) { "failed: " } else { "" };
            self.tell_tool(&format!("{failed}{output}"));
        }
    }

    /// Updates a call with the changed fields.
    fn take(&self, call: &mut Call, fields: &ToolCallUpdateFields) {
        if let Some(title) = &fields.title {
            call.title = self.shown(title);
        }
        call.kind = fields.kind.unwrap_or(call.kind);
        if let Some(input) = fields.raw_input.as_ref().filter(|input| is_telling(call.kind, input)) {
            call.name = Some(self.shown(&named(&call.title, input, &self.place)));
        }
        if let Some(content) = &fields.content {
            call.output = self.shown(&output(content));
        }
    }

    fn tell_tool(&self, text: &str) {
        self.outbox.push(Entry::said(Role::Tool, None, text.to_owned()));
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
        let plan = self.shown(&entries.collect::<Vec<_>>().join("\n"));
        if plan != self.plan && !plan.is_empty() {
            self.end_message();
            self.outbox.push(Entry::said(Role::Agent, None, plan.clone()));
            self.plan = plan;
        }
    }

    fn spend(&mut self, usage: &UsageUpdate) {
        let cost = usage.cost.as_ref().filter(|cost| cost.currency.eq_ignore_ascii_case("usd"));
        let amount = cost.map(|cost| cost.amount).filter(|amount| amount.is_finite() && *amount >= 0.0);
        self.cost_usd = amount.or(self.cost_usd);
    }
}

/// The title of a call with what it acts on. `place` is the checkout's path with a slash, which the title may lack
/// and the input may have.
fn named(title: &str, input: &Value, place: &str) -> String {
    match TELLING.iter().find_map(|name| input[name].as_str()) {
        Some(about) if title.contains(about.strip_prefix(place).unwrap_or(about)) => title.to_owned(),
        Some(about) => format!("{title}: {about}"),
        // A title of several words says enough.
        None if title.contains(' ') => title.to_owned(),
        None => format!("{title}: {input}"),
    }
}

fn output(content: &[ToolCallContent]) -> String {
    let parts = content.iter().filter_map(|content| match content {
        ToolCallContent::Content(content) => match &content.content {
            ContentBlock::Text(text) => Some(unfenced(&text.text).to_owned()),
            _ => None,
        },
        ToolCallContent::Diff(diff) => Some(of_diff(diff)),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// Removes a code fence around the whole text, because the transcript shows output verbatim.
fn unfenced(text: &str) -> &str {
    let inner = || {
        let (first, rest) = text.trim().split_once('\n')?;
        let language = first.strip_prefix("```")?;
        let inner = rest.strip_suffix("```")?;
        let is_fence = language.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+".contains(&byte));
        (is_fence && !inner.contains("```")).then_some(inner)
    };
    inner().map_or(text, |inner| inner.trim_end_matches('\n'))
}

/// The removed and added lines of a change, without context.
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
    path.chain(removed).chain(added).take(DIFF_MAX).collect::<Vec<_>>().join("\n")
}

/// Whether the input says what a call does. Some agents send the working directory before the command.
fn is_telling(kind: ToolKind, input: &Value) -> bool {
    match kind {
        ToolKind::Execute => input["command"].is_string(),
        _ => input.as_object().is_none_or(|fields| !fields.is_empty()) && !input.is_null(),
    }
}

#[cfg(test)]
mod tests;
