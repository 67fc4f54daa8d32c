//! `/auth/desktop/methods`, and the start and end of a sign-in at a provider.

use super::methods::Providers;
use super::{Binding, Flow, LIFETIME, Purpose, is_local_path, sql};
use crate::accounts::federation::{FederationError, Recorder};
use crate::accounts::me::ProviderKind;
use crate::accounts::provision::{self, Refusal, Somebody};
use crate::accounts::sign_in::Method;
use crate::accounts::sign_in::http::{NewSession, cookie as set_cookie};
use crate::accounts::throttle::Door;
use crate::accounts::{Role, check_name, claim, token};
use crate::app::App;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::callers::{Browser, cookie};
use crate::http::client::Client;
use crate::http::extract::{Json, Query};
use crate::organizations;
use crate::time::{SECOND, Timestamp};
use axum::Json as Answer;
use axum::extract::{FromRequestParts, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// The flow cookie's name over https, bound to the host by its prefix, and over plain http.
const COOKIE_HTTPS: &str = "__Host-mayday_flow";
const COOKIE_HTTP: &str = "mayday_flow";
/// Characters of a state, a code and the like that are looked at.
const PARAMETER_MAX: usize = 4_096;

/// The ways to sign in here.
#[derive(Serialize, ToSchema)]
pub struct Methods {
    pub password_login: bool,
    pub github: bool,
    pub sso: SsoMethod,
}

#[derive(Serialize, ToSchema)]
pub struct SsoMethod {
    pub enabled: bool,
    /// On the button.
    pub display_name: String,
}

/// Tells how one can sign in here.
#[utoipa::path(get, path = "/auth/desktop/methods", tag = "sign-in", security(()),
    responses((status = 200, body = Methods)))]
pub async fn list_methods(State(app): State<Arc<App>>) -> Answer<Methods> {
    let config = &app.config.sign_in;
    let display_name = config.sso.as_ref().map_or("Company SSO", |sso| &sso.display_name).to_owned();
    Answer(Methods {
        password_login: config.password_enabled,
        github: config.code_host.is_some(),
        sso: SsoMethod { enabled: config.sso.is_some(), display_name },
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StartParams {
    /// A local path to go to afterwards. Default: `/`.
    pub redirect_to: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct StartFlow {
    /// A local path to go to afterwards. Default: `/`.
    pub redirect_to: Option<String>,
    /// Default: `sign_in`.
    pub purpose: Option<Purpose>,
    /// Of a claim.
    pub setup_token: Option<String>,
    /// Of a claim, 1 to 128 characters.
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
pub async fn start_sso(State(app): State<Arc<App>>, Query(params): Query<StartParams>) -> Response {
    go(&app, ProviderKind::Sso, params).await
}

/// Sends the browser to the code host.
#[utoipa::path(get, path = "/auth/github/start", tag = "sign-in", security(()), params(StartParams),
    responses((status = 302, description = "To the code host, or to /login?error=<code>")))]
pub async fn start_github(State(app): State<Arc<App>>, Query(params): Query<StartParams>) -> Response {
    go(&app, ProviderKind::GitHub, params).await
}

async fn go(app: &App, provider: ProviderKind, params: StartParams) -> Response {
    // An address of somebody else's is not gone to, and no reason to keep a person out.
    let redirect_to = params.redirect_to.filter(|path| is_local_path(path)).unwrap_or_else(|| "/".to_owned());
    let flow = Flow {
        provider,
        purpose: Purpose::SignIn,
        user: None,
        organization_name: None,
        setup_token_hash: None,
        redirect_to,
    };
    match begin(app, flow).await {
        Ok((cookie, location)) => redirect(&location, [cookie]),
        Err(refusal) => redirect(&format!("/login?error={}", refusal.code()), []),
    }
}

/// Begins a sign-in, claim, link or test at the single sign-on provider.
#[utoipa::path(post, path = "/auth/sso/start", tag = "sign-in", security(()), request_body = StartFlow,
    responses((status = 200, body = FlowStart), (status = 401, description = "To link or test one is signed in"),
        (status = 403, description = "Wrong setup token, or no administrator"),
        (status = 404, description = "Not configured, or claimed already"),
        (status = 409, description = "The provider cannot be asked")))]
pub async fn begin_sso(
    State(app): State<Arc<App>>,
    client: Client,
    person: MaybeBrowser,
    Json(body): Json<StartFlow>,
) -> Result<Response> {
    begin_with(&app, ProviderKind::Sso, &client, person, body).await
}

/// Begins a sign-in, claim, link or test at the code host.
#[utoipa::path(post, path = "/auth/github/start", tag = "sign-in", security(()), request_body = StartFlow,
    responses((status = 200, body = FlowStart), (status = 401, description = "To link or test one is signed in"),
        (status = 403, description = "Wrong setup token, or no administrator"),
        (status = 404, description = "Not configured, or claimed already"),
        (status = 409, description = "The code host cannot be asked")))]
