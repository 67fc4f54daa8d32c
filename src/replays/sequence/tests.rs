use super::*;
use crate::time::HOUR;
use serde_json::json;

const NOW: i64 = 1_000_000;

/// Parts with their age in milliseconds; each has events of a second.
fn parts(parts: &[(i64, i64)]) -> Vec<Part> {
    let part = |(place, age): &(i64, i64)| Part {
        place: *place,
        piece: 0,
        pieces: 1,
        file: Some([*place as u8; 32]),
        first_at: Some(place * 1_000),
        last_at: Some(place * 1_000 + 900),
        snapshot_at: (place % 3 == 0).then_some(place * 1_000 + 10),
        received_at: NOW - age,
        is_damaged: false,
    };
    parts.iter().map(part).collect()
}

/// Pieces of chunks, of which each has as many as is said, with their age.
fn pieces(given: &[(i64, i64, i64, i64)]) -> Vec<Part> {
    let piece = |(place, piece, pieces, age): &(i64, i64, i64, i64)| {
        let [part] = <[Part; 1]>::try_from(parts(&[(*place, *age)])).unwrap();
        let snapshot_at = part.snapshot_at.filter(|_| *piece == 0);
        Part { piece: *piece, pieces: *pieces, snapshot_at, file: Some([*piece as u8; 32]), ..part }
    };
    given.iter().map(piece).collect()
}

/// `from-to@time` for a gap, the number for a part, and what comes next.
fn played(is_live: bool, total: Option<i64>, given: &[(i64, i64)], from: i64) -> (String, i64) {
    played_of(is_live, total, parts(given), from)
}

/// As above; pieces are named after their chunk and a dot.
fn played_of(is_live: bool, total: Option<i64>, given: Vec<Part>, from: i64) -> (String, i64) {
    let replay = Extent { is_live, total, started_at: 0 };
    let given = given.into_iter().filter(|part| part.place >= from).collect();
    let (items, next) = sequence(replay, given, from, Timestamp::from_millis(NOW));
    let words = items.iter().map(|item| match item {
        Item::Part(Part { place, pieces: 1, .. }) => place.to_string(),
        Item::Part(Part { place, piece, .. }) => format!("{place}.{piece}"),
        Item::Gap(Gap { from_chunk, to_chunk, pieces, at, why: GapReason::NeverArrived }) => match pieces {
            None => format!("{from_chunk}-{to_chunk}@{at}"),
            Some(Pieces { from_part, to_part }) => {
                assert_eq!(from_chunk, to_chunk);
                format!("{from_chunk}.{from_part}-{to_part}@{at}")
            }
        },
        Item::Gap(other) => format!("{other:?}"),
    });
    (words.collect::<Vec<_>>().join(" "), next)
}

#[test]
fn a_live_replay_ends_before_a_segment_that_may_still_arrive() {
    assert_eq!(played(true, None, &[(0, 9_000), (2, 14_999), (3, 10)], 0), ("0".into(), 1));
    assert_eq!(played(true, None, &[(0, 9_000), (1, 3_000)], 0), ("0 1".into(), 2));
    assert_eq!(played(true, None, &[(1, 9_000)], 0), (String::new(), 0));
    assert_eq!(played(true, None, &[], 7), (String::new(), 7));
}

#[test]
fn a_live_replay_skips_a_gap_when_a_later_segment_has_waited() {
    assert_eq!(
        played(true, None, &[(0, 30_000), (2, 15_000), (3, 10), (5, 5)], 0),
        ("0 1-1@900 2 3".into(), 4)
    );
    // A late segment fills a part of the gap.
    assert_eq!(
        played(true, None, &[(0, 30_000), (2, 10), (4, 16_000)], 1),
        ("1-1@2000 2 3-3@2900 4".into(), 5)
    );
    assert_eq!(played(true, Some(9), &[(1, 20_000)], 0), ("0-0@1000 1".into(), 2), "the rest may come");
}

#[test]
fn after_the_end_everything_missing_is_a_gap() {
    assert_eq!(played(false, Some(7), &[(1, 5), (4, 5)], 0), ("0-0@1000 1 2-3@1900 4 5-6@4900".into(), 7));
    assert_eq!(played(false, None, &[(0, 5), (2, 5)], 0), ("0 1-1@900 2".into(), 3));
    assert_eq!(played(false, Some(3), &[(0, 5), (1, 5), (2, 5)], 3), (String::new(), 3));
}

#[test]
fn segments_that_never_arrived_or_whose_file_is_lost_or_damaged_are_missing() {
    let replay = |total| Extent { is_live: false, total, started_at: 0 };
    let given = parts(&[(1, 0), (2, 0), (4, 0)]);
    let is_there = |file: &FileName| file[0] != 2;
    assert_eq!(missing(replay(None), &given, is_there, 100), [0, 2, 3]);
    assert_eq!(missing(replay(Some(7)), &given, is_there, 100), [0, 2, 3, 5, 6]);
    assert_eq!(missing(replay(Some(10_000)), &given, is_there, 4), [0, 2, 3, 5]);
    assert_eq!(missing(replay(None), &[], is_there, 100), [0_i64; 0]);
    let mut damaged = given.clone();
    damaged[2].is_damaged = true;
    assert_eq!(missing(replay(None), &damaged, |_| true, 100), [0, 3, 4]);
}

