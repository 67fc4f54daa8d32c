//! What the tests of both protocols share, and those of what they share.

pub(super) mod server;

use super::*;
use crate::outbound::{Client, Limits, OutboundError, Resolved, Resolver, SystemResolver};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio_rustls::rustls::RootCertStore;

pub(super) const REDIRECT: &str = "http://mayday.test/api/v1/auth/callback";
pub(super) const VERIFIER: &str = "verifier-verifier-verifier-verifier-verifier";

pub(super) fn grant() -> Grant<'static> {
    Grant { redirect_uri: REDIRECT, code: "the-code", pkce_verifier: VERIFIER }
}

fn limits() -> Limits {
    Limits { total: Duration::from_secs(5), ..Limits::default() }
}

pub(super) fn client() -> Client {
    Client::with(Arc::new(SystemResolver), RootCertStore::empty(), limits())
}

/// Names that begin with `public` resolve to an address where nobody listens (TCP port 1, never reached), all others
/// to this machine.
struct Split;

impl Resolver for Split {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a> {
        let ip: IpAddr =
            if host.starts_with("public") { [192, 0, 1, 255].into() } else { [127, 0, 0, 1].into() };
        Box::pin(async move { Ok(vec![SocketAddr::new(ip, port)]) })
    }
}

pub(super) fn split_client() -> Client {
    Client::with(
        Arc::new(Split),
        RootCertStore::empty(),
        Limits { total: Duration::from_secs(1), ..limits() },
    )
}

pub(super) fn parameters(url: &url::Url) -> Vec<(String, String)> {
    url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
}

#[test]
fn the_challenge_is_that_of_the_rfc() {
    // RFC 7636, appendix B.
    let challenge = pkce_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

#[test]
fn a_refusal_is_cut_and_has_no_control_characters() {
    let error =
        FederationError::refused("access_denied\u{1b}[31m", Some(&format!("no\n{}", "x".repeat(500))));
    let FederationError::ProviderRefused { error: code, description } = &error else { panic!("{error}") };
    assert_eq!((code.as_str(), description.as_ref().unwrap().chars().count()), ("access_denied[31m", 200));
    assert_eq!(error.code(), "provider_refused");
}

#[test]
fn network_failures_are_unreachable_and_bad_answers_are_not() {
    let host = || "a.test".to_owned();
    let code = |error: OutboundError| FederationError::from(error).code();
    assert_eq!(code(OutboundError::NotHttps { host: host() }), "unreachable");
    assert_eq!(code(OutboundError::Private { host: host(), address: None }), "unreachable");
    assert_eq!(code(OutboundError::Timeout { host: host(), seconds: 10 }), "unreachable");
    assert_eq!(code(OutboundError::TooLarge { host: host(), limit: 1 }), "invalid_answer");
}

#[test]
fn display_names_are_cleaned() {
    assert_eq!(display_name(Some("  Ada\u{0}\n ")).as_deref(), Some("Ada"));
    assert_eq!(display_name(Some(" \t")), None);
    assert_eq!(display_name(None), None);
    assert_eq!(display_name(Some(&"ä".repeat(300))).unwrap().chars().count(), 128);
}
