//! Finds the source map of a frame: by the script's debug id, or else by three rules.
//!
//! 1. The event's release is a release of the project (the caller looked it up).
//! 2. The frame's address, in the form that the release's `url_prefix` asks for, starts with it:
//!    `~…`: scheme and host replaced by `~`; an absolute prefix: the whole address; an empty one:
//!    relative addresses only.
//! 3. What was compared equals a source map's `url` exactly; failing that, without `?…` and `#…`; failing that, with
//!    percent-encoded characters decoded on both sides (browsers encode the brackets of `app/[id]/page.js`, bundlers do not).

use crate::event::DebugId;
use crate::ids::{ProjectId, ReleaseId, SourceMapId};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use utoipa::ToSchema;

/// Which rule a frame failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    Release,
    Prefix,
    Url,
    Position,
}

/// A source map that matches an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    pub id: SourceMapId,
    /// The content, which identifies the compact file.
    pub content: [u8; 32],
    /// Whether it matched only without the address's `?…` and `#…`.
    pub without_query: bool,
    pub by_debug_id: bool,
}

/// Where the frames of an event are looked for.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub project: ProjectId,
    /// The event's release, if the project has it.
    pub release: Option<Arc<ReleaseMaps>>,
    /// The project's source map with each debug id of the event, and its content; `None` if it has none.
    pub debug: HashMap<DebugId, Option<(SourceMapId, [u8; 32])>>,
}

impl Candidates {
    /// Whether nothing can be found.
    pub fn is_empty(&self) -> bool {
        self.release.is_none() && self.debug.values().all(Option::is_none)
    }

    /// The map of a frame: by its debug id, or else by the rules.
    ///
    /// # Errors
    /// The rule that failed: [`Rule::Release`], [`Rule::Prefix`] or [`Rule::Url`].
    pub fn find(&self, debug_id: Option<DebugId>, address: &str) -> Result<Match, Rule> {
        let by_id = debug_id.and_then(|id| self.debug.get(&id).copied().flatten());
        match (by_id, &self.release) {
            (Some((id, content)), _) => Ok(Match { id, content, without_query: false, by_debug_id: true }),
            (None, Some(release)) => release.find(address),
            (None, None) => Err(Rule::Release),
        }
    }
}

/// A release with its source maps by url, or with the contents of its style sheets, which are found in the same way.
#[derive(Debug, Clone)]
pub struct ReleaseMaps<T = (SourceMapId, [u8; 32])> {
    pub id: ReleaseId,
    pub url_prefix: String,
    /// How many source maps had been stored, also in place of others.
    pub uploads: i64,
    pub maps: HashMap<String, T>,
    /// The urls with percent-encoded characters, decoded.
    pub decoded: OnceLock<HashMap<String, T>>,
}

impl ReleaseMaps {
    /// The map of a frame's address.
    ///
    /// # Errors
    /// The rule that failed: [`Rule::Prefix`] or [`Rule::Url`].
    pub fn find(&self, address: &str) -> Result<Match, Rule> {
        let ((id, content), without_query) = self.look_up(address)?;
        Ok(Match { id: *id, content: *content, without_query, by_debug_id: false })
    }
}

impl<T: Copy> ReleaseMaps<T> {
    /// What the release has for an address, and whether it matched only without `?…` and `#…`.
    ///
    /// # Errors
    /// The rule that failed: [`Rule::Prefix`] or [`Rule::Url`].
    pub fn look_up(&self, address: &str) -> Result<(&T, bool), Rule> {
        let form = self.form(address).ok_or(Rule::Prefix)?;
        let bare = form.split(['?', '#']).next().unwrap_or_default();
        if !form.starts_with(&self.url_prefix) && !decoded(bare).starts_with(&*decoded(&self.url_prefix)) {
            return Err(Rule::Prefix);
        }
        let exact = self.maps.get(form.as_ref()).map(|found| (found, false));
        let without_query =
            || self.maps.get(bare).or_else(|| self.find_decoded(bare)).map(|found| (found, bare != form));
        exact.or_else(without_query).ok_or(Rule::Url)
    }

    fn find_decoded(&self, bare: &str) -> Option<&T> {
        let plain = decoded(bare);
        self.maps.get(&*plain).or_else(|| self.decoded().get(&*plain))
    }

    fn decoded(&self) -> &HashMap<String, T> {
        self.decoded.get_or_init(|| {
            let encoded = self.maps.iter().filter(|(url, _)| url.contains('%'));
            encoded.map(|(url, found)| (decoded(url).into_owned(), *found)).collect()
        })
    }

    /// The address in the form of the prefix; `None` if it cannot have that form.
    pub fn form<'a>(&self, address: &'a str) -> Option<Cow<'a, str>> {
        if self.url_prefix.starts_with('~') {
            return tilde(address);
        }
        let absolute = after_scheme(address).is_some();
        (absolute != self.url_prefix.is_empty()).then_some(Cow::Borrowed(address))
    }
}

/// The text with percent-encoded characters decoded, if the result is valid.
fn decoded(address: &str) -> Cow<'_, str> {
    if !address.contains('%') {
        return Cow::Borrowed(address);
    }
    percent_decode_str(address).decode_utf8().unwrap_or(Cow::Borrowed(address))
}

/// Scheme and host replaced by `~`. A path from the root (as Node prints) has neither.
fn tilde(address: &str) -> Option<Cow<'_, str>> {
    if address.starts_with('~') {
        return Some(Cow::Borrowed(address));
    }
    let path = match after_scheme(address) {
        Some(rest) => &rest[rest.find(['/', '?', '#'])?..],
        None => address,
    };
    path.starts_with('/').then(|| Cow::Owned(format!("~{path}")))
}

/// The part after the `://` of an absolute address. A `://` in a query belongs to a value.
fn after_scheme(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let (first, others) = scheme.as_bytes().split_first()?;
    let allowed = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-');
    (first.is_ascii_alphabetic() && others.iter().all(allowed)).then_some(rest)
}

/// The last segment of an address, without `?…` and `#…`.
pub fn base_name(address: &str) -> &str {
    let bare = address.split(['?', '#']).next().unwrap_or_default();
    bare.rsplit('/').next().unwrap_or_default()
}
