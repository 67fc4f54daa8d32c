use super::*;
use crate::store::DataDir;
use std::collections::BTreeMap;

/// Relative paths and texts of all files.
type Files = BTreeMap<String, String>;

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn files(dir: &Path) -> Files {
    let mut found = Files::new();
    let mut open = vec![dir.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

const OLD: [(&str, &str); 3] = [("main.db", "old"), ("main.db-wal", "old"), ("intake/1", "old")];
const NEWER: [(&str, &str); 3] = [("main.db", "new"), ("intake/2", "new"), ("sourcemaps/ab/c", "new")];

fn now() -> Timestamp {
    Timestamp::parse("2026-11-23T10:20:30.456Z").unwrap()
}

/// What is there after the replacement, whichever way.
fn check_replaced(dir: &Path) {
    let mut found = files(dir);
    assert_eq!(found.remove(LOCK).as_deref(), Some(""));
    let kept: Files = OLD
        .iter()
        .map(|(name, text)| (format!("before-restore-20261123T102030Z/{name}"), (*text).to_owned()))
        .collect();
    let new = NEWER.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    assert_eq!(found, new.chain(kept).collect::<Files>());
}

#[test]
fn the_content_is_replaced_and_the_former_kept() {
    let folder = tempfile::tempdir().unwrap();
    let dir = DataDir::take(folder.path()).unwrap();
    write(folder.path(), &OLD);
    let new = dir.new_content().unwrap();
    write(&new, &NEWER);
    assert_eq!(dir.content().unwrap(), ["intake", "main.db", "main.db-wal"]);
    let kept = dir.replace(now()).unwrap();
    assert_eq!(kept.unwrap().file_name().unwrap(), "before-restore-20261123T102030Z");
    check_replaced(folder.path());
    // Another one in the same second.
    write(&dir.new_content().unwrap(), &[("main.db", "newest")]);
    assert_eq!(
        dir.replace(now()).unwrap().unwrap().file_name().unwrap(),
        "before-restore-20261123T102030Z-2"
    );
}

#[test]
fn an_empty_directory_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = DataDir::take(folder.path()).unwrap();
    write(&dir.new_content().unwrap(), &NEWER);
    assert_eq!(dir.replace(now()).unwrap(), None);
    assert_eq!(dir.content().unwrap(), ["intake", "main.db", "sourcemaps"]);
}

#[test]
fn what_was_not_decided_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &OLD);
    let dir = DataDir::take(folder.path()).unwrap();
    write(&dir.new_content().unwrap(), &NEWER);
    drop(dir);
    let dir = DataDir::take(folder.path()).unwrap();
    assert!(!dir.finished_restore);
    let mut found = files(folder.path());
    found.remove(LOCK);
    assert_eq!(found, OLD.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect());
}

/// Every state that a kill can leave between two renames.
#[test]
fn an_interrupted_replacement_is_finished_by_whoever_comes_next() {
    let aside = "before-restore-20261123T102030Z";
    for moved in 0..=OLD.len() + NEWER.len() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[(LOCK, "")]);
        write(folder.path(), &OLD);
        write(&folder.path().join(NEW), &NEWER);
        let state = if moved <= OLD.len() { format!("aside {aside}\n") } else { "in\n".to_owned() };
        fs::write(folder.path().join(STATE), state).unwrap();
        let out =
            ["main.db", "main.db-wal", "intake"].map(|name| (name.to_owned(), format!("{aside}/{name}")));
        let into = ["main.db", "intake", "sourcemaps"].map(|name| (format!("{NEW}/{name}"), name.to_owned()));
        fs::create_dir(folder.path().join(aside)).unwrap();
        for (from, to) in out.iter().chain(&into).take(moved) {
            fs::rename(folder.path().join(from), folder.path().join(to)).unwrap();
        }
        assert!(DataDir::take(folder.path()).unwrap().finished_restore, "{moved}");
        check_replaced(folder.path());
    }
}

#[test]
fn what_fails_after_the_decision_keeps_both_contents() {
    let folder = tempfile::tempdir().unwrap();
    let dir = DataDir::take(folder.path()).unwrap();
    write(folder.path(), &OLD);
    let new = dir.new_content().unwrap();
    write(&new, &NEWER);
    // In the way of one that moves up.
    let (way, blocked) = (folder.path().join(SNAPSHOT), new.join(SNAPSHOT));
    fs::create_dir_all(way.join("x")).unwrap();
    fs::create_dir(&blocked).unwrap();
    dir.replace(now()).unwrap_err();
    assert!(dir.is_replacing());
    dir.discard();
    assert!(new.join("main.db").exists());
    drop(dir);
    assert!(DataDir::take(folder.path()).is_err());
    fs::remove_dir_all(way).unwrap();
    fs::remove_dir(blocked).unwrap();
    assert!(DataDir::take(folder.path()).unwrap().finished_restore);
    check_replaced(folder.path());
}

#[test]
fn nothing_is_opened_if_the_prepared_content_is_gone() {
    for state in ["aside before-restore-20261123T102030Z\n", "in\n"] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[(LOCK, ""), ("intake/1", "old")]);
        fs::write(folder.path().join(STATE), state).unwrap();
        let Err(Error::Internal(cause)) = DataDir::take(folder.path()) else { panic!("{state:?} is taken") };
        assert!(cause.to_string().contains("restore.new is missing"), "{cause}");
        assert_eq!(fs::read(folder.path().join("intake/1")).unwrap(), b"old");
    }
}

#[test]
fn a_directory_of_another_owner_is_refused_before_anything_is_moved() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let dir = DataDir::take(folder.path()).unwrap();
    write(folder.path(), &OLD);
    fs::set_permissions(folder.path().join("intake"), fs::Permissions::from_mode(0o555)).unwrap();
    write(&dir.new_content().unwrap(), &NEWER);
    let replaced = dir.replace(now());
    if rustix::process::geteuid().is_root() {
        // Who may do everything is hindered by nothing.
        replaced.unwrap();
        return;
    }
    let Err(Error::Internal(cause)) = replaced else { panic!("it was moved") };
    assert!(cause.to_string().contains("intake cannot be moved aside"), "{cause}");
    assert!(!dir.is_replacing());
}

#[test]
fn an_unreadable_state_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &OLD);
    for state in ["", "aside ../elsewhere", "aside main.db", "out"] {
        fs::write(folder.path().join(STATE), state).unwrap();
        let Err(Error::Internal(cause)) = DataDir::take(folder.path()) else { panic!("{state:?} is taken") };
        assert!(cause.to_string().contains("restore.state cannot be read"), "{cause}");
        assert_eq!(fs::read(folder.path().join("main.db")).unwrap(), b"old");
    }
}
