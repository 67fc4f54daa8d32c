//! `/auth/desktop/methods`, and starting a sign-in at a provider.

pub mod finish;

use super::{Binding, Flow, LIFETIME, Purpose, is_local_path, sql};
use crate::access::Browser;
use crate::access::Callers;
use crate::accounts::check_name;
use crate::accounts::federation::FederationError;
use crate::accounts::me::ProviderKind;
use crate::accounts::people::People;
use crate::accounts::provision::Refusal;
use crate::accounts::sign_in::http::cookie as set_cookie;
use crate::accounts::standing::Standing;
use crate::accounts::throttle::Door;
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::OrganizationId;
use crate::organizations;
use crate::roles::Role;
use crate::time::{SECOND, Timestamp};
use axum::Json as Answer;
use axum::extract::FromRef;
use axum::extract::{FromRequestParts, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header, request::Parts};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// The name of the flow cookie over https, where its prefix binds it to the host, and over plain http.
const COOKIE_HTTPS: &str = "__Host-mayday_flow";
const COOKIE_HTTP: &str = "mayday_flow";

/// The configured sign-in methods.
#[derive(Serialize, ToSchema)]
pub struct Methods {
    pub password_login: bool,
    pub github: bool,
    pub sso: SsoMethod,
}

#[derive(Serialize, ToSchema)]
pub struct SsoMethod {
    pub enabled: bool,
    /// The label of the button.
    pub display_name: String,
}

/// Lists the sign-in methods of this instance.
#[utoipa::path(get, path = "/auth/desktop/methods", tag = "sign-in", security(()),
    responses((status = 200, body = Methods)))]
pub async fn list_methods(State(people): State<Arc<People>>) -> Answer<Methods> {
    let config = &people.config.sign_in;
    let display_name = config.sso.as_ref().map_or("Company SSO", |sso| &sso.display_name).to_owned();
    Answer(Methods {
        password_login: config.password_enabled,
        github: config.code_host.is_some(),
        sso: SsoMethod { enabled: config.sso.is_some(), display_name },
    })
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StartParams {
    /// The local path to go to afterwards. Default: `/`.
    pub redirect_to: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct StartFlow {
    /// The local path to go to afterwards. Default: `/`.
    pub redirect_to: Option<String>,
    /// Default: `sign_in`.
    pub purpose: Option<Purpose>,
    /// Required for a claim.
    pub setup_token: Option<String>,
    /// Required for a claim; 1 to 128 characters.
    pub organization_name: Option<String>,
}

/// Where to send the browser.
#[derive(Serialize, ToSchema)]
pub struct FlowStart {
    pub location: String,
}

/// Sends the browser to the single sign-on provider.
#[utoipa::path(get, path = "/auth/sso/start", tag = "sign-in", security(()), params(StartParams),
    responses((status = 302, description = "To the provider, or to /login?error=<code>")))]
pub async fn start_sso(
    State(people): State<Arc<People>>,
    client: Client,
    RawQuery(query): RawQuery,
) -> Response {
    go(&people, ProviderKind::Sso, &client, query.as_deref()).await
}

/// Sends the browser to the code host.
#[utoipa::path(get, path = "/auth/github/start", tag = "sign-in", security(()), params(StartParams),
    responses((status = 302, description = "To the code host, or to /login?error=<code>")))]
pub async fn start_github(
    State(people): State<Arc<People>>,
    client: Client,
    RawQuery(query): RawQuery,
) -> Response {
    go(&people, ProviderKind::GitHub, &client, query.as_deref()).await
}

async fn go(people: &People, provider: ProviderKind, client: &Client, query: Option<&str>) -> Response {
    // A foreign address is ignored; it is no reason to refuse the sign-in.
    let wanted = parameter(query, "redirect_to").filter(|path| is_local_path(path));
    let redirect_to = wanted.unwrap_or_else(|| "/".to_owned());
    let flow = Flow {
        provider,
        purpose: Purpose::SignIn,
        user: None,
        organization_name: None,
        setup_token_hash: None,
        redirect_to,
    };
    match begin(people, client, flow, None).await {
        Ok((cookie, location)) => redirect(&location, [cookie]),
        Err(refusal) => redirect(&page(people, &format!("/login?error={}", refusal.code())), []),
    }
}

