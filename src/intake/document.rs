//! Describes request bodies for the API document. The decoder decides what is accepted: it takes the body
//! apart by hand, so that each refusal names its path.

use crate::event::accepted::{Kind, Level};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// An error event. Texts over their limits are cut and listed in the event's `truncated`.
#[derive(Serialize, ToSchema)]
pub struct ErrorEvent {
    /// A project key with the scope `ingest`. To be named within the first 16 KiB of a body: a larger one without it
    /// waits among those of unknown senders, and is refused (503) while they send too much.
    pub api_key: String,
    /// 1 to 128 characters, kept exactly as sent. Only the first event with an id is stored in a project.
    /// Default: generated.
    pub event_id: Option<String>,
    /// ISO 8601. If it is over an hour ahead or 30 days old, the receipt time is stored.
    pub timestamp: Option<String>,
    /// Default: `exception` if there is one, else `message`.
    pub r#type: Option<Kind>,
    /// Default: `error`, or `info` for a `message`.
    pub level: Option<Level>,
    pub exception: Option<ErrorException>,
    /// Up to 8,192 characters; required for `message`.
    pub message: Option<String>,
    /// Up to 128 characters; selects the source maps.
    pub release: Option<String>,
    /// Up to 64 characters. Default: the key's environment, else `production`.
    pub environment: Option<String>,
    pub url: Option<String>,
    pub user_agent: Option<String>,
    pub user: Option<BTreeMap<String, String>>,
    pub account: Option<BTreeMap<String, String>>,
    pub session_id: Option<String>,
    pub window_id: Option<String>,
    pub replay_id: Option<String>,
    pub trace_id: Option<String>,
    pub span_id: Option<String>,
    /// At most 100, keys and values up to 200 characters.
    pub tags: Option<BTreeMap<String, String>>,
    pub extra: Option<BTreeMap<String, serde_json::Value>>,
    pub contexts: Option<BTreeMap<String, serde_json::Value>>,
    /// Groups events by these parts; `{{ default }}` stands for the server's own grouping.
    pub fingerprint: Option<Vec<String>>,
    /// The newest 100 are kept, with up to 16 KiB of `data` each and 256 KiB in total.
    pub breadcrumbs: Option<Vec<BTreeMap<String, serde_json::Value>>>,
    pub platform: Option<String>,
    pub sdk: Option<BTreeMap<String, String>>,
}

/// What was thrown.
#[derive(Serialize, ToSchema)]
pub struct ErrorException {
    pub r#type: Option<String>,
    pub message: Option<String>,
    /// The stack's text as the engine produced it.
    pub stack: Option<String>,
    /// Instead of, or in addition to, `stack`; throw first. At most 250.
    pub frames: Option<Vec<ErrorFrame>>,
    pub mechanism: Option<ErrorMechanism>,
    /// The exception that caused it, to depth 10.
    #[schema(no_recursion)]
    pub cause: Option<Box<ErrorException>>,
}

#[derive(Serialize, ToSchema)]
pub struct ErrorMechanism {
    pub r#type: Option<String>,
    pub handled: Option<bool>,
}

#[derive(Serialize, ToSchema)]
pub struct ErrorFrame {
    pub function: Option<String>,
    pub filename: Option<String>,
    pub abs_path: Option<String>,
    pub module: Option<String>,
    /// 1-based.
    pub lineno: Option<u32>,
    /// 1-based.
    pub colno: Option<u32>,
    pub in_app: Option<bool>,
    pub pre_context: Option<Vec<String>>,
    pub context_line: Option<String>,
    pub post_context: Option<Vec<String>>,
    /// What its local variables held: up to 16 KiB, and 128 KiB of all frames, the root cause's first. Secrets are
    /// removed.
    pub vars: Option<BTreeMap<String, serde_json::Value>>,
}
