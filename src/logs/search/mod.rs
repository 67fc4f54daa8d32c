//! Which entries a request selects, and the displayed form of an entry.

pub mod hints;

use super::store::Shared;
use crate::error::{Error, Result};
use crate::event::log_entry::{Entry, Level};
use crate::ids::ProjectId;
use crate::search::facts::asked_value;
use crate::search::query::{self, Node};
use crate::search::{EntryId, Scope};
use crate::text::shown;
use crate::time::{DAY, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

/// The most entries of a page.
pub const PAGE_MAX: u64 = 1_000;
/// The most entries that a page may skip; to go further back, use `end_time`.
pub const OFFSET_MAX: u64 = 100_000;
/// The longest trace id, in characters.
const TRACE_MAX: usize = 200;
/// The longest name of an environment, in bytes.
const ENVIRONMENT_MAX: usize = 200;

/// The filters of entries.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Filters {
    /// Levels, comma-separated: `trace`, `debug`, `info`, `warn`, `error`, `fatal`.
    pub levels: Option<String>,
    /// Words of the message (all of them), `"a phrase"`, `prefix*`, `-not`, `a OR b`, and fields:
    /// `level:error`, `logger:db`, `user:42`, `attributes.order_id:1234`, `trace:…`. At most 2,000 characters.
    pub search: Option<String>,
    /// Entries of this environment.
    pub environment: Option<String>,
    pub trace_id: Option<String>,
    /// ISO 8601; entries at or after.
    #[param(value_type = Option<Timestamp>, inline)]
    pub start_time: Option<String>,
    /// ISO 8601; entries at or before.
    #[param(value_type = Option<Timestamp>, inline)]
    pub end_time: Option<String>,
}

impl Filters {
    /// The selected entries; of all times if no time is given.
    ///
    /// # Errors
    /// 422 naming the filter.
    pub fn scope(&self, project: ProjectId) -> Result<Scope> {
        let [start, end] = self.times()?;
        let (start, end) =
            (start.unwrap_or(Timestamp::from_millis(0)), end.unwrap_or(Timestamp::from_millis(i64::MAX)));
        Ok(Scope { project, start, end, query: self.query()? })
    }

    /// The same; of the last day if no time is given.
    ///
    /// # Errors
    /// As [`Filters::scope`].
    pub fn recent(&self, project: ProjectId, now: Timestamp) -> Result<Scope> {
        let [start, end] = self.times()?;
        let end = end.unwrap_or_else(|| start.map_or(now, |start| start.plus(DAY).max(now)));
        let start = start.unwrap_or_else(|| end.plus(-DAY));
        Ok(Scope { project, start, end, query: self.query()? })
    }

    fn times(&self) -> Result<[Option<Timestamp>; 2]> {
        let start = time("start_time", self.start_time.as_deref())?;
        let end = time("end_time", self.end_time.as_deref())?;
        if let (Some(start), Some(end)) = (start, end)
            && end < start
        {
            return Err(Error::invalid(format!(
                "end_time: expected a time at or after start_time ({start}), got {end}"
            )));
        }
        Ok([start, end])
    }

    /// The conditions other than time; `None`: everything.
    pub fn query(&self) -> Result<Option<Node>> {
        let mut all = Vec::new();
        let levels = self.levels.as_deref().unwrap_or_default();
        let mut any = Vec::new();
        for name in levels.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let level = Level::parse(name).ok_or_else(|| {
                let known = Level::ALL.map(Level::as_str).join(", ");
                Error::invalid(format!("levels: expected some of {known}, got `{}`", shown(name, 64)))
            })?;
            any.push(fact("level", level.as_str()));
        }
        if !any.is_empty() && any.len() < Level::ALL.len() {
            all.push(Node::Any(any));
        }
        if let Some(trace) = self.trace_id.as_deref().filter(|id| !id.is_empty()) {
            if trace.len() > TRACE_MAX {
                return Err(Error::invalid(format!(
                    "trace_id: expected at most {TRACE_MAX} bytes, got {}",
                    trace.len()
                )));
            }
            all.push(fact("trace", &asked_value("trace", trace)));
        }
        if let Some(environment) = self.environment.as_deref().filter(|name| !name.is_empty()) {
            if environment.len() > ENVIRONMENT_MAX {
                return Err(Error::invalid(format!(
                    "environment: expected at most {ENVIRONMENT_MAX} bytes, got {}",
                    environment.len()
                )));
            }
            all.push(fact("environment", &asked_value("environment", environment)));
        }
        all.extend(query::parse(self.search.as_deref().unwrap_or_default())?);
        Ok(match all.len() {
            0 => None,
            1 => all.pop(),
            _ => Some(Node::All(all)),
        })
    }
}

