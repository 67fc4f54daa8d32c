//! Why there is no answer, in sentences for the person who runs the instance.

use hyper::StatusCode;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Names hosts and addresses, but never a query, a header or a body, which may contain secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutboundError {
    /// Not an address that a request can go to.
    #[error("{0}")]
    Address(String),
    #[error("{host}: the address must begin with https://")]
    NotHttps { host: String },
    /// `address` is `None` if the name alone decides it.
    #[error(
        "{host}{} is not on the public internet; use a public address, or allow private ones",
        address.map(|address| format!(" ({address})")).unwrap_or_default()
    )]
    Private { host: String, address: Option<IpAddr> },
    #[error("{host} cannot be resolved ({cause}); check the name and this server's DNS")]
    Unresolvable { host: String, cause: String },
    #[error("{host} ({address}) does not accept the connection: {cause}")]
    Connect { host: String, address: SocketAddr, cause: String },
    #[error(
        "{host}: TLS connection failed ({cause}); check its certificate, or put its authority into SSL_CERT_FILE"
    )]
    Tls { host: String, cause: String },
    #[error("{host} did not answer completely within {seconds} s")]
    Timeout { host: String, seconds: u64 },
    #[error("{host} neither sent nor took anything for {seconds} s")]
    Stalled { host: String, seconds: u64 },
    #[error("{host} answered {status} (to {to}); redirects are not followed, so name the final address")]
    Redirect { host: String, status: StatusCode, to: String },
    #[error("{host} answered with more than {limit} bytes")]
    TooLarge { host: String, limit: usize },
    #[error("{host} closed the connection, or does not speak HTTP: {cause}")]
    Broken { host: String, cause: String },
    #[error("the value for the header {0} contains characters that are not allowed in a header")]
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
