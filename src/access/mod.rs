//! The caller of a request: one extractor for each kind.
//!
//! A person is authenticated by the session cookie, by its token as a Bearer token, or by a personal access
//! token; a project key by `Authorization: Bearer pk_…`, an organization key by `ok_…`. A handler takes
//! the project's id from the [`ProjectScope`] that [`Access`] made from the caller, never from the body.

mod administrator;
mod needs;
mod platform;
mod reach;
mod runner;
mod tools;
mod unknown;

pub use administrator::Administrator;
pub use needs::Needs;
pub use platform::{
    BoundAgents, LetThrough, ManageAutomations, Platform, PlatformNeed, PlatformStanding, ReadPlatform,
    RunAgents, StartSession,
};
pub use reach::{
    Access, Administer, ChangeView, ConnectHost, DeleteComment, LimitAgents, ManageOrganization,
    ManageReleases, ManageSignIn, Membership, Need, OrganizationAccess, OwnerOnly, ProjectScope, Read,
    ReadReleases, RecordDeploys, RemoveMember, UseConnections, Work,
};
pub use runner::RunnerAccess;
pub use tools::ToolCaller;
pub use unknown::Unknown;

use crate::accounts::networks::{self, Holder, KnownUses, Use};
use crate::accounts::people::People;
use crate::accounts::standing::{Proof, Standing};
use crate::accounts::throttle::Bearer;
use crate::accounts::tokens::TokenScope;
use crate::accounts::{User, sign_in, tokens};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::address_of;
use crate::http::credential::{Credential, MALFORMED_BEARER, bearer};
use crate::ids::{KeyId, OrganizationId, SignInId, TokenId, UserId};
use crate::intake::directory::{Directory, KeyEntry};
use crate::organizations;
use crate::organizations::keys::OrganizationScope;
use crate::projects::Scope;
use crate::store::Connection;
use crate::time::Timestamp;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::{Method, request::Parts};
use std::sync::Arc;

/// What callers are authenticated with.
pub struct Callers {
    pub people: Arc<People>,
    pub directory: Arc<Directory>,
    pub unknown: Unknown,
    /// From which networks keys were used.
    pub networks: KnownUses,
}

/// A person or a key.
#[derive(Debug, Clone)]
pub enum Caller {
    Person(SignedIn),
    Key(Arc<KeyEntry>),
    OrganizationKey(OrganizationKey),
}

/// A valid key of an organization.
#[derive(Debug, Clone)]
pub struct OrganizationKey {
    pub id: KeyId,
    pub organization: OrganizationId,
    pub name: String,
    pub scopes: Vec<OrganizationScope>,
    pub created_by: Option<UserId>,
}

/// A signed-in person, or one of their tools.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: User,
    pub by: AuthMethod,
    /// Whether the instance has only one organization.
    pub single_org: bool,
}

/// How a person was authenticated.
#[derive(Debug, Clone)]
pub enum AuthMethod {
    Session { id: SignInId, token_hash: [u8; 32] },
    Token { id: TokenId, token_hash: [u8; 32], scopes: Vec<TokenScope> },
}

impl SignedIn {
    /// # Errors
    /// Forbidden for a personal access token without the scope or a higher one.
    pub fn require(&self, scope: TokenScope) -> Result<()> {
        match &self.by {
            AuthMethod::Token { scopes, .. } if scopes.iter().all(|given| *given < scope) => {
                Err(Error::forbidden(format!(
                    "This token has the scopes {}, but {} is required. Create a token with that scope.",
                    TokenScope::join(scopes),
                    scope.as_str()
                )))
            }
            _ => Ok(()),
        }
    }

    /// The standing to check again in the transaction.
    pub fn standing(&self) -> Standing {
        let proof = match &self.by {
            AuthMethod::Session { token_hash, .. } => Proof::Session(*token_hash),
            AuthMethod::Token { token_hash, .. } => Proof::Token(*token_hash),
        };
        Standing { user: self.user.id, proof, single_org: self.single_org, within: None }
    }

    /// Checks again whether the session or token is still valid, long after the request arrived.
    ///
    /// # Errors
    /// Unauthenticated if it has ended.
    pub async fn renew(&self, callers: &Callers) -> Result<()> {
        let (by, single_org) = (self.by.clone(), self.single_org);
        let read = move |c: &_| match &by {
            AuthMethod::Session { token_hash, .. } => {
                Ok(sign_in::sql::find(c, token_hash, single_org, Timestamp::now())?.is_some())
            }
            AuthMethod::Token { token_hash, .. } => {
                Ok(tokens::sql::find(c, token_hash, single_org, Timestamp::now())?.is_some())
            }
        };
        if callers.people.main.look_up(read).await? { Ok(()) } else { Err(Error::signed_out()) }
    }
}

