use super::*;
use std::os::unix::fs::FileExt as _;

mod forms;
mod reuse;

fn open(dir: &Path, read: i64) -> Journal {
    try_open(dir, read).unwrap()
}

fn try_open(dir: &Path, read: i64) -> Result<Journal> {
    Journal::open(dir, read, &Fatal::new().0)
}

const FORM: Form = Form { kind: 7, version: 3 };

fn framed(records: &[&[u8]]) -> Vec<u8> {
    let mut into = Vec::new();
    for record in records {
        put(&mut into, FORM, record);
    }
    into
}

fn put(into: &mut Vec<u8>, form: Form, bytes: &[u8]) {
    let write = |into: &mut Vec<u8>| {
        into.extend_from_slice(bytes);
        Ok(())
    };
    frame(into, form, write).unwrap();
}

async fn add(journal: &Journal, records: &[&[u8]]) {
    journal.append(framed(records), u32::try_from(records.len()).unwrap()).await.unwrap();
}

/// Appends numbered records of 1 KB until there are `files` journal files; returns how many it appended.
async fn fill(journal: &Journal, dir: &Path, files: usize) -> usize {
    let mut count = 0;
    while names(dir, "journal").len() < files {
        add(journal, &[&numbered(count)]).await;
        count += 1;
    }
    count
}

fn numbered(number: usize) -> Vec<u8> {
    let mut record = number.to_string().into_bytes();
    record.resize(1_000, b'.');
    record
}

fn texts(journal: &Journal, position: i64) -> Vec<String> {
    let text = |record: Record| String::from_utf8(record.bytes).unwrap();
    journal.after(position, 10_000, 1 << 30).unwrap().into_iter().map(text).collect()
}

fn names(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    paths.sort();
    paths
}

/// Why the journal does not open.
fn refused(dir: &Path, read: i64) -> String {
    match try_open(dir, read).err().expect("it is refused") {
        Error::Internal(text) => text.to_string(),
        other => panic!("{other:?}"),
    }
}

fn copied(dir: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    copy
}

/// What an operator does to accept the loss.
fn accept_loss(dir: &Path) {
    std::fs::write(dir.join(ACCEPT_LOSS), "").unwrap();
}

/// Applies `change` to the file's bytes, for the next start.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn records_are_read_in_order_in_pieces_and_again() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    add(&journal, &[b"a"]).await;
    add(&journal, &[b"b", b"c"]).await;
    let first = journal.after(0, 2, 100).unwrap();
    assert_eq!(first[1], Record { position: 2, form: FORM, bytes: b"b".into() });
    assert_eq!(journal.after(2, 9, 100).unwrap()[0], Record { position: 3, form: FORM, bytes: b"c".into() });
    assert_eq!(texts(&journal, 0), ["a", "b", "c"], "reading goes back");
    assert_eq!(texts(&journal, 3), [""; 0]);
    add(&journal, &[b"", b"e"]).await;
    assert_eq!(texts(&journal, 3), ["", "e"]);
    assert_eq!(journal.after(0, 9, 2).unwrap().len(), 2, "ends past the bytes");
}

/// As the digest looks ahead, and takes a part of what it saw.
#[tokio::test]
async fn going_back_or_ahead_in_a_file_does_not_read_it_from_its_start() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    for number in 0..40 {
        add(&journal, &[&numbered(number)]).await;
    }
    assert_eq!(journal.look_ahead(0, 30, 1 << 20).unwrap().len(), 30);
    let path = names(dir.path(), "journal").remove(0);
    std::fs::File::options().write(true).open(&path).unwrap().write_all_at(b"?", 100).unwrap();
    for number in [20, 35, 7, 39, 12, 13] {
        let found = journal.look_ahead(number, 2, 1 << 20).unwrap();
        let numbered = numbered(usize::try_from(number).unwrap());
        assert_eq!(found[0], Record { position: number + 1, form: FORM, bytes: numbered }, "{number}");
    }
    assert!(journal.look_ahead(0, 1, 1).is_err(), "the first one is damaged");
}

