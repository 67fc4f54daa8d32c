//! Public addresses: a scheme, a host and possibly a port, and nothing after it.

use std::fmt;

/// `https://mayday.example` or `http://localhost:8000`; also an origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Parses a host with or without a scheme. Without one, https is assumed, and http for localhost. A
    /// trailing slash is dropped.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str =
            "a host name or an http(s) address without a path, such as https://mayday.example";
        let text = text.trim().trim_end_matches('/');
        let (scheme, rest) = match text.split_once("://") {
            Some(("http", rest)) => ("http", rest),
            Some(("https", rest)) => ("https", rest),
            Some(_) => return Err(EXPECTED),
            None if is_local(host_of(text)) => ("http", text),
            None => ("https", text),
        };
        let host = host_of(rest);
        let port = rest[host.len()..].strip_prefix(':');
        let port_is_good = match port {
            Some(port) => port.parse::<u16>().is_ok(),
            None => rest.len() == host.len(),
        };
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '[' | ']' | ':');
        if host.is_empty() || !host.chars().all(allowed) || !port_is_good {
            return Err(EXPECTED);
        }
        let default_port = if scheme == "https" { "443" } else { "80" };
        let port =
            port.filter(|port| *port != default_port).map(|port| format!(":{port}")).unwrap_or_default();
        Ok(Self(format!("{scheme}://{}{port}", host.to_ascii_lowercase())))
    }

    pub fn localhost(port: u16) -> Self {
        Self(format!("http://localhost:{port}"))
    }

    /// This address and, if it is this machine, its other names with the same port: it does not matter which of them
    /// a person opened.
    pub fn alike(&self) -> Vec<Self> {
        if !self.is_localhost() {
            return vec![self.clone()];
        }
        let names = ["localhost", "127.0.0.1", "[::1]"];
        names.iter().map(|name| Self(self.0.replacen(self.host(), name, 1))).collect()
    }

    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    pub fn is_localhost(&self) -> bool {
        is_local(self.host())
    }

    pub fn host(&self) -> &str {
        host_of(self.0.split_once("://").map_or("", |(_, rest)| rest))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

/// The host at the start of `host[:port]`, an IPv6 address with its brackets.
fn host_of(text: &str) -> &str {
    let end = match text.find(']') {
        Some(end) if text.starts_with('[') => end + 1,
        _ => text.find(':').unwrap_or(text.len()),
    };
    &text[..end]
}
