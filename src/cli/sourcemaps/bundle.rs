//! Packs source maps and style sheets into bundles that a server takes.

use super::build;
use super::check::Pair;
use super::plan::{Item, Plan};
use super::styles::Style;
use crate::cli::ci::{Failure, Result};
use crate::releases::bundle::{FILES_MAX, MANIFEST, Manifest, ManifestFile, PACKED_MAX};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The source maps and style sheets of one request.
#[derive(Default)]
pub(super) struct Batch<'a> {
    items: Vec<(&'a Item, &'a Pair)>,
    styles: Vec<&'a Style>,
    urls: usize,
    /// Of what is sent.
    bytes: u64,
}

/// Divides a plan, mostly into one: by the number of urls, and by the bytes of what is sent, so that no bundle is too
/// large even if nothing of it can be compressed.
pub(super) fn batches<'a>(plan: &'a Plan, styles: &[&'a Style], missing: &HashSet<String>) -> Vec<Batch<'a>> {
    let sent = |hash: &str, size: u64| if missing.contains(hash) { size } else { 0 };
    let mut batches = Vec::new();
    for (item, pair) in plan.good() {
        let bytes = sent(&pair.content_hash, pair.size as u64);
        with_room(&mut batches, item.urls(&plan.prefix).len(), bytes).items.push((item, pair));
    }
    for &style in styles {
        with_room(&mut batches, 1, sent(&style.content_hash, style.size)).styles.push(style);
    }
    batches
}

/// The last of the batches, or a new one if it has no room for so much more.
fn with_room<'b, 'a>(batches: &'b mut Vec<Batch<'a>>, urls: usize, bytes: u64) -> &'b mut Batch<'a> {
    let has_room =
        |last: &Batch<'_>| last.urls + urls <= FILES_MAX && last.bytes + bytes <= PACKED_MAX - (16 << 20);
    if !batches.last().is_some_and(has_room) {
        batches.push(Batch::default());
    }
    let last = batches.len() - 1;
    let batch = &mut batches[last];
    batch.urls += urls;
    batch.bytes += bytes;
    batch
}

impl Batch<'_> {
    pub(super) fn has_source_maps(&self) -> bool {
        !self.items.is_empty()
    }

    /// What it has, in words.
    pub(super) fn words(&self) -> String {
        let of = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            count => Some(format!("{count} {what}s")),
        };
        let parts = [of(self.items.len(), "source map"), of(self.styles.len(), "style sheet")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
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
        let styles = self.write_styles(&mut zip, missing)?;
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
        // The release has its prefix by now.
        let manifest = Manifest { release: release.to_owned(), url_prefix: None, files, styles };
        zip.start_file(MANIFEST, SimpleFileOptions::default()).map_err(io::Error::from)?;
        serde_json::to_writer(&mut zip, &manifest).map_err(io::Error::from)?;
        Ok(zip.finish().map_err(io::Error::from)?)
    }

    fn write_styles(
        &self,
        zip: &mut ZipWriter<File>,
        missing: &HashSet<String>,
    ) -> Result<Vec<ManifestFile>, Fault> {
        let mut names: HashMap<&str, String> = HashMap::new();
        let mut files = Vec::new();
        for style in &self.styles {
            let hash = style.content_hash.as_str();
            if missing.contains(hash) && !names.contains_key(hash) {
                let name = format!("{}.css", names.len());
                zip.start_file(&name, SimpleFileOptions::default()).map_err(io::Error::from)?;
                zip.write_all(&build::read(&style.file).map_err(Fault::Read)?)?;
                names.insert(hash, name);
            }
            let file = names.get(hash).cloned();
            let content_hash = file.is_none().then(|| hash.to_owned());
            files.push(ManifestFile { url: style.url.clone(), file, content_hash, debug_id: None });
        }
        Ok(files)
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
