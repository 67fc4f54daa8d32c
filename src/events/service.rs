//! Explains in words why a frame is not resolved, and names the closest stored maps.
//!
//! Evaluated when an event is read, so maps that arrived after the error count: a frame that can be resolved
//! by now is resolved.

use super::mend;
use super::sql as events;
use super::{Event, EventRow, FrameView, Nearest, Unresolved};
use crate::digest::frames;
use crate::digest::resolve::Resolver;
use crate::error::Result;
use crate::event::accepted::{DebugImage, Exception};
use crate::event::frame::Frame;
use crate::ids::ProjectId;
use crate::releases::service::Maps;
use crate::releases::{Candidates, Rule, base_name, sql};
use crate::store::Connection;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// Maps named as closest.
const NEAREST: usize = 3;
/// Names of maps that the addresses of a release are compared with, all in all: with 250 addresses, those of a release
/// of 8,000 maps. From there on an address is compared with [`COMPARED_MIN`] of them.
const COMPARED: usize = 2_000_000;
const COMPARED_MIN: usize = 100;
/// Lines longer than this, in UTF-16 units, are minified.
const WRITTEN_MAX: usize = 300;

/// The frames of an event and of its causes, resolved as far as the maps allow at the moment.
fn frames(c: &Connection, resolver: &mut Resolver, stored: &EventRow) -> Result<Vec<Vec<FrameView>>> {
    let event = stored.accepted()?;
    let version = event.release.as_deref();
    let mut explainer = Explainer::new(c, resolver, stored.project_id, version, frames::CONTEXT_BYTES)?;
    stored.frames.iter().map(|frames| explainer.exception(frames.clone())).collect()
}

/// An event as shown on its page; `None` if the project has none with that id.
///
/// # Errors
/// Storage trouble.
pub fn view(c: &Connection, maps: Arc<Maps>, project: ProjectId, event_id: &str) -> Result<Option<Event>> {
    let Some(stored) = events::get(c, project, event_id)? else { return Ok(None) };
    let frames = frames(c, &mut Resolver::new(maps), &stored)?;
    stored.view(frames).map(Some)
}

/// The frames of a stack's text, as in an event of this release that sends these debug ids.
pub fn of_text(
    c: &Connection,
    resolver: &mut Resolver,
    project: ProjectId,
    version: Option<&str>,
    stack: &str,
    images: &[DebugImage<'_>],
) -> Result<Vec<FrameView>> {
    let exception = Exception { stack: Some(stack.into()), ..Exception::default() };
    let mut frames = frames::of(&exception).frames;
    for frame in &mut frames {
        let image = images.iter().find(|image| Some(image.code_file.as_ref()) == frame.url.as_deref());
        frame.debug_id = image.map(|image| image.debug_id);
    }
    Explainer::new(c, resolver, project, version, frames::CONTEXT_BYTES)?.exception(frames)
}

/// A stored map.
struct StoredMap {
    url: String,
    release: String,
    url_prefix: String,
}

/// Explains the frames of events of one release, or without a release.
pub struct Explainer<'a> {
    c: &'a Connection,
    resolver: &'a mut Resolver,
    version: Option<&'a str>,
    candidates: Candidates,
    /// Bytes of source lines that may still be added.
    room: usize,
    /// By address.
    near: HashMap<String, Vec<Nearest>>,
    /// Maps of the newest releases by their name, once they are needed.
    names: Option<HashMap<String, Vec<StoredMap>>>,
    /// How many names have been compared.
    compared: usize,
    /// What is known of a release that nobody has created, once a frame asks.
    no_release: OnceCell<String>,
}

impl<'a> Explainer<'a> {
    /// An explainer that adds at most `room` bytes of source lines.
    pub fn new(
        c: &'a Connection,
        resolver: &'a mut Resolver,
        project: ProjectId,
        version: Option<&'a str>,
        room: usize,
    ) -> Result<Self> {
        let candidates = resolver.candidates(c, project, version, std::iter::empty())?;
        let (near, no_release) = (HashMap::new(), OnceCell::new());
        Ok(Self { c, resolver, version, candidates, room, near, names: None, compared: 0, no_release })
    }

    fn exception(&mut self, mut frames: Vec<Frame>) -> Result<Vec<FrameView>> {
        self.resolve(&mut frames)?;
        frames.into_iter().map(|frame| self.frame(frame)).collect()
    }

    fn resolve(&mut self, frames: &mut [Frame]) -> Result<()> {
        let ids = frames.iter().filter_map(|frame| frame.debug_id);
        self.resolver.learn(self.c, &mut self.candidates, ids)?;
        if !self.candidates.is_empty() {
            self.resolver.resolve(&self.candidates, frames, &mut self.room);
        }
        Ok(())
    }

