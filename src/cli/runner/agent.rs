//! The agents of a runner: their commands, and how each is isolated.

use super::container;
use super::groups::Limits;
use super::protocol::Job;
use super::room::Rooms;
use super::workspace::Places;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

/// The values of a session's `agent_type`, and the shell commands that start these agents. Each reads its
/// instructions from the file in `MAYDAY_INSTRUCTIONS` and works in the current directory without asking.
const BUILT_IN: [(&str, &str); 4] = [
    (
        "claude-code",
        "exec claude --print --verbose --output-format stream-json --dangerously-skip-permissions \
         ${MAYDAY_MODEL:+--model \"$MAYDAY_MODEL\"} < \"$MAYDAY_INSTRUCTIONS\"",
    ),
    (
        "codex",
        "exec codex exec --dangerously-bypass-approvals-and-sandbox --skip-git-repo-check \
         ${MAYDAY_MODEL:+--model \"$MAYDAY_MODEL\"} - < \"$MAYDAY_INSTRUCTIONS\"",
    ),
    ("opencode", "exec opencode run ${MAYDAY_MODEL:+--model \"$MAYDAY_MODEL\"} < \"$MAYDAY_INSTRUCTIONS\""),
    (
        "aider",
        "exec aider --yes-always --no-check-update --no-analytics ${MAYDAY_MODEL:+--model \"$MAYDAY_MODEL\"} \
         --message-file \"$MAYDAY_INSTRUCTIONS\"",
    ),
];

/// The prefix of a command whose program speaks the Agent Client Protocol.
const SPEAKS_ACP: &str = "acp:";

/// The command that starts an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AgentCommand {
    /// A shell command.
    pub(super) shell: String,
    /// Whether it speaks the Agent Client Protocol; other agents read their instructions from a file.
    pub(super) speaks_acp: bool,
}

impl AgentCommand {
    fn new(text: &str) -> Self {
        let spoken = text.trim_start().strip_prefix(SPEAKS_ACP);
        Self { shell: spoken.unwrap_or(text).trim().to_owned(), speaks_acp: spoken.is_some() }
    }
}

/// Environment variables of the runner that every agent gets.
const PASSED: [&str; 8] = ["PATH", "HOME", "LANG", "LC_ALL", "TERM", "TZ", "TMPDIR", "USER"];

/// The agents of a runner.
#[derive(Debug, Clone)]
pub(super) struct Agents {
    commands: BTreeMap<String, AgentCommand>,
    /// The command for agents without their own.
    other: Option<AgentCommand>,
}

impl Agents {
    /// `named` has entries `NAME=COMMAND`, which override built-in agents. `other` is the command for agents without
    /// their own, and for all if `named` is empty. A command with the prefix `acp:` speaks the Agent Client Protocol.
    ///
    /// # Errors
    /// If a name has no command and is not built in.
    pub(super) fn new(named: &[String], other: Option<&str>) -> Result<Self, String> {
        let built_in = |name: &str| BUILT_IN.iter().find(|(known, _)| *known == name);
        let mut commands = BTreeMap::new();
        for one in named {
            let (name, command) = match one.split_once('=') {
                Some((name, command)) => (name, Some(command)),
                None => (one.as_str(), built_in(one).map(|(_, command)| *command)),
            };
            let known = || BUILT_IN.map(|(name, _)| name).join(", ");
            let command = command
                .map(AgentCommand::new)
                .filter(|command| !command.shell.is_empty())
                .ok_or_else(|| format!("--agent {name}: expected NAME=COMMAND, or one of {}", known()))?;
            commands.insert(name.to_owned(), command);
        }
        if commands.is_empty() && other.is_none() {
            commands.extend(BUILT_IN.map(|(name, command)| (name.to_owned(), AgentCommand::new(command))));
        }
        Ok(Self { commands, other: other.map(AgentCommand::new) })
    }

    /// The command of an agent.
    ///
    /// # Errors
    /// If this runner has no such agent.
    pub(super) fn command(&self, agent: &str) -> Result<&AgentCommand, String> {
        self.commands.get(agent).or(self.other.as_ref()).ok_or_else(|| {
            let known: Vec<&str> = self.commands.keys().map(String::as_str).collect();
            format!(
                "this runner has no agent `{agent}`, only {}: start it with --agent {agent}=COMMAND",
                known.join(", ")
            )
        })
    }

    /// The names of the agents, for people.
    pub(super) fn names(&self) -> String {
        let mut names: Vec<&str> = self.commands.keys().map(String::as_str).collect();
        names.extend(self.other.as_ref().map(|_| "any"));
        names.join(", ")
    }

