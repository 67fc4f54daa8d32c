//! Log entries as services of a shop write them: some 590 bytes, with attributes, a trace of eight entries
//! each, levels and templates of unequal frequency. Whole requests are made once; times, traces, spans and order
//! numbers are patched in before each sending, so that every entry is another one and the generator stays cheap.

use crate::client::Request;
use crate::drive::Requests;
use crate::events::Random;
use serde_json::{Value, json};
use std::ops::Range;

pub(crate) const PATH: &str = "/api/v1/logs/batch";
/// Entries of a batch.
pub(crate) const BATCH: usize = 100;
/// Requests in a pool.
const POOL: usize = 256;
/// One entry in so many has the rare word.
const RARE: u64 = 100_000;
/// Stand in an entry for what is patched in, each of its own length.
const TIME: &str = "1111111111.111";
const TRACE: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const SPAN: &str = "bbbbbbbbbbbbbbbb";
const ORDER: &str = "7777777777";
/// A word that few entries have, and one of the same length in its place.
pub(crate) const RARE_WORD: &str = "zanzibar";
const USUAL_WORD: &str = "checkout";
/// A word that about one entry in seven has.
pub(crate) const COMMON_WORD: &str = "timeout";

const MESSAGES: [(&str, &str, u64); 16] = [
    ("info", "GET /api/orders/7777777777 200 in 38 ms for checkout", 30),
    ("info", "order 7777777777 placed by user 8842 with 3 items, total 129.90 EUR, checkout", 14),
    ("debug", "cache hit for product:7777777777 in region eu-west-1, checkout page warm", 12),
    ("info", "payment 7777777777 authorised by provider stripe in 412 ms, checkout", 10),
    (
        "warn",
        "slow query on orders took 1532 ms: select * from orders where id = 7777777777, timeout near, checkout",
        6,
    ),
    ("warn", "upstream inventory answered 503, retry 2 of 5 after timeout, order 7777777777, checkout", 5),
    ("error", "payment 7777777777 failed: connection refused by 10.0.3.17:5432 after timeout, checkout", 3),
    ("error", "could not reserve stock for order 7777777777: version conflict, checkout", 2),
    ("info", "mail \"Your order 7777777777\" sent to customer, checkout", 6),
    ("debug", "feature flag new_basket evaluated to true for session 7777777777, checkout", 5),
    ("trace", "span db.query closed for order 7777777777, checkout", 2),
    ("info", "worker 12 picked job 7777777777 from queue shipping, checkout", 4),
    ("info", "session 7777777777 started from Berlin with Firefox 144, checkout", 3),
    ("debug", "render of /basket/7777777777 took 12.4 ms, 3 components suspended, checkout", 2),
    ("fatal", "out of memory while rendering invoice 7777777777, checkout", 1),
    ("warn", "token of user 7777777777 expires in 5 minutes, timeout of refresh 30 s, checkout", 3),
];

/// Requests ready to be sent.
pub(crate) struct Pool {
    requests: Vec<Prepared>,
    random: Random,
    next: u64,
    /// Milliseconds: when the next entry was, and what lies between two; none: now.
    time: f64,
    step: Option<f64>,
}

struct Prepared {
    bytes: Vec<u8>,
    body: usize,
    entries: Vec<Places>,
}

/// Where in a request an entry's parts stand.
struct Places {
    time: Range<usize>,
    trace: Range<usize>,
    span: Range<usize>,
    orders: Vec<Range<usize>>,
    word: Range<usize>,
}

impl Requests for Pool {
    fn next(&mut self, into: &mut Vec<u8>) {
        let at = self.random.below(self.requests.len() as u64) as usize;
        let prepared = &self.requests[at];
        into.clear();
        into.extend_from_slice(&prepared.bytes);
        let now = crate::api::now() as f64;
        for places in &prepared.entries {
            let time = if self.step.is_some() { self.time } else { now };
            self.time += self.step.unwrap_or(0.0);
            put(into, &places.time, &format!("{:.3}", time / 1e3));
            // Eight entries in a row are of one trace.
            put(into, &places.trace, &format!("{:032x}", Random::new(self.next / 8).next()));
            put(into, &places.span, &format!("{:016x}", self.random.next()));
            let order = format!("{:010}", self.next % 10_000_000_000);
            places.orders.iter().for_each(|order_place| put(into, order_place, &order));
            if self.random.below(RARE) == 0 {
                put(into, &places.word, RARE_WORD);
            }
            self.next += 1;
        }
    }
}

