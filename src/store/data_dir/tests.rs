use super::*;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

fn refused(path: &Path) -> String {
    let Err(Error::Internal(text)) = DataDir::take(path) else { panic!("it was not refused") };
    text.to_string()
}

/// Applies `change` to a directory in use, which must end the process; returns the path in the message.
fn noticed(change: impl FnOnce(&Path)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    let held = DataDir::take(&path).unwrap();
    fs::write(path.join("main.db"), "").unwrap();
    let (fatal, raised) = Fatal::new();
    let _watch = held.watch(&["main.db"], &fatal).unwrap();
    change(&path);
    let start = Instant::now();
    loop {
        if let Some(text) = raised.borrow().as_deref() {
            let name = text.split(" was removed").next().unwrap();
            return name.strip_prefix(folder.path().to_str().unwrap()).unwrap().to_owned();
        }
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was noticed");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_directory_is_locked_whatever_happens_to_its_lock_file() {
    let folder = tempfile::tempdir().unwrap();
    let held = DataDir::take(folder.path()).unwrap();
    assert!(refused(folder.path()).contains("in use"));
    fs::remove_file(folder.path().join(LOCK)).unwrap();
    assert!(refused(folder.path()).contains("in use"));
    drop(held);
    drop(DataDir::take(folder.path()).unwrap());
}

#[test]
fn a_lock_file_locked_by_another_process_stops_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let other = File::create(folder.path().join(LOCK)).unwrap();
    other.lock().unwrap();
    assert!(refused(folder.path()).contains("in use"));
    drop(other);
    drop(DataDir::take(folder.path()).unwrap());
}

#[test]
fn what_is_removed_or_replaced_is_noticed() {
    assert_eq!(noticed(|path| fs::remove_file(path.join(LOCK)).unwrap()), "/data/run.lock");
    let replace = |path: &Path| {
        fs::write(path.join("other"), "").unwrap();
        fs::rename(path.join("other"), path.join(LOCK)).unwrap();
    };
    assert_eq!(noticed(replace), "/data/run.lock");
    assert_eq!(noticed(|path| fs::remove_file(path.join("main.db")).unwrap()), "/data/main.db");
    let away = |path: &Path| path.with_extension("away");
    assert_eq!(noticed(|path| fs::rename(path, away(path)).unwrap()), "/data");
    let replace = |path: &Path| {
        fs::rename(path, away(path)).unwrap();
        fs::create_dir(path).unwrap();
    };
    assert_eq!(noticed(replace), "/data");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_directory_of_ours_is_closed_to_others_and_one_that_is_not_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    drop(DataDir::take(&path).unwrap());
    for (found, left) in [(0o755, 0o700), (0o770, 0o700), (0o701, 0o700), (0o700, 0o700)] {
        set_mode(&path, found);
        drop(DataDir::take(&path).unwrap());
        assert_eq!(mode(&path), left, "{found:o}");
    }
    let new = folder.path().join("new");
    fs::create_dir(&new).unwrap();
    fs::create_dir(new.join("lost+found")).unwrap();
    set_mode(&new, 0o755);
    drop(DataDir::take(&new).unwrap());
    assert_eq!(mode(&new), 0o700);
    let shared = folder.path().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::write(shared.join("notes"), "of somebody").unwrap();
    set_mode(&shared, 0o755);
    let text = refused(&shared);
    assert!(text.contains("mode 755") && text.contains("chmod 700"), "{text}");
    assert!(!shared.join(LOCK).exists() && mode(&shared) == 0o755);
    set_mode(&shared, 0o700);
    drop(DataDir::take(&shared).unwrap());
    // A directory for everybody's temporary files keeps its mode, whatever it contains.
    set_mode(&shared, 0o1777);
    refused(&shared);
}
