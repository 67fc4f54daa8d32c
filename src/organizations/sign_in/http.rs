//! `/api/v1/organizations/{id}/sign-in`.

use super::SignInSettings;
use crate::access::{ManageOrganization, ManageSignIn, Membership};
use crate::accounts::federation::Report;
use crate::accounts::flows;
use crate::accounts::me::ProviderKind;
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::JSON;
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// Shows the sign-in settings of this instance.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/sign-in", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path)), responses((status = 200, body = SignInSettings)))]
pub async fn get_sign_in_settings(
    State(people): State<Arc<People>>,
    _: Membership<ManageOrganization>,
) -> Result<Answer<SignInSettings>> {
    of_the_instance(&people)?;
    Ok(Answer(SignInSettings::of(&people.config, people.single_org, &people.providers)))
}

#[derive(Deserialize, ToSchema)]
pub struct CheckSignIn {
    pub provider: ProviderKind,
}

/// Checks what can be checked of a provider without a person, step by step; takes at most about 30 s.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/sign-in/check", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageSignIn>::needs()))),
    params(("organization_id" = i64, Path)), request_body = CheckSignIn,
    responses((status = 200, body = Report), (status = 404, description = "Not configured")))]
pub async fn check_sign_in(
    State(people): State<Arc<People>>,
    access: Membership<ManageSignIn>,
    client: Client,
    Json(body): Json<CheckSignIn>,
) -> Result<Answer<Report>> {
    of_the_instance(&people)?;
    let report = people.providers.check(body.provider).await;
    let report = report.ok_or_else(|| Error::not_found("This sign-in method is not configured."))?;
    let act = Actor::person(&access.user, client.address)
        .did("sign_in.tested", body.provider.as_str())
        .within(access.organization)
        .with(json!({ "ok": report.ok, "how": "check" }));
    people.main.write(move |tx| audit::sql::add(tx, &act, Timestamp::now())).await?;
    Ok(Answer(report))
}

/// Shows the report of the caller's test sign-in.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/sign-in/tests/{test_id}", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), ("test_id" = i64, Path)),
    responses((status = 200, body = Report), (status = 404, description = "No such test, or it is over a day old")))]
pub async fn get_sign_in_test(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    Path((_, id)): Path<(String, String)>,
) -> Result<([(HeaderName, HeaderValue); 1], String)> {
    of_the_instance(&people)?;
    let unknown = || Error::not_found("There is no such test, or it was made over a day ago");
    let id: i64 = id.parse().map_err(|_| unknown())?;
    let report = people.main.read(move |c| flows::sql::report(c, access.user.id, id)).await?;
    Ok(([(header::CONTENT_TYPE, JSON)], report.ok_or_else(unknown)?))
}

/// # Errors
/// Forbidden with many organizations: the settings belong to the instance.
fn of_the_instance(people: &People) -> Result<()> {
    if people.single_org {
        return Ok(());
    }
    Err(Error::forbidden("Sign-in is configured by the operator of this instance."))
}
