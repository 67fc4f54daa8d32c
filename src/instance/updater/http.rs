//! `/desktop/updater/latest.json`.

use super::service::Updater;
use crate::error::{Error, Result};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;

/// `None` if no releases URL is configured.
#[derive(Clone)]
pub struct DesktopReleases(pub Option<Arc<Updater>>);

/// Leads the desktop client to the manifest of the version that this server pins, or to the newest manifest if there is
/// none for that version.
#[utoipa::path(get, path = "/desktop/updater/latest.json", tag = "server", security(()),
    responses(
        (status = 302, description = "`location` is the manifest"),
        (status = 404, description = "This instance names no releases")
    ))]
pub async fn find_manifest(State(DesktopReleases(updater)): State<DesktopReleases>) -> Result<Response> {
    let missing = || Error::not_found("This instance names no releases of the desktop client.");
    let updater = updater.ok_or_else(missing)?;
    let location = HeaderValue::try_from(updater.manifest().await).map_err(Error::internal)?;
    Ok((StatusCode::FOUND, [(header::LOCATION, location)]).into_response())
}
