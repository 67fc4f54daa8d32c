//! Releases and source maps, as uploaded by CI. The dashboard's reads are in `dashboard/http.rs`.

use super::{Release, SourceMap, URL_PREFIX_DEFAULT, check_commit, check_url_prefix, check_version, sql};
use crate::access::ReleaseKey;
use crate::error::{Error, Result};
use crate::http::body::{self, Share, TooSlow};
use crate::http::extract::parse_json;
use crate::ids::{ProjectId, SourceMapId};
use crate::intake::directory::Directory;
use crate::intake::rate::Kind;
use crate::releases::service::Maps;
use crate::releases::service::store::{self, UploadOutcome, check_fits};
use crate::releases::service::upload::UploadFile;
use crate::store::Disk;
use crate::store::Main;
use crate::symbolication::map::Flaws;
use crate::text::shown;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Path, Request, State};
use axum::http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The largest text field of a form, in bytes.
const TEXT_FIELD_MAX: usize = 16 << 10;
/// The largest form without a file, in bytes.
const FORM_MAX: usize = 64 << 10;

/// The stores of uploads, and their limits.
#[derive(Clone)]
pub struct Uploads {
    pub main: Main,
    pub maps: Arc<Maps>,
    pub directory: Arc<Directory>,
    pub disk: Arc<Disk>,
}

/// A release to create; also accepted urlencoded and as JSON.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct CreateRelease {
    /// 1 to 128 characters.
    pub version: Option<String>,
    /// Up to 512 characters. Default `~/`.
    pub url_prefix: Option<String>,
    /// The commit that it is built from: 7 to 64 hexadecimal digits. A finalized release keeps the one it has.
    pub commit: Option<String>,
}

/// Creates a release; an existing version is returned (200).
#[utoipa::path(post, path = "/api/v1/releases", tag = "releases", security(("key" = [])),
    extensions(("x-access" = json!(ReleaseKey::needs()))),
    request_body(content = CreateRelease, content_type = "multipart/form-data"),
    responses((status = 201, body = Release), (status = 200, body = Release, description = "Exists already")))]
pub async fn create_release(
    State(uploads): State<Uploads>,
    ReleaseKey(key): ReleaseKey,
    request: Request,
) -> Result<(StatusCode, Answer<Release>)> {
    let form = read_release(request).await?;
    let version =
        form.version.ok_or_else(|| missing("version", "the release's version, 1 to 128 characters"))?;
    check_version("version", &version)?;
    let url_prefix = form.url_prefix.unwrap_or_else(|| URL_PREFIX_DEFAULT.to_owned());
    check_url_prefix(&url_prefix)?;
    let commit = form.commit.as_deref().filter(|commit| !commit.is_empty()).map(check_commit).transpose()?;
    let project = key.project;
    let write = uploads.main.write(move |tx| {
        let (release, made) = sql::create(tx, project, &version, &url_prefix, Timestamp::now())?;
        let known = match commit {
            Some(commit) => sql::set_commit(tx, project, &version, &commit)?,
            None => None,
        };
        Ok((known.unwrap_or(release), made))
    });
    let (release, made) = write.await?;
    uploads.maps.changed();
    Ok((if made { StatusCode::CREATED } else { StatusCode::OK }, Answer(release)))
}

/// Marks a release as complete. Its maps cannot be replaced afterwards; new ones can still be added.
#[utoipa::path(post, path = "/api/v1/releases/{version}/finalize", tag = "releases", security(("key" = [])),
    extensions(("x-access" = json!(ReleaseKey::needs()))),
    params(("version" = String, Path)), responses((status = 200, body = Release), (status = 404)))]
pub async fn finalize_release(
    State(uploads): State<Uploads>,
    ReleaseKey(key): ReleaseKey,
    Path(version): Path<String>,
) -> Result<Answer<Release>> {
    let (project, wanted) = (key.project, version.clone());
    let found = uploads.main.write(move |tx| sql::finalize(tx, project, &wanted, Timestamp::now())).await?;
    match found {
        Some(release) => Ok(Answer(release)),
        None => Err(not_created(&uploads.main, project, &version).await),
    }
}

/// What an upload answers.
#[derive(Serialize, ToSchema)]
pub struct UploadedMap {
    pub id: SourceMapId,
    pub url: String,
    /// A name for people, not a path in the file system.
    pub storage_path: String,
    /// `sha256:<hex>` of the uploaded bytes.
    pub content_hash: String,
    /// Bytes.
    pub file_size: i64,
    pub created_at: Timestamp,
    #[serde(flatten)]
    pub flaws: Flaws,
}