/// Starts a sign-in, claim, link or test at the single sign-on provider.
#[utoipa::path(post, path = "/auth/sso/start", tag = "sign-in", security(()), request_body = StartFlow,
    responses((status = 200, body = FlowStart), (status = 401, description = "Linking and testing require a session"),
        (status = 403, description = "Wrong setup token, or not an administrator"),
        (status = 404, description = "Not configured, or claimed already"),
        (status = 409, description = "The provider cannot be reached")))]
pub async fn begin_sso(
    State(people): State<Arc<People>>,
    client: Client,
    person: MaybeBrowser,
    Json(body): Json<StartFlow>,
) -> Result<Response> {
    begin_with(&people, ProviderKind::Sso, &client, person, body).await
}

/// Starts a sign-in, claim, link or test at the code host.
#[utoipa::path(post, path = "/auth/github/start", tag = "sign-in", security(()), request_body = StartFlow,
    responses((status = 200, body = FlowStart), (status = 401, description = "Linking and testing require a session"),
        (status = 403, description = "Wrong setup token, or not an administrator"),
        (status = 404, description = "Not configured, or claimed already"),
        (status = 409, description = "The code host cannot be reached")))]
pub async fn begin_github(
    State(people): State<Arc<People>>,
    client: Client,
    person: MaybeBrowser,
    Json(body): Json<StartFlow>,
) -> Result<Response> {
    begin_with(&people, ProviderKind::GitHub, &client, person, body).await
}

/// The signed-in person, if there is a session.
pub struct MaybeBrowser(pub Result<Browser>);

impl<S> FromRequestParts<S> for MaybeBrowser
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        Ok(Self(Browser::from_request_parts(parts, state).await))
    }
}

async fn begin_with(
    people: &People,
    provider: ProviderKind,
    client: &Client,
    MaybeBrowser(person): MaybeBrowser,
    body: StartFlow,
) -> Result<Response> {
    if !people.providers.has(provider) {
        return Err(Error::not_found("This sign-in method is not configured."));
    }
    let redirect_to = body.redirect_to.unwrap_or_else(|| "/".to_owned());
    if !is_local_path(&redirect_to) {
        return Err(Error::invalid("redirect_to: expected a path on this site, such as /projects/1/issues"));
    }
    let purpose = body.purpose.unwrap_or(Purpose::SignIn);
    let mut flow =
        Flow { provider, purpose, user: None, organization_name: None, setup_token_hash: None, redirect_to };
    let mut standing = None;
    match purpose {
        Purpose::SignIn => {}
        Purpose::Claim => {
            prepare_claim(people, client, &mut flow, body.setup_token, body.organization_name).await?
        }
        Purpose::Link => {
            let person = person?;
            standing = Some(person.standing);
            flow.user = Some((person.user.id, person.sign_in));
        }
        Purpose::Test => {
            let person = person?;
            let organization = administered(people, &person).await?;
            standing = Some(person.standing);
            flow.user = Some((person.user.id, person.sign_in));
            flow.redirect_to = format!("/organizations/{organization}/settings/sign-in");
        }
    }
    let (cookie, location) = begin(people, client, flow, standing).await.map_err(cannot_begin)?;
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((cookie, Answer(FlowStart { location })).into_response())
}

/// The pages recognize the error by the code in parentheses.
fn cannot_begin(refusal: Refusal) -> Error {
    let code = refusal.code();
    Error::conflict(match refusal {
        Refusal::NotSignedIn => return Error::signed_out(),
        Refusal::Internal => return Error::storage(code),
        Refusal::RateLimited => {
            format!(
                "Too many sign-ins were started from this address ({code}). Try again in a quarter of an hour."
            )
        }
        Refusal::Unreachable => {
            format!(
                "The sign-in provider does not answer ({code}). Try again in a minute, or sign in another way."
            )
        }
        _ => format!(
            "Sign-in at this provider is not set up correctly ({code}). Ask an administrator: the server's log has the reason."
        ),
    })
}

