//! Grouping: which issue an event belongs to.
//!
//! Pure: an [`Input`] in, a [`Fingerprint`] out. The rule, in order:
//!
//! 1. The client's own `fingerprint`, if it has one. An entry `{{ default }}` stands for ours, and a
//!    list of only that entry *is* ours. A list of blanks counts as none.
//! 2. Of an exception that stands for several ([`is_aggregate`]), its type and those fingerprints of its members that
//!    differ, in any order; and its own frames as in 3. if a member has none of the application.
//! 3. The exception type and up to [`MAX_FRAMES`] distinct `function@file` nearest the throw, of the in-app
//!    frames; of all frames if none of the in-app ones has a name or a file ([`nearest`]). If none of them is
//!    resolved and no name is longer than two characters, as in a minified bundle without its map, the
//!    message as in 4. is added.
//! 4. The exception type and the message without its variable parts ([`message::normalise`]).
//!
//! Line and column never count, file names lose query, hash and build id
//! ([`file_name::normalise`]), function names lose what differs between engines and builds
//! ([`name::of`]). Frames should be resolved through source maps before they come here.
//!
//! **A change of the algorithm never splits stored issues.** The version is stored beside the hash
//! and not hashed in. Whoever changes the rule raises [`FINGERPRINT_VERSION`], and keeps the rule before as
//! [`former`]: while a project has fingerprints of that version, the digest looks an event up by its former hash
//! first, and only then by the newest. An issue that is found so gets the newest hash as one more of its own.

mod code;
pub(crate) mod date;
pub mod file_name;
pub mod former;
pub mod function;
mod generated;
mod http_text;
mod machine;
pub mod message;
mod name;
mod nearest;
pub(crate) mod pattern;
mod title;
pub(crate) mod token;

#[cfg(test)]
pub(crate) mod tests;

use crate::event::frame::Frame;
use nearest::nearest;
use std::collections::BTreeSet;

pub use title::{culprit, title};

/// Version of the rule above. Stored with each fingerprint.
pub const FINGERPRINT_VERSION: u16 = 2;

/// The most distinct frames that count: enough to distinguish two callers, and few enough that a change in
/// distant callers does not create a new issue.
pub const MAX_FRAMES: usize = 3;

/// A frame as grouping sees it: the resolved function and file if there are any, else those of the stack
/// text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupFrame<'a> {
    /// Function name, raw.
    pub function: Option<&'a str>,
    /// Source file or script address, raw.
    pub file: Option<&'a str>,
    /// Whether the frame is the application's own code.
    pub in_app: bool,
    /// Whether function and file come from a source map.
    pub resolved: bool,
}

impl GroupFrame<'_> {
    fn is_named(&self) -> bool {
        self.function.is_some() || self.file.is_some()
    }
}

impl<'a> From<&'a Frame> for GroupFrame<'a> {
    /// The original frame, if known.
    fn from(frame: &'a Frame) -> Self {
        match &frame.resolved {
            Some(resolved) => Self {
                function: resolved.function.as_deref(),
                file: Some(&resolved.file),
                in_app: frame.in_app,
                resolved: true,
            },
            None => Self {
                function: frame.function.as_deref(),
                file: frame.url.as_deref(),
                in_app: frame.in_app,
                resolved: false,
            },
        }
    }
}

impl<'a> From<&crate::symbolication::stack::Frame<'a>> for GroupFrame<'a> {
    fn from(frame: &crate::symbolication::stack::Frame<'a>) -> Self {
        Self { function: frame.function, file: frame.url, in_app: frame.in_app, resolved: false }
    }
}

/// What a fingerprint is made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// The client's own fingerprint; empty if it gave none.
    pub client: &'a [&'a str],
    /// Exception type, such as `TypeError`; none for plain messages.
    pub exception_type: Option<&'a str>,
    /// Message of the exception or event.
    pub message: Option<&'a str>,
    /// Frames, throw first.
    pub frames: &'a [GroupFrame<'a>],
    /// The causes in order; used if the exception is an aggregate of them.
    pub causes: &'a [Member<'a>],
}

/// An exception that led to the one that is grouped.
#[derive(Clone, Debug, Default)]
pub struct Member<'a> {
    pub exception_type: Option<&'a str>,
    pub message: Option<&'a str>,
    /// Frames, throw first.
    pub frames: Vec<GroupFrame<'a>>,
}

/// Which of the rules made a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The client's list.
    Client,
    /// Type and frames, or the members of an aggregate.
    Frames,
    /// Type and message.
    Message,
}

/// The key of an issue within its project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// First 16 bytes of a BLAKE3 hash: two different groups of one project share it with a chance
    /// of 2⁻¹²⁸ a pair.
    pub hash: [u8; 16],
    /// The rule it was made by, [`FINGERPRINT_VERSION`].
    pub version: u16,
    /// What it was made of. Not part of the key.
    pub basis: Basis,
}

