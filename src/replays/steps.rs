//! What a person did and saw before an error, read from a recording: for those who cannot watch it.
//!
//! It comes from outside, and a recording may hold anything. What cannot be read is passed over, and each part has a
//! limit, of time, too.

mod addresses;
mod events;
mod page;

pub use events::{Event, Events};

use crate::text::line;
use crate::time::{MINUTE, SECOND, Timestamp};
use crate::wire::surrogates;
use addresses::{bare, bare_within};
use page::{Page, Rows, masked};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::VecDeque;

/// The most steps: the last ones.
pub const STEPS_MAX: usize = 100;
/// How long before the error they begin, in milliseconds.
pub const BEFORE: i64 = MINUTE;
/// How long after the error they end, in milliseconds: what a page shows on an error is recorded a moment later.
pub const AFTER: i64 = SECOND;
/// Characters of a step, and of a text of the page.
const TEXT_MAX: usize = 300;
/// How long before the error what appeared on the page counts, in milliseconds.
const SEEN: i64 = 10 * SECOND;

/// Kinds of rrweb events.
const FULL_SNAPSHOT: u8 = 2;
const INCREMENTAL: u8 = 3;
const META: u8 = 4;
const CUSTOM: u8 = 5;
/// Sources of rrweb's incremental events, and its type of a click.
const MUTATION: i64 = 0;
const MOUSE_INTERACTION: i64 = 2;
const INPUT: i64 = 5;
const CLICK: f64 = 2.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A page was opened; the text is its address.
    Page,
    Click,
    /// A field was changed. What was entered is masked, also where the client did not.
    Input,
    /// A text appeared on the page.
    Seen,
    Console,
    Request,
    /// An error that the client reported.
    Error,
    /// Another breadcrumb.
    Note,
    /// What is not known, because the recording lacks it. It is said by us, and stands last.
    Recording,
}

impl StepKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Click => "click",
            Self::Input => "input",
            Self::Seen => "seen",
            Self::Console => "console",
            Self::Request => "request",
            Self::Error => "error",
            Self::Note => "note",
            Self::Recording => "recording",
        }
    }
}

/// Something that a person did or saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub at: Timestamp,
    pub kind: StepKind,
    /// On one line, at most 300 characters; from outside.
    pub text: String,
}

#[derive(Deserialize)]
struct RecordedEvent<'a> {
    #[serde(rename = "type")]
    kind: u8,
    timestamp: f64,
    #[serde(borrow)]
    data: &'a RawValue,
}

#[derive(Deserialize)]
struct Picture<'a> {
    #[serde(borrow)]
    node: &'a RawValue,
}

#[derive(Deserialize)]
struct PageMeta {
    href: String,
}

/// The fields of several kinds of incremental events.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    source: f64,
    #[serde(rename = "type")]
    kind: Option<f64>,
    id: Option<f64>,
    text: Option<String>,
    #[serde(borrow)]
    removes: Option<Rows<'a>>,
    #[serde(borrow)]
    adds: Option<Rows<'a>>,
    #[serde(borrow)]
    texts: Option<Rows<'a>>,
    #[serde(borrow)]
    attributes: Option<Rows<'a>>,
    /// Whether the event adds to the picture before it.
    continues: Option<bool>,
}

#[derive(Deserialize)]
struct RemovedNode {
    id: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AddedNode<'a> {
    parent_id: f64,
    /// What it is added before; `None` for the last within its parent.
    next_id: Option<f64>,
    #[serde(borrow)]
    node: &'a RawValue,
}

#[derive(Deserialize)]
struct TextChange {
    id: f64,
    value: Option<String>,
}

#[derive(Deserialize)]
struct AttributeChange<'a> {
    id: f64,
    #[serde(borrow)]
    attributes: &'a RawValue,
}

#[derive(Deserialize)]
struct Custom<'a> {
    tag: String,
    #[serde(borrow)]
    payload: &'a RawValue,
}

/// The fields of the payloads of our client's own events.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ClientEventFields {
    level: String,
    message: String,
    method: String,
    url: String,
    status: f64,
    to: String,
    category: String,
    #[serde(rename = "type")]
    kind: String,
}

/// A recording that is gone through, for the steps around a moment. All times are by its clock.
pub struct Walk {
    page: Page,
    is_drawn: bool,
    /// Whether the page was seen in a picture, and all that changed since.
    is_known: bool,
    steps: VecDeque<Step>,
    /// Of the page.
    address: String,
    /// The field that the last step changed.
    field: Option<i64>,
    moment: i64,
    /// When the current event happened.
    at: i64,
}

impl Walk {
    /// The moment is in milliseconds since the epoch.
    pub fn new(moment: i64) -> Self {
        Self {
            page: Page::new(),
            is_drawn: true,
            is_known: false,
            steps: VecDeque::new(),
            address: String::new(),
            field: None,
            moment,
            at: 0,
        }
    }

    /// Whether what is on the page is followed from here on, beginning with a picture of it. Otherwise nothing that is
    /// clicked has a name, and no text is seen to appear.
    pub fn set_drawn(&mut self, is_drawn: bool) {
        if is_drawn != self.is_drawn {
            (self.is_drawn, self.is_known, self.page) = (is_drawn, false, Page::new());
        }
    }

    /// Passes over events that are missing: one of them may have let somebody write into an element. What is on the
    /// page is followed again from the next picture on.
    pub fn forget(&mut self) {
        self.is_known = false;
        self.page.forget();
    }

