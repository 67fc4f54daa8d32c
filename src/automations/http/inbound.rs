//! `/webhooks/t_…`: the inbound addresses of triggers.

use crate::accounts::people::People;
use crate::accounts::throttle::Bearer;
use crate::automations::service::inbound::{InboundCall, receive, unknown};
use crate::automations::service::kept;
use crate::automations::signature;
use crate::automations::sql::triggers;
use crate::crypto::seal::Seal;
use crate::error::{Error, Result};
use crate::http::body::{self, Encoding, Share};
use crate::ids::{AutomationEventId, TriggerId};
use crate::sessions::service::SessionService;
use crate::store::Transaction;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::ToSchema;

/// Bytes of a call.
const BODY_MAX: usize = 1 << 20;
/// Calls of one address in a minute.
const PER_MINUTE: u32 = 600;

#[derive(Serialize, ToSchema)]
pub struct WebhookAnswer {
    /// Always true.
    pub success: bool,
    pub trigger_id: TriggerId,
    /// `null`: the call only tried the address.
    pub event_id: Option<AutomationEventId>,
    /// The call was taken before: the event is the first one's.
    pub duplicate: bool,
}

/// Calls an automation. The call is signed with the trigger's secret: an HMAC-SHA256 of the body in `X-Webhook-Signature`,
/// `X-Signature`, `X-Hub-Signature-256` or `X-Signature-256`, or as Standard Webhooks say. At most 1 MiB.
#[utoipa::path(post, path = "/webhooks/{webhook_path}", tag = "automation", security(()),
    params(("webhook_path" = String, Path)), request_body = Value,
    responses((status = 200, body = WebhookAnswer), (status = 401, description = "Invalid signature"),
        (status = 404, description = "No such address, or its trigger is off"),
        (status = 429, description = "Too many calls")))]
pub async fn call_webhook(
    State(people): State<Arc<People>>,
    State(sessions): State<SessionService>,
    Path(path): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Answer<WebhookAnswer>> {
    let found = people.main.look_up(move |c| triggers::by_path(c, &path)).await?;
    let (called, sealed) = found.ok_or_else(unknown)?;
    let trigger_id = called.trigger.id;
    let throttle = &people.throttle.platform;
    throttle.take_of_minute(Bearer::Trigger(trigger_id), PER_MINUTE, "calls").map_err(|(_, error)| error)?;
    let (encoding, wire) = body::read_wire(&headers, body, BODY_MAX, |_| Share::of_strangers()).await?;
    let secret = triggers::open(&Seal::new(&people.secrets.cloud), trigger_id, &sealed)?;
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let signed = signature::check(&secret, header, &wire, Timestamp::now());
    let signed = signed.ok_or_else(|| Error::Unauthenticated("Invalid signature".into()))?;
    let body_hash = *blake3::hash(&wire).as_bytes();
    let event = header("x-github-event").unwrap_or_default().to_owned();
    let read = move || {
        let plain = match encoding {
            Encoding::Identity => wire,
            _ => body::decode(encoding, &wire, BODY_MAX)?,
        };
        let payload = payload(&plain);
        Ok::<_, Error>(InboundCall { signed, body_hash, kept: kept(&payload), payload, event })
    };
    let call = tokio::task::spawn_blocking(read).await.map_err(Error::internal)??;
    let write = move |tx: &Transaction<'_>| receive(tx, trigger_id, &call, Timestamp::now());
    let received = people.main.write(write).await?;
    if let Some(session) = received.outcome.and_then(|outcome| outcome.session) {
        sessions.changed(session);
    }
    sessions.issue_changed(received.issue);
    Ok(Answer(WebhookAnswer {
        success: true,
        trigger_id,
        event_id: received.event,
        duplicate: received.is_duplicate,
    }))
}

/// The body as JSON; a body that is not JSON as a text.
fn payload(body: &Bytes) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|_| json!(String::from_utf8_lossy(body)))
}