pub async fn begin_github(
    State(app): State<Arc<App>>,
    client: Client,
    person: MaybeBrowser,
    Json(body): Json<StartFlow>,
) -> Result<Response> {
    begin_with(&app, ProviderKind::GitHub, &client, person, body).await
}

/// A person by their session, where there is one.
pub struct MaybeBrowser(Result<Browser>);

impl FromRequestParts<Arc<App>> for MaybeBrowser {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
        Ok(Self(Browser::from_request_parts(parts, app).await))
    }
}

async fn begin_with(
    app: &App,
    provider: ProviderKind,
    client: &Client,
    MaybeBrowser(person): MaybeBrowser,
    body: StartFlow,
) -> Result<Response> {
    if !app.providers.has(provider) {
        return Err(Error::not_found("This way to sign in is not configured."));
    }
    let redirect_to = body.redirect_to.unwrap_or_else(|| "/".to_owned());
    if !is_local_path(&redirect_to) {
        return Err(Error::invalid("redirect_to: expected a path of this site, such as /projects/1/issues"));
    }
    let purpose = body.purpose.unwrap_or(Purpose::SignIn);
    let mut flow =
        Flow { provider, purpose, user: None, organization_name: None, setup_token_hash: None, redirect_to };
    match purpose {
        Purpose::SignIn => {}
        Purpose::Claim => {
            prepare_claim(app, client, &mut flow, body.setup_token, body.organization_name).await?
        }
        Purpose::Link => flow.user = Some(person?.user.id),
        Purpose::Test => {
            let person = person?;
            require_admin(app, &person).await?;
            flow.user = Some(person.user.id);
        }
    }
    let (cookie, location) = begin(app, flow).await.map_err(|refusal| {
        Error::conflict(format!("The provider cannot be asked ({}). The log has the reason.", refusal.code()))
    })?;
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((cookie, Answer(FlowStart { location })).into_response())
}

async fn prepare_claim(
    app: &App,
    client: &Client,
    flow: &mut Flow,
    setup_token: Option<String>,
    name: Option<String>,
) -> Result<()> {
    if !app.single_org {
        return Err(Error::not_found("This instance has many organizations and is not claimed."));
    }
    app.main.read(crate::accounts::sql::require_unclaimed).await?;
    let attempt = app.throttle.begin(Door::Setup, client.address)?;
    let token = setup_token.ok_or_else(|| Error::invalid("setup_token: expected for a claim"))?;
    let hash = token::keyed_hash(&app.secrets.jwt, token.trim());
    app.main.read(move |c| crate::accounts::sql::check_setup_token(c, &hash)).await?;
    attempt.succeed();
    let name = name.ok_or_else(|| Error::invalid("organization_name: expected for a claim"))?;
    flow.organization_name = Some(check_name("organization_name", &name)?);
    flow.setup_token_hash = Some(hash);
    Ok(())
}

/// Tests are for who may see the settings of the instance.
async fn require_admin(app: &App, person: &Browser) -> Result<()> {
    let user = person.user.id;
    let organizations = app.main.read(move |c| organizations::sql::list(c, user)).await?;
    if app.single_org && organizations.iter().any(|organization| organization.role >= Role::Admin) {
        return Ok(());
    }
    Err(Error::forbidden("This needs the role admin. Ask an administrator."))
}

