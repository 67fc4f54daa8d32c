//! Access to the platform API: to the current organization of a person or of its own key.

use super::reach::{require_role, role};
use super::{AuthMethod, Caller, Callers, OrganizationKey, SignedIn};
use crate::accounts::standing::Standing;
use crate::accounts::throttle::{Allowance, Bearer};
use crate::accounts::tokens::TokenScope;
use crate::audit::Actor;
use crate::error::{Error, Result};
use crate::http::client::address_of;
use crate::http::quota::QuotaSlot;
use crate::ids::{OrganizationId, UserId};
use crate::live::Watcher;
use crate::organizations;
use crate::organizations::keys::OrganizationScope;
use crate::roles::Role;
use crate::sessions::Origin;
use crate::store::Transaction;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use std::marker::PhantomData;
use std::net::IpAddr;
use std::sync::Arc;

/// Which organization is meant by somebody who has several.
const ORGANIZATION: &str = "x-organization-id";

/// What a route of the platform API requires.
pub trait PlatformNeed: Send + Sync {
    /// People with this role or a higher one are allowed.
    const ROLE: Role;
    /// Organization keys with this scope are allowed.
    const SCOPE: OrganizationScope;
    /// Whether it starts a session, which has a limit of its own.
    const STARTS_SESSION: bool = false;
    /// Neither keys nor personal access tokens are allowed: an agent may have one.
    const SESSION_ONLY: bool = false;
}

macro_rules! needs {
    ($($(#[$meta:meta])* $name:ident: $role:ident, $scope:ident, $starts:literal;)+) => {$(
        $(#[$meta])*
        pub struct $name;
        impl PlatformNeed for $name {
            const ROLE: Role = Role::$role;
            const SCOPE: OrganizationScope = OrganizationScope::$scope;
            const STARTS_SESSION: bool = $starts;
        }
    )+};
}

needs! {
    /// Reading.
    ReadPlatform: Member, Read, false;
    /// Working with sessions.
    RunAgents: Member, Write, false;
    /// Starting one.
    StartSession: Member, Write, true;
    /// Changing automations, repositories and runners.
    ManageAutomations: Admin, Write, false;
}

/// Lifting a restriction on an agent. Agents may have keys and tokens, so this needs a session.
pub struct LetThrough;

impl PlatformNeed for LetThrough {
    const ROLE: Role = Role::Member;
    const SCOPE: OrganizationScope = OrganizationScope::Write;
    const SESSION_ONLY: bool = true;
}

/// Changing a repository's restrictions on agents. Agents may have keys and tokens, so this needs a session.
pub struct BoundAgents;

impl PlatformNeed for BoundAgents {
    const ROLE: Role = Role::Admin;
    const SCOPE: OrganizationScope = OrganizationScope::Write;
    const SESSION_ONLY: bool = true;
}

/// The personal access token scope that corresponds to the key scope `scope`. What the person may do is up to their
/// role.
pub(super) fn token_scope(scope: OrganizationScope) -> TokenScope {
    match scope {
        OrganizationScope::Read => TokenScope::Read,
        OrganizationScope::Write => TokenScope::Write,
    }
}

/// Access to the current organization, as required by `N`.
pub struct Platform<N> {
    pub organization: OrganizationId,
    caller: PlatformCaller,
    address: IpAddr,
    need: PhantomData<N>,
}

#[derive(Debug, Clone)]
enum PlatformCaller {
    Person(SignedIn),
    Key(OrganizationKey),
}

/// To be checked in the transaction.
#[derive(Debug, Clone, Copy)]
pub enum PlatformStanding {
    Person(Standing),
    Key(crate::ids::KeyId),
}

impl PlatformStanding {
    /// # Errors
    /// If the session, token or key has ended, or the person no longer has the role.
    pub fn check(&self, tx: &Transaction<'_>) -> Result<()> {
        match self {
            Self::Person(standing) => standing.check(tx),
            Self::Key(id) if organizations::keys::sql::is_valid(tx, *id)? => Ok(()),
            Self::Key(_) => Err(Error::invalid_key()),
        }
    }
}

impl<N: PlatformNeed> Platform<N> {
    pub fn standing(&self) -> PlatformStanding {
        match &self.caller {
            PlatformCaller::Person(person) => {
                let within = Some((self.organization, N::ROLE));
                PlatformStanding::Person(Standing { within, ..person.standing() })
            }
            PlatformCaller::Key(key) => PlatformStanding::Key(key.id),
        }
    }

    /// The person, or whoever created the key: what it creates counts as theirs.
    pub fn creator(&self) -> Option<UserId> {
        match &self.caller {
            PlatformCaller::Person(person) => Some(person.user.id),
            PlatformCaller::Key(key) => key.created_by,
        }
    }

    /// How the request came in: with a person's session in the Web app, or with a key or a token.
    pub fn origin(&self) -> Origin {
        match &self.caller {
            PlatformCaller::Person(SignedIn { by: AuthMethod::Session { .. }, .. }) => Origin::Web,
            _ => Origin::Api,
        }
    }

    /// The person or key whose open streams are counted.
    pub fn watcher(&self) -> Watcher {
        match &self.caller {
            PlatformCaller::Person(person) => Watcher::Person(person.user.id),
            PlatformCaller::Key(key) => Watcher::OrganizationKey(key.id),
        }
    }

    /// The person, if the caller is one.
    pub fn person(&self) -> Option<&SignedIn> {
        match &self.caller {
            PlatformCaller::Person(person) => Some(person),
            PlatformCaller::Key(_) => None,
        }
    }

    /// For the audit log.
    pub fn actor(&self) -> Actor {
        match &self.caller {
            PlatformCaller::Person(person) => Actor::person(&person.user, self.address),
            PlatformCaller::Key(key) => {
                Actor { id: None, name: key.name.clone(), address: Some(self.address) }
            }
        }
    }

    /// Checks again whether the caller has access, long after the request arrived.
    ///
    /// # Errors
    /// If the session or key has ended, or the person is no longer a member.
    pub async fn renew(&self, callers: &Callers) -> Result<()> {
        match &self.caller {
            PlatformCaller::Person(person) => {
                person.renew(callers).await?;
                role(callers, person, self.organization).await.map(drop)
            }
            PlatformCaller::Key(key) => {
                let id = key.id;
                let read = callers.people.main.look_up(move |c| organizations::keys::sql::is_valid(c, id));
                if read.await? { Ok(()) } else { Err(Error::invalid_key()) }
            }
        }
    }
}

impl<N: PlatformNeed, S> FromRequestParts<S> for Platform<N>
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let callers = Arc::<Callers>::from_ref(state);
        let caller = Caller::authenticate(parts, &callers).await?;
        count::<N>(parts, &callers, &caller)?;
        if N::SESSION_ONLY
            && !matches!(&caller, Caller::Person(SignedIn { by: AuthMethod::Session { .. }, .. }))
        {
            return Err(Error::no_tools());
        }
        let (organization, caller) = match caller {
            Caller::Key(_) => {
                return Err(Error::forbidden(
                    "A project key cannot do this: use an organization key (ok_…) or a personal access token.",
                ));
            }
            Caller::OrganizationKey(key) => {
                require_scope(&key, N::SCOPE)?;
                (key.organization, PlatformCaller::Key(key))
            }
            Caller::Person(person) => {
                let organization = current(parts, &callers, &person).await?;
                require_role(role(&callers, &person, organization).await?, N::ROLE)?;
                person.require(token_scope(N::SCOPE))?;
                (organization, PlatformCaller::Person(person))
            }
        };
        let address = address_of(parts, &callers.people.config.sign_in.trusted_proxies);
        Ok(Self { organization, caller, address, need: PhantomData })
    }
}

