use super::*;
use crate::store::{Database, Fatal};
use std::path::PathBuf;

/// What a start does with a data directory.
fn start(data: &Path) -> Result<Main> {
    let fatal = Fatal::new().0;
    let main = Main::open(data, &fatal)?;
    check_folders(data, &main)?;
    Database::open_logs(data, &main.instance, &fatal)?.stop();
    fs::create_dir_all(data.join("sourcemaps/ab")).unwrap();
    all_made(&main)?;
    main.stop();
    Ok(main)
}

fn refused(data: &Path) -> String {
    match start(data) {
        Err(Error::Internal(text)) => text.to_string(),
        other => panic!("{:?}", other.map(|_| "it starts")),
    }
}

fn made_in(folder: &Path, name: &str) -> PathBuf {
    let data = folder.join(name);
    fs::create_dir(&data).unwrap();
    start(&data).unwrap();
    data
}

#[test]
fn files_of_one_instance_fit_together_and_those_of_two_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, other) = (made_in(folder.path(), "ours"), made_in(folder.path(), "other"));
    start(&ours).unwrap();
    for name in ["logs.db", "intake", "sourcemaps", "main.db"] {
        // In a separate directory, because this process may still have files of the others open.
        let mixed = folder.path().join(format!("mixed-{name}"));
        fs::create_dir(&mixed).unwrap();
        for of in ["logs.db", "intake", "sourcemaps", "main.db"] {
            copy(if of == name { &other } else { &ours }, &mixed, of);
        }
        let text = refused(&mixed);
        assert!(text.contains("belongs to another instance"), "{name}: {text}");
        assert!(text.contains("the data directory from a backup"), "{name}: {text}");
    }
}

fn copy(from: &Path, to: &Path, name: &str) {
    let (from, to) = (from.join(name), to.join(name));
    if from.is_file() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir(&to).unwrap();
    for entry in fs::read_dir(&from).unwrap().flatten() {
        copy(&from, &to, entry.file_name().to_str().unwrap());
    }
}

#[test]
fn no_instance_is_created_beside_files_of_another() {
    let folder = tempfile::tempdir().unwrap();
    for left in ["logs.db", "intake", "sourcemaps"] {
        for empty in [false, true] {
            let data = made_in(folder.path(), &format!("{left}-{empty}"));
            for entry in fs::read_dir(&data).unwrap().flatten() {
                if entry.file_name() == left {
                    continue;
                }
                let is_folder = entry.file_type().unwrap().is_dir();
                if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }
                    .unwrap();
            }
            if empty {
                fs::write(data.join("main.db"), "").unwrap();
            }
            let text = refused(&data);
            assert!(text.contains("main.db is missing or empty") && text.contains(left), "{text}");
            assert!(refused(&data).contains("main.db is missing"), "the second time as well");
        }
    }
    let data = made_in(folder.path(), "all");
    fs::remove_dir_all(&data).unwrap();
    made_in(folder.path(), "all");
}

/// SQLite would remove the WAL of a missing database.
#[test]
fn what_only_the_wal_has_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main.db-wal"), "the rest of a database").unwrap();
    assert!(refused(folder.path()).contains("main.db-wal"));
    assert!(folder.path().join("main.db-wal").exists());
}

#[test]
fn an_interrupted_first_start_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let main = Main::open(folder.path(), &Fatal::new().0).unwrap();
    fs::create_dir(folder.path().join("intake")).unwrap();
    fs::write(folder.path().join("intake").join(NEW), "half").unwrap();
    main.stop();
    start(folder.path()).unwrap();
}

#[test]
fn a_missing_intake_is_reported_until_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let data = made_in(folder.path(), "data");
    let intake = data.join("intake");
    fs::write(intake.join("file"), "").unwrap();
    let id = fs::read_to_string(intake.join(FILE)).unwrap();
    fs::remove_file(intake.join(FILE)).unwrap();
    assert!(refused(&data).contains(&format!("write {} into it", id.trim())));
    fs::remove_dir_all(&intake).unwrap();
    let text = refused(&data);
    assert!(text.contains(intake.to_str().unwrap()) && text.contains(ACCEPT_LOSS), "{text}");
    fs::create_dir(&intake).unwrap();
    assert_eq!(refused(&data), text);
    fs::write(intake.join(ACCEPT_LOSS), "").unwrap();
    start(&data).unwrap();
    assert_eq!(fs::read_to_string(intake.join(FILE)).unwrap(), id);
}

#[test]
fn files_that_can_be_rebuilt_are_recreated() {
    let folder = tempfile::tempdir().unwrap();
    let (data, left) = (made_in(folder.path(), "data"), folder.path().join("left"));
    fs::create_dir(&left).unwrap();
    ["main.db", "intake"].iter().for_each(|name| copy(&data, &left, name));
    start(&left).unwrap();
}
