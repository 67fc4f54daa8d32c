//! The built binary as a process, with a free port and a directory of its own.

use super::cgroup::Cgroup;
use super::client::Client;
use super::disk::Disk;
use super::wait::eventually;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Lines of the server's output that a failed test shows.
const SHOWN_LINES: usize = 60;
/// The time limit of a command other than `serve`.
const RUN_LIMIT: Duration = Duration::from_mins(3);

/// A running server. Dropping it ends the process and removes its directory.
pub(crate) struct Server {
    child: Mutex<Child>,
    output: Lines,
    authority: String,
    /// While unclaimed.
    pub(crate) setup_token: Option<String>,
    start: Start,
    /// The data directory as the tests see it.
    data: PathBuf,
}

/// How a server is started, and started again.
#[derive(Clone)]
struct Start {
    folder: Arc<TempDir>,
    environment: Vec<(String, String)>,
    /// Its own file system.
    disk: Option<Arc<Disk>>,
    /// The control group that limits its memory.
    group: Option<Arc<Cgroup>>,
}

/// Everything that the process wrote.
type Lines = Arc<Mutex<Vec<String>>>;

/// `mayday` with an environment that is only ours.
pub(crate) fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mayday"));
    command.args(arguments).env_clear().env("RUST_BACKTRACE", "1");
    // Tests send many requests in a short time, and must send no telemetry.
    for name in [
        "DASHBOARD_PER_HOUR",
        "SOURCEMAPS_PER_HOUR",
        "ERRORS_PER_SECOND",
        "LOGS_PER_SECOND",
        "KILOBYTES_PER_SECOND",
        "REPLAYS_PER_SECOND",
        "PLATFORM_PER_MINUTE",
        "SESSIONS_PER_MINUTE",
    ] {
        command.env(format!("SERVICE_RATE_LIMIT_{name}"), "0");
    }
    command.env("SERVICE_ANONYMOUS_TELEMETRY_DISABLED", "1");
    command
}

/// An address without a listener; its port is below the range from which the system assigns ports.
pub(crate) fn address_of_nobody() -> String {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + u16::try_from(std::process::id() % 10_000).unwrap();
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed) % 2_000;
        let address = format!("127.0.0.1:{port}");
        if TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
}

/// Runs a command that has to end by itself.
pub(crate) trait RunToEnd {
    fn run(&mut self) -> Output;
}

impl RunToEnd for Command {
    /// Its output. A command that keeps running (a server that should have refused to start) is killed and fails the
    /// test.
    #[track_caller]
    fn run(&mut self) -> Output {
        self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.spawn().expect("the built binary starts");
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > RUN_LIMIT {
                let _ = child.kill();
                panic!("{self:?} did not end: {:?}", child.wait_with_output());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        child.wait_with_output().unwrap()
    }
}

impl Start {
    fn new(environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::Builder::new().prefix("mayday-test-").tempdir().unwrap();
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment = environment.iter().map(own).collect();
        Self { folder: Arc::new(folder), environment, disk: None, group: None }
    }
}

impl Server {
    /// A new, unclaimed instance.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// A new instance with these variables.
    pub(crate) fn start_with(environment: &[(&str, &str)]) -> Self {
        Self::start_as(Start::new(environment))
    }

    /// In a directory that may already have data.
    pub(crate) fn start_in(folder: TempDir) -> Self {
        Self::start_as(Start { folder: Arc::new(folder), ..Start::new(&[]) })
    }

    /// A new instance on a file system in memory of this size, which only its processes see: see
    /// [`super::disk::can_mount`].
    pub(crate) fn start_on_disk(mebibytes: u32, environment: &[(&str, &str)]) -> Self {
        let start = Start::new(environment);
        let disk = Arc::new(Disk::new(start.folder.path(), mebibytes));
        Self::start_as(Start { disk: Some(disk), ..start })
    }

    /// A new instance with so much memory, if there is a group.
    pub(crate) fn start_in_group(group: Option<Arc<Cgroup>>, environment: &[(&str, &str)]) -> Self {
        Self::start_as(Start { group, ..Start::new(environment) })
    }

    fn start_as(start: Start) -> Self {
        Self::try_start_as(start).unwrap_or_else(|ended| panic!("{ended}"))
    }

