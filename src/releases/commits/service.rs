//! Asks the code host for the commits of a release, once for each pair of commits.

use super::{BuiltFrom, FILES_MAX, MissingReason, SuspectCommits, changed_files, chosen};
use crate::cache::{Cache, Size, bounded};
use crate::connections::AskError;
use crate::connections::github::{Comparison, Github};
use crate::connections::service::{Connector, ServiceClient};
use crate::connections::sql as connections;
use crate::error::Result;
use crate::events::{self, Event, ExceptionView};
use crate::ids::{IssueId, OrganizationId, ProjectId};
use crate::issues;
use crate::releases::service::Maps;
use crate::releases::sql::{self, commit_of, suspect_of, with_commit_before};
use crate::repositories;
use crate::store::Connection;
use crate::time::Timestamp;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most repositories of a project to query.
const REPOSITORIES_MAX: usize = 3;
/// The size of the cache, in bytes and answers.
const KEPT_BYTES: u64 = 4 << 20;
const KEPT: u64 = 1_000;
/// How long a failure is cached.
const PAUSE: Duration = Duration::from_mins(1);
/// Frames of an event that are looked at.
const FRAMES_MAX: usize = 50;

/// Commits between two others never change; whether the host answers does.
#[derive(Clone)]
struct CachedAnswer {
    answer: SuspectCommits,
    /// `None` if it is valid forever.
    until: Option<Instant>,
}

impl Size for CachedAnswer {
    fn bytes(&self) -> u64 {
        let texts = |one: &super::SuspectCommit| {
            one.commit.title.len()
                + one.commit.author.len()
                + one.commit.id.len()
                + one.files.iter().map(String::len).sum::<usize>()
                + 400
        };
        self.answer.commits.iter().map(texts).sum::<usize>() as u64 + 400
    }
}

/// The key of a cached answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Question {
    project: ProjectId,
    release: (String, String),
    before: (String, String),
    repositories: Vec<String>,
    sources: Vec<String>,
}

/// A repository to query.
struct AskedRepository {
    name: String,
    connection: connections::StoredConnection,
}

enum CommitLookup {
    Nothing(SuspectCommits),
    Ask(Box<Question>, Vec<AskedRepository>),
}

/// Finds suspect commits. Cheap to clone.
#[derive(Clone)]
pub struct Commits {
    connector: Arc<Connector>,
    maps: Arc<Maps>,
    kept: Arc<Cache<Question, CachedAnswer>>,
}

impl Commits {
    pub fn new(connector: &Arc<Connector>, maps: &Arc<Maps>) -> Self {
        let kept = Arc::new(bounded(KEPT_BYTES, KEPT));
        Self { connector: connector.clone(), maps: maps.clone(), kept }
    }

    /// The commits of an issue's suspect release; `None` if the issue does not exist.
    ///
    /// # Errors
    /// Storage trouble. A failure of the host is part of the answer.
    pub async fn of_issue(
        &self,
        (organization, project, issue): (OrganizationId, ProjectId, IssueId),
    ) -> Result<Option<SuspectCommits>> {
        let maps = self.maps.clone();
        let read = move |c: &Connection| look(c, maps, (organization, project, issue));
        let (question, places) = match self.connector.main.read(read).await? {
            None => return Ok(None),
            Some(CommitLookup::Nothing(answer)) => return Ok(Some(answer)),
            Some(CommitLookup::Ask(question, places)) => (*question, places),
        };
        let known = self.kept.get(&question);
        if let Some(known) = known.filter(|known| known.until.is_none_or(|until| until > Instant::now())) {
            return Ok(Some(known.answer));
        }
        let answer = self.ask(&question, &places).await;
        let until = answer.missing.is_some().then(|| Instant::now() + PAUSE);
        self.kept.insert(question, CachedAnswer { answer: answer.clone(), until });
        Ok(Some(answer))
    }

    async fn ask(&self, question: &Question, places: &[AskedRepository]) -> SuspectCommits {
        let mut answer = SuspectCommits::without(MissingReason::NotFound, None);
        for place in places {
            match self.ask_one(question, place).await {
                Ok(found) => return found,
                // Another repository of the project may have the commits.
                Err(AskError::Missing(_)) => {}
                Err(error) => {
                    answer = SuspectCommits::without(MissingReason::Unavailable, Some(error.text()))
                }
            }
        }
        with_releases(answer, question)
    }

