//! Stores a bundle: all of it or nothing.

use super::{MANIFEST, MANIFEST_MAX, Manifest, ManifestFile, Origin, UNPACKED_MAX, archive};
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::releases::service::Maps;
use crate::releases::service::store::{self, UploadOutcome};
use crate::releases::service::upload::UploadFile;
use crate::releases::sql::{self, File};
use crate::releases::{Release, SourceMap, URL_PREFIX_DEFAULT};
use crate::store::{Connection, Content, Disk, Main, Transaction};
use crate::symbolication::map::{Budget, Flaws};
use crate::text::shown;
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use tempfile::NamedTempFile;
use utoipa::ToSchema;

/// A received bundle and its manifest.
pub struct Bundle {
    archive: NamedTempFile,
    manifest: Manifest,
}

/// The outcome of storing a bundle.
pub struct BundleStored {
    pub release: Release,
    /// Source maps that are new, or replace another.
    pub stored: usize,
    /// Source maps that were there already.
    pub unchanged: usize,
    /// The same of style sheets.
    pub styles: StylesStored,
    /// Bytes of what is new.
    pub bytes: u64,
    /// What is wrong with some of their mappings.
    pub warnings: Vec<MapWarning>,
}

/// What became of a bundle's style sheets.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct StylesStored {
    /// Those that are new, or replace another.
    pub stored: usize,
    /// Those that were there already.
    pub unchanged: usize,
}

/// A source map of which some mappings are wrong and left out.
#[derive(Debug, Serialize, ToSchema)]
pub struct MapWarning {
    pub url: String,
    #[serde(flatten)]
    pub flaws: Flaws,
}

impl Bundle {
    /// Finds and checks the manifest. Blocks.
    ///
    /// # Errors
    /// 422 if the manifest is missing or invalid.
    pub fn read(archive: NamedTempFile) -> Result<Self> {
        let mut json = None;
        archive::each(archive.as_file(), |name, file| {
            if name != MANIFEST || json.is_some() {
                return Ok(());
            }
            let mut bytes = Vec::new();
            archive::pieces(name, file, |piece| {
                if (bytes.len() + piece.len()) as u64 > MANIFEST_MAX {
                    return Err(Error::too_large(format!("{MANIFEST}: at most {MANIFEST_MAX} bytes")));
                }
                bytes.extend_from_slice(piece);
                Ok(())
            })?;
            json = Some(bytes);
            Ok(())
        })?;
        let json = json.ok_or_else(|| Error::invalid(format!("The zip has no `{MANIFEST}` at its top")))?;
        let mut reader = serde_json::Deserializer::from_slice(&json);
        let manifest: Manifest = serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| Error::invalid(format!("{MANIFEST}: {}: {}", error.path(), error.inner())))?;
        manifest.check()?;
        Ok(Self { archive, manifest })
    }

    /// Converts and stores its source maps, and stores its style sheets.
    ///
    /// # Errors
    /// 422 naming the url whose source map or style sheet is wrong or missing; 409 for one of a finalized release; 503 if the disk
    /// fails. Nothing is stored then.
    pub async fn keep(
        self,
        maps: &Arc<Maps>,
        main: &Main,
        disk: Arc<Disk>,
        project: ProjectId,
    ) -> Result<BundleStored> {
        let manifest = Arc::new(self.manifest);
        // Cheap checks first: converting takes a second for each large map.
        let (checked, version) = (manifest.clone(), manifest.release.clone());
        main.read(move |c| {
            let release = sql::get(c, project, &version)?;
            check_fits(&checked, release.as_ref())?;
            check_known(c, project, &checked)
        })
        .await?;
        let (unpacking, converter, archive) = (manifest.clone(), maps.clone(), self.archive);
        let convert = move |kept: &mut Vec<Content>| unpack(&archive, &unpacking, &converter, &disk, kept);
        let write =
            move |tx: &Transaction<'_>, files: &HashMap<String, File>| write(tx, project, &manifest, files);
        maps.keep_all(main, convert, write).await
    }
}

/// Converts the files in the manifest, and adds each content to `kept` when it is on disk.
fn unpack(
    archive: &NamedTempFile,
    manifest: &Manifest,
    maps: &Maps,
    disk: &Disk,
    kept: &mut Vec<Content>,
) -> Result<HashMap<String, File>> {
    let mut wanted: HashMap<&str, WantedFile<'_>> = HashMap::new();
    for (file, is_style) in manifest.all() {
        if let Ok(Origin::Archive(name)) = file.origin() {
            wanted.entry(name).or_insert(WantedFile { url: &file.url, is_style });
        }
    }
    let (mut files, mut room) = (HashMap::new(), UNPACKED_MAX);
    // One budget for all, so that many slow maps take no longer than one.
    let budget = Budget::default();
    archive::each(archive.as_file(), |name, content| {
        let Some(wanted) = wanted.remove(name) else { return Ok(()) };
        let mut upload = wanted.begin(maps)?;
        archive::pieces(name, content, |piece| {
            disk.accepting()?;
            room = room.checked_sub(piece.len() as u64).ok_or_else(|| {
                Error::too_large(format!(
                    "The bundle unpacks to more than {} MiB: send several",
                    UNPACKED_MAX >> 20
                ))
            })?;
            upload.write(piece).map_err(|error| wanted.about(error))
        })?;
        let file = wanted.keep(upload, maps, &budget).map_err(|error| wanted.about(error))?;
        kept.push(file.blake3);
        files.insert(name.to_owned(), file);
        Ok(())
    })?;
    match wanted.into_iter().map(|(name, wanted)| (name, wanted.url)).min() {
        Some((name, url)) => Err(Error::invalid(format!(
            "`{}`: the zip has no file `{}`, which the manifest names",
            shown(url, 200),
            shown(name, 200)
        ))),
        None => Ok(files),
    }
}

