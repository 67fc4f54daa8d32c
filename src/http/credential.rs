//! The credential in a request: the session cookie, or a token in `Authorization`.

use crate::error::{Error, Result};
use ::cookie::Cookie;
use axum::http::{HeaderMap, header};

/// The name of the session cookie over https, where its prefix binds it to the host, and over plain http.
const COOKIE_HTTPS: &str = "__Host-mayday_session";
const COOKIE_HTTP: &str = "mayday_session";

/// The text for a request to a Bearer endpoint without a token; clients depend on it.
pub(crate) const MALFORMED_BEARER: &str = "Invalid authorization header. Use 'Bearer <api_key>'";

pub fn cookie_name(https: bool) -> &'static str {
    if https { COOKIE_HTTPS } else { COOKIE_HTTP }
}

/// The session token in the request's cookies.
fn session_cookie(headers: &HeaderMap, https: bool) -> Option<&str> {
    cookie(headers, cookie_name(https))
}

/// The value of a cookie; the first one if there are two with the same name.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = values.flat_map(Cookie::split_parse).flatten();
    cookies.find(|cookie| cookie.name() == name)?.value_raw()
}

/// The value after `Bearer `; `None` without the header.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<Result<&str>> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let token = token.map(|(_, token)| token.trim()).filter(|token| !token.is_empty());
    Some(token.ok_or_else(|| Error::Unauthenticated(MALFORMED_BEARER.into())))
}

/// The credential of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential<'a> {
    /// A session or a key.
    Bearer(&'a str),
    /// Always a session.
    Cookie(&'a str),
}

impl<'a> Credential<'a> {
    /// A Bearer token takes precedence over the cookie. A header with another scheme is meant for somebody
    /// else, such as a proxy with `Basic`, and does not affect the cookie.
    ///
    /// # Errors
    /// Unauthenticated if there is neither, and if the header is `Bearer` without a token.
    pub fn of(headers: &'a HeaderMap, https: bool) -> Result<Self> {
        if let Some(token) = session_cookie(headers, https)
            && !names_bearer(headers)
        {
            return Ok(Self::Cookie(token));
        }
        bearer(headers).unwrap_or_else(|| Err(Error::signed_out())).map(Self::Bearer)
    }
}

fn names_bearer(headers: &HeaderMap) -> bool {
    let scheme = |value: &str| value.split(' ').next().is_some_and(|s| s.eq_ignore_ascii_case("bearer"));
    headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).is_some_and(scheme)
}