    async fn ask_one(
        &self,
        question: &Question,
        place: &AskedRepository,
    ) -> Result<SuspectCommits, AskError> {
        let ServiceClient::Github(github, installation) = self.connector.open(&place.connection)? else {
            return Err(AskError::Missing(String::new()));
        };
        let (base, head) = (question.before.1.as_str(), question.release.1.as_str());
        let compared = github.compare(&installation, &place.name, (base, head)).await?;
        let touched = touched(&github, &installation, (place, question), &compared).await?;
        let total = compared.total;
        let repository = Some(place.name.clone());
        let commits = chosen(compared, &touched);
        Ok(with_releases(
            SuspectCommits { commits, total, repository, ..SuspectCommits::default() },
            question,
        ))
    }
}

/// The files of the stack that differ, each with the commits that changed it.
async fn touched(
    github: &Github,
    installation: &str,
    (place, question): (&AskedRepository, &Question),
    compared: &Comparison,
) -> Result<Vec<(String, HashSet<String>)>, AskError> {
    let mut touched = Vec::new();
    for file in changed_files(&question.sources, &compared.files).into_iter().take(FILES_MAX) {
        let of_file = (question.release.1.as_str(), file.as_str());
        let commits = github.commits_of_file(installation, &place.name, of_file).await?;
        touched.push((file, commits));
    }
    Ok(touched)
}

fn with_releases(answer: SuspectCommits, question: &Question) -> SuspectCommits {
    let of = |(version, commit): &(String, String)| {
        Some(BuiltFrom { version: version.clone(), commit: commit.clone() })
    };
    SuspectCommits { release: of(&question.release), before: of(&question.before), ..answer }
}

/// What the database has; `None` if the issue does not exist.
fn look(
    c: &Connection,
    maps: Arc<Maps>,
    (organization, project, issue): (OrganizationId, ProjectId, IssueId),
) -> Result<Option<CommitLookup>> {
    if issues::sql::get(c, project, issue, Timestamp::now())?.is_none() {
        return Ok(None);
    }
    let nothing = |missing| Ok(Some(CommitLookup::Nothing(SuspectCommits::without(missing, None))));
    let Some(suspect) = suspect_of(c, project, issue)? else { return nothing(MissingReason::NoSuspect) };
    let places = places(c, organization, project)?;
    if places.is_empty() {
        return nothing(MissingReason::NoRepository);
    }
    let Some(release) = sql::get(c, project, &suspect.version)? else {
        return nothing(MissingReason::NoCommit);
    };
    let Some(head) = commit_of(&release) else { return nothing(MissingReason::NoCommit) };
    let Some(before) = with_commit_before(c, project, release.id, head)? else {
        return nothing(MissingReason::NoCommit);
    };
    let Some(base) = commit_of(&before) else { return nothing(MissingReason::NoCommit) };
    let event = match events::sql::place(c, project, issue, None)? {
        Some(newest) => events::service::view(c, maps, project, &newest.event_id)?,
        None => None,
    };
    let question = Question {
        project,
        release: (release.version.clone(), head.to_owned()),
        before: (before.version.clone(), base.to_owned()),
        repositories: places.iter().map(|place| place.name.clone()).collect(),
        sources: event.map(|event| sources(&event)).unwrap_or_default(),
    };
    Ok(Some(CommitLookup::Ask(Box::new(question), places)))
}

/// The files of an event's own frames, those of the root cause first.
fn sources(event: &Event) -> Vec<String> {
    let mut chain: Vec<&ExceptionView> = Vec::new();
    let mut next = event.exception.as_ref();
    while let Some(exception) = next {
        chain.push(exception);
        next = exception.cause.as_deref();
    }
    let frames = chain.into_iter().rev().flat_map(|exception| &exception.frames);
    let files =
        frames.filter(|frame| frame.in_app).take(FRAMES_MAX).filter_map(|frame| match &frame.resolved {
            Some(found) => Some(&found.file),
            None => frame.url.as_ref(),
        });
    let mut sources: Vec<String> = Vec::new();
    for file in files {
        if !sources.contains(file) {
            sources.push(file.clone());
        }
    }
    sources
}

/// The repositories of a project that a connected code host has.
fn places(c: &Connection, organization: OrganizationId, project: ProjectId) -> Result<Vec<AskedRepository>> {
    let mut places = Vec::new();
    for id in repositories::sql::of_project(c, project)? {
        let Some(repository) = repositories::sql::get(c, organization, id)? else { continue };
        let Some(connection) = repository.integration_id else { continue };
        let Some(connection) = connections::get(c, organization, connection)? else { continue };
        places.push(AskedRepository { name: repository.host_repo_name, connection });
    }
    places.truncate(REPOSITORIES_MAX);
    Ok(places)
}
