//! Why there is no answer, in sentences for whoever runs the instance.

use hyper::StatusCode;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Names hosts and addresses, never a query, a header or a body: those may hold secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutboundError {
    /// Not an address that a request can go to.
    #[error("{0}")]
    Address(String),
    #[error("{host}: the address must begin with https://")]
    NotHttps { host: String },
    /// `address` is none when the name alone says it.
    #[error(
        "{host}{} is not on the public internet; use a public address, or allow private ones",
        address.map(|address| format!(" ({address})")).unwrap_or_default()
    )]
    Private { host: String, address: Option<IpAddr> },
    #[error("{host} cannot be resolved ({cause}); check the name and this server's DNS")]
    Unresolvable { host: String, cause: String },
    #[error("{host} ({address}) takes no connection: {cause}")]
    Connect { host: String, address: SocketAddr, cause: String },
    #[error(
        "{host}: no TLS connection ({cause}); check its certificate, or name its authority in SSL_CERT_FILE"
    )]
    Tls { host: String, cause: String },
    #[error("{host} gave no complete answer within {seconds} s")]
    Timeout { host: String, seconds: u64 },
    #[error("{host} neither sent nor took anything for {seconds} s")]
    Stalled { host: String, seconds: u64 },
    #[error("{host} answered {status} (to {to}); redirects are not followed, so name the final address")]
    Redirect { host: String, status: StatusCode, to: String },
    #[error("{host} answered with more than {limit} bytes")]
    TooLarge { host: String, limit: usize },
    #[error("{host} broke off, or does not speak HTTP: {cause}")]
    Broken { host: String, cause: String },
    #[error("the value for the header {0} has characters that no header may have")]
    Header(String),
}

impl OutboundError {
    /// What ended an exchange: a connection on which nothing moved for `stall`, or something else.
    pub(super) fn of_exchange(host: &str, stall: Duration, error: &hyper::Error) -> Self {
        let host = host.to_owned();
        let mut cause: Option<&dyn std::error::Error> = Some(error);
        while let Some(one) = cause {
            if one.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut) {
                return Self::Stalled { host, seconds: stall.as_secs() };
            }
            cause = one.source();
        }
        Self::Broken { host, cause: error.to_string() }
    }
}
