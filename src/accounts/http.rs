//! The claim of the instance.

use super::sign_in::Method;
use super::sign_in::http::{NewSession, SetCookie, SignedInAnswer};
use super::throttle::Door;
use crate::access::PasswordsOn;
use crate::accounts::people::People;
use crate::accounts::service::claim;
use crate::accounts::{check_name, check_password, name_from, sign_in, sql};
use crate::audit::{self, Actor};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::OrganizationId;
use crate::text::email::normal_email;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::FromRef;
use axum::extract::{FromRequestParts, State};
use axum::http::{StatusCode, request::Parts};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
pub struct Setup {
    /// Eight groups of four hex digits, printed by the server while the instance is unclaimed.
    pub setup_token: String,
    pub email: String,
    /// 12 to 256 characters.
    pub password: String,
    /// 1 to 128 characters.
    pub organization_name: String,
    /// Default: the part of the e-mail address before the `@`.
    pub name: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SetupAnswer {
    #[serde(flatten)]
    pub sign_in: SignedInAnswer,
    pub organization_id: OrganizationId,
}

/// Admits a request while the instance is unclaimed. After the claim the route does not exist, so the body is
/// not read.
pub struct Unclaimed;

impl<S> FromRequestParts<S> for Unclaimed
where
    Arc<People>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, state: &S) -> Result<Self> {
        let people = Arc::<People>::from_ref(state);
        if !people.single_org {
            return Err(Error::not_found("This instance has many organizations and is not claimed."));
        }
        people.main.look_up(sql::require_unclaimed).await.map(|()| Self)
    }
}

/// Whether the instance can still be claimed.
#[derive(Serialize, ToSchema)]
pub struct SetupState {
    /// The instance has been claimed: sign in instead.
    pub claimed: bool,
    /// False if the instance is never claimed because it has many organizations.
    pub available: bool,
}

/// Tells whether the instance is claimed.
#[utoipa::path(get, path = "/auth/setup", tag = "sign-in", security(()), responses((status = 200, body = SetupState)))]
pub async fn get_setup(State(people): State<Arc<People>>) -> Result<Answer<SetupState>> {
    let claimed = people.main.look_up(sql::is_claimed).await?;
    Ok(Answer(SetupState { claimed, available: people.single_org }))
}

/// Claims the instance: creates the first account and its organization, and signs in.
#[utoipa::path(post, path = "/auth/setup", tag = "sign-in", security(()), request_body = Setup,
    responses((status = 201, body = SetupAnswer), (status = 403, description = "Wrong setup token"),
        (status = 404, description = "Claimed already")))]
pub async fn set_up(
    State(people): State<Arc<People>>,
    _: Unclaimed,
    _: PasswordsOn,
    client: Client,
    Json(body): Json<Setup>,
) -> Result<(StatusCode, SetCookie, Answer<SetupAnswer>)> {
    let attempt = people.throttle.begin(Door::Setup, client.address)?;
    let token_hash = token::keyed_hash(&people.secrets.jwt, body.setup_token.trim());
    people.main.look_up(move |c| sql::check_setup_token(c, &token_hash)).await?;
    attempt.succeed();
    let email = normal_email(&body.email)?;
    check_password(&body.password)?;
    let organization = check_name("organization_name", &body.organization_name)?;
    let name = check_name("name", body.name.as_deref().unwrap_or(name_from(&email)))?;
    let password_hash = Some(people.passwords.hash(body.password).await?);
    let claimed = sql::Claim { token_hash, email, name, password_hash, organization };
    let session = NewSession::make(&people, &client, Method::Setup);
    let (new, address) = (session.stored.clone(), client.address);
    let write = people.main.write(move |tx| {
        let now = Timestamp::now();
        let (user, organization) = sql::claim(tx, &claimed, now)?;
        sign_in::sql::add(tx, user.id, &new, now)?;
        let act = Actor::person(&user, address).did("instance.claimed", &claimed.organization);
        audit::sql::add(tx, &act.within(organization), now)?;
        Ok((user, organization))
    });
    let (user, organization_id) = write.await?;
    claim::remove_file(&people.config);
    tracing::info!(user = user.id.0, "the instance was claimed");
    let cookie = session.cookie(&people);
    let sign_in = session.answer(user);
    Ok((StatusCode::CREATED, cookie, Answer(SetupAnswer { sign_in, organization_id })))
}
