//! Stores a bundle: all of it or nothing.

use super::{MANIFEST, MANIFEST_MAX, Manifest, Origin, UNPACKED_MAX, archive};
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::releases::service::Maps;
use crate::releases::service::store::{self, Stored};
use crate::releases::service::upload::UploadFile;
use crate::releases::sql::{self, File};
use crate::releases::{Release, SourceMap, URL_PREFIX_DEFAULT};
use crate::store::{Content, Disk, Main, Transaction};
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
    /// Bytes of the new contents.
    pub bytes: u64,
    /// What is wrong with some of their mappings.
    pub warnings: Vec<MapWarning>,
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

    /// Converts and stores its source maps.
    ///
    /// # Errors
    /// 422 naming the url whose source map is wrong or missing; 409 for one of a finalized release; 503 if the disk
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
            check_known(&checked, |sha256| Ok(sql::known_file(c, project, sha256)?.is_some()))
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
    let mut wanted: HashMap<&str, &str> = HashMap::new();
    for file in &manifest.files {
        if let Ok(Origin::Archive(name)) = file.origin() {
            wanted.entry(name).or_insert(&file.url);
        }
    }
    let (mut files, mut room) = (HashMap::new(), UNPACKED_MAX);
    // One budget for all, so that many slow maps take no longer than one.
    let budget = Budget::default();
    archive::each(archive.as_file(), |name, content| {
        let Some(url) = wanted.remove(name) else { return Ok(()) };
        let about = |error: Error| match error {
            Error::Invalid(text) => Error::invalid(format!("`{}`: {text}", shown(url, 200))),
            Error::TooLarge(text) => Error::too_large(format!("`{}`: {text}", shown(url, 200))),
            error => error,
        };
        let mut upload = UploadFile::new(&maps.blobs, maps.file_max)?;
        archive::pieces(name, content, |piece| {
            disk.accepting()?;
            room = room.checked_sub(piece.len() as u64).ok_or_else(|| {
                Error::too_large(format!(
                    "The bundle unpacks to more than {} MiB: send several",
                    UNPACKED_MAX >> 20
                ))
            })?;
            upload.write(piece).map_err(about)
        })?;
        let file =
            upload.keep(&maps.blobs, &budget, |content| maps.reopen(content).is_ok()).map_err(about)?;
        kept.push(file.blake3);
        files.insert(name.to_owned(), file);
        Ok(())
    })?;
    match wanted.into_iter().min() {
        Some((name, url)) => Err(Error::invalid(format!(
            "`{}`: the zip has no file `{}`, which the manifest names",
            shown(url, 200),
            shown(name, 200)
        ))),
        None => Ok(files),
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
        let file = match entry.origin() {
            Ok(Origin::Archive(name)) => files.get(name).cloned(),
            Ok(Origin::Known(sha256)) => sql::known_file(tx, project, &sha256)?,
            Err(_) => None,
        };
        let file = file.ok_or_else(|| missing_content(&entry.url))?;
        let file = File { debug_id: entry.debug_id.or(file.debug_id), ..file };
        match store::put(tx, &release, &entry.url, &file, now)? {
            Stored::Unchanged(map) => {
                unchanged += 1;
                warn(map);
            }
            Stored::New(map, replaced) => {
                (stored, bytes) = (stored + 1, bytes + file.size);
                warn(map);
                unused.extend(replaced);
            }
        }
    }
    let release = sql::get(tx, project, &manifest.release)?.unwrap_or(release);
    // A content that one url no longer uses may be used by another now.
    let mut gone = Vec::new();
    for content in unused {
        if !sql::is_known(tx, &content)? {
            gone.push(content);
        }
    }
    Ok((BundleStored { release, stored, unchanged, bytes, warnings }, gone))
}

fn check_fits(manifest: &Manifest, known: Option<&Release>) -> Result<()> {
    let given = manifest.url_prefix.as_deref();
    manifest.files.iter().try_for_each(|file| store::check_fits(known, given, &file.url))
}

fn check_known(manifest: &Manifest, is_known: impl Fn(&[u8; 32]) -> Result<bool>) -> Result<()> {
    for entry in &manifest.files {
        if let Ok(Origin::Known(sha256)) = entry.origin()
            && !is_known(&sha256)?
        {
            return Err(missing_content(&entry.url));
        }
    }
    Ok(())
}

fn missing_content(url: &str) -> Error {
    Error::invalid(format!(
        "`{}`: content_hash: this project has no such source map. Send the file.",
        shown(url, 200)
    ))
}
