//! `/api/v1/organizations/{organization_id}/agent-caps`.

use crate::access::{LimitAgents, Membership, OrganizationAccess};
use crate::audit::{self, Actor};
use crate::error::Result;
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::sessions::caps::Caps;
use crate::sessions::sql::defaults;
use crate::store::Main;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use serde_json::json;

/// Shows what a session of the organization may use that says nothing else.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/agent-caps", tag = "automation",
    extensions(("x-access" = json!(OrganizationAccess::needs()))),
    params(("organization_id" = i64, Path)), responses((status = 200, body = Caps)))]
pub async fn get_agent_caps(State(main): State<Main>, access: OrganizationAccess) -> Result<Answer<Caps>> {
    Ok(Answer(main.read(move |c| defaults::get(c, access.organization)).await?))
}

/// Says what sessions that begin from now on may use, unless they, or their automation, say something else. Sessions that a key
/// or a token starts may say less, and not more.
#[utoipa::path(put, path = "/api/v1/organizations/{organization_id}/agent-caps", tag = "automation",
    extensions(("x-access" = json!(Membership::<LimitAgents>::needs()))),
    params(("organization_id" = i64, Path)), request_body = Caps, responses((status = 200, body = Caps)))]
pub async fn set_agent_caps(
    State(main): State<Main>,
    access: Membership<LimitAgents>,
    client: Client,
    Json(caps): Json<Caps>,
) -> Result<Answer<Caps>> {
    let (caps, id) = (caps.check()?, access.organization);
    let actor = Actor::person(&access.user, client.address);
    let write = main.write(move |tx| {
        access.standing.check(tx)?;
        let detail = json!({ "from": defaults::get(tx, id)?, "to": caps });
        defaults::set(tx, id, caps)?;
        let act = actor.did("agent_caps.changed", "agent caps").within(id).with(detail);
        audit::sql::add(tx, &act, Timestamp::now())?;
        Ok(caps)
    });
    Ok(Answer(write.await?))
}
