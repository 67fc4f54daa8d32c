//! `GET /api/v1/projects/{project_id}/limits`: its figures are the limits that are enforced.

use crate::support::world::number;
use crate::support::{Project, Server, Value, World, json};
use std::sync::Arc;

fn limits(project: &Project) -> Value {
    project.owner.get(&project.path("/limits")).send().expect(200)
}

/// That many times a letter.
fn long(limit: &Value, more: i64) -> String {
    "x".repeat(usize::try_from(number(limit) + more).unwrap())
}

#[test]
fn texts_and_lists_are_cut_at_the_given_limits() {
    let project = Project::new();
    let limits = limits(&project)["event"].clone();
    let at = |name: &str, more: i64| long(&limits[name], more);
    let many = |name: &str, more: i64| 0..number(&limits[name]) + more;
    let event = |more: i64| {
        let crumbs: Vec<_> = many("breadcrumbs", more).map(|n| json!({"message": n.to_string()})).collect();
        let frames: Vec<_> = many("frames", more).map(|n| json!({"function": "f", "lineno": n})).collect();
        let tags: serde_json::Map<_, _> = many("tags", more).map(|n| (format!("k{n}"), json!("v"))).collect();
        project.digest(&json!({
            "message": at("message_chars", more), "release": at("release_chars", more),
            "environment": at("environment_chars", more), "url": at("url_chars", more),
            "user_agent": at("user_agent_chars", more), "session_id": at("correlation_id_chars", more),
            "user": {"id": at("identity_chars", more)}, "platform": at("name_chars", more),
            "breadcrumbs": crumbs, "tags": tags, "exception": {"type": "E", "frames": frames},
        }))
    };
    assert_eq!(event(0)["truncated"], json!([]));
    let cut = event(1)["truncated"].to_string();
    for field in [
        "message",
        "release",
        "environment",
        "url",
        "user_agent",
        "session_id",
        "user.id",
        "platform",
        "breadcrumbs",
        "tags",
        "exception.frames",
    ] {
        assert!(cut.contains(&format!("\"{field}\"")), "{field}: {cut}");
    }
    project.post(&json!({"message": "x", "event_id": at("id_chars", 0)})).expect(202);
    project.post(&json!({"message": "x", "event_id": at("id_chars", 1)})).refuse(422, "event_id");
    let batch = |more: i64| {
        let events: Vec<_> =
            many("batch_events", more).map(|_| project.with_key(&json!({"message": "x"}))).collect();
        project.world.anonymous().post("/api/v1/errors/batch").json(&json!(events)).send()
    };
    batch(0).expect(202);
    batch(1).refuse(422, "");
    let sized = |more: i64| {
        let empty = project.with_key(&json!({"message": ""})).to_string().len();
        let text = long(&limits["bytes"], more - i64::try_from(empty).unwrap());
        project.post(&json!({"message": text}))
    };
    sized(0).expect(202);
    sized(1).refuse(413, "");
}

#[test]
fn requests_are_refused_over_the_given_limits() {
    let project = Project::new();
    let limits = limits(&project);
    let get = |query: String| project.owner.get(&project.path(&format!("/issues{query}"))).send();
    let issue = &limits["issue"];
    get(format!("?query={}", long(&issue["query_chars"], 0))).expect(200);
    get(format!("?query={}", long(&issue["query_chars"], 1))).refuse(422, "query");
    get(format!("?limit={}", issue["page"])).expect(200);
    get(format!("?limit={}", number(&issue["page"]) + 1)).refuse(422, "limit");
    get(format!("?offset={}", limits["request"]["offset"])).expect(200);
    get(format!("?offset={}", number(&limits["request"]["offset"]) + 1)).refuse(422, "offset");
    let bulk = |more: i64| {
        let ids: Vec<i64> = (0..number(&issue["changed_at_once"]) + more).collect();
        let body = json!({"ids": ids, "status": "resolved"});
        project.owner.patch(&project.path("/issues")).json(&body).send()
    };
    bulk(0).expect(200);
    bulk(1).refuse(422, "ids");
    let rename = |more: i64| {
        let body = json!({"name": long(&limits["project"]["name_chars"], more)});
        project.owner.patch(&project.path("")).json(&body).send()
    };
    rename(0).expect(200);
    rename(1).refuse(422, "name");
    let padded = |more: i64| {
        let body = r#"{"name":"x"}"#;
        let room = long(&limits["request"]["json_bytes"], more - 12).replace('x', " ");
        project.owner.patch(&project.path("")).body("application/json", format!("{body}{room}")).send()
    };
    padded(0).expect(200);
    padded(1).refuse(413, "");
}

