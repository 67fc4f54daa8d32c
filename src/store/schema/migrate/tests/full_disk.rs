//! A disk that is full, at each step of a migration.

use super::*;
use std::io::Write as _;
use std::process::Command;

/// Where the file system in memory is, for the process that has it.
const DISK: &str = "MAYDAY_TEST_DISK";
const NAME: &str = "a_full_disk_leaves_the_file_as_it_was";
/// KiB that are free, from nothing to enough.
const FREE: [u64; 11] = [0, 64, 128, 256, 512, 768, 1_024, 1_536, 2_048, 3_072, 8_192];

/// Runs this test again in a process with its own file system; `None` if this machine does not allow that.
fn in_memory() -> Option<std::process::Output> {
    let folder = tempfile::tempdir().unwrap();
    let outer = |program: &str| {
        let mut command = Command::new("unshare");
        let script = "mount -t tmpfs -o size=16m none \"$0\" && exec \"$@\"";
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        command.arg(folder.path()).arg(program);
        command
    };
    outer("true").output().ok().filter(|output| output.status.success())?;
    let this = std::env::current_exe().unwrap();
    let mut again = outer(this.to_str().unwrap());
    again.args([
        "--exact",
        &format!("{}::{NAME}", module_path!().split_once("::").unwrap().1),
        "--nocapture",
    ]);
    Some(again.env(DISK, folder.path()).output().unwrap())
}

/// Fills the disk except for this many KiB.
fn ballast(folder: &Path, kibibytes: u64) -> PathBuf {
    let path = folder.join("ballast");
    let mut file = fs::File::create(&path).unwrap();
    let free = || {
        let found = rustix::fs::statvfs(folder).unwrap();
        (found.f_bavail * found.f_frsize) >> 10
    };
    while free() > kibibytes && file.write_all(&[b'x'; 4_096]).is_ok() {}
    path
}

/// A database with over half a MiB of rows that the steps rewrite.
fn large_file(case: &Case, folder: &Path) -> PathBuf {
    let path = old_file(case, folder);
    let connection = Connection::open_with_flags(&path, rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let rows = "insert into releases (project_id, version, url_prefix, created_at)
        with recursive counted (n) as (select 10 union all select n + 1 from counted where n < 4_000)
        select 4, n, hex(randomblob(50)), 1 from counted;";
    connection.execute_batch(rows).unwrap();
    path
}

fn migrations(disk: &Path) {
    let [case, _] = cases();
    let (mut failed, mut is_done) = (0, false);
    for kibibytes in FREE {
        let folder = disk.join(kibibytes.to_string());
        fs::create_dir(&folder).unwrap();
        let path = large_file(&case, &folder);
        let before = (rows(&read(&path), &case.frozen), definitions(&read(&path)));
        let ballast = ballast(disk, kibibytes);
        let opened = open(&path, false, &case.current, None).map(drop);
        fs::remove_file(ballast).unwrap();
        if opened.is_ok() {
            is_done = true;
        } else {
            failed += 1;
            assert!(!is_done, "{kibibytes} KiB are not enough, and less was");
            let after = (rows(&read(&path), &case.frozen), definitions(&read(&path)));
            assert_eq!(after, before, "{kibibytes} KiB");
            drop(open(&path, false, &case.frozen, None).unwrap());
        }
        // With room it succeeds, from wherever it stopped.
        assert_reaches(&path, &case.current);
        assert_eq!(rows(&read(&path), &case.frozen), before.0, "{kibibytes} KiB");
        fs::remove_dir_all(folder).unwrap();
    }
    assert!(is_done && failed >= 4, "it failed {failed} times");
}

#[test]
fn a_full_disk_leaves_the_file_as_it_was() {
    if let Some(disk) = std::env::var_os(DISK) {
        return migrations(Path::new(&disk));
    }
    let Some(output) = in_memory() else {
        return eprintln!(
            "SKIPPED: no file systems of its own for a process (unshare --map-root-user --mount)"
        );
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
