use super::*;
use std::os::unix::fs::MetadataExt as _;

const FORMS: [&str; 2] = ["v1", "map"];

fn filled(folder: &Path, names: &[&[u8]]) -> Blobs {
    let blobs = Blobs::open(folder.join("maps")).unwrap();
    names.iter().for_each(|name| add(&blobs, name));
    blobs
}

fn add(blobs: &Blobs, name: &[u8]) {
    for form in FORMS {
        let mut file = blobs.temporary().unwrap();
        std::io::Write::write_all(&mut file, name).unwrap();
        blobs.keep(file, blake3::hash(name).as_bytes(), form).unwrap();
    }
}

fn has(blobs: &Blobs, name: &[u8]) -> bool {
    let whole =
        |form| std::fs::read(blobs.path(blake3::hash(name).as_bytes(), form)).is_ok_and(|read| read == name);
    FORMS.into_iter().all(whole)
}

#[test]
fn a_copy_has_what_was_removed_and_added_while_it_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = filled(folder.path(), &[b"stays", b"goes"]);
    let copy = folder.path().join("copy");
    let removed = blobs.bequeath(&copy).unwrap();
    blobs.remove(blake3::hash(b"goes").as_bytes(), &FORMS).unwrap();
    blobs.remove(blake3::hash(b"never was there").as_bytes(), &FORMS).unwrap();
    add(&blobs, b"comes");
    removed.copy(&Stop::default()).unwrap();
    assert!(!has(&blobs, b"goes"));
    let copied = Blobs::open(copy).unwrap();
    for name in [&b"stays"[..], b"goes", b"comes"] {
        assert!(has(&copied, name), "{name:?}");
    }
    // Later changes do not affect it.
    blobs.remove(blake3::hash(b"stays").as_bytes(), &FORMS).unwrap();
    assert!(has(&copied, b"stays"));
}

#[test]
fn immutable_files_are_hard_linked() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = filled(folder.path(), &[b"a"]);
    let copy = folder.path().join("copy");
    blobs.bequeath(&copy).unwrap().copy(&Stop::default()).unwrap();
    let copied = Blobs::open(copy).unwrap();
    let inode =
        |blobs: &Blobs| std::fs::metadata(blobs.path(blake3::hash(b"a").as_bytes(), "v1")).unwrap().ino();
    assert_eq!(inode(&copied), inode(&blobs));
}

#[test]
fn where_no_link_can_be_made_the_bytes_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let (from, target) = (folder.path().join("from"), folder.path().join("to"));
    std::fs::write(&from, "whole").unwrap();
    copy(&from, &target, folder.path()).unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), b"whole");
    assert_ne!(std::fs::metadata(&from).unwrap().ino(), std::fs::metadata(&target).unwrap().ino());
    copy(&folder.path().join("gone"), &target, folder.path()).unwrap();
}

#[test]
fn what_cannot_be_handed_on_fails_the_copy_and_is_removed_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = filled(folder.path(), &[b"a"]);
    let copy = folder.path().join("copy");
    let removed = blobs.bequeath(&copy).unwrap();
    std::fs::write(&copy, "no directory").unwrap();
    blobs.remove(blake3::hash(b"a").as_bytes(), &FORMS).unwrap();
    assert!(!has(&blobs, b"a"));
    std::fs::remove_file(&copy).unwrap();
    assert!(matches!(removed.copy(&Stop::default()), Err(Error::Unavailable { .. })));
}

#[test]
fn one_copy_is_made_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = filled(folder.path(), &[]);
    let first = blobs.bequeath(&folder.path().join("a")).unwrap();
    assert!(blobs.clone().bequeath(&folder.path().join("b")).is_err());
    drop(first);
    blobs.bequeath(&folder.path().join("b")).unwrap().copy(&Stop::default()).unwrap();
}
