use super::*;

const NOW: i64 = 1_000_000;

/// Parts with their age in milliseconds; each has events of a second.
fn parts(parts: &[(i64, i64)]) -> Vec<Part> {
    let part = |(place, age): &(i64, i64)| Part {
        place: *place,
        file: Some([*place as u8; 32]),
        first_at: Some(place * 1_000),
        last_at: Some(place * 1_000 + 900),
        received_at: NOW - age,
    };
    parts.iter().map(part).collect()
}

/// `from-to@time` for a gap, the number for a part, and what comes next.
fn played(is_live: bool, total: Option<i64>, given: &[(i64, i64)], from: i64) -> (String, i64) {
    let replay = Extent { is_live, total, started_at: 0 };
    let given = parts(given).into_iter().filter(|part| part.place >= from).collect();
    let (items, next) = sequence(replay, given, from, Timestamp::from_millis(NOW));
    let words = items.iter().map(|item| match item {
        Item::Part(part) => part.place.to_string(),
        Item::Gap(Gap { from_chunk, to_chunk, at, why: Why::NeverArrived }) => {
            format!("{from_chunk}-{to_chunk}@{at}")
        }
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
fn segments_that_never_arrived_or_lost_their_file_are_missing() {
    let replay = |total| Extent { is_live: false, total, started_at: 0 };
    let given = parts(&[(1, 0), (2, 0), (4, 0)]);
    let is_there = |file: &FileName| file[0] != 2;
    assert_eq!(missing(replay(None), &given, is_there, 100), [0, 2, 3]);
    assert_eq!(missing(replay(Some(7)), &given, is_there, 100), [0, 2, 3, 5, 6]);
    assert_eq!(missing(replay(Some(10_000)), &given, is_there, 4), [0, 2, 3, 5]);
    assert_eq!(missing(replay(None), &[], is_there, 100), [0_i64; 0]);
}
