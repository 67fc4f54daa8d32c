//! The sockets that connections are accepted from.

use crate::error::{Error, Result};
use socket2::{Domain, Protocol, Socket, Type};
use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use tokio::net::{TcpListener, TcpStream};

/// Connections that the kernel completes before they are accepted.
const BACKLOG: i32 = 1_024;

/// One socket, or one for each loopback address.
pub struct Listeners {
    first: TcpListener,
    /// On `[::1]`.
    second: Option<TcpListener>,
}

impl Listeners {
    /// Listens on an address, and on the other loopback as well if `both`: for many clients `localhost` is `::1`. On `[::]`
    /// both families are served, whatever the system's default is.
    ///
    /// # Errors
    /// If the address cannot be used. Without IPv6, or if somebody else has the port there, one loopback has to do.
    pub fn bind(address: SocketAddr, both: bool) -> Result<Self> {
        let first =
            bind(address).map_err(|error| Error::internal(format!("SERVICE_LISTEN={address}: {error}")))?;
        let port = first.local_addr().map_err(Error::internal)?.port();
        let other = SocketAddr::from((Ipv6Addr::LOCALHOST, port));
        let second = both.then(|| bind(other)).and_then(|bound| match bound {
            Ok(listener) => Some(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                tracing::warn!(
                    "another program has port {port} of [::1]: clients that take localhost for that reach it"
                );
                None
            }
            Err(error) => {
                tracing::debug!(%error, "[::1] cannot be listened on");
                None
            }
        });
        Ok(Self { first, second })
    }

    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.first.local_addr()
    }

    /// Whether it listens on both loopbacks, which are `localhost`.
    pub fn is_localhost(&self) -> bool {
        self.second.is_some()
    }

    pub(super) async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        match &self.second {
            None => self.first.accept().await,
            Some(second) => tokio::select! {
                accepted = self.first.accept() => accepted,
                accepted = second.accept() => accepted,
            },
        }
    }
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    if address.is_ipv6() {
        socket.set_only_v6(!address.ip().is_unspecified())?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}
