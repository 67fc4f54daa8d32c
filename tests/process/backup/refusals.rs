//! Incomplete, foreign and newer backups are refused, and nothing is changed.

use super::{
    accounts, backup, copy_tree, done, failed, files, manifest, mayday, names, restore, stopped, verify,
};
use crate::report::skipped;
use crate::support::Value;
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Server, json};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

/// Rewrites the manifest.
fn edit(backup: &Path, change: impl FnOnce(&mut Value)) {
    let mut text = manifest(backup);
    change(&mut text);
    fs::write(backup.join("manifest.json"), text.to_string()).unwrap();
}

/// Makes the manifest agree with a file that was changed.
fn list(backup: &Path, name: &str) {
    let content = fs::read(backup.join(name)).unwrap();
    let hash: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    edit(backup, |manifest| {
        let file =
            manifest["files"].as_array_mut().unwrap().iter_mut().find(|file| file["path"] == name).unwrap();
        (file["size"], file["sha256"]) = (json!(content.len()), json!(hash));
    });
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut content = fs::read(path).unwrap();
    change(&mut content);
    fs::write(path, content).unwrap();
}

/// A fault, the part of the message that names it, and how it is made.
type Fault = (&'static str, &'static str, fn(&Path));

const FAULTS: &[Fault] = &[
    ("cut", "main.db is cut off", |backup| {
        change(&backup.join("main.db"), |content| content.truncate(5_000))
    }),
    ("altered", "logs.db was changed", |backup| {
        change(&backup.join("logs.db"), |content| content[9_000] ^= 1)
    }),
    ("longer", "logs.db is longer", |backup| change(&backup.join("logs.db"), |content| content.push(0))),
    ("missing", "intake/instance is missing", |backup| {
        fs::remove_file(backup.join("intake/instance")).unwrap()
    }),
    ("extra", "extra is not in its manifest", |backup| fs::write(backup.join("extra"), "x").unwrap()),
    ("damaged page", "main.db is damaged", |backup| {
        change(&backup.join("main.db"), |content| content[4_096..12_288].fill(0xa5));
        list(backup, "main.db");
    }),
    ("another database", "belongs to another instance", |backup| {
        edit(backup, |manifest| manifest["instance"] = json!("0123456789abcdef0123456789abcdef"));
    }),
    ("other secrets", "is not the one that the backup's main.db was sealed with", |backup| {
        fs::write(backup.join("secrets.env"), format!("CLOUD_SECRET_KEY={}\n", "k".repeat(64))).unwrap();
        list(backup, "secrets.env");
    }),
    ("no manifest", "is not a backup", |backup| fs::remove_file(backup.join("manifest.json")).unwrap()),
    ("broken manifest", "manifest.json is damaged", |backup| {
        change(&backup.join("manifest.json"), |content| content.truncate(100));
    }),
    ("a path that leads out", "manifest.json is damaged", |backup| {
        edit(backup, |manifest| manifest["files"][1]["path"] = json!("../outside"));
    }),
    ("newer Mayday", "99.0.0", |backup| edit(backup, |manifest| manifest["mayday"] = json!("99.0.0"))),
    ("newer schema", "schema versions 9 and", |backup| {
        edit(backup, |manifest| manifest["schema_main"] = json!(9))
    }),
    ("newer format", "its format is 2", |backup| edit(backup, |manifest| manifest["format"] = json!(2))),
    ("a link", "is neither a file nor a directory", |backup| {
        fs::remove_file(backup.join("logs.db")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", backup.join("logs.db")).unwrap();
    }),
];

#[test]
fn a_backup_with_a_fault_is_refused_and_nothing_touched() {
    let world = stopped("ben@example.com");
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    done(&backup(world.server.data_dir(), &whole, &[]));
    done(&verify(&whole));
    let present = folder.path().join("data");
    copy_tree(&whole, &present);
    fs::set_permissions(&present, fs::Permissions::from_mode(0o700)).unwrap();
    let before = files(&present);
    for (name, says, spoil) in FAULTS {
        let spoiled = folder.path().join(name);
        copy_tree(&whole, &spoiled);
        spoil(&spoiled);
        let said = failed(&restore(&spoiled, &present, &["--yes"]));
        assert!(said.contains(says), "{name}: {said}");
        assert!(files(&present) == before, "{name} changed something: {:?}", names(&present));
        let absent = folder.path().join("absent");
        failed(&restore(&spoiled, &absent, &[]));
        assert!(!absent.exists(), "{name}");
        if *name != "other secrets" {
            let verified = failed(&verify(&spoiled));
            assert!(verified.contains(says), "{name}: {verified}");
        }
        fs::remove_dir_all(spoiled).unwrap();
    }
}

#[test]
fn an_archive_with_a_fault_is_refused() {
    let world = stopped("ben@example.com");
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.tar.zst");
    done(&backup(world.server.data_dir(), &whole, &[]));
    done(&verify(&whole));
    let content = fs::read(&whole).unwrap();
    let spoiled = folder.path().join("spoiled.tar.zst");
    let absent = folder.path().join("data");
    for part in [0, 1, 50, 90, 99] {
        let mut cut = content.clone();
        cut.truncate(content.len() * part / 100);
        let mut altered = content.clone();
        altered[content.len() * part / 100] ^= 0xff;
        for (name, bytes) in [("cut", cut), ("altered", altered)] {
            fs::write(&spoiled, bytes).unwrap();
            for said in [failed(&verify(&spoiled)), failed(&restore(&spoiled, &absent, &[]))] {
                assert!(said.contains("spoiled.tar.zst is damaged"), "{name} at {part} %: {said}");
            }
            assert!(!absent.exists(), "{name} at {part} %");
        }
    }
    assert!(failed(&verify(&folder.path().join("none"))).contains("there is no backup at"));
}

#[test]
fn secrets_are_left_out_or_sealed() {
    let world = stopped("ben@example.com");
    let data = world.server.data_dir();
    let folder = tempfile::tempdir().unwrap();
    let (without, sealed) = (folder.path().join("without"), folder.path().join("sealed.tar.zst"));
    let (right, wrong) = (folder.path().join("right"), folder.path().join("wrong"));
    fs::write(&right, "a passphrase for tests\n").unwrap();
    fs::write(&wrong, "another passphrase\n").unwrap();
    let passphrase = |path: &'static str| ["--passphrase-file", path];
    let (right, wrong): (&'static str, &'static str) =
        (right.to_str().unwrap().to_owned().leak(), wrong.to_str().unwrap().to_owned().leak());
    let fresh = |name: &str| folder.path().join(name);

    // Without secrets in the backup, the key has to come from elsewhere.
    done(&backup(data, &without, &["--without-secrets"]));
    assert!(!without.join("secrets.env").exists() && manifest(&without)["secrets"] == "left_out");
    let said = failed(&restore(&without, &fresh("one"), &[]));
    assert!(said.contains("has no CLOUD_SECRET_KEY"), "{said}");
    let other = "x".repeat(64);
    let keyed = |key: &str| {
        command(["restore", "--input"])
            .arg(&without)
            .arg("--data-dir")
            .arg(fresh("one"))
            .env("CLOUD_SECRET_KEY", key)
            .run()
    };
    let said = failed(&keyed(&other));
    assert!(said.contains("that is configured is not the one"), "{said}");
    assert!(!fresh("one").exists());
    let secrets = fs::read_to_string(data.join("secrets.env")).unwrap();
    let key = secrets.lines().find_map(|line| line.strip_prefix("CLOUD_SECRET_KEY=")).unwrap();
    done(&keyed(key));
    // Or from the data directory, which has it.
    done(&restore(&without, data, &["--yes"]));
    assert_eq!(fs::read_to_string(data.join("secrets.env")).unwrap(), secrets);

    // Sealed.
    let said = failed(&backup(data, &sealed, &["--seal"]));
    assert!(said.contains("--passphrase-file"), "{said}");
    let short = fresh("short");
    fs::write(&short, "short\n").unwrap();
    let short: &'static str = short.to_str().unwrap().to_owned().leak();
    assert!(failed(&backup(data, &sealed, &["--seal", "--passphrase-file", short])).contains("too short"));
    done(&backup(data, &sealed, &["--seal", "--passphrase-file", right]));
    done(&verify(&sealed));
    assert!(failed(&restore(&sealed, &fresh("two"), &[])).contains("are sealed"));
    let said = failed(&restore(&sealed, &fresh("two"), &passphrase(wrong)));
    assert!(said.contains("the passphrase is not the one"), "{said}");
    assert!(!fresh("two").exists());
    done(&restore(&sealed, &fresh("two"), &passphrase(right)));
    assert_eq!(fs::read_to_string(fresh("two").join("secrets.env")).unwrap(), secrets);
    assert!(accounts(&fresh("two")).contains("ben@example.com"));
    let archive = fs::read(&sealed).unwrap();
    let unpacked = zstd::decode_all(archive.as_slice()).unwrap();
    assert!(!unpacked.windows(key.len()).any(|part| part == key.as_bytes()), "the key is in a sealed backup");
}

#[test]
fn a_target_that_cannot_be_one_is_refused() {
    let server = Server::start();
    let data = server.data_dir();
    let folder = tempfile::tempdir().unwrap();
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("x"), "x").unwrap();
    let archive = folder.path().join("there.tar.zst");
    File::create(&archive).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(data, &link).unwrap();
    for (output, says) in [
        (full.clone(), "is not empty"),
        (archive.clone(), "exists already"),
        (data.join("backup"), "in the data directory"),
        (data.join("backup.tar.zst"), "in the data directory"),
        (link.join("backup"), "in the data directory"),
        (folder.path().join("missing/backup"), "No such file or directory"),
    ] {
        let said = failed(&backup(data, &output, &[]));
        assert!(said.contains(says), "{}: {said}", output.display());
    }
    assert_eq!(names(folder.path()), ["full", "link", "there.tar.zst"]);
    assert_eq!(fs::read(full.join("x")).unwrap(), b"x");
    let said = failed(&backup(&folder.path().join("nowhere"), &folder.path().join("b"), &[]));
    assert!(said.contains("has no main.db"), "{said}");
    // An empty directory is one.
    fs::remove_file(full.join("x")).unwrap();
    done(&backup(data, &full, &[]));
    let modes = files(&full).into_keys().map(|path| fs::metadata(path).unwrap().permissions().mode() & 0o777);
    assert!(modes.into_iter().all(|mode| mode == 0o600));
    assert_eq!(fs::metadata(&full).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_restore_while_the_server_runs_is_refused() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("backup");
    done(&backup(server.data_dir(), &path, &[]));
    let said = failed(&restore(&path, server.data_dir(), &["--yes"]));
    assert!(said.contains("in use by another mayday"), "{said}");
    server.anonymous().get("/health").send().expect(200);
    assert!(server.stop().success());
    // There is no terminal to ask on, and no option that confirms.
    let said = failed(&restore(&path, server.data_dir(), &[]));
    assert!(said.contains("is not empty") && said.contains("--yes"), "{said}");
}

/// Runs a command as root without the right to pass over the owners of files.
fn as_somebody(command: &Command) -> Output {
    let mut plain = Command::new("setpriv");
    plain
        .args(["--bounding-set=-all", "--inh-caps=-all"])
        .arg(command.get_program())
        .args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => plain.env(name, value),
            None => plain.env_remove(name),
        };
    }
    plain.run()
}