    /// How many frames of an event and of its causes source maps resolve or should, and those that none does.
    pub fn open_frames(&mut self, chain: &[Vec<Frame>]) -> Result<(usize, Vec<Frame>)> {
        let (mut mapped, mut open) = (0, Vec::new());
        for frames in chain {
            let mut frames = frames.clone();
            self.resolve(&mut frames)?;
            mapped += frames.iter().filter(|frame| frame.resolved.is_some()).count();
            open.extend(frames.into_iter().filter(is_open));
        }
        Ok((mapped + open.len(), open))
    }

    fn frame(&mut self, frame: Frame) -> Result<FrameView> {
        let unresolved = if is_open(&frame) { Some(self.explain(&frame)?) } else { None };
        Ok(FrameView {
            function: frame.function,
            url: frame.url,
            line: frame.line,
            column: frame.column,
            in_app: frame.in_app,
            resolved: frame.resolved,
            unresolved,
            pre_context: frame.pre_context,
            context_line: frame.context_line,
            post_context: frame.post_context,
            // They are the event's, and the frame is that of all events with the same stack.
            vars: None,
        })
    }

    fn explain(&mut self, frame: &Frame) -> Result<Unresolved> {
        let (rule, detail) = self.cause(frame)?;
        let near = match rule {
            Rule::Position => Vec::new(),
            _ => self.nearest(frame.url.as_deref().unwrap_or_default())?,
        };
        let address = frame.url.as_deref().unwrap_or_default();
        let looked_for = mend::looked_for(rule, self.version, self.candidates.release.as_deref(), address);
        let command = self.command(rule, address, &near);
        Ok(Unresolved { rule, detail, looked_for, nearest: near, command })
    }

    /// What to run so that frames of this address are resolved, where that is known.
    pub fn command(&self, rule: Rule, address: &str, nearest: &[Nearest]) -> Option<String> {
        mend::command(rule, self.version, self.candidates.release.as_deref(), address, nearest)
    }

    /// The rule that a frame fails, and an explanation.
    pub fn cause(&self, frame: &Frame) -> Result<(Rule, String)> {
        let located = self.resolver.locate(&self.candidates, frame);
        Ok(match (self.version, &self.candidates.release, located) {
            (_, _, Err(failure)) if failure.0 != Rule::Release => failure,
            (_, _, Ok(_)) => {
                (Rule::Position, "The source map changed while this was being read. Reload.".to_owned())
            }
            (None, _, _) => (
                Rule::Release,
                "The event has no release. Set `release` in the client to the version that the maps were uploaded for."
                    .to_owned(),
            ),
            (Some(version), _, _) => (Rule::Release, self.unknown_release(version)?),
        })
    }

    /// What is known of a version that nobody has created, and what to do: asked once for all frames.
    fn unknown_release(&self, version: &str) -> Result<String> {
        if let Some(known) = self.no_release.get() {
            return Ok(known.clone());
        }
        let detail = self.ask_of_release(version)?;
        Ok(self.no_release.get_or_init(|| detail).clone())
    }

    fn ask_of_release(&self, version: &str) -> Result<String> {
        let project = self.candidates.project;
        let known = match sql::value_of(self.c, project, version)? {
            Some(_) => format!("only events name release `{version}`"),
            None => format!("nothing was uploaded for release `{version}`"),
        };
        let newest = sql::newest_versions(self.c, project, 3)?.join(", ");
        let or = match newest.as_str() {
            "" => String::new(),
            _ => format!(
                ", or set `release` in the client to the one that they belong to (the newest are: {newest})"
            ),
        };
        Ok(format!("No source maps: {known}. Upload them from its build{or}."))
    }

    /// The stored maps that an address may have meant.
    pub fn nearest(&mut self, address: &str) -> Result<Vec<Nearest>> {
        if let Some(known) = self.near.get(address) {
            return Ok(known.clone());
        }
        let base = base_name(address);
        let mut found = if base.is_empty() { Vec::new() } else { self.of_name(base)? };
        for near in self.alike(address, base) {
            if !found.iter().any(|known| known.url == near.url && known.release == near.release) {
                found.push(near);
            }
        }
        found.truncate(NEAREST);
        self.near.insert(address.to_owned(), found.clone());
        Ok(found)
    }

    /// Maps of the event's own release with nearly the same name, then maps of other releases with the same
    /// name.
    fn of_name(&mut self, base: &str) -> Result<Vec<Nearest>> {
        let mut found = self.of_release(base);
        let version = self.version;
        for StoredMap { url, release, url_prefix } in self.names()?.get(base).into_iter().flatten() {
            let why = match version {
                Some(version) if version == release => "the same file name under another path".to_owned(),
                _ => format!("the same file name in release `{release}`"),
            };
            if !found.iter().any(|near| near.url == *url && near.release == *release) {
                let (url, release, url_prefix) = (url.clone(), release.clone(), url_prefix.clone());
                found.push(Nearest { url, release, url_prefix, why });
            }
        }
        Ok(found)
    }

