//! The accept loop: our own on hyper, since `axum::serve` reads headers without a time-out and takes
//! any number of connections.

use super::client::Peer;
use crate::error::{Error, Result};
use crate::sabotage;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

/// How long a client may take to send a request's headers; also how long an idle connection is kept.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Connections at once; more wait in the kernel's queue.
const CONNECTIONS: usize = 4_096;
/// After a failed accept (no file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until `shutdown`, then lets requests in flight finish for as long as that says.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = Duration>,
) -> Result<()> {
    let plain = sabotage::on("plain_serve");
    let connections = Arc::new(Semaphore::new(if plain { Semaphore::MAX_PERMITS } else { CONNECTIONS }));
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout((!plain).then_some(HEADER_TIMEOUT));
    tokio::pin!(shutdown);
    let drain = loop {
        let accepted = tokio::select! {
            drain = &mut shutdown => break drain,
            accepted = accept(&listener, &connections) => accepted?,
        };
        let (stream, peer, place) = accepted;
        let service = router.clone().map_request(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request
        });
        let service = TowerToHyperService::new(service);
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that goes away or talks nonsense is its own affair.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended");
            }
            drop(place);
        });
    };
    drop(listener);
    if tokio::time::timeout(drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time and were cut off");
    }
    Ok(())
}

async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> Result<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = connections.clone().acquire_owned().await.map_err(Error::internal)?;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are small and whole: waiting to fill a packet only delays them.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "a connection was gone at once");
                }
                return Ok((stream, peer, place));
            }
            Err(error) if sabotage::on("accept_error_ends") => return Err(Error::internal(error)),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
