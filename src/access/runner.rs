//! A runner, by its token.

use super::{Callers, find};
use crate::accounts::throttle::Bearer;
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::credential::bearer;
use crate::http::quota::QuotaSlot;
use crate::runners;
use crate::sessions::service::runs::Caller;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use std::sync::Arc;

/// Requests of a runner in a minute: some for each of a hundred sessions every second.
const PER_MINUTE: u32 = 30_000;

/// A runner with a valid token (`rt_…`).
pub struct RunnerAccess(pub Caller);

impl<S> FromRequestParts<S> for RunnerAccess
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let missing = || {
            Error::Unauthenticated(
                "Not signed in. Send the runner's token: `Authorization: Bearer rt_…`.".into(),
            )
        };
        let given = bearer(&parts.headers).ok_or_else(missing)??;
        if !given.starts_with("rt_") {
            return Err(unknown());
        }
        let callers = Arc::<Callers>::from_ref(state);
        let hash = token::key_hash(given);
        let (organization, runner) =
            find(&callers, hash, unknown, move |c| runners::sql::find(c, &hash)).await?;
        let bucket = Bearer::Runner(runner.id);
        let taken = callers.people.throttle.platform.take_of_minute(bucket, PER_MINUTE, "requests");
        let (allowance, refused) = match taken {
            Ok(allowance) => (allowance, None),
            Err((allowance, error)) => (Some(allowance), Some(error)),
        };
        if let (Some(allowance), Some(slot)) = (allowance, parts.extensions.get::<QuotaSlot>()) {
            slot.fill(allowance.quota, allowance.reset);
        }
        match refused {
            Some(error) => Err(error),
            None => Ok(Self(Caller { id: runner.id, organization, labels: runner.labels })),
        }
    }
}

fn unknown() -> Error {
    Error::Unauthenticated(
        "This is no valid token of a runner. Create a runner, and start it with the token that is shown then.".into(),
    )
}
