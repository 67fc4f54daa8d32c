//! `/api/v1/me/tokens`.

use super::{DAYS_MAX, PREFIX, PersonalToken, TokenScope, sql};
use crate::access::Browser;
use crate::accounts::check_name;
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::TokenId;
use crate::time::{DAY, Timestamp};
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// Random characters of a token, 238 bits.
const LENGTH: usize = 40;

#[derive(Serialize, ToSchema)]
pub struct PersonalTokens {
    pub tokens: Vec<PersonalToken>,
    pub total: usize,
}

#[derive(Deserialize, ToSchema)]
pub struct CreatePersonalToken {
    /// What it is for, 1 to 128 characters.
    pub name: String,
    /// Default: `read`.
    pub scopes: Option<Vec<TokenScope>>,
    /// 1 to 366. Default: the token does not expire.
    pub expires_in_days: Option<u32>,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedPersonalToken {
    #[serde(flatten)]
    pub record: PersonalToken,
    /// The full token, shown only once.
    pub token: String,
}

/// Lists the caller's personal access tokens, newest first, including expired and revoked ones.
#[utoipa::path(get, path = "/api/v1/me/tokens", tag = "account",
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 200, body = PersonalTokens)))]
pub async fn list_personal_tokens(
    State(people): State<Arc<People>>,
    caller: Browser,
) -> Result<Answer<PersonalTokens>> {
    let tokens = people.main.read(move |c| sql::list(c, caller.user.id)).await?;
    Ok(Answer(PersonalTokens { total: tokens.len(), tokens }))
}

/// Creates a personal access token and shows it, only this once.
#[utoipa::path(post, path = "/api/v1/me/tokens", tag = "account", request_body = CreatePersonalToken,
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 201, body = CreatedPersonalToken), (status = 409, description = "Too many tokens")))]
pub async fn create_personal_token(
    State(people): State<Arc<People>>,
    caller: Browser,
    client: Client,
    Json(body): Json<CreatePersonalToken>,
) -> Result<(StatusCode, Answer<CreatedPersonalToken>)> {
    let now = Timestamp::now();
    let made = format!("pat_{}", token::random_base62(LENGTH));
    let new = sql::NewToken {
        user: caller.user.id,
        name: check_name("name", &body.name)?,
        prefix: made[..PREFIX].to_owned(),
        hash: token::key_hash(&made),
        scopes: check_scopes(body.scopes)?,
        expires_at: body
            .expires_in_days
            .map(check_days)
            .transpose()?
            .map(|days| now.plus(i64::from(days) * DAY)),
    };
    let act = Actor::person(&caller.user, client.address)
        .did("token.created", &new.name)
        .with(json!({ "scopes": TokenScope::join(&new.scopes), "expires_at": new.expires_at }));
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        let record = sql::create(tx, &new, now)?;
        audit::sql::add(tx, &act, now)?;
        Ok(record)
    });
    let record = write.await?;
    Ok((StatusCode::CREATED, Answer(CreatedPersonalToken { record, token: made })))
}

/// Revokes one of the caller's tokens; requests with it are answered 401.
#[utoipa::path(delete, path = "/api/v1/me/tokens/{token_id}", tag = "account",
    extensions(("x-access" = json!(Browser::needs()))),
    params(("token_id" = i64, Path)), responses((status = 204), (status = 404, description = "No such token")))]
pub async fn revoke_personal_token(
    State(people): State<Arc<People>>,
    caller: Browser,
    client: Client,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let unknown = || Error::not_found("There is no such token");
    let id = TokenId(id.parse().map_err(|_| unknown())?);
    let actor = Actor::person(&caller.user, client.address);
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        let now = Timestamp::now();
        let Some(name) = sql::revoke(tx, caller.user.id, id, now)? else { return Ok(false) };
        audit::sql::add(tx, &actor.did("token.revoked", name), now)?;
        Ok(true)
    });
    let found = write.await?;
    people.live.check_watchers();
    if found { Ok(StatusCode::NO_CONTENT) } else { Err(unknown()) }
}

fn check_scopes(given: Option<Vec<TokenScope>>) -> Result<Vec<TokenScope>> {
    let mut scopes = given.unwrap_or_else(|| vec![TokenScope::Read]);
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.is_empty() {
        return Err(Error::invalid("scopes: expected at least one of read, write, admin"));
    }
    Ok(scopes)
}

fn check_days(days: u32) -> Result<u32> {
    if (1..=DAYS_MAX).contains(&days) {
        return Ok(days);
    }
    Err(Error::invalid(format!("expires_in_days: expected 1 to {DAYS_MAX}, got {days}")))
}