#[tokio::test]
async fn what_was_answered_is_there_after_the_process_ended_in_any_way() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..5 {
        // Never stopped: as after a kill.
        let journal = open(dir.path(), 0);
        journal.check().await.unwrap();
        add(&journal, &[format!("{round}").as_bytes()]).await;
        journal.check().await.unwrap();
    }
    let journal = open(dir.path(), 0);
    assert_eq!(texts(&journal, 0), ["0", "1", "2", "3", "4"]);
    assert_eq!(texts(&open(dir.path(), 3), 3), ["3", "4"]);
    assert_eq!(names(dir.path(), "journal").len(), 2, "what was read is gone");
}

#[tokio::test]
async fn a_group_that_is_not_whole_is_as_if_it_was_never_sent() {
    let dir = tempfile::tempdir().unwrap();
    let (first, last) = ([b'x'; 40], [b'y'; 50]);
    let journal = open(dir.path(), 0);
    add(&journal, &[&first]).await;
    add(&journal, &[&last]).await;
    let path = names(dir.path(), "journal").remove(0);
    let whole = std::fs::read(&path).unwrap();
    let mark = std::fs::read(dir.path().join(newest::FILE)).unwrap();
    let start = whole.windows(2).position(|bytes| bytes == b"xx").unwrap() + 40;
    let end = start + segment::GROUP_HEAD + RECORD_HEAD + 50;
    assert_eq!(&whole[end - 50..end], last);
    for cut in start..end {
        let dir = tempfile::tempdir().unwrap();
        let mut torn = whole.clone();
        torn[cut..].fill(0);
        std::fs::write(dir.path().join(path.file_name().unwrap()), torn).unwrap();
        std::fs::write(dir.path().join(newest::FILE), &mark).unwrap();
        let journal = open(dir.path(), 0);
        assert_eq!(journal.standing().last, 1, "cut at {cut}");
        add(&journal, &[b"next"]).await;
        assert_eq!(texts(&journal, 1), ["next"]);
        assert_eq!(texts(&open(dir.path(), 0), 1), ["next"]);
    }
}

#[tokio::test]
async fn damage_before_the_end_refuses_the_start_and_names_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    let count = fill(&journal, dir.path(), 3).await;
    let files = names(dir.path(), "journal");
    for (file, at) in [(0, 500), (0, 5), (0, 63_000), (1, 33_000), (2, 49)] {
        let flip = |bytes: &mut Vec<u8>| bytes[at] ^= 1;
        if file == 2 {
            add(&journal, &[&numbered(count)]).await;
        }
        change(&files[file], flip);
        let text = refused(dir.path(), 0);
        assert!(text.contains(files[file].to_str().unwrap()), "{file} {at}: {text}");
        assert!(text.contains("the data directory from a backup"), "{text}");
        change(&files[file], flip);
    }
    assert_eq!(texts(&open(dir.path(), 0), 0).len(), count + 1);
}

/// The rest of a file is searched in pieces, and a group may begin anywhere in one.
#[tokio::test]
async fn damage_is_told_from_an_end_wherever_the_next_group_begins() {
    for length in 1..140 {
        let dir = tempfile::tempdir().unwrap();
        let journal = open(dir.path(), 0);
        add(&journal, &[&vec![b'.'; length]]).await;
        add(&journal, &[b"the next"]).await;
        drop(journal);
        change(&names(dir.path(), "journal")[0], |bytes| bytes[49] ^= 1);
        assert!(try_open(dir.path(), 0).is_err(), "behind {length} bytes");
    }
}

#[tokio::test]
async fn damage_met_while_reading_ends_the_process() {
    let dir = tempfile::tempdir().unwrap();
    let (fatal, raised) = Fatal::new();
    let journal = Journal::open(dir.path(), 0, &fatal).unwrap();
    add(&journal, &[b"abc"]).await;
    let path = names(dir.path(), "journal").remove(0);
    std::fs::File::options().write(true).open(&path).unwrap().write_all_at(b"?", 85).unwrap();
    assert!(journal.after(0, 1, 1).is_err());
    assert!(raised.borrow().as_ref().unwrap().contains("is damaged"));
}

