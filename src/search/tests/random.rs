//! Batches and queries that are the same for the same seed.

use super::{Scope, Timestamp};
use crate::event::log_batch::Plain;
use crate::event::log_batch::StoredBatch;
use crate::event::log_entry::{Entry, Level};
use crate::ids::ProjectId;
use crate::search::query::{Node, parse};
use crate::time::{MINUTE, SECOND};
use std::borrow::Cow;

/// The time around which most entries are.
pub(super) const EPOCH: i64 = 1_795_000_000_000;
/// Two neighbours, and the last one that can have logs.
pub(super) const PROJECTS: [i64; 3] = [7, 8, crate::search::PROJECTS_MAX - 1];

const WORDS: [&str; 14] = [
    "disk",
    "full",
    "Disk",
    "timed",
    "out",
    "timeout",
    "user.created",
    "42",
    "1234",
    "東京",
    "Ошибка",
    "naïve",
    "a-b",
    "x",
];
const VALUES: [&str; 11] = [
    "ann",
    "Ann",
    "bob",
    "b",
    "42",
    "shop db",
    "Été",
    "a*b\u{0}c",
    "1.5",
    "a0ff00000000ffff",
    "A0FFffffffffffff00",
];

pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn project(&mut self) -> ProjectId {
        ProjectId(PROJECTS[self.below(PROJECTS.len())])
    }

    fn words(&mut self, most: usize) -> String {
        let count = self.below(most + 1);
        (0..count).map(|_| self.of(&WORDS)).collect::<Vec<_>>().join(" ")
    }

    /// Microseconds, mostly one of a few values, so that many are equal.
    fn time(&mut self) -> i64 {
        let millis = match self.below(12) {
            0 => [0, 1, 1 << 43, (1 << 43) + 999, 253_402_300_799_999][self.below(5)],
            1..=4 => EPOCH,
            _ => EPOCH + self.below(20) as i64 * 37 * SECOND,
        };
        millis * 1_000 + self.within()
    }

    /// Microseconds within a millisecond.
    fn within(&mut self) -> i64 {
        [0, 0, 1, 500, 501, 999][self.below(6)]
    }

    fn maybe(&mut self) -> Option<Cow<'static, str>> {
        (self.below(3) == 0).then(|| Cow::Borrowed(self.of(&VALUES)))
    }

    fn attributes(&mut self, project: ProjectId) -> Option<Cow<'static, str>> {
        // One project alone has each of `a` and `ab`.
        let own = if project.0 == PROJECTS[0] { "a" } else { "ab" };
        let value = serde_json::to_string(self.of(&VALUES)).unwrap();
        let number = self.below(3);
        let json = match self.below(5) {
            0 => format!(r#"{{"{own}":{value},"n":{number}}}"#),
            1 => format!(r#"{{"{own}":[1,{value},{{"Deep":{value}}}],"b":true}}"#),
            2 => format!(r#"{{"x":{{"{own}\u0000z":{value},"y":null}}}}"#),
            3 => format!(r#"{{"{own}\u0001":{value},"":{value},"é":{number}.5}}"#),
            _ => return None,
        };
        Some(json.into())
    }

    pub(super) fn batch(&mut self, id: i64) -> StoredBatch {
        let project = self.project();
        let count = 1 + self.below(if id % 5 == 0 { 100 } else { 12 });
        let entries: Vec<Entry<'static>> = (0..count).map(|_| self.entry(project)).collect();
        let (environment, release) = (self.of(&["production", "Test"]), self.maybe());
        let plain = Plain::new(environment, release.as_deref(), &entries).unwrap();
        StoredBatch { id, project, received_at: Timestamp::from_millis(EPOCH), plain }
    }

    fn entry(&mut self, project: ProjectId) -> Entry<'static> {
        Entry {
            timestamp: self.time(),
            level: Level::ALL[self.below(Level::ALL.len())],
            message: self.words(6).into(),
            template: self.words(1).into(),
            attributes: self.attributes(project),
            trace_id: self.maybe(),
            span_id: None,
            user_id: self.maybe(),
            user_email: self.maybe(),
            account_id: None,
            account_name: self.maybe(),
            logger_name: self.maybe(),
            file_path: None,
            function_name: self.maybe(),
            line_number: None,
        }
    }

    pub(super) fn scope(&mut self) -> Scope {
        let (mut start, mut end) = (0, i64::MAX);
        if self.below(2) == 0 {
            start = EPOCH + (self.below(12) as i64 - 2) * MINUTE;
        }
        if self.below(2) == 0 {
            end = (EPOCH + self.below(12) as i64 * MINUTE).max(start);
        }
        let start = Timestamp::from_micros(Timestamp::from_millis(start).micros() + self.within());
        let end = Timestamp::from_micros(Timestamp::from_millis(end).micros().saturating_add(self.within()));
        Scope { project: self.project(), start, end: end.max(start), query: self.query() }
    }

    fn query(&mut self) -> Option<Node> {
        let text: String = (0..self.below(6)).map(|_| self.piece() + " ").collect();
        parse(&text).unwrap()
    }

    fn piece(&mut self) -> String {
        let (word, value) = (self.of(&WORDS), self.of(&VALUES));
        match self.below(14) {
            0 | 1 => word.to_owned(),
            2 => format!("-{word}"),
            3 => format!("\"{word} {}\"", self.of(&WORDS)),
            4 => format!("{}*", word.chars().take(2).collect::<String>()),
            5 => format!("\"{word} {}\"*", self.of(&["d", "t", "4", "東", "n"])),
            6 => "OR".to_owned(),
            7 => format!("({word} OR level:{})", self.of(&["error", "info", "warn,fatal"])),
            8 => format!("user:\"{value}\""),
            9 => format!("attr.{}:\"{value}\"", self.of(&["a", "ab", "a.Deep", "", "é"])),
            10 => format!(
                "attr.{}:{}*",
                self.of(&["a", "ab", "x.a\u{0}z"]),
                self.of(&["a", "4", "s", "a0f", "A0FF"])
            ),
            11 => format!(
                "-{}:{}*",
                self.of(&["user", "release", "logger"]),
                self.of(&["a", "b", "é", "a0", "a0fff"])
            ),
            12 => self.of(&["NOT", "AND", "-", "(", ")", "\"", "*x", "env:test", "level:err*"]).to_owned(),
            _ => format!("-({word} {})", self.of(&WORDS)),
        }
    }
}
