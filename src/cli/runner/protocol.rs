//! The messages between a runner and the server: `/api/runners/self`.

use serde::{Deserialize, Serialize};

/// A runner's request for work.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Claim<'a> {
    pub(super) version: &'a str,
    pub(super) platform: String,
    pub(super) labels: &'a [String],
    pub(super) capacity: usize,
    pub(super) running: usize,
    /// The agents that it has; empty: any.
    pub(super) agents: &'a [String],
    pub(super) wait_seconds: u64,
    pub(super) own_models: bool,
    pub(super) refuses_public: bool,
    /// The caps that it cannot enforce.
    pub(super) uncounted: &'static [&'static str],
}

/// Whether to keep the mirror of a repository.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct MirrorAnswer {
    pub(super) is_wanted: bool,
}

/// The answer to a claim.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Claimed {
    pub(super) job: Job,
}

/// A session to run.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Job {
    pub(super) session_id: String,
    /// Proves that the session belongs to this runner; sent with every call about it.
    pub(super) lease: String,
    pub(super) lease_seconds: u64,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) agent_type: String,
    #[serde(default)]
    pub(super) model_id: Option<String>,
    /// The instructions, as one text.
    pub(super) prompt: String,
    pub(super) time_limit_seconds: u64,
    #[serde(default)]
    pub(super) repository: Option<Repository>,
    /// The repositories to choose from, if none is given.
    #[serde(default)]
    pub(super) repositories: Vec<Repository>,
    /// Whether anybody could have written what the agent reads.
    #[serde(default)]
    pub(super) is_public: bool,
    #[serde(default)]
    pub(super) mode: Mode,
    /// A held-back commit to push after a person's approval, without an agent.
    #[serde(default)]
    pub(super) release: Option<String>,
    /// Work kept at a cap or at the time limit, which the agent continues.
    #[serde(default)]
    pub(super) resume: Option<String>,
    #[serde(default)]
    pub(super) caps: Caps,
    #[serde(default)]
    pub(super) spent: Spent,
    /// The branch to create and push.
    #[serde(default)]
    pub(super) branch: Option<String>,
    #[serde(default)]
    pub(super) base_branch: Option<String>,
    #[serde(default)]
    pub(super) context: Vec<ContextFile>,
    #[serde(default)]
    pub(super) gateway: Option<Gateway>,
    #[serde(default)]
    pub(super) messages: Vec<Message>,
}

impl Job {
    /// A name for this run alone: another claim of the same session, even by this runner, gets another name.
    ///
    /// # Errors
    /// If the session's id or the lease cannot be part of a path.
    pub(super) fn run_name(&self) -> Result<String, String> {
        let is_plain = |text: &str| {
            (1..=64).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        if is_plain(&self.session_id) && is_plain(&self.lease) {
            let lease = blake3::hash(self.lease.as_bytes()).to_hex();
            return Ok(format!("{}-{}", self.session_id, &lease[..16]));
        }
        Err("the session's id or its lease is none".to_owned())
    }
}

/// The caps of a session; a missing one means no limit.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct Caps {
    #[serde(default)]
    pub(super) cost_usd: Option<f64>,
    #[serde(default)]
    pub(super) tokens: Option<u64>,
    /// Bytes of output.
    #[serde(default)]
    pub(super) output_bytes: Option<u64>,
    /// Files that may be changed without a review.
    #[serde(default)]
    pub(super) files: Option<usize>,
}

/// What the session used before.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct Spent {
    #[serde(default)]
    pub(super) cost_usd: f64,
    #[serde(default)]
    pub(super) tokens: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Repository {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) url: String,
    pub(super) default_branch: String,
    /// Hosts that agents may reach over https.
    #[serde(default)]
    pub(super) allowed_hosts: Vec<String>,
    /// Manifests and lock files that agents may change, by name or path, in lower case.
    #[serde(default)]
    pub(super) allowed_files: Vec<String>,
    /// Shell commands that prepare a checkout, and that test it.
    #[serde(default)]
    pub(super) setup_command: Option<String>,
    #[serde(default)]
    pub(super) test_command: Option<String>,
    /// The path of the test report.
    #[serde(default)]
    pub(super) test_report: Option<String>,
}

