//! Describes a batch of log entries for the API document; `decode` decides what is accepted.

#![expect(dead_code, reason = "describes the body")]

use serde_json::value::RawValue;
use std::collections::HashMap;
use utoipa::ToSchema;

#[derive(ToSchema)]
pub struct LogBatch {
    /// A project key with the scope `ingest`. To be named within the first 16 KiB of a body: a larger one without it
    /// waits among those of unknown senders, and is refused (503) while they send too much.
    api_key: String,
    /// At most 64 characters. Default: the key's environment, else `production`.
    environment: Option<String>,
    /// At most 128 characters.
    release: Option<String>,
    /// At most 100.
    logs: Vec<SentLogEntry>,
}

#[derive(ToSchema)]
pub struct SentLogEntry {
    /// Seconds since the Unix epoch, with a fraction; ISO 8601 is accepted, too. Years 1970 to 9999.
    timestamp: f64,
    /// `trace`, `debug`, `info`, `warn`, `error` or `fatal`.
    level: String,
    message: String,
    /// The message's structure, with `{name}` in place of what varies. Made from the message if missing.
    template: Option<String>,
    /// Arbitrary keys and values.
    #[schema(value_type = Option<Object>)]
    attributes: Option<HashMap<String, Box<RawValue>>>,
    trace_id: Option<String>,
    span_id: Option<String>,
    user: Option<SentLogUser>,
    account: Option<SentLogAccount>,
    logger_name: Option<String>,
    file_path: Option<String>,
    line_number: Option<u32>,
    function_name: Option<String>,
}

#[derive(ToSchema)]
pub struct SentLogUser {
    id: Option<String>,
    email: Option<String>,
}

#[derive(ToSchema)]
pub struct SentLogAccount {
    id: Option<String>,
    name: Option<String>,
}
