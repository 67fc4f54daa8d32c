//! Finds the source map of a frame and looks up its position.

use super::frames::CONTEXT_BYTES;
use super::stacks::{FromText, Lookup, Stack, Stacks};
use crate::error::Result;
use crate::event::DebugId;
use crate::event::frame::{Frame, ResolvedFrame};
use crate::ids::{ProjectId, SourceMapId};
use crate::releases::service::Maps;
use crate::releases::{Candidates, ReleaseMaps, Rule, sql};
use crate::store::{Connection, Content};
use crate::symbolication::engine_name::readable;
use crate::symbolication::map::{Location, Map, SourceId};
use crate::symbolication::stack;
use quick_cache::unsync::Cache;
use std::collections::HashMap;
use std::sync::Arc;

/// Source lines on each side of a frame.
const CONTEXT_LINES: usize = 5;
/// Characters of a source line that are kept.
const LINE_MAX: usize = 400;
/// Releases cached with the URLs of their maps, because the latest builds are needed again and again.
const REMEMBERED: usize = 64;
/// Debug ids cached with their source map.
const REMEMBERED_IDS: usize = 4_096;

/// A resolved frame, and what else its mapping says.
pub struct FrameLocation {
    pub resolved: ResolvedFrame,
    /// The identifier called at the position, which names the previous frame (nearer the throw).
    pub identifier: Option<String>,
    /// The lines around it; `None` if the map does not contain the source's text. If it does, a missing
    /// function means top-level code.
    pub source: Option<SourceLines>,
}

/// The location of the source lines around a frame.
pub struct SourceLines {
    map: Arc<Map>,
    source: SourceId,
    line: u32,
    column: u32,
}

impl SourceLines {
    /// Adds the lines to the frame, if there is room for their bytes.
    pub fn add_to(&self, frame: &mut ResolvedFrame, room: &mut usize) {
        let place = Location {
            file: "",
            line: self.line,
            column: self.column,
            function: None,
            identifier: None,
            source: self.source,
        };
        let Some(context) = self.map.context(&place, CONTEXT_LINES).filter(|_| *room > 0) else { return };
        let own = |lines: &[&str]| lines.iter().map(|line| shown(line, 1).0).collect::<Vec<_>>();
        let (pre, post) = (own(context.pre()), own(context.post()));
        let (line, start) = shown(context.line(), self.column);
        let bytes = pre.iter().chain(&post).map(String::len).sum::<usize>() + line.len();
        // The frame for which there is too little room is the last that gets lines.
        *room = room.saturating_sub(bytes);
        (frame.pre_context, frame.post_context) = (pre, post);
        (frame.context_line, frame.context_start) = (Some(line), start);
    }
}

/// Resolves frames; remembers releases until something about them changes.
pub struct Resolver {
    maps: Arc<Maps>,
    remembered: Cache<(ProjectId, String), Option<Arc<ReleaseMaps>>>,
    debug: Cache<(ProjectId, DebugId), Option<(SourceMapId, Content)>>,
    stacks: Stacks,
    generation: u64,
}

impl Resolver {
    pub fn new(maps: Arc<Maps>) -> Self {
        let generation = maps.generation();
        Self {
            maps,
            remembered: Cache::new(REMEMBERED),
            debug: Cache::new(REMEMBERED_IDS),
            stacks: Stacks::default(),
            generation,
        }
    }

    /// Drops cached entries that may be stale. Call this before each batch.
    pub fn refresh(&mut self) {
        let generation = self.maps.generation();
        if generation != self.generation {
            self.remembered.clear();
            self.debug.clear();
            self.stacks.clear();
            self.generation = generation;
        }
    }