    /// # Errors
    /// When it ends instead of listening.
    fn try_start_as(start: Start) -> Result<Self, String> {
        let folder = start.folder.path();
        let mut command = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
        command.arg(folder).current_dir(folder);
        command.envs(start.environment.iter().map(|(name, value)| (name, value)));
        if let Some(disk) = &start.disk {
            command = disk.enter(&command);
        }
        if let Some(group) = &start.group {
            command = group.enclose(&command);
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the built binary starts");
        let output = Lines::default();
        follow(child.stdout.take().unwrap(), &output);
        follow(child.stderr.take().unwrap(), &output);
        let mut server = Self {
            child: Mutex::new(child),
            output,
            authority: String::new(),
            setup_token: None,
            data: folder.to_owned(),
            start,
        };
        if server.start.disk.is_some() {
            server.data = server.seen_in_process();
        }
        server.read_greeting()?;
        Ok(server)
    }

    /// The first line has the address; an unclaimed instance then prints how to claim it.
    fn read_greeting(&mut self) -> Result<(), String> {
        self.authority = eventually("the line with the address", || {
            let ended = self.child().try_wait().unwrap();
            let ended = ended.map(|status| Err(format!("the server ended at its start with {status}")));
            ended.or_else(|| self.line("Mayday is listening on http://").map(Ok))
        })?;
        // Only an unclaimed instance has the file, and it was written before the server listened.
        if self.data_dir().join("setup-token").exists() {
            let link = eventually("the line with the claim link", || self.line("Claim this instance: "));
            self.setup_token = link.split_once("/setup#token=").map(|(_, token)| token.to_owned());
        }
        Ok(())
    }

    /// The data directory's path as the process sees it, which has its own mounts.
    fn seen_in_process(&self) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.pid().as_raw_nonzero()));
        root.join(self.start.folder.path().strip_prefix("/").unwrap())
    }

    /// Starts it again in the same directory, with these variables instead.
    pub(crate) fn restart_with(mut self, environment: &[(&str, &str)]) -> Self {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.start.environment = environment.iter().map(own).collect();
        self.restart()
    }

    fn line(&self, start: &str) -> Option<String> {
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.iter().find_map(|line| line.strip_prefix(start)).map(str::to_owned)
    }

    /// Everything written so far, a line each.
    pub(crate) fn output(&self) -> String {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }

    pub(crate) fn data_dir(&self) -> &Path {
        &self.data
    }

    pub(crate) fn setup_token_file(&self) -> PathBuf {
        self.data_dir().join("setup-token")
    }

    /// The port, as the public address `http://localhost:<port>` has it.
    pub(crate) fn port(&self) -> &str {
        self.authority.rsplit(':').next().unwrap_or_default()
    }

    pub(crate) fn anonymous(&self) -> Client {
        Client::anonymous(&self.authority)
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child())
    }

    pub(crate) fn signal(&self, signal: Signal) {
        // One that ended already needs no signal.
        let _ = kill_process(self.pid(), signal);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.child().try_wait().unwrap().is_some()
    }

    /// Waits for the end of the process.
    #[track_caller]
    pub(crate) fn wait(&self) -> ExitStatus {
        eventually("the server's end", || self.child().try_wait().unwrap())
    }

    /// Ends it as an operator does.
    #[track_caller]
    pub(crate) fn stop(&self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.wait()
    }

    /// Ends it (unless it ended) and starts it again in the same directory.
    pub(crate) fn restart(self) -> Self {
        self.stop();
        let start = self.start.clone();
        drop(self);
        Self::start_as(start)
    }

    /// The same for one that may refuse to start again.
    pub(crate) fn try_kill_and_restart(self) -> Result<Self, String> {
        self.signal(Signal::KILL);
        self.wait();
        let start = self.start.clone();
        drop(self);
        Self::try_start_as(start)
    }

    /// Kills it without warning and starts it again in the same directory.
    pub(crate) fn kill_and_restart(self) -> Self {
        self.signal(Signal::KILL);
        self.wait();
        self.restart()
    }

    /// Statics are never dropped. So a shell waits for the end of this process, whatever its cause, ends the server
    /// and removes its directory.
    pub(crate) fn end_with_this_process(&self) {
        let script = "trap '' INT TERM HUP; cat; kill \"$0\"; \
            for _ in $(seq 100); do kill -0 \"$0\" || break; sleep 0.1; done; kill -9 \"$0\"; rm -rf \"$1\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).arg(self.pid().as_raw_nonzero().to_string()).arg(self.start.folder.path());
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        // Its standard input closes when this process ends.
        std::mem::forget(shell.expect("a shell"));
    }

    /// Prints the end of the server's output, for failed tests.
    pub(crate) fn show_output(&self) {
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        eprintln!("--- the server's output ---");
        for line in output.iter().skip(output.len().saturating_sub(SHOWN_LINES)) {
            eprintln!("{line}");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.show_output();
        }
        if matches!(self.child().try_wait(), Ok(Some(_))) {
            return;
        }
        self.signal(Signal::TERM);
        for _ in 0..2_000 {
            if matches!(self.child().try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        eprintln!("the server did not stop within 10 s and was killed");
        let _ = self.child().kill();
        let _ = self.child().wait();
    }
}

fn follow(stream: impl Read + Send + 'static, output: &Lines) {
    let output = output.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            output.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
    });
}