#[test]
fn a_moment_is_drawn_from_the_latest_picture_before_it() {
    let all = parts(&[(0, 9), (1, 8), (2, 7), (3, 6), (4, 5), (6, 4)]);
    for (at, expected) in [(0, 0), (10, 0), (3_009, 0), (3_010, 3), (5_000, 3), (6_010, 6), (i64::MAX, 6)] {
        assert_eq!(drawn_from(&all, at), expected, "{at}");
    }
    // The times of a replay whose beginning is missing count from what is there.
    let late = parts(&[(4, 5), (6, 4)]);
    assert_eq!(drawn_from(&late, 2_010), 6);
    assert_eq!(drawn_from(&late, 2_009), 0, "no picture before it");
    assert_eq!(drawn_from(&[], 5), 0);
    for jump in [-HOUR, 2 * HOUR] {
        let mut set = parts(&[(0, 9), (3, 8), (6, 7), (9, 6)]);
        for part in &mut set[2..] {
            let times = [&mut part.first_at, &mut part.last_at, &mut part.snapshot_at];
            times.into_iter().flatten().for_each(|time| *time += jump);
        }
        assert_eq!(drawn_from(&set, 9_010), 3, "the clock was set after part 3");
    }
}

#[test]
fn pieces_are_played_in_their_order_and_those_that_are_missing_are_a_gap() {
    let ended = |total, given: &[_]| played_of(false, total, pieces(given), 0);
    let whole = [(0, 0, 1, 9), (1, 0, 3, 5), (1, 1, 3, 9), (1, 2, 3, 1), (2, 0, 1, 1)];
    assert_eq!(ended(None, &whole), ("0 1.0 1.1 1.2 2".into(), 3));
    assert_eq!(ended(None, &[(0, 1, 3, 1), (2, 0, 1, 1)]), ("0.0-0@0 0.1 0.2-2@900 1-1@900 2".into(), 3));
    assert_eq!(ended(Some(3), &[(0, 0, 4, 1)]), ("0.0 0.1-3@900 1-2@900".into(), 3));
    let holes = [(0, 0, 1, 1), (1, 0, 4, 1), (1, 2, 4, 1)];
    assert_eq!(ended(None, &holes), ("0 1.0 1.1-1@1900 1.2 1.3-3@1900".into(), 2));
    assert_eq!(ended(None, &[(1, 0, 2, 1), (1, 1, 2, 1)]), ("0-0@1000 1.0 1.1".into(), 2));
}

#[test]
fn a_live_replay_ends_before_a_chunk_that_lacks_pieces() {
    let live = |given: &[_]| played_of(true, None, pieces(given), 0);
    assert_eq!(live(&[(0, 0, 1, 9), (1, 0, 3, 9), (1, 2, 3, 9)]), ("0".into(), 1));
    assert_eq!(live(&[(0, 0, 1, 9), (1, 0, 2, 9), (1, 1, 2, 9), (2, 1, 2, 9)]), ("0 1.0 1.1".into(), 2));
    // What comes after it in the same chunk is no reason to give it up, however old; a later chunk is.
    assert_eq!(live(&[(0, 0, 1, 30_000), (1, 0, 3, 20_000), (1, 2, 3, 20_000)]), ("0".into(), 1));
    let overtaken = [(0, 0, 1, 30_000), (1, 0, 3, 20_000), (2, 0, 1, 15_000), (3, 0, 2, 9)];
    assert_eq!(live(&overtaken), ("0 1.0 1.1-2@1900 2".into(), 3));
    // The one that has waited lacks pieces itself: it is what is waited for now.
    assert_eq!(live(&[(0, 0, 2, 30_000), (1, 0, 2, 15_000), (2, 0, 1, 9)]), ("0.0 0.1-1@900".into(), 1));
}

#[test]
fn a_chunk_is_missing_unless_all_of_its_pieces_are_there() {
    let replay = Extent { is_live: false, total: Some(5), started_at: 0 };
    let given = pieces(&[(0, 0, 2, 1), (0, 1, 2, 1), (1, 1, 2, 1), (2, 0, 1, 1), (3, 0, 2, 1), (3, 1, 2, 1)]);
    assert_eq!(missing(replay, &given, |_| true, 9), [1, 4]);
    assert_eq!(missing(replay, &given, |file| file[0] == 0, 9), [0, 1, 3, 4]);
    let [gone, ..] = &given[4..] else { panic!() };
    let pieces = Some(Pieces { from_part: 0, to_part: 0 });
    let gap = Gap { from_chunk: 3, to_chunk: 3, pieces, why: GapReason::FileMissing, at: 3_000 };
    assert_eq!(gone.gap(GapReason::FileMissing), gap);
    let mut json = json!({"from_chunk": 3, "to_chunk": 3, "why": "file_missing"});
    assert_eq!(serde_json::to_value(Gap { pieces: None, ..gap }).unwrap(), json);
    (json["from_part"], json["to_part"]) = (json!(0), json!(0));
    assert_eq!(serde_json::to_value(&gap).unwrap(), json);
    assert_eq!(serde_json::to_value(gone.gap(GapReason::FileDamaged)).unwrap()["why"], "file_damaged");
}

#[test]
fn a_moment_is_drawn_from_the_chunk_that_begins_its_picture() {
    let given = pieces(&[(0, 0, 1, 1), (3, 0, 3, 1), (3, 1, 3, 1), (3, 2, 3, 1), (4, 0, 1, 1)]);
    assert_eq!(drawn_from(&given, 3_010), 3);
    assert_eq!(drawn_from(&given[2..], 3_010), 0, "its first piece is missing");
    let late = pieces(&[(0, 0, 1, 1), (3, 0, 2, 1), (3, 1, 2, 1), (6, 0, 3, 1), (6, 2, 3, 1)]);
    assert_eq!(drawn_from(&late, 6_010), 3, "a piece is missing of the latest");
}
