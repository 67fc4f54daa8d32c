//! Backups onto full disks, and into folders that the server does not see.

use super::{backup, done, failed, mayday, names, verify};
use crate::report::skipped;
use crate::support::disk::{can_mount, on_disk};
use crate::support::server::RunToEnd as _;
use crate::support::{Project, Server, World, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

fn running() -> Project {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Kept");
    project.digest(&json!({"message": "an event"}));
    project
}

/// Makes a backup of this name on a file system of its own, and then runs `then` on it.
fn on_own_disk(data: &Path, folder: &Path, name: &str, mebibytes: u32, then: &str) -> Output {
    let command = mayday(data, &["backup"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("\"$@\" --output \"$0/{name}\"; code=$?; {then}; exit $code")]).arg(folder);
    shell.arg(command.get_program()).args(command.get_args()).env_clear();
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    on_disk(&shell, folder, mebibytes).run()
}

#[test]
fn a_full_disk_is_reported_and_leaves_nothing() {
    if !can_mount() {
        return skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
    let project = running();
    let data = project.world.server.data_dir();
    let folder = tempfile::tempdir().unwrap();
    // The size of an archive is known before it is written.
    for (name, mebibytes, part) in
        [("backup", 2, "the disk is full"), ("backup.tar.zst", 1, "there is not enough room")]
    {
        let output = on_own_disk(data, folder.path(), name, mebibytes, "ls -A \"$0\" >&2");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        let is_alone = said.lines().count() == 1;
        assert!(is_alone && said.contains(part), "something is left, or it is not said: {said}");
    }
    // The server deleted its own copy, too, and still works.
    project.digest(&json!({"message": "another event"}));
    crate::support::eventually("the copy to be removed", || {
        (!data.join("backup.new").exists()).then_some(())
    });
    let path = folder.path().join("backup");
    done(&backup(data, &path, &[]));
    done(&verify(&path));
}

#[test]
fn a_server_that_does_not_see_the_target_is_backed_up_all_the_same() {
    if !can_mount() {
        return skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
    let project = running();
    let folder = tempfile::tempdir().unwrap();
    let output = on_own_disk(
        project.world.server.data_dir(),
        folder.path(),
        "backup",
        200,
        "ls -A \"$0\" \"$0/backup\" >&2",
    );
    assert!(done(&output).contains("is complete"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("manifest.json") && !said.contains("unfinished"), "{said}");
    assert!(names(folder.path()).is_empty(), "the file system was its own");
}

#[test]
fn a_copy_that_cannot_fit_is_refused_before_it_begins() {
    let server = Server::start_with(&[("SERVICE_DISK_FLOOR_MB", "1000000")]);
    let data = server.data_dir();
    let disk = rustix::fs::statvfs(data).unwrap();
    if disk.f_bavail * disk.f_frsize > 1_000_000 << 20 {
        return skipped("more is free than SERVICE_DISK_FLOOR_MB can be");
    }
    // Next to the data directory, where less is free than the floor requires.
    let path = data.with_extension("backup");
    let said = failed(&backup(data, &path, &[]));
    assert!(said.contains("there is not enough room") && said.contains("SERVICE_DISK_FLOOR_MB"), "{said}");
    assert!(!path.exists() && !data.join("backup.new").exists());
    let beside = path.parent().unwrap();
    let name = format!(".{}.mayday-unfinished", path.file_name().unwrap().to_str().unwrap());
    assert!(!fs::exists(beside.join(name)).unwrap());
}
