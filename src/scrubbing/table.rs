//! What is removed from a text and what stays: the rules by example, for events and logs alike.
//!
//! If a sentence and a secret look the same, the sentence stays: after `name: `, a word of lower-case letters
//! is not a secret (`token: expected`, `cookie: banner dismissed`, and so also `password: swordfish`), but
//! one with digits or symbols is.

mod goes;
mod stays;

pub(crate) use goes::GOES;
pub(crate) use stays::STAYS;

/// Each text with the expected result.
pub(crate) fn cases() -> impl Iterator<Item = (&'static str, &'static str)> {
    GOES.iter().copied().chain(STAYS.iter().map(|text| (*text, *text)))
}

#[test]
fn the_table_has_enough_of_both() {
    assert!(GOES.len() >= 120 && STAYS.len() * 2 >= GOES.len(), "{} go, {} stay", GOES.len(), STAYS.len());
    assert!(GOES.iter().all(|(sent, left)| sent != left && left.contains("[Filtered]")));
}
