//! `POST /auth/invitation` and `POST /auth/password/register`.

use super::{REFUSED, sql};
use crate::access::PasswordsOn;
use crate::accounts::people::People;
use crate::accounts::sign_in::Method;
use crate::accounts::sign_in::http::{NewSession, SetCookie, SignedInAnswer};
use crate::accounts::throttle::Door;
use crate::accounts::{admission, check_name, check_password, name_from};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::organizations::{self, invitations};
use crate::roles::Role;
use crate::text::email::normal_email;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
pub struct Register {
    pub email: String,
    /// 12 to 256 characters. If an account with this e-mail exists: its password.
    pub password: String,
    /// The token from the invitation's link; `invitationToken` is accepted, too.
    #[serde(alias = "invitationToken", default)]
    #[schema(value_type = Option<String>)]
    pub invitation_token: Value,
    /// Default: the part of the e-mail address before the `@`.
    pub name: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct InvitationToken {
    #[serde(default)]
    #[schema(value_type = String)]
    pub token: Value,
}

/// What an invitation is for.
#[derive(Serialize, ToSchema)]
pub struct InvitationPreview {
    pub email: String,
    pub organization_name: String,
    pub role: Role,
    /// Who sent it.
    pub invited_by: Option<String>,
    /// An account with this e-mail exists, so its password is required.
    pub has_account: bool,
    pub expires_at: Timestamp,
}

/// Shows what an invitation is for.
#[utoipa::path(post, path = "/auth/invitation", tag = "sign-in", security(()), request_body = InvitationToken,
    responses((status = 200, body = InvitationPreview), (status = 403, description = "No valid invitation")))]
pub async fn show_invitation(
    State(people): State<Arc<People>>,
    client: Client,
    Json(body): Json<InvitationToken>,
) -> Result<Answer<InvitationPreview>> {
    let attempt = people.throttle.begin(Door::Register, client.address)?;
    let hash = hash(&people, &body.token);
    let found = people.main.look_up(move |c| {
        let Some(open) = invitations::sql::open_by_token(c, &hash, Timestamp::now())? else {
            return Ok(None);
        };
        let has_account = admission::sql::by_email(c, &open.email)?.is_some();
        let organization_name = organizations::sql::name(c, open.organization)?;
        Ok(Some(InvitationPreview {
            email: open.email,
            organization_name,
            role: open.role,
            invited_by: open.invited_by,
            has_account,
            expires_at: open.expires_at,
        }))
    });
    let preview = found.await?.ok_or_else(|| Error::forbidden(REFUSED))?;
    attempt.succeed();
    Ok(Answer(preview))
}

/// Registers with an invitation and signs in.
#[utoipa::path(post, path = "/auth/password/register", tag = "sign-in", security(()), request_body = Register,
    responses((status = 201, body = SignedInAnswer), (status = 403, description = "No valid invitation"),
        (status = 404, description = "Email sign-in is not enabled")))]
pub async fn register(
    State(people): State<Arc<People>>,
    _: PasswordsOn,
    client: Client,
    Json(body): Json<Register>,
) -> Result<(StatusCode, SetCookie, Answer<SignedInAnswer>)> {
    // Checked before the invitation is looked up, so these errors reveal nothing about it.
    let email = normal_email(&body.email)?;
    check_password(&body.password)?;
    let name = check_name("name", body.name.as_deref().unwrap_or(name_from(&email)))?;
    let attempt = people.throttle.begin(Door::Register, client.address)?;
    let token_hash = hash(&people, &body.invitation_token);
    let (looking, sought) = (people.clone(), email.clone());
    let read = move |c: &_| sql::look(c, &looking.config.sign_in, &token_hash, &sought, Timestamp::now());
    let found = people.main.look_up(read).await?;
    let verified = found.as_ref().and_then(|(_, account)| account.as_ref()?.password_hash.clone());
    let proven = prove(&people, body.password, found.map(|(_, account)| account)).await;
    let (password_hash, attempt) = attempt.judged(proven)?;
    let session = NewSession::make(&people, &client, Method::Invitation);
    let sign_in = session.stored.clone();
    let registration = sql::Registration {
        token_hash,
        email,
        name,
        password_hash,
        verified,
        address: client.address,
        sign_in,
    };
    let writing = people.clone();
    let write = people.main.write(move |tx| {
        sql::register(tx, &writing.config.sign_in, writing.single_org, &registration, Timestamp::now())
    });
    let user = write.await?;
    attempt.succeed();
    Ok((StatusCode::CREATED, session.cookie(&people), Answer(session.answer(user))))
}

/// Hashes one password in every case: for a new account the hash is stored, for an existing one it must
/// match, and otherwise it is discarded.
async fn prove(
    people: &People,
    password: String,
    found: Option<Option<admission::Account>>,
) -> Result<Option<String>> {
    let refused = || Error::forbidden(REFUSED);
    match found {
        Some(None) => people.passwords.hash(password).await.map(Some),
        Some(Some(account)) => {
            let right = people.passwords.verify(password, account.password_hash).await?;
            if right { Ok(None) } else { Err(refused()) }
        }
        None => {
            people.passwords.verify(password, None).await?;
            Err(refused())
        }
    }
}

/// A value that is not a string is no valid token.
fn hash(people: &People, token: &Value) -> [u8; 32] {
    token::keyed_hash(&people.secrets.jwt, token.as_str().unwrap_or_default().trim())
}