/// A file in the archive that the manifest names.
#[derive(Clone, Copy)]
struct WantedFile<'a> {
    url: &'a str,
    is_style: bool,
}

impl WantedFile<'_> {
    fn begin(self, maps: &Maps) -> Result<UploadFile> {
        if self.is_style {
            return UploadFile::of_style(&maps.blobs);
        }
        UploadFile::new(&maps.blobs, maps.file_max)
    }

    fn keep(self, upload: UploadFile, maps: &Maps, budget: &Budget) -> Result<File> {
        if self.is_style {
            return upload.keep_style(&maps.blobs);
        }
        upload.keep(&maps.blobs, budget, |content| maps.reopen(content).is_ok())
    }

    /// A refusal with the url that it is about.
    fn about(self, error: Error) -> Error {
        match error {
            Error::Invalid(text) => Error::invalid(format!("`{}`: {text}", shown(self.url, 200))),
            Error::TooLarge(text) => Error::too_large(format!("`{}`: {text}", shown(self.url, 200))),
            error => error,
        }
    }
}

fn write(
    tx: &Transaction<'_>,
    project: ProjectId,
    manifest: &Manifest,
    files: &HashMap<String, File>,
) -> Result<(BundleStored, Vec<Content>)> {
    let now = Timestamp::now();
    let prefix = manifest.url_prefix.as_deref().unwrap_or(URL_PREFIX_DEFAULT);
    let (release, _) = sql::create(tx, project, &manifest.release, prefix, now)?;
    check_fits(manifest, Some(&release))?;
    let (mut stored, mut unchanged, mut bytes, mut unused) = (0, 0, 0, Vec::new());
    let mut warnings = Vec::new();
    let mut warn = |map: SourceMap| {
        if !map.flaws.is_empty() {
            warnings.push(MapWarning { url: map.url, flaws: map.flaws });
        }
    };
    for entry in &manifest.files {
        let file = content_of(tx, project, (entry, false), files)?;
        let file = File { debug_id: entry.debug_id.or(file.debug_id), ..file };
        match store::put(tx, &release, &entry.url, &file, now)? {
            UploadOutcome::Unchanged(map) => {
                unchanged += 1;
                warn(map);
            }
            UploadOutcome::New(map, replaced) => {
                (stored, bytes) = (stored + 1, bytes + file.size);
                warn(map);
                unused.extend(replaced);
            }
        }
    }
    let (styles, more) = write_styles(tx, &release, manifest, files, now)?;
    bytes += more.bytes;
    unused.extend(more.unused);
    let release = sql::get(tx, project, &manifest.release)?.unwrap_or(release);
    // A content that one url no longer uses may be used by another now.
    let mut gone = Vec::new();
    for content in unused {
        if !sql::is_known(tx, &content)? {
            gone.push(content);
        }
    }
    Ok((BundleStored { release, stored, unchanged, styles, bytes, warnings }, gone))
}

/// What writing style sheets leads to.
#[derive(Default)]
struct Written {
    /// Bytes of what is new.
    bytes: u64,
    /// Contents that were replaced.
    unused: Vec<Content>,
}

fn write_styles(
    tx: &Transaction<'_>,
    release: &Release,
    manifest: &Manifest,
    files: &HashMap<String, File>,
    now: Timestamp,
) -> Result<(StylesStored, Written)> {
    let (mut styles, mut written) = (StylesStored::default(), Written::default());
    for entry in &manifest.styles {
        let file = content_of(tx, release.project_id, (entry, true), files)?;
        match store::put_style(tx, release, &entry.url, &file, now)? {
            None => styles.unchanged += 1,
            Some(replaced) => {
                styles.stored += 1;
                written.bytes += file.size;
                written.unused.extend(replaced);
            }
        }
    }
    if styles.stored > 0 {
        store::check_styles(tx, release)?;
    }
    Ok((styles, written))
}

/// The content of an entry, which is a style sheet or not.
fn content_of(
    tx: &Transaction<'_>,
    project: ProjectId,
    (entry, is_style): (&ManifestFile, bool),
    files: &HashMap<String, File>,
) -> Result<File> {
    let file = match entry.origin() {
        Ok(Origin::Archive(name)) => files.get(name).cloned(),
        Ok(Origin::Known(sha256)) => known(tx, project, &sha256, is_style)?,
        Err(_) => None,
    };
    file.ok_or_else(|| missing_content(&entry.url, is_style))
}

fn known(c: &Connection, project: ProjectId, sha256: &[u8; 32], is_style: bool) -> Result<Option<File>> {
    if is_style { sql::known_style(c, project, sha256) } else { sql::known_file(c, project, sha256) }
}

fn check_fits(manifest: &Manifest, known: Option<&Release>) -> Result<()> {
    let given = manifest.url_prefix.as_deref();
    manifest.all().try_for_each(|(file, _)| store::check_fits(known, given, &file.url))
}

fn check_known(c: &Connection, project: ProjectId, manifest: &Manifest) -> Result<()> {
    for (entry, is_style) in manifest.all() {
        if let Ok(Origin::Known(sha256)) = entry.origin()
            && known(c, project, &sha256, is_style)?.is_none()
        {
            return Err(missing_content(&entry.url, is_style));
        }
    }
    Ok(())
}

fn missing_content(url: &str, is_style: bool) -> Error {
    let what = if is_style { "style sheet" } else { "source map" };
    Error::invalid(format!(
        "`{}`: content_hash: this project has no such {what}. Send the file.",
        shown(url, 200)
    ))
}
