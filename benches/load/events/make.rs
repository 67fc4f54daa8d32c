//! One event: of a size that is log-normally distributed, from 2 KB to 20 KB.

use super::random::Random;
use super::stacks::{Origin, Runtime, exception};
use crate::mapgen::Bundle;
use serde_json::{Value, json};

pub(crate) const RELEASE: &str = "shop@4.12.0";

/// Bytes of an event, and how far they are spread.
const MEDIAN: f64 = 4_100.0;
const SPREAD: f64 = 0.62;
const LEAST: f64 = 2_000.0;
const MOST: f64 = 20_000.0;
const BREADCRUMBS_MAX: usize = 100;

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

/// Forty words of eight letters: three of them name an issue, in functions, files and messages.
pub(crate) const WORDS: [&str; 40] = [
    "absolute", "accurate", "activity", "argument", "asteroid", "backbone", "balanced", "behavior",
    "boundary", "building", "calendar", "campaign", "capacity", "category", "champion", "chemical",
    "complete", "computer", "contract", "critical", "currency", "database", "delivery", "discount",
    "distance", "document", "economic", "election", "engineer", "estimate", "exchange", "festival",
    "friendly", "generate", "graphics", "hardware", "highland", "identity", "informal", "junction",
];

/// The words of an issue; another three for each of 64,000.
pub(crate) fn words(issue: usize) -> [&'static str; 3] {
    let count = WORDS.len();
    [WORDS[issue % count], WORDS[issue / count % count], WORDS[issue / count / count % count]]
}

/// What an event is made of.
pub(crate) struct Source<'a> {
    pub(crate) key: &'a str,
    pub(crate) issue: usize,
    pub(crate) words: [&'a str; 3],
    pub(crate) origin: Origin,
    /// Milliseconds since the epoch.
    pub(crate) now: u64,
}

pub(crate) fn event(random: &mut Random, source: &Source<'_>, bundle: &Bundle) -> Value {
    let runtime = Runtime::of_issue(source.issue);
    let mut event = base(random, source, runtime);
    let [first, second, third] = source.words;
    if runtime == Runtime::Message {
        event["type"] = json!("message");
        event["message"] = json!(format!("The {first} of {second} was refused by {third}, try 3 of 3"));
    } else {
        let message = format!(
            "Cannot read properties of undefined (reading '{first}') of {second} {}",
            random.below(1_000_000)
        );
        let kind = KINDS[source.issue % KINDS.len()];
        let place = (runtime, &source.origin, source.words);
        event["exception"] = exception(random, place, (kind, &message), bundle);
    }
    fill(random, &mut event);
    event
}

fn base(random: &mut Random, source: &Source<'_>, runtime: Runtime) -> Value {
    let (browser, system) = (random.of(&BROWSERS), random.of(&SYSTEMS));
    let mut event = json!({
        "api_key": source.key, "event_id": random.hex(32), "timestamp": source.now, "type": "exception",
        "level": if source.issue.is_multiple_of(7) { "fatal" } else { "error" },
        "environment": if random.below(10) == 0 { "staging" } else { "production" },
        "release": RELEASE, "platform": runtime.platform(),
        "user": {"id": "user-000000", "email": "buyer.000000@example.com", "username": "buyer"},
        "account": {"id": format!("acct-{}", random.below(400)), "name": "Example Ltd"},
        "session_id": random.hex(32), "trace_id": random.hex(32), "span_id": random.hex(16),
        "sdk": {"name": format!("mayday.{}", runtime.platform()), "version": "1.4.2"},
        "tags": {"browser": browser, "os": system, "region": random.of(&REGIONS),
            "plan": random.of(&["free", "team", "business"]), "feature": random.of(&THINGS),
            "node": format!("web-{}", random.below(24))},
        "contexts": {"state": {"route": random.of(&THINGS), "request_id": random.hex(32)}},
    });
    if matches!(runtime, Runtime::Browser | Runtime::Message) {
        let page = format!("https://shop.example.com/{}/{}", random.of(&THINGS), random.below(100_000));
        let agent = format!("Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) {browser}");
        (event["url"], event["user_agent"]) = (json!(page), json!(agent));
        event["window_id"] = json!(random.hex(16));
    } else {
        let server =
            json!({"host": format!("shop-{}.internal", random.below(60)), "pid": random.below(30_000)});
        event["contexts"]["server"] = server;
    }
    event
}

/// Brings an event to its size: breadcrumbs first, then what the application added.
fn fill(random: &mut Random, event: &mut Value) {
    let size = random.log_normal(MEDIAN, SPREAD).clamp(LEAST, MOST) as usize;
    let mut length = event.to_string().len();
    let mut crumbs = Vec::new();
    while length < size * 9 / 10 && crumbs.len() < BREADCRUMBS_MAX {
        let crumb = breadcrumb(random, crumbs.len() as u64);
        length += crumb.to_string().len() + 1;
        crumbs.push(crumb);
    }
    let mut lines = Vec::new();
    while length < size {
        let line = json!({"sku": format!("{}-{}", random.of(&WORDS), random.below(10_000)),
            "count": random.below(9), "cents": random.below(90_000)});
        length += line.to_string().len() + 1;
        lines.push(line);
    }
    event["breadcrumbs"] = crumbs.into();
    event["extra"] = json!({"basket": {"currency": "EUR", "lines": lines}});
}

fn breadcrumb(random: &mut Random, step: u64) -> Value {
    let (thing, other) = (random.of(&THINGS), random.of(&WORDS));
    let status = if random.below(9) == 0 { 500 } else { 200 };
    let mut crumb = json!({
        "timestamp": 1_800_000_000_000_u64 + step * 1_300 + random.below(900),
        "category": random.of(&CATEGORIES), "level": "info",
        "message": format!("GET /api/{thing}/{}/{other}", random.below(1_000_000)),
    });
    if random.below(2) == 0 {
        crumb["data"] = json!({"status": status, "ms": random.below(900)});
    }
    crumb
}
