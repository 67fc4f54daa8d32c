//! Who runs the instance.

use super::reach::{ManageOrganization, Need as _, require};
use super::{Callers, SignedIn};
use crate::accounts::User;
use crate::accounts::admission::{self, is_listed};
use crate::accounts::standing::Standing;
use crate::error::{Error, Result};
use crate::ids::{OrganizationId, UserId};
use crate::organizations;
use crate::roles::Role;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use std::sync::Arc;

/// An administrator of the instance. In an instance of one organization these are its admins and its owner. In an
/// instance of several organizations anybody can found one and own it, so only the people named in `ADMIN_EMAILS` are
/// administrators, once they have confirmed that address. An invitation does not count as confirmation here: whoever
/// founds an organization can invite any address and follow the link.
pub struct Administrator {
    pub user: User,
    /// To be checked in the transaction.
    pub standing: Standing,
}

impl<S> FromRequestParts<S> for Administrator
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let person = SignedIn::from_request_parts(parts, state).await?;
        let callers = Arc::<Callers>::from_ref(state);
        let mut standing = person.standing();
        if person.single_org {
            let (organization, role) = only_role(&callers, person.user.id).await?;
            require::<ManageOrganization>(&person, role)?;
            standing.within = Some((organization, ManageOrganization::ROLE));
        } else {
            require_listed(&callers, person.user.id).await?;
            require::<ManageOrganization>(&person, Role::Admin)?;
        }
        Ok(Self { user: person.user, standing })
    }
}

async fn only_role(callers: &Callers, user: UserId) -> Result<(OrganizationId, Role)> {
    let find = move |c: &_| {
        let Some(only) = organizations::sql::only(c)? else { return Ok(None) };
        Ok(organizations::sql::role(c, user, only)?.map(|role| (only, role)))
    };
    callers.people.main.look_up(find).await?.ok_or_else(Error::no_organization_access)
}

async fn require_listed(callers: &Callers, user: UserId) -> Result<()> {
    let account = callers.people.main.look_up(move |c| admission::sql::by_id(c, user)).await?;
    let sign_in = &callers.people.config.sign_in;
    if account.is_some_and(|account| account.email_proven && is_listed(sign_in, &account.user.email)) {
        return Ok(());
    }
    Err(Error::forbidden(
        "This is for administrators of the instance: people whose confirmed address is in ADMIN_EMAILS.",
    ))
}
