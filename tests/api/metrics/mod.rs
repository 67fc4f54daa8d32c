//! `GET /metrics`.

use crate::replays::{chunk, post, whole};
use crate::support::{Project, Server, World, eventually, json};
use std::sync::Arc;

const TOKEN: &str = "a-token-of-the-scraper";

fn project(more: &[(&str, &str)]) -> Project {
    let variables = [&[("SERVICE_METRICS_TOKEN", TOKEN)], more].concat();
    Project::in_world(Arc::new(World::new(Server::start_with(&variables))), "Shop")
}

/// The value of a line, or `None` if there is no such line.
fn figure(project: &Project, name: &str) -> Option<f64> {
    let answer = project.world.bearer(TOKEN).get("/metrics").send();
    assert_eq!(answer.status(), 200, "{}", answer.text());
    let line =
        answer.text().lines().find_map(|line| line.strip_prefix(&format!("{name} ")).map(str::to_owned));
    line.map(|value| value.parse().unwrap())
}

fn refused(project: &Project, reason: &str) -> Option<f64> {
    figure(project, &format!("mayday_intake_rejected_total{{reason=\"{reason}\"}}"))
}

#[test]
fn only_the_token_opens_it_and_sign_ins_and_keys_do_not() {
    let project = project(&[]);
    let anonymous = project.world.anonymous();
    let right = anonymous.bearer(TOKEN).get("/metrics").send();
    assert!(right.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    assert!(right.text().ends_with("# EOF\n"), "{}", right.text());
    for wrong in [
        anonymous.get("/metrics"),
        anonymous.bearer("a-token-of-the-scrape").get("/metrics"),
        anonymous.bearer("a-token-of-the-scraper2").get("/metrics"),
        anonymous.cookie(TOKEN).get("/metrics"),
        project.owner.get("/metrics"),
        project.ci().get("/metrics"),
    ] {
        wrong.send().refuse(401, "SERVICE_METRICS_TOKEN");
    }
    anonymous.bearer(TOKEN).post("/metrics").send().refuse(405, "method");
    assert!(!project.world.server.output().contains(TOKEN));
}

#[test]
fn without_a_token_the_route_does_not_exist() {
    let project = Project::new();
    for token in ["", "x"] {
        project.world.bearer(token).get("/metrics").send().refuse(404, "route");
    }
}

#[test]
fn accepted_and_refused_events_are_counted() {
    let project = project(&[("SERVICE_RATE_LIMIT_ERRORS_PER_SECOND", "1")]);
    let anonymous = project.world.anonymous();
    let good = project.with_key(&json!({"message": "x"}));
    project.post(&good).expect(202);
    project.post(&json!({"type": "transaction"})).refuse(422, "");
    project.post(&json!({"message": "x", "api_key": "pk_x"})).refuse(401, "");
    let key = project.key_for(&["releases"]);
    project.post(&json!({"message": "x", "api_key": key})).refuse(403, "");
    anonymous.post("/api/v1/errors").body("application/json", "{").send().refuse(400, "");
    anonymous.post("/api/v1/errors").body("image/png", "{}").send().refuse(415, "");
    anonymous.post("/api/v1/errors").bytes("x".repeat(1_100_000)).send().refuse(413, "");
    let batch = |events: &serde_json::Value| anonymous.post("/api/v1/errors/batch").json(events).send();
    // Little of the rate is left then, and a token is added each second: the next batch is far over it.
    let mut events = vec![good.clone(); 90];
    events.push(json!({"api_key": project.key}));
    batch(&json!(events)).expect(202);
    batch(&json!(vec![&good; 97])).refuse(429, "");
    assert_eq!(figure(&project, "mayday_intake_accepted_total"), Some(91.0));
    assert_eq!(figure(&project, "mayday_intake_dropped_total"), Some(1.0));
    for reason in ["invalid", "key", "forbidden", "malformed", "unsupported", "too_large", "rate"] {
        assert_eq!(refused(&project, reason), Some(1.0), "{reason}");
    }
    for reason in ["overload", "disk", "storage"] {
        assert_eq!(refused(&project, reason), Some(0.0), "{reason}");
    }
}

#[test]
fn a_replay_whose_time_of_sending_is_none_is_counted_as_refused() {
    let project = project(&[]);
    let mut count = 0.0;
    for (path, body) in [("/api/v1/replays", whole("s")), ("/api/v1/replays/chunk", chunk("s", 0, None))] {
        for query in ["sent=soon", "sent=1&sent=2"] {
            post(&project, &format!("{path}?{query}"), &body).refuse(422, "sent");
            count += 1.0;
            assert_eq!(refused(&project, "invalid"), Some(count), "{path}?{query}");
        }
    }
}

#[test]
fn requests_are_counted_by_route_and_not_by_path() {
    let project = project(&[]);
    for path in [&project.path(""), "/api/v1/projects/987654", "/no/page", "/api/v1/nonsense"] {
        project.owner.get(path).send();
    }
    let route = r#"method="GET",route="/api/v1/projects/{project_id}""#;
    for status in [200, 403] {
        let name = format!("mayday_http_requests_total{{{route},status=\"{status}\"}}");
        assert_eq!(figure(&project, &name), Some(1.0), "{status}");
    }
    assert_eq!(figure(&project, &format!("mayday_http_seconds_count{{{route}}}")), Some(2.0));
    let all = project.world.bearer(TOKEN).get("/metrics").send().text();
    assert!(!all.contains("nonsense") && !all.contains("987654") && !all.contains("no/page"), "{all}");
}

#[test]
fn disk_space_memory_and_the_start_are_metrics() {
    let project = project(&[]);
    project.digest(&Project::throw(None));
    assert!(figure(&project, "mayday_disk_free_bytes").unwrap() > 1e6);
    for what in ["main", "intake"] {
        let name = format!("mayday_disk_used_bytes{{what=\"{what}\"}}");
        let used = eventually(what, || figure(&project, &name).filter(|used| *used > 0.0));
        assert!(used < 1e9, "{what}: {used}");
    }
    let memory = figure(&project, "process_resident_memory_bytes").unwrap();
    assert!((1e6..4e9).contains(&memory), "{memory}");
    let started = figure(&project, "process_start_time_seconds").unwrap();
    assert!(started > 1.7e9, "{started}");
    assert_eq!(
        figure(&project, &format!("mayday_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))),
        Some(1.0)
    );
}

#[test]
fn every_job_has_its_last_run_and_its_failures() {
    let project = project(&[]);
    for job in ["disk", "ignored_issues", "escalating_issues", "deliveries", "account_notices"] {
        let ran = format!("mayday_job_last_run_timestamp_seconds{{job=\"{job}\"}}");
        assert!(eventually(job, || figure(&project, &ran)) > 1.7e9);
        let took = figure(&project, &format!("mayday_job_duration_seconds{{job=\"{job}\"}}"));
        assert!((0.0..600.0).contains(&took.unwrap()), "{job}: {took:?}");
        let failures = figure(&project, &format!("mayday_job_failures_total{{job=\"{job}\"}}"));
        assert_eq!(failures, Some(0.0), "{job}");
    }
    // Jobs that have not run yet are listed, too.
    let failures = figure(&project, "mayday_job_failures_total{job=\"signals\"}");
    assert_eq!(failures, Some(0.0));
}
