//! From any page: beacons, content types, cross-origin requests.

use crate::support::client::Request;
use crate::support::project::fresh_id;
use crate::support::{Project, json};

const PAGE: &str = "https://shop.example";

fn post(project: &Project) -> (Request, String) {
    let id = fresh_id();
    let event = project.with_key(&json!({"event_id": id, "message": "from a page"}));
    let request = project.world.anonymous().post("/api/v1/errors").header("origin", PAGE);
    (request.bytes(event.to_string()), id)
}

#[test]
fn json_plain_text_and_no_content_type_are_read_as_json() {
    let project = Project::new();
    for kind in [
        Some("application/json"),
        Some("application/json; charset=utf-8"),
        Some("Application/JSON"),
        // What `navigator.sendBeacon(url, text)` sends.
        Some("text/plain;charset=UTF-8"),
        Some("text/plain"),
        None,
    ] {
        let (request, id) = post(&project);
        let request = match kind {
            Some(kind) => request.header("content-type", kind),
            None => request,
        };
        request.send().expect(202);
        assert_eq!(project.event(&id)["message"], "from a page", "{kind:?}");
    }
}

#[test]
fn other_content_types_are_refused() {
    let project = Project::new();
    for kind in
        ["text/html", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data", "json"]
    {
        post(&project).0.header("content-type", kind).send().refuse(415, "Content-Type");
    }
    assert!(project.is_empty());
}

#[test]
fn every_answer_may_be_read_by_any_page() {
    let project = Project::new();
    let refused =
        |body: &str| project.world.anonymous().post("/api/v1/errors").header("origin", PAGE).bytes(body);
    let wrong_type = post(&project).0.header("content-type", "text/html");
    let too_large = refused(&"x".repeat(1_100_000));
    for (request, status) in [
        (post(&project).0, 202),
        (refused("{}"), 401),
        (refused("{"), 400),
        (wrong_type, 415),
        (too_large, 413),
        (refused(&project.with_key(&json!({})).to_string()), 422),
    ] {
        let answer = request.send();
        answer.expect(status);
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{status}");
        assert_eq!(answer.header("access-control-allow-credentials"), None, "{status}");
    }
}

#[test]
fn a_preflight_allows_the_requests_of_clients() {
    let project = Project::new();
    for path in ["/api/v1/errors", "/api/v1/errors/batch"] {
        let preflight = project.world.anonymous().request("OPTIONS", path).header("origin", PAGE);
        let preflight = preflight
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type,content-encoding");
        let answer = preflight.send();
        assert!(matches!(answer.status(), 200 | 204), "{answer:?}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        assert!(answer.header("access-control-allow-methods").unwrap().contains("POST"));
        let headers = answer.header("access-control-allow-headers").unwrap();
        assert!(headers.contains("content-type") && headers.contains("content-encoding"), "{headers}");
        assert!(answer.header("access-control-max-age").is_some());
    }
}

#[test]
fn cookies_count_for_nothing() {
    let project = Project::new();
    let session = format!("mayday_session={}", project.world.owner_token);
    let (request, id) = post(&project);
    request.header("cookie", &session).header("sec-fetch-site", "cross-site").send().expect(202);
    project.event(&id);
    let without_key = project.world.anonymous().post("/api/v1/errors").header("cookie", &session);
    without_key.json(&json!({"message": "x"})).send().refuse(401, "Invalid API key");
}

#[test]
fn the_dashboard_api_is_not_open_to_any_page() {
    let project = Project::new();
    let preflight = project.world.anonymous().request("OPTIONS", "/api/v1/me").header("origin", PAGE);
    let answer = preflight.header("access-control-request-method", "GET").send();
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let read = project.owner.get("/api/v1/me").header("origin", PAGE).send();
    assert_eq!(read.header("access-control-allow-origin"), None);
}
