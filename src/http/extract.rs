//! Extractors for JSON bodies, query strings and paging, whose errors say what was wrong.

use super::OFFSET_MAX;
use super::body::{self, Share};
use crate::error::{Error, Result};
use crate::store::Page;
use crate::text::shown;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, header, request::Parts};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

/// The largest JSON body of a dashboard request, in bytes.
pub const JSON_MAX: usize = 256 << 10;

/// A JSON body of a dashboard request, of at most so many bytes.
pub struct Json<T, const MAX: usize = JSON_MAX>(pub T);

impl<S: Send + Sync, T: DeserializeOwned, const MAX: usize> FromRequest<S> for Json<T, MAX> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let (parts, body) = request.into_parts();
        require_json(&parts.headers)?;
        let bytes = body::read(&parts.headers, body, MAX, |_| Share::of_strangers()).await?;
        Ok(Self(parse_json(&bytes)?))
    }
}

/// A JSON body that may be missing, as if it were `{}`.
pub struct MaybeJson<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for MaybeJson<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let is_empty = hyper::body::Body::is_end_stream(request.body());
        if is_empty {
            return Ok(Self(T::default()));
        }
        Json::<T>::from_request(request, state).await.map(|Json(body)| Self(body))
    }
}

/// # Errors
/// 415 for any content type but `application/json`.
pub fn require_json(headers: &HeaderMap) -> Result<()> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Error::unsupported(format!("Content-Type: expected application/json, got `{}`", shown(kind, 64))))
}

/// Reads JSON into a request type.
///
/// # Errors
/// 400 if it is not JSON, 422 naming the field if it does not fit.
pub fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    // In two steps: in one, a number where a name is expected would be reported as a syntax error.
    let value = serde_json::from_slice(bytes).map_err(|error| match error.to_string() {
        text if text.starts_with(TOO_DEEP) => Error::invalid("The body is nested deeper than 127 levels"),
        text => Error::malformed(format!("The body is not JSON: {text}")),
    })?;
    fit(&value)
}

/// The start of serde's error for excessive depth.
const TOO_DEEP: &str = "recursion limit exceeded";

/// Converts JSON to a request type.
///
/// # Errors
/// 422 naming the field.
pub fn fit<T: DeserializeOwned>(value: &serde_json::Value) -> Result<T> {
    // serde would accept an array as the fields in order.
    if value.is_array() {
        return Err(Error::invalid("The body: expected an object, got an array"));
    }
    serde_path_to_error::deserialize(value).map_err(|error| match error.path().to_string() {
        path if path != "." => Error::invalid(format!("{path}: {}", error.inner())),
        _ => Error::invalid(format!("The body does not fit: {}", error.inner())),
    })
}

/// For `Option<Option<T>>`: distinguishes a field that is `null` from one that is missing.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// A query string.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|rejection| Error::invalid(format!("query string: {}", rejection.body_text())))
    }
}

/// `limit` and `offset` of a list, as text, so that errors have our own message.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Rows to return; bounds and default depend on the list.
    #[param(value_type = Option<i64>)]
    pub limit: Option<String>,
    /// Rows to skip, 0 to 1,000,000.
    #[param(value_type = Option<i64>)]
    pub offset: Option<String>,
}

impl Paging {
    /// # Errors
    /// 422 if `limit` is not from 1 to `max`, or `offset` is not from 0 to a million.
    pub fn page(&self, default: u64, max: u64) -> Result<Page> {
        Ok(Page {
            limit: bounded("limit", self.limit.as_deref(), default, 1, max)?,
            offset: bounded("offset", self.offset.as_deref(), 0, 0, OFFSET_MAX)?,
        })
    }
}

/// A whole number from `min` to `max`.
///
/// # Errors
/// 422 naming both bounds.
pub fn bounded(name: &str, given: Option<&str>, default: u64, min: u64, max: u64) -> Result<i64> {
    let Some(given) = given else { return Ok(default.cast_signed()) };
    match given.parse::<u64>() {
        Ok(value) if (min..=max).contains(&value) => Ok(value.cast_signed()),
        _ => Err(Error::invalid(format!(
            "{name}: expected a whole number from {min} to {max}, got `{}`",
            shown(given, 64)
        ))),
    }
}

/// The value of a filter; an empty one is none.
pub fn chosen(given: Option<String>) -> Option<String> {
    given.filter(|text| !text.is_empty())
}

/// `true` or `false`.
///
/// # Errors
/// 422 naming both.
pub fn yes_or_no(name: &str, given: Option<&str>, default: bool) -> Result<bool> {
    let Some(given) = given else { return Ok(default) };
    given
        .parse()
        .map_err(|_| Error::invalid(format!("{name}: expected true or false, got `{}`", shown(given, 64))))
}
