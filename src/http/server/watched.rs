//! Wraps the routes: tells them who calls, and records while an answer is under way.

use super::activity::{Activity, Answering};
use crate::http::client::Peer;
use crate::sabotage;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, StatusCode, header};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::Service;
use hyper::{Request, Response};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::ServiceExt as _;

pub(super) struct TrackedService {
    router: Router,
    peer: Peer,
    activity: Arc<Activity>,
}

impl TrackedService {
    pub(super) fn new(router: Router, peer: Peer, activity: Arc<Activity>) -> Self {
        Self { router, peer, activity }
    }
}

impl Service<Request<Incoming>> for TrackedService {
    type Response = Response<WatchedBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let answering = self.activity.answer();
        request.extensions_mut().insert(self.peer);
        let request = request.map(|body| Body::new(ArrivingBody::new(body, self.activity.clone())));
        let (answer, activity) = (self.router.clone().oneshot(request), self.activity.clone());
        Box::pin(async move {
            let mut answer = answer.await?;
            // So that the client uses another connection for its next request.
            if answer.status() == StatusCode::PAYLOAD_TOO_LARGE && activity.has_unread() {
                answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(answer.map(|body| WatchedBody { body, _answering: answering }))
        })
    }
}

/// A request's body; while its client sends nothing, the connection may be given away.
struct ArrivingBody {
    body: Incoming,
    activity: Arc<Activity>,
    waits: bool,
    has_ended: bool,
}

impl ArrivingBody {
    fn new(body: Incoming, activity: Arc<Activity>) -> Self {
        Self { body, activity, waits: false, has_ended: false }
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
        self.has_ended |= matches!(frame, Poll::Ready(None));
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
        // The handler continues without the rest.
        self.set_waits(false);
        if !self.has_ended && !self.body.is_end_stream() {
            self.activity.leave_unread();
        }
    }
}

/// A response's body; once it is dropped, the answer is with the kernel.
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