    /// Whether something that was on the page at the end is not known, because there was too much.
    pub fn is_cut(&self) -> bool {
        self.page.is_cut
    }

    /// Goes on with an event: one of rrweb's, as JSON.
    pub fn take(&mut self, event: Vec<u8>) {
        let event = surrogates::mend(event.into());
        let text = String::from_utf8_lossy(&event);
        let Ok(event) = serde_json::from_str::<RecordedEvent<'_>>(&text) else { return };
        self.at = event.timestamp as i64;
        if self.at > self.moment.saturating_add(AFTER) {
            return;
        }
        match event.kind {
            FULL_SNAPSHOT if self.is_drawn => {
                self.forget();
                if let Some(picture) = read::<Picture<'_>>(event.data) {
                    self.page.draw(picture.node);
                    self.is_known = true;
                }
            }
            INCREMENTAL => {
                if let Some(change) = read::<Change<'_>>(event.data) {
                    self.change(&change);
                }
            }
            META => {
                if let Some(opened) = read::<PageMeta>(event.data) {
                    self.arrive(&opened.href);
                }
            }
            CUSTOM => self.custom(event.data),
            _ => {}
        }
    }

    /// Adds what the recording lacks.
    pub fn remark(&mut self, text: &str) {
        self.at = self.moment;
        self.tell(StepKind::Recording, text);
    }

    /// The steps in order.
    pub fn steps(self) -> Vec<Step> {
        self.steps.into()
    }

    fn change(&mut self, change: &Change<'_>) {
        let id = change.id.unwrap_or_default() as i64;
        match change.source as i64 {
            MUTATION if self.is_known => self.mutate(change),
            MOUSE_INTERACTION if change.kind == Some(CLICK) && self.is_within(BEFORE) => {
                let name = self.page.name(id);
                self.tell(StepKind::Click, &name);
            }
            INPUT if self.is_within(BEFORE) => {
                // Each key changes the field.
                if self.field == Some(id) {
                    self.steps.pop_back();
                }
                let entered = masked(change.text.as_deref().unwrap_or_default());
                let text = format!("{}: {entered}", self.page.name(id));
                self.tell(StepKind::Input, &text);
                self.field = Some(id);
            }
            _ => {}
        }
    }

    /// In rrweb's order, but for attributes: they say whether a text was entered.
    fn mutate(&mut self, change: &Change<'_>) {
        let mut fresh = Vec::new();
        for removed in rows::<RemovedNode>(change.removes.as_ref()) {
            self.page.remove(removed.id as i64);
        }
        for added in rows::<AddedNode<'_>>(change.adds.as_ref()) {
            let next = added.next_id.map(|id| id as i64);
            self.page.add(added.parent_id as i64, next, added.node, &mut fresh);
        }
        for altered in rows::<AttributeChange<'_>>(change.attributes.as_ref()) {
            self.page.alter(altered.id as i64, altered.attributes);
        }
        for text in rows::<TextChange>(change.texts.as_ref()) {
            self.page.set(text.id as i64, text.value.as_deref().unwrap_or_default(), &mut fresh);
        }
        if change.continues != Some(true) && self.is_within(SEEN) {
            let seen = self.page.seen(&fresh);
            if !seen.is_empty() {
                self.tell(StepKind::Seen, &seen);
            }
        }
    }

    /// Pictures of the same page follow each other.
    fn arrive(&mut self, address: &str) {
        let address = bare(address);
        if !address.is_empty() && address != self.address {
            self.tell(StepKind::Page, &address);
            self.address = address;
        }
    }

    /// An event of our client. It names clicked elements, too, but not by their text.
    fn custom(&mut self, data: &RawValue) {
        let Some(custom) = read::<Custom<'_>>(data) else { return };
        let Some(told) = read::<ClientEventFields>(custom.payload) else { return };
        match custom.tag.as_str() {
            "mayday.navigation" => self.arrive(&told.to),
            "mayday.console" => {
                self.tell(StepKind::Console, &format!("{}: {}", told.level, bare_within(&told.message)));
            }
            "mayday.network" => {
                let outcome = if told.status > 0.0 { told.status.to_string() } else { "failed".to_owned() };
                self.tell(StepKind::Request, &format!("{} {} {outcome}", told.method, bare(&told.url)));
            }
            "mayday.error" => {
                self.tell(StepKind::Error, &format!("{}: {}", told.kind, bare_within(&told.message)));
            }
            "mayday.crumb" if told.category != "ui.click" => {
                self.tell(StepKind::Note, &format!("{}: {}", told.category, bare_within(&told.message)));
            }
            _ => {}
        }
    }

    /// Whether the current event happened at most so many milliseconds before the moment.
    fn is_within(&self, before: i64) -> bool {
        self.at >= self.moment.saturating_sub(before)
    }

    fn tell(&mut self, kind: StepKind, text: &str) {
        if !self.is_within(BEFORE) {
            return;
        }
        if self.steps.len() >= STEPS_MAX {
            self.steps.pop_front();
        }
        self.field = None;
        let at = Timestamp::from_millis(self.at);
        self.steps.push_back(Step { at, kind, text: line(text, TEXT_MAX) });
    }
}

/// What a value says, if it is of this type.
fn read<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// The rows that can be read as this type; others are skipped.
fn rows<'a, T: Deserialize<'a>>(given: Option<&Rows<'a>>) -> impl Iterator<Item = T> {
    given.into_iter().flat_map(|rows| rows.0.iter().copied()).filter_map(read)
}

#[cfg(test)]
mod tests;