    /// The names of the agents, for the server; empty: any.
    pub(super) fn offered(&self) -> Vec<String> {
        if self.other.is_some() { Vec::new() } else { self.commands.keys().cloned().collect() }
    }

    /// Removes the agents whose programs are not installed; returns their names.
    ///
    /// # Errors
    /// If none is left.
    pub(super) fn keep_present(&mut self) -> Result<Vec<String>, String> {
        let missing = self.keep_those(is_known);
        if self.are_none() {
            return Err(format!(
                "no agent is installed on this machine: looked for {} in PATH. Install one, or say how yours is started: \
                 --agent NAME=COMMAND",
                missing.join(", ")
            ));
        }
        Ok(missing)
    }

    /// Removes the agents whose programs are missing; returns their names.
    pub(super) fn keep_those(&mut self, is_there: impl Fn(&str) -> bool) -> Vec<String> {
        let is_kept = |command: &AgentCommand| program(&command.shell).is_none_or(&is_there);
        let gone = self.commands.iter().filter(|(_, command)| !is_kept(command));
        let gone: Vec<String> = gone.map(|(name, _)| name.clone()).collect();
        self.commands.retain(|name, _| !gone.contains(name));
        gone
    }

    pub(super) fn are_none(&self) -> bool {
        self.commands.is_empty() && self.other.is_none()
    }
}

/// The program that a shell command starts, if it is looked up in the `PATH`. A path may be relative to the checkout,
/// and anything else only a shell can interpret.
fn program(command: &str) -> Option<&str> {
    let mut words = command.split_whitespace().skip_while(|word| *word == "exec" || word.contains('='));
    words.next().filter(|program| program.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c)))
}

/// Whether this machine's shell knows a program, or has it built in.
fn is_known(program: &str) -> bool {
    let known =
        std::process::Command::new("/bin/sh").args(["-c", "command -v \"$1\"", "sh", program]).output();
    known.is_ok_and(|output| output.status.success())
}

fn is_there(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

/// The folders of the `PATH`, and when a program last came to each, or went.
fn programs() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let changed = |folder: &Path| std::fs::metadata(folder).and_then(|found| found.modified()).ok();
    std::env::split_paths(&path).map(|folder| format!("{folder:?} {:?} ", changed(&folder))).collect()
}

/// How an agent is kept from the rest of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Isolation {
    /// In a room: see [`room`](super::room).
    Sandbox,
    /// Not at all: it runs as the runner's user.
    None,
    /// As a user of its own, with that user's rights.
    User { name: String, uid: u32, gid: u32, home: String },
    /// In a container of this image, where it sees only its own directory.
    Container { engine: String, image: String },
}

impl FromStr for Isolation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "sandbox" => Ok(Self::Sandbox),
            None if text == "none" => Ok(Self::None),
            Some(("user", name)) => user(name),
            Some(("container", image)) if !image.is_empty() && !image.starts_with('-') => {
                let engine = ["podman", "docker"].into_iter().find(|engine| is_there(engine));
                let engine =
                    engine.ok_or("--isolation container: neither podman nor docker is installed")?.to_owned();
                Ok(Self::Container { engine, image: image.to_owned() })
            }
            _ => Err(format!("expected sandbox, none, user:NAME or container:IMAGE, got `{text}`")),
        }
    }
}

/// A user of this machine.
fn user(name: &str) -> Result<Isolation, String> {
    let output = std::process::Command::new("getent").args(["passwd", "--", name]).output();
    let text = output.map_err(|error| format!("getent cannot be started: {error}"))?.stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    let fields: Vec<&str> = text.trim_end().split(':').collect();
    let (Some(uid), Some(gid), Some(home)) = (fields.get(2), fields.get(3), fields.get(5)) else {
        return Err(format!("there is no user `{name}` on this machine"));
    };
    let number = |text: &str| text.parse().map_err(|_| format!("`{name}` has no numeric id"));
    Ok(Isolation::User {
        name: name.to_owned(),
        uid: number(uid)?,
        gid: number(gid)?,
        home: (*home).to_owned(),
    })
}

/// How an agent's process is started.
pub(super) struct Launch {
    /// Program and arguments.
    pub(super) command: Vec<String>,
    pub(super) environment: BTreeMap<String, String>,
    /// User and group to change to.
    pub(super) owner: Option<(u32, u32)>,
    /// Whether it is in a room. Then the outer process gets no SIGTERM, because its end would kill the others at
    /// once.
    pub(super) in_room: bool,
    /// Whether it gets standard input.
    pub(super) has_input: bool,
    /// The engine and name of its container.
    pub(super) container: Option<(String, String)>,
}

impl Launch {
    fn new(command: Vec<String>, environment: BTreeMap<String, String>) -> Self {
        Self { command, environment, owner: None, in_room: false, has_input: false, container: None }
    }
}

