//! `/api/v1/organizations`.

use super::{Member, Organization, sql};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::callers::{Membership, Read, SignedIn};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// One organization with its people.
#[derive(Serialize, ToSchema)]
pub struct OrganizationDetails {
    #[serde(flatten)]
    pub organization: Organization,
    pub members: Vec<Member>,
    pub member_count: usize,
}

/// Lists the organizations of the signed-in person.
#[utoipa::path(get, path = "/api/v1/organizations", tag = "organizations",
    responses((status = 200, body = Vec<Organization>)))]
pub async fn list_organizations(
    State(app): State<Arc<App>>,
    caller: SignedIn,
) -> Result<Json<Vec<Organization>>> {
    Ok(Json(app.main.read(move |c| sql::list(c, caller.user.id)).await?))
}

/// Shows one organization with its members.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}", tag = "organizations",
    params(("organization_id" = i64, Path)), responses((status = 200, body = OrganizationDetails)))]
pub async fn get_organization(
    State(app): State<Arc<App>>,
    access: Membership<Read>,
) -> Result<Json<OrganizationDetails>> {
    let found = app.main.read(move |c| {
        let organization = sql::get(c, access.organization, access.user.id)?;
        Ok((organization.ok_or_else(Error::no_organization_access)?, sql::members(c, access.organization)?))
    });
    let (organization, members) = found.await?;
    Ok(Json(OrganizationDetails { organization, member_count: members.len(), members }))
}
