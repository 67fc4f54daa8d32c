//! The session cookie, and `/api/v1/me/sessions`.

use super::{LIFETIME, Method, NewSignIn, Session, sql};
use crate::access::Browser;
use crate::accounts::User;
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::credential::cookie_name;
use crate::ids::SignInId;
use crate::time::{SECOND, Timestamp};
use ::cookie::time::Duration;
use ::cookie::{Cookie, SameSite};
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode, header};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

pub type SetCookie = [(HeaderName, String); 1];

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

/// A new session: its token is always newly generated, never taken from the request.
pub struct NewSession {
    token: String,
    pub stored: NewSignIn,
}

impl NewSession {
    pub fn make(people: &People, client: &Client, method: Method) -> Self {
        let token = token::session();
        let stored = NewSignIn {
            token_hash: token::keyed_hash(&people.secrets.jwt, &token),
            method,
            address: client.address.to_string(),
            user_agent: client.user_agent.clone(),
        };
        Self { token, stored }
    }

    pub fn cookie(&self, people: &People) -> SetCookie {
        session_cookie(people, &self.token, LIFETIME / SECOND)
    }

    pub fn answer(self, user: User) -> SignedInAnswer {
        SignedInAnswer { access_token: self.token, token_type: "bearer", expires_in: LIFETIME / SECOND, user }
    }
}

/// The header that clears the session cookie.
pub fn no_session(people: &People) -> SetCookie {
    session_cookie(people, "", 0)
}

fn session_cookie(people: &People, value: &str, max_age: i64) -> SetCookie {
    let https = people.addresses.api.is_https();
    [(header::SET_COOKIE, cookie(cookie_name(https), value, max_age, https))]
}

/// A cookie that scripts cannot read and other sites do not send; over https it is bound to the host.
pub fn cookie(name: &str, value: &str, max_age: i64, https: bool) -> String {
    let cookie = Cookie::build((name, value)).path("/").max_age(Duration::seconds(max_age)).http_only(true);
    cookie.same_site(SameSite::Lax).secure(https).to_string()
}

#[derive(Serialize, ToSchema)]
pub struct Sessions {
    pub sessions: Vec<Session>,
    pub total: usize,
}

/// Lists the caller's sessions, most recently used first.
#[utoipa::path(get, path = "/api/v1/me/sessions", tag = "account",
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 200, body = Sessions)))]
pub async fn list_sessions(State(people): State<Arc<People>>, caller: Browser) -> Result<Answer<Sessions>> {
    let (user, current) = (caller.user.id, caller.sign_in);
    let sessions = people.main.read(move |c| sql::list(c, user, current, Timestamp::now())).await?;
    Ok(Answer(Sessions { total: sessions.len(), sessions }))
}

/// Ends one of the caller's sessions.
#[utoipa::path(delete, path = "/api/v1/me/sessions/{session_id}", tag = "account",
    extensions(("x-access" = json!(Browser::needs()))),
    params(("session_id" = i64, Path)), responses((status = 204), (status = 404, description = "No such session")))]
pub async fn end_session(
    State(people): State<Arc<People>>,
    client: Client,
    caller: Browser,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let unknown = || Error::not_found("There is no such session");
    let id = SignInId(id.parse().map_err(|_| unknown())?);
    let actor = Actor::person(&caller.user, client.address);
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        if !sql::end(tx, caller.user.id, id)? {
            return Ok(false);
        }
        audit::sql::add(tx, &actor.did("session.ended", &actor.name), Timestamp::now())?;
        Ok(true)
    });
    let found = write.await?;
    people.live.check_watchers();
    if found { Ok(StatusCode::NO_CONTENT) } else { Err(unknown()) }
}

/// Ends all of the caller's sessions except the current one.
#[utoipa::path(delete, path = "/api/v1/me/sessions", tag = "account",
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 204)))]
pub async fn end_other_sessions(
    State(people): State<Arc<People>>,
    client: Client,
    caller: Browser,
) -> Result<StatusCode> {
    let actor = Actor::person(&caller.user, client.address);
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        let ended = sql::end_all(tx, caller.user.id, Some(caller.sign_in))?;
        let act = actor.did("session.ended", &actor.name).with(serde_json::json!({ "sessions": ended }));
        audit::sql::add(tx, &act, Timestamp::now())
    });
    write.await?;
    people.live.check_watchers();
    Ok(StatusCode::NO_CONTENT)
}
