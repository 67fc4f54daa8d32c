//! File systems in memory for servers: small, and removed after the test.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// A file system that outlives its server: a separate process holds it.
pub(crate) struct Disk {
    holder: Mutex<Child>,
    pid: u32,
}

impl Disk {
    pub(crate) fn new(folder: &Path, mebibytes: u32) -> Self {
        // `cat` ends with this process, however that ends.
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo mounted; exec cat"]).env_clear();
        let mut holder = on_disk(&shell, folder, mebibytes);
        let mut child = holder.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("unshare");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "mounted\n", "{holder:?}");
        Self { pid: child.id(), holder: Mutex::new(child) }
    }

    /// The same command where the folder is this file system.
    pub(crate) fn enter(&self, command: &Command) -> Command {
        let mut outer = Command::new("nsenter");
        outer.args(["--preserve-credentials", "--user", "--mount", "--target"]).arg(self.pid.to_string());
        outer.arg("--").arg(command.get_program()).args(command.get_args()).env_clear();
        outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        outer.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        outer
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let holder = self.holder.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _ = holder.kill();
        let _ = holder.wait();
    }
}

/// The same command where `folder` is a file system in memory.
pub(crate) fn on_disk(command: &Command, folder: &Path, mebibytes: u32) -> Command {
    let mut outer = Command::new("unshare");
    let script = format!("mount -t tmpfs -o size={mebibytes}m none \"$0\" && exec \"$@\"");
    outer.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).arg(folder);
    outer.arg(command.get_program()).args(command.get_args()).current_dir(folder).env_clear();
    outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    outer
}

/// Whether this machine lets a process mount its own file systems.
pub(crate) fn can_mount() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let mut nothing = Command::new("true");
    nothing.env_clear();
    on_disk(&nothing, folder.path(), 1).output().is_ok_and(|output| output.status.success())
}
