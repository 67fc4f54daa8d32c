use super::*;

#[test]
fn a_noted_token_is_unknown_until_the_next_change() {
    let unknown = Unknown::default();
    assert!(!unknown.has(&[1; 32], 7));
    unknown.add([1; 32], 7);
    assert!(unknown.has(&[1; 32], 7) && !unknown.has(&[2; 32], 7));
    assert!(!unknown.has(&[1; 32], 8), "something changed since");
    // A change during the look-up.
    unknown.add([1; 32], 7);
    assert!(!unknown.has(&[1; 32], 8));
}

#[test]
fn the_table_is_bounded() {
    let unknown = Unknown::default();
    for number in 0..5_000_u32 {
        let mut hash = [0; 32];
        hash[..4].copy_from_slice(&number.to_le_bytes());
        unknown.add(hash, 0);
    }
    assert!(unknown.0.len() <= TOKENS_MAX);
}
