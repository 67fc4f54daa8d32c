use super::*;
use crate::event::replay::{Metadata, Piece, SEGMENTS_MAX, Segment, Summary};
use crate::replays::sql::{self as replays, Filter, ReplayHints};
use crate::replays::{Replay, ReplayError};
use crate::store::Page;
use std::sync::OnceLock;

const MINUTE: i64 = 60_000;

/// When all replays here begin.
fn start() -> i64 {
    static START: OnceLock<i64> = OnceLock::new();
    *START.get_or_init(|| Timestamp::now().millis() - 90 * MINUTE)
}

/// A segment that covers minutes `from` to `to` of a replay.
fn part(index: u32, from: i64, to: i64) -> Segment {
    let summary = Summary {
        events: 1,
        first: Some(start() + from * MINUTE),
        last: Some(start() + to * MINUTE),
        ..Summary::default()
    };
    Segment { replay_id: "r".into(), index, summary, ..Segment::default() }
}

impl Bench {
    fn replay(&self, segments: &[Segment]) {
        for segment in segments {
            self.store(Row::replay(&self.main.packer, PROJECT, segment, Timestamp::now()).unwrap());
        }
        while self.worker().step().unwrap() {}
    }

    fn found(&self, id: &str) -> (Replay, Vec<ReplayError>) {
        self.main.readers.read_blocking(|c| replays::get(c, PROJECT, id)).unwrap().unwrap()
    }

    /// Applies a segment as if it had arrived so many minutes from now.
    fn apply_late(&self, segment: Segment, minutes: i64) {
        let at = Timestamp::from_millis(Timestamp::now().millis() + minutes * MINUTE);
        self.main.write_blocking(move |tx| replays::apply(tx, PROJECT, &segment, at)).unwrap();
    }
}

fn ids(errors: &[ReplayError]) -> Vec<&str> {
    errors.iter().map(|error| error.event_id.as_str()).collect()
}

#[test]
fn a_replay_without_session_and_window_is_stored_and_read_with_the_errors_it_names() {
    let bench = bench();
    let id = "0123456789abcdef0123456789abcdef";
    // As Sentry's recorders send it: an id of 32 digits, a number for each segment, and the ids of events.
    let named = "aaaabbbbccccddddaaaabbbbccccdddd";
    for event in [
        json!({"event_id": named, "message": "named by the replay"}),
        json!({"event_id": "b", "message": "names the replay", "replay_id": id}),
        json!({"event_id": "c", "message": "another"}),
    ] {
        bench.add(&event);
    }
    let file = Some([7; 32]);
    let segments = [0, 1].map(|index| Segment {
        replay_id: id.into(),
        error_ids: if index == 1 { vec![named.into(), named.into()] } else { Vec::new() },
        file: file.filter(|_| index == 0),
        ..part(index, i64::from(index), i64::from(index) + 1)
    });
    bench.replay(&segments);
    let (replay, errors) = bench.found(id);
    assert_eq!((replay.session_id, replay.window_id, replay.chunks), (None, None, 2));
    assert_eq!(ids(&errors), [named, "b"]);
    let read = |c: &crate::store::Connection| {
        let wanted = |event_id: &str, replay_id: Option<&str>| ReplayHints {
            event_id: event_id.into(),
            replay_id: replay_id.map(str::to_owned),
            window_key: None,
            timestamp: 0,
        };
        let found = [wanted(named, None), wanted("b", Some(id)), wanted("c", None)]
            .map(|wanted| replays::of_event(c, PROJECT, &wanted).unwrap().map(|replay| replay.replay_id));
        assert_eq!(found, [Some(id.to_owned()), Some(id.to_owned()), None]);
        let parts = replays::parts(c, PROJECT, id, 0)?;
        assert_eq!(
            parts.iter().map(|part| (part.place, part.file)).collect::<Vec<_>>(),
            [(0, file), (1, None)]
        );
        for (has_error, count) in [(true, 1), (false, 0)] {
            let filter = Filter { has_error: Some(has_error), ..Filter::default() };
            let (listed, _) = replays::list(c, PROJECT, &filter, Page { limit: 10, offset: 0 })?;
            assert_eq!(listed.len(), count);
        }
        Ok(())
    };
    bench.main.readers.read_blocking(read).unwrap();
}

#[test]
fn an_error_linked_in_several_ways_counts_once() {
    let bench = bench();
    let at = start() + MINUTE;
    bench
        .add(&json!({"event_id": "e", "message": "m", "replay_id": "r", "session_id": "s", "window_id": "w",
        "timestamp": at}));
    let segment = Segment {
        session_id: Some("s".into()),
        window_id: Some("w".into()),
        event_id: Some("e".into()),
        ..part(0, 0, 2)
    };
    bench.replay(&[segment]);
    let (replay, errors) = bench.found("r");
    assert_eq!((replay.error_count, ids(&errors)), (1, vec!["e"]));
}

#[test]
fn a_replay_is_at_most_an_hour_long_whatever_its_parts_and_clocks_say() {
    let bench = bench();
    // Out of order, with a clock that jumps ahead by ten days, and back by twenty.
    bench.replay(&[part(1, 10, 20), part(0, 0, 10), part(2, 14_400, 14_405), part(3, -14_400, -14_390)]);
    let (replay, _) = bench.found("r");
    assert_eq!(replay.chunks, 4, "what a wrong clock says is recorded all the same");
    assert_eq!(replay.duration_ms, 35 * MINUTE);
    // 35 minutes are recorded: what is more than an hour with this is too much.
    bench.replay(&[part(4, 20, 50), part(5, 20, 45)]);
    let (replay, _) = bench.found("r");
    assert_eq!((replay.chunks, replay.duration_ms), (5, 45 * MINUTE));
}

