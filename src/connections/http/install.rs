//! Installing the server's app at the code host: the link, and where the host sends the browser back.

use crate::access::{ConnectHost, Membership};
use crate::accounts::flows::http::{MaybeBrowser, page, parameter, redirect};
use crate::accounts::people::People;
use crate::accounts::sign_in::http::cookie as set_cookie;
use crate::audit::{self, Actor};
use crate::connections::service::{Connector, refused, tell, tell_not_installed};
use crate::connections::sql::installs::{self, LIFETIME, PendingInstall};
use crate::connections::sql::{self, New};
use crate::connections::{AskError, Kind, Settings, Status};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::credential::cookie;
use crate::ids::{OrganizationId, UserId};
use crate::roles::Role;
use crate::store::Transaction;
use crate::time::{MINUTE, SECOND, Timestamp};
use axum::Json as Answer;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse as _, Response};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// The cookie that binds an installation to the browser that started it; over https its prefix binds it to this host.
const COOKIE_HTTPS: &str = "__Host-mayday_install";
const COOKIE_HTTP: &str = "mayday_install";
/// How far the host's clock may be behind ours, in milliseconds.
const SKEW: i64 = MINUTE;

#[derive(Serialize, ToSchema)]
pub struct InstallLink {
    /// The page of the code host to go to.
    pub location: String,
}

/// The parameters with which the code host sends the browser back; read by hand, so that anything leads to a page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InstalledParams {
    pub state: Option<String>,
    pub installation_id: Option<String>,
    /// `request`: somebody there has yet to approve it.
    pub setup_action: Option<String>,
}

/// Begins to install the server's app at the code host, in this browser.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/connections/github/install", tag = "connections",
    extensions(("x-access" = json!(Membership::<ConnectHost>::needs()))),
    params(("organization_id" = i64, Path)),
    responses((status = 200, body = InstallLink),
        (status = 409, description = "The server has no app at the code host, or the host does not answer")))]
pub async fn begin_install(
    State(connector): State<Arc<Connector>>,
    State(people): State<Arc<People>>,
    access: Membership<ConnectHost>,
) -> Result<Response> {
    let none = || {
        Error::conflict(
            "This server has no app at the code host: the operator sets SERVICE_HOST_APP_ID and \
             SERVICE_HOST_APP_PRIVATE_KEY_FILE.",
        )
    };
    let github = connector.github.clone().ok_or_else(none)?;
    // The state also says where to report a failure.
    let (state, browser) = (format!("{}.{}", access.organization.0, token::link()), token::link());
    let location = github.install_page(&state).await.map_err(|error| refused(&error))?;
    let hashes = (hash(&people, &state), hash(&people, &browser));
    let begun =
        PendingInstall { organization: access.organization, user: access.user.id, at: Timestamp::now() };
    let write = connector.main.write(move |tx| {
        access.standing.check(tx)?;
        installs::add(tx, begun, (&hashes.0, &hashes.1))
    });
    write.await?;
    let cookie = AppendHeaders([(header::SET_COOKIE, binding(&people, &browser, LIFETIME / SECOND))]);
    Ok((cookie, Answer(InstallLink { location })).into_response())
}

/// Where the code host sends the browser once its app is installed: the app's setup URL.
#[utoipa::path(get, path = "/auth/github/installed", tag = "connections", security(()), params(InstalledParams),
    responses((status = 302, description = "To the connections of the organization, with ?connected= or ?error=")))]
pub async fn finish_install(
    State(connector): State<Arc<Connector>>,
    State(people): State<Arc<People>>,
    MaybeBrowser(person): MaybeBrowser,
    client: Client,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let gone = [binding(&people, "", 0)];
    let read = |name| parameter(query.as_deref(), name);
    let Ok(person) = person else { return redirect(&page(&people, "/login?error=not_signed_in"), gone) };
    let browser = cookie(&headers, cookie_name(&people)).map(str::to_owned);
    let place = place_of(read("state").as_deref());
    let failed = |code| redirect(&page(&people, &format!("{place}?error={code}")), gone.clone());
    let (Some(state), Some(browser)) = (read("state"), browser) else {
        return failed("wrong_browser");
    };
    let hashes = (hash(&people, &state), hash(&people, &browser));
    let begun = match take(&connector, hashes, person.user.id).await {
        Ok(begun) => begun,
        Err(code) => return failed(code),
    };
    let installation = read("installation_id").filter(|id| is_number(id));
    let came = match (installation, read("setup_action").as_deref()) {
        (_, Some("request")) => Err("requested"),
        (None, _) => Err("not_installed"),
        (Some(id), _) => {
            connect(&connector, &people, &person.standing, (begun, &person.user), &client, &id).await
        }
    };
    let organization: OrganizationId = begun.organization;
    if let Some(reason) = came.as_ref().err().and_then(|code| failure(code)) {
        tell_failure(&connector, organization, reason).await;
    }
    let told = came.map_or_else(|code| format!("error={code}"), |id| format!("connected={id}"));
    redirect(&page(&people, &format!("/organizations/{organization}/settings/connections?{told}")), gone)
}

