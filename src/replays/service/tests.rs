use super::*;
use crate::event::replay::{Segment, Summary};
use crate::intake::store::Row;
use crate::store::{Connection, Fatal, Page};
use crate::time::MINUTE;
use crate::{digest, organizations, projects};
use std::io::Write as _;
use std::path::Path;

const PROJECT: ProjectId = ProjectId(1);

async fn service(directory: &Path) -> ReplayService {
    let fatal = Fatal::new().0;
    let main = Main::open(directory, &fatal).unwrap();
    let intake = Store::open(directory, 0, main.packer.clone(), &fatal).unwrap();
    main.write(|tx| {
        let organization = organizations::sql::create(tx, "O", Timestamp::now())?;
        let settings = projects::Settings::default();
        let new = projects::sql::NewProject { organization, name: "P".into(), platform: None, settings };
        projects::sql::create(tx, &new, Timestamp::now()).map(drop)
    })
    .await
    .unwrap();
    ReplayService::new(main, Files::open(&directory.join("replays")).unwrap(), intake)
}

/// A file that was written two days ago.
fn old_file(replays: &ReplayService) -> FileName {
    let mut file = replays.files.create().unwrap();
    file.write_all(b"{}").unwrap();
    let file = file.finish().unwrap();
    let now = file.as_file().metadata().unwrap().modified().unwrap();
    file.as_file().set_modified(now - Duration::from_secs(2 * 86_400)).unwrap();
    replays.files.keep(file).unwrap()
}

fn segment(index: u32, file: Option<FileName>) -> Segment {
    let summary = Summary { events: 1, ..Summary::default() };
    Segment { replay_id: "r".into(), index, file, summary, ..Segment::default() }
}

/// Puts a segment into the journal; its position.
async fn accept(replays: &ReplayService, segment: &Segment) -> i64 {
    let row = Row::replay(&replays.main.packer, PROJECT, segment, Timestamp::now()).unwrap();
    replays.intake.add(vec![row]).await.unwrap();
    replays.intake.newest()
}

#[tokio::test(flavor = "multi_thread")]
async fn files_without_a_row_are_removed_while_events_keep_coming() {
    let directory = tempfile::tempdir().unwrap();
    let replays = service(directory.path()).await;
    let (named, orphan) = (old_file(&replays), old_file(&replays));
    let first = segment(0, Some(named));
    let position = accept(&replays, &first).await;
    let sweep = tokio::spawn({
        let replays = replays.clone();
        async move { replays.sweep().await }
    });
    // It waits for the digest, which is never done: there is always more in the journal.
    tokio::time::sleep(LOOKED_EVERY / 2).await;
    assert!(accept(&replays, &segment(1, None)).await > position);
    assert!(replays.files.read(&orphan).unwrap().is_ok(), "nothing is removed before the journal was read");
    replays
        .main
        .write(move |tx| {
            sql::apply(tx, PROJECT, &first, Timestamp::now())?;
            digest::apply::apply(
                tx,
                &crate::issues::texts::Texts::default(),
                &[],
                &digest::apply::Reach::UpTo(position),
            )
            .map(drop)
        })
        .await
        .unwrap();
    sweep.await.unwrap().unwrap();
    assert!(replays.files.read(&orphan).unwrap().is_err(), "it belongs to no segment");
    assert!(replays.files.read(&named).unwrap().is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_file_is_remembered_until_it_is_read_whole_again() {
    let directory = tempfile::tempdir().unwrap();
    let replays = service(directory.path()).await;
    let file = old_file(&replays);
    let only = segment(0, Some(file));
    replays.main.write(move |tx| sql::apply(tx, PROJECT, &only, Timestamp::now())).await.unwrap();
    let was_damaged = || async {
        let parts = replays.main.read(|c| sql::parts(c, PROJECT, "r", 0)).await.unwrap();
        parts[0].is_damaged
    };
    let path = replays.files.blobs.path(&file, "json.zst");
    let whole = std::fs::read(&path).unwrap();
    for (bytes, is_damaged) in
        [(&whole[..], false), (&whole[..0], true), (&whole[..0], true), (&whole[..], false)]
    {
        std::fs::write(&path, bytes).unwrap();
        let opened = replays.open(file, was_damaged().await).await.unwrap();
        assert_eq!(opened.err(), is_damaged.then_some(GapReason::FileDamaged));
        assert_eq!(was_damaged().await, is_damaged);
    }
}

/// Applies a part of that minute, which arrives ten minutes late; how far the list says that the clock is off.
async fn lag_with(replays: &ReplayService, minute: u32, told: Option<i64>) -> Option<i64> {
    let last = i64::from(minute) * MINUTE;
    let mut part = Segment { lag: told, ..segment(minute, None) };
    (part.summary.first, part.summary.last) = (Some(last), Some(last));
    let received_at = Timestamp::from_millis(last + 10 * MINUTE);
    replays.main.write(move |tx| sql::apply(tx, PROJECT, &part, received_at)).await.unwrap();
    let read = |c: &Connection| {
        let (listed, _) = sql::list(c, PROJECT, &sql::Filter::default(), Page { limit: 1, offset: 0 })?;
        let (replay, _) = sql::get(c, PROJECT, "r")?.unwrap();
        assert_eq!(listed[0].clock_lag_ms, replay.clock_lag_ms);
        Ok(replay.clock_lag_ms)
    };
    replays.main.read(read).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_client_says_of_its_clock_goes_before_what_the_receipt_shows() {
    let directory = tempfile::tempdir().unwrap();
    let replays = service(directory.path()).await;
    for (minute, told, expected) in [
        (0, None, None),
        (1, None, None),
        (2, None, Some(10 * MINUTE)),
        // They were kept, and the clock is right.
        (3, Some(30), None),
        (4, Some(-4_000), Some(-4_000)),
        (5, Some(40_000), Some(-4_000)),
        (6, Some(-5_000), Some(-5_000)),
    ] {
        assert_eq!(lag_with(&replays, minute, told).await, expected, "minute {minute}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_replay_after_the_other_is_read_for_its_steps() {
    let directory = tempfile::tempdir().unwrap();
    let replays = service(directory.path()).await;
    let now = Timestamp::now();
    let mut file = replays.files.create().unwrap();
    let data = r#"{"href": "https://shop.example/cart", "width": 1, "height": 1}"#;
    write!(file, r#"{{"type": 4, "timestamp": {}, "data": {data}}}"#, now.millis()).unwrap();
    let name = replays.files.keep(file.finish().unwrap()).unwrap();
    let mut first = segment(0, Some(name));
    (first.summary.first, first.summary.last) = (Some(now.millis()), Some(now.millis()));
    replays.main.write(move |tx| sql::apply(tx, PROJECT, &first, now)).await.unwrap();
    let steps = || {
        let event = ReplayHints {
            event_id: "e".into(),
            replay_id: Some("r".into()),
            window_key: None,
            timestamp: now.millis(),
        };
        replays.steps_before(PROJECT, event, now.millis())
    };
    let turn = replays.turns.take(PROJECT).await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(500), steps()).await.is_err(), "another is read");
    drop(turn);
    assert_eq!(steps().await.unwrap()[0].text, "https://shop.example/cart");
    assert!(replays.turns.take(PROJECT).await.is_ok(), "it is given back");
    std::fs::write(replays.files.blobs.path(&name, "json.zst"), "damaged").unwrap();
    assert!(steps().await.unwrap()[0].text.contains("damaged"));
    let parts = replays.main.read(|c| sql::parts(c, PROJECT, "r", 0)).await.unwrap();
    assert!(parts[0].is_damaged, "it is noted");
}
