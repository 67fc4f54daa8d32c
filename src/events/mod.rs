//! Events as they are shown: what was accepted, with resolved frames, and for each unresolved frame the rule that
//! failed and the closest stored maps.

pub mod http;
mod mend;
pub mod service;
pub mod sql;

use crate::event::accepted::{Accepted, Exception, FrameVars, Kind, Level};
use crate::event::frame::{Frame, ResolvedFrame};
use crate::grouping;
use crate::ids::{EventRowId, IssueId, ProjectId};
use crate::releases::Rule;
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// An event in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EventSummary {
    pub event_id: String,
    pub id: EventRowId,
    pub project_id: ProjectId,
    pub issue_id: IssueId,
    pub timestamp: Timestamp,
    pub received_at: Timestamp,
    #[serde(rename = "type")]
    pub kind: Kind,
    pub level: Level,
    pub title: String,
    pub environment: String,
    pub release: Option<String>,
    pub url: Option<String>,
    pub user: Option<Person>,
    pub trace_id: Option<String>,
}

/// Which events of an issue to list: those with one of these values of a facet.
#[derive(Debug)]
pub struct FacetFilter {
    pub facet: String,
    pub values: Vec<String>,
    /// The times of the first and the last such event; the others are not read.
    pub first: Timestamp,
    pub last: Timestamp,
}

/// An event.
#[derive(Debug, Serialize, ToSchema)]
pub struct Event {
    pub event_id: String,
    pub id: EventRowId,
    pub project_id: ProjectId,
    pub issue_id: IssueId,
    #[serde(rename = "type")]
    pub kind: Kind,
    pub level: Level,
    pub timestamp: Timestamp,
    pub received_at: Timestamp,
    /// Whether the sent time was missing or unusable, so that `timestamp` is the receipt time.
    pub timestamp_replaced: bool,
    /// The time that was sent, if it was not used.
    pub sent_timestamp: Option<String>,
    pub environment: String,
    pub release: Option<String>,
    pub platform: Option<String>,
    pub message: Option<String>,
    pub url: Option<String>,
    pub user_agent: Option<String>,
    pub user: Option<Person>,
    pub account: Option<AccountView>,
    pub session_id: Option<String>,
    pub window_id: Option<String>,
    pub replay_id: Option<String>,
    pub trace_id: Option<String>,
    pub span_id: Option<String>,
    #[schema(value_type = BTreeMap<String, String>)]
    pub tags: serde_json::Value,
    #[schema(value_type = BTreeMap<String, serde_json::Value>)]
    pub extra: serde_json::Value,
    #[schema(value_type = BTreeMap<String, serde_json::Value>)]
    pub contexts: serde_json::Value,
    pub fingerprint: Vec<String>,
    pub breadcrumbs: Vec<Crumb>,
    pub sdk: Option<SdkView>,
    /// Paths of the fields that were cut to their limits.
    pub truncated: Vec<String>,
    /// Number of values that were removed as secrets.
    pub scrubbed: u32,
    pub exception: Option<ExceptionView>,
}