/// The explanation of a code for administrators; `None` if it is not a failure, or the visitor may not connect
/// anything.
fn failure(code: &str) -> Option<&'static str> {
    Some(match code {
        "not_installed" => "The app was not installed there, or its installation is gone",
        "unreachable" => "The code host did not answer",
        "not_fresh" => {
            "The installation is older than the attempt to connect it: save it again at the code host"
        }
        "taken" => "The installation belongs to another organization",
        "internal" => "The server could not store it; its log says why",
        _ => return None,
    })
}

/// Storage trouble is only logged, so that the browser still gets to the page that explains the failure.
async fn tell_failure(connector: &Connector, organization: OrganizationId, reason: &'static str) {
    let write =
        connector.main.write(move |tx| tell_not_installed(tx, organization, reason, Timestamp::now()));
    if let Err(error) = write.await {
        tracing::warn!(?error, "nobody is told that an installation failed");
    }
}

/// Takes the installation that this browser and person started; `Err` is the code that the page explains.
async fn take(
    connector: &Connector,
    hashes: ([u8; 32], [u8; 32]),
    user: UserId,
) -> Result<PendingInstall, &'static str> {
    let take = move |tx: &Transaction<'_>| installs::take(tx, (&hashes.0, &hashes.1), user, Timestamp::now());
    let begun = connector.main.write(take).await.map_err(|error| {
        tracing::error!(?error, "an installation could not be finished");
        "internal"
    })?;
    begun.ok_or("flow_expired")
}

/// Connects an installation; `Err` is the code that the page explains.
async fn connect(
    connector: &Connector,
    people: &People,
    standing: &crate::accounts::standing::Standing,
    (begun, user): (PendingInstall, &crate::accounts::User),
    client: &Client,
    id: &str,
) -> Result<String, &'static str> {
    let github = connector.github.as_ref().ok_or("not_configured")?;
    let found = github.installation(id).await.map_err(|error| match error {
        AskError::Busy { .. } | AskError::Passing(_) => "unreachable",
        _ => "not_installed",
    })?;
    // The id in the address proves nothing. Where several organizations share the app, one could name another's
    // installation, so only an installation that was created or changed since the start is accepted.
    let is_fresh = found.changed_at.is_some_and(|at| at >= begun.at.plus(-SKEW));
    if !people.single_org && !is_fresh {
        return Err("not_fresh");
    }
    let mut standing = *standing;
    standing.within = Some((begun.organization, Role::Admin));
    let actor = Actor::person(user, client.address);
    let (seal, id, by) = (connector.seal.clone(), id.to_owned(), user.id);
    let write = connector.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        if let Some((organization, known)) = sql::installation(tx, Some(&id))? {
            let taken = || Error::conflict("This installation is connected already.");
            return (organization == begun.organization).then_some(known.to_string()).ok_or_else(taken);
        }
        let name = format!("GitHub ({})", found.account);
        let new = New {
            organization: begun.organization,
            kind: Kind::Github,
            display_name: &name,
            account: &found.account,
            external_id: Some(&id),
            credentials: None,
            settings: &Settings::default(),
            by,
        };
        let made = sql::create(tx, &seal, &new, now)?;
        let act = actor.did("connection.created", &name).within(begun.organization);
        audit::sql::add(tx, &act.with(json!({ "kind": Kind::Github.as_str() })), now)?;
        tell(tx, &made, Status::Connected, None, Some(by), now)?;
        Ok(made.connection.id.to_string())
    });
    write.await.map_err(|error| match error {
        Error::Conflict(_) => "taken",
        Error::Forbidden(_) | Error::Unauthenticated(_) => "not_allowed",
        error => {
            tracing::error!(?error, "an installation could not be connected");
            "internal"
        }
    })
}

/// The connections page of the organization in a state; used only for display.
fn place_of(state: Option<&str>) -> String {
    let organization = state.and_then(|state| state.split_once('.')?.0.parse::<i64>().ok());
    organization.map_or_else(|| "/".to_owned(), |id| format!("/organizations/{id}/settings/connections"))
}

fn is_number(id: &str) -> bool {
    (1..=18).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit())
}

fn hash(people: &People, value: &str) -> [u8; 32] {
    token::keyed_hash(&people.secrets.jwt, &format!("installation {value}"))
}

fn cookie_name(people: &People) -> &'static str {
    if people.addresses.api.is_https() { COOKIE_HTTPS } else { COOKIE_HTTP }
}

fn binding(people: &People, value: &str, max_age: i64) -> String {
    set_cookie(cookie_name(people), value, max_age, people.addresses.api.is_https())
}
