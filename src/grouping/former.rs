//! Version 1 of the rule, for issues that were grouped by it.

use super::{Basis, Fingerprint, GroupFrame, Input, MAX_FRAMES, Parts, file_name, function, message};
use crate::symbolication::stack;
use std::borrow::Cow;

/// The version.
pub const VERSION: u16 = 1;

/// The fingerprint by version 1: it ignores how much the names of frames tell, keeps methods with their
/// classes as the engine names them, and removes addresses from messages.
pub fn fingerprint(input: &Input<'_>) -> Fingerprint {
    super::with_clients(input, VERSION, ours)
}

fn ours(input: &Input<'_>) -> (Parts, Basis) {
    let kind = input.exception_type.unwrap_or_default().trim();
    let names = nearest(input.frames);
    if names.is_empty() {
        let message = message::normalise_as(message::Version::First, input.message.unwrap_or_default());
        return (Parts::of("message", &[kind, &message]), Basis::Message);
    }
    let mut parts = Parts::of("frames", &[kind]);
    for (function, file) in &names {
        parts.add(function.as_bytes()).add(file.as_bytes());
    }
    (parts, Basis::Frames)
}

/// The cleaned function and file of a frame; one of them may be empty.
type Name<'a> = (Cow<'a, str>, Cow<'a, str>);

fn nearest<'a>(frames: &[GroupFrame<'a>]) -> Vec<Name<'a>> {
    let own = distinct(frames.iter().filter(|frame| is_own(frame)));
    if own.is_empty() { distinct(frames.iter()) } else { own }
}

/// In version 1, frames of frameworks counted as in-app.
fn is_own(frame: &GroupFrame<'_>) -> bool {
    let is_framework = || !stack::in_app(frame.file, frame.function);
    frame.in_app || (is_framework() && stack::in_app_of_version_1(frame.file, frame.function))
}

fn distinct<'f, 'a: 'f>(frames: impl Iterator<Item = &'f GroupFrame<'a>>) -> Vec<Name<'a>> {
    let mut names: Vec<Name<'a>> = Vec::with_capacity(MAX_FRAMES);
    for frame in frames {
        let function = function::clean(frame.function.unwrap_or_default());
        let file = file_name::normalise(frame.file.unwrap_or_default());
        let name = (function, file);
        if (name.0.is_empty() && name.1.is_empty()) || names.contains(&name) {
            continue;
        }
        names.push(name);
        if names.len() == MAX_FRAMES {
            break;
        }
    }
    names
}