#[tokio::test]
async fn a_file_that_is_cut_while_it_is_read_ends_the_process() {
    let dir = tempfile::tempdir().unwrap();
    let (fatal, raised) = Fatal::new();
    let journal = Journal::open(dir.path(), 0, &fatal).unwrap();
    add(&journal, &[b"abc"]).await;
    let path = names(dir.path(), "journal").remove(0);
    std::fs::File::options().write(true).open(&path).unwrap().set_len(60).unwrap();
    assert!(journal.after(0, 1, 1).is_err());
    assert!(raised.borrow().as_ref().unwrap().contains("is damaged"));
}

/// A lost page: neither the header nor the first group is there.
#[tokio::test]
async fn a_file_without_its_first_page_is_damaged_as_long_as_groups_follow() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    for number in 0..10 {
        add(&journal, &[&numbered(number)]).await;
    }
    let path = names(dir.path(), "journal").remove(0);
    change(&path, |bytes| bytes[..4_096].fill(0));
    assert!(try_open(dir.path(), 0).is_err());
    // Nothing is left of it, although it was acknowledged.
    change(&path, |bytes| bytes.fill(0));
    assert!(refused(dir.path(), 0).contains("is damaged at its start"));
}

/// The mark is written before anything is acknowledged.
#[tokio::test]
async fn a_file_that_is_not_marked_holds_nothing_that_was_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    let unused = std::fs::read(dir.path().join(newest::FILE)).unwrap();
    journal.check().await.unwrap();
    add(&journal, &[b"abc"]).await;
    std::fs::write(dir.path().join(newest::FILE), unused).unwrap();
    change(&names(dir.path(), "journal")[0], |bytes| bytes.fill(0));
    assert_eq!(texts(&open(dir.path(), 0), 0), [""; 0]);
}

#[tokio::test]
async fn a_file_that_was_cut_is_damaged_wherever_that_was() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    let count = fill(&journal, dir.path(), 3).await;
    let files = names(dir.path(), "journal");
    for file in &files {
        let whole = std::fs::read(file).unwrap();
        for length in [0, 47, 48, 100, 1_000, 40_000, SEGMENT_BYTES as usize - 1] {
            change(file, |bytes| bytes.truncate(length));
            let text = refused(dir.path(), 0);
            assert!(text.contains(file.to_str().unwrap()), "{length}: {text}");
            assert!(
                text.contains("the data directory from a backup") && text.contains(ACCEPT_LOSS),
                "{text}"
            );
            std::fs::write(file, &whole).unwrap();
        }
    }
    assert_eq!(texts(&open(dir.path(), 0), 0).len(), count);
}

#[tokio::test]
async fn a_file_that_was_taken_away_is_missed() {
    let dir = tempfile::tempdir().unwrap();
    let count = fill(&open(dir.path(), 0), dir.path(), 4).await;
    let files = names(dir.path(), "journal");
    assert_eq!(texts(&open(dir.path(), 0), 0).len(), count);
    for file in &files {
        let away = dir.path().join("away");
        std::fs::rename(file, &away).unwrap();
        let text = refused(dir.path(), 0);
        assert!(text.contains("missing") && text.contains("the data directory from a backup"), "{text}");
        std::fs::rename(&away, file).unwrap();
    }
    assert_eq!(texts(&open(dir.path(), 0), 0).len(), count);
    // What has been read is no longer needed.
    std::fs::remove_file(&files[0]).unwrap();
    let (from, second) = (Path::new(&files[1]).file_stem().unwrap().to_str().unwrap(), &files[1]);
    let second: i64 = from.parse().unwrap_or_else(|_| panic!("{}", second.display()));
    assert_eq!(texts(&open(dir.path(), second - 1), second - 1).len(), count - second as usize + 1);
}

