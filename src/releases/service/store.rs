//! The effect of an upload on a release, in its transaction, for a single source map and for a bundle.

use crate::error::{Error, Result};
use crate::releases::late;
use crate::releases::sql::{self, File};
use crate::releases::styles::{self, COUNT_MAX, TOTAL_MAX};
use crate::releases::{Release, SourceMap, URL_PREFIX_DEFAULT, check_url};
use crate::store::{Content, Transaction};
use crate::time::Timestamp;

/// The outcome of an upload.
pub enum UploadOutcome {
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
) -> Result<UploadOutcome> {
    let hash: String = file.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    match sql::map(tx, release.id, url)? {
        Some(stored) if stored.content_hash.ends_with(&hash) => return Ok(UploadOutcome::Unchanged(stored)),
        Some(_) if release.finalized_at.is_some() => return Err(differs(release, "source map", url)),
        _ => {}
    }
    let (map, unused) = sql::put_map(tx, release.id, url, file, now)?;
    late::sql::request(tx, release.id, file.debug_id, now)?;
    Ok(UploadOutcome::New(map, unused))
}

/// Stores that `url` of the release has this style sheet, and returns the contents that nothing refers to any more; `None`
/// if the same bytes were there.
///
/// # Errors
/// 409 if the release is finalized and has other bytes there.
pub fn put_style(
    tx: &Transaction<'_>,
    release: &Release,
    url: &str,
    file: &File,
    now: Timestamp,
) -> Result<Option<Vec<Content>>> {
    match styles::sql::hash_of(tx, release.id, url)? {
        Some(hash) if hash == file.sha256 => return Ok(None),
        Some(_) if release.finalized_at.is_some() => return Err(differs(release, "style sheet", url)),
        _ => {}
    }
    styles::sql::put(tx, release.id, url, file, now).map(Some)
}

/// # Errors
/// 422 if a release has too many style sheets by now, or too many bytes of them.
pub fn check_styles(tx: &Transaction<'_>, release: &Release) -> Result<()> {
    let (count, bytes) = styles::sql::total(tx, release.id)?;
    if count <= COUNT_MAX && bytes <= TOTAL_MAX {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "styles: a release has at most {COUNT_MAX} style sheets and {} MiB of them; with these it would have {count}, \
         and {} MiB. Leave some out.",
        TOTAL_MAX >> 20,
        bytes.div_ceil(1 << 20)
    )))
}

fn differs(release: &Release, what: &str, url: &str) -> Error {
    let version = &release.version;
    Error::conflict(format!(
        "Release '{version}' is finalized and has a different {what} for `{url}`. Create a new release, or delete this \
         one first."
    ))
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