#[test]
fn a_folder_of_another_user_prevents_a_restore() {
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can give files away");
    }
    let (old, new) = (stopped("old@example.com"), stopped("new@example.com"));
    let (data, folder) = (old.server.data_dir(), tempfile::tempdir().unwrap());
    let path = folder.path().join("backup");
    done(&backup(new.server.data_dir(), &path, &[]));
    let theirs = data.join("theirs");
    fs::create_dir(&theirs).unwrap();
    fs::set_permissions(&theirs, fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::chown(&theirs, Some(1), Some(1)).unwrap();
    let before = names(data);
    let mut command = mayday(data, &["restore", "--yes", "--input"]);
    let said = failed(&as_somebody(command.arg(&path)));
    assert!(said.contains("theirs cannot be moved aside: it belongs to another user"), "{said}");
    assert_eq!(names(data), before);
    assert!(accounts(data).contains("old@example.com"));
    fs::remove_dir(theirs).unwrap();
    done(&as_somebody(&command));
    assert!(accounts(data).contains("new@example.com"));
    // The existing data is removed only on request.
    let remove = |options: &[&str]| mayday(data, &["restore", "--remove-kept"]).args(options).run();
    let kept = || names(data).iter().any(|name| name.starts_with("before-restore-"));
    let refused = remove(&[]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--yes removes it") && kept(), "{refused:?}");
    assert!(done(&remove(&["--yes"])).contains("before-restore-") && !kept());
    assert!(done(&remove(&["--yes"])).contains("No restore has kept anything"));
}

#[test]
fn a_new_instance_does_not_ignore_data_that_a_restore_moved_aside() {
    let world = stopped("old@example.com");
    let data = tempfile::tempdir().unwrap();
    fs::set_permissions(data.path(), fs::Permissions::from_mode(0o700)).unwrap();
    copy_tree(world.server.data_dir(), &data.path().join("before-restore-20261123T102030Z"));
    let said = failed(&mayday(data.path(), &["serve", "--listen", "127.0.0.1:0"]).run());
    assert!(said.contains("before-restore-") && said.contains("is missing or empty"), "{said}");
    assert!(!data.path().join("main.db").exists());
}

#[test]
fn a_restore_does_not_wait_for_a_pipe_in_a_backup() {
    let (world, folder) = (stopped("old@example.com"), tempfile::tempdir().unwrap());
    let path = folder.path().join("backup");
    done(&backup(world.server.data_dir(), &path, &[]));
    let data = folder.path().join("data");
    for name in ["secrets.env", "manifest.json"] {
        fs::remove_file(path.join(name)).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path.join(name),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        for said in [failed(&verify(&path)), failed(&restore(&path, &data, &["--yes"]))] {
            assert!(
                said.contains("not a file") || said.contains("neither a file nor a directory"),
                "{name}: {said}"
            );
        }
    }
}