/// A file for the agent to read; its path is below the context's directory.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ContextFile {
    pub(super) path: String,
    pub(super) content: String,
}

/// A model gateway, with a key for this session alone.
#[derive(Clone, Deserialize)]
pub(super) struct Gateway {
    pub(super) base_url: String,
    pub(super) api_key: String,
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gateway").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// A person's message to the agent.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Message {
    /// Increases within a session.
    pub(super) id: i64,
    pub(super) content: String,
    /// Whether a signed-in person wrote it, not a key or a token.
    #[serde(default)]
    pub(super) may_allow: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Renewed {
    pub(super) lease_seconds: u64,
    #[serde(default)]
    pub(super) mode: Mode,
    #[serde(default)]
    pub(super) wanted: Option<SessionCommand>,
    #[serde(default)]
    pub(super) messages: Vec<Message>,
}

/// What a session may do in its repository.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    Read,
    #[default]
    Write,
}

/// What people want of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SessionCommand {
    Pause,
    Resume,
    Stop,
}

/// A line of the transcript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Entry {
    pub(super) role: Role,
    pub(super) stream: Option<Stream>,
    /// The kind of event, unless somebody said it,
    pub(super) kind: Option<Kind>,
    /// and its figures.
    pub(super) figures: Option<Figures>,
    pub(super) content: String,
}

impl Entry {
    /// Something that was said.
    pub(super) fn said(role: Role, stream: Option<Stream>, content: String) -> Self {
        Self { role, stream, kind: None, figures: None, content }
    }

    /// An event.
    pub(super) fn told(kind: Kind, figures: Option<Figures>, content: String) -> Self {
        Self { role: Role::System, stream: None, kind: Some(kind), figures, content }
    }
}

/// The kind of event that an entry reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Model,
    Network,
    Test,
    State,
}

/// The figures of a model call, a connection or a test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Figures {
    pub(super) took_ms: Option<u64>,
    pub(super) status: Option<i64>,
    pub(super) bytes_out: Option<u64>,
    pub(super) bytes_back: Option<u64>,
    pub(super) tokens: Option<u64>,
    pub(super) cost_usd: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    Agent,
    Tool,
    System,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stream {
    Stdout,
    Stderr,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Completed,
    Failed,
    Cancelled,
    /// The session pauses, too, if what was done is kept.
    TimedOut,
    /// The session goes to another runner.
    HandedBack,
    /// The session pauses until a person continues it.
    Capped,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Finish {
    pub(super) lease: String,
    /// The highest message id that the agent was given.
    pub(super) seen: i64,
    pub(super) outcome: Outcome,
    pub(super) exit_code: Option<i32>,
    /// Why it failed.
    pub(super) reason: Option<String>,
    pub(super) branch: Option<String>,
    pub(super) head_commit: Option<String>,
    /// The commit where the branch begins.
    pub(super) base_commit: Option<String>,
    pub(super) files_changed: Vec<FileChange>,
    pub(super) summary: Option<String>,
    /// Of the pull request.
    pub(super) title: Option<String>,
    pub(super) pull_request_url: Option<String>,
    /// What was not pushed, as a patch,
    pub(super) patch: Option<String>,
    /// the reasons, unless the session may only read,
    pub(super) held: Vec<HeldChange>,
    /// and the commit that this runner keeps.
    pub(super) held_commit: Option<String>,
    pub(super) cost_usd: Option<f64>,
    pub(super) tokens: u64,
}

/// A change that needs a person's review before it is pushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct HeldChange {
    pub(super) path: String,
    pub(super) why: String,
}

impl HeldChange {
    pub(super) fn new(path: &str, why: &str) -> Self {
        Self { path: path.to_owned(), why: why.to_owned() }
    }
}

impl std::fmt::Display for HeldChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path.as_str() {
            "…" => f.write_str(&self.why),
            path => write!(f, "{path} {}", self.why),
        }
    }
}

/// A file, with the number of lines added and removed; `None` for a binary file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct FileChange {
    pub(super) path: String,
    pub(super) added: Option<u64>,
    pub(super) removed: Option<u64>,
}
