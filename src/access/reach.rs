//! Access to the project or organization in the path.

use super::{AuthMethod, Caller, Callers, SignedIn};
use crate::accounts::User;
use crate::accounts::standing::Standing;
use crate::accounts::tokens::TokenScope;
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, ProjectId};
use crate::live::Watcher;
use crate::organizations;
use crate::projects::Scope;
use crate::roles::Role;
use crate::sabotage;
use axum::extract::{FromRef, FromRequestParts, Path};
use axum::http::request::Parts;
use serde::Deserialize;
use std::marker::PhantomData;
use std::sync::Arc;

/// A project that the caller may access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectScope {
    pub id: ProjectId,
    pub organization: OrganizationId,
}

/// What a route requires of its caller.
pub trait Need: Send + Sync {
    /// Keys with one of these scopes are allowed, too.
    const KEY_SCOPES: &'static [Scope];
    /// People with this role or a higher one are allowed.
    const ROLE: Role;
    /// Personal access tokens need this scope or a higher one.
    const SCOPE: TokenScope =
        if matches!(Self::ROLE, Role::Member) { TokenScope::Read } else { TokenScope::Admin };
    /// Personal access tokens are not allowed at all: tools may not change how people sign in.
    const SESSION_ONLY: bool = false;
    /// The role that people need to act on others, if [`Need::ROLE`] is for acting on themselves. The
    /// transaction checks it.
    const ROLE_OVER_OTHERS: Option<Role> = None;
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
    /// Reading a project.
    Read: Member, [Read];
    /// Reading its releases.
    ReadReleases: Member, [Read, Releases];
    /// Recording their deploys.
    RecordDeploys: Member, [Releases];
    /// Deleting its releases.
    ManageReleases: Admin, [Releases];
    /// Working on its issues.
    Work: Member, [];
    /// Changing its settings and keys.
    Administer: Admin, [];
    /// Managing an organization's people, keys and settings.
    ManageOrganization: Admin, [];
}

/// What only an organization's owner may do.
pub struct OwnerOnly;

impl Need for OwnerOnly {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Owner;
    const SESSION_ONLY: bool = true;
}

/// Managing how an organization's people sign in.
pub struct ManageSignIn;

impl Need for ManageSignIn {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Admin;
    const SESSION_ONLY: bool = true;
}

/// Limiting what an organization's agents may use. Agents may have tokens, so this needs a session.
pub struct LimitAgents;

impl Need for LimitAgents {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Admin;
    const SESSION_ONLY: bool = true;
}

/// Connecting a code host: the browser goes to the host and comes back.
pub struct ConnectHost;

impl Need for ConnectHost {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Admin;
    const SESSION_ONLY: bool = true;
}

/// Requests through an organization's connections, which go to other services.
pub struct UseConnections;

impl Need for UseConnections {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Member;
    const SCOPE: TokenScope = TokenScope::Write;
}

/// Removing somebody from an organization, possibly oneself.
pub struct RemoveMember;

impl Need for RemoveMember {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Member;
    const SCOPE: TokenScope = TokenScope::Admin;
    const ROLE_OVER_OTHERS: Option<Role> = Some(Role::Admin);
}

/// Deleting a comment on an issue, possibly one's own.
pub struct DeleteComment;

impl Need for DeleteComment {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Member;
    const ROLE_OVER_OTHERS: Option<Role> = Some(Role::Admin);
}

/// Changing or deleting a view of issues, possibly one's own.
pub struct ChangeView;

impl Need for ChangeView {
    const KEY_SCOPES: &'static [Scope] = &[];
    const ROLE: Role = Role::Member;
    const ROLE_OVER_OTHERS: Option<Role> = Some(Role::Admin);
}

/// Access to the project in the path, as required by `N`.
pub struct Access<N> {
    pub project: ProjectScope,
    pub caller: Caller,
    need: PhantomData<N>,
}

impl<N> Access<N> {
    /// The standing to check again in the transaction, if the caller is a person.
    ///
    /// # Errors
    /// Unauthenticated for a key.
    pub fn standing(&self) -> Result<Standing>
    where
        N: Need,
    {
        match &self.caller {
            Caller::Person(person) => {
                let within = Some((self.project.organization, N::ROLE));
                Ok(Standing { within, ..person.standing() })
            }
            Caller::Key(_) | Caller::OrganizationKey(_) => Err(Error::signed_out()),
        }
    }

    /// The person or key whose open streams are counted.
    pub fn watcher(&self) -> Watcher {
        match &self.caller {
            Caller::Person(person) => Watcher::Person(person.user.id),
            Caller::Key(key) => Watcher::Key(key.id),
            Caller::OrganizationKey(key) => Watcher::OrganizationKey(key.id),
        }
    }

    /// Whether the caller is a program with a personal access token or a key, so that what it writes does not count
    /// as written by a person.
    pub fn is_by_token(&self) -> bool {
        !matches!(&self.caller, Caller::Person(SignedIn { by: AuthMethod::Session { .. }, .. }))
    }

    /// The person, if the caller is one.
    pub fn user(&self) -> Option<&User> {
        match &self.caller {
            Caller::Person(person) => Some(&person.user),
            Caller::Key(_) | Caller::OrganizationKey(_) => None,
        }
    }

    /// Access of a caller to a project that the handler found by other means than the path, such as an event's id.
    ///
    /// # Errors
    /// Forbidden if the caller has none.
    pub async fn to(callers: &Callers, caller: Caller, project: ProjectId) -> Result<Self>
    where
        N: Need,
    {
        let project = scope::<N>(callers, &caller, project).await?;
        Ok(Self { project, caller, need: PhantomData })
    }