    /// The maps of a release; `None` if the project has no such release.
    pub fn release(
        &mut self,
        c: &Connection,
        project: ProjectId,
        version: &str,
    ) -> Result<Option<Arc<ReleaseMaps>>> {
        let key = (project, version.to_owned());
        if let Some(known) = self.remembered.get(&key) {
            return Ok(known.clone());
        }
        let found = sql::release_maps(c, project, version)?.map(Arc::new);
        self.remembered.insert(key, found.clone());
        Ok(found)
    }

    /// Where to look for the frames of an event with this release and these debug ids.
    pub fn candidates(
        &mut self,
        c: &Connection,
        project: ProjectId,
        version: Option<&str>,
        ids: impl Iterator<Item = DebugId>,
    ) -> Result<Candidates> {
        let release = match version {
            Some(version) => self.release(c, project, version)?,
            None => None,
        };
        let mut candidates = Candidates { project, release, debug: HashMap::new() };
        self.learn(c, &mut candidates, ids)?;
        Ok(candidates)
    }

    /// Adds the source maps with these debug ids.
    pub fn learn(
        &mut self,
        c: &Connection,
        candidates: &mut Candidates,
        ids: impl Iterator<Item = DebugId>,
    ) -> Result<()> {
        for id in ids {
            if candidates.debug.contains_key(&id) {
                continue;
            }
            let key = (candidates.project, id);
            let known = self.debug.get(&key).copied();
            let found = match known {
                Some(known) => known,
                None => {
                    let found = sql::of_debug_id(c, candidates.project, id)?;
                    self.debug.insert(key, found);
                    found
                }
            };
            candidates.debug.insert(id, found);
        }
        Ok(())
    }

    /// The remembered stack of a text.
    pub fn known_text(&self, candidates: &Candidates, hash: [u8; 32]) -> Option<FromText> {
        self.stacks.get_text(candidates, hash)
    }

    pub fn remember_text(&mut self, candidates: &Candidates, hash: [u8; 32], found: FromText) {
        self.stacks.remember_text(candidates, hash, found);
    }

    /// The frames of a chain of exceptions, resolved and serialized, or remembered.
    pub fn stack(&mut self, candidates: &Candidates, chain: Vec<Vec<Frame>>) -> Result<Arc<Stack>> {
        let chain = match self.stacks.get(candidates, chain) {
            Lookup::Known(stack) => return Ok(stack),
            Lookup::New(chain) => chain,
        };
        let mut resolved = chain.clone();
        if !candidates.is_empty() {
            let mut room = CONTEXT_BYTES;
            resolved.iter_mut().for_each(|frames| self.resolve(candidates, frames, &mut room));
        }
        let stack = Arc::new(Stack::new(resolved)?);
        self.stacks.remember(candidates, chain, stack.clone());
        Ok(stack)
    }

    /// Resolves frames that can be resolved; already resolved frames stay as they are. `room` is what is left
    /// of [`CONTEXT_BYTES`].
    pub fn resolve(&self, candidates: &Candidates, frames: &mut [Frame], room: &mut usize) {
        // From the callers to the throw: a map without sources names a function only where it is called,
        // possibly by another name. So the engine's own name comes first.
        let mut callee = None;
        let mut sources = Vec::new();
        for (index, frame) in frames.iter_mut().enumerate().rev() {
            if !frame.mappable || frame.resolved.is_some() {
                callee = None;
                continue;
            }
            let Ok(located) = self.locate(candidates, frame) else {
                callee = None;
                continue;
            };
            let FrameLocation { mut resolved, identifier, source } = located;
            if resolved.function.is_none() && source.is_none() {
                let own = frame.function.as_deref().and_then(readable).map(str::to_owned);
                resolved.function = own.or_else(|| callee.take());
            }
            callee = identifier;
            frame.in_app = frame.in_app && stack::in_app(Some(&resolved.file), resolved.function.as_deref());
            frame.resolved = Some(resolved);
            sources.extend(source.map(|source| (index, source)));
        }
        // From the throw to the callers: the lines nearest the throw are the ones people read.
        for (index, source) in sources.iter().rev() {
            if let Some(resolved) = &mut frames[*index].resolved {
                source.add_to(resolved, room);
            }
        }
    }

