//! Malformed bodies for every route.

use crate::report::{Outcome, Random, Report, ensure, is_soak, kept};
use crate::resources::memory;
use crate::support::client::Request;
use crate::support::connection::Connection;
use crate::support::{Client, Project, Server, Value, World, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// KiB that the process may have grown by in the end.
const DRIFT_MAX: u64 = 20 << 10;

/// A method and a path with its parameters still in braces.
struct Route {
    method: String,
    path: String,
}

/// Every route of the API document except those whose answers have no length, and the one that signs us out.
fn routes(client: &Client) -> Vec<Route> {
    let document = client.get("/api/openapi.json").send().expect(200);
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if !["/stream", "/tail", "/export", "/logout"].iter().any(|end| path.ends_with(end)) {
                routes.push(Route { method: method.to_ascii_uppercase(), path: path.clone() });
            }
        }
    }
    assert!(routes.len() > 40, "only {} routes", routes.len());
    routes
}

struct Malformed<'a> {
    random: Random,
    project: &'a Project,
}

impl Malformed<'_> {
    /// From anybody, with some content type and encoding.
    fn request(&mut self, route: &Route) -> Request {
        const KINDS: [&str; 6] = [
            "application/json",
            "application/json",
            "text/plain",
            "multipart/form-data; boundary=x",
            "\u{ff}",
            "application/x-www-form-urlencoded",
        ];
        const ENCODINGS: [&str; 5] = ["gzip", "br", "zstd", "deflate", "nonsense"];
        let world = &self.project.world;
        let clients = [world.anonymous(), self.project.owner.clone(), self.project.ci(), world.bearer("x")];
        let (path, body) = (self.path(route), self.body());
        let request = self.random.of(&clients).request(&route.method, &path).bytes(body);
        let request = request.header("content-type", self.random.of::<&str>(&KINDS));
        if self.random.below(2) > 0 {
            return request;
        }
        request.header("content-encoding", self.random.of::<&str>(&ENCODINGS))
    }

    /// A path with a value for each of its parameters; a deletion never names anything that exists.
    fn path(&mut self, route: &Route) -> String {
        const JUNK: [&str; 9] = [
            "0",
            "-1",
            "99999999",
            "184467440737095516160",
            "%00",
            "%ff%fe",
            "..%2f..%2fetc",
            "a%20b",
            "%F0%9F%92%A9",
        ];
        let own = self.project.id.to_string();
        let mut path = String::new();
        for (index, piece) in route.path.split('{').enumerate() {
            if index == 0 {
                path.push_str(piece);
                continue;
            }
            let rest = piece.split_once('}').unwrap().1;
            let is_own = route.method != "DELETE" && self.random.below(3) > 0;
            let junk: &str = self.random.of::<&str>(&JUNK);
            path.push_str(if is_own { &own } else { junk });
            path.push_str(rest);
        }
        const QUERIES: [&str; 9] = [
            "?search=%22((%ff*+OR&levels=x",
            "?search=a*&field=attributes.a&id=1&start_time=2026-01-01T00:00:00Z",
            "",
            "",
            "?limit=-1&offset=x",
            "?limit=99999999999999999999",
            "?project_id=%00",
            "?status=%ff&q=((((",
            "?offset=1e9&period=0h&cursor=%27%22",
        ];
        path + self.random.of::<&str>(&QUERIES)
    }

    /// A body out of the good ones: cut, overwritten, of other types, nested.
    fn body(&mut self) -> Vec<u8> {
        let good = self.good().to_string().into_bytes();
        let mut body = good.clone();
        match self.random.below(9) {
            0 => body.truncate(self.random.below(good.len())),
            1 => {
                for _ in 0..=self.random.below(8) {
                    let at = self.random.below(body.len());
                    body[at] = self.random.next() as u8;
                }
            }
            2 => body = self.swapped().to_string().into_bytes(),
            3 => body = "[".repeat(self.random.below(5_000)).into_bytes(),
            4 => body = (0..self.random.below(2_000)).map(|_| self.random.next() as u8).collect(),
            5 => body = [good.as_slice(), b"\0\xff", &good].concat(),
            6 => body = format!("{{\"message\": \"\\ud800{}\"}}", "\u{0}\u{1}\u{7f}").into_bytes(),
            7 => body = b"a=1&b=%ff&version=%00&version=2&=".to_vec(),
            _ => body.clear(),
        }
        body
    }

    fn good(&mut self) -> Value {
        let key = &self.project.key;
        let event = json!({"api_key": key, "message": "x", "level": "error", "timestamp": "2026-01-01T00:00:00Z",
            "tags": {"a": "b"}, "user": {"id": "1"}, "breadcrumbs": [{"message": "x"}],
            "exception": {"type": "E", "message": "m", "stack": "E: m\\n    at f (https://a/b.js:1:1)"}});
        let account =
            json!({"email": "a@example.com", "password": "x", "token": "t", "name": "n", "role": "admin"});
        let thing = json!({"name": "n", "status": "resolved", "issue_ids": [1, 2], "scopes": ["ingest"], "version": "1",
            "assignee_id": 1, "body": "text", "expires_at": "2026-01-01T00:00:00Z"});
        let logs = json!({"api_key": key, "environment": "e", "logs": [{"timestamp": 1, "level": "info", "message": "x"}]});
        let choices = [event.clone(), json!([event, 5, null]), account, thing, logs];
        self.random.of(&choices).clone()
    }

    /// With a value of another type in some place.
    fn swapped(&mut self) -> Value {
        let others = [
            json!(null),
            json!(-1),
            json!(1e308),
            json!("\u{202e}\u{0}"),
            json!([[[]]]),
            json!({"": {}}),
            json!(true),
        ];
        let other = self.random.of(&others).clone();
        let mut value = self.good();
        let nth = self.random.below(12);
        match &mut value {
            Value::Object(fields) => {
                let count = fields.len();
                *fields.values_mut().nth(nth % count).unwrap() = other;
            }
            Value::Array(items) => items[0] = other,
            _ => {}
        }
        value
    }
}

/// Sends bodies to every route in turn; each is refused or accepted, and nothing breaks.
fn bodies(count: usize) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Malformed");
    let server = &project.world.server;
    let routes = routes(&project.owner);
    let mut malformed = Malformed { random: Random::seeded(), project: &project };
    let connection = &mut Connection::new(&project.owner);
    let (mut statuses, mut before) = (BTreeMap::<u16, usize>::new(), 0);
    for number in 0..count {
        if number == count / 4 {
            // Memory that the first requests make the allocator and the caches keep does not count as growth.
            before = memory(server);
        }
        let route = &routes[number % routes.len()];
        let answer = malformed.request(route).send_on(connection);
        let answer =
            answer.map_err(|error| format!("{} {}: no answer: {error}", route.method, route.path))?;
        ensure(answer.status() < 500, || format!("a 5xx: {answer:?}"))?;
        *statuses.entry(answer.status()).or_default() += 1;
    }
    let text = server.output();
    ensure(!text.contains("panicked"), || format!("a panic: {text}"))?;
    project.digest(&json!({"message": "still there"}));
    let drift = memory(server).saturating_sub(before);
    ensure(drift < DRIFT_MAX, || format!("the memory drifts: {drift} KiB more"))?;
    let report =
        Report::default().with("bodies", count).with("routes", routes.len()).with("drift KiB", drift);
    Ok(report.with("statuses", format!("{statuses:?}")))
}

#[test]
fn malformed_bodies_are_refused_and_leave_nothing_behind() {
    kept(bodies(if is_soak() { 50_000 } else { 10_000 }));
}
