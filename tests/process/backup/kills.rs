//! kill -9 during a backup, and at each step of a restore.

use super::{accounts, backup, copy_tree, done, failed, mayday, names, stopped, verify};
use crate::report::{patience, skipped, within};
use crate::strace::{Strace, missing};
use crate::support::server::RunToEnd as _;
use crate::support::{Server, World};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// System calls that make a step durable or visible.
const STEPS: &str = "?rename,?renameat,renameat2,fsync,fdatasync";
/// More than there are steps.
const MANY: usize = 200;

/// A command under strace, which kills it at the `number`-th step of a thread.
fn killed_at(number: usize, command: &Command) -> Output {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o", "/dev/null", "-e", &format!("trace={STEPS}")]);
    strace.args(["-e", &format!("inject={STEPS}:signal=KILL:when={number}")]);
    strace.arg(command.get_program()).args(command.get_args()).env_clear();
    strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    strace.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    strace.run()
}

#[test]
fn a_killed_backup_leaves_nothing_that_looks_like_a_backup() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let world = stopped("ben@example.com");
    let data = world.server.data_dir();
    let folder = tempfile::tempdir().unwrap();
    for name in ["backup", "backup.tar.zst"] {
        let path = folder.path().join(name);
        let mut command = mayday(data, &["backup", "--output"]);
        command.arg(&path);
        let mut kills = 0;
        for number in 1..MANY {
            if killed_at(number, &command).status.success() {
                break;
            }
            kills += 1;
            if path.exists() {
                // It was killed after the last step that matters.
                done(&verify(&path));
                fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path)).unwrap();
            }
        }
        assert!((3..MANY - 1).contains(&kills), "{name}: {kills} kills");
        done(&verify(&path));
    }
    // The remains of the killed backups were deleted.
    assert_eq!(names(folder.path()), ["backup", "backup.tar.zst"]);
}

#[test]
fn a_restore_that_is_killed_leaves_the_old_instance_or_the_new_one() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let (old, new) = (stopped("old@example.com"), stopped("new@example.com"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("backup");
    done(&backup(new.server.data_dir(), &path, &[]));
    let (mut kept, mut replaced) = (0, 0);
    for number in 1..MANY {
        let data = tempfile::tempdir().unwrap();
        copy_tree(old.server.data_dir(), data.path());
        let mut command = mayday(data.path(), &["restore", "--yes", "--input"]);
        let was_killed = !killed_at(number, command.arg(&path)).status.success();
        let found = accounts(data.path());
        // Everything that is there belongs together.
        let again = folder.path().join(format!("of {number}.tar.zst"));
        done(&backup(data.path(), &again, &[]));
        fs::remove_file(again).unwrap();
        let aside = names(data.path()).into_iter().filter(|name| name.starts_with("before-restore-")).count();
        if found.contains("new@example.com") {
            assert!(!found.contains("old@example.com") && aside == 1, "{number}: {found}");
            replaced += 1;
        } else {
            assert!(found.contains("old@example.com") && aside == 0, "{number}: {found}");
            kept += 1;
        }
        let left: Vec<String> =
            names(data.path()).into_iter().filter(|name| name.starts_with("restore.")).collect();
        assert!(left.is_empty(), "{number}: {left:?}");
        if !was_killed {
            break;
        }
    }
    assert!(kept >= 3 && replaced >= 5, "killed too seldom: {kept} times before, {replaced} after");
}

#[test]
fn a_server_finishes_a_restore_that_was_killed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let (old, new) = (stopped("old@example.com"), stopped("new@example.com"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("backup");
    done(&backup(new.server.data_dir(), &path, &[]));
    let state = |data: &Path| fs::read_to_string(data.join("restore.state")).unwrap_or_default();
    for step in ["aside", "in"] {
        for number in 1.. {
            assert!(number < MANY, "never killed at {step}");
            let data = tempfile::tempdir().unwrap();
            fs::set_permissions(data.path(), fs::Permissions::from_mode(0o700)).unwrap();
            copy_tree(old.server.data_dir(), data.path());
            let mut command = mayday(data.path(), &["restore", "--yes", "--input"]);
            killed_at(number, command.arg(&path));
            if !state(data.path()).starts_with(step) {
                continue;
            }
            let server = Server::start_in(data);
            assert!(server.operated(&["list"]).contains("new@example.com"));
            let said = || server.output().contains("restore").then_some(());
            within(patience(Duration::from_secs(10)), "the word of it", said).unwrap();
            break;
        }
    }
}

/// A server that copies slowly, and a backup that is being made of it.
fn slow_copy(world: &World, path: &Path) -> (Strace, std::process::Child) {
    let server = &world.server;
    let strace = Strace::attach(server, "pwrite64", "delay_enter=30000").unwrap();
    let mut command = mayday(server.data_dir(), &["backup", "--output"]);
    let child = command.arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let folder = path.parent().unwrap();
    within(patience(Duration::from_secs(20)), "the copy to begin", || {
        let work = names(folder).into_iter().find(|name| name.ends_with(".mayday-unfinished"))?;
        folder.join(work).join("snapshot/intake").exists().then_some(())
    })
    .unwrap();
    (strace, child)
}

#[test]
fn the_server_stops_copying_when_its_client_is_gone() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let world = World::new(Server::start());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("backup");
    let (strace, mut child) = slow_copy(&world, &path);
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    assert!(!path.exists());
    drop(strace);
    // The server detects that, and accepts the next backup.
    within(patience(Duration::from_secs(10)), "the next backup", || {
        let output = backup(world.server.data_dir(), &path, &[]);
        output.status.success().then_some(())
    })
    .unwrap();
    done(&verify(&path));
    assert_eq!(names(folder.path()), ["backup"]);
}

#[test]
fn a_backup_reports_that_its_server_was_killed_and_leaves_nothing() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let world = World::new(Server::start());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("backup");
    let (strace, child) = slow_copy(&world, &path);
    world.server.signal(Signal::KILL);
    world.server.wait();
    drop(strace);
    let said = failed(&child.wait_with_output().unwrap());
    assert!(said.contains("the server ended while it made the copy"), "{said}");
    assert!(names(folder.path()).is_empty());
    // The stopped directory is backed up without it.
    done(&backup(world.server.data_dir(), &path, &[]));
    done(&verify(&path));
}
