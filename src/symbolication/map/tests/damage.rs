//! Damaged compact files are refused when opened; and if bytes change later (or the checksum was forged),
//! every read still returns an answer or `None`.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::super::format::{TRAILER_LEN, UNCHECKED_TAIL, VERSION};
use super::super::{Map, OpenError};
use super::{Random, compact, identity};

const SOURCE: &str = "const a = () => {\n  b('é😀');\n};\nclass C { d() { e() } }\n";

fn open(folder: &Path, bytes: &[u8]) -> Result<Map, OpenError> {
    let path = folder.join("damaged");
    // A new inode each time, because the old one may still be mapped.
    let _ = std::fs::remove_file(&path);
    std::fs::write(&path, bytes).expect("write");
    Map::open(&path)
}

/// Calls every method.
fn exercise(map: &Map) {
    for column in (0..200).chain([u32::MAX]) {
        for line in [0, 1, 2, u32::MAX] {
            if let Some(location) = map.lookup(line, column) {
                for n in [0, 5, usize::MAX] {
                    if let Some(context) = map.context(&location, n) {
                        let _ = (context.pre(), context.line(), context.post());
                    }
                }
                let _ = map.source_text(location.source);
            }
        }
    }
    // A wrong length of the source table may claim millions.
    let _ = map.sources().take(100).count();
}

#[test]
fn every_truncation_is_refused() {
    let compact = compact(&identity("a.ts", SOURCE));
    let folder = tempfile::tempdir().expect("temporary folder");
    for len in 0..compact.bytes.len() {
        assert!(open(folder.path(), &compact.bytes[..len]).is_err(), "cut at {len}");
    }
    let mut longer = compact.bytes.clone();
    longer.push(b'\n');
    assert!(open(folder.path(), &longer).is_err());
}

#[test]
fn every_flipped_bit_is_refused() {
    let compact = compact(&identity("a.ts", SOURCE));
    let folder = tempfile::tempdir().expect("temporary folder");
    for at in 0..compact.bytes.len() {
        let mut bytes = compact.bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(open(folder.path(), &bytes).is_err(), "byte {at}");
    }
}

#[test]
fn another_version_is_distinguished_from_damage() {
    let compact = compact(&identity("a.ts", SOURCE));
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut bytes = compact.bytes.clone();
    let at = bytes.len() - UNCHECKED_TAIL - 4;
    bytes[at] = 99;
    match open(folder.path(), &bytes) {
        Err(OpenError::Version { got: 99, expected: VERSION }) => {}
        other => panic!("{other:?}"),
    }
    assert!(matches!(Map::open(folder.path().join("none")), Err(OpenError::Io(_))));
    assert!(matches!(open(folder.path(), b"{}"), Err(OpenError::Damaged(_))));
}

#[test]
fn damage_with_a_right_checksum_never_panics() {
    let compact = compact(&identity("a.ts", SOURCE));
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut random = Random(0xDA_4A6E);
    let (mut opened, len) = (0, compact.bytes.len());
    for round in 0..1500 {
        let mut bytes = compact.bytes.clone();
        for _ in 0..1 + random.below(4) {
            // Half of the damage is in the tables at the end, which everything depends on.
            let last = (len - UNCHECKED_TAIL) as u32;
            let at = match random.below(2) {
                0 => random.below(last),
                _ => last - 1 - random.below(TRAILER_LEN as u32 + 200).min(last - 1),
            };
            bytes[at as usize] = random.below(256) as u8;
        }
        let sum = xxh3_64(&bytes[..len - UNCHECKED_TAIL]).to_le_bytes();
        bytes[len - UNCHECKED_TAIL..len - 8].copy_from_slice(&sum);
        if let Ok(map) = open(folder.path(), &bytes) {
            opened += 1;
            exercise(&map);
        }
        assert!(round < 100 || opened > 10, "the checksum was not mended");
    }
}
