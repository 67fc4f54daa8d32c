use super::*;

fn open(dir: &Path, digested: i64) -> Store {
    Store::open(dir, digested, Packer::default(), &Fatal::new().0).unwrap()
}

fn row(event_id: &str) -> Row {
    Row {
        form: record::ERROR,
        project: ProjectId(1),
        event_id: event_id.into(),
        received_at: 0,
        payload: vec![0; 100],
    }
}

#[tokio::test]
async fn added_events_are_read_in_order_until_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), 0);
    store.add(vec![row("a")]).await.unwrap();
    store.add(vec![row("b"), row("c")]).await.unwrap();
    let pending = store.after(0, 10, 1 << 20).unwrap();
    assert_eq!(pending.iter().map(|p| p.event_id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(store.after(0, 2, 1 << 20).unwrap().len(), 2);
    assert_eq!(store.after(0, 10, 1).unwrap().len(), 1, "ends past the bytes, with at least one");
    store.forget(pending[1].position);
    store.check().await.unwrap();
    assert_eq!(store.after(2, 10, 1 << 20).unwrap()[0].event_id, "c");
}

#[tokio::test]
async fn positions_are_never_reused_even_if_the_file_was_lost() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path(), 0));
    let store = open(dir.path(), 41);
    store.add(vec![row("a")]).await.unwrap();
    let first = store.after(41, 1, 1).unwrap()[0].position;
    assert_eq!(first, 42);
    store.forget(first);
    store.add(vec![row("b")]).await.unwrap();
    assert_eq!(store.after(42, 1, 1).unwrap()[0].position, 43);
}

#[test]
fn an_event_too_large_for_the_digest_is_not_accepted() {
    use crate::intake::decode;
    let mut event =
        decode::event(decode::parse(br#"{"message": "x"}"#).unwrap(), None, Timestamp::now()).unwrap();
    let around = serde_json::to_vec(&event).unwrap().len() - 1;
    event.message = Some("x".repeat(STORED_MAX - around).into());
    assert!(Row::new(&Packer::default(), ProjectId(1), &event).is_ok());
    event.message = Some("x".repeat(STORED_MAX - around + 1).into());
    assert!(
        matches!(Row::new(&Packer::default(), ProjectId(1), &event), Err(Error::Invalid(text)) if text.contains("too large"))
    );
}

#[tokio::test]
async fn a_record_of_an_unknown_form_is_returned_as_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), 0);
    let forms = [Form { kind: 1, version: 2 }, Form { kind: 200, version: 1 }];
    let unknown = forms.map(|form| Row::unknown(form, ProjectId(7), 5, b"whatever it is"));
    store.add(Vec::from(unknown)).await.unwrap();
    store.add(vec![row("a")]).await.unwrap();
    let pending = store.after(0, 10, 1 << 20).unwrap();
    assert_eq!(pending.len(), 3);
    for (read, form) in pending.iter().zip(forms) {
        assert_eq!((read.form, read.project, read.received_at), (form, ProjectId(7), 5));
        assert_eq!(read.record().unwrap().body, b"whatever it is");
        assert!(read.event_id.starts_with("record-"), "{}", read.event_id);
    }
    assert_eq!(store.highest_project(0).unwrap(), ProjectId(7), "its project is known all the same");
    // Added again, it is the same record: id, form and bytes.
    let again = |read: &Pending| {
        let received_at = Timestamp::from_millis(read.received_at);
        Row::again(read.project, received_at, read.record().unwrap()).unwrap()
    };
    store.add(pending.iter().map(again).collect()).await.unwrap();
    let put_back = store.after(3, 10, 1 << 20).unwrap();
    let whole = |read: &Pending| (read.event_id.clone(), read.record().unwrap());
    assert_eq!(put_back.iter().map(whole).collect::<Vec<_>>(), pending.iter().map(whole).collect::<Vec<_>>());
}

#[test]
fn a_record_that_does_not_match_its_form_is_reported() {
    for body in [&b""[..], b"\x01", b"\x05\x00abcd", b"\x01\x00\xff"] {
        let record = AcceptedRecord { form: record::ERROR, body: body.to_vec() };
        let again = Row::again(ProjectId(1), Timestamp::now(), record);
        assert!(matches!(again.err(), Some(Error::Internal(_))), "{body:?}");
    }
}
