//! `/auth/password/…`, `/auth/email/confirm` and `/auth/logout`.

use super::{service, sql};
use crate::access::Browser;
use crate::access::PasswordsOn;
use crate::accounts::links;
use crate::accounts::people::People;
use crate::accounts::sign_in::Method;
use crate::accounts::sign_in::http::{NewSession, SetCookie, SignedInAnswer, no_session};
use crate::accounts::throttle::{Attempt, Door};
use crate::accounts::{admission, check_password, tokens};
use crate::audit::{self, Actor};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::store::Transaction;
use crate::text::email::normal_email;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
pub struct Login {
    pub email: String,
    pub password: String,
}

/// Signs in with e-mail and password.
#[utoipa::path(post, path = "/auth/password/login", tag = "sign-in", security(()), request_body = Login,
    responses((status = 200, body = SignedInAnswer), (status = 401, description = "Unknown e-mail or wrong password"),
        (status = 403, description = "Right password of a disabled or removed account"),
        (status = 429, description = "Too many failures")))]
pub async fn log_in(
    State(people): State<Arc<People>>,
    _: PasswordsOn,
    client: Client,
    Json(body): Json<Login>,
) -> Result<(SetCookie, Answer<SignedInAnswer>)> {
    // A malformed address counts as an unknown account, and takes the same time.
    let email = normal_email(&body.email).unwrap_or_default();
    let attempt = begin(&people, &email, &client).await?;
    let sought = email.clone();
    let found = people.main.look_up(move |c| admission::sql::by_email(c, &sought)).await?;
    let stored = found.as_ref().and_then(|account| account.password_hash.clone());
    let (right, attempt) = attempt.judged(people.passwords.verify(body.password, stored).await)?;
    let (true, Some(account)) = (right, found) else {
        note(&people, &email, &client, "sign_in.failed", Some("wrong_credentials")).await;
        return Err(sql::wrong());
    };
    // The password was right, so this attempt is not a guess, whatever follows.
    attempt.succeed();
    let session = NewSession::make(&people, &client, Method::Password);
    let (writing, new) = (people.clone(), session.stored.clone());
    let (actor, disabled) = (Actor::person(&account.user, client.address), account.disabled);
    let write = people.main.write(move |tx| {
        let config = &writing.config.sign_in;
        sql::enter(tx, config, writing.single_org, &account, &new, &actor, Timestamp::now())
    });
    match write.await {
        Ok(user) => {
            // It may have replaced an older session.
            people.live.check_watchers();
            Ok((session.cookie(&people), Answer(session.answer(user))))
        }
        Err(error) => {
            if matches!(error, Error::Forbidden(_)) {
                let reason = if disabled { "account_disabled" } else { "account_removed" };
                note(&people, &email, &client, "sign_in.failed", Some(reason)).await;
            }
            Err(error)
        }
    }
}

/// Starts an attempt, or records that there were too many.
async fn begin<'a>(people: &'a People, email: &str, client: &Client) -> Result<Attempt<'a>> {
    let begun = people.throttle.begin_login(email, client.address);
    if begun.is_err() && people.throttle.is_news(client.address) {
        note(people, email, client, "sign_in.throttled", None).await;
    }
    if begun.is_err() && people.throttle.is_warning(email, client.address) {
        service::warn_of_guesses(people, email.to_owned(), client.address).await;
    }
    begun
}

/// Records a failed sign-in in the audit log; if that fails, it is only in the server's log.
async fn note(people: &People, email: &str, client: &Client, action: &'static str, reason: Option<&str>) {
    let detail = json!({ "method": "password", "reason": reason });
    let act = Actor::unknown(email, client.address).did(action, email).with(detail);
    if let Err(error) = people.main.write(move |tx| audit::sql::add(tx, &act, Timestamp::now())).await {
        tracing::warn!(%error, "a failed sign-in was not written to the audit log");
    }
}

