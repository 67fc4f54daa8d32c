//! What an operation requires of its caller, for the API document (`x-access`).
//!
//! A route's attribute names its extractor, and the extractor says whom it admits. The access tests call
//! every operation of the document as every kind of caller, and fail if a route uses another extractor than
//! its attribute names.

use super::{
    Access, Administrator, Browser, Caller, ManageOrganization, Membership, Need, OrganizationAccess,
    OrganizationCaller, Platform, PlatformNeed, Reader, ReleaseKey, RunnerAccess, SignedIn, ToolCaller,
    platform,
};
use crate::accounts::tokens::TokenScope;
use crate::organizations::keys::OrganizationScope;
use crate::projects::Scope;
use crate::roles::Role;
use serde::Serialize;

/// Who may call, and what they need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Needs {
    by: Vec<Kind>,
    /// A project key needs one of these.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    key_scopes: &'static [Scope],
    /// A person needs this role in the organization, or a higher one.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    /// The same if the act concerns somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    role_over_others: Option<Role>,
    /// A personal access token needs this scope or a higher one. Any change needs at least `write`.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_scope: Option<TokenScope>,
    /// An organization key needs this scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    organization_scope: Option<OrganizationScope>,
}

/// A kind of caller, by credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Anybody,
    Session,
    Token,
    OrganizationKey,
    ProjectKey,
    /// A project key, in the body only.
    KeyInBody,
    /// The token of a runner.
    Runner,
}

const EVERY_SCOPE: &[Scope] = &[Scope::Ingest, Scope::Releases, Scope::Read];

impl Needs {
    fn of(by: &[Kind]) -> Self {
        let organization_scope = by.contains(&Kind::OrganizationKey).then_some(OrganizationScope::Read);
        let (role, role_over_others, token_scope) = (None, None, None);
        Self { by: by.to_vec(), key_scopes: &[], role, role_over_others, token_scope, organization_scope }
    }

    /// Nothing: anybody may call.
    pub fn nothing() -> Self {
        Self::of(&[Kind::Anybody])
    }

    /// A key with the scope `ingest`, in the body.
    pub fn key_in_body() -> Self {
        Self { key_scopes: &[Scope::Ingest], ..Self::of(&[Kind::KeyInBody]) }
    }

    fn of_people<N: Need>() -> Self {
        let by: &[Kind] = if N::SESSION_ONLY { &[Kind::Session] } else { &[Kind::Session, Kind::Token] };
        let token_scope = (!N::SESSION_ONLY).then_some(N::SCOPE);
        Self { role: Some(N::ROLE), role_over_others: N::ROLE_OVER_OTHERS, token_scope, ..Self::of(by) }
    }
}

impl<N: Need> Access<N> {
    pub fn needs() -> Needs {
        let mut needs = Needs::of_people::<N>();
        needs.key_scopes = N::KEY_SCOPES;
        if N::KEY_SCOPES.contains(&Scope::Read) {
            needs.by.push(Kind::OrganizationKey);
            needs.organization_scope = Some(OrganizationScope::Read);
        }
        needs.by.extend((!N::KEY_SCOPES.is_empty()).then_some(Kind::ProjectKey));
        needs
    }
}

impl<N: Need> Membership<N> {
    pub fn needs() -> Needs {
        Needs::of_people::<N>()
    }
}

impl<N: PlatformNeed> Platform<N> {
    pub fn needs() -> Needs {
        if N::SESSION_ONLY {
            return Needs { role: Some(N::ROLE), ..Needs::of(&[Kind::Session]) };
        }
        Needs {
            role: Some(N::ROLE),
            token_scope: Some(platform::token_scope(N::SCOPE)),
            organization_scope: Some(N::SCOPE),
            ..Needs::of(&[Kind::Session, Kind::Token, Kind::OrganizationKey])
        }
    }
}

impl RunnerAccess {
    pub fn needs() -> Needs {
        Needs::of(&[Kind::Runner])
    }
}

impl Administrator {
    /// In an instance of several organizations, a place in `ADMIN_EMAILS` instead of the role.
    pub fn needs() -> Needs {
        Needs::of_people::<ManageOrganization>()
    }
}

impl OrganizationAccess {
    pub fn needs() -> Needs {
        Needs { role: Some(Role::Member), ..OrganizationCaller::needs() }
    }
}

impl OrganizationCaller {
    pub fn needs() -> Needs {
        let by = [Kind::Session, Kind::Token, Kind::OrganizationKey];
        Needs { token_scope: Some(TokenScope::Read), ..Needs::of(&by) }
    }
}

impl Caller {
    pub fn needs() -> Needs {
        let mut needs = OrganizationCaller::needs();
        needs.by.push(Kind::ProjectKey);
        Needs { key_scopes: EVERY_SCOPE, ..needs }
    }
}

impl Reader {
    pub fn needs() -> Needs {
        Needs { key_scopes: &[Scope::Read], role: Some(Role::Member), ..Caller::needs() }
    }
}

impl ToolCaller {
    pub fn needs() -> Needs {
        Reader::needs()
    }
}

impl SignedIn {
    /// Of what belongs to the person: a token needs the scope, `write` for any change.
    pub fn needs(token_scope: TokenScope) -> Needs {
        Needs { token_scope: Some(token_scope), ..Needs::of(&[Kind::Session, Kind::Token]) }
    }
}

impl Browser {
    pub fn needs() -> Needs {
        Needs::of(&[Kind::Session])
    }
}

impl ReleaseKey {
    pub fn needs() -> Needs {
        Needs { key_scopes: &[Scope::Releases], ..Needs::of(&[Kind::ProjectKey]) }
    }
}
