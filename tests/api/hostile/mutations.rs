//! Valid requests with random damage, the same each time: never a server error.

use crate::support::client::Request;
use crate::support::{Form, Project, Value, json, maps};

const MUTATIONS: u64 = 500;

/// Bytes that typical damage consists of.
const TOKENS: [&[u8]; 24] = [
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b"\"\"",
    b"{}",
    b"[]",
    b"[[[[",
    b"{\"a\":",
    b"\\u0000",
    b"\\ud800",
    b"\x00",
    b"\xff\xfe",
    b"\r\n--",
    b"../../",
    b"%00",
    b"\"api_key\"",
    b"\"exception\"",
    b":",
    b",",
    b"\"",
    b";;;;",
    b"ZZZZZZZZZZZZZZ",
];

/// xorshift64: the same numbers for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        start..(start + 1 + self.below(20)).min(length)
    }

    /// One to four injuries.
    fn damage(&mut self, body: &[u8]) -> Vec<u8> {
        let mut body = body.to_vec();
        for _ in 0..=self.below(4) {
            let range = self.range(body.len());
            match self.below(7) {
                0 => body[range.start] ^= 1 << self.below(8),
                1 => drop(body.drain(range)),
                2 => body.truncate(range.start),
                3 => {
                    let again = body[range.clone()].repeat(1 + self.below(50));
                    body.splice(range, again).for_each(drop);
                }
                4 => body[range.start] = b"{}[]\",:0"[self.below(8)],
                5 => body.splice(range, TOKENS[self.below(TOKENS.len())].iter().copied()).for_each(drop),
                _ => body
                    .splice(range.start..range.start, TOKENS[self.below(TOKENS.len())].iter().copied())
                    .for_each(drop),
            }
            if body.is_empty() {
                body.push(b' ');
            }
        }
        body
    }
}

