//! The first process in a room: starts the agent's command, and forwards connections from the proxy's port out of the
//! room.

use super::{PORT, SOCKET};
use clap::Args;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitCode};
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::signal::unix::{SignalKind, signal};

/// Processes and threads that a room may have at least. A session's limit on processes may be lower, but programs
/// have several threads, and the runner counts processes separately.
const TASKS_MIN: u64 = 1_024;
/// Open files of a process, and bytes of a file.
const FILES: u64 = 16_384;
const FILE_BYTES: u64 = 8 << 30;
/// Seconds of processor time between the signal that asks a process to end and the one that kills it.
const CPU_GRACE: u64 = 10;
/// How often to check whether the room is empty.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug, Args)]
pub(in crate::cli) struct Door {
    /// How many processes a session may have
    #[arg(long)]
    processes: u64,
    /// How many seconds of processor time each process may use
    #[arg(long)]
    cpu_seconds: Option<u64>,
    /// The agent's command
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Runs the command to its end.
pub(in crate::cli) fn run(arguments: &Door) -> ExitCode {
    match open(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            crate::cli::fail(&format!("{}: {error}", arguments.command[0]));
            ExitCode::from(super::super::supervise::NOT_STARTED)
        }
    }
}

fn open(arguments: &Door) -> std::io::Result<u8> {
    for (what, most) in [
        (Resource::Nproc, TASKS_MIN.max(arguments.processes)),
        (Resource::Nofile, FILES),
        (Resource::Fsize, FILE_BYTES),
        (Resource::Core, 0),
    ] {
        limit(what, most, most)?;
    }
    if let Some(seconds) = arguments.cpu_seconds {
        limit(Resource::Cpu, seconds, seconds.saturating_add(CPU_GRACE))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(watch(arguments))
}

/// Limits this process and those that it starts; the current limit may be lower.
fn limit(what: Resource, current: u64, maximum: u64) -> std::io::Result<()> {
    let now = getrlimit(what).maximum;
    let within = |most: u64| Some(now.map_or(most, |now| now.min(most)));
    Ok(setrlimit(what, Rlimit { current: within(current), maximum: within(maximum) })?)
}

async fn watch(arguments: &Door) -> std::io::Result<u8> {
    // The supervisor sends the signal to the agent, too. Without this handler, this process would end first and kill
    // the agent.
    let mut end = signal(SignalKind::terminate())?;
    let mut children = signal(SignalKind::child())?;
    let listener = TcpListener::bind(("127.0.0.1", PORT)).await?;
    let (program, rest) = arguments.command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let mut agent = Command::new(program).args(rest).spawn()?;
    let mut is_asked = false;
    loop {
        if let Some(code) = ended(&mut agent)? {
            // The shell that started an agent ends at once; the agent still gets its grace period.
            while is_asked && others() > 0 {
                tokio::time::sleep(LOOK).await;
            }
            return Ok(code);
        }
        tokio::select! {
            _ = end.recv() => is_asked = true,
            _ = children.recv() => {}
            accepted = listener.accept() => match accepted {
                Ok((inside, _)) => { tokio::spawn(carry(inside)); }
                Err(_) => tokio::time::sleep(LOOK).await,
            },
        }
    }
}

/// The number of other processes in the room, without bubblewrap's.
fn others() -> usize {
    let own = std::process::id();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|pid| *pid != 1 && *pid != own).count()
}

/// The exit code; 128 and above: a signal ended it.
fn ended(agent: &mut Child) -> std::io::Result<Option<u8>> {
    let Some(status) = agent.try_wait()? else { return Ok(None) };
    let number = status.code().or(status.signal().map(|signal| 128 + signal));
    Ok(Some(number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX)))
}

async fn carry(mut inside: TcpStream) {
    // If the proxy is gone, the agent sees a closed connection.
    if let Ok(mut outside) = UnixStream::connect(SOCKET).await {
        let _ = copy_bidirectional(&mut inside, &mut outside).await;
    }
}
