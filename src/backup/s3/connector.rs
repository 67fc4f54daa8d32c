//! Requests of `object_store` over our own client.

use crate::outbound::{Body, Client, OutboundError, Policy, Request};
use http_body_util::BodyExt as _;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use std::fmt;

/// Sends requests to the endpoint that the operator configured, wherever it is.
#[derive(Clone)]
pub(super) struct Connector(pub(super) Client);

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait::async_trait]
impl HttpService for Connector {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (head, body) = request.into_parts();
        // Collected first, so that it is not copied.
        let body = Body::from(body.collect().await?.to_bytes());
        let request = Request { method: head.method, url: head.uri.to_string(), headers: head.headers, body };
        let answer = self.0.stream(request, Policy::Open, usize::MAX).await.map_err(fault)?;
        let (status, headers) = (answer.status, answer.headers.clone());
        let mut response = HttpResponse::new(HttpResponseBody::new(answer.map_err(fault)));
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        Ok(response)
    }
}

/// The kind of error decides whether a request is retried.
fn fault(error: OutboundError) -> HttpError {
    let kind = match &error {
        OutboundError::Unresolvable { .. } | OutboundError::Connect { .. } | OutboundError::Tls { .. } => {
            HttpErrorKind::Connect
        }
        OutboundError::Timeout { .. } | OutboundError::Stalled { .. } => HttpErrorKind::Timeout,
        OutboundError::Broken { .. } => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, error)
}
