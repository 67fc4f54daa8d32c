//! `/health`, `/meta` and the API document.

use crate::accounts::people::People;
use crate::config::{TelemetryMode, WebApp};
use crate::http::JSON;
use crate::intake::store::Store;
use crate::store;
use crate::store::Disk;
use crate::time::Timestamp;
use crate::version::version;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use utoipa::ToSchema;

/// How long a check remains valid.
const CHECK_AGE: Duration = Duration::from_secs(1);
/// How long the check for writing may take before the instance counts as degraded.
const CHECK_DEADLINE: Duration = Duration::from_secs(3);

/// What the health of the instance is determined from.
#[derive(Clone)]
pub struct Instance {
    pub people: Arc<People>,
    pub intake: Store,
    pub disk: Arc<Disk>,
    pub health: Arc<HealthCheck>,
}

/// The API document, which a test compares with what the routes declare: to build it takes code that no server needs.
const DOCUMENT: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    pub status: HealthStatus,
    /// Present if `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<&'static str>,
    /// Present if `degraded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<&'static str>,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HealthStatus {
    Ok,
    Degraded,
}

/// The last check of both databases. Anybody may ask for it, so it runs at most once a second.
#[derive(Default)]
pub struct HealthCheck(Mutex<Option<(Instant, Option<&'static str>)>>);

impl HealthCheck {
    /// What is wrong; `None` if nothing is.
    async fn reason(&self, instance: &Instance) -> Option<&'static str> {
        if instance.disk.is_low() {
            return Some(
                "the disk is nearly full: no events, logs, replays or source maps are accepted until there is room",
            );
        }
        let mut last = self.0.lock().await;
        if let Some((at, reason)) = *last
            && at.elapsed() < CHECK_AGE
        {
            return reason;
        }
        let now = Timestamp::now();
        let checks = async {
            instance
                .intake
                .check()
                .await
                .and(instance.people.main.write(move |tx| store::beat(tx, now)).await)
        };
        let reason = match tokio::time::timeout(CHECK_DEADLINE, checks).await {
            Ok(Ok(())) => None,
            Ok(Err(_)) => Some("the database cannot be written to"),
            Err(_) => Some("the database does not answer in time"),
        };
        *last = Some((Instant::now(), reason));
        reason
    }
}

/// Reports whether the databases can be written to, and whether there is room on the disk.
#[utoipa::path(get, path = "/health", tag = "server", security(()),
    responses((status = 200, body = Health), (status = 503, body = Health)))]
pub(crate) async fn health(State(instance): State<Instance>) -> Response {
    let Some(reason) = instance.health.reason(&instance).await else {
        return Answer(Health { status: HealthStatus::Ok, version: Some(version()), reason: None })
            .into_response();
    };
    let body = Health { status: HealthStatus::Degraded, version: None, reason: Some(reason) };
    let retry = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
    (StatusCode::SERVICE_UNAVAILABLE, retry, Answer(body)).into_response()
}

/// What this instance is and can do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Meta {
    pub server_version: &'static str,
    pub desktop_version: String,
    pub runtime_version: String,
    pub min_desktop_version: String,
    /// Whether clients older than `minDesktopVersion` must refuse to work with this server, which is the case
    /// if the operator set it. Otherwise it is the server's own version, and only a hint.
    pub min_desktop_version_enforced: bool,
    pub capabilities: Capabilities,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    pub contract_version: u32,
    pub deployment: Deployment,
    pub billing: bool,
    pub usage_metering: bool,
    pub cloud_workspaces: bool,
    pub agent_gateway: bool,
    pub web_app: WebAppMeta,
    pub support: Support,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Deployment {
    pub mode: TelemetryMode,
    pub display_name: String,
    pub logo_url: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebAppMeta {
    pub available: bool,
    pub base_url: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Support {
    pub kind: SupportKind,
    pub email: Option<String>,
    pub url: Option<String>,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SupportKind {
    Operator,
    None,
}

/// Tells clients what this instance is and can do.
#[utoipa::path(get, path = "/meta", tag = "server", security(()), responses((status = 200, body = Meta)))]
pub(crate) async fn meta(State(instance): State<Instance>) -> Answer<Meta> {
    let identity = &instance.people.config.identity;
    let versions = &instance.people.config.versions;
    let named = |value: &Option<String>| value.clone();
    let or_own = |value: &Option<String>| value.clone().unwrap_or_else(|| version().to_owned());
    let supported = identity.support_email.is_some() || identity.support_url.is_some();
    Answer(Meta {
        server_version: version(),
        desktop_version: or_own(&versions.desktop),
        runtime_version: or_own(&versions.runtime),
        min_desktop_version: or_own(&versions.min_desktop),
        min_desktop_version_enforced: versions.min_desktop.is_some(),
        capabilities: Capabilities {
            contract_version: 1,
            deployment: Deployment {
                mode: instance.people.config.telemetry_mode,
                display_name: named(&identity.name)
                    .unwrap_or_else(|| instance.people.addresses.frontend.host().to_owned()),
                logo_url: named(&identity.logo_url),
            },
            billing: false,
            usage_metering: false,
            cloud_workspaces: false,
            agent_gateway: instance.people.config.gateway.is_some(),
            web_app: WebAppMeta {
                available: instance.people.config.web_app != WebApp::None,
                base_url: instance.people.addresses.frontend.to_string(),
            },
            support: Support {
                kind: if supported { SupportKind::Operator } else { SupportKind::None },
                email: named(&identity.support_email),
                url: named(&identity.support_url),
            },
        },
    })
}

/// The API's OpenAPI 3.1 document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "server", security(()),
    responses((status = 200, description = "This document", content_type = "application/json")))]
pub(crate) async fn openapi_document() -> ([(HeaderName, HeaderValue); 1], &'static str) {
    ([(header::CONTENT_TYPE, JSON)], DOCUMENT)
}
