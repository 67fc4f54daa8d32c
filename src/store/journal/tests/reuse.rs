//! Files that have been read and are reused.

use super::*;

#[tokio::test]
async fn files_are_reused_and_their_old_content_is_never_read() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    for round in 1..6 {
        fill(&journal, dir.path(), 4).await;
        let last = journal.standing().last;
        journal.forget(last);
        assert_eq!(names(dir.path(), "journal").len(), 1, "round {round}: the one being written stays");
        assert_eq!(names(dir.path(), "spare").len(), SPARES);
        // Small records at the start of a file that is full of larger ones.
        add(&journal, &[b"small"]).await;
        // As if the position were lost: only records in files that were not released are read.
        let copy = copied(dir.path());
        assert!(refused(copy.path(), 0).contains("the events 1 to"));
        accept_loss(copy.path());
        let texts = texts(&open(copy.path(), 0), 0);
        assert_eq!(texts.last().unwrap(), "small");
        assert!(texts.len() < 70, "round {round}: {}", texts.len());
    }
}

#[tokio::test]
async fn a_record_larger_than_a_file_gets_its_own_file() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    let large = vec![b'l'; 3 * usize::try_from(SEGMENT_BYTES).unwrap()];
    journal.check().await.unwrap();
    add(&journal, &[&large]).await;
    add(&journal, &[b"small"]).await;
    assert_eq!(texts(&journal, 0).iter().map(String::len).collect::<Vec<_>>(), [large.len(), 5]);
    assert_eq!(texts(&open(dir.path(), 0), 1), ["small"]);
    journal.forget(1);
    assert_eq!(names(dir.path(), "spare").len(), 0, "it is of no use to others");
}

#[tokio::test]
async fn nothing_is_given_up_while_it_is_copied() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path(), 0);
    fill(&journal, dir.path(), 4).await;
    let holds = [copy::Hold::new(&journal.shared.holds), copy::Hold::new(&journal.shared.holds)];
    for hold in holds {
        journal.forget(journal.newest());
        assert_eq!(names(dir.path(), "journal").len(), 4);
        drop(hold);
    }
    journal.forget(journal.newest());
    assert_eq!(names(dir.path(), "journal").len(), 1);
}
