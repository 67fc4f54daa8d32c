//! The callbacks that complete a sign-in at a provider.

use super::{flow_cookie, flow_cookie_name, internal, page, parameter, redirect, refusal};
use crate::accounts::federation::{FederationError, Recorder};
use crate::accounts::flows::methods::Providers;
use crate::accounts::flows::{Binding, Flow, Purpose, sql};
use crate::accounts::me::ProviderKind;
use crate::accounts::people::People;
use crate::accounts::provision::{self, ProviderIdentity, Refusal};
use crate::accounts::service::claim;
use crate::accounts::sign_in::http::NewSession;
use crate::accounts::sign_in::{Method, NewSignIn};
use crate::accounts::throttle::Door;
use crate::audit::{self, Actor};
use crate::crypto::token;
use crate::error::Result;
use crate::http::client::Client;
use crate::http::credential::cookie;
use crate::store::Transaction;
use crate::time::Timestamp;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;
use std::net::IpAddr;
use std::sync::Arc;
use utoipa::IntoParams;

/// The longest state, code and so on that is accepted, in characters.
const PARAMETER_MAX: usize = 4_096;

/// The parameters with which a provider sends the browser back.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CallbackParams {
    pub state: Option<String>,
    pub code: Option<String>,
    /// Present instead of a code.
    pub error: Option<String>,
    pub error_description: Option<String>,
    /// The provider's own name for itself (RFC 9207).
    pub iss: Option<String>,
}

impl CallbackParams {
    /// Parsed by hand, so that whatever a provider sends leads to a page.
    fn read(query: Option<&str>) -> Self {
        let read = |name| parameter(query, name);
        Self {
            state: read("state"),
            code: read("code"),
            error: read("error"),
            error_description: read("error_description"),
            iss: read("iss"),
        }
    }
}

/// Callback of the single sign-on provider.
#[utoipa::path(get, path = "/api/v1/auth/callback", tag = "sign-in", security(()), params(CallbackParams),
    responses((status = 302, description = "Signed in, or to a page with ?error=<code>: `rate_limited` after too many \
        callbacks that failed")))]
pub async fn finish_sso(
    State(people): State<Arc<People>>,
    client: Client,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    finish(&people, ProviderKind::Sso, &client, &headers, CallbackParams::read(query.as_deref())).await
}

/// Callback of the code host.
#[utoipa::path(get, path = "/auth/github/callback", tag = "sign-in", security(()), params(CallbackParams),
    responses((status = 302, description = "Signed in, or to a page with ?error=<code>: `rate_limited` after too many \
        callbacks that failed")))]
pub async fn finish_github(
    State(people): State<Arc<People>>,
    client: Client,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    finish(&people, ProviderKind::GitHub, &client, &headers, CallbackParams::read(query.as_deref())).await
}

/// A callback with the flow it belongs to, and the code.
struct CallbackRequest {
    provider: ProviderKind,
    client: Client,
    flow: Flow,
    binding: Binding,
    params: CallbackParams,
}

async fn finish(
    people: &Arc<People>,
    provider: ProviderKind,
    client: &Client,
    headers: &HeaderMap,
    params: CallbackParams,
) -> Response {
    let gone = flow_cookie(people, "", 0);
    // Without a flow's cookie the request does not belong to a flow: any page can make a browser send it.
    if cookie(headers, flow_cookie_name(people)).is_none() {
        return redirect(&page(people, "/login?error=wrong_browser"), []);
    }
    let Ok(attempt) = people.throttle.begin(Door::Callback, client.address) else {
        return redirect(&page(people, "/login?error=rate_limited"), []);
    };
    let came = match take(people, provider, client, headers, params).await {
        Ok(came) => came,
        Err(refusal) => return redirect(&page(people, &format!("/login?error={}", refusal.code())), []),
    };
    attempt.succeed();
    let purpose = came.flow.purpose;
    let ended = match purpose {
        Purpose::SignIn | Purpose::Claim => sign_in(people, came).await,
        Purpose::Link => link(people, came).await.map(|path| (path, None)),
        Purpose::Test => test(people, came).await.map(|path| (path, None)),
    };
    match ended {
        Ok((path, session)) => redirect(&page(people, &path), [Some(gone), session].into_iter().flatten()),
        Err(refusal) => {
            redirect(&page(people, &format!("{}?error={}", page_of(purpose), refusal.code())), [gone])
        }
    }
}

