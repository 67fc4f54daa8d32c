//! A bundle: the source maps and style sheets of a build in one zip, with a manifest that says which url each belongs to.
//!
//! ```text
//! POST ─▶ temporary file ─▶ manifest.json ─▶ each file: unpacked, converted, kept by content ─▶ one transaction
//! ```
//!
//! Names in the archive are only compared with those in the manifest. The archive is read from front to back, and its
//! directory at the end, which could differ, is never used.

mod archive;
pub mod http;
pub mod service;

use super::{check_url_prefix, check_version};
use crate::error::{Error, Result};
use crate::event::DebugId;
use crate::text::shown;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

/// The most source maps of a bundle, and style sheets, and bytes of its manifest.
pub const FILES_MAX: usize = 2_000;
const MANIFEST_MAX: u64 = 2 << 20;
/// The most bytes of a bundle as it is sent, and of all that it unpacks to.
pub const PACKED_MAX: u64 = 256 << 20;
pub const UNPACKED_MAX: u64 = 1 << 30;
/// The name of the manifest in the archive.
pub const MANIFEST: &str = "manifest.json";

/// `manifest.json` of a bundle.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Manifest {
    /// The release's version; the release is created if it does not exist.
    pub release: String,
    /// Used only if this upload creates the release. Default `~/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_prefix: Option<String>,
    /// The source maps: 1 to 2,000, or none beside style sheets.
    pub files: Vec<ManifestFile>,
    /// The style sheets, up to 2,000: what replays of the release are drawn with. Servers that know none pass them over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub styles: Vec<ManifestFile>,
}

/// A source map or style sheet of a bundle: the name of a file in the archive, or the hash of one that the project has.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ManifestFile {
    /// The script's address as it appears in stacks, or the style sheet's, starting with the url prefix.
    pub url: String,
    /// The name of the source map or style sheet in the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `sha256:<hex>` of one that the project has already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The debug id of script and map (a UUID). Default: what the source map says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub debug_id: Option<DebugId>,
}

/// Where the content of one comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin<'a> {
    Archive(&'a str),
    Known([u8; 32]),
}

impl Manifest {
    /// # Errors
    /// 422 naming the field.
    fn check(&self) -> Result<()> {
        check_version("release", &self.release)?;
        self.url_prefix.as_deref().map(check_url_prefix).transpose()?;
        let least = usize::from(self.styles.is_empty());
        if !(least..=FILES_MAX).contains(&self.files.len()) {
            let got = self.files.len();
            return Err(Error::invalid(format!("files: expected 1 to {FILES_MAX} source maps, got {got}")));
        }
        if self.styles.len() > FILES_MAX {
            let got = self.styles.len();
            return Err(Error::invalid(format!("styles: expected at most {FILES_MAX}, got {got}")));
        }
        let mut urls = HashSet::new();
        for (list, files) in [("files", &self.files), ("styles", &self.styles)] {
            for (index, file) in files.iter().enumerate() {
                file.origin().map_err(|text| Error::invalid(format!("{list}[{index}].{text}")))?;
                if !urls.insert(file.url.as_str()) {
                    let url = shown(&file.url, 64);
                    return Err(Error::invalid(format!("{list}[{index}].url: `{url}` is listed twice")));
                }
            }
        }
        self.check_names()
    }

    /// A file in the archive is a source map or a style sheet.
    fn check_names(&self) -> Result<()> {
        let maps: HashSet<&str> = self.files.iter().filter_map(|file| file.file.as_deref()).collect();
        let mut styles = self.styles.iter().filter_map(|style| style.file.as_deref());
        match styles.find(|name| maps.contains(name)) {
            Some(name) => {
                Err(Error::invalid(format!("styles: `{}` is a source map's file, too", shown(name, 64))))
            }
            None => Ok(()),
        }
    }

    /// Its source maps and style sheets, each with whether it is one.
    fn all(&self) -> impl Iterator<Item = (&ManifestFile, bool)> {
        let maps = self.files.iter().map(|file| (file, false));
        maps.chain(self.styles.iter().map(|file| (file, true)))
    }
}

impl ManifestFile {
    fn origin(&self) -> Result<Origin<'_>, String> {
        match (&self.file, &self.content_hash) {
            (Some(name), None) => Ok(Origin::Archive(name)),
            (None, Some(hash)) => read_hash(hash).map(Origin::Known).ok_or_else(|| {
                format!(
                    "content_hash: expected `sha256:` and 64 hexadecimal digits, got `{}`",
                    shown(hash, 80)
                )
            }),
            _ => {
                Err("file: expected `file` (a name in the archive) or `content_hash`, and not both"
                    .to_owned())
            }
        }
    }
}

/// Reads `sha256:<hex>`.
fn read_hash(text: &str) -> Option<[u8; 32]> {
    let hex = text.strip_prefix("sha256:").filter(|hex| hex.len() == 64 && hex.is_ascii())?;
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        let digit = |at: usize| (hex.as_bytes()[at] as char).to_digit(16);
        *byte = u8::try_from(digit(2 * at)? << 4 | digit(2 * at + 1)?).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;
