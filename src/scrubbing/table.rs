//! What goes out of a text and what stays: the rules by example, for events and for logs alike.
//!
//! Where a sentence and a secret look the same, the sentence stays: after `name: ` a word of small letters is none
//! (`token: expected`, `cookie: banner dismissed`, and so `password: swordfish`), one with digits or signs is.

mod goes;
mod stays;

pub(crate) use goes::GOES;
pub(crate) use stays::STAYS;

/// Each text with what is left of it.
pub(crate) fn cases() -> impl Iterator<Item = (&'static str, &'static str)> {
    GOES.iter().copied().chain(STAYS.iter().map(|text| (*text, *text)))
}

#[test]
fn the_table_has_enough_of_both() {
    assert!(GOES.len() >= 120 && STAYS.len() * 2 >= GOES.len(), "{} go, {} stay", GOES.len(), STAYS.len());
    assert!(GOES.iter().all(|(sent, left)| sent != left && left.contains("[Filtered]")));
}
