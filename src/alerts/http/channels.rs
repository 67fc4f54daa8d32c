//! `/api/v1/projects/{project_id}/alert-channels`.

use super::{AlertsState, Note};
use crate::access::{Access, Administer, Read};
use crate::accounts::check_name;
use crate::alerts::sql::channels;
use crate::alerts::sql::thresholds;
use crate::alerts::{Channel, ChannelKind, ISSUE_QUIET_MINUTES, QUIET_MINUTES_MAX, Target};
use crate::crypto::token;
use crate::delivery::hook::new_secret;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::AlertChannelId;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct AlertChannels {
    pub channels: Vec<Channel>,
    pub total: usize,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateAlertChannel {
    /// 1 to 128 characters.
    pub name: String,
    pub kind: ChannelKind,
    /// An https address on the public internet, of up to 2,048 characters. For `ntfy`, that of the topic.
    pub url: String,
    /// Sent as a Bearer token.
    pub token: Option<String>,
    /// With `template`: a JSON document of up to 16 KiB, in whose texts `{{title}}`, `{{text}}`, `{{url}}`, `{{rule}}`,
    /// `{{project}}`, `{{kind}}`, `{{short_id}}`, `{{event_count}}`, `{{user_count}}` and `{{time}}` are filled in.
    #[schema(value_type = Option<Object>)]
    pub template: Option<Value>,
    /// How long it hears nothing of an issue from other rules after a message about it: 0 to 10,080 minutes. Default: 60.
    pub issue_quiet_minutes: Option<i64>,
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateAlertChannel {
    pub name: Option<String>,
    pub enabled: Option<bool>,
    pub url: Option<String>,
    /// `null` removes it.
    #[serde(default, deserialize_with = "crate::http::extract::given")]
    #[schema(value_type = Option<String>)]
    pub token: Option<Option<String>>,
    #[schema(value_type = Option<Object>)]
    pub template: Option<Value>,
    pub issue_quiet_minutes: Option<i64>,
    /// Whether a webhook gets another signing secret.
    #[serde(default)]
    pub rotate_secret: bool,
}

#[derive(Serialize, ToSchema)]
pub struct ShownAlertChannel {
    #[serde(flatten)]
    pub channel: Channel,
    /// With which a webhook's messages are signed: `whsec_…`. Shown when it is made, and never again.
    pub secret: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct AlertTest {
    /// Whether the receiver took it.
    pub delivered: bool,
    /// Why not.
    pub reason: Option<String>,
}

/// Lists a project's channels.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/alert-channels", tag = "alerts",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = AlertChannels)))]
pub async fn list_alert_channels(
    State(alerts): State<AlertsState>,
    access: Access<Read>,
) -> Result<Answer<AlertChannels>> {
    let channels = alerts.main.read(move |c| channels::list(c, access.project.id)).await?;
    Ok(Answer(AlertChannels { total: channels.len(), channels }))
}

/// Creates a channel.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/alert-channels", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path)), request_body = CreateAlertChannel,
    responses((status = 201, body = ShownAlertChannel), (status = 409, description = "Too many channels")))]
pub async fn create_alert_channel(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    client: Client,
    Json(body): Json<CreateAlertChannel>,
) -> Result<(StatusCode, Answer<ShownAlertChannel>)> {
    let (standing, project) = (access.standing()?, access.project.id);
    let note = Note::new(&access, &client, "alert_channel.created")?;
    let (name, kind) = (check_name("name", &body.name)?, body.kind);
    let secret = (kind == ChannelKind::Webhook).then(new_secret);
    let target = Target { url: body.url, secret: secret.clone(), token: body.token, template: body.template };
    target.check(kind, alerts.policy)?;
    let quiet = quiet_minutes(body.issue_quiet_minutes, ISSUE_QUIET_MINUTES)?;
    let seal = alerts.teller.seal.clone();
    let write = alerts.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let channel = channels::create(tx, &seal, project, (&name, kind, &target, quiet), now)?;
        note.write(tx, &channel.name, now)?;
        Ok(channel)
    });
    Ok((StatusCode::CREATED, Answer(ShownAlertChannel { channel: write.await?, secret })))
}