    fn names(&mut self) -> Result<&HashMap<String, Vec<StoredMap>>> {
        if self.names.is_none() {
            let mut names: HashMap<String, Vec<StoredMap>> = HashMap::new();
            sql::each_map(self.c, self.candidates.project, |url, release, url_prefix| {
                let same = names.entry(base_name(url).to_owned()).or_default();
                if same.len() < NEAREST {
                    let (url, release) = (url.to_owned(), release.to_owned());
                    same.push(StoredMap { url, release, url_prefix: url_prefix.to_owned() });
                }
            })?;
            self.names = Some(names);
        }
        Ok(self.names.get_or_insert_default())
    }

    /// The maps of the event's own release whose names, and then whose directories, are most similar.
    fn alike(&mut self, address: &str, base: &str) -> Vec<Nearest> {
        let (Some(release), Some(version)) = (&self.candidates.release, self.version) else {
            return Vec::new();
        };
        let own = folder(address.split(['?', '#']).next().unwrap_or_default());
        let rank = |url: &String| Reverse((likeness(base_name(url), base), likeness(folder(url), own)));
        let some = COMPARED.saturating_sub(self.compared).max(COMPARED_MIN).min(release.maps.len());
        self.compared += some;
        let mut urls: Vec<_> = release.maps.keys().take(some).map(|url| (rank(url), url)).collect();
        // As many again may already be listed for a better reason.
        let wanted = 2 * NEAREST;
        if urls.len() > wanted {
            urls.select_nth_unstable(wanted);
            urls.truncate(wanted);
        }
        urls.sort_unstable();
        let near = |(_, url): (_, &String)| Nearest {
            url: url.clone(),
            release: version.to_owned(),
            url_prefix: release.url_prefix.clone(),
            why: "no file has that name; this is one of the closest in the release".to_owned(),
        };
        urls.into_iter().map(near).collect()
    }

    /// Maps of the event's own release: the same name first, then names with the same beginning (a hash in
    /// the name differs if the map belongs to another build).
    fn of_release(&self, base: &str) -> Vec<Nearest> {
        let (Some(release), Some(version)) = (&self.candidates.release, self.version) else {
            return Vec::new();
        };
        let stem = base.split(['.', '-']).next().unwrap_or_default();
        let mut found: Vec<(u8, Nearest)> = release
            .maps
            .keys()
            .filter_map(|url| {
                let name = base_name(url);
                let (rank, why) = if name == base {
                    (1, "the same file name under another path")
                } else if name.strip_suffix(".map") == Some(base) {
                    (2, "named after the map, not after the script: upload it under the script's address")
                } else if name.eq_ignore_ascii_case(base) {
                    (3, "the same file name in different case")
                } else if !stem.is_empty() && name.starts_with(stem) {
                    (4, "a file name with the same beginning: perhaps from another build")
                } else {
                    return None;
                };
                let (url, url_prefix) = (url.clone(), release.url_prefix.clone());
                Some((rank, Nearest { url, release: version.to_owned(), url_prefix, why: why.to_owned() }))
            })
            .collect();
        found.sort_by(|a, b| (a.0, &a.1.url).cmp(&(b.0, &b.1.url)));
        found.into_iter().map(|(_, near)| near).take(NEAREST).collect()
    }
}

/// Whether a source map should resolve the frame, but none does.
fn is_open(frame: &Frame) -> bool {
    frame.mappable && frame.resolved.is_none() && !came_with_source(frame)
}

/// Whether the client sent the original source of a frame, so that no source map is missing.
fn came_with_source(frame: &Frame) -> bool {
    let written = |line: &String| !line.trim().is_empty() && line.encode_utf16().count() <= WRITTEN_MAX;
    frame.context_line.as_ref().is_some_and(written)
}

fn folder(address: &str) -> &str {
    address.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// How much of two texts is a common prefix or suffix, in thousandths.
fn likeness(a: &str, b: &str) -> usize {
    let alike = |(a, b): &(u8, u8)| a.eq_ignore_ascii_case(b);
    let front = a.bytes().zip(b.bytes()).take_while(alike).count();
    let rest = a.len().min(b.len()) - front;
    let back = a.bytes().rev().zip(b.bytes().rev()).take(rest).take_while(alike).count();
    2_000 * (front + back) / (a.len() + b.len()).max(1)
}

#[cfg(test)]
mod tests;
