//! The journal's recovery: whatever lies in its files, it never panics, never hands out a record that
//! was not written, and loses nothing in silence that was written whole.
//!
//! The files are written here as the format is described, not by the code that writes them.

use super::{Numbers, steer};
use mayday::store::Fatal;
use mayday::store::journal::Journal;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The first byte chooses between bytes as they are in the place of a file, and files that are written
/// whole and then damaged as the rest says.
pub(crate) fn target(data: &[u8]) {
    let ([head], rest) = steer(data);
    if head & 1 == 0 { raw(rest) } else { damaged(rest) }
}

/// Bytes that nobody wrote: nothing is read from them, unless they have the right checksums.
fn raw(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name(1)), bytes).unwrap();
    std::fs::write(folder.path().join("1.spare"), bytes).unwrap();
    let Some(found) = recovered(folder.path()) else { return };
    let longest = bytes.len() / 4;
    assert!(found.len() <= longest, "{} records in {} bytes", found.len(), bytes.len());
    for record in found.values().filter(|record| !record.is_empty()) {
        assert!(bytes.windows(record.len()).any(|window| window == record), "a record out of nowhere");
    }
}

fn name(first: i64) -> String {
    format!("{first:020}.journal")
}

/// A group of records within a file.
struct Group {
    file: usize,
    at: Range<usize>,
    records: BTreeMap<i64, Vec<u8>>,
}

/// What is written: the files in their order, with the position that each begins at.
#[derive(Default)]
struct Written {
    files: Vec<(i64, Vec<u8>)>,
    groups: Vec<Group>,
}

/// Journal files as they are written, of so many groups each.
fn written(numbers: &mut Numbers) -> Written {
    let mut all = Written::default();
    let (mut next, mut before) = (1_i64, 0_i64);
    for file in 0..=numbers.below(3) {
        let (first, nonce) = (next, numbers.0);
        let mut bytes = vec![0; HEADER];
        for _ in 0..=numbers.below(4) {
            let start = bytes.len();
            let records = records(numbers, next);
            bytes.extend(group(nonce, next, &records));
            next += records.len() as i64;
            all.groups.push(Group { file, at: start..bytes.len(), records });
        }
        bytes.resize(bytes.len() + numbers.below(3) * 100, 0);
        let header = header(nonce, first, before, bytes.len());
        bytes[..HEADER].copy_from_slice(&header);
        all.files.push((first, bytes));
        before = first;
    }
    all
}

/// Bytes before the first group.
const HEADER: usize = 48;
/// A record's kind and version.
const FORM: [u8; 2] = [1, 1];

fn header(nonce: u64, first: i64, before: i64, length: usize) -> Vec<u8> {
    let mut bytes = b"MAYDAYJ3".to_vec();
    for number in [nonce, first.cast_unsigned(), before.cast_unsigned(), length as u64] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(xxh3_64_with_seed(&bytes, 0).to_le_bytes());
    bytes
}

fn records(numbers: &mut Numbers, first: i64) -> BTreeMap<i64, Vec<u8>> {
    let one = |number: usize, length: usize| format!("record {number} {}", "x".repeat(length)).into_bytes();
    (0..=numbers.below(3)).map(|at| (first + at as i64, one(at, numbers.below(300)))).collect()
}

fn group(nonce: u64, first: i64, records: &BTreeMap<i64, Vec<u8>>) -> Vec<u8> {
    let mut body = Vec::new();
    for record in records.values() {
        body.extend((record.len() as u32).to_le_bytes());
        body.extend(FORM);
        body.extend(record);
    }
    let mut checked = b"\xf1GRP".to_vec();
    checked.extend((records.len() as u32).to_le_bytes());
    checked.extend((body.len() as u64).to_le_bytes());
    checked.extend(first.to_le_bytes());
    checked.extend(body);
    let mut group = xxh3_64_with_seed(&checked, nonce).to_le_bytes().to_vec();
    group.extend(checked);
    group
}

/// Damages files at up to three places and compares what is found with what was written.
fn damaged(script: &[u8]) {
    let (seed, mut rest) = steer::<4>(script);
    let mut written = written(&mut Numbers::new(u64::from(u32::from_le_bytes(seed))));
    let mut hurt: Vec<(usize, Range<usize>)> = Vec::new();
    for _ in 0..3 {
        let ([file, high, low, length, how], left) = steer(rest);
        if rest.is_empty() {
            break;
        }
        rest = left;
        let file = usize::from(file) % written.files.len();
        let bytes = &mut written.files[file].1;
        let at = (usize::from(high) << 8 | usize::from(low)) % bytes.len();
        let range = at..(at + 1 + usize::from(length)).min(bytes.len());
        match how % 4 {
            0 => bytes[range.clone()].fill(0),
            1 => bytes[range.clone()].iter_mut().for_each(|byte| *byte ^= how | 1),
            2 => bytes[range.clone()].rotate_left(range.len() / 2),
            _ => bytes[range.clone()].fill(how),
        }
        hurt.push((file, range));
    }
    compare(&written, &hurt);
}

fn compare(written: &Written, hurt: &[(usize, Range<usize>)]) {
    let folder = tempfile::tempdir().unwrap();
    for (first, bytes) in &written.files {
        std::fs::write(folder.path().join(name(*first)), bytes).unwrap();
    }
    let all: BTreeMap<i64, &Vec<u8>> =
        written.groups.iter().flat_map(|group| &group.records).map(|(at, record)| (*at, record)).collect();
    let Some(found) = recovered(folder.path()) else {
        assert!(!hurt.is_empty(), "files without damage open");
        return;
    };
    for (position, record) in &found {
        assert_eq!(all.get(position), Some(&record), "position {position} holds what was written there");
    }
    for group in &written.groups {
        let overlaps = |range: &Range<usize>| range.start < group.at.end && group.at.start < range.end;
        let is_whole = !hurt.iter().any(|(file, range)| *file == group.file && overlaps(range));
        let is_lost = group.records.keys().any(|position| !found.contains_key(position));
        assert!(
            !(is_whole && is_lost),
            "a whole group at {:?} of file {} is gone; damage: {hurt:?}",
            group.at,
            group.file
        );
    }
}

type Found = BTreeMap<i64, Vec<u8>>;

/// Every record that the journal finds; `None` when it refuses to open or to read.
fn recovered(folder: &Path) -> Option<Found> {
    let journal = Journal::open(folder, 0, &Fatal::new().0).ok()?;
    let (mut found, mut last) = (BTreeMap::new(), 0);
    let read = loop {
        match journal.after(last, 3, 1_000) {
            Ok(records) if records.is_empty() => break Some(()),
            Ok(records) => {
                for record in records {
                    assert!(record.position > last, "positions rise");
                    last = record.position;
                    found.insert(record.position, record.bytes);
                }
            }
            Err(_) => break None,
        }
    };
    let standing = journal.standing();
    journal.stop();
    read?;
    assert!(standing.last >= last);
    Some(found)
}
