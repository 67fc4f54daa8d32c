//! A log entry: checked, cut to its limits and scrubbed. This is what is stored (as postcard) and indexed.
//!
//! The stored form has no names: fields are only ever added at the end, under a new version of the store.

use crate::wire::json::optional;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// Severity, from the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
#[schema(as = LogLevel)]
pub enum Level {
    Trace,
    Debug,
    Info,
    Warn,
    Error,
    Fatal,
}

impl Level {
    pub const ALL: [Self; 6] = [Self::Trace, Self::Debug, Self::Info, Self::Warn, Self::Error, Self::Fatal];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Fatal => "fatal",
        }
    }

    /// Parses a level in any case; `warning` is accepted.
    pub fn parse(text: &str) -> Option<Self> {
        let text = if text.eq_ignore_ascii_case("warning") { "warn" } else { text };
        Self::ALL.into_iter().find(|level| level.as_str().eq_ignore_ascii_case(text))
    }
}

/// What all entries of a batch share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch<'a> {
    #[serde(borrow)]
    pub environment: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "optional")]
    pub release: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub entries: Vec<Entry<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<'a> {
    /// Microseconds since the epoch, of the years 1970 to 9999.
    pub timestamp: i64,
    pub level: Level,
    #[serde(borrow)]
    pub message: Cow<'a, str>,
    /// As sent, or made from the message.
    #[serde(borrow)]
    pub template: Cow<'a, str>,
    /// JSON text of an object; `None` if missing or empty.
    #[serde(borrow, deserialize_with = "optional")]
    pub attributes: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub trace_id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub span_id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub user_id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub user_email: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub account_id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub account_name: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub logger_name: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub file_path: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "optional")]
    pub function_name: Option<Cow<'a, str>>,
    /// From 1.
    pub line_number: Option<u32>,
}

#[cfg(test)]
pub(crate) mod tests;
