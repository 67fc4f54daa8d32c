//! A runner's process.

use super::Shop;
use crate::support::eventually;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use tempfile::TempDir;

pub(super) struct Machine {
    child: Child,
    /// Removed when the machine is.
    dir: TempDir,
}

/// A command with only our environment; its output goes to a file.
pub(super) fn command(dir: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mayday"));
    let said = File::create(dir.path().join("said")).unwrap();
    command.arg("runner").args(arguments).arg("--work-dir").arg(dir.path().join("work"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", dir.path());
    command.stdin(Stdio::null()).stdout(said.try_clone().unwrap()).stderr(said);
    command
}

pub(super) fn dir() -> TempDir {
    let dir = tempfile::Builder::new().prefix("mayday-machine-").tempdir().unwrap();
    // Agents with their own users need to enter it to reach their directories.
    fs::set_permissions(dir.path(), Permissions::from_mode(0o711)).unwrap();
    dir
}

/// Python's own program and its folder: the one in the `PATH` may be a link.
fn python() -> (String, String) {
    let script = "import os, sys; print(os.path.realpath(sys.executable)); print(sys.base_prefix)";
    let output = Command::new("python3").args(["-c", script]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (program, folder) = said.trim_end().split_once('\n').unwrap();
    (program.to_owned(), folder.to_owned())
}

impl Machine {
    /// A runner whose agent is a script that finds the test's directory in `$SHOP`.
    pub(super) fn start(url: &str, shop: &Shop, script: &str, arguments: &[&str]) -> Self {
        Self::start_with(url, shop, script, arguments, &[])
    }

    /// The same with more in the runner's environment.
    pub(super) fn start_with(
        url: &str,
        shop: &Shop,
        script: &str,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let script = format!("SHOP='{}'\n{script}", shop.dir.path().display());
        Self::run(url, shop, ("sh", &script), (arguments, environment))
    }

    /// A runner whose agent is a Python script that speaks the Agent Client Protocol.
    pub(super) fn talking(url: &str, shop: &Shop, script: &str, arguments: &[&str]) -> Self {
        let script = format!("import os\nos.environ['SHOP'] = {:?}\n{script}", shop.dir.path());
        let (python, folder) = python();
        let arguments = [&["--read", folder.as_str()], arguments].concat();
        Self::run(url, shop, (&format!("acp:exec {python}"), &script), (&arguments, &[]))
    }

    fn run(
        url: &str,
        shop: &Shop,
        (program, script): (&str, &str),
        (arguments, environment): (&[&str], &[(&str, &str)]),
    ) -> Self {
        let dir = dir();
        // Rooms see this folder of it alone.
        let folder = dir.path().join("agent");
        fs::create_dir(&folder).unwrap();
        let agent = folder.join("agent");
        fs::write(&agent, script).unwrap();
        let agent = format!("{program} {}", agent.display());
        let mut command = command(&dir, &["--command", &agent, "--allow-file-repositories"]);
        command.arg("--read").arg(folder).args(arguments);
        if !arguments.contains(&"--isolation") {
            command.args(["--isolation", "none"]);
        }
        command.env("MAYDAY_URL", url).env("MAYDAY_RUNNER_TOKEN", shop.token());
        command.env("SHOP_SECRET", super::untrusted::SECRET).envs(environment.iter().copied());
        let child = command.spawn().expect("the built binary starts");
        Self { child, dir }
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn said(&self) -> String {
        fs::read_to_string(self.dir.path().join("said")).unwrap()
    }

    /// The runner's home.
    pub(super) fn home(&self) -> PathBuf {
        self.dir.path().to_owned()
    }

    pub(super) fn runs(&self) -> PathBuf {
        self.dir.path().join("work/runs")
    }

    pub(super) fn signal(&self, signal: Signal) {
        // It may have exited already.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    #[track_caller]
    pub(super) fn wait(&mut self) -> ExitStatus {
        eventually("the runner's end", || self.child.try_wait().unwrap())
    }

    /// The most memory that it ever had, in KiB.
    pub(super) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the runner's output ---\n{}", self.said());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