/// What an agent in a room needs.
pub(super) struct InRoom<'a> {
    pub(super) rooms: &'a Rooms,
    /// The socket of its proxy.
    pub(super) proxy: &'a Path,
    /// How much processor time each process may use.
    pub(super) cpu_seconds: Option<u64>,
}

/// The environment of an agent: the listed variables of the runner, and what the session needs.
pub(super) fn environment(
    job: &Job,
    places: &Places<'_>,
    passed: &[String],
    base_url: &str,
) -> BTreeMap<String, String> {
    let inherited = PASSED.into_iter().chain(passed.iter().map(String::as_str));
    let mut environment: BTreeMap<String, String> =
        inherited.filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?))).collect();
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut set = |name: &str, value: String| environment.insert(name.to_owned(), value);
    set("MAYDAY_SESSION_ID", job.session_id.clone());
    set("MAYDAY_BASE_URL", base_url.to_owned());
    set("MAYDAY_INSTRUCTIONS", text(places.instructions));
    set("MAYDAY_CONTEXT", text(places.context));
    set("MAYDAY_RESULT", text(places.result));
    set("MAYDAY_REPOSITORY", text(places.repo));
    set("MAYDAY_AGENT", job.agent_type.clone());
    if let Some(branch) = &job.branch {
        set("MAYDAY_BRANCH", branch.clone());
    }
    if let Some(model) = &job.model_id {
        set("MAYDAY_MODEL", model.clone());
    }
    if let Some(gateway) = &job.gateway {
        let base = gateway.base_url.trim_end_matches('/');
        if !has_own("ANTHROPIC_", passed) {
            set("ANTHROPIC_BASE_URL", base.to_owned());
            set("ANTHROPIC_AUTH_TOKEN", gateway.api_key.clone());
        }
        if !has_own("OPENAI_", passed) {
            set("OPENAI_BASE_URL", format!("{base}/v1"));
            set("OPENAI_API_BASE", format!("{base}/v1"));
            set("OPENAI_API_KEY", gateway.api_key.clone());
        }
    }
    environment
}

/// Whether the runner's operator passes the address or a credential of a provider. The gateway's would not fit those.
fn has_own(provider: &str, passed: &[String]) -> bool {
    let is_one = |name: &str| ["API_KEY", "AUTH_TOKEN", "BASE_URL", "API_BASE"].contains(&name);
    passed.iter().filter_map(|name| name.strip_prefix(provider)).any(is_one)
}

impl Isolation {
    /// The caps that cannot be enforced: only the proxy of a room sees what agents use.
    pub(super) fn uncounted(&self) -> &'static [&'static str] {
        if *self == Self::Sandbox { &[] } else { &["cost_usd", "tokens"] }
    }

    /// Where it runs something, with the programs that there are now; `None` if that is not known.
    pub(super) fn place(&self) -> Option<String> {
        match self {
            Self::Sandbox => Some(format!("sandbox {}", programs())),
            Self::None => Some(format!("none {}", programs())),
            Self::User { name, .. } => Some(format!("user {name} {}", programs())),
            Self::Container { engine, image } => {
                container::image_id(engine, image).map(|id| format!("container {engine} {id}"))
            }
        }
    }

    /// Ends what runs of a runner that was killed have left, beside processes of this machine, and returns those of which something
    /// may still be there.
    pub(super) fn end_left(&self, runs: &[String]) -> Vec<String> {
        match self {
            Self::Container { engine, .. } => container::remove_all(engine, runs),
            _ => Vec::new(),
        }
    }

    /// How to run a shell command under this isolation.
    pub(super) fn launch(
        &self,
        shell: &str,
        mut environment: BTreeMap<String, String>,
        places: &Places<'_>,
        (name, limits): (&str, Limits),
        room: Option<&InRoom<'_>>,
    ) -> Launch {
        if let Some(InRoom { rooms, proxy, cpu_seconds }) = room {
            let command = rooms.command(shell, &mut environment, places, (proxy, *cpu_seconds));
            return Launch { in_room: true, ..Launch::new(command, environment) };
        }
        let command = ["/bin/sh", "-c", shell].map(str::to_owned).to_vec();
        match self {
            Self::None | Self::Sandbox => Launch::new(command, environment),
            Self::User { name, uid, gid, home } => {
                environment.insert("HOME".into(), home.clone());
                environment.insert("USER".into(), name.clone());
                Launch { owner: Some((*uid, *gid)), ..Launch::new(command, environment) }
            }
            Self::Container { engine, image } => {
                let words =
                    container::command((engine, image), command, &mut environment, places, (name, limits));
                let container = Some((engine.clone(), name.to_owned()));
                Launch { container, ..Launch::new(words, environment) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
