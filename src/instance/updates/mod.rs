//! Checks for newer releases: reads a feed, and remembers what it says.
//!
//! A feed is a JSON list of releases with a `tag_name` and an `html_url`, as GitHub's API returns it for a
//! repository, or a single release. Other fields are ignored.

pub mod service;
pub mod sql;

use crate::time::{DAY, HOUR, Timestamp};
use semver::Version;
use serde_json::Value;

/// The interval between checks, in milliseconds. The job runs every hour, so this is at most a day.
const PAUSE: i64 = DAY - HOUR;
/// The interval after a failed check: until the job's next run.
const PAUSE_AFTER_FAULT: i64 = HOUR / 2;
/// The prefix of the server's release tags.
const TAG: &str = "server-v";
/// The longest address of a release's page, in bytes.
const URL_MAX: usize = 2_048;

/// A release of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    pub version: Version,
    /// Its page, an http or https address.
    pub url: Option<String>,
}

/// The newest server release in a feed; `None` if there is none.
///
/// # Errors
/// If it is not a list of releases, in words for the person who runs the instance.
pub fn newest(feed: &[u8]) -> Result<Option<Release>, &'static str> {
    match serde_json::from_slice(feed) {
        Ok(Value::Array(entries)) => {
            Ok(entries.iter().filter_map(release).max_by(|a, b| a.version.cmp(&b.version)))
        }
        Ok(entry @ Value::Object(_)) if entry.get("tag_name").is_some() => Ok(release(&entry)),
        Ok(_) => Err("the feed is not a list of releases with tag_name"),
        Err(_) => Err("the feed is not JSON"),
    }
}

/// A release from an entry of the feed, unless it is a draft, a prerelease, or of another product.
fn release(entry: &Value) -> Option<Release> {
    let is = |name: &str| entry.get(name).is_some_and(|value| *value == Value::Bool(true));
    if is("draft") || is("prerelease") {
        return None;
    }
    let version = Version::parse(entry.get("tag_name")?.as_str()?.strip_prefix(TAG)?).ok()?;
    if !version.pre.is_empty() || !version.build.is_empty() {
        return None;
    }
    Some(Release { version, url: entry.get("html_url").and_then(Value::as_str).and_then(page) })
}

/// An address that is safe as a link.
fn page(url: &str) -> Option<String> {
    let parsed = url::Url::parse(url).ok().filter(|_| url.len() <= URL_MAX)?;
    matches!(parsed.scheme(), "http" | "https").then(|| parsed.to_string())
}

/// The result of the checks so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Knowledge {
    pub tried_at: Option<Timestamp>,
    /// The last time that the feed answered.
    pub checked_at: Option<Timestamp>,
    /// Why the last check failed.
    pub error: Option<String>,
    /// The newest release in the last answer.
    pub newest: Option<Release>,
    /// When that one was first seen.
    pub seen_at: Option<Timestamp>,
    /// The highest version that a signal was written for.
    pub signalled: Option<Version>,
}

impl Knowledge {
    /// Whether a check is due. A time in the future, from before the clock was set back, does not count.
    fn is_due(&self, now: Timestamp) -> bool {
        let pause = if self.error.is_some() { PAUSE_AFTER_FAULT } else { PAUSE };
        self.tried_at.is_none_or(|tried| tried > now || tried.plus(pause) <= now)
    }

    /// The newest release, if it is newer than the running one.
    pub fn available(&self) -> Option<&Release> {
        let own = Version::parse(super::VERSION).ok()?;
        self.newest.as_ref().filter(|release| release.version > own)
    }

    /// Updated with an answer of the feed.
    fn with(self, newest: Option<Release>, now: Timestamp) -> Self {
        let is_known =
            self.newest.as_ref().map(|known| &known.version) == newest.as_ref().map(|new| &new.version);
        let seen_at = if is_known { self.seen_at } else { newest.as_ref().map(|_| now) };
        Self { checked_at: Some(now), error: None, newest, seen_at, ..self }
    }

    /// The available release, if no signal was written for it or a newer one.
    fn news(&self) -> Option<&Release> {
        self.available().filter(|new| self.signalled.as_ref().is_none_or(|told| new.version > *told))
    }
}

#[cfg(test)]
mod tests;
