//! Malformed batches and queries of logs.

use crate::report::{Outcome, Random, Report, ensure, is_soak, kept};
use crate::resources::memory;
use crate::support::connection::Connection;
use crate::support::project::encoded;
use crate::support::{Project, Server, Value, World, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// KiB that the process may have grown by in the end.
const DRIFT_MAX: u64 = 20 << 10;

const VALUES: [&str; 16] = [
    "null",
    "-1",
    "1e400",
    "9e99",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "[[[[[]]]]]",
    "{\"\":{\"\":[]}}",
    "true",
    "\"\"",
    "1795000000",
    "\"2026-01-01T00:00:00Z\"",
    "\"info\"",
    "\"error\"",
    "\"a message of words\"",
    "{\"password\":\"x\"}",
];
const FIELDS: [&str; 13] = [
    "timestamp",
    "level",
    "message",
    "template",
    "attributes",
    "trace_id",
    "span_id",
    "user",
    "account",
    "logger_name",
    "file_path",
    "line_number",
    "function_name",
];
const PIECES: [&str; 30] = [
    "a",
    "\"",
    "(",
    ")",
    "-",
    "*",
    "OR ",
    "AND ",
    "NOT ",
    ":",
    "level:",
    "attr.",
    "user:",
    "\\",
    " ",
    "é",
    "東",
    "\u{0}",
    "|",
    "trace:*",
    ",",
    "x*",
    "[a-z]",
    "{1,9}",
    "template:",
    "message",
    "words",
    "\u{10ffff}",
    "\u{301}",
    "%",
];
const ROUTES: [&str; 8] = [
    "/logs",
    "/logs/histogram",
    "/logs/templates",
    "/logs/fields",
    "/logs/export",
    "/logs/context",
    "/logs/fields",
    "/traces/x/errors",
];

/// A batch whose fields have values of other types, sometimes truncated or overwritten.
fn body(random: &mut Random, key: &str) -> Vec<u8> {
    let entry = |random: &mut Random| {
        let count = random.below(FIELDS.len() + 1);
        let fields: Vec<String> =
            (0..count).map(|_| format!("\"{}\":{}", random.of(&FIELDS), random.of(&VALUES))).collect();
        format!("{{{}}}", fields.join(","))
    };
    let logs: Vec<String> = (0..random.below(6)).map(|_| entry(random)).collect();
    let logs = if random.below(20) == 0 {
        (*random.of(&VALUES)).to_owned()
    } else {
        format!("[{}]", logs.join(","))
    };
    let shared = format!("\"environment\":{},\"release\":{}", random.of(&VALUES), random.of(&VALUES));
    let mut body = format!("{{\"api_key\":\"{key}\",{shared},\"logs\":{logs}}}").into_bytes();
    match random.below(8) {
        0 => body.truncate(random.below(body.len())),
        1 => {
            for _ in 0..=random.below(6) {
                let at = random.below(body.len());
                body[at] = random.next() as u8;
            }
        }
        2 => body.extend_from_slice(b"]}"),
        _ => {}
    }
    body
}

fn query(random: &mut Random) -> String {
    let search: String = (0..random.below(30)).map(|_| *random.of(&PIECES)).collect();
    const OTHERS: [&str; 12] = [
        "",
        "&levels=error,x",
        "&levels=%ff",
        "&trace_id=%00",
        "&start_time=x",
        "&end_time=1970-01-01T00:00:00Z",
        "&limit=-1",
        "&limit=99999999999999999999",
        "&offset=100000",
        "&interval=1",
        "&field=attributes.a",
        "&id=1",
    ];
    let others: String = (0..random.below(3)).map(|_| *random.of(&OTHERS)).collect();
    format!("?search={}{others}", encoded(&search))
}

/// Alternates batches and queries; each is refused or accepted, and nothing breaks.
fn sent(count: usize) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Malformed");
    let server = &project.world.server;
    let mut random = Random::seeded();
    let connection = &mut Connection::new(&project.owner);
    let (mut statuses, mut before) = (BTreeMap::<u16, usize>::new(), 0);
    for number in 0..count {
        if number == count / 4 {
            // Memory that the first requests make the allocator and the caches keep does not count as growth.
            before = memory(server);
        }
        let request = if number % 2 == 0 {
            let body = body(&mut random, &project.key);
            project.world.anonymous().post("/api/v1/logs/batch").body("application/json", body)
        } else {
            let path = project.path(random.of::<&str>(&ROUTES)) + &query(&mut random);
            project.owner.get(&path)
        };
        // The length of an export is not known in advance.
        let answer = request.try_send().map_err(|error| format!("no answer: {error}"))?;
        ensure(answer.status() < 500, || format!("a 5xx: {answer:?}"))?;
        *statuses.entry(answer.status()).or_default() += 1;
    }
    let text = server.output();
    ensure(!text.contains("panicked") && !text.contains("is being rebuilt"), || {
        format!("a panic or damage: {text}")
    })?;
    let good =
        project.with_key(&json!({"logs": [{"timestamp": 1, "level": "info", "message": "still there"}]}));
    let answer = project.world.anonymous().post("/api/v1/logs/batch").json(&good).send_on(connection);
    let answer: Value = answer.map_err(|error| error.to_string())?.expect(202);
    ensure(answer["accepted"] == 1, || answer.to_string())?;
    let drift = memory(server).saturating_sub(before);
    ensure(drift < DRIFT_MAX, || format!("the memory drifts: {drift} KiB more"))?;
    let report = Report::default().with("requests", count).with("drift KiB", drift);
    Ok(report.with("statuses", format!("{statuses:?}")))
}

#[test]
fn malformed_batches_and_queries_of_logs_are_refused_and_leave_nothing_behind() {
    kept(sent(if is_soak() { 50_000 } else { 10_000 }));
}