/// Not counted, so that somebody who has used up the requests of the hour can still sign out.
const LOG_OUT: &str = "/auth/logout";

impl<S> FromRequestParts<S> for Caller
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let callers = Arc::<Callers>::from_ref(state);
        let caller = Self::authenticate(parts, &callers).await?;
        if parts.uri.path() == LOG_OUT {
            return Ok(caller);
        }
        let bucket = match &caller {
            Self::Person(person) => Bearer::User(person.user.id.0),
            Self::OrganizationKey(key) => Bearer::OrganizationKey(key.id.0),
            Self::Key(key) if parts.method.is_safe() => Bearer::Key(key.id.0),
            // Uploads have their own limit.
            Self::Key(_) => return Ok(caller),
        };
        callers.people.throttle.requests.take(bucket, callers.people.config.sign_in.dashboard_per_hour)?;
        Ok(caller)
    }
}

impl Caller {
    /// Finds out who is calling, without counting the request.
    async fn authenticate(parts: &Parts, callers: &Arc<Callers>) -> Result<Self> {
        let credential = Credential::of(&parts.headers, callers.people.addresses.api.is_https())?;
        let caller = match credential {
            Credential::Bearer(key) if key.starts_with("pk_") => {
                callers.directory.find(key).map(Self::Key).ok_or_else(Error::invalid_key)?
            }
            Credential::Bearer(key) if key.starts_with("ok_") => {
                Self::OrganizationKey(organization_key(callers, key).await?)
            }
            Credential::Bearer(token) if token.starts_with("pat_") => {
                Self::Person(by_personal_token(callers, token, &parts.method).await?)
            }
            Credential::Bearer(token) | Credential::Cookie(token) => {
                Self::Person(by_session(callers, token).await?)
            }
        };
        if let Some((holder, key)) = key_of(&caller) {
            let trusted = &callers.people.config.sign_in.trusted_proxies;
            note_use(callers, Use::new(holder, key, address_of(parts, trusted)));
        }
        Ok(caller)
    }
}

/// The key that a caller has, if it is worth stealing: one that only sends is public.
fn key_of(caller: &Caller) -> Option<(Holder, i64)> {
    match caller {
        Caller::Person(SignedIn { by: AuthMethod::Token { id, .. }, .. }) => Some((Holder::Personal, id.0)),
        Caller::Person(_) => None,
        Caller::OrganizationKey(key) => Some((Holder::Organization, key.id.0)),
        Caller::Key(key) => {
            key.scopes.iter().any(|scope| *scope != Scope::Ingest).then_some((Holder::Project, key.id.0))
        }
    }
}

/// Stores where a key is used from; nobody waits for it.
fn note_use(callers: &Arc<Callers>, one: Use) {
    if !callers.networks.is_new(&one) {
        return;
    }
    let callers = callers.clone();
    tokio::spawn(async move {
        let stored = one.clone();
        match callers.people.main.write(move |tx| networks::sql::note(tx, &stored, Timestamp::now())).await {
            Ok(true) => callers.people.subscribers.notify(),
            Ok(false) => {}
            Err(error) => {
                callers.networks.forget(&one);
                tracing::warn!(%error, "where a key was used from was not stored");
            }
        }
    });
}

