//! What a runner gets for a session, and a preview of it.

use super::runs::Caller;
use super::unknown;
use crate::automations::sql::events;
use crate::context::Pack;
use crate::context::instructions::Workplace;
use crate::context::service::{ContextService, Subject};
use crate::error::Result;
use crate::gateway::client::Fault;
use crate::gateway::service::GatewayService;
use crate::ids::{IssueId, OrganizationId, RepositoryId};
use crate::notifications::sql::facts;
use crate::repositories::{self, Repository};
use crate::runners::protocol::{Job, JobRepository, PersonsMessage, Spent};
use crate::sessions::Session;
use crate::sessions::sql::leases::{self, RunnerSession, SessionLease};
use crate::sessions::sql::messages;
use crate::sessions::sql::{self, NewSession};
use crate::store::{Connection, Transaction};
use crate::time::Timestamp;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// Replaces a session's id in the preview of a branch.
const NO_ID: &str = "xxxxxxxx";

/// Makes the job of a session that was just claimed.
#[derive(Clone)]
pub struct JobMaker {
    pub context: ContextService,
    pub lease: Duration,
    /// `None` if agents use their machines' own model configuration.
    pub gateway: Option<GatewayService>,
}

/// Why a session that was claimed cannot begin now; for people.
#[derive(Debug)]
pub struct Setback(pub String);

/// What an agent would get.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AgentPreview)]
pub struct Preview {
    pub title: String,
    pub repository: Option<JobRepository>,
    /// Those among which the agent may choose, if there is none.
    pub repositories: Vec<JobRepository>,
    /// With `xxxxxxxx` for the first digits of the session's id.
    pub branch: String,
    pub base_branch: Option<String>,
    pub agent_type: String,
    pub model_id: Option<String>,
    pub time_limit_minutes: i64,
    pub labels: Vec<String>,
    /// Why a call would start no session now, such as `cooldown`.
    pub skip: Option<String>,
    pub pack: Pack,
}

/// Where a session works.
struct SessionCheckout {
    repository: Option<Repository>,
    choice: Vec<Repository>,
    branch: String,
    base_branch: Option<String>,
}

impl SessionCheckout {
    fn workplace(&self) -> Workplace {
        Workplace {
            branch: self.branch.clone(),
            base_branch: self.base_branch.clone(),
            repository: self.repository.as_ref().map(|repository| repository.host_repo_name.clone()),
            choice: self.choice.iter().map(|repository| repository.host_repo_name.clone()).collect(),
        }
    }
}

impl JobMaker {
    /// `wants_key`: whether the agents use models through the gateway.
    ///
    /// # Errors
    /// Storage trouble; not found if the session was deleted in the meantime.
    pub async fn make(
        &self,
        caller: &Caller,
        held: &SessionLease,
        wants_key: bool,
    ) -> Result<std::result::Result<Job, Setback>> {
        let mut job = self.job(caller, held).await?;
        if let Some(gateway) = self.gateway.as_ref().filter(|_| wants_key && job.release.is_none()) {
            // Half of its lease, because the runner cannot renew it meanwhile.
            match gateway.mint(held, self.lease / 2).await? {
                Ok(access) => job.gateway = Some(access),
                Err(Fault(why)) => return Ok(Err(Setback(why))),
            }
        }
        Ok(Ok(job))
    }

    async fn job(&self, caller: &Caller, held: &SessionLease) -> Result<Job> {
        let (organization, id) = (caller.organization, held.id);
        let write = self.context.main.write(move |tx| {
            let asked = leases::ask(tx, organization, id)?.ok_or_else(unknown)?;
            let session = &asked.session;
            let branch = match &session.branch_name {
                Some(branch) => branch.clone(),
                None => branch_of(tx, session.issue_id, &id.to_string()[..8])?,
            };
            let mut place = place(tx, organization, (session.repo_id, asked.agentic_repo), branch)?;
            place.base_branch = branch_of_parent(tx, organization, session)?.or(place.base_branch);
            leases::set_branches(tx, id, &place.branch, place.base_branch.as_deref())?;
            place.base_branch = asked.base_branch.clone().or(place.base_branch);
            let (prompt, said) = said(tx, &asked, Timestamp::now())?;
            Ok((asked.session, place, (prompt, said), events::of_session(tx, id)?))
        });
        let (session, place, (prompt, messages), payload) = write.await?;
        let subject = Subject { prompt, place: place.workplace(), issue: session.issue(), payload };
        let Pack { instructions, files } = self.context.pack(&subject).await?;
        Ok(Job {
            session_id: session.id,
            lease: held.lease.clone(),
            lease_seconds: self.lease.as_secs(),
            attempt: session.attempts,
            title: session.title,
            session_type: session.session_type,
            agent_type: session.agent_type,
            model_id: session.model_id,
            prompt: instructions,
            time_limit_seconds: session.time_limit_minutes * 60,
            repository: place.repository.map(of_job),
            repositories: place.choice.into_iter().map(of_job).collect(),
            is_public: session.is_public,
            mode: session.mode,
            release: session.held_commit.clone().filter(|_| session.is_releasing),
            // Another runner has nothing to continue from.
            resume: session.held_commit.filter(|_| session.is_resuming),
            caps: session.caps,
            spent: Spent { cost_usd: session.cost_usd, tokens: session.tokens },
            branch: place.branch,
            base_branch: place.base_branch,
            context: files,
            gateway: None,
            messages,
        })
    }

