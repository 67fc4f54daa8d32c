use super::*;

/// The same numbers in every run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn looking_at_every_13th_byte_finds_what_looking_at_all_finds() {
    let pieces = [
        "4111111111111111",
        "4111 1111 1111 1111",
        "5500-0000-0000-0004",
        "12",
        "x",
        " ",
        "-",
        "340000000000009",
        ".",
        "7",
        "order ",
    ];
    let (mut state, mut cards) = (7, 0);
    for _ in 0..20_000 {
        let text: String =
            (0..next(&mut state) % 9).map(|_| pieces[next(&mut state) as usize % pieces.len()]).collect();
        let (mut quick, mut all) = (Vec::new(), Vec::new());
        card_numbers(&text, &mut quick);
        cards_within(text.as_bytes(), 0..text.len(), &mut all);
        assert_eq!(quick, all, "{text:?}");
        cards += all.len();
    }
    assert!(cards > 3_000, "{cards}");
}
