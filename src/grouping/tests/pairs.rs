//! Pairs of errors that are one issue or two: from stack text to fingerprint.

mod codes;
mod machines;
mod messages;
mod scripts;
mod servers;

use super::super::{GroupFrame, Input, fingerprint};
use crate::digest::frames;
use crate::event::accepted::Exception;

/// Type, message and stack text of an error.
type Sample = [&'static str; 3];

/// What the pair shows, whether it is one issue, and the two errors.
type Pair = (&'static str, bool, Sample, Sample);

const ONE: bool = true;
const TWO: bool = false;

fn hash([kind, message, stack]: Sample) -> [u8; 16] {
    let stack = Some(stack).filter(|stack| !stack.is_empty());
    let exception =
        Exception { message: Some(message.into()), stack: stack.map(Into::into), ..Exception::default() };
    let frames = frames::of(&exception).frames;
    assert_eq!(frames.is_empty(), stack.is_none(), "{stack:?}");
    let frames: Vec<GroupFrame<'_>> = frames.iter().map(GroupFrame::from).collect();
    let exception_type = Some(kind).filter(|kind| !kind.is_empty());
    fingerprint(&Input { client: &[], exception_type, message: Some(message), frames: &frames, causes: &[] })
        .hash
}

#[test]
fn pairs_are_one_issue_or_two_as_expected() {
    let pairs: Vec<&Pair> = [scripts::PAIRS, servers::PAIRS, messages::PAIRS, codes::PAIRS, machines::PAIRS]
        .into_iter()
        .flatten()
        .collect();
    assert!(pairs.len() >= 120, "{} pairs", pairs.len());
    let wrong: Vec<&str> = pairs
        .iter()
        .filter(|(_, is_one, first, second)| (hash(*first) == hash(*second)) != *is_one)
        .map(|(what, ..)| *what)
        .collect();
    assert!(wrong.is_empty(), "{} of {} are wrong: {wrong:#?}", wrong.len(), pairs.len());
}
