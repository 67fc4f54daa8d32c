//! `/api/v1/instance/announcements`.

use crate::access::Administrator;
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::notifications::texts::SUMMARY_MAX;
use crate::signals::{self, NewSignal};
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use url::Url;
use utoipa::ToSchema;

/// Characters of a title, which is told in one line, and of a URL.
const TITLE_MAX: usize = 200;
const URL_MAX: usize = 2_048;

#[derive(Deserialize, ToSchema)]
pub struct Announce {
    /// 1 to 200 characters.
    pub title: String,
    /// At most 2,000 characters.
    #[serde(default)]
    pub text: String,
    /// Where to read more: an http(s) address.
    pub url: Option<String>,
    /// Default: `announcement`.
    #[serde(default)]
    pub kind: AnnouncementKind,
}

/// What an announcement is of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnnouncementKind {
    #[default]
    Announcement,
    /// The server will be, or is, under maintenance.
    Maintenance,
}

impl AnnouncementKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Announcement => "announcement",
            Self::Maintenance => "maintenance",
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct Announced {
    pub kind: AnnouncementKind,
    pub title: String,
    pub text: String,
    pub url: Option<String>,
    pub created_at: Timestamp,
}

/// Tells everybody on this instance something, in the category `system`.
#[utoipa::path(post, path = "/api/v1/instance/announcements", tag = "notifications", request_body = Announce,
    extensions(("x-access" = json!(Administrator::needs()))),
    responses((status = 201, body = Announced)))]
pub async fn announce(
    State(people): State<Arc<People>>,
    administrator: Administrator,
    client: Client,
    Json(body): Json<Announce>,
) -> Result<(StatusCode, Answer<Announced>)> {
    let title = text("title", &body.title, 1, TITLE_MAX)?;
    let (text, url) = (text("text", &body.text, 0, SUMMARY_MAX)?, body.url.map(address).transpose()?);
    let actor = Actor::person(&administrator.user, client.address);
    let write = people.main.write(move |tx| {
        administrator.standing.check(tx)?;
        let now = Timestamp::now();
        let said = (body.kind.as_str(), title.as_str(), text.as_str(), url.as_deref());
        let new = NewSignal::of_announcement(administrator.user.id, said);
        signals::sql::add(tx, &new, now)?;
        audit::sql::add(tx, &actor.did("instance.announced", &title).with(json!({ "url": url })), now)?;
        Ok(Announced { kind: body.kind, title, text, url, created_at: now })
    });
    let announced = write.await?;
    people.subscribers.notify();
    Ok((StatusCode::CREATED, Answer(announced)))
}

fn text(field: &str, given: &str, min: usize, max: usize) -> Result<String> {
    let given = given.trim();
    let length = given.chars().count();
    if (min..=max).contains(&length) {
        return Ok(given.to_owned());
    }
    Err(Error::invalid(format!("{field}: expected {min} to {max} characters, got {length}")))
}

fn address(given: String) -> Result<String> {
    let is_web = Url::parse(&given).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if is_web && given.len() <= URL_MAX && !given.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Ok(given);
    }
    Err(Error::invalid(format!("url: expected an http(s) address of at most {URL_MAX} bytes")))
}