/// Changes a channel. Switching one off withdraws what it has yet to be told.
#[utoipa::path(patch, path = "/api/v1/projects/{project_id}/alert-channels/{channel_id}", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("channel_id" = i64, Path)), request_body = UpdateAlertChannel,
    responses((status = 200, body = ShownAlertChannel), (status = 404, description = "No such channel")))]
pub async fn update_alert_channel(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
    Json(body): Json<UpdateAlertChannel>,
) -> Result<Answer<ShownAlertChannel>> {
    let (standing, project, id) = (access.standing()?, access.project.id, channel_id(&id)?);
    let note = Note::new(&access, &client, "alert_channel.updated")?;
    let name = body.name.as_deref().map(|name| check_name("name", name)).transpose()?;
    let (seal, policy) = (alerts.teller.seal.clone(), alerts.policy);
    let write = alerts.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let mut stored = channels::get(tx, project, id)?.ok_or_else(unknown)?;
        let mut target = stored.open(&seal)?;
        let kind = stored.channel.kind;
        if body.rotate_secret && kind != ChannelKind::Webhook {
            return Err(Error::invalid("rotate_secret: expected only with the kind `webhook`"));
        }
        let secret = body.rotate_secret.then(new_secret);
        target.secret = secret.clone().or(target.secret);
        target.url = body.url.unwrap_or(target.url);
        target.token = body.token.unwrap_or(target.token);
        target.template = body.template.or(target.template);
        target.check(kind, policy)?;
        stored.channel.name = name.unwrap_or(stored.channel.name);
        let quiet = stored.channel.issue_quiet_minutes;
        stored.channel.issue_quiet_minutes = quiet_minutes(body.issue_quiet_minutes, quiet)?;
        stored.channel.enabled = body.enabled.unwrap_or(stored.channel.enabled);
        channels::update(tx, &seal, &stored, &target, now)?;
        note.write(tx, &stored.channel.name, now)?;
        let channel = channels::get(tx, project, id)?.ok_or_else(unknown)?.channel;
        Ok(ShownAlertChannel { channel, secret })
    });
    write.await.map(Answer)
}

/// Deletes a channel, and withdraws what it has yet to be told.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/alert-channels/{channel_id}", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("channel_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such channel")))]
pub async fn delete_alert_channel(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let (standing, project, id) = (access.standing()?, access.project.id, channel_id(&id)?);
    let note = Note::new(&access, &client, "alert_channel.deleted")?;
    let write = alerts.main.write(move |tx| {
        standing.check(tx)?;
        let name = channels::delete(tx, project, id)?.ok_or_else(unknown)?;
        note.write(tx, &name, Timestamp::now())
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a test to a channel at once, and says how it ended.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/alert-channels/{channel_id}/test", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("channel_id" = i64, Path)),
    responses((status = 200, body = AlertTest), (status = 404, description = "No such channel")))]
pub async fn test_alert_channel(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<AlertTest>> {
    let (project, id) = (access.project.id, channel_id(&id)?);
    let read = alerts.main.read(move |c| {
        let stored = channels::get(c, project, id)?.ok_or_else(unknown)?;
        Ok((stored, thresholds::project_name(c, project)?.unwrap_or_default()))
    });
    let (stored, name) = read.await?;
    let message = alerts.teller.test_message((project, &name), Timestamp::now());
    let hook = message.hook(stored.channel.kind, &stored.open(&alerts.teller.seal)?);
    let sent = alerts.hooks.post(&hook, &token::uuid()).await;
    Ok(Answer(AlertTest { delivered: sent.is_ok(), reason: sent.err().map(|failure| failure.text) }))
}

fn quiet_minutes(given: Option<i64>, otherwise: i64) -> Result<i64> {
    match given.unwrap_or(otherwise) {
        minutes if (0..=QUIET_MINUTES_MAX).contains(&minutes) => Ok(minutes),
        minutes => Err(Error::invalid(format!(
            "issue_quiet_minutes: expected a whole number from 0 to {QUIET_MINUTES_MAX}, got {minutes}"
        ))),
    }
}

fn unknown() -> Error {
    Error::not_found("This project has no such channel")
}

fn channel_id(text: &str) -> Result<AlertChannelId> {
    text.parse().map(AlertChannelId).map_err(|_| unknown())
}
