use super::*;
use crate::error::{Quota, Result};
use axum::routing::get;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

async fn not_allowed() -> Error {
    Error::not_allowed("Not this method.")
}

async fn refuse() -> Result<()> {
    Err(Error::conflict("Taken."))
}

async fn limit() -> Result<()> {
    let quota = Some(Quota { limit: 10, remaining: 0 });
    Err(Error::TooMany { text: "Too many.".into(), retry_after: 7, quota })
}

async fn fail() -> Result<()> {
    panic!("a secret of ours")
}

/// The same routes under each shape, assembled the way the service is.
fn service() -> Router {
    let group = |root: &str, shape| {
        let routes = Router::new()
            .route("/refuse", get(refuse))
            .route("/limit", get(limit))
            .route("/fail", get(fail))
            .route("/fine", get(|| async { "fine" }));
        shaped(Router::new().nest(root, routes), shape, not_allowed)
    };
    group("/api/v1", Shape::Detail)
        .merge(group("/api", Shape::Platform))
        .merge(group("/api/42/envelope", Shape::Plain))
        .fallback(|| async { Error::not_found("Nothing here.") })
        .layer(axum::middleware::from_fn(by_path))
}

async fn ask(method: &str, path: &str) -> (u16, String, String) {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    let answer = service().oneshot(request).await.unwrap();
    let (head, body) = answer.into_parts();
    let kind = head.headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
    let body = body.collect().await.unwrap().to_bytes();
    if let Some(length) = head.headers.get(header::CONTENT_LENGTH).filter(|_| method != "HEAD") {
        assert_eq!(length.to_str().unwrap(), body.len().to_string(), "{method} {path}");
    }
    (head.status.as_u16(), kind.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap())
}

async fn json_of(method: &str, path: &str) -> (u16, Value) {
    let (status, kind, body) = ask(method, path).await;
    assert_eq!(kind, "application/json", "{method} {path}: {body}");
    (status, serde_json::from_str(&body).unwrap())
}

#[tokio::test]
async fn each_group_refuses_in_its_own_shape() {
    assert_eq!(json_of("GET", "/api/v1/refuse").await, (409, json!({"detail": "Taken."})));
    assert_eq!(json_of("GET", "/api/refuse").await, (409, json!({"error": "Taken.", "code": "CONFLICT"})));
    let plain = (409, "text/plain; charset=utf-8".to_owned(), "Taken.".to_owned());
    assert_eq!(ask("GET", "/api/42/envelope/refuse").await, plain);
    assert_eq!(ask("GET", "/api/fine").await.2, "fine");
}

#[tokio::test]
async fn a_panic_has_the_shape_of_its_group_and_reveals_nothing() {
    assert_eq!(json_of("GET", "/api/v1/fail").await, (500, json!({"detail": "Internal error"})));
    let platform = json!({"error": "Internal error", "code": "INTERNAL"});
    assert_eq!(json_of("GET", "/api/fail").await, (500, platform));
    assert_eq!(ask("GET", "/api/42/envelope/fail").await.2, "Internal error");
}

#[tokio::test]
async fn unsupported_methods_have_the_shape_of_their_group() {
    assert_eq!(json_of("POST", "/api/v1/fine").await, (405, json!({"detail": "Not this method."})));
    let platform = json!({"error": "Not this method.", "code": "METHOD_NOT_ALLOWED"});
    assert_eq!(json_of("POST", "/api/fine").await, (405, platform));
    assert_eq!(ask("POST", "/api/42/envelope/fine").await.2, "Not this method.");
}

#[tokio::test]
async fn unknown_paths_have_the_shape_of_their_prefix() {
    for path in ["/api", "/api/nothing", "/api/v2/errors", "/api/v10"] {
        let platform = json!({"error": "Nothing here.", "code": "NOT_FOUND"});
        assert_eq!(json_of("GET", path).await, (404, platform), "{path}");
    }
    for path in ["/api/v1", "/api/v1/nothing", "/auth/nothing", "/apis", "/nothing"] {
        assert_eq!(json_of("GET", path).await, (404, json!({"detail": "Nothing here."})), "{path}");
    }
}

#[tokio::test]
async fn headers_are_kept_in_every_shape() {
    for root in ["/api/v1", "/api", "/api/42/envelope"] {
        let request = Request::get(format!("{root}/limit")).body(Body::empty()).unwrap();
        let answer = service().oneshot(request).await.unwrap();
        assert_eq!(answer.headers()[header::RETRY_AFTER], "7", "{root}");
        assert_eq!(answer.headers()["x-ratelimit-limit"], "10", "{root}");
    }
    // The head describes the body that a GET would have.
    let (status, kind, body) = ask("HEAD", "/api/refuse").await;
    assert_eq!((status, kind.as_str(), body.as_str()), (409, "application/json", ""));
}

#[test]
fn every_error_has_a_code() {
    let told = |error: &Error| json!(Code::of(error));
    for (error, code) in [
        (Error::malformed(""), "VALIDATION"),
        (Error::invalid(""), "VALIDATION"),
        (Error::signed_out(), "UNAUTHORIZED"),
        (Error::forbidden(""), "FORBIDDEN"),
        (Error::not_found(""), "NOT_FOUND"),
        (Error::not_allowed(""), "METHOD_NOT_ALLOWED"),
        (Error::conflict(""), "CONFLICT"),
        (Error::too_large(""), "TOO_LARGE"),
        (Error::unsupported(""), "UNSUPPORTED"),
        (Error::TooMany { text: "".into(), retry_after: 1, quota: None }, "RATE_LIMITED"),
        (Error::overloaded(""), "UNAVAILABLE"),
        (Error::NoRoom("".into()), "UNAVAILABLE"),
        (Error::internal(""), "INTERNAL"),
    ] {
        assert_eq!(told(&error), code);
    }
}
