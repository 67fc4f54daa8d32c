//! An address, parsed and judged before it is resolved.

use super::guard::{is_local_name, is_public};
use super::{OutboundError, Policy};
use std::net::IpAddr;
use url::{Host, Url};

/// Where a request goes.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) url: Url,
    /// Without brackets and without a trailing dot.
    pub(super) host: String,
    /// Set if the host is a literal address.
    pub(super) literal: Option<IpAddr>,
    pub(super) port: u16,
    pub(super) tls: bool,
}

impl Target {
    /// # Errors
    /// If it is not an http or https address with a host, contains a user name or password, or is forbidden
    /// by the policy.
    pub(super) fn parse(text: &str, policy: Policy) -> Result<Self, OutboundError> {
        let wrong = |text: &str| OutboundError::Address(text.to_owned());
        let url = Url::parse(text).map_err(|error| wrong(&format!("not an address ({error})")))?;
        let tls = url.scheme() == "https";
        if !tls && url.scheme() != "http" {
            let scheme = crate::text::shown(url.scheme(), 32);
            return Err(wrong(&format!("the address begins with {scheme}:, expected https://")));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("the address contains a user name or a password; remove them"));
        }
        let (host, literal) = match url.host() {
            Some(Host::Domain(name)) => (name.trim_end_matches('.').to_owned(), None),
            Some(Host::Ipv4(address)) => (address.to_string(), Some(IpAddr::V4(address))),
            Some(Host::Ipv6(address)) => (address.to_string(), Some(IpAddr::V6(address))),
            None => return Err(wrong("the address has no host")),
        };
        let port = url.port_or_known_default().unwrap_or(443);
        let target = Self { host, literal, port, tls, url };
        target.judge(policy)?;
        Ok(target)
    }

    fn judge(&self, policy: Policy) -> Result<(), OutboundError> {
        let this_machine = matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "::1");
        let plain_is_fine = match policy {
            Policy::Guarded => false,
            Policy::Configured => this_machine,
            Policy::Open => true,
        };
        if !self.tls && !plain_is_fine {
            return Err(OutboundError::NotHttps { host: self.host.clone() });
        }
        if policy == Policy::Guarded && self.literal.is_none() && is_local_name(&self.host) {
            return Err(OutboundError::Private { host: self.host.clone(), address: None });
        }
        self.literal.map_or(Ok(()), |address| self.judge_address(address, policy))
    }

    /// # Errors
    /// If the policy requires public addresses and this is not one.
    pub(super) fn judge_address(&self, address: IpAddr, policy: Policy) -> Result<(), OutboundError> {
        if policy == Policy::Guarded && !is_public(address) {
            return Err(OutboundError::Private { host: self.host.clone(), address: Some(address) });
        }
        Ok(())
    }

    /// The value of `Host`, with the port only if it is not the scheme's default.
    pub(super) fn authority(&self) -> String {
        let host = match self.literal {
            Some(IpAddr::V6(address)) => format!("[{address}]"),
            _ => self.host.clone(),
        };
        self.url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
    }

    /// Path and query for the request line.
    pub(super) fn path(&self) -> String {
        self.url
            .query()
            .map_or_else(|| self.url.path().to_owned(), |query| format!("{}?{query}", self.url.path()))
    }
}
