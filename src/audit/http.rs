//! `/api/v1/organizations/{id}/audit`.

use super::{Entry, sql};
use crate::access::{ManageOrganization, Membership};
use crate::accounts::people::People;
use crate::error::{Error, Result};
use crate::http::extract::{Paging, Query};
use crate::ids::UserId;
use axum::Json as Answer;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// The longest action to filter by, in characters.
const ACTION_MAX: usize = 64;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditParams {
    /// What the action starts with, such as `member.`.
    pub action: Option<String>,
    /// A user's id.
    #[param(value_type = Option<i64>)]
    pub actor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct AuditEntries {
    pub entries: Vec<Entry>,
    pub total: i64,
    pub has_more: bool,
}

/// Lists who did what, newest first.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/audit", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), Paging, AuditParams), responses((status = 200, body = AuditEntries)))]
pub async fn list_audit_entries(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    Query(paging): Query<Paging>,
    Query(params): Query<AuditParams>,
) -> Result<Answer<AuditEntries>> {
    let page = paging.page(50, 200)?;
    // A single organization sees the whole instance; several see neither each other's entries nor the
    // instance's.
    let organization = (!people.single_org).then_some(access.organization);
    let filter =
        sql::Filter { organization, action: check_action(params.action)?, actor: check_actor(params.actor)? };
    let (entries, total) = people.main.read(move |c| sql::list(c, &filter, page)).await?;
    Ok(Answer(AuditEntries { has_more: page.has_more(entries.len(), total), entries, total }))
}

fn check_action(action: Option<String>) -> Result<Option<String>> {
    match action {
        Some(action) if action.len() > ACTION_MAX => {
            Err(Error::invalid(format!("action: expected at most {ACTION_MAX} characters")))
        }
        action => Ok(action.filter(|action| !action.is_empty())),
    }
}

fn check_actor(actor: Option<String>) -> Result<Option<UserId>> {
    let actor = actor.filter(|actor| !actor.is_empty());
    let wrong = |_| Error::invalid("actor: expected a user's id");
    actor.map(|actor| actor.parse().map(UserId).map_err(wrong)).transpose()
}
