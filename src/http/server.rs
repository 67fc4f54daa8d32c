//! The accept loop. It is our own, on hyper, because `axum::serve` reads headers without a time-out and
//! accepts any number of connections.

mod activity;
mod linger;
mod places;
mod refusal;
mod stream;
mod watched;

use super::client::Peer;
use crate::error::{Error, Result};
use crate::sabotage;
use axum::Router;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use ipnet::IpNet;
use places::{Places, Slot};
use refusal::Refusals;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use stream::Stream;
use tokio::net::{TcpListener, TcpStream};
use watched::TrackedService;

/// How long a client may take to send a request's headers, and how long an idle connection is kept.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// The most bytes of a request line and headers; more are answered 431.
const HEAD_MAX: usize = 32 << 10;
/// The pause after a failed accept (no file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until `shutdown`, then lets requests in flight finish for as long as its result says. `trusted`
/// proxies stand for many people, so only the total number of connections is limited for them.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    trusted: Vec<IpNet>,
    shutdown: impl Future<Output = Duration>,
) -> Result<()> {
    let plain = sabotage::on("plain_serve");
    let (places, refusals) = (Arc::new(Places::new(trusted)), Refusals::default());
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout((!plain).then_some(HEADER_TIMEOUT));
    if !plain {
        builder.max_buf_size(HEAD_MAX);
    }
    tokio::pin!(shutdown);
    let drain = loop {
        let (tcp, peer) = tokio::select! {
            drain = &mut shutdown => break drain,
            accepted = accept(&listener, &places) => accepted?,
        };
        let Some(place) = places.take(peer.ip()) else {
            refusals.refuse(tcp);
            continue;
        };
        let stream = TokioIo::new(Stream::new(tcp, place.activity.clone()));
        let service = TrackedService::new(router.clone(), Peer(peer), place.activity.clone());
        tokio::spawn(connection(graceful.watch(builder.serve_connection(stream, service)), place));
    };
    drop(listener);
    if tokio::time::timeout(drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time and were aborted");
    }
    Ok(())
}

/// Serves a connection until it ends, or until its place is given to another.
async fn connection(served: impl Future<Output = hyper::Result<()>>, place: Slot) {
    tokio::select! {
        // A client that disconnects or sends nonsense is not our problem.
        ended = served => if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended");
        },
        () = place.activity.given_away() => tracing::debug!("an idle connection was closed to make room"),
    }
}

async fn accept(listener: &TcpListener, places: &Places) -> Result<(TcpStream, SocketAddr)> {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                stream::tune(&stream);
                return Ok((stream, peer));
            }
            Err(error) if sabotage::on("accept_error_ends") => return Err(Error::internal(error)),
            Err(error) => {
                // Usually for lack of file descriptors.
                tracing::warn!(%error, "a connection could not be accepted");
                places.make_room();
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
