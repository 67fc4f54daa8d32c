//! Sign-in through a code host: GitHub, GitHub Enterprise or Gitea. It is plain OAuth 2.0, so the person's
//! identity comes from the host's API, which all three provide in GitHub's format.

mod check;

pub use check::CHECK_STEPS;

use super::answer::{self, Document};
use super::token::{self, ClientProof, TokenEndpoint};
use super::{FederationError, Grant, Profile, Recorder, Result, display_name};
use crate::config::CodeHost;
use crate::outbound::{Client, Policy, Request};
use hyper::header::AUTHORIZATION;
use serde_json::Value;
use url::Url;

/// The steps of [`CodeHostProvider::exchange_recorded`].
pub const SIGN_IN_STEPS: &[&str] = &[CODE, TOKENS, USER, EMAIL];
const CODE: &str = "Authorization code";
const TOKENS: &str = "Token answer";
const USER: &str = "User";
const EMAIL: &str = "E-mail and its proof";

/// The operator configures these addresses, and a code host may well be on an intranet.
const POLICY: Policy = Policy::Configured;
const SCOPE: &str = "read:user user:email";

/// The one configured code host.
pub struct CodeHostProvider {
    settings: CodeHost,
    client: Client,
}

impl CodeHostProvider {
    pub fn new(settings: CodeHost, client: Client) -> Self {
        Self { settings, client }
    }

    /// The address to send the browser to. `state` is provided by the caller, `pkce_challenge` comes from
    /// [`super::pkce_challenge`]; a host that does not support it ignores it.
    ///
    /// # Errors
    /// If the configured address is invalid, or uses http and is not on this machine.
    pub fn authorize(&self, redirect_uri: &str, state: &str, pkce_challenge: &str) -> Result<Url> {
        let read = crate::outbound::read(&self.settings.authorize_url, POLICY);
        let mut url = read.map_err(|error| answer::about("Authorize address", error.into()))?;
        url.set_fragment(None);
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("scope", SCOPE)
            .append_pair("state", state)
            .append_pair("code_challenge", pkce_challenge)
            .append_pair("code_challenge_method", "S256");
        Ok(url)
    }

    /// Exchanges a code for the person's profile. The caller has already compared the state.
    ///
    /// # Errors
    /// See [`FederationError`]. A missing or unproven e-mail is not an error; the profile says so.
    pub async fn exchange(&self, grant: Grant<'_>) -> Result<Profile> {
        self.exchange_recorded(grant, &mut Recorder::new(SIGN_IN_STEPS)).await
    }

    /// Like [`Self::exchange`], but records each step. The recorder was created with [`SIGN_IN_STEPS`].
    ///
    /// # Errors
    /// The same.
    pub async fn exchange_recorded(&self, grant: Grant<'_>, recorder: &mut Recorder) -> Result<Profile> {
        let redeemed = token::redeem(&self.client, &self.token_endpoint(), grant).await;
        let tokens = recorder.note(CODE, redeemed, |_| "The token endpoint accepted it.".to_owned())?;
        let token = tokens
            .access_token
            .ok_or_else(|| FederationError::invalid("Token endpoint: the answer has no access_token"));
        let token = recorder.note(TOKENS, token, |_| "It has an access token.".to_owned())?;
        let user = self.user(&token).await;
        let (subject, user) = recorder.note(USER, user, |(id, _)| format!("Its number is {id}."))?;
        let mut emails = match self.emails(&token).await {
            Ok(emails) => emails.into_iter(),
            Err(error) => return recorder.note(EMAIL, Err(error), |_: &Profile| String::new()),
        };
        let email = emails.next();
        recorder.set(EMAIL, email.is_some(), email_words(email.as_deref()));
        let name = ["name", "full_name", "login"];
        Ok(Profile {
            issuer: self.api().to_owned(),
            subject,
            email_verified: email.is_some(),
            email,
            other_emails: emails.collect(),
            name: name.iter().find_map(|name| display_name(answer::text(&user, name))),
        })
    }

    /// An account's number, and everything the host says about the account.
    async fn user(&self, token: &str) -> Result<(String, Document)> {
        const WHAT: &str = "User";
        let url = format!("{}/user", self.api());
        let user = answer::get_object(&self.client, POLICY, &url, Some(token), WHAT).await?;
        // A login name can be given to somebody else later; the number never is.
        match user.get("id").and_then(Value::as_u64) {
            Some(id) if id > 0 => Ok((id.to_string(), user)),
            _ => Err(FederationError::invalid(format!("{WHAT}: it has no numeric id"))),
        }
    }

    /// The verified e-mails, the primary one first. Empty as well if the person did not grant access to them,
    /// which hosts report with 403 or 404.
    async fn emails(&self, token: &str) -> Result<Vec<String>> {
        const WHAT: &str = "E-mails";
        let request = Request::get(format!("{}/user/emails?per_page=100", self.api()))
            .secret_header(AUTHORIZATION, &format!("Bearer {token}"))?;
        let response = self.client.fetch(request, POLICY).await;
        let response = response.map_err(|error| answer::about(WHAT, error.into()))?;
        match response.status.as_u16() {
            200 => {}
            403 | 404 => return Ok(Vec::new()),
            _ => return Err(answer::unexpected(WHAT, &response)),
        }
        match answer::parse(WHAT, &response)? {
            Value::Array(emails) => Ok(verified(&emails)),
            _ => Err(FederationError::invalid(format!("{WHAT}: expected a JSON array"))),
        }
    }

    fn token_endpoint(&self) -> TokenEndpoint<'_> {
        TokenEndpoint {
            url: &self.settings.token_url,
            policy: POLICY,
            client_id: &self.settings.client_id,
            client_secret: &self.settings.client_secret,
            proof: ClientProof::Post,
        }
    }

    /// Without a trailing slash, so that adding one does not change identities.
    fn api(&self) -> &str {
        self.settings.api_url.trim_end_matches('/')
    }
}

fn email_words(email: Option<&str>) -> String {
    match email {
        Some(email) => format!("{}, verified by the host.", crate::text::shown(email, 254)),
        None => "The account has no verified e-mail, or does not let it be read.".to_owned(),
    }
}

fn verified(emails: &[Value]) -> Vec<String> {
    let is = |email: &Document, what: &str| email.get(what) == Some(&Value::Bool(true));
    let mut verified: Vec<&Document> =
        emails.iter().filter_map(Value::as_object).filter(|email| is(email, "verified")).collect();
    verified.sort_by_key(|email| !is(email, "primary"));
    verified.into_iter().filter_map(|email| answer::text(email, "email")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