/// Looks up the owner of a token, unless it was found to be unknown a moment ago.
async fn find<T, F>(callers: &Callers, hash: [u8; 32], nobodys: fn() -> Error, read: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(&Connection) -> Result<Option<T>> + Send + 'static,
{
    let changes = callers.people.main.changes();
    if callers.unknown.has(&hash, changes) {
        return Err(nobodys());
    }
    let found = callers.people.main.look_up(read).await?;
    if found.is_none() {
        callers.unknown.add(hash, changes);
    }
    found.ok_or_else(nobodys)
}

async fn by_session(callers: &Callers, session: &str) -> Result<SignedIn> {
    let token_hash = token::keyed_hash(&callers.people.secrets.jwt, session);
    let (now, single_org) = (Timestamp::now(), callers.people.single_org);
    let read = move |c: &_| sign_in::sql::find(c, &token_hash, single_org, now);
    let found = find(callers, token_hash, Error::signed_out, read).await?;
    if found.stale {
        // Nobody waits for this; if the queue is full, the older time stays.
        drop(callers.people.main.writer.call(move |tx| sign_in::sql::touch(tx, found.id, now)));
    }
    Ok(SignedIn { user: found.user, by: AuthMethod::Session { id: found.id, token_hash }, single_org })
}

async fn by_personal_token(callers: &Callers, given: &str, method: &Method) -> Result<SignedIn> {
    let token_hash = token::key_hash(given);
    let (now, single_org) = (Timestamp::now(), callers.people.single_org);
    let read = move |c: &_| tokens::sql::find(c, &token_hash, single_org, now);
    let found = find(callers, token_hash, Error::signed_out, read).await?;
    if found.stale {
        drop(callers.people.main.writer.call(move |tx| tokens::sql::touch(tx, found.id, now)));
    }
    let person = SignedIn {
        user: found.user,
        by: AuthMethod::Token { id: found.id, token_hash, scopes: found.scopes },
        single_org,
    };
    person.require(if method.is_safe() { TokenScope::Read } else { TokenScope::Write })?;
    Ok(person)
}

async fn organization_key(callers: &Callers, key: &str) -> Result<OrganizationKey> {
    let (hash, now) = (token::key_hash(key), Timestamp::now());
    let read = move |c: &_| organizations::keys::sql::find(c, &hash, now);
    let found = find(callers, hash, Error::invalid_key, read).await?;
    if found.stale {
        drop(callers.people.main.writer.call(move |tx| organizations::keys::sql::touch(tx, found.id, now)));
    }
    Ok(OrganizationKey {
        id: found.id,
        organization: found.organization,
        name: found.name,
        scopes: found.scopes,
        created_by: found.created_by,
    })
}

impl<S> FromRequestParts<S> for SignedIn
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        match Caller::from_request_parts(parts, state).await? {
            Caller::Person(person) => Ok(person),
            Caller::Key(_) => Err(Error::forbidden("A project key cannot do this: sign in.")),
            Caller::OrganizationKey(_) => {
                Err(Error::forbidden("An organization key cannot do this: sign in."))
            }
        }
    }
}

/// A person or an organization key; a project key cannot access organizations.
pub struct OrganizationCaller(pub Caller);

impl<S> FromRequestParts<S> for OrganizationCaller
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        match Caller::from_request_parts(parts, state).await? {
            Caller::Key(_) => Err(Error::forbidden("A project key cannot do this: sign in.")),
            caller => Ok(Self(caller)),
        }
    }
}

/// A caller who may read in their own projects; the handler checks which ones those are.
pub struct Reader(pub Caller);

impl<S> FromRequestParts<S> for Reader
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        if let Caller::Key(key) = &caller {
            key.require(&[Scope::Read])?;
        }
        Ok(Self(caller))
    }
}

/// A person with a session: tools may not change how their owner signs in.
#[derive(Debug, Clone)]
pub struct Browser {
    pub user: User,
    pub sign_in: SignInId,
    /// To be checked in the transaction.
    pub standing: Standing,
}

impl<S> FromRequestParts<S> for Browser
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let person = SignedIn::from_request_parts(parts, state).await?;
        let standing = person.standing();
        match person.by {
            AuthMethod::Session { id, .. } => Ok(Self { user: person.user, sign_in: id, standing }),
            AuthMethod::Token { .. } => Err(Error::no_tools()),
        }
    }
}

/// A project key with the scope `releases` in the `Authorization` header.
pub struct ReleaseKey(pub Arc<KeyEntry>);

impl<S> FromRequestParts<S> for ReleaseKey
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let missing = || Error::Unauthenticated(MALFORMED_BEARER.into());
        let key = bearer(&parts.headers).ok_or_else(missing)??;
        let key = Arc::<Callers>::from_ref(state).directory.find(key).ok_or_else(Error::invalid_key)?;
        key.require(&[Scope::Releases])?;
        Ok(Self(key))
    }
}

/// Admits a request if people may sign in with a password.
pub struct PasswordsOn;

impl<S> FromRequestParts<S> for PasswordsOn
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, state: &S) -> Result<Self> {
        if Arc::<Callers>::from_ref(state).people.config.sign_in.password_enabled {
            return Ok(Self);
        }
        Err(Error::not_found("Email sign-in is not enabled."))
    }
}
