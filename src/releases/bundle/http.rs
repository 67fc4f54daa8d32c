//! `POST /api/v1/sourcemaps/bundle`, and which parts of a build need not be sent.

use super::service::{Bundle, BundleStored, MapWarning, StylesStored};
use super::{FILES_MAX, PACKED_MAX, read_hash};
use crate::access::ReleaseKey;
use crate::error::{Error, Result};
use crate::http::body::{self, TooSlow};
use crate::http::extract::Json;
use crate::intake::rate::Kind;
use crate::releases::http::{Uploads, content_type, wrong_kind};
use crate::releases::{Release, sql};
use crate::text::shown;
use axum::Json as Answer;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::Write as _;
use tempfile::NamedTempFile;
use utoipa::ToSchema;

/// What a bundle's upload answers.
#[derive(Serialize, ToSchema)]
pub struct UploadedBundle {
    pub release: Release,
    /// Source maps that are new, or replace another.
    pub stored: usize,
    /// Source maps that were there already.
    pub unchanged: usize,
    /// The same of style sheets.
    pub styles: StylesStored,
    /// Those of which some mappings are wrong and left out.
    pub warnings: Vec<MapWarning>,
}

/// Uploads the source maps and style sheets of a build as one zip (up to 256 MiB, unpacked up to 1 GiB) with a
/// `manifest.json`: all of them are stored, or none. Counts as one upload.
#[utoipa::path(post, path = "/api/v1/sourcemaps/bundle", tag = "releases", security(("key" = [])),
    extensions(("x-access" = json!(ReleaseKey::needs()))),
    request_body(content_type = "application/zip", content = String, description = "A zip with the source maps, style sheets and `manifest.json` (see Manifest)"),
    responses((status = 201, body = UploadedBundle), (status = 200, body = UploadedBundle, description = "All of it was there"),
        (status = 409, description = "Different bytes for a url of a finalized release"), (status = 413), (status = 422),
        (status = 429, description = "The project is over its hourly limit for uploads")))]
pub async fn upload_bundle(
    State(uploads): State<Uploads>,
    ReleaseKey(key): ReleaseKey,
    request: Request,
) -> Result<(StatusCode, Answer<UploadedBundle>)> {
    uploads.disk.accepting()?;
    let kind = content_type(&request);
    if kind != "application/zip" {
        return Err(wrong_kind("application/zip", &kind));
    }
    uploads.directory.admit(&key, Kind::SourceMaps, 1)?;
    let _place = uploads.maps.place().await?;
    let archive = receive(&uploads, request).await?;
    let bundle = tokio::task::spawn_blocking(|| Bundle::read(archive)).await.map_err(Error::internal)??;
    let kept = bundle.keep(&uploads.maps, &uploads.main, uploads.disk.clone(), key.project).await?;
    uploads.directory.took(&key, kept.bytes);
    let status = if kept.stored + kept.styles.stored > 0 { StatusCode::CREATED } else { StatusCode::OK };
    let BundleStored { release, stored, unchanged, styles, warnings, .. } = kept;
    let answer = UploadedBundle { release, stored, unchanged, styles, warnings };
    Ok((status, Answer(answer)))
}

/// The body, on disk under a temporary name.
async fn receive(uploads: &Uploads, request: Request) -> Result<NamedTempFile> {
    let encoding = body::Encoding::of(request.headers())?;
    let mut wire = body::paced(request.into_body());
    if encoding != body::Encoding::Identity {
        wire = body::unpacked(encoding, wire, usize::try_from(PACKED_MAX).unwrap_or(usize::MAX));
    }
    let mut file = uploads.maps.blobs.temporary()?;
    let (mut wire, mut size) = (Body::into_data_stream(wire), 0);
    while let Some(piece) = wire.next().await {
        let piece = piece.map_err(|error| unreadable(&error))?;
        size += piece.len() as u64;
        if size > PACKED_MAX {
            return Err(Error::too_large(format!(
                "A bundle has at most {} MiB: send several",
                PACKED_MAX >> 20
            )));
        }
        uploads.disk.accepting()?;
        file.write_all(&piece).map_err(Error::storage)?;
    }
    Ok(file)
}

fn unreadable(error: &axum::Error) -> Error {
    let first: &(dyn std::error::Error + 'static) = error;
    let mut causes = std::iter::successors(Some(first), |cause| cause.source());
    match causes.find_map(|cause| cause.downcast_ref::<TooSlow>()) {
        Some(slow) => Error::malformed(slow.to_string()),
        None => Error::malformed("The body ended early, or its encoding is damaged"),
    }
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Contents {
    /// `sha256:<hex>`, up to 2,000.
    content_hashes: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct MissingContents {
    /// Those that no source map or style sheet of the project has, in the order of the request.
    pub missing: Vec<String>,
}

/// Says which source maps and style sheets the project does not have yet, so that an upload sends only those.
#[utoipa::path(post, path = "/api/v1/sourcemaps/missing", tag = "releases", security(("key" = [])),
    extensions(("x-access" = json!(ReleaseKey::needs()))), request_body = Contents,
    responses((status = 200, body = MissingContents)))]
pub async fn list_missing_contents(
    State(uploads): State<Uploads>,
    ReleaseKey(key): ReleaseKey,
    Json(contents): Json<Contents>,
) -> Result<Answer<MissingContents>> {
    let given = contents.content_hashes;
    if given.len() > FILES_MAX {
        let got = given.len();
        return Err(Error::invalid(format!("content_hashes: expected at most {FILES_MAX}, got {got}")));
    }
    let mut hashes = Vec::with_capacity(given.len());
    for (index, text) in given.iter().enumerate() {
        hashes.push(read_hash(text).ok_or_else(|| {
            let got = shown(text, 80);
            Error::invalid(format!(
                "content_hashes[{index}]: expected `sha256:` and 64 hexadecimal digits, got `{got}`"
            ))
        })?);
    }
    let asked = hashes.clone();
    let known = uploads.main.read(move |c| sql::known_to(c, key.project, &asked)).await?;
    let known: HashSet<[u8; 32]> = known.into_iter().collect();
    let missing = given.into_iter().zip(hashes).filter(|(_, hash)| !known.contains(hash));
    Ok(Answer(MissingContents { missing: missing.map(|(text, _)| text).collect() }))
}
