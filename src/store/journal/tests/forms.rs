//! Kinds and versions: of records, and of the files.

use super::*;

#[tokio::test]
async fn every_record_is_returned_with_its_form() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    let forms: Vec<Form> = (0..=255).map(|kind| Form { kind, version: 255 - kind }).collect();
    let mut group = Vec::new();
    for form in &forms {
        put(&mut group, *form, &[form.kind; 3]);
    }
    journal.append(group, 256).await.unwrap();
    for journal in [journal, open(dir.path(), 0)] {
        let records = journal.after(0, 1_000, 1 << 20).unwrap();
        assert_eq!(records.iter().map(|record| record.form).collect::<Vec<_>>(), forms);
        assert!(records.iter().all(|record| record.bytes == [record.form.kind; 3]));
    }
}

#[test]
fn what_cannot_be_framed_leaves_nothing() {
    let mut group = framed(&[b"a"]);
    let before = group.clone();
    let write = |into: &mut Vec<u8>| {
        into.push(1);
        Err(Error::invalid("no"))
    };
    assert!(frame(&mut group, FORM, write).is_err());
    assert_eq!(group, before);
}

/// A file of another version is intact: it does not count as damaged, and an operator cannot give up its
/// content.
#[tokio::test]
async fn a_file_of_another_version_refuses_the_start_and_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    add(&open(dir.path(), 0), &[b"a"]).await;
    let file = names(dir.path(), "journal").remove(0);
    change(&file, |bytes| {
        bytes[7] = b'9';
        let checksum = xxhash_rust::xxh3::xxh3_64_with_seed(&bytes[..40], 0);
        bytes[40..48].copy_from_slice(&checksum.to_le_bytes());
    });
    let newer = std::fs::read(&file).unwrap();
    for _ in 0..2 {
        let text = refused(dir.path(), 0);
        assert!(
            text.contains("another version of Mayday") && text.contains(file.to_str().unwrap()),
            "{text}"
        );
        assert!(!text.contains(ACCEPT_LOSS), "{text}");
        accept_loss(dir.path());
    }
    assert_eq!(std::fs::read(&file).unwrap(), newer);
    // Without a valid checksum, a changed byte is damage like any other.
    change(&file, |bytes| bytes[40] ^= 1);
    std::fs::remove_file(dir.path().join(ACCEPT_LOSS)).unwrap();
    assert!(refused(dir.path(), 0).contains("is damaged at its start"));
}
