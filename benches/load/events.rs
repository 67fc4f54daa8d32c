//! Error events as a shop's pages send them: some 5 KB of JSON, 500 issues with a long tail, users,
//! tags, breadcrumbs, V8 stacks of ten frames in a bundle that has a source map.
//!
//! A pool of whole requests is made once; ids are patched in before each sending, so that every
//! event is another one and the generator stays cheap.

use crate::client::Request;
use crate::mapgen::Bundle;
use serde_json::{Value, json};
use std::ops::Range;

const ISSUES: usize = 500;
const FRAMES: usize = 10;
const USERS: u64 = 20_000;
/// Requests in the pool.
const POOL: usize = 4_096;

pub(crate) const RELEASE: &str = "shop@4.12.0";
pub(crate) const SCRIPT: &str = "~/assets/main.js";
pub(crate) const PATH: &str = "/api/v1/errors";
const ADDRESS: &str = "https://shop.example.com/assets/main.js";

const KINDS: [&str; 8] = [
    "TypeError",
    "RangeError",
    "ReferenceError",
    "ChunkLoadError",
    "NetworkError",
    "AbortError",
    "CheckoutError",
    "ValidationError",
];
const THINGS: [&str; 12] = [
    "invoice", "basket", "voucher", "shipment", "customer", "payment", "address", "refund", "product",
    "session", "catalog", "review",
];
const CATEGORIES: [&str; 5] = ["navigation", "ui.click", "xhr", "fetch", "console"];
const BROWSERS: [&str; 4] = ["Chrome 131", "Firefox 133", "Safari 18.1", "Edge 131"];
const SYSTEMS: [&str; 5] = ["Windows 11", "macOS 15.1", "Android 15", "iOS 18.1", "Ubuntu 24.04"];
const REGIONS: [&str; 6] = ["eu-central", "eu-west", "us-east", "us-west", "ap-south", "sa-east"];

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 20) % limit
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn hex(&mut self, length: usize) -> String {
        format!("{:016x}{:016x}", self.next(), self.next())[..length].to_owned()
    }

    /// An issue: the one of rank r is met about r times as rarely as the first.
    fn issue(&mut self) -> usize {
        let uniform = self.below(1 << 30) as f64 / (1u64 << 30) as f64;
        ((ISSUES as f64).powf(uniform) as usize).min(ISSUES) - 1
    }
}

/// Requests ready to be sent.
pub(crate) struct Pool {
    requests: Vec<Prepared>,
    random: Random,
}

struct Prepared {
    bytes: Vec<u8>,
    event_id: Range<usize>,
    trace_id: Range<usize>,
    /// The user's number, twice: id and e-mail.
    user: [Range<usize>; 2],
}

impl Pool {
    /// A pool for the projects that `keys` belong to.
    pub(crate) fn new(keys: &[String], bundle: &Bundle, now: &str, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let requests = (0..POOL).map(|_| {
            let event = event(&mut random, keys, bundle, now);
            Prepared::new(&post(&event))
        });
        let requests = requests.collect();
        Self { requests, random }
    }

    /// Bytes of a body at the mean.
    pub(crate) fn mean_body(&self) -> f64 {
        let total: usize = self.requests.iter().map(|request| body(&request.bytes).len()).sum();
        total as f64 / self.requests.len() as f64
    }

    /// Puts a new event's request into `into`.
    pub(crate) fn next(&mut self, into: &mut Vec<u8>) {
        let Self { requests, random } = self;
        let request = &requests[random.below(POOL as u64) as usize];
        into.clear();
        into.extend_from_slice(&request.bytes);
        for slot in [&request.event_id, &request.trace_id] {
            put_hex(&mut into[slot.start..slot.start + 16], random.next());
            put_hex(&mut into[slot.start + 16..slot.end], random.next());
        }
        let user = random.below(USERS);
        for slot in &request.user {
            put_hex(&mut into[slot.clone()], user);
        }
    }
}

impl Prepared {
    fn new(bytes: &[u8]) -> Self {
        let after = |name: &str, length: usize| {
            let at = memchr::memmem::find(bytes, name.as_bytes()).expect("the event has it") + name.len();
            at..at + length
        };
        Self {
            event_id: after("\"event_id\":\"", 32),
            trace_id: after("\"trace_id\":\"", 32),
            user: [after("\"id\":\"user-", 6), after("\"email\":\"buyer.", 6)],
            bytes: bytes.to_vec(),
        }
    }
}

