//! A file system in memory for one server: small, and gone with the process.

use std::path::Path;
use std::process::Command;

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

/// Whether this machine lets a process have file systems of its own.
pub(crate) fn can_mount() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let mut nothing = Command::new("true");
    nothing.env_clear();
    on_disk(&nothing, folder.path(), 1).output().is_ok_and(|output| output.status.success())
}
