//! Texts about agent sessions.

use super::{line, name, system};
use crate::ids::OrganizationId;
use crate::notifications::Notice;
use crate::signals::Signal;
use serde_json::json;

/// Characters of a reason.
const REASON_MAX: usize = 300;

/// Reports that a session needs a person to continue.
pub fn waits(signal: &Signal, organization: OrganizationId) -> Notice {
    let session = name(signal.text("title"));
    let reason = line(signal.text("reason"), REASON_MAX);
    let (title, summary) = match signal.text("why") {
        "asks" => (
            format!("An agent asks you: {session}"),
            "It wants an answer, or to be allowed something".to_owned(),
        ),
        "capped" => (
            format!("An agent is paused: {session}"),
            format!("{reason}. Its work is kept, and you can let it go on"),
        ),
        _ => (
            format!("An agent's work waits for you: {session}"),
            "Nothing was pushed. Look at what it changed, and release it".to_owned(),
        ),
    };
    let page = format!("/organizations/{organization}/sessions/{}", signal.text("session_id"));
    let metadata = json!({ "kind": "session_waits", "version": null, "url": null });
    let source = ("signal", signal.id.0);
    let notice = system(signal, source, (&title, &summary), &page, metadata);
    Notice { organization: Some(organization), project: signal.project, ..notice }
}