/// The `event_id`s around an event, in chronological order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Walk {
    /// The issue's oldest event.
    pub first: String,
    /// `null` at the oldest.
    pub older: Option<String>,
    /// `null` at the newest.
    pub newer: Option<String>,
    /// The issue's newest event.
    pub last: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Person {
    pub id: Option<String>,
    pub email: Option<String>,
    pub username: Option<String>,
    pub name: Option<String>,
    pub ip_address: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AccountView {
    pub id: Option<String>,
    pub name: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SdkView {
    pub name: Option<String>,
    pub version: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Crumb {
    pub timestamp: Option<Timestamp>,
    pub category: Option<String>,
    pub message: Option<String>,
    pub level: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Any JSON.
    pub data: serde_json::Value,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ExceptionView {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub message: Option<String>,
    /// The stack's text as sent.
    pub stack: Option<String>,
    pub mechanism: Option<MechanismView>,
    /// Throw first.
    pub frames: Vec<FrameView>,
    /// What led to it. Of an error that only wraps others: the first of these, and through it the others.
    #[schema(no_recursion)]
    pub cause: Option<Box<ExceptionView>>,
    /// What an error that only wraps others stands for, such as `AggregateError` or `ExceptionGroup`, each without causes;
    /// empty for any other.
    #[schema(no_recursion)]
    pub causes: Vec<ExceptionView>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MechanismView {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub handled: Option<bool>,
}

/// A frame; the first four fields are as sent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FrameView {
    pub function: Option<String>,
    pub url: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub in_app: bool,
    pub resolved: Option<ResolvedFrame>,
    /// `null` if the frame is resolved, or there is nothing to resolve.
    pub unresolved: Option<Unresolved>,
    /// The source lines that the client sent.
    pub pre_context: Vec<String>,
    pub context_line: Option<String>,
    pub post_context: Vec<String>,
    /// What its local variables held, if the client sent that.
    #[schema(value_type = Option<BTreeMap<String, serde_json::Value>>)]
    pub vars: Option<serde_json::Value>,
}

/// Why a frame is not resolved.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Unresolved {
    /// The rule that failed.
    pub rule: Rule,
    pub detail: String,
    /// What no source map was found under: a release, or a url; `null` for a position.
    pub looked_for: Option<String>,
    /// Source maps that the frame may have meant, the likeliest first.
    pub nearest: Vec<Nearest>,
    /// What to run in the pipeline; `null` if no command mends it.
    pub command: Option<String>,
}

/// A stored source map that does not match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Nearest {
    pub url: String,
    pub release: String,
    /// The release's: what follows it in the url is a path in the build.
    #[serde(skip)]
    pub url_prefix: String,
    /// What differs.
    pub why: String,
}

/// An event's row.
pub struct EventRow {
    pub id: EventRowId,
    pub project_id: ProjectId,
    pub issue_id: IssueId,
    pub title: String,
    /// The JSON of [`Accepted`].
    pub payload: Vec<u8>,
    /// The frames of the exception and each cause.
    pub frames: Vec<Vec<Frame>>,
}

impl EventRow {
    pub fn accepted(&self) -> crate::error::Result<Accepted<'_>> {
        serde_json::from_slice(&self.payload).map_err(crate::error::Error::internal)
    }

    pub fn summary(&self) -> crate::error::Result<EventSummary> {
        let event = self.accepted()?;
        Ok(EventSummary {
            event_id: event.event_id.into_owned(),
            id: self.id,
            project_id: self.project_id,
            issue_id: self.issue_id,
            timestamp: Timestamp::from_millis(event.timestamp),
            received_at: Timestamp::from_millis(event.received_at),
            kind: event.kind,
            level: event.level,
            title: self.title.clone(),
            environment: event.environment.into_owned(),
            release: event.release.map(Into::into),
            url: event.url.map(Into::into),
            user: event.user.map(person),
            trace_id: event.trace_id.map(Into::into),
        })
    }

    /// The event with `frames` converted to their displayed form.
    pub fn view(&self, frames: Vec<Vec<FrameView>>) -> crate::error::Result<Event> {
        let event = self.accepted()?;
        let mut frames = frames.into_iter();
        Ok(Event {
            event_id: event.event_id.into_owned(),
            id: self.id,
            project_id: self.project_id,
            issue_id: self.issue_id,
            kind: event.kind,
            level: event.level,
            timestamp: Timestamp::from_millis(event.timestamp),
            received_at: Timestamp::from_millis(event.received_at),
            timestamp_replaced: event.timestamp_replaced,
            sent_timestamp: event.sent_timestamp.map(Into::into),
            environment: event.environment.into_owned(),
            release: event.release.map(Into::into),
            platform: event.platform.map(Into::into),
            message: event.message.map(Into::into),
            url: event.url.map(Into::into),
            user_agent: event.user_agent.map(Into::into),
            user: event.user.map(person),
            account: event.account.map(|account| AccountView {
                id: account.id.map(Into::into),
                name: account.name.map(Into::into),
            }),
            session_id: event.session_id.map(Into::into),
            window_id: event.window_id.map(Into::into),
            replay_id: event.replay_id.map(Into::into),
            trace_id: event.trace_id.map(Into::into),
            span_id: event.span_id.map(Into::into),
            tags: object(&event.tags)?,
            extra: object(&event.extra)?,
            contexts: object(&event.contexts)?,
            fingerprint: event.fingerprint.into_iter().map(Into::into).collect(),
            breadcrumbs: event.breadcrumbs.into_iter().map(crumb).collect::<crate::error::Result<_>>()?,
            sdk: event
                .sdk
                .map(|sdk| SdkView { name: sdk.name.map(Into::into), version: sdk.version.map(Into::into) }),
            truncated: event.truncated,
            scrubbed: event.scrubbed,
            exception: event.exception.map(|exception| exception_view(exception, &mut frames, false)),
        })
    }
}

/// `is_member`: the exception is one of those that an aggregate contains, and the others are listed beside it.
fn exception_view(
    exception: Exception<'_>,
    frames: &mut impl Iterator<Item = Vec<FrameView>>,
    is_member: bool,
) -> ExceptionView {
    let is_aggregate =
        !is_member && grouping::is_aggregate(exception.kind.as_deref().unwrap_or_default().trim());
    let mut own = frames.next().unwrap_or_default();
    for FrameVars { frame, vars } in &exception.vars {
        if let Some(view) = own.get_mut(*frame) {
            view.vars = serde_json::to_value(vars).ok();
        }
    }
    let cause =
        exception.cause.map(|cause| Box::new(exception_view(*cause, frames, is_member || is_aggregate)));
    let causes = match (is_aggregate, &cause) {
        (true, Some(first)) => members(first),
        _ => Vec::new(),
    };
    ExceptionView {
        kind: exception.kind.map(Into::into),
        message: exception.message.map(Into::into),
        stack: exception.stack.map(Into::into),
        mechanism: exception.mechanism.map(|mechanism| MechanismView {
            kind: mechanism.kind.map(Into::into),
            handled: mechanism.handled,
        }),
        frames: own,
        cause,
        causes,
    }
}

/// The exceptions of a chain, each without its causes.
fn members(first: &ExceptionView) -> Vec<ExceptionView> {
    let chain = std::iter::successors(Some(first), |one| one.cause.as_deref());
    chain.map(ExceptionView::alone).collect()
}

impl ExceptionView {
    fn alone(&self) -> Self {
        let Self { kind, message, stack, mechanism, frames, .. } = self;
        Self {
            kind: kind.clone(),
            message: message.clone(),
            stack: stack.clone(),
            mechanism: mechanism.clone(),
            frames: frames.clone(),
            cause: None,
            causes: Vec::new(),
        }
    }
}

fn person(user: crate::event::accepted::User<'_>) -> Person {
    Person {
        id: user.id.map(Into::into),
        email: user.email.map(Into::into),
        username: user.username.map(Into::into),
        name: user.name.map(Into::into),
        ip_address: user.ip_address.map(Into::into),
    }
}

fn crumb(crumb: crate::event::accepted::Breadcrumb<'_>) -> crate::error::Result<Crumb> {
    Ok(Crumb {
        timestamp: crumb.timestamp.map(Timestamp::from_millis),
        category: crumb.category.map(Into::into),
        message: crumb.message.map(Into::into),
        level: crumb.level.map(Into::into),
        kind: crumb.kind.map(Into::into),
        data: serde_json::to_value(&crumb.data).map_err(crate::error::Error::internal)?,
    })
}

/// A free-form object; a missing one is read as empty.
fn object(value: &crate::wire::json::Json<'_>) -> crate::error::Result<serde_json::Value> {
    if value.is_empty() {
        return Ok(serde_json::json!({}));
    }
    serde_json::to_value(value).map_err(crate::error::Error::internal)
}
