//! Servers as child processes on loopback, ended by their own process id.

use crate::Result;
use crate::client::{Connection, Request};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const START_MAX: Duration = Duration::from_secs(20);
const STOP_MAX: Duration = Duration::from_secs(30);

/// What the server's metrics are asked for with.
pub(crate) const METRICS_TOKEN: &str = "the token of the benchmark";

/// The release binary: `MAYDAY_BIN`, else the one built beside this.
pub(crate) fn binary() -> PathBuf {
    std::env::var_os("MAYDAY_BIN").map_or_else(|| env!("CARGO_BIN_EXE_mayday").into(), PathBuf::from)
}

/// A running server.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a program that prints where it listens on its first line.
    pub(crate) fn start(
        program: &Path,
        arguments: &[&OsStr],
        environment: &[(&str, &str)],
        log: &Path,
    ) -> Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .env_clear()
            .envs([
                ("SERVICE_LOG", "warn"),
                ("SERVICE_METRICS_TOKEN", METRICS_TOKEN),
                ("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", "0"),
                ("SERVICE_RATE_LIMIT_LOGS_PER_SECOND", "0"),
                ("SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND", "0"),
                ("SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND", "0"),
                ("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "0"),
                ("SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR", "0"),
                ("SERVICE_TRUSTED_PROXIES", "127.0.0.1"),
            ])
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::options().create(true).append(true).open(log)?)
            .spawn()
            .map_err(|error| format!("{}: {error}. Build it with `make build`.", program.display()))?;
        let mut output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let address = line.trim().rsplit('/').next().and_then(|address| address.parse().ok());
        let address =
            address.ok_or_else(|| format!("the server did not start, see {}: {line}", log.display()))?;
        Ok(Self { child, address, output })
    }

    /// Mayday on a data directory, and how long it took to its first 200.
    pub(crate) async fn mayday(data: &Path) -> Result<(Self, Duration)> {
        Self::mayday_with(data, &[]).await
    }

    /// The same, with other variables than the benchmark's own.
    pub(crate) async fn mayday_with(data: &Path, environment: &[(&str, &str)]) -> Result<(Self, Duration)> {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir"].map(OsStr::new);
        let started = Instant::now();
        let server = Self::start(
            &binary(),
            &[&arguments[..], &[data.as_os_str()]].concat(),
            environment,
            &data.with_extension("log"),
        )?;
        let health =
            Request { method: "GET", path: "/health", bearer: None, content_type: "text/plain", body: b"" };
        loop {
            if let Ok(mut connection) = Connection::open(server.address).await
                && connection.send(&health.bytes()).await.is_ok_and(|status| status == 200)
            {
                return Ok((server, started.elapsed()));
            }
            if started.elapsed() > START_MAX {
                return Err("the server does not become healthy".into());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The setup token on the second line of an unclaimed instance.
    pub(crate) fn setup_token(&mut self) -> Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let (_, token) = line.trim().rsplit_once("#token=").ok_or("no setup token was printed")?;
        Ok(token.to_owned())
    }

    /// Ends it as an operator would; how long that took.
    pub(crate) fn stop(mut self) -> Result<Duration> {
        let started = Instant::now();
        kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        while started.elapsed() < STOP_MAX {
            if self.child.try_wait()?.is_some() {
                return Ok(started.elapsed());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err("the server did not stop".into())
    }
}

impl Drop for Server {
    /// For the paths that failed; a process that has ended is left alone.
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}
