//! Grouping: which issue an event belongs to.
//!
//! Pure: an [`Input`] in, a [`Fingerprint`] out. The rule, in order:
//!
//! 1. The client's own `fingerprint`, if it has one. An entry `{{ default }}` stands for ours, and a
//!    list of only that entry *is* ours. A list of blanks counts as none.
//! 2. The exception type and up to [`MAX_FRAMES`] distinct `function@file` nearest the throw, of the
//!    in-app frames; of all frames if none of the in-app ones has a name or a file.
//! 3. The exception type and the message without its variable parts ([`message::normalise`]).
//!
//! Line and column never count, file names lose query, hash and build id
//! ([`file_name::normalise`]), function names lose what differs between engines and builds
//! ([`function::clean`]). Frames should be resolved through source maps before they come here.
//!
//! **A change of the algorithm never splits stored issues.** The version is stored beside the hash
//! and not hashed in. Whoever changes the rule raises [`FINGERPRINT_VERSION`], keeps the former
//! function callable, and lets the digest look an event up by its newest hash first and by the older
//! ones after it; the issue found gains the newest hash as a further key.

pub(crate) mod date;
pub mod file_name;
pub mod function;
pub mod message;
pub(crate) mod pattern;
mod title;
pub(crate) mod token;

#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;

pub use title::{culprit, title};

/// Version of the rule above. Stored with each fingerprint.
pub const FINGERPRINT_VERSION: u16 = 1;

/// Most distinct frames that count: enough to tell two callers apart, few enough that a change in
/// the far callers makes no new issue.
pub const MAX_FRAMES: usize = 3;

/// One frame as grouping sees it: the resolved function and file where there are any, else those
/// of the stack text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupFrame<'a> {
    /// Function name, raw.
    pub function: Option<&'a str>,
    /// Source file or script address, raw.
    pub file: Option<&'a str>,
    /// Whether the frame is the application's own code.
    pub in_app: bool,
}

impl<'a> From<&super::stack::Frame<'a>> for GroupFrame<'a> {
    fn from(frame: &super::stack::Frame<'a>) -> Self {
        Self { function: frame.function, file: frame.url, in_app: frame.in_app }
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
}

/// Which of the three rules made a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The client's list.
    Client,
    /// Type and frames.
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
    if input.client.iter().all(|part| part.trim().is_empty() || is_default(part)) {
        return ours(input);
    }
    let mut hasher = Parts::new("client");
    for part in input.client {
        if is_default(part) {
            // A part of the client's own is never 16 raw bytes under this tag, so it cannot pose
            // as ours.
            hasher.tag(1).add(&ours(input).hash);
        } else {
            hasher.tag(0).add(part.as_bytes());
        }
    }
    hasher.finish(Basis::Client)
}

/// Whether a part of the client's fingerprint is `{{ default }}`, spaces optional.
fn is_default(part: &str) -> bool {
    part.trim()
        .strip_prefix("{{")
        .and_then(|rest| rest.strip_suffix("}}"))
        .is_some_and(|inner| inner.trim() == "default")
}

fn ours(input: &Input<'_>) -> Fingerprint {
    let kind = input.exception_type.unwrap_or_default().trim();
    let names = nearest(input.frames);
    if names.is_empty() {
        let message = message::normalise(input.message.unwrap_or_default());
        let mut hasher = Parts::new("message");
        hasher.add(kind.as_bytes()).add(message.as_bytes());
        return hasher.finish(Basis::Message);
    }
    let mut hasher = Parts::new("frames");
    hasher.add(kind.as_bytes());
    for (function, file) in &names {
        hasher.add(function.as_bytes()).add(file.as_bytes());
    }
    hasher.finish(Basis::Frames)
}

/// A cleaned function and file of a frame; one of them may be empty.
type Name<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The distinct names nearest the throw: of the in-app frames, or of all if those give none.
fn nearest<'a>(frames: &[GroupFrame<'a>]) -> Vec<Name<'a>> {
    let own = distinct(frames.iter().filter(|frame| frame.in_app));
    if own.is_empty() { distinct(frames.iter()) } else { own }
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

/// Parts to hash, each with its length in front: no two lists of parts give the same bytes.
struct Parts(Vec<u8>);

impl Parts {
    /// `rule` keeps the three rules apart.
    fn new(rule: &str) -> Self {
        let mut parts = Self(Vec::with_capacity(256));
        parts.add(rule.as_bytes());
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

    fn finish(&self, basis: Basis) -> Fingerprint {
        let mut hash = [0; 16];
        hash.copy_from_slice(&blake3::hash(&self.0).as_bytes()[..16]);
        Fingerprint { hash, version: FINGERPRINT_VERSION, basis }
    }
}
