//! The accept loop. It is our own, on hyper, because `axum::serve` reads headers without a time-out and
//! accepts any number of connections.

mod activity;
mod linger;
mod listeners;
mod places;
mod refusal;
mod stream;
mod watched;

pub use listeners::Listeners;

use super::client::Peer;
use crate::error::{Error, Result};
use crate::sabotage;
use axum::Router;
use hyper::server::conn::http1::{Builder, Connection};
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use places::{Places, Slot};
use refusal::Refusals;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use stream::Stream;
use tokio::net::TcpStream;
use tokio::sync::watch;
use watched::TrackedService;

/// How long a client may take to send a request's headers, and how long an idle connection is kept.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// The most bytes of a request line and headers; more are answered 431.
const HEAD_MAX: usize = 32 << 10;
/// The pause after a failed accept (no file descriptors), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The pause before connections without a request are closed at a stop. In this time every socket is polled once
/// more, even on a busy machine, so that requests that have arrived, or are in flight, are read.
const LAST_LOOK: Duration = Duration::from_millis(10);

/// Serves until `shutdown`, then lets requests in flight finish for as long as its result says. `trusted`
/// proxies stand for many people, so only the total number of connections is limited for them.
pub async fn serve(
    listeners: Listeners,
    router: Router,
    trusted: Vec<IpNet>,
    shutdown: impl Future<Output = Duration>,
) -> Result<()> {
    let plain = sabotage::on("plain_serve");
    let (places, refusals) = (Arc::new(Places::new(trusted)), Refusals::default());
    let (stop, stopping) = watch::channel(false);
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout((!plain).then_some(HEADER_TIMEOUT));
    if !plain {
        builder.max_buf_size(HEAD_MAX);
    }
    tokio::pin!(shutdown);
    let drain = loop {
        let (tcp, peer) = tokio::select! {
            drain = &mut shutdown => break drain,
            accepted = accept(&listeners, &places) => accepted?,
        };
        let Some(place) = places.take(peer.ip()) else {
            refusals.refuse(tcp);
            continue;
        };
        let stream = TokioIo::new(Stream::new(tcp, place.activity.clone()));
        let service = TrackedService::new(router.clone(), Peer(peer), place.activity.clone());
        tokio::spawn(connection(builder.serve_connection(stream, service), place, stopping.clone()));
    };
    drop((listeners, stopping));
    stop.send_replace(true);
    // Each connection holds a receiver until it ends.
    if tokio::time::timeout(drain, stop.closed()).await.is_err() {
        tracing::warn!("some requests did not finish in time and were aborted");
    }
    Ok(())
}

/// Serves a connection until it ends, its place is given to another, or the server stops and no request is in flight.
async fn connection(
    served: Connection<TokioIo<Stream>, TrackedService>,
    place: Slot,
    mut stopping: watch::Receiver<bool>,
) {
    let mut served = pin!(served);
    let mut has_stopped = false;
    let ended = loop {
        tokio::select! {
            // The connection is polled first, so that what has arrived is read before anything ends it.
            biased;
            ended = served.as_mut() => break ended,
            () = place.activity.given_away() => {
                return tracing::debug!("an idle connection was closed to make room");
            }
            () = last_look(&mut stopping), if !has_stopped => {
                served.as_mut().graceful_shutdown();
                has_stopped = true;
            }
        }
    };
    // A client that disconnects or sends nonsense is not our problem.
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Returns a moment after the server began to stop.
async fn last_look(stopping: &mut watch::Receiver<bool>) {
    // An error means that nobody can stop it any more: the server is gone.
    drop(stopping.wait_for(|stop| *stop).await);
    tokio::time::sleep(LAST_LOOK).await;
}

async fn accept(listeners: &Listeners, places: &Places) -> Result<(TcpStream, SocketAddr)> {
    loop {
        match listeners.accept().await {
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

#[cfg(test)]
mod tests;
