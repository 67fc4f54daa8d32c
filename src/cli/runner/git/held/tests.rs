//! Which changes are held back, and which are pushed.

use super::super::TO_ITS_END;
use super::super::tests::{World, git};
use super::*;
use std::fs;
use std::os::unix::fs::symlink;

const SECRET_KEY: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// The changes by `act` that are held back, as `path reason`.
fn held(act: impl FnOnce(&std::path::Path)) -> Vec<String> {
    let world = World::new();
    let (mirror, work) = world.run(act);
    let base = mirror.commit(None).unwrap();
    let held = mirror.held((&work.unwrap().unwrap(), &base), &[], TO_ITS_END).unwrap();
    held.iter().map(ToString::to_string).collect()
}

#[test]
fn links_are_followed_as_they_are_written() {
    for (path, target, expected) in [
        ("link", "src/cart.mjs", false),
        ("a/b/link", "../../c", false),
        ("a/b/link", "../../../c", true),
        ("link", "..", true),
        ("link", "/etc/passwd", true),
        ("link", "a/../../b", true),
        // `up` may be a link, too.
        ("a/b/c/l", "up/../x", true),
        ("link", ".GIT/config", true),
        ("link", "C:/Windows", true),
    ] {
        assert_eq!(leads_out(path, target), expected, "{path} {target}");
    }
}

#[test]
fn truncated_lists_are_refused() {
    let one = ":100644 100644 a b M\0src/cart.mjs\0";
    assert_eq!(changes(&one.repeat(2)).unwrap().len(), 2);
    assert_eq!(changes("").unwrap().len(), 0);
    assert!(changes(":100644 100644 a b M").is_none());
    assert!(changes(&format!("{one}:100644 1")).is_none());
}

#[test]
fn only_new_secrets_count() {
    let secret = format!("const key = \"ghp_{}\";", "0123456789abcdefghijABCDEFGHIJ012345");
    assert!(has_new_secret("a\nb", &format!("a\n{secret}\nb")));
    assert!(has_new_secret("", &secret));
    assert!(!has_new_secret(&secret, &format!("a\r\n{secret}")));
}

#[test]
fn removed_content_is_in_nothing_that_is_pushed() {
    let world = World::new();
    let (mirror, work) = world.run(|repo| {
        fs::create_dir_all(repo.join(".github/workflows")).unwrap();
        fs::write(repo.join(".github/workflows/run.yml"), "on: push\n").unwrap();
        git(repo, &["add", "."]);
        git(repo, &["commit", "--quiet", "-m", &format!("With {SECRET_KEY}")]);
        fs::remove_dir_all(repo.join(".github")).unwrap();
        fs::write(repo.join("cart.js"), "mended\n").unwrap();
        git(repo, &["add", "--all"]);
        git(repo, &["commit", "--quiet", "-m", &format!("Mend it with {SECRET_KEY}")]);
    });
    let work = work.unwrap().unwrap();
    mirror.push(&work, "mayday/x", TO_ITS_END).unwrap();
    let pushed = git(&world.host(), &["rev-list", "--objects", "mayday/x"]);
    assert!(!pushed.contains(".github"), "{pushed}");
    let log = git(&world.host(), &["log", "--format=%B", "mayday/x"]);
    assert!(log.starts_with("Mend it with ") && !log.contains(SECRET_KEY), "{log}");
}

#[test]
fn secrets_are_found_in_all_kinds_of_files() {
    let wide: Vec<u8> = format!("key = {SECRET_KEY}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let found = held(|repo| {
        fs::write(repo.join("plain ä.js"), format!("const key = '{SECRET_KEY}';\n")).unwrap();
        fs::write(repo.join("binary"), format!("\0\u{1}{SECRET_KEY}\0")).unwrap();
        fs::write(repo.join("wide.txt"), &wide).unwrap();
        fs::write(repo.join("none.js"), "const key = process.env.KEY;\n").unwrap();
    });
    assert_eq!(found, ["binary", "plain ä.js", "wide.txt"].map(|path| format!("{path} {SECRET}")));
}

#[test]
fn links_and_large_files_need_a_review() {
    let found = held(|repo| {
        symlink("../outside", repo.join("link")).unwrap();
        symlink("cart.js", repo.join("inside")).unwrap();
        symlink("ci", repo.join(".husky")).unwrap();
        fs::write(repo.join("large"), vec![b'x'; (1 << 20) + 1]).unwrap();
    });
    assert_eq!(
        found,
        [format!(".husky {}", names::RUNS), format!("large {LARGE}"), format!("link {LEAVES}")]
    );
}

#[test]
fn more_files_than_are_read_need_a_review() {
    let found = held(|repo| {
        for number in 0..=FILES_MAX {
            fs::write(repo.join(format!("f{number}")), "").unwrap();
        }
    });
    assert_eq!(found, [UNREAD]);
}