fn put_hex(slot: &mut [u8], mut value: u64) {
    for digit in slot.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(value & 15) as usize];
        value >>= 4;
    }
}

fn post(event: &Value) -> Vec<u8> {
    let body = event.to_string();
    let content_type = "application/json";
    Request { method: "POST", path: PATH, bearer: None, content_type, body: body.as_bytes() }.bytes()
}

fn body(request: &[u8]) -> &[u8] {
    let at = memchr::memmem::find(request, b"\r\n\r\n").expect("a head ends");
    &request[at + 4..]
}

/// A small event that falls into an issue of its own.
pub(crate) fn probe(key: &str, random: &mut Random) -> Vec<u8> {
    post(&json!({
        "api_key": key, "event_id": random.hex(32), "message": "probe", "type": "message",
        "fingerprint": ["probe"],
    }))
}

fn event(random: &mut Random, keys: &[String], bundle: &Bundle, now: &str) -> Value {
    let issue = random.issue();
    let key = &keys[issue % keys.len()];
    let (browser, system) = (random.of(&BROWSERS), random.of(&SYSTEMS));
    json!({
        "api_key": key, "event_id": random.hex(32), "timestamp": now, "type": "exception",
        "level": if issue.is_multiple_of(7) { "fatal" } else { "error" },
        "environment": if random.below(10) == 0 { "staging" } else { "production" },
        "release": RELEASE, "platform": "javascript",
        "url": format!("https://shop.example.com/{}/{}", random.of(&THINGS), random.below(100_000)),
        "user_agent": format!("Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) {browser}"),
        "user": {"id": "user-000000", "email": "buyer.000000@example.com", "username": "buyer"},
        "account": {"id": format!("acct-{}", random.below(400)), "name": "Example Ltd"},
        "session_id": random.hex(32), "window_id": random.hex(16),
        "trace_id": random.hex(32), "span_id": random.hex(16),
        "sdk": {"name": "mayday.javascript", "version": "1.4.2"},
        "tags": {"browser": browser, "os": system, "region": random.of(&REGIONS),
            "plan": random.of(&["free", "team", "business"]), "locale": random.of(&["de", "en", "fr", "es"]),
            "feature": random.of(&THINGS), "node": format!("web-{}", random.below(24))},
        "contexts": {"device": {"memory_gb": 8, "cores": 8, "viewport": format!("{}x{}", 900 + random.below(800), 1080)},
            "state": {"route": random.of(&THINGS), "items": random.below(30), "request_id": random.hex(32)}},
        "extra": {"basket": {"total": random.below(90_000), "currency": "EUR", "lines": random.below(12)}},
        "breadcrumbs": (0..18).map(|step| breadcrumb(random, step)).collect::<Vec<_>>(),
        "exception": exception(random, issue, bundle),
    })
}

fn breadcrumb(random: &mut Random, step: u64) -> Value {
    let (thing, other) = (random.of(&THINGS), random.of(&THINGS));
    let status = if random.below(9) == 0 { 500 } else { 200 };
    json!({
        "timestamp": 1_800_000_000_000_u64 + step * 1_300 + random.below(900),
        "category": random.of(&CATEGORIES), "level": "info",
        "message": format!("GET /api/{thing}/{}/{other}", random.below(1_000_000)),
        "data": {"status": status, "ms": random.below(900)},
    })
}

fn exception(random: &mut Random, issue: usize, bundle: &Bundle) -> Value {
    let kind = KINDS[issue % KINDS.len()];
    let thing = THINGS[issue % THINGS.len()];
    let message = format!(
        "Cannot read properties of undefined (reading '{thing}') of order {}",
        random.below(1_000_000)
    );
    let mut stack = format!("{kind}: {message}");
    for frame in 0..FRAMES {
        // Issues differ near the throw and share their callers.
        let place = if frame < 4 { issue * 4 + frame } else { ISSUES * 4 + (issue % 40) * 8 + frame };
        let column = bundle.frames[place % bundle.frames.len()] + 1;
        stack.push_str(&format!(
            "\n    at {} ({ADDRESS}:1:{column})",
            ["n", "Object.t", "e.render", "i"][frame % 4]
        ));
    }
    json!({"type": kind, "message": message, "stack": stack, "mechanism": {"type": "onerror", "handled": false}})
}
