//! Callers of `/mcp`, where reading is a POST, too.

use super::{Caller, Callers, Reader};
use crate::error::{Error, Result};
use crate::http::credential::Credential;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::{Method, request::Parts};
use std::mem::replace;
use std::sync::Arc;

/// A caller who may read in their own projects, with a token or key in the `Authorization` header, which no page can
/// make a browser send. A read-only token is accepted whatever the method; operations that change something check for
/// a higher scope themselves.
pub struct ToolCaller(pub Caller);

impl<S> FromRequestParts<S> for ToolCaller
where
    Arc<Callers>: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let https = Arc::<Callers>::from_ref(state).people.addresses.api.is_https();
        if let Credential::Cookie(_) = Credential::of(&parts.headers, https)? {
            return Err(Error::signed_out());
        }
        let method = replace(&mut parts.method, Method::GET);
        let caller = Reader::from_request_parts(parts, state).await;
        parts.method = method;
        caller.map(|Reader(caller)| Self(caller))
    }
}