/// Signs out: ends the session on the server, not only in the browser.
#[utoipa::path(post, path = "/auth/logout", tag = "sign-in",
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 204)))]
pub async fn log_out(
    State(people): State<Arc<People>>,
    client: Client,
    caller: Browser,
) -> Result<(StatusCode, SetCookie)> {
    let actor = Actor::person(&caller.user, client.address);
    let write = move |tx: &Transaction<'_>| {
        sql::log_out(tx, caller.user.id, caller.sign_in, &actor, Timestamp::now())
    };
    people.main.write(write).await?;
    people.live.check_watchers();
    Ok((StatusCode::NO_CONTENT, no_session(&people)))
}

#[derive(Deserialize, ToSchema)]
pub struct ChangePassword {
    pub current_password: String,
    /// 12 to 256 characters.
    pub new_password: String,
    /// Whether to revoke the caller's personal access tokens as well.
    #[serde(default)]
    pub end_tokens: bool,
}

/// Replaces the caller's password. All other sessions end; the caller's continues with a new token.
#[utoipa::path(post, path = "/auth/password/change", tag = "account", request_body = ChangePassword,
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 200, body = SignedInAnswer), (status = 403, description = "Wrong current password"),
        (status = 409, description = "The account has no password yet")))]
pub async fn change_password(
    State(people): State<Arc<People>>,
    _: PasswordsOn,
    caller: Browser,
    client: Client,
    Json(body): Json<ChangePassword>,
) -> Result<(SetCookie, Answer<SignedInAnswer>)> {
    check_password(&body.new_password)?;
    let account = verified(&people, &caller, &client, body.current_password).await?;
    let password_hash = people.passwords.hash(body.new_password).await?;
    let session = NewSession::make(&people, &client, Method::Password);
    let (new, actor) = (session.stored.clone(), Actor::person(&caller.user, client.address));
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        let now = Timestamp::now();
        sql::change(tx, &account, &password_hash, &new, &actor, now)?;
        if body.end_tokens {
            tokens::sql::revoke_all(tx, account.id(), now)?;
        }
        Ok(())
    });
    write.await?;
    people.live.check_watchers();
    people.subscribers.notify();
    Ok((session.cookie(&people), Answer(session.answer(caller.user))))
}

/// The caller's account, after verifying its password; a wrong one counts as a failed sign-in.
async fn verified(
    people: &People,
    caller: &Browser,
    client: &Client,
    password: String,
) -> Result<admission::Account> {
    let user = caller.user.id;
    let account = people.main.look_up(move |c| admission::sql::by_id(c, user)).await?;
    let account = account.ok_or_else(Error::signed_out)?;
    if account.password_hash.is_none() {
        return Err(Error::conflict(
            "This account has no password. Request a link at /forgot-password to set one.",
        ));
    }
    let attempt = people.throttle.begin_login(&caller.user.email, client.address)?;
    let right = people.passwords.verify(password, account.password_hash.clone()).await;
    let (right, attempt) = attempt.judged(right)?;
    if !right {
        return Err(Error::forbidden("The current password is wrong"));
    }
    attempt.succeed();
    Ok(account)
}

#[derive(Deserialize, ToSchema)]
pub struct ForgotPassword {
    pub email: String,
}

/// How a link to set a new password reaches people.
#[derive(Serialize, ToSchema)]
pub struct ForgotAnswer {
    /// False: mail is not configured, and an administrator has to create the link.
    pub mailed: bool,
}

/// Sends a link to set a new password if the account exists; the answer is the same if it does not.
#[utoipa::path(post, path = "/auth/password/forgot", tag = "sign-in", security(()), request_body = ForgotPassword,
    responses((status = 202, body = ForgotAnswer), (status = 429, description = "Too many requests")))]
pub async fn forgot_password(
    State(people): State<Arc<People>>,
    _: PasswordsOn,
    client: Client,
    Json(body): Json<ForgotPassword>,
) -> Result<(StatusCode, Answer<ForgotAnswer>)> {
    let email = normal_email(&body.email)?;
    // Every request counts, whether or not the account exists.
    drop(people.throttle.begin(Door::Forgot, client.address)?);
    let mailed = people.config.mail.is_some();
    if mailed {
        // Spawned, so that the answer takes the same time for every address.
        tokio::spawn(service::send_reset(people.clone(), email, client.address));
    }
    Ok((StatusCode::ACCEPTED, Answer(ForgotAnswer { mailed })))
}

