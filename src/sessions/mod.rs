//! Agent sessions: a task, the runner that has it, and its transcript.
//!
//! A session waits (`starting`) until a runner claims it with a *lease*, and is `running` as long as the runner
//! renews the lease. If the runner hands it back or is lost, the session is `suspended` and waits again. At a cap or at
//! its time limit it is `paused` until a person continues it. It ends as `stopped` or `failed`, with an outcome.

pub mod caps;
pub mod http;
pub mod issue_session;
pub mod jobs;
pub mod service;
pub mod sql;

use crate::ids::{AutomationId, IssueId, ProjectId, RepositoryId, RunnerId, SessionId};
use crate::repositories::Repository;
use crate::time::Timestamp;
use caps::Caps;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Sessions of an organization that wait for a runner.
pub const WAITING_MAX: i64 = 10_000;
/// Characters of a title, and bytes of a message.
pub const TITLE_MAX: usize = 200;
pub const MESSAGE_MAX: usize = 64 << 10;

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        $(#[$meta])*
        pub enum $name {
            $($(#[$of])* $variant,)+
        }

        impl $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }
    )+};
}

words! {
    /// What a session is for. Only `coding` can be started: runners do not know the others, which are reserved.
    SessionType {
        /// An agent changes code.
        Coding = "coding",
        /// A repository is prepared.
        Setup = "setup",
        /// Only what people type is run.
        Terminal = "terminal",
    }

    /// Where a session is.
    SessionStatus {
        /// It waits for a runner.
        Starting = "starting",
        Running = "running",
        Paused = "paused",
        /// Its runner handed it back or was lost; it waits for another.
        Suspended = "suspended",
        Stopped = "stopped",
        Failed = "failed",
    }

    /// What a session may do to its repository.
    #[schema(as = SessionMode)]
    Mode {
        /// Look at it: what the agent would change is kept as a patch, and nothing is pushed.
        Read = "read",
        /// Push a branch and open a pull request.
        Write = "write",
    }

    /// Who started a session.
    Origin {
        /// A person in the Web app.
        Web = "web",
        /// A person at the command line.
        Cli = "cli",
        Automation = "automation",
        /// A key or a token.
        Api = "api",
    }

    /// How a session ended.
    #[schema(as = AgentOutcome)]
    Outcome {
        /// The agent did its work.
        Completed = "completed",
        Failed = "failed",
        /// A person stopped it.
        Cancelled = "cancelled",
        /// It took longer than it may, and nothing of it was kept, or its runner did not end it; else it is paused. Or
        /// nobody continued it for too long after a pause.
        TimedOut = "timed_out",
        /// No runner took it within a day.
        NoRunner = "no_runner",
    }

    /// Where a session is.
    Phase {
        WaitingForRunner = "waiting_for_runner",
        /// Its runner makes the place where the agent works.
        Preparing = "preparing",
        /// The agent works.
        Working = "working",
        /// The agent asks something, or wants to be allowed something.
        WaitingForPerson = "waiting_for_person",
        /// Its runner tests what the agent did.
        Proving = "proving",
        Paused = "paused",
        /// The agent did its work.
        Done = "done",
        /// A person stopped it.
        Cancelled = "cancelled",
        Failed = "failed",
    }

    /// Who wrote a message.
    MessageRole {
        /// A person, or the automation's instructions.
        User = "user",
        /// The agent itself.
        Agent = "agent",
        /// A tool of the agent.
        Tool = "tool",
        /// The runner, or Mayday.
        System = "system",
    }

    /// What an entry of a transcript tells of, if nobody said it.
    #[schema(as = SessionEntryKind)]
    EntryKind {
        /// A request to a model.
        Model = "model",
        /// A connection to a host, or one that was refused.
        Network = "network",
        /// The repository's tests.
        Test = "test",
        /// What became of the session.
        State = "state",
    }

    /// Where an agent wrote.
    OutputStream {
        Stdout = "stdout",
        Stderr = "stderr",
    }

    /// What people ask of the runner that has a session.
    Wanted {
        Pause = "pause",
        Resume = "resume",
        Stop = "stop",
    }
}

impl Phase {
    /// What a session's status says; while it runs, its runner says more.
    pub fn of(status: SessionStatus, outcome: Option<Outcome>, said: Option<Self>) -> Self {
        match (status, outcome) {
            (SessionStatus::Starting | SessionStatus::Suspended, _) => Self::WaitingForRunner,
            (SessionStatus::Running, _) => said.unwrap_or(Self::Preparing),
            (SessionStatus::Paused, _) => Self::Paused,
            (SessionStatus::Stopped, Some(Outcome::Completed)) => Self::Done,
            (SessionStatus::Stopped, Some(Outcome::Cancelled)) => Self::Cancelled,
            (SessionStatus::Stopped | SessionStatus::Failed, _) => Self::Failed,
        }
    }
}

impl SessionStatus {
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Stopped | Self::Failed)
    }
}

/// A file that an agent changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FileChanged {
    pub path: String,
    /// Lines; 0 of a binary file.
    #[serde(default, deserialize_with = "or_nothing")]
    pub added: i64,
    #[serde(default, deserialize_with = "or_nothing")]
    pub removed: i64,
}

fn or_nothing<'de, D: serde::Deserializer<'de>>(lines: D) -> Result<i64, D::Error> {
    Option::deserialize(lines).map(Option::unwrap_or_default)
}

/// A change that a person looks at before it is pushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HeldChange {
    pub path: String,
    pub why: String,
}

