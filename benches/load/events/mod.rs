//! Error events as a shop sends them: V8 stacks of ten frames in a bundle that has a source map, some
//! of Python, Go and Java, some messages; users, tags, breadcrumbs; issues with a long tail.
//!
//! A pool of whole requests is made once; ids are patched in before each sending, so that every
//! event is another one and the generator stays cheap.

mod make;
mod random;
mod stacks;

pub(crate) use make::{RELEASE, words};
pub(crate) use random::Random;
pub(crate) use stacks::SCRIPT;

use crate::client::Request;
use crate::drive::Requests;
use crate::mapgen::Bundle;
use make::Source;
use serde_json::json;
use stacks::Origin;
use std::ops::Range;

/// Issues of the ordinary pool.
const ISSUES: usize = 500;
const USERS: u64 = 20_000;
/// Requests in a pool.
const POOL: usize = 4_096;
/// Kinds of requests in the pool for many issues. What an issue is grouped by besides its words comes
/// from its kind alone.
const KINDS: usize = 40;
/// Stand in a request for the words of an issue.
const BLANKS: [&str; 3] = ["wordfirs", "wordseco", "wordthir"];

pub(crate) const PATH: &str = "/api/v1/errors";
pub(crate) const BATCH_PATH: &str = "/api/v1/errors/batch";

/// Requests ready to be sent.
pub(crate) struct Pool {
    requests: Vec<Prepared>,
    random: Random,
    many: Option<ManyIssues>,
}

/// What the events of a pool of many issues are made with: the number of issues, and the time of each event.
#[derive(Clone, Copy)]
struct ManyIssues {
    issues: usize,
    now: u64,
}

struct Prepared {
    bytes: Vec<u8>,
    body: usize,
    event_id: Range<usize>,
    trace_id: Range<usize>,
    timestamp: Range<usize>,
    release: Range<usize>,
    /// The user's number, twice: id and e-mail.
    user: [Range<usize>; 2],
    /// Where each of the three words stands.
    words: [Vec<usize>; 3],
}

impl Requests for Pool {
    /// Puts a new event's request into `into`.
    fn next(&mut self, into: &mut Vec<u8>) {
        into.clear();
        let Some(many) = self.many else {
            let request = self.random.below(POOL as u64) as usize;
            self.put(request, into);
            return;
        };
        let moment = Moment { issue: self.random.rank(many.issues), timestamp: many.now, release: 0 };
        self.put_moment(&moment, into);
    }
}

impl Pool {
    /// A pool for the projects that `keys` belong to; `now` in milliseconds since the epoch.
    pub(crate) fn new(keys: &[String], bundle: &Bundle, now: u64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let requests = (0..POOL).map(|_| {
            let issue = random.rank(ISSUES);
            let (key, origin) = (&keys[issue % keys.len()], Origin::Mapped(issue));
            let source = Source { key, issue, words: words(issue), origin, now };
            Prepared::new(&make::event(&mut random, &source, bundle), now)
        });
        let requests = requests.collect();
        Self { requests, random, many: None }
    }

    /// A pool for one project with so many issues, up to 64,000.
    pub(crate) fn of_many(key: &str, issues: usize, bundle: &Bundle, now: u64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let requests = (0..POOL).map(|at| {
            let source = Source { key, issue: at % KINDS, words: BLANKS, origin: Origin::Named, now };
            Prepared::new(&make::event(&mut random, &source, bundle), now)
        });
        let requests = requests.collect();
        Self { requests, random, many: Some(ManyIssues { issues, now }) }
    }

    /// Bytes of the bodies, ascending.
    pub(crate) fn sizes(&self) -> Vec<u32> {
        let length = |request: &Prepared| (request.bytes.len() - request.body) as u32;
        let mut sizes: Vec<u32> = self.requests.iter().map(length).collect();
        sizes.sort_unstable();
        sizes
    }

    /// Appends the JSON of an event of a pool of many issues to `into`.
    pub(crate) fn add(&mut self, moment: &Moment, into: &mut Vec<u8>) {
        let mut bytes = Vec::with_capacity(16 << 10);
        let body = self.put_moment(moment, &mut bytes);
        into.extend_from_slice(&bytes[body..]);
    }

    /// Where the body starts.
    fn put_moment(&mut self, moment: &Moment, into: &mut Vec<u8>) -> usize {
        let kind = moment.issue % KINDS;
        let request = kind + KINDS * self.random.below((POOL / KINDS) as u64) as usize;
        self.put(request, into);
        let request = &self.requests[request];
        into[request.timestamp.clone()].copy_from_slice(moment.timestamp.to_string().as_bytes());
        into[request.release.clone()].copy_from_slice(release(moment.release).as_bytes());
        for (word, places) in words(moment.issue).iter().zip(&request.words) {
            places.iter().for_each(|at| into[*at..*at + word.len()].copy_from_slice(word.as_bytes()));
        }
        request.body
    }

    fn put(&mut self, request: usize, into: &mut Vec<u8>) {
        let Self { requests, random, .. } = self;
        let request = &requests[request];
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

    /// One of the many issues, the first ones more often.
    pub(crate) fn any_issue(&mut self, issues: usize) -> usize {
        self.random.rank(issues)
    }
}

/// Which event of a pool of many issues, and when it was thrown.
pub(crate) struct Moment {
    pub(crate) issue: usize,
    /// Milliseconds since the epoch.
    pub(crate) timestamp: u64,
    /// 0 to 99; see [`release`].
    pub(crate) release: usize,
}

/// A version; all are equally long.
pub(crate) fn release(number: usize) -> String {
    format!("shop@4.{:02}.0", number % 100)
}

impl Prepared {
    fn new(event: &serde_json::Value, now: u64) -> Self {
        let bytes = post(event);
        let find = |name: &str| memchr::memmem::find(&bytes, name.as_bytes()).expect("the event has it");
        let after = |name: &str, length: usize| {
            let at = find(name) + name.len();
            at..at + length
        };
        let all = |word: &str| memchr::memmem::find_iter(&bytes, word.as_bytes()).collect();
        // Breadcrumbs have times, too.
        let timestamp = find(&format!("\"timestamp\":{now}")) + "\"timestamp\":".len();
        Self {
            body: find("\r\n\r\n") + 4,
            event_id: after("\"event_id\":\"", 32),
            trace_id: after("\"trace_id\":\"", 32),
            timestamp: timestamp..timestamp + 13,
            release: after("\"release\":\"", RELEASE.len()),
            user: [after("\"id\":\"user-", 6), after("\"email\":\"buyer.", 6)],
            words: BLANKS.map(all),
            bytes,
        }
    }
}

fn put_hex(slot: &mut [u8], mut value: u64) {
    for digit in slot.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(value & 15) as usize];
        value >>= 4;
    }
}

fn post(event: &serde_json::Value) -> Vec<u8> {
    let body = event.to_string();
    let content_type = "application/json";
    Request { method: "POST", path: PATH, bearer: None, content_type, body: body.as_bytes() }.bytes()
}

/// A small event that falls into an issue of its own.
pub(crate) fn probe(key: &str, random: &mut Random) -> Vec<u8> {
    post(&json!({
        "api_key": key, "event_id": random.hex(32), "message": "probe", "type": "message",
        "fingerprint": ["probe"],
    }))
}
