//! `…/releases/{version}/compare`.

use super::{Comparison, sql};
use crate::access::{Access, Caller, ReadReleases};
use crate::error::{Error, Result};
use crate::http::extract::{Query, chosen};
use crate::projects::Scope;
use crate::releases::http::not_found;
use crate::releases::sql::get_health;
use crate::store::Main;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::IntoParams;

/// What a release is compared with.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CompareParams {
    /// A version, or `previous` (default): of the releases with events, the next lower version if both are semantic, else
    /// the one that was created, or first seen, before.
    with: Option<String>,
    /// Compares what both have in this environment, which may be nothing: events, users and issues, and since when. The
    /// release before is then one with events there. `new_issue_count` and `regression_count` are of all environments.
    environment: Option<String>,
}

/// The word for the release before.
const PREVIOUS: &str = "previous";

/// Compares a release with another: new issues, regressions, issues that are gone, events per hour and per user.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/releases/{version}/compare", tag = "releases",
    extensions(("x-access" = json!(Access::<ReadReleases>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path), CompareParams),
    responses((status = 200, body = Comparison), (status = 404)))]
pub async fn compare_releases(
    State(main): State<Main>,
    access: Access<ReadReleases>,
    Path((_, version)): Path<(String, String)>,
    Query(params): Query<CompareParams>,
) -> Result<Answer<Comparison>> {
    let (project, now) = (access.project.id, Timestamp::now());
    let environment = chosen(params.environment);
    let read = main.read(move |c| {
        let environment = environment.as_deref();
        let get = |version: &str| -> Result<_, Error> {
            get_health(c, project, version, environment)?.ok_or_else(|| not_found(version))
        };
        let release = get(&version)?;
        let with = match params.with.as_deref() {
            None | Some(PREVIOUS) => sql::previous(c, &release, environment)?,
            Some(version) => Some(version.to_owned()),
        };
        let base = with.as_deref().map(get).transpose()?;
        sql::compare(c, environment, release, base, now)
    });
    let mut comparison = read.await?;
    if !may_read(&access.caller) {
        comparison.withhold();
    }
    Ok(Answer(comparison))
}

/// Whether a caller may see data from events. A key with only the scope `releases` may not.
fn may_read(caller: &Caller) -> bool {
    match caller {
        Caller::Key(key) => key.scopes.contains(&Scope::Read),
        Caller::OrganizationKey(_) | Caller::Person(_) => true,
    }
}
