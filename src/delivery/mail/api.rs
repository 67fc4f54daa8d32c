//! Sends mail through an HTTP API like Resend's.

use super::{Failure, Letter, UNSUBSCRIBE_POST};
use crate::crypto::secret::Secret;
use crate::outbound::{Client, OutboundError, Policy, Request, Response};
use crate::text;
use hyper::header::{AUTHORIZATION, HeaderName};
use lettre::message::Mailbox;
use serde_json::json;

/// Characters of the API's answer that are repeated.
const SAID_MAX: usize = 200;

/// Posts the letter. 400, 413 and 422 concern the letter itself and are final; a refused key, a wrong address
/// or a rate limit is temporary, because the operator or time will fix it.
pub(super) async fn send(
    client: &Client,
    url: &str,
    key: &Secret,
    from: &Mailbox,
    letter: &Letter,
) -> Result<(), Failure> {
    let answer = post(client, url, key, from, letter).await;
    let answer =
        answer.map_err(|error| Failure::passing(format!("the mail API cannot be reached: {error}")))?;
    let status = answer.status.as_u16();
    if answer.status.is_success() || is_repeated(&answer) {
        return Ok(());
    }
    let text = format!("the mail API answered {status}{}", said(&answer.body, key));
    let permanent = matches!(status, 400 | 413 | 422);
    Err(if permanent { Failure::permanent(text) } else { Failure::passing(text) })
}

/// Whether the API accepted a mail with this key before, but its answer was lost. The details in a mail about an
/// issue may differ by now, and nobody should get it twice.
fn is_repeated(answer: &Response) -> bool {
    let name = |value: serde_json::Value| Some(value.get("name")?.as_str()? == "invalid_idempotent_request");
    answer.status.as_u16() == 409 && serde_json::from_slice(&answer.body).ok().and_then(name) == Some(true)
}

async fn post(
    client: &Client,
    url: &str,
    key: &Secret,
    from: &Mailbox,
    letter: &Letter,
) -> Result<Response, OutboundError> {
    let mut document = json!({
        "from": from.to_string(),
        "to": [letter.to],
        "subject": letter.subject,
        "text": letter.text,
    });
    if let Some(html) = &letter.html {
        document["html"] = json!(html);
    }
    if let Some(thread) = &letter.thread {
        let thread = json!(format!("<{thread}>"));
        document["headers"] = json!({ "In-Reply-To": thread, "References": thread });
    }
    if let Some(url) = &letter.unsubscribe {
        let (name, value) = UNSUBSCRIBE_POST;
        document["headers"]["List-Unsubscribe"] = json!(format!("<{url}>"));
        document["headers"][name] = json!(value);
    }
    let request = Request::post_json(url, &document)
        .secret_header(AUTHORIZATION, &format!("Bearer {}", key.as_str()))?
        .secret_header(HeaderName::from_static("idempotency-key"), &letter.idempotency_key)?;
    // The operator configures the address, and there is a warning for plain http.
    client.send(request, Policy::Open).await
}

/// The API's error message, without the key.
fn said(body: &[u8], key: &Secret) -> String {
    let message = |value: serde_json::Value| Some(value.get("message")?.as_str()?.to_owned());
    match serde_json::from_slice(body).ok().and_then(message) {
        Some(message) => format!(": {}", text::shown(&message.replace(key.as_str(), "…"), SAID_MAX)),
        None => String::new(),
    }
}
