//! Explains in words why a frame is not resolved, and names the closest stored maps.
//!
//! Evaluated when an event is read, so maps that arrived after the error count: a frame that can be resolved
//! by now is resolved.

use super::{EventRow, FrameView, Nearest, Unresolved};
use crate::digest::frames;
use crate::digest::resolve::Resolver;
use crate::error::Result;
use crate::event::frame::Frame;
use crate::ids::ProjectId;
use crate::releases::{ReleaseMaps, Rule, base_name, sql};
use crate::store::Connection;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// Maps named as closest.
const NEAREST: usize = 3;
/// Distinct addresses for which close maps are looked up; the others get only the rule.
const EXPLAINED: usize = 20;

/// The frames of an event and of its causes, resolved as far as the maps allow at the moment.
pub(super) fn frames(
    c: &Connection,
    resolver: &mut Resolver,
    stored: &EventRow,
) -> Result<Vec<Vec<FrameView>>> {
    let event = stored.accepted()?;
    let version = event.release.as_deref();
    let mut explainer = Explainer::new(c, resolver, stored.project_id, version, frames::CONTEXT_BYTES)?;
    stored.frames.iter().map(|frames| explainer.exception(frames.clone())).collect()
}

/// Explains the frames of events of one release, or without a release.
pub struct Explainer<'a> {
    c: &'a Connection,
    resolver: &'a Resolver,
    project: ProjectId,
    version: Option<&'a str>,
    release: Option<Arc<ReleaseMaps>>,
    /// Bytes of source lines that may still be added.
    room: usize,
    /// By address.
    near: HashMap<String, Vec<Nearest>>,
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
        let release = match version {
            Some(version) => resolver.release(c, project, version)?,
            None => None,
        };
        Ok(Self { c, resolver, project, version, release, room, near: HashMap::new() })
    }

    fn exception(&mut self, mut frames: Vec<Frame>) -> Result<Vec<FrameView>> {
        self.resolve(&mut frames);
        frames.into_iter().map(|frame| self.frame(frame)).collect()
    }

    fn resolve(&mut self, frames: &mut [Frame]) {
        if let Some(release) = &self.release {
            self.resolver.resolve(release, frames, &mut self.room);
        }
    }

    /// The frames of an event and of its causes that a source map should resolve but none does.
    pub fn open_frames(&mut self, chain: &[Vec<Frame>]) -> Vec<Frame> {
        let mut open = Vec::new();
        for frames in chain {
            let mut frames = frames.clone();
            self.resolve(&mut frames);
            open.extend(frames.into_iter().filter(is_open));
        }
        open
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
        })
    }

    fn explain(&mut self, frame: &Frame) -> Result<Unresolved> {
        let (rule, detail) = self.cause(frame)?;
        let near = match rule {
            Rule::Position => Vec::new(),
            _ => self.nearest(frame.url.as_deref().unwrap_or_default())?,
        };
        Ok(Unresolved { rule, detail, nearest: near })
    }

    /// The rule that a frame fails, and an explanation.
    pub fn cause(&self, frame: &Frame) -> Result<(Rule, String)> {
        Ok(match (self.version, &self.release) {
            (None, _) => (
                Rule::Release,
                "The event has no release. Set `release` in the client to the version that the maps were uploaded for."
                    .to_owned(),
            ),
            (Some(version), None) => (Rule::Release, self.unknown_release(version)?),
            (Some(_), Some(release)) => match self.resolver.locate(release, frame) {
                Err(failure) => failure,
                Ok(_) => (Rule::Position, "The source map changed while this was being read. Reload.".to_owned()),
            },
        })
    }

    fn unknown_release(&self, version: &str) -> Result<String> {
        let newest = sql::newest_versions(self.c, self.project, 3)?;
        Ok(if newest.is_empty() {
            format!(
                "There is no release `{version}`: this project has none yet. Upload its source maps from the build."
            )
        } else {
            format!("There is no release `{version}`. The newest are: {}.", newest.join(", "))
        })
    }

    /// The stored maps that an address may have meant; looked up only for the first [`EXPLAINED`] addresses.
    pub fn nearest(&mut self, address: &str) -> Result<Vec<Nearest>> {
        if let Some(known) = self.near.get(address) {
            return Ok(known.clone());
        }
        if self.near.len() >= EXPLAINED {
            return Ok(Vec::new());
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
    fn of_name(&self, base: &str) -> Result<Vec<Nearest>> {
        let mut found = self.of_release(base);
        for (url, release) in sql::maps_named(self.c, self.project, base, NEAREST as i64)? {
            let why = match self.version {
                Some(version) if version == release => "the same file name under another path".to_owned(),
                _ => format!("the same file name in release `{release}`"),
            };
            if !found.iter().any(|near| near.url == url && near.release == release) {
                found.push(Nearest { url, release, why });
            }
        }
        Ok(found)
    }

    /// The maps of the event's own release whose names, and then whose directories, are most similar.
    fn alike(&self, address: &str, base: &str) -> Vec<Nearest> {
        let (Some(release), Some(version)) = (&self.release, self.version) else { return Vec::new() };
        let own = folder(address.split(['?', '#']).next().unwrap_or_default());
        let rank = |url: &String| Reverse((likeness(base_name(url), base), likeness(folder(url), own)));
        let mut urls: Vec<_> = release.maps.keys().map(|url| (rank(url), url)).collect();
        urls.sort_unstable();
        let near = |(_, url): (_, &String)| Nearest {
            url: url.clone(),
            release: version.to_owned(),
            why: "no file has that name; this is one of the closest in the release".to_owned(),
        };
        // As many again may already be listed for a better reason.
        urls.into_iter().take(2 * NEAREST).map(near).collect()
    }

    /// Maps of the event's own release: the same name first, then names with the same beginning (a hash in
    /// the name differs if the map belongs to another build).
    fn of_release(&self, base: &str) -> Vec<Nearest> {
        let (Some(release), Some(version)) = (&self.release, self.version) else { return Vec::new() };
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
                Some((rank, Nearest { url: url.clone(), release: version.to_owned(), why: why.to_owned() }))
            })
            .collect();
        found.sort_by(|a, b| (a.0, &a.1.url).cmp(&(b.0, &b.1.url)));
        found.into_iter().map(|(_, near)| near).take(NEAREST).collect()
    }
}

fn is_open(frame: &Frame) -> bool {
    frame.mappable && frame.resolved.is_none()
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
