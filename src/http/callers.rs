//! Who is asking: one extractor for each kind of caller.
//!
//! A person is known by the session cookie or the same token as a Bearer; a project key by
//! `Authorization: Bearer pk_…`. Every query about a project takes the [`ProjectScope`] that
//! [`Access`] made from the caller, never an id from the body.

use crate::accounts::{self, Role, User, token};
use crate::app::App;
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, ProjectId};
use crate::organizations;
use crate::projects::{KeyEntry, Scope};
use crate::time::Timestamp;
use axum::extract::{FromRequestParts, Path};
use axum::http::{HeaderMap, header, request::Parts};
use serde::Deserialize;
use std::marker::PhantomData;
use std::sync::Arc;

/// The session cookie's name over https, bound to the host by its prefix, and over plain http.
const COOKIE_HTTPS: &str = "__Host-mayday_session";
const COOKIE_HTTP: &str = "mayday_session";

/// The text for a Bearer endpoint called without one, as clients know it.
const MALFORMED_BEARER: &str = "Invalid authorization header. Use 'Bearer <api_key>'";

pub fn cookie_name(https: bool) -> &'static str {
    if https { COOKIE_HTTPS } else { COOKIE_HTTP }
}

/// The session token in the request's cookies.
fn session_cookie(headers: &HeaderMap, https: bool) -> Option<&str> {
    let name = cookie_name(https);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The value after `Bearer `; `None` without the header.
fn bearer(headers: &HeaderMap) -> Option<Result<&str>> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let token = token.map(|(_, token)| token.trim()).filter(|token| !token.is_empty());
    Some(token.ok_or_else(|| Error::Unauthenticated(MALFORMED_BEARER.into())))
}

/// What a request says of who is asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential<'a> {
    /// A session or a key.
    Bearer(&'a str),
    /// Only ever a session.
    Cookie(&'a str),
}

impl<'a> Credential<'a> {
    /// A Bearer counts before the cookie. A header of another scheme is for somebody else, such as
    /// a proxy in front with its `Basic`, and leaves the cookie valid.
    ///
    /// # Errors
    /// Unauthenticated with neither, and when the header is `Bearer` without a token.
    pub fn of(headers: &'a HeaderMap, https: bool) -> Result<Self> {
        if let Some(token) = session_cookie(headers, https)
            && !names_bearer(headers)
        {
            return Ok(Self::Cookie(token));
        }
        bearer(headers).unwrap_or_else(|| Err(Error::signed_out())).map(Self::Bearer)
    }
}

fn names_bearer(headers: &HeaderMap) -> bool {
    let scheme = |value: &str| value.split(' ').next().is_some_and(|s| s.eq_ignore_ascii_case("bearer"));
    headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).is_some_and(scheme)
}

/// A person or a key.
#[derive(Debug, Clone)]
pub enum Caller {
    Person(SignedIn),
    Key(Arc<KeyEntry>),
}

/// A signed-in person.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: User,
    pub token_hash: [u8; 32],
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
        let token = match Credential::of(&parts.headers, app.addresses.api.is_https())? {
            Credential::Bearer(key) if key.starts_with("pk_") => {
                return app.directory.find(key).map(Self::Key).ok_or_else(Error::invalid_key);
            }
            Credential::Bearer(token) | Credential::Cookie(token) => token,
        };
        let token_hash = token::keyed_hash(&app.secrets.jwt, token);
        let now = Timestamp::now();
        let found = app.main.read(move |c| accounts::sql::sign_in(c, &token_hash, now)).await?;
        let sign_in = found.ok_or_else(Error::signed_out)?;
        if sign_in.stale {
            // Nobody waits for it; a full queue only leaves the older time.
            drop(app.main.writer.call(move |tx| accounts::sql::touch_sign_in(tx, sign_in.id, now)));
        }
        Ok(Self::Person(SignedIn { user: sign_in.user, token_hash }))
    }
}

impl FromRequestParts<Arc<App>> for SignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
        match Caller::from_request_parts(parts, app).await? {
            Caller::Person(person) => Ok(person),
            Caller::Key(_) => Err(Error::forbidden("A project key cannot do this: sign in.")),
        }
    }
}

/// A project key with the scope `releases` in the `Authorization` header.
pub struct ReleaseKey(pub Arc<KeyEntry>);

impl FromRequestParts<Arc<App>> for ReleaseKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
        let missing = || Error::Unauthenticated(MALFORMED_BEARER.into());
        let key = bearer(&parts.headers).ok_or_else(missing)??;
        let key = app.directory.find(key).ok_or_else(Error::invalid_key)?;
        key.require(&[Scope::Releases])?;
        Ok(Self(key))
    }
}