/// An exact filter.
pub fn fact(field: &str, value: &str) -> Node {
    Node::Fact { field: field.to_owned(), value: value.to_owned(), open: false }
}

fn time(name: &str, given: Option<&str>) -> Result<Option<Timestamp>> {
    let Some(given) = given.filter(|given| !given.is_empty()) else { return Ok(None) };
    Timestamp::parse(given).map(Some).ok_or_else(|| {
        Error::invalid(format!(
            "{name}: expected an ISO 8601 time such as 2026-11-21T10:00:00Z, got `{}`",
            shown(given, 64)
        ))
    })
}

/// A log entry.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LogEntry {
    /// Identifies the entry within the instance.
    pub id: i64,
    pub timestamp: Timestamp,
    /// By the server's clock; `timestamp` is by the sender's.
    pub received_at: Timestamp,
    pub level: Level,
    pub message: String,
    /// The message's structure, with `{name}` in place of what varies.
    pub template: String,
    /// Used as `template:<id>` in a search.
    pub template_id: String,
    #[schema(value_type = Object)]
    pub attributes: Box<RawValue>,
    pub trace_id: Option<String>,
    pub span_id: Option<String>,
    pub user_id: Option<String>,
    pub user_email: Option<String>,
    pub account_id: Option<String>,
    pub account_name: Option<String>,
    pub logger_name: Option<String>,
    pub file_path: Option<String>,
    pub line_number: Option<u32>,
    pub function_name: Option<String>,
    pub environment: String,
    pub release: Option<String>,
    /// The parts of the message that match the search: start and end (exclusive), in UTF-16 code units.
    pub highlights: Vec<[u32; 2]>,
}

impl LogEntry {
    pub fn new(id: EntryId, entry: Entry<'_>, shared: Shared<'_>, query: Option<&Node>) -> Self {
        let text = |text: Option<std::borrow::Cow<'_, str>>| text.map(std::borrow::Cow::into_owned);
        let attributes = entry.attributes.as_deref().unwrap_or("{}").to_owned();
        Self {
            id: id.0,
            timestamp: Timestamp::from_micros(entry.timestamp),
            received_at: shared.received_at,
            level: entry.level,
            highlights: query.map(|query| highlights(query, &entry.message)).unwrap_or_default(),
            template_id: crate::search::facts::template_id(&entry.template),
            message: entry.message.into_owned(),
            template: entry.template.into_owned(),
            // It was serialized from a tree.
            attributes: RawValue::from_string(attributes).unwrap_or_default(),
            trace_id: text(entry.trace_id),
            span_id: text(entry.span_id),
            user_id: text(entry.user_id),
            user_email: text(entry.user_email),
            account_id: text(entry.account_id),
            account_name: text(entry.account_name),
            logger_name: text(entry.logger_name),
            file_path: text(entry.file_path),
            line_number: entry.line_number,
            function_name: text(entry.function_name),
            environment: shared.environment.to_owned(),
            release: shared.release.map(str::to_owned),
        }
    }
}

impl LogEntry {
    /// About how many bytes it takes in an answer.
    pub fn size(&self) -> usize {
        512 + self.message.len() + self.template.len() + self.attributes.get().len()
    }
}

/// The parts that match a search, counted the way browsers count characters.
fn highlights(query: &Node, message: &str) -> Vec<[u32; 2]> {
    let (mut at, mut units) = (0, 0_u32);
    let mut unit_of = |byte: usize| {
        units += message.get(at..byte).map_or(0, |text| text.encode_utf16().count() as u32);
        at = byte;
        units
    };
    let hits = query::highlights(query, message);
    hits.into_iter().map(|hit| [unit_of(hit.start), unit_of(hit.end)]).collect()
}

#[cfg(test)]
mod tests;
