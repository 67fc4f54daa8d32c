use super::*;

const LAST: i64 = 253_402_300_799_999;

fn at(millis: i64) -> u64 {
    key(ProjectId(5), Timestamp::from_millis(millis))
}

#[test]
fn keys_are_in_the_order_of_time() {
    let exact = EXACT.cast_signed();
    let times = [0, 1, 999, 1_000, 1_795_000_000_123, exact - 1, exact, exact + 1_000, exact + 2_000, LAST];
    assert!(times.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{times:?}");
    // Around the border, no later time has a smaller key.
    assert!((exact - 3_000..exact + 5_000).map(at).is_sorted());
}

#[test]
fn a_key_contains_its_time() {
    let exact = EXACT.cast_signed();
    for millis in [0, 1, 1_795_000_000_123, exact - 1, exact, exact + 1_000] {
        assert_eq!(time_of(at(millis)).millis(), millis);
    }
    for millis in [exact + 1, exact + 999, exact + 1_234_567, LAST - 1, LAST] {
        let told = time_of(at(millis));
        assert!((millis - 1_000..=millis).contains(&told.millis()), "{millis}: {told:?}");
        assert_eq!(key(ProjectId(5), told), at(millis), "of the same second");
    }
}

#[test]
fn a_place_is_in_the_order_of_microseconds() {
    let exact = EXACT.cast_signed();
    for millis in [0, 1_795_000_000_123, exact - 2, exact, exact + 1_000] {
        let micros: Vec<i64> = (0..3_000).map(|micros| millis * 1_000 + micros).collect();
        let places: Vec<SortPosition> =
            micros.iter().map(|micros| place(ProjectId(5), Timestamp::from_micros(*micros))).collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{millis}");
        for (micros, place) in micros.iter().zip(places) {
            assert_eq!(time_at(place).micros(), *micros);
        }
    }
    let last = place(ProjectId(5), Timestamp::from_micros(i64::MAX));
    assert_eq!(time_at(last), Timestamp::from_micros(i64::MAX));
}

#[test]
fn projects_lie_apart() {
    let (first, last) = (Timestamp::from_millis(0), Timestamp::from_millis(i64::MAX));
    for project in [0, 1, 2, 1_000, PROJECTS_MAX - 2] {
        assert!(key(ProjectId(project), last) < key(ProjectId(project + 1), first), "{project}");
        // The next key belongs to another moment, never to another project.
        assert_eq!(time_of(key(ProjectId(project), last) + 1), last);
    }
    let end = key(ProjectId(PROJECTS_MAX - 1), last);
    assert!(end.checked_add(1).is_some(), "what lies behind it can be named");
}

#[test]
fn an_id_names_a_batch_and_a_place() {
    for batch in [1, 2, 1_000_000, i64::MAX >> PLACE_BITS] {
        for place in [0, 1, 99] {
            let id = EntryId::new(batch, place);
            assert_eq!((id.batch(), id.place()), (batch, place));
        }
    }
    assert!(EntryId::new(1, 99) < EntryId::new(2, 0));
}

#[test]
fn words_are_the_tokens() {
    let mut tokenizer = Fields::tokenizers().get(WORDS).unwrap();
    for text in ["Disk full: user.created 東京, ÉTÉ", "", "…", "again"] {
        let mut expected = Vec::new();
        indexed(text, |word, position| expected.push((word.to_owned(), position)));
        let (mut stream, mut tokens) = (tokenizer.token_stream(text), Vec::new());
        while stream.advance() {
            tokens.push((stream.token().text.clone(), stream.token().position));
        }
        assert_eq!(tokens, expected, "{text}");
    }
}