/// The parts of an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the form; the parts are read one by one as they arrive")]
pub struct UploadForm {
    /// The release's version; the release is created if it does not exist.
    release: String,
    /// The script's address as it appears in stacks, starting with the url prefix.
    url: String,
    /// The map, up to 50 MiB.
    #[schema(value_type = String, format = Binary)]
    sourcemap: Vec<u8>,
    /// Used only if this upload creates the release. Default `~/`.
    url_prefix: Option<String>,
}

/// Uploads one source map.
#[utoipa::path(post, path = "/api/v1/sourcemaps", tag = "releases", security(("key" = [])),
    extensions(("x-access" = json!(ReleaseKey::needs()))),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 201, body = UploadedMap), (status = 200, body = UploadedMap, description = "The same bytes again"),
        (status = 409, description = "Different bytes for a url of a finalized release"), (status = 413), (status = 422),
        (status = 429, description = "The project is over its hourly limit for uploads")))]
pub async fn upload_source_map(
    State(uploads): State<Uploads>,
    ReleaseKey(key): ReleaseKey,
    request: Request,
) -> Result<(StatusCode, Answer<UploadedMap>)> {
    uploads.disk.accepting()?;
    uploads.directory.admit(&key, Kind::SourceMaps, 1)?;
    let _place = uploads.maps.place().await?;
    let upload = Upload::read(&uploads, request).await?;
    let url_prefix = upload.url_prefix.clone();
    let default = url_prefix.clone().unwrap_or_else(|| URL_PREFIX_DEFAULT.to_owned());
    let (project, version, url) = (key.project, upload.release.clone(), upload.url.clone());
    // Cheap checks first: converting a large map takes a second.
    let known = uploads.main.read(move |c| sql::get(c, project, &version)).await?;
    check_fits(known.as_ref(), url_prefix.as_deref(), &url)?;

    let version = upload.release;
    let path = format!("projects/{project}/releases/{version}/{url}");
    let stored = uploads.maps.keep(&uploads.main, upload.file, move |tx, file| {
        let now = Timestamp::now();
        let (release, _) = sql::create(tx, project, &version, &default, now)?;
        check_fits(Some(&release), url_prefix.as_deref(), &url)?;
        Ok(match store::put(tx, &release, &url, file, now)? {
            UploadOutcome::Unchanged(map) => ((StatusCode::OK, map), Vec::new()),
            UploadOutcome::New(map, unused) => ((StatusCode::CREATED, map), unused),
        })
    });
    let (status, map) = stored.await?;
    if status == StatusCode::CREATED {
        uploads.directory.took(&key, map.file_size.unsigned_abs());
    }
    Ok((status, Answer(uploaded(map, path))))
}

fn uploaded(map: SourceMap, storage_path: String) -> UploadedMap {
    UploadedMap {
        id: map.id,
        url: map.url,
        storage_path,
        content_hash: map.content_hash,
        file_size: map.file_size,
        created_at: map.created_at,
        flaws: map.flaws,
    }
}

/// The parts of an upload, the file on disk under a temporary name.
struct Upload {
    release: String,
    url: String,
    url_prefix: Option<String>,
    file: UploadFile,
}

impl Upload {
    async fn read(uploads: &Uploads, request: Request) -> Result<Self> {
        let mut form = multipart(request, uploads.maps.file_max).await?;
        let (mut release, mut url, mut url_prefix, mut file) = (None, None, None, None);
        while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
            match field.name().unwrap_or_default() {
                "release" => release = Some(text(&mut field, "release").await?),
                "url" => url = Some(text(&mut field, "url").await?),
                "url_prefix" => url_prefix = Some(text(&mut field, "url_prefix").await?),
                "sourcemap" => file = Some(receive(uploads, &mut field).await?),
                _ => drop(text(&mut field, "an unknown part").await?),
            }
        }
        let release = release.ok_or_else(|| missing("release", "the release's version"))?;
        check_version("release", &release)?;
        let url = url.ok_or_else(|| missing("url", "the script's address as it appears in stacks"))?;
        url_prefix.as_deref().map(check_url_prefix).transpose()?;
        let file = file.ok_or_else(|| missing("sourcemap", "the source map's file"))?;
        Ok(Self { release, url, url_prefix, file })
    }
}