/// The project that a caller may act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectScope {
    pub id: ProjectId,
    pub organization: OrganizationId,
}

/// What a route needs of its caller.
pub trait Need: Send + Sync {
    /// Keys with one of these may, too.
    const KEY_SCOPES: &'static [Scope];
    /// People with this role or a higher one may.
    const ROLE: Role;
}

macro_rules! needs {
    ($($(#[$meta:meta])* $name:ident: $role:ident, [$($scope:ident),*];)+) => {$(
        $(#[$meta])*
        pub struct $name;
        impl Need for $name {
            const KEY_SCOPES: &'static [Scope] = &[$(Scope::$scope),*];
            const ROLE: Role = Role::$role;
        }
    )+};
}

needs! {
    /// Reads of a project.
    Read: Member, [Read];
    /// Reads of its releases.
    ReadReleases: Member, [Read, Releases];
    /// Deletes of its releases.
    ManageReleases: Admin, [Releases];
    /// Work on its issues.
    Work: Member, [];
    /// Its settings and keys.
    Administer: Admin, [];
}

/// Access to the project in the path, as far as `N` needs.
pub struct Access<N> {
    pub project: ProjectScope,
    pub caller: Caller,
    need: PhantomData<N>,
}

impl<N> Access<N> {
    /// The person, where one asks.
    pub fn user(&self) -> Option<&User> {
        match &self.caller {
            Caller::Person(person) => Some(&person.user),
            Caller::Key(_) => None,
        }
    }

    /// Asks again whether the caller may, long after the request came. A sign-in is not used by that.
    ///
    /// # Errors
    /// When the session ended, the key was revoked, or the project is not the caller's any more.
    pub async fn renew(&self, app: &App) -> Result<()>
    where
        N: Need,
    {
        let person = match &self.caller {
            Caller::Key(key) if app.directory.has(key.id) => return Ok(()),
            Caller::Key(_) => return Err(Error::invalid_key()),
            Caller::Person(person) => person,
        };
        let (user, token_hash, project) = (person.user.id, person.token_hash, self.project.id);
        let read = app.main.read(move |c| {
            let sign_in = accounts::sql::sign_in(c, &token_hash, Timestamp::now())?;
            sign_in.ok_or_else(Error::signed_out)?;
            organizations::sql::role_in_project(c, user, project)
        });
        let (_, role) = read.await?.ok_or_else(Error::no_project_access)?;
        require_role(role, N::ROLE)
    }
}

#[derive(Deserialize)]
struct ProjectPath {
    project_id: String,
}

impl<N: Need> FromRequestParts<Arc<App>> for Access<N> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let path = Path::<ProjectPath>::from_request_parts(parts, app)
            .await
            .map_err(|_| Error::no_project_access())?;
        let id = ProjectId(path.project_id.parse().map_err(|_| Error::no_project_access())?);
        let organization = match &caller {
            Caller::Key(key) => {
                if key.project != id {
                    return Err(Error::no_project_access());
                }
                key.require(N::KEY_SCOPES)?;
                key.organization
            }
            Caller::Person(person) => {
                let user = person.user.id;
                let found = app.main.read(move |c| organizations::sql::role_in_project(c, user, id)).await?;
                let (organization, role) = found.ok_or_else(Error::no_project_access)?;
                require_role(role, N::ROLE)?;
                organization
            }
        };
        Ok(Self { project: ProjectScope { id, organization }, caller, need: PhantomData })
    }
}

/// Membership of the organization in the path, as far as `N` needs.
pub struct Membership<N> {
    pub organization: OrganizationId,
    pub role: Role,
    pub user: User,
    need: PhantomData<N>,
}

#[derive(Deserialize)]
struct OrganizationPath {
    organization_id: String,
}

impl<N: Need> FromRequestParts<Arc<App>> for Membership<N> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
        let SignedIn { user, .. } = SignedIn::from_request_parts(parts, app).await?;
        let refused = Error::no_organization_access;
        let path = Path::<OrganizationPath>::from_request_parts(parts, app).await.map_err(|_| refused())?;
        let organization = OrganizationId(path.organization_id.parse().map_err(|_| refused())?);
        let user_id = user.id;
        let found = app.main.read(move |c| organizations::sql::role(c, user_id, organization)).await?;
        let role = found.ok_or_else(refused)?;
        require_role(role, N::ROLE)?;
        Ok(Self { organization, role, user, need: PhantomData })
    }
}

fn require_role(role: Role, needed: Role) -> Result<()> {
    if role >= needed {
        return Ok(());
    }
    let (role, needed) = (role.as_str(), needed.as_str());
    Err(Error::forbidden(format!("This needs the role {needed}, yours is {role}. Ask an administrator.")))
}
