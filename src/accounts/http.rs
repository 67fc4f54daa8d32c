//! The claim of the instance.

use super::sign_in::Method;
use super::sign_in::http::{NewSession, SetCookie, SignedInAnswer};
use super::throttle::Door;
use super::{check_name, check_password, claim, name_from, normal_email, sign_in, sql, token};
use crate::app::App;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::{Json, PasswordsOn};
use crate::ids::OrganizationId;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{FromRequestParts, State};
use axum::http::{StatusCode, request::Parts};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
pub struct Setup {
    /// Eight groups of four hex digits, printed by the server while unclaimed.
    pub setup_token: String,
    pub email: String,
    /// 12 to 256 characters.
    pub password: String,
    /// 1 to 128 characters.
    pub organization_name: String,
    /// Default: the e-mail's part before the `@`.
    pub name: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SetupAnswer {
    #[serde(flatten)]
    pub sign_in: SignedInAnswer,
    pub organization_id: OrganizationId,
}

/// Lets a request through while nobody has claimed the instance; after that there is no claim, so
/// nothing of the body is looked at.
pub struct Unclaimed;

impl FromRequestParts<Arc<App>> for Unclaimed {
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, app: &Arc<App>) -> Result<Self> {
        if !app.single_org {
            return Err(Error::not_found("This instance has many organizations and is not claimed."));
        }
        app.main.look_up(sql::require_unclaimed).await.map(|()| Self)
    }
}

/// Whether there is still a claim to be made.
#[derive(Serialize, ToSchema)]
pub struct SetupState {
    /// Somebody claimed the instance: sign in instead.
    pub claimed: bool,
    /// False where nothing is ever claimed: with many organizations.
    pub available: bool,
}

/// Tells whether the instance is claimed.
#[utoipa::path(get, path = "/auth/setup", tag = "sign-in", security(()), responses((status = 200, body = SetupState)))]
pub async fn get_setup(State(app): State<Arc<App>>) -> Result<Answer<SetupState>> {
    let claimed = app.main.look_up(sql::is_claimed).await?;
    Ok(Answer(SetupState { claimed, available: app.single_org }))
}

/// Claims the instance: makes the first account, its organization, and signs in.
#[utoipa::path(post, path = "/auth/setup", tag = "sign-in", security(()), request_body = Setup,
    responses((status = 201, body = SetupAnswer), (status = 403, description = "Wrong setup token"),
        (status = 404, description = "Claimed already")))]
pub async fn set_up(
    State(app): State<Arc<App>>,
    _: Unclaimed,
    _: PasswordsOn,
    client: Client,
    Json(body): Json<Setup>,
) -> Result<(StatusCode, SetCookie, Answer<SetupAnswer>)> {
    let attempt = app.throttle.begin(Door::Setup, client.address)?;
    let token_hash = token::keyed_hash(&app.secrets.jwt, body.setup_token.trim());
    app.main.look_up(move |c| sql::check_setup_token(c, &token_hash)).await?;
    attempt.succeed();
    let email = normal_email(&body.email)?;
    check_password(&body.password)?;
    let organization = check_name("organization_name", &body.organization_name)?;
    let name = check_name("name", body.name.as_deref().unwrap_or(name_from(&email)))?;
    let password_hash = Some(app.passwords.hash(body.password).await?);
    let claimed = sql::Claim { token_hash, email, name, password_hash, organization };
    let session = NewSession::make(&app, &client, Method::Setup);
    let (new, address) = (session.stored.clone(), client.address);
    let write = app.main.write(move |tx| {
        let now = Timestamp::now();
        let (user, organization) = sql::claim(tx, &claimed, now)?;
        sign_in::sql::add(tx, user.id, &new, now)?;
        let act = Actor::person(&user, address).did("instance.claimed", &claimed.organization);
        audit::sql::add(tx, &act.within(organization), now)?;
        Ok((user, organization))
    });
    let (user, organization_id) = write.await?;
    claim::remove_file(&app.config);
    tracing::info!(user = user.id.0, "the instance was claimed");
    let cookie = session.cookie(&app);
    let sign_in = session.answer(user);
    Ok((StatusCode::CREATED, cookie, Answer(SetupAnswer { sign_in, organization_id })))
}
