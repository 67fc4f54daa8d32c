//! The messages between runners and the server: JSON in snake_case, under `/api/runners/self`.

use super::AGENTS_MAX;
use crate::automations::{AGENT_MAX, check_word};
use crate::context::File;
use crate::error::{Error, Result};
use crate::ids::{RepositoryId, SessionId};
use crate::sessions::caps::Caps;
use crate::sessions::{
    EntryKind, Figures, FileChanged, HeldChange, MessageRole, Mode, OutputStream, Phase, SessionType, Wanted,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The longest that a call waits for work, in seconds.
pub const WAIT_MAX: u64 = 50;
/// Sessions of a runner at once.
pub const CAPACITY_MAX: i64 = 100;
/// Caps that a runner may be unable to keep.
const COUNTED: [&str; 2] = ["tokens", COST];
pub const COST: &str = "cost_usd";
/// Entries in one call with output.
pub const ENTRIES_MAX: usize = 1_000;
/// Bytes of a body.
pub const BODY_MAX: usize = 2 << 20;
/// Files that a session reports as changed.
pub const FILES_MAX: usize = 2_000;

/// A runner asks for work.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClaimRequest {
    /// Of its `mayday`, and its platform, such as `linux/x86_64`: 64 characters of each are kept.
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub platform: String,
    /// Replaces the labels that it was created with; none leaves them.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Sessions that it takes at once, 1 to 100. Default: 1.
    pub capacity: Option<i64>,
    /// Sessions that it has.
    #[serde(default)]
    pub running: i64,
    /// The agents that it has, at most 100: it is given no sessions of others. None: any.
    #[serde(default)]
    pub agents: Vec<String>,
    /// How long to wait for work, 0 to 50. Default: 0.
    #[serde(default)]
    pub wait_seconds: u64,
    /// Its agents ask their models with credentials of their own: it gets no keys of the model gateway. Default: false.
    #[serde(default)]
    pub own_models: bool,
    /// It cannot shut its agents in: it is given no session whose cause anybody may have written. Default: false.
    #[serde(default)]
    pub refuses_public: bool,
    /// The caps that it cannot keep, `tokens` and `cost_usd`: it is given no session that has one, but for one on cost that
    /// the model gateway keeps. None: it keeps all.
    #[serde(default)]
    pub uncounted: Vec<String>,
}

/// A repository's mirror on a runner.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Mirror {
    pub repository_id: RepositoryId,
    /// Of the default branch.
    pub commit: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ClaimAnswer {
    pub job: Job,
}

/// A session for a runner.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RunnerJob)]
pub struct Job {
    pub session_id: SessionId,
    /// Shown with each call about the session.
    pub lease: String,
    /// How long the runner may be silent.
    pub lease_seconds: u64,
    /// 1 the first time that a runner has it.
    pub attempt: i64,
    pub title: String,
    pub session_type: SessionType,
    pub agent_type: String,
    pub model_id: Option<String>,
    /// The instructions, as one text.
    pub prompt: String,
    pub time_limit_seconds: i64,
    pub repository: Option<JobRepository>,
    /// Those among which the agent may choose, if there is none.
    pub repositories: Vec<JobRepository>,
    /// Whether anybody may have written what its agent reads: its cause came through a public key, or a key or a token started it
    /// about an issue.
    pub is_public: bool,
    /// `read`: nothing is pushed, and what the agent would change is reported as a patch.
    pub mode: Mode,
    /// The commit that this runner holds back, which a person has released: it is pushed, and no agent works.
    pub release: Option<String>,
    /// The commit that this runner kept when the session reached a cap, or its time limit: the agent goes on from it.
    pub resume: Option<String>,
    /// What the session may use at most,
    pub caps: Caps,
    /// and what it has used.
    pub spent: Spent,
    /// The branch to create,
    pub branch: String,
    /// and the one that it begins at.
    pub base_branch: Option<String>,
    /// Files about the issue, or about what called.
    pub context: Vec<File>,
    /// Where the agent asks its model; `null`: as the machine is configured.
    pub gateway: Option<GatewayAccess>,
    /// What people have said since the session was created.
    pub messages: Vec<PersonsMessage>,
}

/// What a session has used before.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Spent {
    pub cost_usd: f64,
    pub tokens: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct JobRepository {
    pub id: RepositoryId,
    /// Such as `acme/shop`.
    pub name: String,
    /// What git clones from.
    pub url: String,
    pub default_branch: String,
    pub is_private: bool,
    /// Hosts that agents in a room may reach by https.
    pub allowed_hosts: Vec<String>,
    /// Manifests and lock files, by name or path, that agents may change without a person having looked.
    pub allowed_files: Vec<String>,
    /// Shell commands that make a checkout ready, and that test it.
    pub setup_command: Option<String>,
    pub test_command: Option<String>,
    /// Where the results of that are, as JUnit XML: a path or pattern within the repository.
    pub test_report: Option<String>,
}

/// A key of the model gateway for one session.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GatewayAccess {
    pub base_url: String,
    pub api_key: String,
}

/// Something that a person said to the agent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PersonsMessage {
    pub id: i64,
    pub content: String,
    /// Whether it may allow what the agent asks for: a key or a token wrote all others, and an agent may have one.
    pub may_allow: bool,
}