async fn prepare_claim(
    people: &People,
    client: &Client,
    flow: &mut Flow,
    setup_token: Option<String>,
    name: Option<String>,
) -> Result<()> {
    if !people.single_org {
        return Err(Error::not_found("This instance has many organizations and is not claimed."));
    }
    people.main.look_up(crate::accounts::sql::require_unclaimed).await?;
    let attempt = people.throttle.begin(Door::Setup, client.address)?;
    let token = setup_token.ok_or_else(|| Error::invalid("setup_token: expected for a claim"))?;
    let hash = token::keyed_hash(&people.secrets.jwt, token.trim());
    people.main.look_up(move |c| crate::accounts::sql::check_setup_token(c, &hash)).await?;
    attempt.succeed();
    let name = name.ok_or_else(|| Error::invalid("organization_name: expected for a claim"))?;
    flow.organization_name = Some(check_name("organization_name", &name)?);
    flow.setup_token_hash = Some(hash);
    Ok(())
}

/// The organization whose settings page shows the test; the person must be allowed to see it.
async fn administered(people: &People, person: &Browser) -> Result<OrganizationId> {
    let user = person.user.id;
    let organizations = people.main.look_up(move |c| organizations::sql::list(c, user)).await?;
    let found = organizations.into_iter().find(|organization| organization.role >= Role::Admin);
    let found = found.filter(|_| people.single_org).map(|organization| organization.id);
    found.ok_or_else(|| Error::forbidden("This needs the role admin. Ask an administrator."))
}

/// Stores a flow and returns the address to send the browser to, and the cookie to set.
async fn begin(
    people: &People,
    client: &Client,
    flow: Flow,
    standing: Option<Standing>,
) -> Result<(String, String), Refusal> {
    let provider = flow.provider;
    if !people.providers.has(provider) {
        return Err(Refusal::NotConfigured);
    }
    people.throttle.start(client.address).map_err(|_| Refusal::RateLimited)?;
    let binding = Binding::new(&people.secrets.jwt);
    let state = token::link();
    let location = people.providers.authorize(provider, &state, &binding).await.map_err(|error| {
        tracing::warn!(provider = provider.as_str(), %error, "a sign-in could not be started");
        refusal(&error)
    })?;
    let state_hash = token::keyed_hash(&people.secrets.jwt, &state);
    let browser_hash = token::keyed_hash(&people.secrets.jwt, &binding.cookie);
    let write = people.main.write(move |tx| {
        // A person who links or tests may have been signed out since the request arrived.
        standing.map_or(Ok(()), |standing| standing.check(tx))?;
        sql::add(tx, &flow, &state_hash, &browser_hash, Timestamp::now())
    });
    write.await.map_err(|error| internal(&error))?;
    Ok((flow_cookie(people, &binding.cookie, LIFETIME / SECOND), location))
}

pub(super) fn refusal(error: &FederationError) -> Refusal {
    match error {
        FederationError::Unreachable(_) => Refusal::Unreachable,
        FederationError::ProviderRefused { .. } => Refusal::ProviderRefused,
        FederationError::InvalidAnswer(_) => Refusal::InvalidAnswer,
    }
}

pub(super) fn internal(error: &Error) -> Refusal {
    match error {
        Error::TooMany { .. } => Refusal::RateLimited,
        Error::Unauthenticated(_) => Refusal::NotSignedIn,
        error => {
            tracing::error!(?error, "a sign-in at a provider failed");
            Refusal::Internal
        }
    }
}

pub(super) fn flow_cookie_name(people: &People) -> &'static str {
    if people.addresses.api.is_https() { COOKIE_HTTPS } else { COOKIE_HTTP }
}

pub(super) fn flow_cookie(people: &People, value: &str, max_age: i64) -> String {
    set_cookie(flow_cookie_name(people), value, max_age, people.addresses.api.is_https())
}

/// The value of a query parameter; `None` if it is given twice.
pub fn parameter(query: Option<&str>, name: &str) -> Option<String> {
    let pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let mut values = pairs.filter(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let first = values.next()?;
    values.next().is_none().then_some(first)
}

/// The address of a page of the Web app, which may be on another origin than the API.
pub fn page(people: &People, path: &str) -> String {
    let (frontend, api) = (&people.addresses.frontend, &people.addresses.api);
    if frontend == api { path.to_owned() } else { format!("{frontend}{path}") }
}

/// A redirect that is not cached.
pub fn redirect(location: &str, cookies: impl IntoIterator<Item = String>) -> Response {
    let mut response = StatusCode::FOUND.into_response();
    let headers = response.headers_mut();
    let location = HeaderValue::from_str(location).unwrap_or(HeaderValue::from_static("/"));
    headers.insert(header::LOCATION, location);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    for cookie in cookies {
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            headers.append(header::SET_COOKIE, value);
        }
    }
    response
}