/// Stores a flow and says where the browser goes, and with what cookie.
async fn begin(app: &App, flow: Flow) -> Result<(String, String), Refusal> {
    let provider = flow.provider;
    if !app.providers.has(provider) {
        return Err(Refusal::NotConfigured);
    }
    let binding = Binding::new(&app.secrets.jwt);
    let state = token::link();
    let location = app.providers.authorize(provider, &state, &binding).await.map_err(|error| {
        tracing::warn!(provider = provider.as_str(), %error, "a sign-in could not begin");
        refusal(&error)
    })?;
    let state_hash = token::keyed_hash(&app.secrets.jwt, &state);
    let browser_hash = token::keyed_hash(&app.secrets.jwt, &binding.cookie);
    let write = app.main.write(move |tx| sql::add(tx, &flow, &state_hash, &browser_hash, Timestamp::now()));
    write.await.map_err(|error| internal(&error))?;
    Ok((flow_cookie(app, &binding.cookie, LIFETIME / SECOND), location))
}

fn refusal(error: &FederationError) -> Refusal {
    match error {
        FederationError::Unreachable(_) => Refusal::Unreachable,
        FederationError::ProviderRefused { .. } => Refusal::ProviderRefused,
        FederationError::InvalidAnswer(_) => Refusal::InvalidAnswer,
    }
}

fn internal(error: &Error) -> Refusal {
    match error {
        Error::TooMany { .. } => Refusal::RateLimited,
        error => {
            tracing::error!(?error, "a sign-in at a provider failed");
            Refusal::Internal
        }
    }
}

fn flow_cookie(app: &App, value: &str, max_age: i64) -> String {
    let https = app.addresses.api.is_https();
    set_cookie(if https { COOKIE_HTTPS } else { COOKIE_HTTP }, value, max_age, https)
}

/// What a provider sends the browser back with.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CallbackParams {
    pub state: Option<String>,
    pub code: Option<String>,
    /// Instead of a code.
    pub error: Option<String>,
    pub error_description: Option<String>,
    /// The provider, as it names itself (RFC 9207).
    pub iss: Option<String>,
}

/// Where the single sign-on provider sends the browser back to.
#[utoipa::path(get, path = "/api/v1/auth/callback", tag = "sign-in", security(()), params(CallbackParams),
    responses((status = 302, description = "Signed in, or to /login?error=<code>")))]
pub async fn finish_sso(
    State(app): State<Arc<App>>,
    client: Client,
    headers: HeaderMap,
    Query(params): Query<CallbackParams>,
) -> Response {
    finish(&app, ProviderKind::Sso, &client, &headers, params).await
}

/// Where the code host sends the browser back to.
#[utoipa::path(get, path = "/auth/github/callback", tag = "sign-in", security(()), params(CallbackParams),
    responses((status = 302, description = "Signed in, or to /login?error=<code>")))]
pub async fn finish_github(
    State(app): State<Arc<App>>,
    client: Client,
    headers: HeaderMap,
    Query(params): Query<CallbackParams>,
) -> Response {
    finish(&app, ProviderKind::GitHub, &client, &headers, params).await
}

/// A callback: the flow it belongs to, and the code.
struct Return {
    provider: ProviderKind,
    client: Client,
    flow: Flow,
    binding: Binding,
    params: CallbackParams,
}

async fn finish(
    app: &Arc<App>,
    provider: ProviderKind,
    client: &Client,
    headers: &HeaderMap,
    params: CallbackParams,
) -> Response {
    let gone = flow_cookie(app, "", 0);
    let attempt = match app.throttle.begin(Door::Link, client.address) {
        Ok(attempt) => attempt,
        Err(_) => return redirect("/login?error=rate_limited", []),
    };
    let came = match take(app, provider, client, headers, params).await {
        Ok(came) => came,
        Err(refusal) => {
            note(app, provider, client, None, refusal).await;
            return redirect(&format!("/login?error={}", refusal.code()), []);
        }
    };
    attempt.succeed();
    let purpose = came.flow.purpose;
    let ended = match purpose {
        Purpose::SignIn | Purpose::Claim => sign_in(app, came).await,
        Purpose::Link => link(app, came).await.map(|path| (path, None)),
        Purpose::Test => test(app, came).await.map(|path| (path, None)),
    };
    match ended {
        Ok((path, session)) => redirect(&path, [Some(gone), session].into_iter().flatten()),
        Err(refusal) => redirect(&format!("{}?error={}", page_of(purpose), refusal.code()), [gone]),
    }
}

/// Where a purpose's failure is told.
fn page_of(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Claim => "/setup",
        Purpose::Link => "/account",
        Purpose::SignIn | Purpose::Test => "/login",
    }
}

