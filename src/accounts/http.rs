//! The claim, password sign-in, sign-out, and who am I.

use super::{User, check_name, check_password, claim, normal_email, sql, token};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::callers::{Caller, SignedIn, cookie_name};
use crate::http::extract::Json;
use crate::ids::{OrganizationId, ProjectId, UserId};
use crate::projects::Scope;
use crate::time::{SECOND, Timestamp};
use axum::Json as Answer;
use axum::extract::{FromRequestParts, State};
use axum::http::{HeaderName, StatusCode, header, request::Parts};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

type SetCookie = [(HeaderName, String); 1];

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

#[derive(Deserialize, ToSchema)]
pub struct Login {
    pub email: String,
    pub password: String,
}

/// A new sign-in.
#[derive(Serialize, ToSchema)]
pub struct SignedInAnswer {
    /// The value of the session cookie, usable as a Bearer token.
    pub access_token: String,
    /// `bearer`.
    pub token_type: &'static str,
    /// Seconds.
    pub expires_in: i64,
    pub user: User,
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
        app.main.read(sql::require_unclaimed).await.map(|()| Self)
    }
}

/// Whether there is still a claim to be made.
#[derive(Serialize, ToSchema)]
pub struct SetupState {
    /// Somebody claimed the instance: sign in instead.
    pub claimed: bool,
}

/// Tells whether the instance is claimed.
#[utoipa::path(get, path = "/auth/setup", tag = "sign-in", security(()), responses((status = 200, body = SetupState)))]
pub async fn get_setup(State(app): State<Arc<App>>) -> Result<Answer<SetupState>> {
    Ok(Answer(SetupState { claimed: app.main.read(sql::is_claimed).await? }))
}

/// Claims the instance: makes the first account, its organization, and signs in.
#[utoipa::path(post, path = "/auth/setup", tag = "sign-in", security(()), request_body = Setup,
    responses((status = 201, body = SetupAnswer), (status = 403, description = "Wrong setup token"),
        (status = 404, description = "Claimed already")))]
pub async fn set_up(
    State(app): State<Arc<App>>,
    _: Unclaimed,
    Json(body): Json<Setup>,
) -> Result<(StatusCode, SetCookie, Answer<SetupAnswer>)> {
    let token_hash = token::keyed_hash(&app.secrets.jwt, body.setup_token.trim());
    app.main.read(move |c| sql::check_setup_token(c, &token_hash)).await?;
    let email = normal_email(&body.email)?;
    check_password(&body.password)?;
    let organization = check_name("organization_name", &body.organization_name)?;
    let local = email.split('@').next().unwrap_or_default();
    let name = check_name("name", body.name.as_deref().unwrap_or(local))?;
    let password_hash = app.passwords.hash(body.password).await?;
    let claimed = sql::Claim { token_hash, email, name, password_hash, organization };
    let session = NewSession::make(&app);
    let session_hash = session.hash;
    let write = app.main.write(move |tx| {
        let now = Timestamp::now();
        let (user, organization) = sql::claim(tx, &claimed, now)?;
        sql::add_sign_in(tx, user.id, &session_hash, now)?;
        Ok((user, organization))
    });
    let (user, organization_id) = write.await?;
    claim::remove_file(&app.config);
    tracing::info!(user = user.id.0, "the instance was claimed");
    let cookie = session.cookie(&app);
    let sign_in = session.answer(user);
    Ok((StatusCode::CREATED, cookie, Answer(SetupAnswer { sign_in, organization_id })))
}

/// Signs in with e-mail and password.
#[utoipa::path(post, path = "/auth/password/login", tag = "sign-in", security(()), request_body = Login,
    responses((status = 200, body = SignedInAnswer), (status = 401, description = "Unknown e-mail or wrong password"),
        (status = 403, description = "Right password of a disabled or removed account")))]
pub async fn log_in(
    State(app): State<Arc<App>>,
    Json(body): Json<Login>,
) -> Result<(SetCookie, Answer<SignedInAnswer>)> {
    // An address that cannot be is unknown like any other, in the same time.
    let email = normal_email(&body.email).unwrap_or_default();
    let mut found = app.main.read(move |c| sql::credentials(c, &email)).await?;
    let stored = found.as_mut().and_then(|credentials| credentials.password_hash.take());
    let right = app.passwords.verify(body.password, stored).await?;
    let wrong = || Error::Unauthenticated("The e-mail or the password is wrong".into());
    let credentials = found.filter(|_| right).ok_or_else(wrong)?;
    if credentials.disabled || !credentials.member {
        return Err(Error::forbidden("This account is not active any more. Ask an administrator."));
    }
    let session = NewSession::make(&app);
    let (user, hash) = (credentials.user.id, session.hash);
    app.main.write(move |tx| sql::add_sign_in(tx, user, &hash, Timestamp::now())).await?;
    Ok((session.cookie(&app), Answer(session.answer(credentials.user))))
}

/// Signs out: the session ends at the server, not only in the browser.
#[utoipa::path(post, path = "/auth/logout", tag = "sign-in", responses((status = 204)))]
pub async fn log_out(State(app): State<Arc<App>>, caller: SignedIn) -> Result<(StatusCode, SetCookie)> {
    app.main.write(move |tx| sql::end_sign_in(tx, &caller.token_hash)).await?;
    app.live.check_watchers();
    Ok((StatusCode::NO_CONTENT, cookie(&app, "", 0)))
}

/// Who the caller is: a person or a key.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind")]
pub enum Me {
    #[serde(rename = "user")]
    Person { id: UserId, email: String, name: String, created_at: Timestamp },
    #[serde(rename = "project_key")]
    Key { project_id: ProjectId, scopes: Vec<Scope> },
}

/// Shows who is asking.
#[utoipa::path(get, path = "/api/v1/me", tag = "sign-in", responses((status = 200, body = Me)))]
pub async fn me(caller: Caller) -> Answer<Me> {
    Answer(match caller {
        Caller::Person(SignedIn { user, .. }) => {
            Me::Person { id: user.id, email: user.email, name: user.name, created_at: user.created_at }
        }
        Caller::Key(key) => Me::Key { project_id: key.project, scopes: key.scopes.clone() },
    })
}

struct NewSession {
    token: String,
    hash: [u8; 32],
}

impl NewSession {
    fn make(app: &App) -> Self {
        let token = token::session();
        let hash = token::keyed_hash(&app.secrets.jwt, &token);
        Self { token, hash }
    }

    fn cookie(&self, app: &App) -> SetCookie {
        cookie(app, &self.token, super::SIGN_IN_LIFETIME / SECOND)
    }

    fn answer(self, user: User) -> SignedInAnswer {
        let expires_in = super::SIGN_IN_LIFETIME / SECOND;
        SignedInAnswer { access_token: self.token, token_type: "bearer", expires_in, user }
    }
}

fn cookie(app: &App, value: &str, max_age: i64) -> SetCookie {
    let https = app.addresses.api.is_https();
    let secure = if https { "; Secure" } else { "" };
    let name = cookie_name(https);
    [(
        header::SET_COOKIE,
        format!("{name}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}"),
    )]
}