/// The page that shows a failure of this purpose.
fn page_of(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Claim => "/setup",
        Purpose::Link => "/account",
        Purpose::SignIn | Purpose::Test => "/login",
    }
}

/// Finds the flow of a callback and checks that this browser began it.
async fn take(
    people: &People,
    provider: ProviderKind,
    client: &Client,
    headers: &HeaderMap,
    params: CallbackParams,
) -> Result<CallbackRequest, Refusal> {
    if !people.providers.has(provider) {
        return Err(Refusal::NotConfigured);
    }
    let short = |text: &Option<String>| text.as_ref().is_none_or(|text| text.len() <= PARAMETER_MAX);
    if ![&params.state, &params.code, &params.error, &params.iss].into_iter().all(short) {
        return Err(Refusal::InvalidAnswer);
    }
    let state = params.state.as_deref().ok_or(Refusal::FlowExpired)?;
    let cookie = cookie(headers, flow_cookie_name(people)).ok_or(Refusal::WrongBrowser)?.to_owned();
    let state_hash = token::keyed_hash(&people.secrets.jwt, state);
    let browser_hash = token::keyed_hash(&people.secrets.jwt, &cookie);
    let write =
        people.main.write(move |tx| sql::take(tx, provider, &state_hash, &browser_hash, Timestamp::now()));
    let flow = write.await.map_err(|error| internal(&error))??;
    let binding = Binding::of(&people.secrets.jwt, cookie);
    Ok(CallbackRequest { provider, client: client.clone(), flow, binding, params })
}