#[test]
fn the_stated_limit_of_views_holds() {
    let project = Project::new();
    let limits = limits(&project)["issue"].clone();
    let path = project.path("/views");
    let view = json!({"name": "One more", "query": ""});
    for _ in 0..number(&limits["views"]) {
        project.owner.post(&path).json(&view).send().expect(201);
    }
    project.owner.post(&path).json(&view).send().refuse(409, "views");
    let list = project.owner.get(&path).send().expect(200);
    let is_counted = |view: &&Value| view["issue_count"].is_number();
    let counted = list["views"].as_array().unwrap().iter().filter(is_counted).count();
    assert_eq!(limits["counted_views"], json!(counted));
    assert_eq!(limits["shared_views"], 100);
}

#[test]
fn what_a_project_has_of_its_environments_releases_and_tags_is_counted() {
    let project = Project::new();
    let event = |environment: &str, tags: Value| {
        project.digest(&json!({"message": "x", "environment": environment, "release": "1", "tags": tags}));
    };
    event("production", json!({"locale": "de", "plan": "free"}));
    event("staging", json!({"locale": "en"}));
    let used = project.owner.get(&project.path("/usage")).send().expect(200)["facets"].clone();
    assert_eq!(used, json!({"environments": 2, "releases": 1, "tags": 2, "tag_values": 3, "full_tags": []}));
    let issue = &limits(&project)["issue"];
    for (limit, most) in
        [("project_values", 100_000), ("project_tags", 10_000), ("project_tag_values", 1_000_000)]
    {
        assert_eq!(issue[limit], most, "{limit}");
    }
    let other = project.other();
    let used = other.owner.get(&other.path("/usage")).send().expect(200)["facets"].clone();
    assert_eq!(used, json!({"environments": 0, "releases": 0, "tags": 0, "tag_values": 0, "full_tags": []}));
}

#[test]
fn rates_are_said_and_those_without_a_bound_are_null() {
    let all = json!({"events_per_second": null, "logs_per_second": null, "kilobytes_per_second": null,
        "replays_per_second": null, "uploads_per_hour": null, "requests_per_hour": null});
    assert_eq!(limits(&Project::new())["rate"], all);
    let variables = [
        ("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", "1"),
        ("SERVICE_RATE_LIMIT_LOGS_PER_SECOND", "2"),
        ("SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND", "5"),
        ("SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND", "7"),
        ("SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR", "3"),
        ("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "400"),
    ];
    let project = Project::in_world(Arc::new(World::new(Server::start_with(&variables))), "x");
    let set = json!({"events_per_second": 1, "logs_per_second": 2, "kilobytes_per_second": 5,
        "replays_per_second": 7, "uploads_per_hour": 3, "requests_per_hour": 400});
    assert_eq!(limits(&project)["rate"], set);
}

#[test]
fn the_operators_limits_are_listed() {
    let project = Project::in_world(
        Arc::new(World::new(Server::start_with(&[("SERVICE_SOURCEMAP_MAX_MB", "3")]))),
        "x",
    );
    assert_eq!(limits(&project)["release"]["source_map_bytes"], 3 << 20);
    assert_eq!(limits(&Project::new())["release"]["source_map_bytes"], 50 << 20);
    let key = project.world.bearer(&project.key_for(&["read"]));
    assert_eq!(key.get(&project.path("/limits")).send().expect(200), limits(&project));
}