/// Finds the flow of a callback, in the browser that began it.
async fn take(
    app: &App,
    provider: ProviderKind,
    client: &Client,
    headers: &HeaderMap,
    params: CallbackParams,
) -> Result<Return, Refusal> {
    if !app.providers.has(provider) {
        return Err(Refusal::NotConfigured);
    }
    let name = if app.addresses.api.is_https() { COOKIE_HTTPS } else { COOKIE_HTTP };
    let short = |text: &Option<String>| text.as_ref().is_none_or(|text| text.len() <= PARAMETER_MAX);
    if ![&params.state, &params.code, &params.error, &params.iss].into_iter().all(short) {
        return Err(Refusal::InvalidAnswer);
    }
    let state = params.state.as_deref().ok_or(Refusal::FlowExpired)?;
    let cookie = cookie(headers, name).ok_or(Refusal::WrongBrowser)?.to_owned();
    let state_hash = token::keyed_hash(&app.secrets.jwt, state);
    let browser_hash = token::keyed_hash(&app.secrets.jwt, &cookie);
    let write =
        app.main.write(move |tx| sql::take(tx, provider, &state_hash, &browser_hash, Timestamp::now()));
    let flow = write.await.map_err(|error| internal(&error))??;
    let binding = Binding::of(&app.secrets.jwt, cookie);
    Ok(Return { provider, client: client.clone(), flow, binding, params })
}

impl Return {
    /// Who it is, or why the provider does not say.
    async fn somebody(&self, app: &App, recorder: &mut Recorder) -> Result<Somebody, Refusal> {
        if let Some(error) = &self.params.error {
            let told = FederationError::refused(error, self.params.error_description.as_deref());
            tracing::info!(provider = self.provider.as_str(), %told, "a provider refused a sign-in");
            recorder.set("Return from the provider", false, told.to_string());
            return Err(if error == "access_denied" { Refusal::Cancelled } else { Refusal::ProviderRefused });
        }
        let expected = app.config.sign_in.sso.as_ref().map(|sso| sso.issuer_url.as_str());
        if self.provider == ProviderKind::Sso
            && self.params.iss.is_some()
            && self.params.iss.as_deref() != expected
        {
            recorder.set("Return from the provider", false, "It names another issuer (`iss`).".to_owned());
            return Err(Refusal::InvalidAnswer);
        }
        let Some(code) = self.params.code.as_deref().filter(|code| !code.is_empty()) else {
            recorder.set("Return from the provider", false, "It has neither `code` nor `error`.".to_owned());
            return Err(Refusal::InvalidAnswer);
        };
        let profile = app.providers.exchange(self.provider, code, &self.binding, recorder).await;
        let profile = profile.map_err(|error| {
            tracing::warn!(provider = self.provider.as_str(), %error, "a sign-in at a provider failed");
            refusal(&error)
        })?;
        Ok(Somebody {
            provider: self.provider,
            issuer: profile.issuer,
            subject: profile.subject,
            email: profile.email,
            email_verified: profile.email_verified,
            name: profile.name,
        })
    }
}

fn method(provider: ProviderKind) -> Method {
    match provider {
        ProviderKind::Sso => Method::Sso,
        ProviderKind::GitHub => Method::GitHub,
    }
}

/// Signs in or claims; returns where to go and the session's cookie.
async fn sign_in(app: &Arc<App>, came: Return) -> Result<(String, Option<String>), Refusal> {
    let mut recorder = Recorder::new(Providers::steps(came.provider));
    let somebody = match came.somebody(app, &mut recorder).await {
        Ok(somebody) => somebody,
        Err(refusal) => {
            note(app, came.provider, &came.client, None, refusal).await;
            return Err(refusal);
        }
    };
    let session = NewSession::make(app, &came.client, method(came.provider));
    let (new, address, writing) = (session.stored.clone(), came.client.address, app.clone());
    let (email, flow) = (somebody.email.clone(), came.flow.clone());
    let write = app.main.write(move |tx| {
        let now = Timestamp::now();
        if let (Purpose::Claim, Some(name), Some(hash)) =
            (flow.purpose, flow.organization_name, flow.setup_token_hash)
        {
            return provision::sql::claim(tx, &somebody, (hash, name), &new, address, now);
        }
        if writing.single_org && !crate::accounts::sql::is_claimed(tx)? {
            return Ok(Err(Refusal::NotClaimed));
        }
        let policy =
            provision::sql::Policy { config: &writing.config.sign_in, single_org: writing.single_org };
        match provision::sql::enter(tx, policy, &somebody, &new, address, now)? {
            Ok(user) => Ok(Ok(user)),
            // What it began to change is undone: nobody came in.
            Err(refusal) => Err(Error::forbidden(refusal.code())),
        }
    });
    let outcome = match write.await {
        Err(Error::Forbidden(code)) => Err(by_code(&code)),
        other => other.map_err(|error| internal(&error))?,
    };
    if let Err(refusal) = outcome {
        note(app, came.provider, &came.client, email, refusal).await;
        return Err(refusal);
    }
    if came.flow.purpose == Purpose::Claim {
        claim::remove_file(&app.config);
        tracing::info!("the instance was claimed");
    }
    app.live.check_watchers();
    let [(_, cookie)] = session.cookie(app);
    Ok((came.flow.redirect_to, Some(cookie)))
}