    /// The original position of a frame.
    ///
    /// # Errors
    /// The matching rule that failed, with an explanation.
    pub fn locate(&self, candidates: &Candidates, frame: &Frame) -> Result<FrameLocation, (Rule, String)> {
        let address = frame.url.as_deref().unwrap_or_default();
        let found = candidates.find(frame.debug_id, address).map_err(|rule| {
            let detail = candidates.release.as_ref().map(|release| describe(release, address, rule));
            (rule, detail.unwrap_or_default())
        })?;
        let position = |text: &str| (Rule::Position, text.to_owned());
        let map = self.maps.get(found.content).map_err(|error| {
            tracing::warn!(source_map = found.id.0, cause = ?error, "a source map cannot be opened");
            position("The source map's file is missing or damaged. Upload it again.")
        })?;
        let Some(column) = frame.column else {
            return Err(position("The frame has no column. A minified line has thousands of positions."));
        };
        let line = frame.line.unwrap_or_default();
        let location = map.lookup(line, column).ok_or_else(|| {
            position(&format!(
                "The source map has nothing at line {line}, column {column}: it may belong to another build."
            ))
        })?;
        if location.file.is_empty() {
            return Err(position(&format!(
                "The source map names no source for line {line}, column {column}: the build generated that code itself."
            )));
        }
        let resolved = ResolvedFrame {
            file: location.file.to_owned(),
            function: location.function.map(str::to_owned),
            line: location.line,
            column: location.column,
            pre_context: Vec::new(),
            context_line: None,
            context_start: 0,
            post_context: Vec::new(),
            source_map_id: found.id,
            matched_without_query: found.without_query,
            matched_by_debug_id: found.by_debug_id,
        };
        let identifier = location.identifier.map(str::to_owned);
        let (source, line, column) = (location.source, location.line, location.column);
        let has_text = map.context(&location, 0).is_some();
        let source = has_text.then(|| SourceLines { map: map.clone(), source, line, column });
        Ok(FrameLocation { resolved, identifier, source })
    }
}

/// At most [`LINE_MAX`] characters of a source line around the 1-based `column`, and how many columns before
/// them are omitted.
fn shown(line: &str, column: u32) -> (String, u32) {
    if line.len() <= LINE_MAX {
        return (line.to_owned(), 0);
    }
    // If the line ends before the column, its end is shown.
    let length = line.chars().map(char::len_utf16).sum::<usize>();
    let lead = (column as usize).saturating_sub(LINE_MAX / 2).min(length.saturating_sub(LINE_MAX));
    let (mut skipped, mut start) = (0, 0);
    for (at, character) in line.char_indices() {
        if skipped >= lead {
            break;
        }
        skipped += character.len_utf16();
        start = at + character.len_utf8();
    }
    let text = line[start..].chars().take(LINE_MAX).collect();
    (text, u32::try_from(skipped).unwrap_or(u32::MAX))
}

fn describe(release: &ReleaseMaps, address: &str, rule: Rule) -> String {
    match (rule, release.form(address)) {
        (Rule::Prefix, Some(form)) => {
            format!("`{form}` does not start with the release's url_prefix `{}`.", release.url_prefix)
        }
        (Rule::Prefix, None) => {
            let wanted = match release.url_prefix.as_str() {
                "" => "relative addresses (its url_prefix is empty)".to_owned(),
                prefix if prefix.starts_with('~') => {
                    format!("addresses with a path from the root (`{prefix}`)")
                }
                prefix => format!("absolute addresses (`{prefix}`)"),
            };
            format!("The release expects {wanted}; the frame's address is `{address}`.")
        }
        (_, form) => format!(
            "The release has no source map for `{}` ({} stored).",
            form.as_deref().unwrap_or(address),
            release.maps.len()
        ),
    }
}