impl CallbackRequest {
    /// The person, or the reason why the provider does not say who it is.
    async fn somebody(&self, people: &People, recorder: &mut Recorder) -> Result<ProviderIdentity, Refusal> {
        if let Some(error) = &self.params.error {
            let told = FederationError::refused(error, self.params.error_description.as_deref());
            tracing::info!(provider = self.provider.as_str(), %told, "a provider refused a sign-in");
            recorder.set("Return from the provider", false, told.to_string());
            return Err(if error == "access_denied" { Refusal::Cancelled } else { Refusal::ProviderRefused });
        }
        let expected = people.config.sign_in.sso.as_ref().map(|sso| sso.issuer_url.as_str());
        if self.provider == ProviderKind::Sso
            && self.params.iss.is_some()
            && self.params.iss.as_deref() != expected
        {
            recorder.set(
                "Return from the provider",
                false,
                "It names a different issuer (`iss`).".to_owned(),
            );
            return Err(Refusal::InvalidAnswer);
        }
        let Some(code) = self.params.code.as_deref().filter(|code| !code.is_empty()) else {
            recorder.set("Return from the provider", false, "It has neither `code` nor `error`.".to_owned());
            return Err(Refusal::InvalidAnswer);
        };
        let profile = people.providers.exchange(self.provider, code, &self.binding, recorder).await;
        let profile = profile.map_err(|error| {
            tracing::warn!(provider = self.provider.as_str(), %error, "a sign-in at a provider failed");
            refusal(&error)
        })?;
        Ok(ProviderIdentity {
            provider: self.provider,
            issuer: profile.issuer,
            subject: profile.subject,
            email: profile.email,
            email_verified: profile.email_verified,
            other_emails: profile.other_emails,
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

/// Signs in or claims; returns where to go next and the session cookie.
async fn sign_in(people: &Arc<People>, came: CallbackRequest) -> Result<(String, Option<String>), Refusal> {
    let mut recorder = Recorder::new(Providers::steps(came.provider));
    let somebody = match came.somebody(people, &mut recorder).await {
        Ok(somebody) => somebody,
        Err(refusal) => {
            note(people, came.provider, &came.client, None, refusal).await;
            return Err(refusal);
        }
    };
    let session = NewSession::make(people, &came.client, method(came.provider));
    let (new, address, writing) = (session.stored.clone(), came.client.address, people.clone());
    let (email, flow) = (somebody.email.clone(), came.flow.clone());
    let write =
        people.main.write_unless_refused(move |tx| admit(tx, &writing, flow, &somebody, &new, address));
    // What a refused sign-in began to change is undone: nobody was signed in.
    let outcome = write.await.map_err(|error| internal(&error))?;
    if let Err(refusal) = outcome {
        note(people, came.provider, &came.client, email, refusal).await;
        return Err(refusal);
    }
    if came.flow.purpose == Purpose::Claim {
        claim::remove_file(&people.config);
        tracing::info!("the instance was claimed");
    }
    people.live.check_watchers();
    let [(_, cookie)] = session.cookie(people);
    Ok((came.flow.redirect_to, Some(cookie)))
}

/// Claims the instance, or signs in as [`provision`] decides.
fn admit(
    tx: &Transaction<'_>,
    people: &People,
    flow: Flow,
    somebody: &ProviderIdentity,
    new: &NewSignIn,
    address: IpAddr,
) -> Result<provision::sql::Outcome> {
    let now = Timestamp::now();
    if let (Purpose::Claim, Some(name), Some(hash)) =
        (flow.purpose, flow.organization_name, flow.setup_token_hash)
    {
        return provision::sql::claim(tx, somebody, (hash, name), new, address, now);
    }
    if people.single_org && !crate::accounts::sql::is_claimed(tx)? {
        return Ok(Err(Refusal::NotClaimed));
    }
    let policy = provision::sql::Policy { config: &people.config.sign_in, single_org: people.single_org };
    provision::sql::enter(tx, policy, somebody, new, address, now)
}

async fn link(people: &Arc<People>, came: CallbackRequest) -> Result<String, Refusal> {
    let mut recorder = Recorder::new(Providers::steps(came.provider));
    let somebody = came.somebody(people, &mut recorder).await?;
    let (user, _) = came.flow.user.ok_or(Refusal::Internal)?;
    let address = came.client.address;
    let write =
        people.main.write(move |tx| provision::sql::link_own(tx, &somebody, user, address, Timestamp::now()));
    write.await.map_err(|error| internal(&error))??;
    Ok(came.flow.redirect_to)
}

/// Reports what a sign-in would do without signing anybody in.
async fn test(people: &Arc<People>, came: CallbackRequest) -> Result<String, Refusal> {
    const ACCOUNT: &str = "Account";
    let steps: Vec<&'static str> = Providers::steps(came.provider).iter().copied().chain([ACCOUNT]).collect();
    let mut recorder = Recorder::new(&steps);
    if let Ok(somebody) = came.somebody(people, &mut recorder).await {
        let writing = people.clone();
        let read = people.main.look_up(move |c| {
            let policy =
                provision::sql::Policy { config: &writing.config.sign_in, single_org: writing.single_org };
            provision::sql::decide(c, policy, &somebody, Timestamp::now())
        });
        let decision = read.await.map_err(|error| internal(&error))?;
        let good = !matches!(decision, provision::Decision::Refuse(_));
        recorder.set(ACCOUNT, good, decision.words());
    }
    let report = recorder.report(came.provider.as_str());
    let (user, _) = came.flow.user.ok_or(Refusal::Internal)?;
    let (text, ok) = (json!(report).to_string(), report.ok);
    let (address, provider) = (came.client.address, came.provider);
    let write = people.main.write(move |tx| {
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

/// Records a failed sign-in in the audit log; if that fails, it is only in the server's log.
async fn note(
    people: &People,
    provider: ProviderKind,
    client: &Client,
    email: Option<String>,
    refusal: Refusal,
) {
    let name = email.unwrap_or_default();
    let detail = json!({ "method": provider.as_str(), "reason": refusal.code() });
    let act = Actor::unknown(&name, client.address).did("sign_in.failed", name.clone()).with(detail);
    if let Err(error) = people.main.write(move |tx| audit::sql::add(tx, &act, Timestamp::now())).await {
        tracing::warn!(%error, "a failed sign-in was not written to the audit log");
    }
}