#[tokio::test]
async fn the_only_file_and_the_mark_are_missed_as_well() {
    let dir = tempfile::tempdir().unwrap();
    add(&open(dir.path(), 0), &[b"a", b"b"]).await;
    let file = names(dir.path(), "journal").remove(0);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(refused(dir.path(), 0).contains(file.to_str().unwrap()));
    assert!(refused(dir.path(), 2).contains(file.to_str().unwrap()), "nobody knows what else it had");
    std::fs::write(&file, bytes).unwrap();
    std::fs::remove_file(dir.path().join(newest::FILE)).unwrap();
    assert!(refused(dir.path(), 1).contains(newest::FILE));
}

#[tokio::test]
async fn an_older_reader_gets_what_is_left_and_learns_what_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    add(&journal, &[b"a", b"b"]).await;
    add(&journal, &[b"c"]).await;
    drop(journal);
    assert_eq!(texts(&open(dir.path(), 2), 2), ["c"]);
    assert_eq!(texts(&open(dir.path(), 1), 1), ["b", "c"], "as a backup that is older left it");
    drop(open(dir.path(), 3));
    let text = refused(dir.path(), 1);
    assert!(text.contains("the events 2 to 3 are missing"), "{text}");
    drop(open(dir.path(), 7));
    assert_eq!(texts(&open(dir.path(), 7), 7), [""; 0], "a newer one goes on");
}

#[tokio::test]
async fn lost_records_are_given_up_when_accepted_and_only_once() {
    let dir = tempfile::tempdir().unwrap();
    let count = fill(&open(dir.path(), 0), dir.path(), 5).await;
    let files = names(dir.path(), "journal");
    std::fs::remove_file(&files[1]).unwrap();
    change(&files[2], |bytes| bytes.truncate(40_000));
    change(&files[3], |bytes| bytes[10] ^= 1);
    std::fs::remove_file(&files[4]).unwrap();
    refused(dir.path(), 0);
    accept_loss(dir.path());
    let journal = open(dir.path(), 0);
    let left = texts(&journal, 0);
    assert!((count / 5..count / 2).contains(&left.len()), "{} of {count}", left.len());
    assert!(!dir.path().join(ACCEPT_LOSS).exists());
    add(&journal, &[b"new"]).await;
    assert!(journal.newest() > count as i64 + 100, "what was lost may have had more positions");
    drop(journal);
    // The loss was accepted until all of it was read.
    let all = texts(&open(dir.path(), 0), 0);
    assert_eq!((all.len(), all.last().unwrap().as_str()), (left.len() + 1, "new"));
    std::fs::remove_file(names(dir.path(), "journal").pop().unwrap()).unwrap();
    refused(dir.path(), 0);
}

#[tokio::test]
async fn positions_are_never_used_twice_even_when_the_files_were_lost() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    add(&journal, &[b"a"]).await;
    // `main.db` is newer than the files.
    let journal = open(dir.path(), 41);
    add(&journal, &[b"b"]).await;
    assert_eq!(journal.after(41, 1, 1).unwrap()[0].position, 42);
    std::fs::remove_dir_all(dir.path()).unwrap();
    std::fs::create_dir(dir.path()).unwrap();
    accept_loss(dir.path());
    let journal = open(dir.path(), 90);
    add(&journal, &[b"c"]).await;
    assert!(journal.after(90, 1, 1).unwrap()[0].position > 90);
    assert_eq!(texts(&open(dir.path(), 90), 90), ["c"]);
}

#[tokio::test]
async fn many_at_once_share_groups_and_keep_their_order_of_answers() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    let send = |number: usize| {
        let journal = journal.clone();
        tokio::spawn(async move { add(&journal, &[&numbered(number)]).await })
    };
    let tasks: Vec<_> = (0..300).map(send).collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut found = texts(&open(dir.path(), 0), 0);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 300);
    journal.stop();
    assert!(journal.append(framed(&[b"late"]), 1).await.is_err());
}