fn require_scope(key: &OrganizationKey, scope: OrganizationScope) -> Result<()> {
    if key.scopes.contains(&scope) {
        return Ok(());
    }
    Err(Error::forbidden("This key has the scope read, but write is required. Create a key with that scope."))
}

/// Counts the request and reports what is left of the limit.
fn count<N: PlatformNeed>(parts: &Parts, callers: &Callers, caller: &Caller) -> Result<()> {
    let bearer = match caller {
        Caller::Person(person) => Bearer::User(person.user.id.0),
        Caller::OrganizationKey(key) => Bearer::OrganizationKey(key.id.0),
        Caller::Key(key) => Bearer::Key(key.id.0),
    };
    let (config, throttle) = (&callers.people.config.automation, &callers.people.throttle);
    let fill = |allowance: Allowance| {
        if let Some(slot) = parts.extensions.get::<QuotaSlot>() {
            slot.fill(allowance.quota, allowance.reset);
        }
    };
    if N::STARTS_SESSION {
        let taken = throttle.session_starts.take_of_minute(bearer, config.sessions_per_minute, "sessions");
        let taken = taken.map_err(|(allowance, error)| (fill(allowance), error).1)?;
        taken.into_iter().for_each(fill);
    }
    let taken = throttle.platform.take_of_minute(bearer, config.requests_per_minute, "requests");
    let taken = taken.map_err(|(allowance, error)| (fill(allowance), error).1)?;
    taken.into_iter().for_each(fill);
    Ok(())
}

/// The organization that a person means: the one that the header names, or else their only one.
async fn current(parts: &Parts, callers: &Callers, person: &SignedIn) -> Result<OrganizationId> {
    if let Some(named) = parts.headers.get(ORGANIZATION) {
        let id = named.to_str().ok().and_then(|text| text.trim().parse().ok());
        let expected = "X-Organization-Id: expected the number of an organization, see /api/v1/organizations";
        return id.map(OrganizationId).ok_or_else(|| Error::malformed(expected));
    }
    let user = person.user.id;
    let mine = callers.people.main.look_up(move |c| organizations::sql::list(c, user)).await?;
    match mine.as_slice() {
        [] => Err(Error::no_organization_access()),
        [only] => Ok(only.id),
        _ => Err(Error::malformed(
            "You are in several organizations: name one with the header X-Organization-Id, see /api/v1/organizations",
        )),
    }
}
