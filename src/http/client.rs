//! Where a request comes from, and from which client.

use crate::error::Error;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::{HeaderMap, header, request::Parts};
use ipnet::IpNet;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// Characters kept of a `User-Agent`.
const USER_AGENT_MAX: usize = 256;
/// Entries of `X-Forwarded-For` that are read, starting with the nearest.
const HOPS_MAX: usize = 32;

/// The peer of the connection; the accept loop adds it to each request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub SocketAddr);

/// The sender of a request, as far as the network tells.
#[derive(Debug, Clone)]
pub struct Client {
    pub address: IpAddr,
    /// Printable, cut to 256 characters.
    pub user_agent: Option<String>,
}

/// Proxies whose `X-Forwarded-For` is trusted.
#[derive(Clone)]
pub struct TrustedProxies(pub Arc<[IpNet]>);

impl<S> FromRequestParts<S> for Client
where
    TrustedProxies: FromRef<S>,
    S: Sync,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let address = address_of(parts, &TrustedProxies::from_ref(state).0);
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Ok(Self { address, user_agent: user_agent.and_then(shorten) })
    }
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The address of a request's client.
pub fn address_of(parts: &Parts, trusted: &[IpNet]) -> IpAddr {
    let peer = parts.extensions.get::<Peer>().map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.0.ip());
    address(peer, &parts.headers, trusted)
}

/// The address of the client: the peer's own, or the nearest entry of `X-Forwarded-For` that does not name a
/// trusted proxy. Without trusted proxies the header could be anybody's text and is ignored.
fn address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
    let mut address = peer.to_canonical();
    let values: Vec<&str> =
        headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect();
    let hops = values.iter().rev().flat_map(|value| value.rsplit(',')).take(HOPS_MAX);
    for hop in hops {
        if !is_trusted(&address) {
            break;
        }
        match parse(hop.trim()) {
            Some(earlier) => address = earlier,
            // The proxy could not name the client, so the proxy itself is all that is known.
            None => break,
        }
    }
    address
}

/// An address with or without a port; an IPv6 address may be in brackets.
fn parse(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    let parsed = bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    parsed.map(|address: IpAddr| address.to_canonical())
}

fn shorten(user_agent: &str) -> Option<String> {
    let text: String = user_agent.chars().filter(|c| !c.is_control()).take(USER_AGENT_MAX).collect();
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        address(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn a_forwarded_address_counts_only_behind_a_trusted_proxy() {
        assert_eq!(seen("203.0.113.7", &["1.1.1.1"], &[]), "203.0.113.7");
        assert_eq!(seen("203.0.113.7", &["1.1.1.1"], &["10.0.0.0/8"]), "203.0.113.7");
        assert_eq!(seen("10.0.0.2", &["1.1.1.1"], &["10.0.0.0/8"]), "1.1.1.1");
    }

    #[test]
    fn the_clients_own_entries_are_ignored() {
        let trusted = ["10.0.0.0/8"];
        assert_eq!(seen("10.0.0.2", &["9.9.9.9, 1.1.1.1"], &trusted), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["9.9.9.9", "1.1.1.1, 10.0.0.9"], &trusted), "1.1.1.1");
        assert_eq!(seen("10.0.0.2", &["9.9.9.9, nonsense"], &trusted), "10.0.0.2");
        assert_eq!(seen("10.0.0.2", &["9.9.9.9, "], &trusted), "10.0.0.2");
    }

    #[test]
    fn addresses_may_have_ports_and_brackets() {
        for (given, address) in [
            ("1.1.1.1:443", "1.1.1.1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
        ] {
            assert_eq!(seen("::ffff:10.0.0.2", &[given], &["10.0.0.0/8"]), address);
        }
    }
}
