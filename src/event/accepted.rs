//! An accepted event: checked, cut to its limits and scrubbed. This is what the journal contains (as packed
//! JSON) and, without the frames, `events.payload`.

use crate::event::DebugId;
use crate::wire::json::{Json, list, optional};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

type Text<'a> = Cow<'a, str>;

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Exception,
    Message,
}

/// Severity, from the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Debug,
    Info,
    Warning,
    Error,
    Fatal,
}

impl Level {
    pub const ALL: [Self; 5] = [Self::Debug, Self::Info, Self::Warning, Self::Error, Self::Fatal];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Fatal => "fatal",
        }
    }

    /// Parses a level in any case; `warn` is accepted.
    pub fn parse(text: &str) -> Option<Self> {
        let text = if text.eq_ignore_ascii_case("warn") { "warning" } else { text };
        Self::ALL.into_iter().find(|level| level.as_str().eq_ignore_ascii_case(text))
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Accepted<'a> {
    #[serde(borrow)]
    pub event_id: Cow<'a, str>,
    /// Milliseconds since the epoch: the sent time, or the receipt time if that is not usable.
    pub timestamp: i64,
    pub received_at: i64,
    /// What was sent as `timestamp`, if it was not used.
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub sent_timestamp: Option<Text<'a>>,
    /// Whether the receipt time replaces the sent one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub timestamp_replaced: bool,
    #[serde(rename = "type")]
    pub kind: Kind,
    pub level: Level,
    #[serde(borrow)]
    pub environment: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub release: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub platform: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub message: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub url: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub user: Option<User<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub session_id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub window_id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub replay_id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub span_id: Option<Text<'a>>,
    #[serde(borrow, default = "Json::default", skip_serializing_if = "Json::is_empty")]
    pub tags: Json<'a>,
    #[serde(borrow, default = "Json::default", skip_serializing_if = "Json::is_empty")]
    pub extra: Json<'a>,
    #[serde(borrow, default = "Json::default", skip_serializing_if = "Json::is_empty")]
    pub contexts: Json<'a>,
    #[serde(borrow, default, deserialize_with = "list", skip_serializing_if = "Vec::is_empty")]
    pub fingerprint: Vec<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub breadcrumbs: Vec<Breadcrumb<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub sdk: Option<Sdk<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub exception: Option<Exception<'a>>,
    /// The debug ids of scripts in the stacks.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub debug_images: Vec<DebugImage<'a>>,
    /// Paths of the fields that were cut to their limits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<String>,
    /// Number of values that were removed as secrets.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scrubbed: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct User<'a> {
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub email: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub username: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<Text<'a>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account<'a> {
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sdk<'a> {
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub version: Option<Text<'a>>,
}

/// A script and the id that its build gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebugImage<'a> {
    /// Its address as it appears in the stack.
    #[serde(borrow)]
    pub code_file: Cow<'a, str>,
    pub debug_id: DebugId,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Breadcrumb<'a> {
    /// Milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<i64>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub category: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub message: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub level: Option<Text<'a>>,
    #[serde(
        borrow,
        rename = "type",
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<Text<'a>>,
    #[serde(borrow, default = "Json::default", skip_serializing_if = "Json::is_empty")]
    pub data: Json<'a>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Exception<'a> {
    #[serde(
        borrow,
        rename = "type",
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub message: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub stack: Option<Text<'a>>,
    /// As sent, throw first.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<SentFrame<'a>>,
    /// What variables of these frames held, in their order. Beside the frames, which are stored once for all events that
    /// have the same.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub vars: Vec<FrameVars<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<Mechanism<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Exception<'a>>>,
}

/// What the local variables of a frame held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameVars<'a> {
    /// The frame's place among those that were sent, from 0.
    pub frame: usize,
    /// An object.
    #[serde(borrow)]
    pub vars: Json<'a>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mechanism<'a> {
    #[serde(
        borrow,
        rename = "type",
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handled: Option<bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentFrame<'a> {
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub function: Option<Text<'a>>,
    /// `abs_path`, else `filename`.
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub url: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub module: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_app: Option<bool>,
    #[serde(borrow, default, deserialize_with = "list", skip_serializing_if = "Vec::is_empty")]
    pub pre_context: Vec<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "optional", skip_serializing_if = "Option::is_none")]
    pub context_line: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "list", skip_serializing_if = "Vec::is_empty")]
    pub post_context: Vec<Text<'a>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}