impl Fingerprint {
    /// The hash as 32 lowercase hex digits.
    pub fn to_hex(&self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = String::with_capacity(32);
        for byte in self.hash {
            hex.push(DIGITS[usize::from(byte >> 4)].into());
            hex.push(DIGITS[usize::from(byte & 15)].into());
        }
        hex
    }
}

/// The fingerprint of an event, by the rule at the top of this module.
pub fn fingerprint(input: &Input<'_>) -> Fingerprint {
    with_clients(input, FINGERPRINT_VERSION, ours)
}

/// The fingerprint from the client's list, with `ours` where the list says so.
fn with_clients(input: &Input<'_>, version: u16, ours: impl Fn(&Input<'_>) -> (Parts, Basis)) -> Fingerprint {
    let (parts, basis) = if input.client.iter().all(|part| part.trim().is_empty() || is_default(part)) {
        ours(input)
    } else {
        let mut parts = Parts::new("client");
        for part in input.client {
            if is_default(part) {
                // A client's part never has this tag and 16 raw bytes, so it cannot pose as ours.
                parts.tag(1).add(&ours(input).0.hash());
            } else {
                parts.tag(0).add(part.as_bytes());
            }
        }
        (parts, Basis::Client)
    };
    Fingerprint { hash: parts.hash(), version, basis }
}

/// Whether a part of the client's fingerprint is `{{ default }}`, spaces optional.
fn is_default(part: &str) -> bool {
    part.trim()
        .strip_prefix("{{")
        .and_then(|rest| rest.strip_suffix("}}"))
        .is_some_and(|inner| inner.trim() == "default")
}

fn ours(input: &Input<'_>) -> (Parts, Basis) {
    let kind = input.exception_type.unwrap_or_default().trim();
    if !input.causes.is_empty() && is_aggregate(kind) {
        return (of_members(kind, input), Basis::Frames);
    }
    let message = || message::normalise(input.message.unwrap_or_default());
    let names = nearest(input.frames);
    if names.is_empty() {
        return (Parts::of("message", &[kind, &message()]), Basis::Message);
    }
    let mut parts = Parts::of("frames", &[kind]);
    for name in &names {
        parts.add(name.function.as_bytes()).add(name.file.as_bytes());
    }
    if names.iter().all(nearest::Name::tells_little) {
        parts.tag(2).add(message().as_bytes());
    }
    (parts, Basis::Frames)
}

/// Exceptions that only wrap others, by the last part of their names; their own frames show who awaited them, not what failed.
pub fn is_aggregate(kind: &str) -> bool {
    const NAMES: [&str; 4] = ["AggregateError", "AggregateException", "BaseExceptionGroup", "ExceptionGroup"];
    let name = kind.split_once(" [").map_or(kind, |(name, _)| name);
    let name = name.rsplit(['.', ':', '\\']).next().unwrap_or(name);
    NAMES.contains(&name)
}

/// Repeated failures count once, and their order does not matter. If a member has no in-app frame, for example
/// because a connection was refused, the frames of the code that waited show the place.
fn of_members(kind: &str, input: &Input<'_>) -> Parts {
    let members = input.causes;
    let hash = |member: &Member<'_>| {
        let Member { exception_type, message, frames } = member;
        let input = Input { exception_type: *exception_type, message: *message, frames, ..Input::default() };
        ours(&input).0.hash()
    };
    let hashes: BTreeSet<[u8; 16]> = members.iter().map(hash).collect();
    let mut parts = Parts::of("members", &[kind]);
    for hash in &hashes {
        parts.add(hash);
    }
    let is_placed = |member: &Member<'_>| member.frames.iter().any(|frame| frame.in_app && frame.is_named());
    if !members.iter().all(is_placed) && input.frames.iter().any(|frame| frame.in_app) {
        parts.tag(3);
        for name in &nearest(input.frames) {
            parts.add(name.function.as_bytes()).add(name.file.as_bytes());
        }
    }
    parts
}

/// Parts to hash, each prefixed with its length, so no two lists of parts give the same bytes.
struct Parts(Vec<u8>);

impl Parts {
    /// `rule` keeps the rules apart.
    fn new(rule: &str) -> Self {
        let mut parts = Self(Vec::with_capacity(256));
        parts.add(rule.as_bytes());
        parts
    }

    fn of(rule: &str, given: &[&str]) -> Self {
        let mut parts = Self::new(rule);
        for part in given {
            parts.add(part.as_bytes());
        }
        parts
    }

    fn tag(&mut self, tag: u8) -> &mut Self {
        self.0.push(tag);
        self
    }

    fn add(&mut self, part: &[u8]) -> &mut Self {
        self.0.extend_from_slice(&(part.len() as u64).to_le_bytes());
        self.0.extend_from_slice(part);
        self
    }

    fn hash(&self) -> [u8; 16] {
        let mut hash = [0; 16];
        hash.copy_from_slice(&blake3::hash(&self.0).as_bytes()[..16]);
        hash
    }
}
