use super::*;
use crate::event::record::ERROR;
use crate::ids::ProjectId;
use crate::organizations;
use crate::projects;
use crate::store::journal::Form;
use crate::store::{Fatal, Main, Page, Transaction, compress};

const PROJECT: ProjectId = ProjectId(1);

/// A database with two projects.
fn main() -> (tempfile::TempDir, Main) {
    let dir = tempfile::tempdir().unwrap();
    let main = Main::open(dir.path(), &Fatal::new().0).unwrap();
    main.write_blocking(|tx| {
        let organization = organizations::sql::create(tx, "O", Timestamp::now())?;
        for name in ["P", "Q"] {
            let settings = projects::Settings::default();
            let new = projects::sql::NewProject { organization, name: name.into(), platform: None, settings };
            projects::sql::create(tx, &new, Timestamp::now())?;
        }
        Ok(())
    })
    .unwrap();
    (dir, main)
}

fn add(tx: &Transaction<'_>, project: ProjectId, event_id: &str) -> crate::error::Result<()> {
    let body = [b"\x01\x00a", &compress(br#"{"message":"x"}"#)?[..]].concat();
    let record = AcceptedRecord { form: ERROR, body };
    sql::add(tx, &NewSetAside { project, event_id, received_at: 5, record, reason: "because" })
}

fn ids(main: &Main, project: ProjectId, page: Page) -> Vec<String> {
    let events = main.readers.read_blocking(move |c| sql::list(c, project, page)).unwrap();
    events.into_iter().map(|event| event.event_id).collect()
}

#[test]
fn the_newest_are_kept_and_the_others_counted() {
    let (_dir, main) = main();
    main.write_blocking(|tx| {
        add(tx, ProjectId(2), "another")?;
        (0..KEPT + 3).try_for_each(|number| add(tx, PROJECT, &format!("e{number}")))
    })
    .unwrap();
    let counts = main.readers.read_blocking(|c| sql::counts(c, PROJECT)).unwrap();
    assert_eq!(counts, (KEPT, 3));
    assert_eq!(ids(&main, PROJECT, Page { limit: 2, offset: 0 }), ["e1002", "e1001"]);
    assert_eq!(ids(&main, PROJECT, Page { limit: 9, offset: KEPT - 1 }), ["e3"]);
    let other = main.readers.read_blocking(|c| sql::counts(c, ProjectId(2))).unwrap();
    assert_eq!(other, (1, 0), "each project has its own");
}

#[test]
fn an_event_that_fails_again_is_not_deleted_with_the_row_that_was_tried() {
    let (_dir, main) = main();
    let page = Page { limit: 9, offset: 0 };
    main.write_blocking(|tx| add(tx, PROJECT, "a")).unwrap();
    let tried = main.readers.read_blocking(move |c| sql::list(c, PROJECT, page)).unwrap()[0].id;
    main.write_blocking(|tx| add(tx, PROJECT, "a")).unwrap();
    assert_eq!(ids(&main, PROJECT, page), ["a"], "once, under another row");
    main.write_blocking(move |tx| sql::delete(tx, PROJECT, tried).map(drop)).unwrap();
    assert_eq!(ids(&main, PROJECT, page), ["a"]);
    let became = main.readers.read_blocking(move |c| sql::outcome(c, PROJECT, "a", tried)).unwrap();
    assert_eq!((became.outcome, became.reason.as_deref()), (Outcome::SetAside, Some("because")));
}

#[test]
fn events_of_a_deleted_project_are_not_kept() {
    let (_dir, main) = main();
    main.write_blocking(|tx| add(tx, ProjectId(9), "a")).unwrap();
    assert!(ids(&main, ProjectId(9), Page { limit: 9, offset: 0 }).is_empty());
}

#[test]
fn a_payload_is_shown_as_accepted_or_a_reason_why_not() {
    let event = SetAsideEvent {
        id: SetAsideId(1),
        event_id: "a".into(),
        received_at: Timestamp::from_millis(5),
        reason: "because".into(),
        size: 1,
    };
    let shown = |packed: &[u8]| {
        let body = [b"\x01\x00a", packed].concat();
        let accepted = AcceptedRecord { form: ERROR, body };
        serde_json::to_value(SetAsideDetail::new(event.clone(), &accepted)).unwrap()
    };
    let whole = shown(&compress(br#"{"b":1.0,"a":"x"}"#).unwrap());
    assert_eq!(whole["payload"], serde_json::json!({"b": 1.0, "a": "x"}));
    assert!(whole["unreadable"].is_null() && whole["stored"].is_null(), "{whole}");
    let damaged = shown(b"nonsense");
    assert!(damaged["unreadable"].as_str().unwrap().contains("unpacked"), "{damaged}");
    assert_eq!(damaged["stored"], "bm9uc2Vuc2U=");
    let no_json = shown(&compress(b"{\"a\":").unwrap());
    assert!(no_json["unreadable"].as_str().unwrap().contains("not JSON"), "{no_json}");
    assert!(no_json["payload"].is_null());
    let form = Form { kind: 9, version: 2 };
    let newer = SetAsideDetail::new(event.clone(), &AcceptedRecord { form, body: b"nonsense".to_vec() });
    let newer = serde_json::to_value(newer).unwrap();
    assert!(newer["unreadable"].as_str().unwrap().contains("kind 9, version 2"), "{newer}");
    assert_eq!(newer["stored"], "bm9uc2Vuc2U=");
}
