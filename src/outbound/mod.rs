//! The one HTTP client for addresses that come from the configuration and from providers.
//!
//! Such an address may name anything, so a request goes only where it was checked: the host is resolved once, each
//! address is judged ([`guard`]), and the connection goes to one of exactly those. Redirects are not followed,
//! proxies are not used, and the time and size of an answer are limited.
//!
//! Bodies are read whole ([`Client::fetch`]) or streamed ([`Client::stream`]). Each request has its own connection,
//! made with hyper. hyper-util's client would add a pool, in which a connection that was checked for one request
//! serves another, and requests fail when the other side has just closed an idle connection.

mod body;
mod client;
mod error;
pub mod guard;
mod resolve;
mod target;
mod tls;
mod watched;

pub use body::{Answer, Body};
pub use client::{Client, Limits};
pub use error::OutboundError;
pub use resolve::{Resolved, Resolver, SystemResolver};

use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};

/// Where a request may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// https, and only to addresses of the public internet.
    Guarded,
    /// For addresses that the operator configured: any address with https, and plain http only to
    /// `localhost`, `127.0.0.1` and `[::1]`.
    Configured,
    /// With the guard turned off: any address, also with plain http.
    Open,
}

/// Checks an address by its form alone, without resolving it; for redirecting a browser.
///
/// # Errors
/// If it is not an address, or the policy forbids it.
pub fn read(url: &str, policy: Policy) -> Result<url::Url, OutboundError> {
    Ok(target::Target::parse(url, policy)?.url)
}

/// A request.
#[derive(Clone)]
pub struct Request<B = Vec<u8>> {
    pub method: Method,
    pub url: String,
    /// `Host`, `User-Agent` and `Content-Length` are set by the client.
    pub headers: HeaderMap,
    pub body: B,
}

impl Request {
    /// A GET request for JSON.
    pub fn get(url: impl Into<String>) -> Self {
        Self { method: Method::GET, url: url.into(), headers: json_wanted(), body: Vec::new() }
    }

    /// A HEAD request, to check whether something exists.
    pub fn head(url: impl Into<String>) -> Self {
        Self { method: Method::HEAD, headers: HeaderMap::new(), ..Self::get(url) }
    }

    /// A POST request with a JSON document, for JSON.
    pub fn post_json(url: impl Into<String>, document: &serde_json::Value) -> Self {
        Self::post(url, "application/json", document.to_string().into_bytes())
    }

    /// A POST request with form fields, for JSON.
    pub fn post_form(url: impl Into<String>, fields: &[(&str, &str)]) -> Self {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields);
        Self::post(url, "application/x-www-form-urlencoded", form.finish().into_bytes())
    }

    fn post(url: impl Into<String>, content_type: &'static str, body: Vec<u8>) -> Self {
        let mut headers = json_wanted();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { method: Method::POST, url: url.into(), headers, body }
    }
}

impl<B> Request<B> {
    /// The same with another body.
    pub fn with_body<C>(self, body: C) -> Request<C> {
        let Self { method, url, headers, .. } = self;
        Request { method, url, headers, body }
    }

    /// Adds a header, marked as sensitive.
    ///
    /// # Errors
    /// If the value contains characters that are not allowed in a header; the value is not repeated.
    pub fn secret_header(mut self, name: HeaderName, value: &str) -> Result<Self, OutboundError> {
        let mut value = HeaderValue::from_str(value).map_err(|_| OutboundError::Header(name.to_string()))?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }
}

fn json_wanted() -> HeaderMap {
    HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))])
}

/// An answer, with any status except a redirect.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}
