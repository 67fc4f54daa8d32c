//! Bodies that cost far more than their size suggests: each is refused soon, and memory stays within bounds.

use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage};
use crate::resources::{peak, reset_peak, resident};
use crate::support::{Client, Form, Project, Server, World};
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An optimised build answers all of them within a second; this one is not.
const ANSWERED: Duration = Duration::from_secs(10);
const MAP_ANSWERED: Duration = Duration::from_secs(60);
/// KiB: twice the largest accepted body, decompressed, and the window of a Brotli decoder.
const BODY_MEMORY: u64 = 2 * (8 << 10) + (16 << 10);
/// KiB: twice the largest source map, and the limit of its conversion.
const MAP_MEMORY: u64 = 2 * (50 << 10) + (256 << 10);
/// Connections that send the same bomb at once.
const AT_ONCE: usize = 200;
/// KiB by which any process grows: new threads and arenas.
const NOISE: u64 = 12 << 10;

/// 64 MiB of zeros: Node's `zlib.brotliCompressSync(Buffer.alloc(64 << 20))` at quality 11, window 24.
const BROTLI: &str = "cfffff7ff82700e2b14020f7fe9ffffffff04f00c4610180eefd3fffffffe19f0088c32200ddfbfffcffffc73f0110870500baf7ff";

struct Case {
    name: &'static str,
    path: &'static str,
    kind: String,
    encoding: Option<&'static str>,
    body: Vec<u8>,
}

impl Case {
    fn json(name: &'static str, path: &'static str, encoding: Option<&'static str>, body: Vec<u8>) -> Self {
        Self { name, path, kind: "application/json".into(), encoding, body }
    }

