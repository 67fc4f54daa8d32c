//! The one clock, and timestamps as they are stored and shown.
//!
//! A [`Timestamp`] is milliseconds since the Unix epoch, UTC. It is written as ISO 8601 with three
//! decimals and `Z`, and read from any ISO 8601 date-time with an offset.

use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::{SystemTime, UNIX_EPOCH};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

pub const SECOND: i64 = 1_000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// 9999-12-31T23:59:59.999Z.
const MAX_MILLIS: i64 = 253_402_300_799_999;
/// From here (9 September 2001) a number that is no second of these years is taken as milliseconds.
const MILLIS_FROM: f64 = 1e12;
/// Where civil time is counted from.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// Milliseconds since the Unix epoch, between the years 1970 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The wall clock. Never used for limits or time-outs: those are on [`std::time::Instant`].
    pub fn now() -> Self {
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_millis());
        let millis = i64::try_from(millis).unwrap_or(MAX_MILLIS);
        Self::from_millis(millis.saturating_add(offset()))
    }

    /// Out of range is brought to the nearest bound: stored rows are ours and never outside.
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(0, MAX_MILLIS))
    }

    /// Reads seconds since the epoch, with a fraction. What is no second of the years 1970 to 9999 but a
    /// millisecond of 2001 or later is taken as milliseconds, as some clients send it. `None` for all else.
    pub fn from_number(number: f64) -> Option<Self> {
        let is_millis = number >= MILLIS_FROM;
        let millis = if is_millis { number.round() } else { (number * 1e3).round() };
        (0.0..=MAX_MILLIS as f64).contains(&millis).then_some(Self(millis as i64))
    }

    /// Reads ISO 8601 with an offset (`2026-11-21T10:00:00Z`, `…+02:00`); a date-time without one
    /// is taken as UTC, as the field's clients send it.
    pub fn parse(text: &str) -> Option<Self> {
        let millis = match text.parse::<jiff::Timestamp>() {
            Ok(instant) => instant.as_millisecond(),
            Err(_) => civil_millis(text)?,
        };
        (0..=MAX_MILLIS).contains(&millis).then_some(Self(millis))
    }

    pub fn millis(self) -> i64 {
        self.0
    }

    /// Hours since the epoch: the key of hourly counts.
    pub fn hour(self) -> i64 {
        self.0 / HOUR
    }

    pub fn plus(self, millis: i64) -> Self {
        Self::from_millis(self.0.saturating_add(millis))
    }
}

/// Of a date-time without an offset, or in the last hours of 9999, where the library's instants end.
fn civil_millis(text: &str) -> Option<i64> {
    let pieces = Pieces::parse(text).ok()?;
    let civil = pieces.date().to_datetime(pieces.time().unwrap_or_default());
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    i64::try_from(civil.duration_since(EPOCH).as_millis())
        .ok()?
        .checked_sub(i64::from(offset.seconds()) * SECOND)
}

/// Milliseconds by which a test puts the clock forward: debug builds read them from the file that
/// `MAYDAY_CLOCK_OFFSET` names, each time anew.
#[cfg(debug_assertions)]
fn offset() -> i64 {
    static FILE: std::sync::OnceLock<Option<std::ffi::OsString>> = std::sync::OnceLock::new();
    let file = FILE.get_or_init(|| std::env::var_os("MAYDAY_CLOCK_OFFSET"));
    let read = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    read.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

#[cfg(not(debug_assertions))]
const fn offset() -> i64 {
    0
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Civil time, since the library's instants end before the year 9999 does.
        let civil = EPOCH.saturating_add(SignedDuration::from_millis(self.0));
        write!(f, "{civil:.3}Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format_args!(
                "expected an ISO 8601 time such as 2026-11-21T10:00:00Z, got `{}`",
                text.chars().take(64).collect::<String>()
            ))
        })
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests;