/// Sends mutations of `body`; some must be accepted and some refused, and none may cause a server error.
fn sweep(project: &Project, seed: u64, body: &[u8], request: impl Fn() -> Request, kind: &str) {
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..MUTATIONS {
        let mut random = Random((seed << 32 | (number + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let damaged = random.damage(body);
        let answer = request().body(kind, damaged.clone()).send();
        let shown =
            || format!("seed {seed}, number {number}: {answer:?}\n{}", String::from_utf8_lossy(&damaged));
        match answer.status() {
            200..=299 => accepted += 1,
            400..=499 => {
                assert!(
                    answer.value()["detail"].as_str().is_some_and(|text| !text.is_empty()),
                    "{}",
                    shown()
                );
                refused += 1;
            }
            _ => panic!("{}", shown()),
        }
    }
    assert!(accepted > 10 && refused > 10, "{accepted} accepted, {refused} refused: the damage is not right");
    let health = project.world.anonymous().get("/health").send().expect(200);
    assert_eq!(health["status"], "ok");
    settle(project);
}

/// Everything accepted is digested, the list of issues can be read, and the log has no errors.
fn settle(project: &Project) -> Value {
    project.digest(&json!({"message": "after the sweep"}));
    let log = project.world.server.output();
    assert!(!log.contains("panicked") && !log.contains("\"ERROR\"") && !log.contains("set aside"), "{log}");
    project.issues("?limit=100&sort=events")
}

fn event(project: &Project) -> Value {
    project.with_key(&json!({
        "event_id": "e-1", "timestamp": "2026-11-21T10:00:00Z", "level": "error", "release": "1.0.0",
        "exception": {"type": "TypeError", "message": "x of undefined",
            "stack": "TypeError: x\n    at f (https://shop.example/a.js:1:51)\n    at async g (https://shop.example/a.js:1:162)",
            "frames": [{"function": "f", "filename": "a.js", "lineno": 1, "colno": 2, "in_app": true}],
            "cause": {"type": "E", "message": "m", "mechanism": {"type": "t", "handled": true}}},
        "user": {"id": "u", "email": "e@example.com"}, "account": {"id": "a"}, "tags": {"k": "v"},
        "extra": {"a": [1, 2.5, {"b": null}]}, "contexts": {"c": {"d": "4111 1111 1111 1111"}},
        "breadcrumbs": [{"timestamp": 1.5e12, "message": "Bearer abcdefghijk", "data": {"x": 1}}],
        "fingerprint": ["{{ default }}", "x"], "sdk": {"name": "n", "version": "v"},
    }))
}

#[test]
fn damaged_errors() {
    let project = Project::new();
    let body = event(&project).to_string();
    let request = || project.world.anonymous().post("/api/v1/errors");
    sweep(&project, 1, body.as_bytes(), request, "application/json");
}

#[test]
fn damaged_batches() {
    let project = Project::new();
    let body =
        json!([event(&project), {"api_key": project.key, "message": "second"}, event(&project)]).to_string();
    let request = || project.world.anonymous().post("/api/v1/errors/batch");
    sweep(&project, 2, body.as_bytes(), request, "application/json");
}

#[test]
fn damaged_stacks() {
    let project = Project::new();
    let seeds = [
        "TypeError: x\n    at f (https://shop.example/a.js:1:51)\n    at async Promise.all (index 0)\n    at eval (eval at g (<anonymous>), <anonymous>:1:1)",
        "f@https://shop.example/a.js:1:51\ng/<@https://shop.example/b.js line 3 > eval:1:1\n@debugger eval code:1:1",
        "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    x()\nKeyError: 'a'",
        "java.lang.Error: x\n\tat com.a.B.c(B.java:12)\nCaused by: java.lang.Error: y\n\t... 3 more",
    ];
    for number in 0..MUTATIONS {
        let mut random = Random((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let seed = seeds[random.below(seeds.len())];
        let stack = String::from_utf8_lossy(&random.damage(seed.as_bytes())).into_owned();
        project.accept(&json!({"exception": {"type": "E", "message": "m", "stack": stack}}));
    }
    let list = settle(&project);
    let count: i64 =
        list["issues"].as_array().unwrap().iter().map(|issue| issue["event_count"].as_i64().unwrap()).sum();
    assert!(
        list["has_more"] == true || count == MUTATIONS as i64 + 1,
        "{count} of {MUTATIONS}: some were set aside"
    );
}

#[test]
fn damaged_release_forms() {
    let project = Project::new();
    let form = Form::new().text("version", "1.0.0").text("url_prefix", "~/");
    let request = || project.ci().post("/api/v1/releases");
    sweep(&project, 3, &form.encode(), request, &form.content_type());
    sweep(&project, 4, br#"{"version": "1.0.0", "url_prefix": "~/static/"}"#, request, "application/json");
}

#[test]
fn damaged_uploads() {
    let project = Project::new();
    let form = Form::new().text("release", "1.0.0").text("url", "~/a.js").file("sourcemap", maps::cart());
    let request = || project.ci().post("/api/v1/sourcemaps");
    sweep(&project, 5, &form.encode(), request, &form.content_type());
}

#[test]
fn damaged_maps_that_are_accepted_can_be_used() {
    let project = Project::new();
    let map = maps::cart();
    let (mut taken, mut refused) = (0, 0);
    for number in 0..MUTATIONS {
        let mut random = Random((6 << 32 | (number + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let damaged = String::from_utf8_lossy(&random.damage(map.as_bytes())).into_owned();
        let url = format!("~/{number}.js");
        let answer = project.upload("1.0.0", &url, &damaged);
        match answer.status() {
            201 => {
                taken += 1;
                let frames = [("t", format!("https://x.example/{number}.js"), maps::IN_TOTAL)];
                let frames =
                    frames.iter().map(|(f, url, column)| (*f, url.as_str(), *column)).collect::<Vec<_>>();
                let stack = maps::stack("E: m", &frames);
                project.accept(
                    &json!({"release": "1.0.0", "exception": {"type": "E", "message": "m", "stack": stack}}),
                );
            }
            422 => refused += 1,
            status => panic!("number {number}: {status} {}\n{damaged}", answer.text()),
        }
    }
    assert!(taken > 10 && refused > 10, "{taken} taken, {refused} refused");
    let list = settle(&project);
    let count: i64 =
        list["issues"].as_array().unwrap().iter().map(|issue| issue["event_count"].as_i64().unwrap()).sum();
    assert!(list["has_more"] == true || count == taken + 1, "{count} of {taken}: some were set aside");
}