    fn map(name: &'static str, map: Vec<u8>) -> Self {
        let form =
            Form::new().text("release", "1").text("url", format!("~/{name}.js")).file("sourcemap", map);
        let (kind, body) = (form.content_type(), form.encode());
        Self { name, path: "/api/v1/sourcemaps", kind, encoding: None, body }
    }
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn brotli() -> Vec<u8> {
    let pairs = BROTLI.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

const PATHS: [&str; 4] =
    ["/api/v1/errors", "/api/v1/errors/batch", "/auth/password/login", "/api/v1/releases"];

/// The same zeros for each route that accepts an encoding, and gzip within gzip.
fn bombs(paths: &[&'static str]) -> Vec<Case> {
    let zeros = vec![0; 128 << 20];
    let (gzip_once, zstd) = (gzip(&zeros), zstd::bulk::compress(&zeros, 3).unwrap());
    let mut cases = Vec::new();
    for path in paths.iter().copied() {
        cases.push(Case::json("a gzip bomb", path, Some("gzip"), gzip_once.clone()));
        cases.push(Case::json("a br bomb", path, Some("br"), brotli()));
        cases.push(Case::json("a zstd bomb", path, Some("zstd"), zstd.clone()));
        cases.push(Case::json("two gzips", path, Some("gzip"), gzip(&gzip_once)));
        cases.push(Case::json("a list of encodings", path, Some("gzip, gzip"), gzip(&gzip_once)));
    }
    cases
}

/// JSON that is deep or wide.
fn shapes(key: &str) -> Vec<Case> {
    let deep = b"[".repeat(200_000);
    let deep_extra = [br#"{"message":"x","extra":"#.as_slice(), &br#"{"a":"#.repeat(200_000)].concat();
    let wide = wide(key, 1_000_000);
    let endless =
        [format!(r#"{{"api_key":"{key}","message":"#).as_bytes(), &b"9".repeat(1_000_000), b"}"].concat();
    let logs = |rest: &[u8]| [format!(r#"{{"api_key":"{key}","logs":"#).as_bytes(), rest].concat();
    let entry = br#"[{"timestamp":1,"level":"info","message":"x","attributes":"#;
    let many = [b"[".as_slice(), &br#"{"a":0},"#.repeat(900_000), b"0]}"].concat();
    vec![
        Case::json("200,000 lists of logs", "/api/v1/logs/batch", None, logs(&deep)),
        Case::json(
            "200,000 lists in an entry",
            "/api/v1/logs/batch",
            None,
            logs(&[entry, deep.as_slice()].concat()),
        ),
        Case::json("900,000 entries", "/api/v1/logs/batch", None, logs(&many)),
        Case::json("900,000 entries, compressed", "/api/v1/logs/batch", Some("gzip"), gzip(&logs(&many))),
        Case::json("a million keys in an entry", "/api/v1/logs/batch", None, wide_entry(key, 1_000_000)),
        Case::json("200,000 lists", "/api/v1/errors", None, deep.clone()),
        Case::json("200,000 lists, many times", "/api/v1/errors/batch", None, deep),
        Case::json("200,000 objects", "/api/v1/errors", None, deep_extra.clone()),
        Case::json("200,000 objects, signing in", "/auth/password/login", None, deep_extra),
        Case::json("a million keys", "/api/v1/errors/batch", None, wide.clone()),
        Case::json("a million keys, compressed", "/api/v1/errors/batch", Some("gzip"), gzip(&wide)),
        Case::json("a million keys for a small route", "/auth/password/login", None, wide),
        Case::json("a number without an end", "/api/v1/errors", None, endless),
    ]
}

/// One log entry with the attributes that [`wide`] has as an event.
fn wide_entry(key: &str, keys: usize) -> Vec<u8> {
    let event = wide(key, keys);
    let start = event.windows(8).position(|part| part == br#""extra":"#).unwrap() + 8;
    let entry = br#"[{"timestamp":1,"level":"info","message":"x","attributes":"#;
    [format!(r#"{{"api_key":"{key}","logs":"#).as_bytes(), entry, &event[start..], b"}"].concat()
}

/// One event with so many distinct keys of up to four characters: slightly below 8 MiB for a million.
fn wide(key: &str, keys: usize) -> Vec<u8> {
    let symbols: Vec<u8> = (b' '..=b'~').filter(|symbol| !b"\"\\".contains(symbol)).collect();
    let mut body = format!(r#"[{{"api_key":"{key}","message":"x","extra":{{"":0"#).into_bytes();
    for number in 1..keys {
        body.extend_from_slice(b",\"");
        let mut rest = number;
        while rest > 0 {
            body.push(symbols[rest % symbols.len()]);
            rest /= symbols.len();
        }
        body.extend_from_slice(b"\":0");
    }
    body.extend_from_slice(b"}}]");
    assert!(body.len() < 8 << 20, "{} bytes are refused for their size alone", body.len());
    body
}

/// Source maps of nearly 50 MiB whose parts are many and small.
fn maps() -> Vec<Case> {
    let fill = |start: &str, piece: &str, end: &str| {
        let count = ((50 << 20) - 4_096 - start.len()) / piece.len();
        let mut map = [start.as_bytes(), &piece.as_bytes().repeat(count)].concat();
        map.truncate(map.len() - 1);
        map.extend_from_slice(end.as_bytes());
        map
    };
    let section =
        r#"{"offset":{"line":0,"column":0},"map":{"version":3,"sources":[],"names":[],"mappings":""}},"#;
    vec![
        Case::map("names", fill(r#"{"version":3,"sources":[],"mappings":"","names":["#, r#""a","#, "]}")),
        Case::map("sources", fill(r#"{"version":3,"names":[],"mappings":"","sources":["#, r#""a","#, "]}")),
        Case::map("sections", fill(r#"{"version":3,"sections":["#, section, "]}")),
        Case::map(
            "nested-sections",
            fill("", r#"{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":"#, ""),
        ),
        Case::map("deep", fill(r#"{"version":3,"x":"#, "[", "")),
        Case::map("no-json", vec![b'9'; 50 << 20]),
    ]
}

/// Sends each body by itself; all must be refused soon, with at most `memory` more than an idle server has.
fn refused(
    cases: impl FnOnce(&str) -> Vec<Case>,
    limit: Duration,
    memory: u64,
    environment: &[(&str, &str)],
) -> Outcome {
    let project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Hostile");
    let server = &project.world.server;
    let cases = cases(&project.key);
    let idle = resident(server);
    let (mut longest, mut most, count) = (Duration::ZERO, 0, cases.len());
    for Case { name, path, kind, encoding, body } in cases {
        reset_peak(server);
        let start = Instant::now();
        let mut request = client(&project, path).post(path).body(&kind, body);
        if let Some(encoding) = encoding {
            request = request.header("content-encoding", encoding);
        }
        let answer = request.try_send().map_err(|error| format!("{name} on {path}: no answer: {error}"))?;
        let (took, grown) = (start.elapsed(), peak(server).saturating_sub(idle));
        eprintln!("{name} on {path}: {} in {} ms, {grown} KiB over idle", answer.status(), took.as_millis());
        ensure(grown < memory, || format!("{name} on {path}: {grown} KiB over idle"))?;
        // Of a batch the unusable is left out.
        let dropped = answer.status() == 202 && answer.value()["accepted"] == 0;
        let refused = dropped || matches!(answer.status(), 400 | 413 | 415 | 422);
        ensure(refused, || format!("{name} on {path}: {answer:?}"))?;
        ensure(took < patience(limit), || format!("{name} on {path}: answered after {took:?}"))?;
        (longest, most) = (longest.max(took), most.max(grown));
    }
    ensure(!server.output().contains("panicked"), || "a panic".to_owned())?;
    project.world.anonymous().get("/health").send().expect(200);
    let report = Report::default().with("bodies", count).with("longest ms", longest.as_millis());
    Ok(report.with("KiB over idle at most", most))
}

/// A client that may use the route, so that the server reads the body.
fn client(project: &Project, path: &str) -> Client {
    if ["/api/v1/errors", "/api/v1/logs", "/auth"].iter().any(|start| path.starts_with(start)) {
        project.world.anonymous()
    } else {
        project.ci()
    }
}

#[test]
fn bombs_are_refused_before_they_are_held() {
    kept(refused(|_| bombs(&PATHS), ANSWERED, BODY_MEMORY + NOISE, &[]));
    kept(refused(|_| bombs(&["/api/v1/logs/batch"]), ANSWERED, BODY_MEMORY + NOISE, &[]));
}

#[test]
fn a_limit_on_compressed_bytes_alone_is_noticed() {
    broken(
        refused(|_| bombs(&PATHS), ANSWERED, BODY_MEMORY + NOISE, &sabotage("wire_limit_only")),
        "KiB over idle",
    );
}

#[test]
fn deep_and_wide_json_is_refused_within_bounds() {
    kept(refused(shapes, ANSWERED, BODY_MEMORY + NOISE, &[]));
}

#[test]
fn hostile_source_maps_are_refused_within_bounds() {
    kept(refused(|_| maps(), MAP_ANSWERED, MAP_MEMORY + NOISE, &[]));
}

/// Each is small and expands a lot: the server decompresses only a few at once.
#[test]
fn many_bombs_at_once_take_little_more_than_a_few() {
    let world = World::new(Server::start());
    let idle = resident(&world.server);
    reset_peak(&world.server);
    let answers: Vec<(u16, bool)> = std::thread::scope(|scope| {
        let send = || {
            let request = world.anonymous().post("/api/v1/errors").body("application/json", brotli());
            let answer = request.header("content-encoding", "br").send();
            (answer.status(), answer.header("retry-after").is_some())
        };
        let senders: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(send)).collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect()
    });
    // On a loaded machine some have waited in line for too long, and are told to come again.
    assert!(answers.iter().all(|answer| matches!(answer, (413, _) | (503, true))), "{answers:?}");
    assert!(answers.iter().filter(|(status, _)| *status == 413).count() > AT_ONCE / 10, "{answers:?}");
    let grown = peak(&world.server).saturating_sub(idle);
    eprintln!("{grown} KiB over idle");
    assert!(grown < 4 * BODY_MEMORY, "{grown} KiB over idle");
}