/// A runner is still there.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct RenewRequest {
    pub lease: String,
    /// The highest id of a message that the runner has: those up to it are not sent again. Without it, each is sent once.
    pub seen: Option<i64>,
    /// `preparing`, `working`, `waiting_for_person` or `proving`, if that has changed.
    pub phase: Option<Phase>,
    /// What the session has used since the claim: tokens, 0 to 1,000,000,000,000, and US dollars, 0 to 1,000,000.
    #[serde(default)]
    pub tokens: i64,
    #[serde(default)]
    pub cost_usd: f64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RenewAnswer {
    pub lease_seconds: u64,
    /// As it is now: people may let a session write while it runs.
    pub mode: Mode,
    /// What people ask last: it stays until they ask something else.
    pub wanted: Option<Wanted>,
    pub messages: Vec<PersonsMessage>,
}

/// Output of an agent.
#[derive(Debug, Deserialize, ToSchema)]
pub struct OutputRequest {
    pub lease: String,
    /// The number of the first entry, from 0 with each claim: what was stored before is not stored again.
    pub sequence: i64,
    /// At most 1,000, and 2 MiB in all.
    pub entries: Vec<OutputEntry>,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct OutputEntry {
    /// `agent`, `tool` or `system`. Default: `agent`.
    pub role: Option<MessageRole>,
    pub stream: Option<OutputStream>,
    /// What it tells of, if nobody said it,
    pub kind: Option<EntryKind>,
    /// and what is counted of that.
    pub figures: Option<Figures>,
    pub content: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OutputAnswer {
    /// The number of the next entry.
    pub next: i64,
}

/// How a runner's work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    Completed,
    Failed,
    Cancelled,
    /// The session took longer than it may: it pauses, too, if what was done is kept.
    TimedOut,
    /// The runner stops: another one is to take the session.
    HandedBack,
    /// The session reached a cap: it pauses until a person lets it go on.
    Capped,
}

/// A runner has ended its work on a session.
#[derive(Debug, Deserialize, ToSchema)]
pub struct FinishRequest {
    pub lease: String,
    /// The highest id of a message that the agent was given.
    pub seen: Option<i64>,
    pub outcome: RunOutcome,
    pub exit_code: Option<i64>,
    /// Why it failed, at most 2,000 characters.
    pub reason: Option<String>,
    /// The branch that was pushed,
    pub branch: Option<String>,
    /// its commit,
    pub head_commit: Option<String>,
    /// and the commit that it began with.
    pub base_commit: Option<String>,
    /// What the runner calls the place where it worked.
    pub sandbox_id: Option<String>,
    /// At most 2,000 are kept.
    #[serde(default)]
    pub files_changed: Vec<FileChanged>,
    /// What the agent says it did: 16 KiB are kept.
    pub summary: Option<String>,
    /// The same in one line: the title of the pull request, at most 200 characters.
    pub title: Option<String>,
    /// If the agent opened one by itself.
    pub pull_request_url: Option<String>,
    /// What was not pushed, because the session may only read or a person has to look at it: 256 KiB are kept.
    pub patch: Option<String>,
    /// What a person has to look at: 200 are kept.
    #[serde(default)]
    pub held: Vec<HeldChange>,
    /// The commit that was not pushed, if the runner keeps it until a person releases it.
    pub held_commit: Option<String>,
    pub cost_usd: Option<f64>,
    /// That answers of models say they took.
    #[serde(default)]
    pub tokens: i64,
}

/// Nothing more to say.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmptyAnswer {}

#[derive(Debug, Serialize, ToSchema)]
pub struct MirrorAnswer {
    /// Whether the runner may keep it: `false` if the organization has no such repository.
    pub is_wanted: bool,
}

impl ClaimRequest {
    /// # Errors
    /// 422 naming what does not fit.
    pub fn check(&self) -> Result<()> {
        let capacity = self.capacity.unwrap_or(1);
        if !(1..=CAPACITY_MAX).contains(&capacity) {
            return Err(Error::invalid(format!("capacity: expected 1 to {CAPACITY_MAX}, got {capacity}")));
        }
        if !(0..=CAPACITY_MAX).contains(&self.running) {
            return Err(Error::invalid(format!(
                "running: expected 0 to {CAPACITY_MAX}, got {}",
                self.running
            )));
        }
        if self.wait_seconds > WAIT_MAX {
            return Err(Error::invalid(format!(
                "wait_seconds: expected 0 to {WAIT_MAX}, got {}",
                self.wait_seconds
            )));
        }
        if let Some(other) = self.uncounted.iter().find(|name| !COUNTED.contains(&name.as_str())) {
            let other = crate::text::line(other, 64);
            return Err(Error::invalid(format!("uncounted: expected tokens and cost_usd, got {other:?}")));
        }
        if self.agents.len() > AGENTS_MAX {
            return Err(Error::invalid(format!(
                "agents: expected at most {AGENTS_MAX}, got {}",
                self.agents.len()
            )));
        }
        self.agents.iter().try_for_each(|name| check_word("agents", name, AGENT_MAX).map(drop))
    }
}