    /// Checks again whether the caller has access, long after the request arrived. This does not count as a
    /// use of the session.
    ///
    /// # Errors
    /// If the session has ended, the key was revoked, or the caller no longer has access to the project.
    pub async fn renew(&self, callers: &Callers) -> Result<()>
    where
        N: Need,
    {
        if sabotage::on("access_for_ever") {
            return Ok(());
        }
        match &self.caller {
            Caller::Key(key) if callers.directory.has(key.id) => return Ok(()),
            Caller::Key(_) => return Err(Error::invalid_key()),
            Caller::OrganizationKey(key) => {
                let id = key.id;
                let valid =
                    callers.people.main.look_up(move |c| organizations::keys::sql::is_valid(c, id)).await?;
                if !valid {
                    return Err(Error::invalid_key());
                }
            }
            Caller::Person(person) => person.renew(callers).await?,
        }
        scope::<N>(callers, &self.caller, self.project.id).await.map(drop)
    }
}

#[derive(Deserialize)]
struct ProjectPath {
    project_id: String,
}

impl<N: Need, S> FromRequestParts<S> for Access<N>
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let path = Path::<ProjectPath>::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::no_project_access())?;
        let id = ProjectId(path.project_id.parse().map_err(|_| Error::no_project_access())?);
        let project = scope::<N>(&Arc::<Callers>::from_ref(state), &caller, id).await?;
        Ok(Self { project, caller, need: PhantomData })
    }
}

/// The project, if the caller may access it.
async fn scope<N: Need>(callers: &Callers, caller: &Caller, id: ProjectId) -> Result<ProjectScope> {
    let refused = Error::no_project_access;
    let organization = match caller {
        Caller::Key(key) => {
            if key.project != id {
                return Err(refused());
            }
            key.require(N::KEY_SCOPES)?;
            key.organization
        }
        Caller::OrganizationKey(key) => {
            let found = callers.people.main.look_up(move |c| organizations::sql::of_project(c, id)).await?;
            found.filter(|organization| *organization == key.organization).ok_or_else(refused)?;
            if !N::KEY_SCOPES.contains(&Scope::Read) {
                return Err(Error::forbidden("An organization key can only read: sign in."));
            }
            key.organization
        }
        Caller::Person(person) => {
            let user = person.user.id;
            let found = callers
                .people
                .main
                .look_up(move |c| organizations::sql::role_in_project(c, user, id))
                .await?;
            let (organization, role) = found.ok_or_else(refused)?;
            require::<N>(person, role)?;
            organization
        }
    };
    Ok(ProjectScope { id, organization })
}

pub(super) fn require<N: Need>(person: &SignedIn, role: Role) -> Result<()> {
    require_role(role, N::ROLE)?;
    match person.by {
        AuthMethod::Token { .. } if N::SESSION_ONLY => Err(Error::no_tools()),
        _ => person.require(N::SCOPE),
    }
}

/// Membership in the organization in the path, as required by `N`.
pub struct Membership<N> {
    pub organization: OrganizationId,
    pub role: Role,
    pub user: User,
    /// To be checked in the transaction.
    pub standing: Standing,
    need: PhantomData<N>,
}

#[derive(Deserialize)]
struct OrganizationPath {
    organization_id: String,
}

impl<N: Need, S> FromRequestParts<S> for Membership<N>
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let person = SignedIn::from_request_parts(parts, state).await?;
        let organization = organization_in_path(parts, state).await?;
        let role = role(&Arc::<Callers>::from_ref(state), &person, organization).await?;
        require::<N>(&person, role)?;
        let standing = Standing { within: Some((organization, N::ROLE)), ..person.standing() };
        Ok(Self { organization, role, user: person.user, standing, need: PhantomData })
    }
}

/// Read access to the organization in the path, for its people and its own keys.
pub struct OrganizationAccess {
    pub organization: OrganizationId,
    /// A key may read what a member may.
    pub role: Role,
    pub caller: Caller,
}

impl<S> FromRequestParts<S> for OrganizationAccess
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let organization = organization_in_path(parts, state).await?;
        let role = match &caller {
            Caller::Person(person) => role(&Arc::<Callers>::from_ref(state), person, organization).await?,
            Caller::OrganizationKey(key) if key.organization == organization => Role::Member,
            Caller::OrganizationKey(_) => return Err(Error::no_organization_access()),
            Caller::Key(_) => return Err(Error::forbidden("A project key cannot do this: sign in.")),
        };
        Ok(Self { organization, role, caller })
    }
}

async fn organization_in_path<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<OrganizationId> {
    let refused = Error::no_organization_access;
    let path = Path::<OrganizationPath>::from_request_parts(parts, state).await.map_err(|_| refused())?;
    Ok(OrganizationId(path.organization_id.parse().map_err(|_| refused())?))
}

pub(super) async fn role(callers: &Callers, person: &SignedIn, organization: OrganizationId) -> Result<Role> {
    let user = person.user.id;
    let found = callers.people.main.look_up(move |c| organizations::sql::role(c, user, organization)).await?;
    found.ok_or_else(Error::no_organization_access)
}

pub(super) fn require_role(role: Role, needed: Role) -> Result<()> {
    if role >= needed {
        return Ok(());
    }
    let (role, needed) = (role.as_str(), needed.as_str());
    Err(Error::forbidden(format!("This needs the role {needed}, yours is {role}. Ask an administrator.")))
}
