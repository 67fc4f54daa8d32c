//! Collects what an agent is told.

pub mod details;
pub mod logs;
pub mod replay;

use super::instructions::{self, Workplace};
use super::{Files, Origin, Pack, files, untrusted};
use crate::automations::Provider;
use crate::config::Addresses;
use crate::error::{Error, Result};
use crate::event::replay::window_key;
use crate::events::{self, Event};
use crate::ids::{IssueId, OrganizationId, ProjectId};
use crate::issues::activity::Comment;
use crate::issues::{self, Issue, SimilarIssue};
use crate::logs::correlation::window;
use crate::logs::search::{LogEntry, fact};
use crate::logs::store::LogStore;
use crate::projects;
use crate::releases::commits::service::Commits;
use crate::releases::service::Maps;
use crate::releases::{self, Release};
use crate::replays::service::ReplayService;
use crate::replays::sql::ReplayHints;
use crate::replays::steps::{Step, StepKind};
use crate::search::facts::value_of;
use crate::search::{Order, Scope};
use crate::store::{Connection, Main, Page};
use crate::time::Timestamp;
use std::sync::Arc;

/// The most similar issues, comments, and log entries of the trace.
const SIMILAR_MAX: usize = 20;
const COMMENTS_MAX: i64 = 20;
const LOGS_MAX: usize = 300;

/// The stores that the context is read from.
#[derive(Clone)]
pub struct ContextService {
    pub main: Main,
    pub maps: Arc<Maps>,
    pub logs: LogStore,
    pub replays: ReplayService,
    pub addresses: Addresses,
    pub commits: Commits,
}

/// The subject of a session.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// The person's prompt.
    pub prompt: String,
    pub place: Workplace,
    pub issue: Option<(ProjectId, IssueId)>,
    /// The kind and payload of the call. The payload came from outside.
    pub payload: Option<(String, String)>,
}

/// What is known about an issue.
pub struct KnownIssue {
    organization: OrganizationId,
    /// The project's name.
    pub project: String,
    pub issue: Issue,
    /// The newest event; `None` if retention has removed all.
    pub event: Option<Event>,
    /// Newest first.
    pub comments: Vec<Comment>,
    pub similar: Vec<SimilarIssue>,
    /// The releases in which it was first and last seen, and the one before the first.
    pub releases: [Option<Release>; 3],
}