#[test]
fn segments_after_the_hour_by_both_clocks_are_dropped() {
    let bench = bench();
    bench.replay(&[part(0, 0, 1)]);
    // Sent late because the network was down, but recorded in time.
    bench.apply_late(part(1, 50, 51), 90);
    // The clock has jumped, and arrives at once.
    bench.apply_late(part(2, 70, 71), 2);
    assert_eq!(bench.found("r").0.chunks, 3);
    bench.apply_late(part(3, 70, 71), 70);
    let (replay, _) = bench.found("r");
    assert_eq!((replay.chunks, replay.duration_ms), (3, 52 * MINUTE));
}

#[test]
fn the_latest_segment_says_whose_replay_it_is_and_the_first_when_it_began() {
    let bench = bench();
    let told = |index: u32, from: i64, user: Value| Segment {
        metadata: Some(Metadata {
            start: start() + from * MINUTE,
            end: start() + (from + 1) * MINUTE,
            release: Some(index.to_string()),
            user: Some(user).filter(|user| !user.is_null()),
            ..Metadata::default()
        }),
        ..part(index, i64::from(index), i64::from(index) + 1)
    };
    // They arrive in another order; in one of them nobody is signed in.
    let person = |name: &str| json!({"email": format!("{name}@example.com")});
    let (first, bob, ada) = (told(0, 0, person("eve")), told(1, 1, person("bob")), told(3, 1, person("Ada")));
    bench.replay(&[told(2, 1, Value::Null), bob, ada, first]);
    let (replay, _) = bench.found("r");
    assert_eq!(replay.user, Some(json!({"email": "Ada@example.com"})));
    assert_eq!(replay.release.as_deref(), Some("0"));
    assert_eq!(replay.duration_ms, 4 * MINUTE);
    let listed = |user: &str| {
        let filter = Filter { user: Some(user.into()), ..Filter::default() };
        let read = move |c: &crate::store::Connection| {
            replays::list(c, PROJECT, &filter, Page { limit: 10, offset: 0 }).map(|(_, total)| total)
        };
        bench.main.readers.read_blocking(read).unwrap()
    };
    assert_eq!(
        ["ada@", "bob@", "eve@", "carl@"].map(listed),
        [1, 1, 1, 0],
        "whoever it was at any time is found"
    );
}

/// A piece of a chunk, with a picture of the page if it is the first.
fn piece(place: u32, index: u32, count: u32) -> Segment {
    let segment = part(place, i64::from(place), i64::from(place));
    let summary = Summary { has_full_snapshot: index == 0, ..segment.summary };
    let file = Some([(place * 9 + index) as u8 + 1; 32]);
    Segment { piece: Piece { index, count }, file, summary, ..segment }
}

/// Chunk and piece of the parts of a replay, in order.
fn places(bench: &Bench) -> Vec<(i64, i64)> {
    let parts = bench.main.readers.read_blocking(|c| replays::parts(c, PROJECT, "r", 0)).unwrap();
    parts.iter().map(|part| (part.place, part.piece)).collect()
}

#[test]
fn a_chunk_counts_once_all_of_its_pieces_are_there_in_any_order_and_twice() {
    let bench = bench();
    bench.replay(&[part(0, 0, 1), piece(1, 2, 3), piece(1, 0, 3), piece(1, 2, 3)]);
    assert_eq!((bench.found("r").0.chunks, places(&bench)), (1, vec![(0, 0), (1, 0), (1, 2)]));
    let last = Segment { total: Some(3), ..part(2, 2, 3) };
    bench.replay(&[last, piece(1, 1, 3), piece(1, 1, 3)]);
    let (replay, _) = bench.found("r");
    assert_eq!((replay.chunks, replay.is_complete, replay.event_count), (3, true, 5));
    assert_eq!(places(&bench), [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)]);
}

#[test]
fn a_piece_with_a_wrong_count_is_ignored() {
    let bench = bench();
    bench.replay(&[piece(0, 0, 2), piece(0, 1, 3), piece(0, 0, 1), part(1, 1, 2), piece(1, 1, 2)]);
    let (replay, _) = bench.found("r");
    assert_eq!((replay.chunks, replay.event_count, places(&bench)), (1, 2, vec![(0, 0), (1, 0)]));
    bench.replay(&[piece(0, 1, 2)]);
    assert_eq!((bench.found("r").0.chunks, places(&bench)), (2, vec![(0, 0), (0, 1), (1, 0)]));
}

#[test]
fn a_replay_has_no_more_pieces_than_it_may_have_chunks() {
    let bench = bench();
    // A whole chunk is no piece, and one that arrives twice counts once.
    bench.replay(&[piece(0, 0, 2), part(3, 1, 1), piece(0, 0, 2)]);
    bench
        .main
        .write_blocking(|tx| {
            let counted: u32 = tx.query_row("select pieces from replays", [], |row| row.get(0))?;
            assert_eq!(counted, 1);
            Ok(tx.execute("update replays set pieces = ?1", [SEGMENTS_MAX - 1])?)
        })
        .unwrap();
    bench.replay(&[piece(1, 1, 2), piece(1, 0, 2), piece(2, 1, 2), part(4, 1, 1)]);
    assert_eq!(places(&bench), [(0, 0), (1, 1), (3, 0), (4, 0)], "what is no piece has room");
    assert_eq!(bench.found("r").0.chunks, 2);
}