/// A comment on a pull request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = PullRequestComment)]
pub struct Comment {
    /// As the code host calls them.
    pub by: String,
    /// In one line of at most 500 characters.
    pub text: String,
    /// When it was heard.
    pub at: Timestamp,
}

/// A session.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AgentSession)]
pub struct Session {
    pub id: SessionId,
    /// What people call it by: counted from 1 within the organization.
    pub number: i64,
    /// The repository it works in; `null`: none, or one that the agent chooses.
    pub repo_id: Option<RepositoryId>,
    pub organization_id: String,
    pub created_by: Option<String>,
    pub session_type: SessionType,
    pub status: SessionStatus,
    /// The same for people, with what its runner says meanwhile; `reason` says why,
    pub phase: Phase,
    /// and this since when.
    pub phase_since: Timestamp,
    /// What its runner calls the place where it works.
    pub sandbox_id: Option<String>,
    /// The commit that it began with.
    pub snapshot_id: Option<String>,
    pub branch_name: Option<String>,
    /// The session that this one goes on from.
    pub parent_session_id: Option<SessionId>,
    pub title: String,
    /// When a runner first had it.
    pub started_at: Option<Timestamp>,
    pub last_activity_at: Timestamp,
    pub paused_at: Option<Timestamp>,
    pub origin: Origin,
    /// `write` if a person who is signed in has started it or lets it write, or if its automation may open pull requests; else
    /// `read`.
    pub mode: Mode,
    /// Whether anybody may have written what its agent reads: its cause came through a public key, or a key or a token started it
    /// about an issue.
    pub is_public: bool,
    /// What the agent changed, if it was not pushed: the session may only read, or a person has to look at something. `null` in
    /// lists.
    pub patch: Option<String>,
    /// What a person has to look at; none in lists.
    pub held: Vec<HeldChange>,
    /// The commit that was not pushed, which its runner keeps until a person releases it.
    pub held_commit: Option<String>,
    /// Whether a person has released it: its runner is to push it.
    pub is_releasing: bool,
    /// What it may use at most,
    pub caps: Caps,
    /// and tokens that it has used, as far as models told the runner.
    pub tokens: i64,
    /// Whether it goes on from what its runner kept when it reached a cap, or its time limit.
    pub is_resuming: bool,
    pub repo: Option<Repository>,
    pub automation_id: Option<AutomationId>,
    pub project_id: Option<ProjectId>,
    pub issue_id: Option<IssueId>,
    /// Such as `SHOP-12`.
    pub issue_short_id: Option<String>,
    pub runner_id: Option<RunnerId>,
    pub agent_type: String,
    pub model_id: Option<String>,
    /// What a runner must have to be given it.
    pub labels: Vec<String>,
    pub time_limit_minutes: i64,
    /// Runners that have had it.
    pub attempts: i64,
    /// What people asked of the runner last.
    pub wanted: Option<Wanted>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why it failed, or why it waits although a runner had claimed it.
    pub reason: Option<String>,
    pub exit_code: Option<i64>,
    /// What the agent says it did.
    pub summary: Option<String>,
    pub head_commit: Option<String>,
    pub files_changed: Vec<FileChanged>,
    pub pull_request_url: Option<String>,
    /// When its pull request was merged.
    pub merged_at: Option<Timestamp>,
    /// When it was closed without being merged.
    pub closed_at: Option<Timestamp>,
    /// Who closed it, as the code host calls them.
    pub closed_by: Option<String>,
    /// What somebody with a say in the repository wrote there last, as far as the code host told: why it was closed, perhaps.
    pub last_comment: Option<Comment>,
    /// US dollars, as far as it is known.
    pub cost_usd: f64,
    /// Seconds for which runners had it, up to the last change.
    pub active_seconds: i64,
    /// Entries of the transcript,
    pub messages: i64,
    /// and entries of output that are not in it, because it would be too long.
    pub left_out: i64,
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

impl Session {
    /// The issue that it is about.
    pub fn issue(&self) -> Option<(ProjectId, IssueId)> {
        self.project_id.zip(self.issue_id)
    }
}

/// What is counted of a model call, a connection or a test; `null` is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = SessionEntryFigures)]
pub struct Figures {
    pub took_ms: Option<i64>,
    /// Of an answer over HTTP, or the exit code of tests.
    pub status: Option<i64>,
    pub bytes_out: Option<i64>,
    pub bytes_back: Option<i64>,
    pub tokens: Option<i64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
}

impl Figures {
    /// Drops implausible figures, because they come from a runner.
    pub fn checked(self) -> Self {
        let count = |value: Option<i64>| value.filter(|value| (0..=1_000_000_000_000).contains(value));
        Self {
            took_ms: count(self.took_ms),
            status: self.status.filter(|status| (-1_000..=1_000).contains(status)),
            bytes_out: count(self.bytes_out),
            bytes_back: count(self.bytes_back),
            tokens: count(self.tokens),
            cost_usd: self.cost_usd.filter(|cost| (0.0..=1e6).contains(cost)),
        }
    }
}

/// An entry of a transcript.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SessionMessage)]
pub struct Message {
    /// Grows within a session.
    pub id: i64,
    pub role: MessageRole,
    /// Of output.
    pub stream: Option<OutputStream>,
    /// `null`: somebody said it.
    pub kind: Option<EntryKind>,
    /// Of a model call, a connection or a test.
    pub figures: Option<Figures>,
    pub content: String,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
    /// Of a person's message: when a runner got it.
    pub delivered_at: Option<Timestamp>,
}
