//! The effect of an upload on a release, in its transaction, for a single source map and for a bundle.

use crate::error::{Error, Result};
use crate::releases::late;
use crate::releases::sql::{self, File};
use crate::releases::{Release, SourceMap, URL_PREFIX_DEFAULT, check_url};
use crate::store::{Content, Transaction};
use crate::time::Timestamp;

/// The outcome of an upload.
pub enum Stored {
    /// The same bytes were there.
    Unchanged(SourceMap),
    /// It is new or replaces another; and the contents that no source map refers to any more.
    New(SourceMap, Vec<Content>),
}

/// Stores that `url` of the release has this content.
///
/// # Errors
/// 409 if the release is finalized and has other bytes there.
pub fn put(
    tx: &Transaction<'_>,
    release: &Release,
    url: &str,
    file: &File,
    now: Timestamp,
) -> Result<Stored> {
    let hash: String = file.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    match sql::map(tx, release.id, url)? {
        Some(stored) if stored.content_hash.ends_with(&hash) => return Ok(Stored::Unchanged(stored)),
        Some(_) if release.finalized_at.is_some() => {
            return Err(Error::conflict(format!(
                "Release '{}' is finalized and has a different source map for `{url}`. Create a new release, or delete \
                 this one first.",
                release.version
            )));
        }
        _ => {}
    }
    let (map, unused) = sql::put_map(tx, release.id, url, file, now)?;
    late::sql::request(tx, release.id, file.debug_id, now)?;
    Ok(Stored::New(map, unused))
}

/// An upload's prefix is used only if it creates the release; its url must start with the release's prefix.
///
/// # Errors
/// 422 naming both prefixes, or url and prefix.
pub fn check_fits(known: Option<&Release>, given: Option<&str>, url: &str) -> Result<()> {
    let default = given.unwrap_or(URL_PREFIX_DEFAULT);
    let prefix = known.map_or(default, |release| release.url_prefix.as_str());
    if let Some(given) = given.filter(|given| *given != prefix) {
        return Err(Error::invalid(format!(
            "url_prefix: the release's is `{prefix}`, the upload says `{given}`. Leave it out, or use the release's."
        )));
    }
    check_url(url, prefix)
}
