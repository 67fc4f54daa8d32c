//! Packs source maps into bundles for the server.

use super::check::Pair;
use super::plan::{Item, Plan};
use crate::cli::ci::{Failure, Result};
use crate::releases::bundle::{FILES_MAX, MANIFEST, Manifest, ManifestFile, PACKED_MAX};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The source maps of one request.
pub(super) struct Batch<'a> {
    items: Vec<(&'a Item, &'a Pair)>,
}

/// Splits a plan into requests, usually one, by the number of urls and the bytes to send, so that no bundle is too
/// large even if nothing can be compressed.
pub(super) fn batches<'a>(plan: &'a Plan, missing: &HashSet<String>) -> Vec<Batch<'a>> {
    let (mut batches, mut items, mut urls, mut size) = (Vec::new(), Vec::new(), 0, 0);
    for (item, pair) in plan.good() {
        let more = item.urls(&plan.prefix).len();
        let bytes = if missing.contains(&pair.content_hash) { pair.size as u64 } else { 0 };
        if !items.is_empty() && (urls + more > FILES_MAX || size + bytes > PACKED_MAX - (16 << 20)) {
            batches.push(Batch { items: std::mem::take(&mut items) });
            (urls, size) = (0, 0);
        }
        items.push((item, pair));
        (urls, size) = (urls + more, size + bytes);
    }
    if !items.is_empty() {
        batches.push(Batch { items });
    }
    batches
}

impl Batch<'_> {
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Writes the zip, with each content that is `missing` on the server once.
    pub(super) fn pack(&self, release: &str, prefix: &str, missing: &HashSet<String>) -> Result<File> {
        self.write(release, prefix, missing).map_err(|error| match error {
            Fault::Io(error) => Failure::new(format!("the bundle cannot be written: {error}")),
            Fault::Read(failure) => failure,
        })
    }

    fn write(&self, release: &str, prefix: &str, missing: &HashSet<String>) -> Result<File, Fault> {
        let mut zip = ZipWriter::new(tempfile::tempfile()?);
        let (mut names, mut files): (HashMap<&str, String>, Vec<ManifestFile>) = (HashMap::new(), Vec::new());
        for (item, pair) in &self.items {
            let hash = pair.content_hash.as_str();
            if missing.contains(hash) && !names.contains_key(hash) {
                let name = format!("{}.map", names.len());
                zip.start_file(&name, SimpleFileOptions::default()).map_err(io::Error::from)?;
                zip.write_all(&item.script.read_map().map_err(Fault::Read)?)?;
                names.insert(hash, name);
            }
            let (file, debug_id) = (names.get(hash).cloned(), item.debug_id());
            for url in item.urls(prefix) {
                let content_hash = file.is_none().then(|| hash.to_owned());
                files.push(ManifestFile { url, file: file.clone(), content_hash, debug_id });
            }
        }
        // By then, the release has its prefix.
        let manifest = Manifest { release: release.to_owned(), url_prefix: None, files };
        zip.start_file(MANIFEST, SimpleFileOptions::default()).map_err(io::Error::from)?;
        serde_json::to_writer(&mut zip, &manifest).map_err(io::Error::from)?;
        Ok(zip.finish().map_err(io::Error::from)?)
    }
}

enum Fault {
    Io(io::Error),
    Read(Failure),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
