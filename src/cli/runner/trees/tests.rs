use super::*;
use rustix::fs::{CWD, mknodat};
use std::cell::Cell;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};
use tempfile::TempDir;

/// Folders of a test.
fn folders(names: [&str; 3]) -> (TempDir, [PathBuf; 3]) {
    let dir = tempfile::tempdir().unwrap();
    let made = names.map(|name| dir.path().join(name));
    made.iter().for_each(|folder| fs::create_dir(folder).unwrap());
    (dir, made)
}

fn write(folder: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

const TO_ITS_END: Check<'static> = &|| Ok(());

fn bounds(bytes: u64, without: &[u8]) -> Bounds<'_> {
    Bounds { bytes, without, check: TO_ITS_END }
}

#[test]
fn a_copy_has_the_files_links_rights_and_times() {
    let (_dir, [from, to, other]) = folders(["from", "to", "other"]);
    write(&from, "bin/run", "#!/bin/sh\n");
    fs::set_permissions(from.join("bin/run"), Permissions::from_mode(0o4755)).unwrap();
    let then = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::open(from.join("bin/run")).unwrap().set_modified(then).unwrap();
    fs::create_dir(from.join("empty")).unwrap();
    symlink("bin/run", from.join("link")).unwrap();
    symlink("/etc/shadow", from.join("out")).unwrap();
    let mode = Mode::from_raw_mode(0o600);
    mknodat(CWD, from.join("pipe"), FileType::Fifo, mode, 0).unwrap();
    fs::set_permissions(from.join("bin"), Permissions::from_mode(0o555)).unwrap();
    for without in [&b""[..], b"/no/such/folder"] {
        drop(fs::remove_dir_all(&to));
        fs::create_dir(&to).unwrap();
        // With what the links lead to.
        assert_eq!(copy(&from, &to, &bounds(28, without)), Ok(28));
        drop(fs::remove_dir_all(&other));
        fs::create_dir(&other).unwrap();
        assert!(copy(&from, &other, &bounds(27, without)).is_err());
        let run = fs::metadata(to.join("bin/run")).unwrap();
        assert_eq!((run.permissions().mode() & 0o7777, run.modified().unwrap()), (0o755, then));
        assert_eq!(fs::metadata(to.join("bin")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("bin/run"));
        assert_eq!(fs::read_link(to.join("out")).unwrap(), Path::new("/etc/shadow"));
        assert!(to.join("empty").is_dir() && !to.join("pipe").exists());
    }
    fs::set_permissions(from.join("bin"), Permissions::from_mode(0o755)).unwrap();
    // What is changed in a copy is not changed elsewhere.
    fs::write(to.join("bin/run"), "evil").unwrap();
    assert_eq!(fs::read_to_string(from.join("bin/run")).unwrap(), "#!/bin/sh\n");
}

#[test]
fn a_copy_ends_at_its_bounds() {
    let (dir, [from, to, other]) = folders(["from", "to", "other"]);
    write(&from, "a/file", "12345");
    write(&from, "b/file", "12345");
    assert_eq!(copy(&from, &to, &bounds(9, b"")).unwrap_err(), "it has more than 9 bytes");
    assert_eq!(copy(&from, &other, &bounds(9, b"x")).unwrap_err(), "it has more than 9 bytes");
    let stopped = Bounds { bytes: 10, without: b"", check: &|| Err("stopped".to_owned()) };
    assert_eq!(copy(&from, &dir.path().join("to"), &stopped).unwrap_err(), "stopped");
    let deep = (0..DEPTH_MAX + 1).map(|_| "d").collect::<Vec<_>>().join("/");
    let (_dir, [from, to, _]) = folders(["from", "to", "other"]);
    fs::create_dir_all(from.join(deep)).unwrap();
    assert!(copy(&from, &to, &bounds(9, b"")).unwrap_err().contains("too deep"));
}

#[test]
fn a_copy_can_be_stopped_within_a_folder_and_within_a_file() {
    let (_dir, [from, to, other]) = folders(["from", "to", "other"]);
    let copies = |to: &Path, without: &[u8]| {
        let asked = Cell::new(0);
        let check = || -> Result<()> {
            asked.set(asked.get() + 1);
            Ok(())
        };
        copy(&from, to, &Bounds { bytes: u64::MAX, without, check: &check }).unwrap();
        asked.get()
    };
    write(&from, "file", vec![b'x'; 3 * PIECE]);
    assert!(copies(&to, b"/work") >= 3, "between its pieces");
    for number in 0..100 {
        write(&from, &number.to_string(), "");
    }
    assert!(copies(&other, b"") >= 100, "between files");
}

#[test]
fn a_copy_lacks_nothing_without_saying_so() {
    let (_dir, [from, to, _]) = folders(["from", "to", "other"]);
    write(&from, "a/file", "12345");
    let folder = open(&from.join("a")).unwrap();
    assert_eq!(all_names(&folder, 9), Ok(vec![b"file".to_vec()]));
    assert_eq!(all_names(&folder, 0), Ok(Vec::new()));
    // One that is open, but not to be read.
    let folder = rustix::fs::open(from.join("a"), PLACE, Mode::empty()).unwrap();
    assert!(all_names(&folder, 9).is_err() && names(&folder, 9).is_empty());
    assert_eq!(copy(&from, &to, &bounds(9, b"")), Ok(5));
}

#[test]
fn what_was_made_read_only_can_be_removed() {
    let (dir, [from, other, _]) = folders(["from", "other", "to"]);
    write(&from, "a/b/file", "");
    write(&other, "file", "");
    symlink(&other, from.join("a/link")).unwrap();
    fs::set_permissions(&other, Permissions::from_mode(0o500)).unwrap();
    for (folder, mode) in [("a/b", 0o000), ("a", 0o500), ("", 0o555)] {
        fs::set_permissions(from.join(folder), Permissions::from_mode(mode)).unwrap();
    }
    // Root could remove it anyway.
    make_writable(&rustix::fs::open(&from, PLACE, Mode::empty()).unwrap(), 0);
    let mode = |folder: PathBuf| fs::metadata(folder).unwrap().permissions().mode() & 0o777;
    assert_eq!(["", "a", "a/b"].map(|folder| mode(from.join(folder))), [0o700; 3]);
    assert_eq!(mode(other.clone()), 0o500, "a link leads elsewhere");
    fs::set_permissions(from.join("a"), Permissions::from_mode(0o500)).unwrap();
    remove(&from).unwrap();
    assert!(!from.exists() && other.join("file").exists());
    assert_eq!(remove(&from).unwrap_err().kind(), ErrorKind::NotFound);
    fs::set_permissions(dir.path().join("other"), Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn what_may_not_be_in_a_copy_is_found_wherever_it_stands() {
    const PLACE: &[u8] = b"/work/runs/one";
    let tried = |make: &dyn Fn(&Path)| {
        let (_dir, [from, to, _]) = folders(["from", "to", "other"]);
        make(&from);
        copy(&from, &to, &bounds(u64::MAX, PLACE))
    };
    // At each place where one piece ends and the next one begins.
    for before in PIECE - PLACE.len() - 1..=PIECE + 1 {
        let content = [&vec![b'x'; before][..], PLACE, b"/repo"].concat();
        assert!(tried(&|from| write(from, "file", &content)).is_err(), "{before}");
    }
    assert!(tried(&|from| symlink("/work/runs/one/repo/bin", from.join("link")).unwrap()).is_err());
    let other = [&vec![b'x'; PIECE - 5][..], b"/work/runs/two/work/runs/on"].concat();
    assert_eq!(tried(&|from| write(from, "file", &other)), Ok(other.len() as u64));
}

#[test]
fn what_is_new_is_moved_and_nothing_else() {
    let (dir, [used, fresh, ready]) = folders(["used", "fresh", "ready"]);
    for folder in [&used, &fresh] {
        write(folder, "src/cart.mjs", "as it was");
        write(folder, "docs/index.md", "");
        write(folder, "link/file", "");
    }
    write(&used, "src/cart.mjs", "changed");
    write(&used, "src/generated/a.mjs", "");
    write(&used, "node_modules/x/index.js", "");
    write(&used, "node_modules/x/.git/config", "");
    write(&used, ".git/hooks/pre-commit", "evil");
    write(&used, "src/.GIT/config", "evil");
    write(&used, "src/.gitignore", "*");
    write(&used, ".gitattributes", "* eol=crlf");
    write(&used, "line\nbreak", "");
    // A link in the place of a folder leads nowhere.
    let outside = dir.path().join("outside");
    write(&outside, "secret", "");
    fs::remove_dir_all(used.join("link")).unwrap();
    symlink(&outside, used.join("link")).unwrap();
    let places = |moved: Vec<Vec<u8>>| {
        let mut places: Vec<String> =
            moved.into_iter().map(|place| String::from_utf8(place).unwrap()).collect();
        places.sort();
        places
    };
    let (moved, end) = move_new(&used, &fresh, &ready, TO_ITS_END);
    assert_eq!((places(moved), end), (["node_modules", "src/generated"].map(str::to_owned).to_vec(), Ok(())));
    assert!(!ready.join("src/.gitignore").exists());
    assert!(ready.join("node_modules/x/index.js").exists() && ready.join("src/generated/a.mjs").exists());
    assert!(!ready.join("docs").exists() && !ready.join(".git").exists() && !ready.join("link").exists());
    assert!(outside.join("secret").exists());
    // Into the checkout: what has come there meanwhile stays.
    write(&fresh, "src/generated", "the agent's own");
    let (moved, end) = move_new(&ready, &fresh, &fresh, TO_ITS_END);
    assert_eq!((places(moved), end), (vec!["node_modules".to_owned()], Ok(())));
    assert_eq!(fs::read_to_string(fresh.join("src/generated")).unwrap(), "the agent's own");
    assert_eq!(fs::read_to_string(fresh.join("src/cart.mjs")).unwrap(), "as it was");
    assert!(fresh.join("node_modules/x/index.js").exists());
}

#[test]
fn what_was_moved_is_told_even_if_it_is_not_all() {
    let (_dir, [from, to, _]) = folders(["from", "to", "other"]);
    for number in 0..=PLACES_MAX {
        write(&from, &number.to_string(), "");
    }
    let (moved, end) = move_new(&from, &to, &to, TO_ITS_END);
    assert_eq!((moved.len(), fs::read_dir(&to).unwrap().count()), (PLACES_MAX, PLACES_MAX));
    assert_eq!(end, Err(format!("it is in more than {PLACES_MAX} places")));
}
