//! Rate limits of the platform API.

use crate::support::{Response, World, json};

fn limits(answer: &Response) -> Vec<i64> {
    let names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
    let values = names.iter().filter_map(|name| answer.header(name));
    values.map(|value| value.parse().unwrap_or_else(|_| panic!("{value}"))).collect()
}

#[test]
fn every_answer_has_the_remaining_requests() {
    let world = World::start_with(&[
        ("SERVICE_RATE_LIMIT_PLATFORM_PER_MINUTE", "1000"),
        ("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "3"),
    ]);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
    let mut before = 1_001;
    for (request, status) in [
        (world.owner.get("/api/automations"), 200),
        (world.owner.get("/api/automations/nonsense"), 404),
        (world.owner.post("/api/automations").json(&json!({"name": ""})), 422),
        (world.owner.post("/api/automations").body("text/plain", "x"), 415),
        (world.owner.post("/api/repos").body("application/json", "{"), 400),
        (world.owner.get("/api/sessions"), 200),
    ] {
        let answer = request.send();
        assert_eq!(answer.status(), status, "{answer:?}");
        let [limit, remaining, reset] = limits(&answer)[..] else { panic!("{answer:?}") };
        assert_eq!(limit, 1_000);
        // A slow machine gives some back in between.
        assert!(remaining < 1_000 && remaining <= before.max(999), "{remaining} after {before}");
        assert!(reset >= now, "{reset} {now}");
        before = remaining;
    }
    // Requests to other APIs do not count.
    for _ in 0..3 {
        world.owner.get("/api/v1/organizations").send().expect(200);
    }
    world.owner.get("/api/v1/organizations").send().refuse(429, "hour");
    world.owner.get("/api/automations").send().expect(200);
    assert_eq!(limits(&world.anonymous().get("/api/automations").send()), Vec::<i64>::new());
}

#[test]
fn more_is_refused_until_later() {
    let world = World::start_with(&[
        ("SERVICE_RATE_LIMIT_PLATFORM_PER_MINUTE", "20"),
        ("SERVICE_RATE_LIMIT_SESSIONS_PER_MINUTE", "2"),
    ]);
    let start = || world.owner.post("/api/sessions").json(&json!({"prompt": "x"})).send();
    let refused = (0..10).map(|_| start()).find(|answer| answer.status() != 201).expect("a refusal");
    refused.refuse(429, "sessions");
    assert_eq!(refused.value()["code"], "RATE_LIMITED");
    assert_eq!(limits(&refused)[..2], [2, 0]);
    assert!(refused.header("retry-after").unwrap().parse::<u32>().unwrap() > 0);
    let read = || world.owner.get("/api/sessions").send();
    let refused = (0..100).map(|_| read()).find(|answer| answer.status() != 200).expect("a refusal");
    refused.refuse(429, "requests");
    assert_eq!(limits(&refused)[..2], [20, 0]);
    // Others have their own.
    world.member().client.get("/api/sessions").send().expect(200);
}
