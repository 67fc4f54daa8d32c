//! A repository of two gigabytes, most of them in its history.

use super::Shop;
use crate::support::json;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Deleted files, and bytes of each: git compresses files of over 512 MiB without comparing them.
const FILES: usize = 3;
const BYTES: usize = 700 << 20;
/// Small files beside them: git keeps fetched packs only from 100 objects on.
const NOTES: usize = 200;
const GIB: u64 = 1 << 30;

/// Adds the files in one commit and removes them in the next.
fn grow(host: &Path) {
    let mut import = Command::new("git")
        .args(["-c", "core.compression=0", "fast-import", "--quiet"])
        .current_dir(host)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stream = import.stdin.take().unwrap();
    let piece = vec![0; 1 << 20];
    for number in 0..FILES {
        // Each begins with another byte.
        write!(stream, "blob\nmark :{}\ndata {}\n{number}", number + 1, BYTES + 1).unwrap();
        (0..BYTES / piece.len()).for_each(|_| stream.write_all(&piece).unwrap());
        writeln!(stream).unwrap();
    }
    let commit = "commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 0\n";
    writeln!(stream, "{commit}from refs/heads/main^0").unwrap();
    for number in 0..FILES {
        writeln!(stream, "M 100644 :{} video-{number}", number + 1).unwrap();
    }
    for number in 0..NOTES {
        let note = number.to_string();
        writeln!(stream, "M 100644 inline note-{note}\ndata {}\n{note}", note.len()).unwrap();
    }
    write!(stream, "\n{commit}").unwrap();
    for number in 0..FILES {
        writeln!(stream, "D video-{number}").unwrap();
    }
    writeln!(stream, "\ndone").unwrap();
    drop(stream);
    assert!(import.wait().unwrap().success());
}

/// Bytes of a folder on the disk.
fn bytes(folder: &Path) -> u64 {
    let output = Command::new("du").args(["--summarize", "--block-size=1"]).arg(folder).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.split_whitespace().next().unwrap().parse().unwrap()
}

/// Bytes that are free on the disk of a folder.
fn left(folder: &Path) -> u64 {
    let disk = rustix::fs::statvfs(folder).unwrap();
    disk.f_bavail * disk.f_frsize
}

#[test]
fn a_repository_of_two_gigabytes_is_worked_in() {
    let shop = Shop::new();
    if left(shop.dir.path()) < 8 * GIB {
        eprintln!("not tried: less than 8 GiB are left on this disk");
        return;
    }
    grow(&shop.host());
    assert!(bytes(&shop.host()) > 2 * GIB);
    let script = "echo mended >> src/cart.mjs\ngit log --oneline | wc -l\n";
    let machine = shop.machine(script, &[]);
    let mut sizes = Vec::new();
    for _ in 0..2 {
        let session = shop.session(&json!({}));
        let told = shop.ended(&session);
        assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
        assert_eq!(shop.output(&session), "3\n", "the whole history is there");
        assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("mended"));
        sizes.push(bytes(&machine.home()));
    }
    assert!(sizes[0] > 2 * GIB && sizes[1] < sizes[0] + GIB / 8, "a second copy was made: {sizes:?}");
    assert!(machine.memory() < 100 << 10, "{} KiB", machine.memory());
}
