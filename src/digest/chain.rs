//! An event's exceptions, from the one that was thrown to those that led to it: the ones that were sent, and
//! the ones mentioned in the stack text of the last of them.

use super::frames::{self, ParsedFrames};
use super::resolve::Resolver;
use super::stacks::{FromText, Stack};
use crate::error::Result;
use crate::event::DebugId;
use crate::event::accepted::{Accepted, Exception};
use crate::event::frame::Frame;
use crate::intake::decode::limits;
use crate::releases::Candidates;
use crate::symbolication::stack::{self, MAX_FRAMES};
use crate::text;
use std::collections::HashMap;
use std::sync::Arc;

/// The stack of an event.
pub(super) struct Chain {
    pub(super) stack: Arc<Stack>,
    /// The platform, judging by the notation of its text.
    pub(super) platform: Option<&'static str>,
    /// Whether the event differs from the one that was accepted.
    pub(super) changed: bool,
}

impl Chain {
    /// Takes the frames out of an event, which keeps the stack texts; adds the causes mentioned in these, and
    /// notes what was cut. Most texts have been seen before.
    pub(super) fn take(
        resolver: &mut Resolver,
        candidates: &Candidates,
        event: &mut Accepted<'_>,
    ) -> Result<Self> {
        let has_causes = add_causes(event);
        let hash = frames::text_hash(event);
        if let Some(known) = hash.and_then(|hash| resolver.known_text(candidates, hash)) {
            note_cuts(event, known.cut);
            let FromText { stack, platform, cut } = known;
            return Ok(Self { stack, platform, changed: has_causes || cut != 0 });
        }
        let ExceptionFrames { chain, platform, cut, had_frames } = take_frames(event);
        let stack = resolver.stack(candidates, chain)?;
        note_cuts(event, cut);
        if let Some(hash) = hash {
            resolver.remember_text(candidates, hash, FromText { stack: stack.clone(), platform, cut });
        }
        Ok(Self { stack, platform, changed: has_causes || had_frames || cut != 0 })
    }
}

/// Adds the causes mentioned in the text of the last exception, up to the limit of the chain. Returns whether
/// there were any.
fn add_causes(event: &mut Accepted<'_>) -> bool {
    let Some(mut last) = event.exception.as_mut() else { return false };
    let mut depth = 0;
    while let Some(cause) = last.cause.take() {
        depth += 1;
        last = last.cause.insert(cause);
    }
    if !last.frames.is_empty() {
        return false;
    }
    let Some(text) = last.stack.as_deref() else { return false };
    let found = stack::causes(text, last.message.as_deref());
    let room = limits::CAUSES.saturating_sub(depth);
    let chain =
        found.iter().take(room).rev().fold(None, |cause, found| Some(Box::new(exception(found, cause))));
    if found.is_empty() {
        return false;
    }
    let is_cut = found.len() > room;
    last.cause = chain;
    if is_cut {
        note(event, format!("exception{}.cause", ".cause".repeat(limits::CAUSES)));
    }
    true
}

fn exception(found: &stack::Cause<'_>, cause: Option<Box<Exception<'static>>>) -> Exception<'static> {
    let own = |text: &str, max: usize| text::clip(text.to_owned().into(), max).0;
    Exception {
        kind: found.kind.map(|kind| own(kind, limits::EXCEPTION_TYPE)),
        message: Some(found.message).filter(|text| !text.is_empty()).map(|text| own(text, limits::MESSAGE)),
        stack: Some(found.stack).filter(|text| !text.is_empty()).map(|text| text.to_owned().into()),
        cause,
        ..Exception::default()
    }
}

/// The frames of the exception and of each cause.
#[derive(Default)]
struct ExceptionFrames {
    chain: Vec<Vec<Frame>>,
    platform: Option<&'static str>,
    /// See [`FromText::cut`].
    cut: u16,
    /// Whether the event contained frames as well as the stack text.
    had_frames: bool,
}

fn take_frames(event: &mut Accepted<'_>) -> ExceptionFrames {
    let mut taken = ExceptionFrames::default();
    let ids: HashMap<&str, DebugId> =
        event.debug_images.iter().map(|image| (image.code_file.as_ref(), image.debug_id)).collect();
    let mut next: Option<&mut Exception<'_>> = event.exception.as_mut();
    while let Some(exception) = next {
        let ParsedFrames { mut frames, platform, mut cut, common } = frames::of(exception);
        for frame in &mut frames {
            frame.debug_id = frame.url.as_deref().and_then(|url| ids.get(url)).copied();
        }
        if let Some(above) = taken.chain.last().filter(|above| above.len() < MAX_FRAMES) {
            // The frames that the text omits.
            frames.extend_from_slice(&above[above.len() - common.min(above.len())..]);
            cut |= frames.len() > MAX_FRAMES;
            frames.truncate(MAX_FRAMES);
        }
        taken.had_frames |= !exception.frames.is_empty();
        exception.frames.clear();
        taken.platform = taken.platform.or(platform);
        taken.cut |= u16::from(cut) << taken.chain.len().min(15);
        taken.chain.push(frames);
        next = exception.cause.as_deref_mut();
    }
    taken
}

/// Lists the stacks that had more frames than are kept.
fn note_cuts(event: &mut Accepted<'_>, cut: u16) {
    for depth in (0..=limits::CAUSES).filter(|depth| cut >> depth & 1 == 1) {
        note(event, format!("exception{}.stack", ".cause".repeat(depth)));
    }
}

fn note(event: &mut Accepted<'_>, path: String) {
    if !event.truncated.contains(&path) {
        event.truncated.push(path);
    }
}