    /// What an agent would get for a session that is not started.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn preview(
        &self,
        new: NewSession,
        payload: Option<(String, String)>,
        skip: Option<String>,
    ) -> Result<Preview> {
        let asked = new.clone();
        let read = self.context.main.read(move |c| {
            let branch = branch_of(c, asked.issue, NO_ID)?;
            place(c, asked.organization, (asked.repository, asked.agentic_repo), branch)
        });
        let place = read.await?;
        let subject = Subject {
            prompt: new.prompt,
            place: place.workplace(),
            issue: new.project.zip(new.issue),
            payload,
        };
        Ok(Preview {
            title: new.title,
            pack: self.context.pack(&subject).await?,
            repository: place.repository.map(of_job),
            repositories: place.choice.into_iter().map(of_job).collect(),
            branch: place.branch,
            base_branch: place.base_branch,
            agent_type: new.agent_type,
            model_id: new.model_id,
            time_limit_minutes: new.time_limit_minutes,
            labels: new.labels,
            skip,
        })
    }
}

fn place(
    c: &Connection,
    organization: OrganizationId,
    (repository, may_choose): (Option<RepositoryId>, bool),
    branch: String,
) -> Result<SessionCheckout> {
    let repository = match repository {
        Some(id) => repositories::sql::get(c, organization, id)?,
        None => None,
    };
    let choice = match &repository {
        None if may_choose => repositories::sql::list(c, organization)?,
        _ => Vec::new(),
    };
    let base_branch = repository.as_ref().map(|repository| repository.default_branch.clone());
    Ok(SessionCheckout { repository, choice, branch, base_branch })
}

/// The branch pushed by the parent session, in the same repository.
fn branch_of_parent(
    c: &Connection,
    organization: OrganizationId,
    session: &Session,
) -> Result<Option<String>> {
    let Some(parent) = session.parent_session_id else { return Ok(None) };
    let parent = sql::get(c, organization, parent)?.filter(|parent| {
        parent.head_commit.is_some() && parent.repo_id.is_some() && parent.repo_id == session.repo_id
    });
    Ok(parent.and_then(|parent| parent.branch_name))
}

/// What the agent of a claimed session is asked, and the first of people's messages for it: its runner gets the others
/// as it renews its lease.
fn said(
    tx: &Transaction<'_>,
    asked: &RunnerSession,
    now: Timestamp,
) -> Result<(String, Vec<PersonsMessage>)> {
    let (id, prompt) = (asked.session.id, &asked.prompt);
    let goes_on = asked.session.is_resuming && asked.session.held_commit.is_some();
    let (prompt, said) = if goes_on {
        let (had, is_cut) = messages::had(tx, id, prompt)?;
        (with_had(prompt, &had, is_cut), messages::undelivered(tx, id)?)
    } else {
        (prompt.clone(), messages::said_before(tx, id, prompt)?)
    };
    if let Some(last) = said.last() {
        messages::deliver(tx, id, last.id, now)?;
        // Its agent begins anew; one that only pushes what was kept has none.
        if !goes_on && !asked.session.is_releasing {
            messages::deliver_again(tx, id, last.id)?;
        }
    }
    Ok((prompt, said))
}

/// The prompt of a continued session, with people's messages that an agent has already had.
fn with_had(prompt: &str, had: &[String], is_cut: bool) -> String {
    let left_out = if is_cut { " (only the newest is here, because it is too long)" } else { "" };
    match had.is_empty() {
        true => prompt.to_owned(),
        false => format!("{prompt}\n\nThen people have said{left_out}:\n\n{}", had.join("\n\n")),
    }
}

/// `mayday/web-42-1a2b3c4d`: after the issue, or after the session.
fn branch_of(c: &Connection, issue: Option<IssueId>, id: &str) -> Result<String> {
    let about = match issue {
        Some(issue) => facts::issue(c, issue)?.map(|issue| issue.short_id.to_lowercase()),
        None => None,
    };
    Ok(format!("mayday/{}-{id}", about.unwrap_or_else(|| "session".to_owned())))
}

fn of_job(repository: Repository) -> JobRepository {
    JobRepository {
        id: repository.id,
        name: repository.host_repo_name,
        url: repository.host_url,
        default_branch: repository.default_branch,
        is_private: repository.is_private,
        allowed_hosts: repository.allowed_hosts,
        allowed_files: repository.allowed_files,
        setup_command: repository.setup_command,
        test_command: repository.test_command,
        test_report: repository.test_report,
    }
}
