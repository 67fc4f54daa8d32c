//! `GET /api/v1/projects/{project_id}/stylesheets`: a style sheet, by the address from which a page loaded it.

use crate::access::{Access, Read};
use crate::error::{Error, Result};
use crate::http::extract::Query;
use crate::releases::service::{Maps, upload};
use crate::releases::sql;
use crate::store::Main;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// Whoever uploads decides what it says: a browser that is led here shows it as text, and no other site may use it.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];
/// A release may get another one for the same address: browsers ask whether theirs is still the one.
const REVALIDATE: HeaderValue = HeaderValue::from_static("private, no-cache");

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StyleSheetParams {
    /// The version of a release.
    release: String,
    /// The address from which a page loaded the style sheet.
    url: String,
}

/// Reads a style sheet that was uploaded with a release. Its address is matched as those of scripts are: exactly, without
/// `?…` and `#…`, and with percent-encoded characters decoded.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/stylesheets", tag = "releases",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), StyleSheetParams),
    responses((status = 200, body = String, content_type = "text/css"),
        (status = 204, description = "The release has none for this address, or there is no such release")))]
pub async fn get_style_sheet(
    State(main): State<Main>,
    State(maps): State<Arc<Maps>>,
    access: Access<Read>,
    headers: HeaderMap,
    Query(params): Query<StyleSheetParams>,
) -> Result<Response> {
    let project = access.project.id;
    let read = main.read(move |c| {
        let release = sql::release_styles(c, project, &params.release)?;
        Ok(release.and_then(|release| release.look_up(&params.url).ok().map(|(content, _)| *content)))
    });
    let Some(content) = read.await? else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let etag = format!("\"{}\"", blake3::Hash::from_bytes(content).to_hex());
    // A proxy that compresses the answer makes the tag a weak one.
    let given = headers.get(header::IF_NONE_MATCH).map(HeaderValue::as_bytes);
    let is_known = given.is_some_and(|given| given.strip_prefix(b"W/").unwrap_or(given) == etag.as_bytes());
    let caching = [
        (header::ETAG, HeaderValue::from_str(&etag).map_err(Error::internal)?),
        (header::CACHE_CONTROL, REVALIDATE),
    ];
    if is_known {
        // The headers of this replace those that the browser has kept.
        return Ok((StatusCode::NOT_MODIFIED, HEADERS, caching).into_response());
    }
    let reading = tokio::task::spawn_blocking(move || upload::read_style(&maps.blobs, &content));
    match reading.await.map_err(Error::internal)? {
        Ok(text) => Ok((HEADERS, caching, text).into_response()),
        // Its release may just have been deleted.
        Err(error) => {
            tracing::warn!(cause = ?error, "a style sheet cannot be read");
            Ok(StatusCode::NO_CONTENT.into_response())
        }
    }
}
