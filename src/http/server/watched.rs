//! The routes, told who calls, and telling while an answer is under way.

use super::activity::{Activity, Answering};
use crate::http::client::Peer;
use crate::sabotage;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::Service;
use hyper::{Request, Response};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::ServiceExt as _;

pub(super) struct Watched {
    router: Router,
    peer: Peer,
    activity: Arc<Activity>,
}

impl Watched {
    pub(super) fn new(router: Router, peer: Peer, activity: Arc<Activity>) -> Self {
        Self { router, peer, activity }
    }
}

impl Service<Request<Incoming>> for Watched {
    type Response = Response<WatchedBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let answering = self.activity.answer();
        request.extensions_mut().insert(self.peer);
        let request = request.map(|body| Body::new(ArrivingBody::new(body, self.activity.clone())));
        let answer = self.router.clone().oneshot(request);
        Box::pin(async move { Ok(answer.await?.map(|body| WatchedBody { body, _answering: answering })) })
    }
}

/// A request's body; while its client sends nothing of it, its connection may be given away.
struct ArrivingBody {
    body: Incoming,
    activity: Arc<Activity>,
    waits: bool,
}

impl ArrivingBody {
    fn new(body: Incoming, activity: Arc<Activity>) -> Self {
        Self { body, activity, waits: false }
    }

    fn set_waits(&mut self, waits: bool) {
        if self.waits != waits && !sabotage::on("bodies_are_busy") {
            if waits {
                self.activity.stall()
            } else {
                self.activity.resume()
            }
            self.waits = waits;
        }
    }
}

impl HttpBody for ArrivingBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        self.set_waits(frame.is_pending());
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ArrivingBody {
    fn drop(&mut self) {
        // Whoever read it goes on without the rest.
        self.set_waits(false);
    }
}

/// A response's body; once it is gone, the answer is with the kernel.
pub(super) struct WatchedBody {
    body: Body,
    _answering: Answering,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