impl ContextService {
    /// What an agent gets: the same for a session that starts and for a preview of it.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn pack(&self, subject: &Subject) -> Result<Pack> {
        let mut files = Files::default();
        if let Some((project, issue)) = subject.issue {
            self.add_issue(&mut files, project, issue).await?;
        }
        if let Some((kind, payload)) = &subject.payload
            && is_from_outside(kind)
        {
            files.untrusted("payload.json", Origin::Event, payload);
        }
        let files = files.into_files();
        let is_about_issue = subject.issue.is_some();
        let instructions = instructions::write(&subject.prompt, is_about_issue, &subject.place, &files);
        Ok(Pack { instructions, files })
    }

    /// What is known about an issue; `None` if the project has no issue with this id.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn known(&self, project: ProjectId, issue: IssueId) -> Result<Option<KnownIssue>> {
        let maps = self.maps.clone();
        self.main.read(move |c| known(c, maps, project, issue)).await
    }

    /// The address of an issue's page.
    pub fn page(&self, project: ProjectId, issue: IssueId) -> String {
        format!("{}/projects/{project}/issues/{issue}", self.addresses.frontend)
    }

    /// Adds the most important files first, because room is limited.
    async fn add_issue(&self, files: &mut Files, project: ProjectId, issue: IssueId) -> Result<()> {
        let Some(known) = self.known(project, issue).await? else { return Ok(()) };
        let address = self.page(project, issue);
        files.trusted("issue.md", Origin::Server, &files::issue(&known.issue, &known.project, &address));
        files.trusted("comments.md", Origin::Person, &files::comments(&known.comments));
        files.untrusted("comments.md", Origin::Event, &untrusted::comments(&known.comments));
        let [first, last, before] = &known.releases;
        files.untrusted(
            "release.md",
            Origin::Event,
            &untrusted::releases(first.as_ref(), last.as_ref(), before.as_ref()),
        );
        let of = (known.organization, project, issue);
        if let Some(commits) = self.commits.of_issue(of).await? {
            files.untrusted("commits.md", Origin::Repository, &untrusted::commits(&commits));
        }
        files.untrusted("issue.md", Origin::Event, &untrusted::issue(&known.issue, known.event.as_ref()));
        if let Some(event) = &known.event {
            files.untrusted("stack.md", Origin::Event, &untrusted::stack(event));
            files.untrusted("source.md", Origin::Event, &untrusted::source(event));
            files.untrusted("breadcrumbs.md", Origin::Event, &untrusted::breadcrumbs(&event.breadcrumbs));
            let steps = self.steps_of(project, event).await;
            files.untrusted("replay.md", Origin::Event, &replay::text(&steps));
            let entries = self.logs_of(project, event).await?;
            files.untrusted("logs.md", Origin::Event, &logs::text(&entries));
            files.untrusted("event.json", Origin::Event, &untrusted::event(event));
        }
        files.untrusted("similar.md", Origin::Event, &untrusted::similar(&known.similar));
        Ok(())
    }

    /// What the person did and saw in the replay before an event.
    pub async fn steps_of(&self, project: ProjectId, event: &Event) -> Vec<Step> {
        let window = event.session_id.as_deref().zip(event.window_id.as_deref());
        let wanted = ReplayHints {
            event_id: event.event_id.clone(),
            replay_id: event.replay_id.clone(),
            window_key: window.map(|(session, window)| window_key(session, window)),
            timestamp: event.timestamp.millis(),
        };
        let found = self.replays.steps_before(project, wanted, event.received_at.millis()).await;
        found.unwrap_or_else(|error| {
            tracing::warn!(?error, "the replay of an event could not be read for an agent");
            let text = match error {
                Error::Unavailable { cause: None, .. } => {
                    "Too many recordings are being read at once: this one was not. It can be asked for later."
                }
                _ => "The recording could not be read.",
            };
            let text = text.to_owned();
            vec![Step { at: event.timestamp, kind: StepKind::Recording, text }]
        })
    }

    /// The log entries of an event's trace; none if the search fails.
    async fn logs_of(&self, project: ProjectId, event: &Event) -> Result<Vec<LogEntry>> {
        let Some(trace) = event.trace_id.as_deref().filter(|trace| !trace.is_empty()) else {
            return Ok(Vec::new());
        };
        let (start, end) = window(event.timestamp);
        let scope = Scope { project, start, end, query: Some(fact("trace", &value_of(trace))) };
        let search = self.logs.index.search(move |view| view.page(&scope, Order::Oldest, 0, LOGS_MAX)).await;
        let Ok((ids, _)) = search else {
            tracing::warn!("the logs of a trace could not be searched for an agent");
            return Ok(Vec::new());
        };
        self.logs.found(project, ids, |id, entry, shared| LogEntry::new(id, entry, shared, None)).await
    }
}

/// Whether a call came to an inbound address. Mayday's own calls have no further payload to show.
fn is_from_outside(kind: &str) -> bool {
    let provider = kind.split('.').next().unwrap_or_default();
    Provider::parse(provider).is_some_and(Provider::is_inbound)
}

fn known(c: &Connection, maps: Arc<Maps>, project: ProjectId, id: IssueId) -> Result<Option<KnownIssue>> {
    let now = Timestamp::now();
    let Some(issue) = issues::sql::get(c, project, id, now)? else { return Ok(None) };
    let Some(of) = projects::sql::get(c, project)? else { return Ok(None) };
    let event = match events::sql::place(c, project, id, None)? {
        Some(newest) => events::service::view(c, maps, project, &newest.event_id)?,
        None => None,
    };
    let page = Page { limit: COMMENTS_MAX, offset: 0 };
    let comments = issues::activity::sql::comments(c, project, id, page)?;
    let release = |version: Option<&String>| match version {
        Some(version) => releases::sql::get(c, project, version),
        None => Ok(None),
    };
    let (first, last) = (release(issue.first_release.as_ref())?, release(issue.last_release.as_ref())?);
    let before = match &first {
        Some(first) => releases::sql::before(c, project, first.id)?,
        None => None,
    };
    Ok(Some(KnownIssue {
        organization: of.organization_id,
        project: of.name,
        event,
        comments: comments.map(|(comments, _)| comments).unwrap_or_default(),
        similar: issues::sql::similar(c, project, id, SIMILAR_MAX)?,
        releases: [first, last, before],
        issue,
    }))
}
