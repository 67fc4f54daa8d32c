//! The frames that a fingerprint is made of.

use super::{GroupFrame, MAX_FRAMES, file_name, name};
use std::borrow::Cow;

/// The number of frames examined for a recursion, and so the longest cycle that is found.
const LOOKED_AT: usize = 32;
const CYCLE: usize = 8;

/// Longest name that a minifier gives, in characters.
const MINIFIED: usize = 2;

/// A frame's name in the fingerprint; function or file may be empty, but not both.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name<'a> {
    pub(super) function: Cow<'a, str>,
    pub(super) file: Cow<'a, str>,
    resolved: bool,
}

impl<'a> Name<'a> {
    fn of(frame: &GroupFrame<'a>) -> Option<Self> {
        let name = Self {
            function: name::of(frame),
            file: file_name::normalise(frame.file.unwrap_or_default()),
            resolved: frame.resolved,
        };
        let is_nameless = name.function.is_empty() && name.file.is_empty();
        (!is_nameless).then_some(name)
    }

    /// Whether anything in a bundle could have this name.
    pub(super) fn tells_little(&self) -> bool {
        !self.resolved && self.function.chars().nth(MINIFIED).is_none()
    }
}

/// The distinct names nearest the throw, of the in-app frames, or of all frames if those have none.
pub(super) fn nearest<'a>(frames: &[GroupFrame<'a>]) -> Vec<Name<'a>> {
    let own: Vec<&GroupFrame<'a>> = frames.iter().filter(|frame| frame.in_app).collect();
    let names = distinct(&own);
    if names.is_empty() { distinct(&frames.iter().collect::<Vec<_>>()) } else { names }
}

/// The callers of a recursion do not count: whether they are visible depends on its depth.
fn distinct<'a>(frames: &[&GroupFrame<'a>]) -> Vec<Name<'a>> {
    let mut names: Vec<Name<'a>> = Vec::with_capacity(MAX_FRAMES);
    for (at, frame) in frames.iter().enumerate() {
        let Some(name) = Name::of(frame) else { continue };
        if let Some(members) = cycle(&frames[at..frames.len().min(LOOKED_AT).max(at)]) {
            names.extend(members.into_iter().filter(|member| !names.contains(member)).collect::<Vec<_>>());
            break;
        }
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() == MAX_FRAMES {
            break;
        }
    }
    names.truncate(MAX_FRAMES);
    names
}

/// The functions that call each other in a cycle through the first frame, in calling order and starting with
/// the same one wherever the throw was. A function that calls only itself is not a cycle.
fn cycle<'a>(frames: &[&GroupFrame<'a>]) -> Option<Vec<Name<'a>>> {
    let (first, rest) = frames.split_first()?;
    let same = |other: &GroupFrame<'_>| other.function == first.function && other.file == first.file;
    let own = rest.iter().take_while(|frame| same(frame)).count();
    let length = rest[own..].iter().take(CYCLE).position(|frame| same(frame)).filter(|length| *length > 0)?;
    let mut members: Vec<Name<'a>> = Vec::with_capacity(length + 1);
    for name in frames[..=own + length].iter().filter_map(|frame| Name::of(frame)) {
        if !members.contains(&name) {
            members.push(name);
        }
    }
    let start = members.iter().enumerate().min_by(|(_, one), (_, other)| one.cmp(other))?.0;
    members.rotate_left(start);
    (members.len() > 1).then_some(members)
}