async fn receive(uploads: &Uploads, field: &mut Field<'_>) -> Result<UploadFile> {
    let mut file = UploadFile::new(&uploads.maps.blobs, uploads.maps.file_max)?;
    while let Some(chunk) = field.chunk().await.map_err(unreadable)? {
        // Large uploads fill a disk faster than small events do.
        uploads.disk.accepting()?;
        file.write(&chunk)?;
    }
    Ok(file)
}

async fn read_release(request: Request) -> Result<CreateRelease> {
    let kind = content_type(&request);
    if kind == "multipart/form-data" {
        let mut form = multipart(request, 0).await?;
        let mut release = CreateRelease::default();
        while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
            match field.name().unwrap_or_default() {
                "version" => release.version = Some(text(&mut field, "version").await?),
                "url_prefix" => release.url_prefix = Some(text(&mut field, "url_prefix").await?),
                "commit" => release.commit = Some(text(&mut field, "commit").await?),
                _ => drop(text(&mut field, "an unknown part").await?),
            }
        }
        return Ok(release);
    }
    let (parts, body) = request.into_parts();
    let bytes = body::read(&parts.headers, body, FORM_MAX, |_| Share::of_strangers()).await?;
    match kind.as_str() {
        "application/json" => parse_json(&bytes),
        "application/x-www-form-urlencoded" => serde_urlencoded::from_bytes(&bytes)
            .map_err(|error| Error::invalid(format!("The form is not valid: {error}"))),
        _ => Err(wrong_kind(
            "multipart/form-data, application/x-www-form-urlencoded or application/json",
            &kind,
        )),
    }
}

/// A form with texts and a file of at most `file_max` bytes.
async fn multipart(mut request: Request, file_max: u64) -> Result<Multipart> {
    let kind = content_type(&request);
    if kind != "multipart/form-data" {
        return Err(wrong_kind("multipart/form-data", &kind));
    }
    // Each part is limited as it streams; this limits all of them together.
    let limit = usize::try_from(file_max).unwrap_or(usize::MAX).saturating_add(FORM_MAX);
    DefaultBodyLimit::max(limit).apply(&mut request);
    let encoding = body::Encoding::of(request.headers())?;
    request = request.map(body::paced);
    if encoding != body::Encoding::Identity {
        request = request.map(|packed| body::unpacked(encoding, packed, limit));
    }
    Multipart::from_request(request, &()).await.map_err(|error| Error::invalid(format!("The form: {error}")))
}

pub(super) fn content_type(request: &Request) -> String {
    let value =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

async fn text(field: &mut Field<'_>, name: &str) -> Result<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(unreadable)? {
        if bytes.len() + chunk.len() > TEXT_FIELD_MAX {
            return Err(Error::invalid(format!("{name}: expected at most {TEXT_FIELD_MAX} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| Error::invalid(format!("{name}: expected UTF-8")))
}

fn unreadable(error: MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Error::too_large("The form is too large. See SERVICE_SOURCEMAP_MAX_MB.");
    }
    let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
    match causes.filter_map(|cause| cause.downcast_ref::<TooSlow>()).next() {
        Some(slow) => Error::malformed(slow.to_string()),
        None => Error::invalid(format!("The multipart form cannot be parsed: {}", error.body_text())),
    }
}

fn missing(field: &str, what: &str) -> Error {
    Error::invalid(format!("{field}: missing; expected {what}"))
}

pub(super) fn wrong_kind(expected: &str, got: &str) -> Error {
    Error::unsupported(format!("Content-Type: expected {expected}, got `{}`", shown(got, 64)))
}

pub(super) fn not_found(version: &str) -> Error {
    Error::not_found(format!("Release '{version}' not found"))
}

/// Why there is no such release among those that were created: events may name it all the same.
pub(super) async fn not_created(main: &Main, project: ProjectId, version: &str) -> Error {
    let wanted = version.to_owned();
    match main.read(move |c| sql::get_health(c, project, &wanted, None)).await {
        Ok(Some(_)) => Error::not_found(format!(
            "Release '{version}' not found: only events name it so far. Create it first, for instance with \
             `mayday releases new {}`, or by uploading a source map.",
            argument(version)
        )),
        Ok(None) => not_found(version),
        Err(error) => error,
    }
}

/// A version in a command: anybody may send an event, so nothing that a shell reads as more than a word is in it.
fn argument(version: &str) -> &str {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+@/:".contains(&byte);
    if version.bytes().all(is_word) && !version.starts_with('-') { version } else { "VERSION" }
}
