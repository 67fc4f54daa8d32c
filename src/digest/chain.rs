//! An event's chain of exceptions, from the thrown one to its root cause: those that were sent, and those in the
//! stack text of the last one.

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
    /// The platform, recognized by the notation of its text.
    pub(super) platform: Option<&'static str>,
    /// Whether the event differs from the one that was accepted.
    pub(super) changed: bool,
}

impl Chain {
    /// Takes the frames out of an event, which keeps the stack texts; adds the causes in these, and notes what was
    /// cut. Most texts were parsed before and are remembered.
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
    let mut commons = Vec::new();
    let text = event.exception.as_ref().and_then(|exception| exception.stack.as_deref());
    // Logback omits the frames that a cause shares with the exception around it; logstash's encoder does the reverse.
    let is_root_first = text.is_some_and(stack::is_root_first);
    let mut next: Option<&mut Exception<'_>> = event.exception.as_mut();
    while let Some(exception) = next {
        let ParsedFrames { mut frames, platform, cut, common } = frames::of(exception);
        for frame in &mut frames {
            frame.debug_id = frame.url.as_deref().and_then(|url| ids.get(url)).copied();
        }
        commons.push(common);
        taken.had_frames |= !exception.frames.is_empty();
        exception.frames.clear();
        taken.platform = taken.platform.or(platform);
        taken.cut |= u16::from(cut) << taken.chain.len().min(15);
        taken.chain.push(frames);
        next = exception.cause.as_deref_mut();
    }
    taken.cut |= add_common(
        &mut taken.chain,
        &commons,
        is_root_first && commons.first().is_some_and(|common| *common > 0),
    );
    taken
}

/// Adds the frames that a text omits because the exception printed before has the same ones at its end. Returns which
/// stacks are cut as a result.
fn add_common(chain: &mut [Vec<Frame>], commons: &[usize], is_root_first: bool) -> u16 {
    let depths = 0..chain.len();
    let order: Vec<(usize, usize)> = if is_root_first {
        depths.skip(1).map(|depth| (depth - 1, depth)).rev().collect()
    } else {
        depths.skip(1).map(|depth| (depth, depth - 1)).collect()
    };
    let mut cut = 0;
    for (depth, above) in order {
        if chain[above].len() >= MAX_FRAMES || commons[depth] == 0 {
            continue;
        }
        let omitted = chain[above].len().saturating_sub(commons[depth]);
        let omitted = chain[above][omitted..].to_vec();
        chain[depth].extend(omitted);
        cut |= u16::from(chain[depth].len() > MAX_FRAMES) << depth.min(15);
        chain[depth].truncate(MAX_FRAMES);
    }
    cut
}

/// Lists the stacks that had more frames than are kept.
fn note_cuts(event: &mut Accepted<'_>, cut: u16) {
    for depth in (0..=limits::CAUSES).filter(|depth| cut >> depth & 1 == 1) {
        note(event, format!("exception{}.frames", ".cause".repeat(depth)));
    }
}

fn note(event: &mut Accepted<'_>, path: String) {
    if !event.truncated.contains(&path) {
        event.truncated.push(path);
    }
}