fn put(into: &mut [u8], place: &Range<usize>, text: &str) {
    into[place.clone()].copy_from_slice(&text.as_bytes()[..place.len()]);
}

impl Pool {
    /// Entries of now for the project of a key.
    pub(crate) fn new(key: &str, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let requests = (0..POOL).map(|_| Prepared::new(key, &mut random)).collect();
        Self { requests, random, next: seed << 32, time: 0.0, step: None }
    }

    /// `count` entries spread over the time from `start` to `end`, in milliseconds.
    pub(crate) fn spread(key: &str, seed: u64, (start, end): (u64, u64), count: u64) -> Self {
        let step = Some((end - start) as f64 / count as f64);
        Self { time: start as f64, step, ..Self::new(key, seed) }
    }

    /// Entries that are all of one time, in milliseconds.
    pub(crate) fn at(key: &str, seed: u64, time: u64) -> Self {
        Self { time: time as f64, step: Some(0.0), ..Self::new(key, seed) }
    }

    /// Bytes of an entry at the mean.
    pub(crate) fn mean(&self) -> f64 {
        let bytes: usize = self.requests.iter().map(|request| request.bytes.len() - request.body).sum();
        bytes as f64 / (self.requests.len() * BATCH) as f64
    }

    /// The body of the next request.
    pub(crate) fn body(&mut self) -> Vec<u8> {
        let mut request = Vec::new();
        self.next(&mut request);
        Request::body_of(&request).to_vec()
    }
}

impl Prepared {
    fn new(key: &str, random: &mut Random) -> Self {
        let entries: Vec<Value> = (0..BATCH).map(|_| entry(random)).collect();
        let body =
            json!({"api_key": key, "environment": "production", "release": "shop@4.2.1", "logs": entries});
        // As a number, and of a known length.
        let body = body.to_string().replace(&format!("\"{TIME}\""), TIME);
        let (path, content_type) = (PATH, "application/json");
        let bytes =
            Request { method: "POST", path, bearer: None, content_type, body: body.as_bytes() }.bytes();
        let start = bytes.len() - body.len();
        let starts = all(&bytes, "{\"account\"");
        let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
        let entries =
            starts.iter().zip(ends).map(|(from, to)| Places::find(&bytes[*from..to], *from)).collect();
        Self { bytes, body: start, entries }
    }
}

impl Places {
    fn find(entry: &[u8], from: usize) -> Self {
        let places = |text: &str| -> Vec<Range<usize>> {
            all(entry, text).into_iter().map(|at| from + at..from + at + text.len()).collect()
        };
        let one = |text: &str| places(text).pop().unwrap_or(0..0);
        Self {
            time: one(TIME),
            trace: one(TRACE),
            span: one(SPAN),
            orders: places(ORDER),
            word: places(USUAL_WORD).into_iter().next().unwrap_or(0..0),
        }
    }
}

fn all(text: &[u8], part: &str) -> Vec<usize> {
    memchr::memmem::find_iter(text, part.as_bytes()).collect()
}

fn entry(random: &mut Random) -> Value {
    let total: u64 = MESSAGES.iter().map(|(_, _, weight)| weight).sum();
    let mut at = random.below(total);
    let (level, message, _) = MESSAGES
        .iter()
        .find(|(_, _, weight)| {
            let is_here = at < *weight;
            at = at.saturating_sub(*weight);
            is_here
        })
        .unwrap_or(&MESSAGES[0]);
    let user = random.below(20_000);
    let module = random.of(&["orders", "payments", "basket", "search", "accounts", "shipping"]);
    json!({
        "account": {"id": format!("a{}", user % 400), "name": format!("Account {}", user % 400)},
        "attributes": {
            "order_id": ORDER, "region": random.of(&["eu-west-1", "us-east-1", "ap-south-1"]),
            "duration_ms": random.below(2_000), "http": {"method": "GET", "status": 200 + random.below(4) * 100},
            "host": format!("web-{}", random.below(12)),
        },
        "file_path": format!("src/{module}/service.ts"), "function_name": format!("handle_{module}"),
        "level": level, "line_number": random.below(400) + 1, "logger_name": format!("shop.{module}"),
        "message": message, "span_id": SPAN, "timestamp": TIME, "trace_id": TRACE,
        "user": {"email": format!("user{user}@example.com"), "id": format!("u{user}")},
    })
}