#[derive(Deserialize, ToSchema)]
pub struct ResetPassword {
    /// The token from the link.
    pub token: String,
    /// 12 to 256 characters.
    pub password: String,
}

/// Sets a new password for the account of a link. All its sessions end.
#[utoipa::path(post, path = "/auth/password/reset", tag = "sign-in", security(()), request_body = ResetPassword,
    responses((status = 204), (status = 403, description = "The link is no longer valid")))]
pub async fn reset_password(
    State(people): State<Arc<People>>,
    _: PasswordsOn,
    client: Client,
    Json(body): Json<ResetPassword>,
) -> Result<StatusCode> {
    check_password(&body.password)?;
    let attempt = people.throttle.begin(Door::Link, client.address)?;
    let hash = token::keyed_hash(&people.secrets.jwt, body.token.trim());
    let purpose = links::Purpose::PasswordReset;
    let known = people.main.look_up(move |c| links::sql::find(c, purpose, &hash, Timestamp::now())).await?;
    known.ok_or_else(|| Error::forbidden(links::INVALID))?;
    let (password_hash, attempt) = attempt.judged(people.passwords.hash(body.password).await)?;
    let address = client.address;
    let write = move |tx: &Transaction<'_>| sql::reset(tx, &hash, &password_hash, address, Timestamp::now());
    people.main.write(write).await?;
    attempt.succeed();
    people.live.check_watchers();
    people.subscribers.notify();
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
pub struct ChangeEmail {
    /// The new address: a link is sent to it.
    pub email: String,
    pub password: String,
}

/// Sends a confirmation link to a new e-mail address; following it changes the account's address.
#[utoipa::path(post, path = "/api/v1/me/email", tag = "account", request_body = ChangeEmail,
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 202), (status = 403, description = "Wrong password"),
        (status = 409, description = "Mail is not configured, or the account has no password")))]
pub async fn change_email(
    State(people): State<Arc<People>>,
    caller: Browser,
    client: Client,
    Json(body): Json<ChangeEmail>,
) -> Result<StatusCode> {
    let email = normal_email(&body.email)?;
    if people.config.mail.is_none() {
        return Err(Error::conflict(
            "Mail is not configured here, so a new address cannot be confirmed. Ask an administrator.",
        ));
    }
    if email == caller.user.email {
        return Err(Error::invalid("email: this is already the account's address"));
    }
    verified(&people, &caller, &client, body.password).await?;
    drop(people.throttle.begin(Door::Forgot, client.address)?);
    tokio::spawn(service::send_email_change(people.clone(), caller.user, email, client.address));
    Ok(StatusCode::ACCEPTED)
}

#[derive(Deserialize, ToSchema)]
pub struct ConfirmEmail {
    /// The token from the link.
    pub token: String,
}

/// Changes the account's e-mail to the address that the link was sent to.
#[utoipa::path(post, path = "/auth/email/confirm", tag = "sign-in", security(()), request_body = ConfirmEmail,
    responses((status = 204), (status = 403, description = "The link is no longer valid")))]
pub async fn confirm_email(
    State(people): State<Arc<People>>,
    client: Client,
    Json(body): Json<ConfirmEmail>,
) -> Result<StatusCode> {
    let attempt = people.throttle.begin(Door::Link, client.address)?;
    let hash = token::keyed_hash(&people.secrets.jwt, body.token.trim());
    let address = client.address;
    let write = move |tx: &Transaction<'_>| sql::confirm_email(tx, &hash, address, Timestamp::now());
    people.main.write(write).await?;
    attempt.succeed();
    people.subscribers.notify();
    Ok(StatusCode::NO_CONTENT)
}