/// The refusal that an undone transaction told.
fn by_code(code: &str) -> Refusal {
    const TOLD: [Refusal; 7] = [
        Refusal::EmailMissing,
        Refusal::EmailUnverified,
        Refusal::DomainNotAllowed,
        Refusal::NotInvited,
        Refusal::AccountDisabled,
        Refusal::AccountRemoved,
        Refusal::IdentityConflict,
    ];
    TOLD.into_iter().find(|refusal| refusal.code() == code).unwrap_or(Refusal::Internal)
}

async fn link(app: &Arc<App>, came: Return) -> Result<String, Refusal> {
    let mut recorder = Recorder::new(Providers::steps(came.provider));
    let somebody = came.somebody(app, &mut recorder).await?;
    let user = came.flow.user.ok_or(Refusal::Internal)?;
    let address = came.client.address;
    let write =
        app.main.write(move |tx| provision::sql::link_own(tx, &somebody, user, address, Timestamp::now()));
    write.await.map_err(|error| internal(&error))??;
    Ok(came.flow.redirect_to)
}

/// Reports what a sign-in would do; nobody is signed in.
async fn test(app: &Arc<App>, came: Return) -> Result<String, Refusal> {
    const ACCOUNT: &str = "Account";
    let steps: Vec<&'static str> = Providers::steps(came.provider).iter().copied().chain([ACCOUNT]).collect();
    let mut recorder = Recorder::new(&steps);
    if let Ok(somebody) = came.somebody(app, &mut recorder).await {
        let writing = app.clone();
        let read = app.main.read(move |c| {
            let policy =
                provision::sql::Policy { config: &writing.config.sign_in, single_org: writing.single_org };
            provision::sql::decide(c, policy, &somebody, Timestamp::now())
        });
        let decision = read.await.map_err(|error| internal(&error))?;
        let good = !matches!(decision, provision::Decision::Refuse(_));
        recorder.set(ACCOUNT, good, decision.words());
    }
    let report = recorder.report(came.provider.as_str());
    let user = came.flow.user.ok_or(Refusal::Internal)?;
    let (text, ok) = (json!(report).to_string(), report.ok);
    let (address, provider) = (came.client.address, came.provider);
    let write = app.main.write(move |tx| {
        let now = Timestamp::now();
        if let Some(account) = crate::accounts::admission::sql::by_id(tx, user)? {
            let act = Actor::person(&account.user, address).did("sign_in.tested", provider.as_str());
            audit::sql::add(tx, &act.with(json!({ "ok": ok })), now)?;
        }
        sql::add_report(tx, user, &text, now)
    });
    let id = write.await.map_err(|error| internal(&error))?;
    Ok(format!("{}?test={id}", came.flow.redirect_to))
}

/// Writes a failed sign-in down; one that cannot be written is in the log alone.
async fn note(app: &App, provider: ProviderKind, client: &Client, email: Option<String>, refusal: Refusal) {
    let name = email.unwrap_or_default();
    let detail = json!({ "method": provider.as_str(), "reason": refusal.code() });
    let act = Actor::unknown(&name, client.address).did("sign_in.failed", name.clone()).with(detail);
    if let Err(error) = app.main.write(move |tx| audit::sql::add(tx, &act, Timestamp::now())).await {
        tracing::warn!(%error, "a failed sign-in was not written to the audit log");
    }
}

/// Sends the browser on; an answer that nobody keeps.
fn redirect(location: &str, cookies: impl IntoIterator<Item = String>) -> Response {
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
